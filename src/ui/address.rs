//! The address bar: what follows `#` holds the run.
//!
//! It is written where the cursor comes to rest and where the visitor acts, at most once a second,
//! since browsers throttle it; a refusal is ignored. A new scene is a new entry of the browser's
//! history, so that Back and Forward go from scene to scene and not through every click.

use super::browser::window;
use gloo_timers::callback::Timeout;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use yew::Callback;

/// Where in the lessons a run is: its chapter's name, and the scene.
pub type Place = (&'static str, usize);

/// Milliseconds between two writes.
const QUIET: u32 = 1000;

/// What follows `#` now, without it.
pub fn fragment() -> String {
    let hash = window().location().hash().unwrap_or_default();
    hash.trim_start_matches('#').to_owned()
}

/// The page's address with this fragment.
pub fn with_fragment(fragment: &str) -> String {
    let href = window().location().href().unwrap_or_default();
    let bare = href.split(['?', '#']).next().unwrap_or_default();
    format!("{bare}#{fragment}")
}

fn settings() -> String {
    let search = window().location().search().unwrap_or_default();
    search.trim_start_matches('?').to_owned()
}

/// Is the page part of another one (`?embed`)? Then there are only stage, caption and controls.
pub fn is_embedded() -> bool {
    settings()
        .split('&')
        .any(|setting| setting == "embed" || setting.starts_with("embed="))
}

/// The scene that the address asks for (`?scene=4`), from 0.
pub fn scene() -> Option<usize> {
    let settings = settings();
    let number = settings
        .split('&')
        .find_map(|setting| setting.strip_prefix("scene="))?;
    counted(number)
}

/// A scene's number, from 0.
pub fn counted(number: &str) -> Option<usize> {
    number.parse::<usize>().ok()?.checked_sub(1)
}

#[derive(Default)]
struct Inner {
    /// What the bar holds, and the place it is about; none where somebody else wrote it.
    written: Option<(String, Option<Place>)>,
    wanted: Option<(String, Place)>,
    quiet: Option<Timeout>,
}

/// The writer of the bar, and the listener for what others put there.
pub struct Address {
    inner: Rc<RefCell<Inner>>,
    listener: Closure<dyn FnMut()>,
}

impl Address {
    /// `on_open` is called with the fragment that the visitor, or Back and Forward, put there.
    pub fn new(place: Place, on_open: Callback<String>) -> Address {
        let inner = Rc::new(RefCell::new(Inner {
            written: Some((fragment(), Some(place))),
            ..Inner::default()
        }));
        let known = inner.clone();
        let listener = Closure::<dyn FnMut()>::new(move || {
            let now = fragment();
            let mut inner = known.borrow_mut();
            if inner
                .written
                .as_ref()
                .is_none_or(|(written, _)| *written != now)
            {
                inner.written = Some((now.clone(), None));
                inner.wanted = None;
                drop(inner);
                on_open.emit(now);
            }
        });
        let called = listener.as_ref().unchecked_ref();
        let _ = window().add_event_listener_with_callback("popstate", called);
        Address { inner, listener }
    }

    /// The bar shall hold this run, which is at this place.
    pub fn write(&self, fragment: String, place: Place) {
        self.inner.borrow_mut().wanted = Some((fragment, place));
        if self.inner.borrow().quiet.is_none() {
            flush(&self.inner);
        }
    }

    /// The bar holds this already: it was opened from there.
    pub fn is_at(&self, fragment: String, place: Place) {
        self.inner.borrow_mut().written = Some((fragment, Some(place)));
    }
}

impl Drop for Address {
    fn drop(&mut self) {
        let called = self.listener.as_ref().unchecked_ref();
        let _ = window().remove_event_listener_with_callback("popstate", called);
    }
}

fn flush(inner: &Rc<RefCell<Inner>>) {
    let mut writer = inner.borrow_mut();
    writer.quiet = None;
    let Some(wanted) = writer.wanted.take() else {
        return;
    };
    let wanted = (wanted.0, Some(wanted.1));
    if writer.written.as_ref() == Some(&wanted) {
        return;
    }
    let same_scene = writer
        .written
        .as_ref()
        .is_some_and(|(_, place)| *place == wanted.1);
    let url = format!("#{}", wanted.0);
    if let Ok(history) = window().history() {
        // In an article, Back is the reader's way out.
        let written = match same_scene || is_embedded() {
            true => history.replace_state_with_url(&JsValue::NULL, "", Some(&url)),
            false => history.push_state_with_url(&JsValue::NULL, "", Some(&url)),
        };
        if written.is_ok() {
            writer.written = Some(wanted);
        }
    }
    let later = inner.clone();
    writer.quiet = Some(Timeout::new(QUIET, move || flush(&later)));
}
