//! The few things that the page asks of the browser, each with a quiet answer where it refuses.

use wasm_bindgen::JsCast;
use web_sys::{Document, HtmlElement, Storage, Window};

pub fn window() -> Window {
    web_sys::window().expect("the page runs in a window")
}

pub fn document() -> Document {
    window().document().expect("a window has a document")
}

/// The `<html>` element.
pub fn root() -> HtmlElement {
    let root = document()
        .document_element()
        .expect("a document has a root");
    root.unchecked_into()
}

/// Storage that lasts; none in a private window or where the visitor forbade it.
fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// A choice that was kept, if any.
pub fn recall(name: &str) -> Option<String> {
    storage()?
        .get_item(&format!("loopscope.{name}"))
        .ok()
        .flatten()
}

/// Keep a choice for the next visit. A refusal loses only the convenience.
pub fn keep(name: &str, value: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(&format!("loopscope.{name}"), value);
    }
}

/// Let a keyboard shortcut rest while something is being typed or chosen.
pub fn is_editing(target: Option<web_sys::EventTarget>) -> bool {
    let element = target.and_then(|target| target.dyn_into::<HtmlElement>().ok());
    element.is_some_and(|element| {
        element.is_content_editable()
            || matches!(element.tag_name().as_str(), "INPUT" | "SELECT" | "TEXTAREA")
    })
}
