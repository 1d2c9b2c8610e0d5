//! The editor of a manifest, for `apply -f -`.

use super::reader::{Reader, State};
use super::{Console, Wish};
use crate::console::{MANIFEST_MAX, yaml};
use crate::scene::Chapter;
use crate::shell::files;
use crate::ui::browser::document;
use crate::ui::el::{El, el, el_of};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlTextAreaElement;
use yew::html::{oninput, onkeydown};
use yew::prelude::*;

pub const ID: &str = "console-manifest";

/// So many characters can be typed. More than is read: what is too long is told of, and not cut.
const TYPED_MAX: usize = 4 * MANIFEST_MAX;

/// What is in the editor.
pub struct Editor {
    pub text: String,
    /// The chapter that it is for.
    pub chapter: &'static str,
    /// Did the reader break down over it?
    pub broke: bool,
}

impl Editor {
    pub fn can_be_applied(&self) -> bool {
        self.text.len() <= MANIFEST_MAX
    }
}

/// A manifest to begin with: the first of the chapter's.
pub fn first_text(chapter: &Chapter) -> String {
    let files = files(chapter);
    let first = files
        .values()
        .next()
        .and_then(|documents| documents.first());
    first.map_or_else(String::new, yaml::emit)
}

/// The keyboard goes to the beginning of the text.
pub fn begin() {
    let found = document().get_element_by_id(ID);
    if let Some(field) = found.and_then(|found| found.dyn_into::<HtmlTextAreaElement>().ok()) {
        // A field that has gone meanwhile needs neither.
        let _ = field.set_selection_range(0, 0);
        let _ = field.focus();
    }
}

/// Can what is in the editor be applied just now? And what is to be told about it.
fn state(console: &Console, editor: &Editor) -> (bool, String) {
    if !editor.can_be_applied() {
        let most = MANIFEST_MAX / 1024;
        let why = format!("This is longer than {most} KiB, and more is not read.");
        return (false, why);
    }
    let (ready, told) = match console.reader.as_ref().map(Reader::state) {
        Some(State::Missing) => (
            false,
            "The reader of YAML could not be loaded. Close the editor and apply again to try once more.",
        ),
        Some(State::Ready) if console.reads() => (false, "Reading…"),
        Some(State::Ready) if editor.broke => (
            true,
            "The reader of YAML failed on this text, and a new one is here: change the text, or apply once more.",
        ),
        Some(State::Ready) => (true, "YAML or JSON, one object or several."),
        _ if editor.broke => (
            false,
            "The reader of YAML failed on this text. Loading a new one…",
        ),
        _ => (false, "Loading the reader of YAML…"),
    };
    (ready, told.to_owned())
}

/// The editor, with what is in it.
pub fn pane(console: &Console, editor: &Editor, on_wish: &Callback<Wish>) -> El {
    let (ready, told) = state(console, editor);
    let on_type = on_wish.reform(|event: InputEvent| {
        Wish::Manifest(event.target_unchecked_into::<HtmlTextAreaElement>().value())
    });
    let on_key = {
        let on_wish = on_wish.clone();
        Callback::from(move |event: KeyboardEvent| {
            let wish = match event.key().as_str() {
                "Escape" => Wish::Close,
                "Enter" if event.ctrl_key() || event.meta_key() => Wish::Apply,
                _ => return,
            };
            event.prevent_default();
            on_wish.emit(wish);
        })
    };
    el_of("section", "editor")
        .attr("aria-label", "Manifest editor")
        .child(
            el("textarea")
                .attr("id", ID)
                .attr("aria-label", "Manifest")
                .attr("aria-describedby", "console-manifest-state")
                .attr("rows", "9")
                .attr("maxlength", TYPED_MAX.to_string())
                .attr("spellcheck", "false")
                .attr("autocapitalize", "off")
                .attr("autocomplete", "off")
                .attr("wrap", "off")
                .value(&editor.text)
                .listen(Rc::new(oninput::Wrapper::new(on_type)))
                .listen(Rc::new(onkeydown::Wrapper::new(on_key))),
        )
        .child(
            el_of("div", "ways")
                .child(
                    el("p")
                        .attr("id", "console-manifest-state")
                        .attr("role", "status")
                        .text(told),
                )
                .child(
                    el_of("button", "toggle")
                        .attr("type", "button")
                        .attr("title", "Close the editor (Esc)")
                        .on_click(on_wish.reform(|_| Wish::Close))
                        .text("Close"),
                )
                .child(
                    el_of("button", "toggle go")
                        .attr("type", "button")
                        .attr("title", "Apply what is in the editor (Ctrl + Enter)")
                        .attr_if("aria-disabled", (!ready).then_some("true"))
                        .on_click(on_wish.reform(|_| Wish::Apply))
                        .text("Apply"),
                ),
        )
}
