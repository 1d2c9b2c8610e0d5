//! The few things that the page asks of the browser, each with a quiet answer where it refuses.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Document, HtmlElement, KeyboardEvent, Node, Storage, Window};
use yew::Callback;

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

/// Write a text into a place that Yew gives no children. Its node stays: another would need a style of its own.
pub fn write(place: &Node, text: &str) {
    match place.first_child() {
        Some(node) => node.set_node_value(Some(text)),
        None => place.set_text_content(Some(text)),
    }
}

/// Is the rest of the program there (static/boot.js)? Where it is still on its way, `on_whole` hears of its coming.
pub fn when_whole(on_whole: Callback<()>) -> bool {
    let whole = root().has_attribute("data-whole");
    if !whole {
        let told = Closure::once_into_js(move || on_whole.emit(()));
        // A document that takes no listener keeps the first part.
        let _ = document().add_event_listener_with_callback("whole", told.unchecked_ref());
    }
    whole
}

/// Is something on the page where the keyboard is?
pub fn has_focus() -> bool {
    let focused = document().active_element();
    focused.is_some_and(|element| element.tag_name() != "BODY")
}

/// Put the keyboard at the first element that `selector` finds.
pub fn focus(selector: &str) {
    let found = document().query_selector(selector).ok().flatten();
    if let Some(element) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Key presses anywhere on the page, but not those that belong to a field or a button.
pub struct Keyboard {
    listener: Closure<dyn FnMut(KeyboardEvent)>,
}

impl Keyboard {
    pub fn listen(on_key: Callback<KeyboardEvent>) -> Keyboard {
        let listener = Closure::<dyn FnMut(KeyboardEvent)>::new(move |event: KeyboardEvent| {
            if !belongs_elsewhere(&event) {
                on_key.emit(event);
            }
        });
        let called = listener.as_ref().unchecked_ref();
        // A window that takes no listener leaves the mouse.
        let _ = window().add_event_listener_with_callback("keydown", called);
        Keyboard { listener }
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        let called = self.listener.as_ref().unchecked_ref();
        let _ = window().remove_event_listener_with_callback("keydown", called);
    }
}

/// Is it being typed, or chosen, or does it press the button that has the focus?
fn belongs_elsewhere(event: &KeyboardEvent) -> bool {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlElement>().ok());
    let Some(element) = target else { return false };
    let key = event.key();
    let presses = matches!(key.as_str(), " " | "Enter");
    let moves_on = matches!(key.as_str(), "Tab" | "Shift" | "Control" | "Alt" | "Meta");
    moves_on
        || event.default_prevented()
        || element.is_content_editable()
        || element.closest("dialog").ok().flatten().is_some()
        || match element.tag_name().as_str() {
            "INPUT" | "SELECT" | "TEXTAREA" => true,
            "BUTTON" | "A" | "SUMMARY" => presses,
            _ => false,
        }
}
