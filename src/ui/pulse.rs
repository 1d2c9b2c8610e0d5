//! The pulse: one animation-frame loop, which runs only while something moves.

use super::browser::window;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use yew::Callback;

/// Longest time that one frame stands for, in milliseconds. After a stall the story goes on where
/// it was, and does not jump.
const FRAME_MAX: f64 = 100.0;

type Beat = Rc<RefCell<Option<Closure<dyn FnMut(f64)>>>>;

/// Calls back once a frame with the milliseconds since the last, until it is dropped.
pub struct Pulse {
    alive: Rc<Cell<bool>>,
}

impl Pulse {
    pub fn start(on_frame: Callback<f64>) -> Pulse {
        let alive = Rc::new(Cell::new(true));
        let beat: Beat = Rc::default();
        let again = beat.clone();
        let lives = alive.clone();
        let mut last = None;
        *beat.borrow_mut() = Some(Closure::new(move |now: f64| {
            if !lives.get() {
                // The closure frees itself: nothing will call it any more.
                let closure = again.borrow_mut().take();
                drop(closure);
                return;
            }
            let passed = now - last.replace(now).unwrap_or(now);
            request(&again);
            on_frame.emit(passed.clamp(0.0, FRAME_MAX));
        }));
        request(&beat);
        Pulse { alive }
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.alive.set(false);
    }
}

fn request(beat: &Beat) {
    if let Some(closure) = &*beat.borrow() {
        // Only a window that is going away refuses.
        let _ = window().request_animation_frame(closure.as_ref().unchecked_ref());
    }
}
