//! The story on the left: the scene, its command, and the beats told so far.

use super::el::{button, el, el_of, row, text};
use crate::engine::knobs::Knobs;
use crate::scene::{CHAPTER_NAMES, Chapter, fill};
use crate::session::{Command, Direction, Step, Stop, Stride, Telling};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

/// A scene as far as it is told.
pub struct Tale<'a> {
    pub chapter: &'static Chapter,
    pub knobs: &'a Knobs,
    pub scene: usize,
    pub steps: &'a [Step],
    pub step: usize,
    pub has_next: bool,
    pub has_back: bool,
    /// The list of beats.
    pub beats: &'a NodeRef,
    pub on_command: &'a Callback<Command>,
    pub on_step: Callback<usize>,
}

impl Tale<'_> {
    /// `ask` stands above the beats, `aside` below them.
    pub fn view(&self, ask: Html, aside: Html) -> Html {
        let scene = self.chapter.scenes[self.scene];
        let words = |text: &str| fill(text, self.knobs);
        let note = |note: &str| el_of("span", "note").text("# ").text(words(note));
        let prompt = el_of("span", "prompt")
            .attr("aria-hidden", "true")
            .text("$ ");
        let command = el("code").child(prompt).list(broken(scene.command));
        let command = el_of("div", "cmd")
            .child(command)
            .list(scene.note.map(|text| note(text).into()).into_iter());
        let told = self.steps.iter().enumerate().take(self.step + 1);
        let told = told.map(|(index, step)| self.beat(index, step));
        let told = el_of("ol", "beats")
            .attr("aria-label", "The story so far")
            .node(self.beats)
            .list(told);
        let told = el_of("div", "told")
            .attr("id", "tale")
            .attr("role", "tabpanel")
            .attr("aria-labelledby", format!("tab-{}", self.scene + 1))
            .child(self.title())
            .child(command)
            .child(ask)
            .child(told)
            .child(aside)
            .child(self.nav());
        el_of("section", "tale")
            .attr("aria-label", "Story")
            .child(told)
            .into()
    }

    fn title(&self) -> Html {
        let scene = self.chapter.scenes[self.scene];
        let telling = self.steps.get(self.step).map(|step| step.telling);
        let variant = (scene.variant.as_ref()).filter(|_| telling == Some(Telling::Variant));
        let variant = variant.map(|variant| {
            let said = el_of("span", "variant").text("replay: ");
            said.text(variant.title).into()
        });
        let place = format!(
            "Scene {} of {} · step {} of {}",
            self.scene + 1,
            self.chapter.scenes.len(),
            self.step + 1,
            self.steps.len(),
        );
        let kicker = el_of("p", "kicker").text(place).list(variant.into_iter());
        el_of("div", "title")
            .child(kicker)
            .child(el("h1").text(fill(scene.title, self.knobs)))
            .into()
    }

    fn beat(&self, index: usize, step: &Step) -> Html {
        let missing = (step.stop == Stop::Nowhere).then(|| {
            let words = "This did not happen in your run. ";
            el_of("em", "missing").text(words).into()
        });
        let said = |item: super::el::El| {
            item.list(missing.into_iter())
                .text(fill(step.beat.caption, self.knobs))
        };
        if index == self.step {
            let now = el_of("li", "now")
                .attr("aria-current", "step")
                .attr("data-testid", "caption");
            return said(now).into();
        }
        let back = button(self.on_step.reform(move |_: MouseEvent| index));
        let back = back.attr("title", "Go back to this step");
        el_of("li", "past").child(said(back)).into()
    }

    fn nav(&self) -> Html {
        let stride = |direction, is_there: bool, says: &'static str| {
            let command = self
                .on_command
                .reform(move |_: MouseEvent| Command::Step(Stride::Beat, direction));
            button(command)
                .attr("aria-disabled", (!is_there).to_string())
                .attr("title", says)
        };
        let says = match self.has_next {
            true => "The next step (N)",
            false => "This was the last step. Try the buttons, or another queue.",
        };
        let back = stride(Direction::Back, self.has_back, "The step before (B)");
        let next = stride(Direction::Forward, self.has_next, says);
        el_of("div", "nav")
            .child(back.text("Back"))
            .child(next.attr("class", "go").text("Next step"))
            .into()
    }
}

/// Keep the beat that is told in sight, without moving the page.
pub fn keep_in_sight(beats: &NodeRef) {
    let Some(list) = beats.cast::<HtmlElement>() else {
        return;
    };
    let now = list.query_selector("[aria-current]").ok().flatten();
    if let Some(now) = now.and_then(|now| now.dyn_into::<HtmlElement>().ok()) {
        let below = now.offset_top() + now.offset_height() - list.offset_top();
        list.set_scroll_top(below - list.client_height());
    }
}

/// At the end of a chapter, the way into the next one.
pub fn onward(chapter: &Chapter, on_chapter: Callback<usize>) -> Html {
    let told = |(title, _): &(&str, &str)| *title == chapter.title;
    let next = CHAPTER_NAMES
        .iter()
        .position(told)
        .map_or(0, |told| told + 1);
    let Some((title, _)) = CHAPTER_NAMES.get(next) else {
        return Html::default();
    };
    let button = button(on_chapter.reform(move |_: MouseEvent| next))
        .attr("class", "toggle")
        .text(format!("Chapter {}: {title}", next + 1));
    el_of("p", "aside onward")
        .text("The story goes on: ")
        .child(button)
        .into()
}

/// A command line that is broken between its words only, as long as a word fits.
fn broken(command: &'static str) -> impl Iterator<Item = Html> {
    let words = command.split(' ').map(|word| el("span").text(word));
    words.map(|word| row([word.into(), text(" ")]))
}
