//! Is the page in sight? In a hidden tab, or scrolled away inside an article, nothing has to move.

use super::browser::{document, window};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{IntersectionObserver, IntersectionObserverEntry};
use yew::Callback;

/// Tells when the page comes into sight and when it goes out of it.
pub struct Sight {
    observer: Option<IntersectionObserver>,
    on_visibility: Closure<dyn FnMut()>,
    _on_crossing: Closure<dyn FnMut(Vec<IntersectionObserverEntry>)>,
}

impl Sight {
    pub fn watch(on_change: Callback<bool>) -> Sight {
        let crossing = Rc::new(Cell::new(true));
        let tell = {
            let crossing = crossing.clone();
            move || on_change.emit(crossing.get() && !document().hidden())
        };
        let on_visibility = Closure::<dyn FnMut()>::new(tell.clone());
        let on_crossing = Closure::<dyn FnMut(Vec<IntersectionObserverEntry>)>::new(
            move |entries: Vec<IntersectionObserverEntry>| {
                if let Some(latest) = entries.last() {
                    crossing.set(latest.is_intersecting());
                    tell();
                }
            },
        );
        let _ = window().add_event_listener_with_callback(
            "visibilitychange",
            on_visibility.as_ref().unchecked_ref(),
        );
        // A browser without it plays on out of sight.
        let observer = IntersectionObserver::new(on_crossing.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(root)) = (&observer, document().document_element()) {
            observer.observe(&root);
        }
        Sight {
            observer,
            on_visibility,
            _on_crossing: on_crossing,
        }
    }
}

impl Drop for Sight {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
        let called = self.on_visibility.as_ref().unchecked_ref();
        let _ = window().remove_event_listener_with_callback("visibilitychange", called);
    }
}
