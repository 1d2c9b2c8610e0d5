//! The header: where one is, which queue runs, light or dark.

use super::el::{button, el, el_of};
use super::icon::{Glyph, icon};
use crate::engine::knobs::QueueKind;
use crate::scene::{CHAPTER_NAMES, Chapter, Skin};
use crate::session::Command;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::html::onkeydown;
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

/// A chapter as a prop: the same where it is the same one.
#[derive(Clone, Copy)]
pub struct StaticChapter(pub &'static Chapter);

impl PartialEq for StaticChapter {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

/// The header of a chapter's page.
pub struct Header<'a> {
    pub chapter: &'static Chapter,
    pub scene: usize,
    /// The row of tabs.
    pub tabs: &'a NodeRef,
    pub on_chapter: Callback<usize>,
    pub on_command: &'a Callback<Command>,
}

impl Header<'_> {
    pub fn view(&self, tools: Html) -> Html {
        let logo = el_of("a", "logo")
            .attr("href", "./")
            .attr("title", "Loopscope: see a Kubernetes control loop think")
            .child(icon(Glyph::Logo))
            .text("Loopscope");
        let nav = el("nav").attr("aria-label", "Scenes").child(self.scenes());
        el_of("header", "top")
            .child(logo)
            .child(self.chapters())
            .child(nav)
            .child(el_of("div", "tools").child(tools))
            .into()
    }

    /// The chapters by name; the one that is told is marked.
    fn chapters(&self) -> Html {
        let buttons = CHAPTER_NAMES
            .iter()
            .enumerate()
            .map(|(index, (title, name))| {
                let told = *title == self.chapter.title;
                button(self.on_chapter.reform(move |_: MouseEvent| index))
                    .attr("aria-pressed", told.to_string())
                    .attr("title", format!("Chapter {}: {title}", index + 1))
                    .text(*name)
                    .into()
            });
        el_of("div", "chapters")
            .attr("role", "group")
            .attr("aria-label", "Chapter")
            .list(buttons)
            .into()
    }

    fn scenes(&self) -> Html {
        let tabs = self
            .chapter
            .scenes
            .iter()
            .enumerate()
            .map(|(index, scene)| {
                let current = index == self.scene;
                let number = index + 1;
                button(
                    self.on_command
                        .reform(move |_: MouseEvent| Command::Scene(index)),
                )
                .attr("role", "tab")
                .attr("id", format!("tab-{number}"))
                .attr("aria-selected", current.to_string())
                .attr_if("aria-current", current.then_some("step"))
                .attr("aria-controls", "tale")
                .attr("tabindex", if current { "0" } else { "-1" })
                .attr("title", format!("Scene {number}: {} ({number})", scene.tab))
                .child(el("b").text(number.to_string()))
                .text(" ")
                .child(el("span").text(scene.tab))
                .into()
            });
        el_of("div", "scenes")
            .attr("role", "tablist")
            .attr("aria-label", "Scenes")
            .node(self.tabs)
            .listen(Rc::new(onkeydown::Wrapper::new(self.on_key())))
            .list(tabs)
            .into()
    }

    /// The arrows go from tab to tab.
    fn on_key(&self) -> Callback<KeyboardEvent> {
        let (list, on_command) = (self.tabs.clone(), self.on_command.clone());
        let (scene, count) = (self.scene, self.chapter.scenes.len());
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
                tabs.item(goal as u32)?.dyn_into::<HtmlElement>().ok()
            });
            if let Some(tab) = tab {
                let _ = tab.focus();
            }
        })
    }
}

/// Scroll the row of tabs, and nothing else, so that the scene's own is in its middle.
pub fn keep_in_sight(list: &NodeRef) {
    let Some(list) = list.cast::<HtmlElement>() else {
        return;
    };
    let tab = list
        .query_selector("[aria-selected=true]")
        .ok()
        .flatten()
        .and_then(|tab| tab.dyn_into::<HtmlElement>().ok());
    if let Some(tab) = tab {
        let middle = tab.offset_left() - list.offset_left() + tab.offset_width() / 2;
        list.set_scroll_left(middle - list.client_width() / 2);
    }
}

/// Which queue the controller has.
pub fn queue_switch(now: QueueKind, on_command: &Callback<Command>) -> Html {
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
    let choices = choices.into_iter().map(|(queue, name, says)| {
        let on_click = on_command.reform(move |_: MouseEvent| Command::Queue(queue));
        choice(name, says, queue == now, on_click)
    });
    switch("Queue", choices)
}

/// The same loop, in other words.
pub fn skin_switch(
    chapter: &Chapter,
    now: &'static Skin,
    on_skin: &Callback<&'static Skin>,
) -> Html {
    let choices = chapter.skins.iter().map(|&skin| {
        let on_click = on_skin.reform(move |_: MouseEvent| skin);
        choice(skin.name, skin.says, skin == now, on_click)
    });
    switch("Words", choices)
}

fn choice(
    name: &'static str,
    says: &'static str,
    pressed: bool,
    on_click: Callback<MouseEvent>,
) -> Html {
    button(on_click)
        .attr("aria-pressed", pressed.to_string())
        .attr("title", says)
        .text(name)
        .into()
}

fn switch(name: &'static str, choices: impl Iterator<Item = Html>) -> Html {
    el_of("div", "seg")
        .attr("role", "group")
        .attr("aria-label", name)
        .list(choices)
        .into()
}

/// Light, dark, or as the system has it: in turn.
pub fn theme_button(theme: Theme, on_theme: &Callback<Theme>) -> Html {
    let next = theme.next();
    let (now, then) = (theme.word(), next.word());
    button(on_theme.reform(move |_: MouseEvent| next))
        .attr("class", "quiet icon-only")
        .attr("aria-label", format!("Theme: {now}"))
        .attr("title", format!("Theme: {now}. Change to {then}."))
        .child(icon(Glyph::Theme))
        .into()
}
