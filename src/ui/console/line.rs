//! The field in which a line is typed, and what the keyboard does there.

use super::{Console, Wish};
use crate::console::{LINE_MAX, WorldView};
use crate::shell::{Typing, completed};
use crate::ui::browser::document;
use crate::ui::el::{El, el, el_of};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::html::{oninput, onkeydown, onsubmit};
use yew::prelude::*;

pub const ID: &str = "console-line";

/// So many characters can be typed. More than is read: what is too long is answered, and not cut.
const TYPED_MAX: usize = 4 * LINE_MAX;

/// What stands in the field, and where the caret is in it, in bytes.
fn read(input: &HtmlInputElement) -> (String, usize) {
    let line = input.value();
    let caret = input.selection_start().ok().flatten();
    let units = caret.map_or(usize::MAX, |caret| caret as usize);
    let mut seen = 0;
    let letters = line.char_indices().find(|(_, letter)| {
        let before = seen;
        seen += letter.len_utf16();
        before >= units
    });
    let caret = letters.map_or(line.len(), |(place, _)| place);
    (line, caret)
}

/// Nothing is selected that Ctrl+C would copy.
fn is_bare(input: &HtmlInputElement) -> bool {
    let (start, end) = (input.selection_start(), input.selection_end());
    start.ok().flatten() == end.ok().flatten()
}

pub fn focus(id: &str) {
    let found = document().get_element_by_id(id);
    if let Some(element) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        // An element that cannot have the focus leaves it where it is.
        let _ = element.focus();
    }
}

/// To the dock's tab: from there the Tab key goes on.
pub fn leave() {
    let found = document().query_selector(".dock [aria-selected=true]").ok();
    if let Some(element) = found
        .flatten()
        .and_then(|found| found.dyn_into::<HtmlElement>().ok())
    {
        let _ = element.focus();
    }
}

pub fn put_caret(typing: &Typing) {
    let found = document().get_element_by_id(ID);
    if let Some(input) = found.and_then(|found| found.dyn_into::<HtmlInputElement>().ok()) {
        let before = typing.line.get(..typing.cursor).unwrap_or(&typing.line);
        let units = before.encode_utf16().count() as u32;
        // A field that has gone meanwhile needs no caret.
        let _ = input.set_selection_range(units, units);
        input.set_scroll_left(input.scroll_width());
    }
}

/// What a key asks for; nothing, where it does what it does in any field.
fn wish(event: &KeyboardEvent, shown: &Typing, world: &WorldView) -> Option<Wish> {
    if event.is_composing() || event.alt_key() || event.meta_key() {
        return None;
    }
    let input: HtmlInputElement = event.target_unchecked_into();
    let shift = event.shift_key();
    Some(match (event.key().as_str(), event.ctrl_key()) {
        ("c" | "C", true) if !shift && is_bare(&input) => Wish::Interrupt,
        ("l" | "L", true) if !shift => Wish::Clear,
        (_, true) => return None,
        ("Tab", _) if !shift => {
            let (line, caret) = read(&input);
            let typing = completed(&line, caret, world)?;
            if typing.line == line && typing.offers == shown.offers {
                // All that it can say has been said: the key goes on to the next thing on the page.
                return None;
            }
            Wish::Complete(typing)
        }
        ("ArrowUp", _) => Wish::Older,
        ("ArrowDown", _) => Wish::Newer,
        ("Escape", _) => Wish::Escape,
        _ => return None,
    })
}

/// The line that is being typed, and the buttons that stand for its keys.
pub fn line(console: &Console, world: &Rc<WorldView>, on_wish: &Callback<Wish>) -> El {
    let on_type = on_wish.reform(|event: InputEvent| {
        Wish::Typed(event.target_unchecked_into::<HtmlInputElement>().value())
    });
    let on_key = {
        let (on_wish, world, shown) = (on_wish.clone(), world.clone(), console.typing.clone());
        Callback::from(move |event: KeyboardEvent| {
            if let Some(wish) = wish(&event, &shown, &world) {
                event.prevent_default();
                on_wish.emit(wish);
            }
        })
    };
    let on_enter = on_wish.reform(|event: SubmitEvent| {
        event.prevent_default();
        Wish::Enter
    });
    let complete = {
        let (on_wish, world, typing) = (on_wish.clone(), world.clone(), console.typing.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(typing) = completed(&typing.line, typing.line.len(), &world) {
                on_wish.emit(Wish::Complete(typing));
            }
        })
    };
    let input = el("input")
        .attr("id", ID)
        .attr("type", "text")
        .attr("aria-label", "Command line")
        .attr("aria-describedby", "console-keys")
        .attr("autocomplete", "off")
        .attr("autocapitalize", "off")
        .attr("autocorrect", "off")
        .attr("spellcheck", "false")
        .attr("enterkeyhint", "go")
        .attr("maxlength", TYPED_MAX.to_string())
        .attr("placeholder", "kubectl help")
        .value(&console.typing.line)
        .listen(Rc::new(oninput::Wrapper::new(on_type)))
        .listen(Rc::new(onkeydown::Wrapper::new(on_key)));
    let watching = console.shell.is_watching();
    el_of("form", "typing")
        .listen(Rc::new(onsubmit::Wrapper::new(on_enter)))
        .child(el_of("span", "prompt").attr("aria-hidden", "true").text("$"))
        .child(input)
        .when(watching, || {
            el_of("button", "toggle")
                .attr("type", "button")
                .attr("title", "Stop watching (Ctrl + C)")
                .on_click(on_wish.reform(|_| Wish::Interrupt))
                .text("Stop watching")
        })
        .child(
            el_of("button", "toggle complete")
                .attr("type", "button")
                .attr("tabindex", "-1")
                .attr("title", "Complete the word (Tab)")
                .on_click(complete)
                .text("Complete"),
        )
        .child(el_of("button", "toggle").attr("type", "submit").attr("title", "Run it (Enter)").text("Run"))
        .child(el_of("span", "visually-hidden").attr("id", "console-keys").text(
            "Tab completes a word, and goes on where there is nothing to complete. Arrow up and down: what was \
             typed before. Escape leaves.",
        ))
}
