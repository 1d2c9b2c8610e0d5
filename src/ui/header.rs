//! The header: where one is, which queue runs, light or dark.

use super::el::{el, el_of};
use super::icon::{Glyph, icon};
use crate::engine::knobs::QueueKind;
use crate::scene::{CHAPTERS, Chapter, Skin};
use crate::session::Command;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Light, dark, or as the system has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    pub fn word(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    pub fn from_word(word: &str) -> Theme {
        match word {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::System,
        }
    }

    pub fn next(self) -> Theme {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }
}

#[derive(PartialEq, Properties)]
pub struct HeaderProps {
    #[prop_or_default]
    pub children: Children,
    pub chapter: StaticChapter,
    pub scene: usize,
    pub queue: QueueKind,
    pub theme: Theme,
    pub on_command: Callback<Command>,
    pub on_chapter: Callback<usize>,
    pub on_theme: Callback<Theme>,
    pub skin: &'static Skin,
    pub on_skin: Callback<&'static Skin>,
}

/// A chapter as a prop: the same where it is the same one.
#[derive(Clone, Copy)]
pub struct StaticChapter(pub &'static Chapter);

impl PartialEq for StaticChapter {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

#[component]
pub fn Header(props: &HeaderProps) -> Html {
    let next = props.theme.next();
    let on_theme = props.on_theme.reform(move |_: MouseEvent| next);
    html! {
        <header class="top">
            <a class="logo" href="./" title="Loopscope: see a Kubernetes control loop think">
                { icon(Glyph::Logo) }{ "Loopscope" }
            </a>
            { chapters(props) }
            <nav aria-label="Scenes">
                <SceneTabs
                    chapter={props.chapter}
                    scene={props.scene}
                    on_command={props.on_command.clone()}
                />
            </nav>
            <div class="tools">
                { if props.chapter.0.skins.is_empty() { queue_switch(props) } else { skin_switch(props) } }
                { props.children.clone() }
                <button
                    class="quiet icon-only"
                    type="button"
                    aria-label={format!("Theme: {}", props.theme.word())}
                    title={format!("Theme: {}. Change to {}.", props.theme.word(), next.word())}
                    onclick={on_theme}
                >
                    { icon(Glyph::Theme) }
                </button>
            </div>
        </header>
    }
}

/// The chapters by name; the one that is told is marked.
fn chapters(props: &HeaderProps) -> Html {
    let buttons = CHAPTERS.iter().enumerate().map(|(index, chapter)| {
        let told = StaticChapter(chapter) == props.chapter;
        el("button")
            .attr("type", "button")
            .attr("aria-pressed", told.to_string())
            .attr("title", format!("Chapter {}: {}", index + 1, chapter.title))
            .on_click(props.on_chapter.reform(move |_: MouseEvent| index))
            .text(chapter.name)
            .into()
    });
    el_of("div", "chapters")
        .attr("role", "group")
        .attr("aria-label", "Chapter")
        .list(buttons)
        .into()
}

#[derive(PartialEq, Properties)]
struct SceneTabsProps {
    chapter: StaticChapter,
    scene: usize,
    on_command: Callback<Command>,
}

#[component]
fn SceneTabs(props: &SceneTabsProps) -> Html {
    let list = use_node_ref();
    use_effect_with((props.chapter, props.scene), {
        let list = list.clone();
        move |_| keep_in_sight(&list)
    });
    let count = props.chapter.0.scenes.len();
    let on_key = {
        let (list, scene, on_command) = (list.clone(), props.scene, props.on_command.clone());
        Callback::from(move |event: KeyboardEvent| {
            let goal = match event.key().as_str() {
                "ArrowRight" => (scene + 1) % count,
                "ArrowLeft" => (scene + count - 1) % count,
                "Home" => 0,
                "End" => count - 1,
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            on_command.emit(Command::Scene(goal));
            let tab = list.cast::<HtmlElement>().and_then(|list| {
                let tabs = list.query_selector_all("[role=tab]").ok()?;
                wasm_bindgen::JsCast::dyn_into::<HtmlElement>(tabs.item(goal as u32)?).ok()
            });
            if let Some(tab) = tab {
                let _ = tab.focus();
            }
        })
    };
    let tabs = props
        .chapter
        .0
        .scenes
        .iter()
        .enumerate()
        .map(|(index, scene)| {
            let current = index == props.scene;
            let onclick = props
                .on_command
                .reform(move |_: MouseEvent| Command::Scene(index));
            html! {
                <button
                    type="button"
                    role="tab"
                    id={format!("tab-{}", index + 1)}
                    aria-selected={current.to_string()}
                aria-current={current.then_some("step")}
                    aria-controls="tale"
                    tabindex={if current { "0" } else { "-1" }}
                    title={format!("Scene {}: {} ({})", index + 1, scene.tab, index + 1)}
                    {onclick}
                >
                    <b>{ index + 1 }</b>{ " " }<span>{ scene.tab }</span>
                </button>
            }
        });
    html! {
        <div class="scenes" role="tablist" aria-label="Scenes" ref={list} onkeydown={on_key}>
            { for tabs }
        </div>
    }
}

/// Scroll the row of tabs, and nothing else, so that the scene's own is in its middle.
fn keep_in_sight(list: &NodeRef) {
    let Some(list) = list.cast::<HtmlElement>() else {
        return;
    };
    let tab = list
        .query_selector("[aria-selected=true]")
        .ok()
        .flatten()
        .and_then(|tab| wasm_bindgen::JsCast::dyn_into::<HtmlElement>(tab).ok());
    if let Some(tab) = tab {
        let middle = tab.offset_left() - list.offset_left() + tab.offset_width() / 2;
        list.set_scroll_left(middle - list.client_width() / 2);
    }
}

fn queue_switch(props: &HeaderProps) -> Html {
    let choices = [
        (
            QueueKind::Channel,
            "Plain channel",
            "The article's buffered channel: no deduplication. Nothing but the queue changes.",
        ),
        (
            QueueKind::ClientGo,
            "client-go queue",
            "client-go's deduplicating work queue. Nothing but the queue changes.",
        ),
    ];
    let buttons = choices.into_iter().map(|(queue, label, title)| {
        let pressed = queue == props.queue;
        let onclick = props.on_command.reform(move |_: MouseEvent| Command::Queue(queue));
        html! {
            <button type="button" aria-pressed={pressed.to_string()} {title} {onclick}>{ label }</button>
        }
    });
    html! { <div class="seg" role="group" aria-label="Queue">{ for buttons }</div> }
}

/// The same loop, in other words.
fn skin_switch(props: &HeaderProps) -> Html {
    let buttons = props.chapter.0.skins.iter().map(|&skin| {
        el("button")
            .attr("type", "button")
            .attr("aria-pressed", (skin == props.skin).to_string())
            .attr("title", skin.says)
            .on_click(props.on_skin.reform(move |_: MouseEvent| skin))
            .text(skin.name)
            .into()
    });
    el_of("div", "seg")
        .attr("role", "group")
        .attr("aria-label", "Words")
        .list(buttons)
        .into()
}
