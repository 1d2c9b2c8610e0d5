//! The story on the left: the scene, its command, and the beats told so far.

use super::el::{el, el_of, row, text};
use super::header::StaticChapter;
use super::panel::LaneNote;
use crate::engine::knobs::Knobs;
use crate::scene::{CHAPTERS, Chapter, Skin, Station, fill};
use crate::session::{Command, Direction, Step, Stop, Stride, Telling};
use std::rc::Rc;
use web_sys::HtmlElement;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub struct TaleProps {
    pub chapter: StaticChapter,
    pub knobs: Rc<Knobs>,
    pub scene: usize,
    pub steps: Vec<Step>,
    pub step: usize,
    pub has_next: bool,
    pub has_back: bool,
    pub on_command: Callback<Command>,
    pub on_step: Callback<usize>,
    /// Where the story goes on when this chapter is told.
    pub on_chapter: Callback<usize>,
    /// The lane to say something about.
    pub lane: Option<Station>,
    pub skin: &'static Skin,
    #[prop_or_default]
    pub children: Children,
}

#[component]
pub fn Tale(props: &TaleProps) -> Html {
    let list = use_node_ref();
    use_effect_with((props.scene, props.step), {
        let list = list.clone();
        move |_| {
            // Keep the beat that is told in sight, without moving the page.
            let list = list.cast::<HtmlElement>();
            let now = list.as_ref().and_then(|list| {
                let now = list.query_selector("[aria-current]").ok().flatten()?;
                wasm_bindgen::JsCast::dyn_into::<HtmlElement>(now).ok()
            });
            if let (Some(list), Some(now)) = (list, now) {
                let below = now.offset_top() + now.offset_height() - list.offset_top();
                list.set_scroll_top(below - list.client_height());
            }
        }
    });
    let scene = props.chapter.0.scenes[props.scene];
    let text = |text: &str| fill(text, &props.knobs);
    let telling = props.steps.get(props.step).map(|step| step.telling);
    let told = props
        .steps
        .iter()
        .enumerate()
        .take(props.step + 1)
        .map(|(index, step)| {
            let on_click = props.on_step.reform(move |_: MouseEvent| index);
            beat(step, index == props.step, text(step.beat.caption), on_click)
        });
    let strides = |direction| {
        props
            .on_command
            .reform(move |_: MouseEvent| Command::Step(Stride::Beat, direction))
    };
    let last = !props.has_next;
    html! {
        <section class="tale" aria-label="Story">
        <div class="told" id="tale" role="tabpanel" aria-labelledby={format!("tab-{}", props.scene + 1)}>
            <div class="title">
                <p class="kicker">
                    { format!(
                        "Scene {} of {} · step {} of {}",
                        props.scene + 1,
                        props.chapter.0.scenes.len(),
                        props.step + 1,
                        props.steps.len(),
                    ) }
                    if telling == Some(Telling::Variant) && let Some(variant) = &scene.variant {
                        <span class="variant">{ "replay: " }{ variant.title }</span>
                    }
                </p>
                <h1>{ text(scene.title) }</h1>
            </div>
            <div class="cmd">
                <code><span class="prompt" aria-hidden="true">{ "$ " }</span>{ words(scene.command) }</code>
                if let Some(note) = scene.note {
                    <span class="note">{ "# " }{ text(note) }</span>
                }
            </div>
            { props.children.clone() }
            <ol class="beats" ref={list} aria-label="The story so far">{ for told }</ol>
            { onward(props) }
            if let Some(station) = props.lane {
                <LaneNote {station} skin={props.skin} />
            }
            <div class="nav">
                <button
                    type="button"
                    aria-disabled={(!props.has_back).to_string()}
                    title="The step before (B)"
                    onclick={strides(Direction::Back)}
                >
                    { "Back" }
                </button>
                <button
                    type="button"
                    class="go"
                    aria-disabled={last.to_string()}
                    title={if last { "This was the last step. Try the buttons, or another queue." } else { "The next step (N)" }}
                    onclick={strides(Direction::Forward)}
                >
                    { "Next step" }
                </button>
            </div>
        </div>
        </section>
    }
}

/// At the end of a chapter, the way into the next one.
fn onward(props: &TaleProps) -> Html {
    let told = |chapter: &&'static Chapter| StaticChapter(chapter) == props.chapter;
    let next = CHAPTERS.iter().position(told).map_or(0, |told| told + 1);
    let Some(chapter) = CHAPTERS.get(next).filter(|_| !props.has_next) else {
        return Html::default();
    };
    let onclick = props.on_chapter.reform(move |_: MouseEvent| next);
    let button = el_of("button", "toggle")
        .attr("type", "button")
        .on_click(onclick)
        .text(format!("Chapter {}: {}", next + 1, chapter.title));
    el_of("p", "aside onward")
        .text("The story goes on: ")
        .child(button)
        .into()
}

/// A command line that is broken between its words only, as long as a word fits.
fn words(command: &'static str) -> Html {
    let words = command.split(' ').map(|word| el("span").text(word));
    words.map(|word| row([word.into(), text(" ")])).collect()
}

fn beat(step: &Step, now: bool, caption: String, on_click: Callback<MouseEvent>) -> Html {
    let missing = step.stop == Stop::Nowhere;
    let words = html! {
        <>
            if missing {
                <em class="missing">{ "This did not happen in your run. " }</em>
            }
            { caption }
        </>
    };
    if now {
        html! { <li class="now" aria-current="step" data-testid="caption">{ words }</li> }
    } else {
        html! {
            <li class="past">
                <button type="button" title="Go back to this step" onclick={on_click}>{ words }</button>
            </li>
        }
    }
}
