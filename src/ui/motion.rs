//! The page's one loop, and the only place that reads wall time.

use super::browser;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::Window;

/// A frame never stands for more than this much wall time: after a pause of the browser's (a
/// hidden tab, a breakpoint) the picture goes on where it was.
const LONGEST_FRAME: f64 = 100.0;

type Frame = Closure<dyn FnMut(f64)>;

/// Calls back once a frame while there is something to move, and not at all otherwise.
#[derive(Clone)]
pub struct FrameLoop(Rc<Inner>);

struct Inner {
    window: Window,
    frame: RefCell<Option<Frame>>,
    /// The wall time of the frame before, in milliseconds.
    last: Cell<Option<f64>>,
    /// The frame that was asked for.
    request: Cell<Option<i32>>,
}

impl FrameLoop {
    /// `tick` is given the wall time since the frame before, in milliseconds, and says whether
    /// there is to be another one.
    pub fn new(mut tick: impl FnMut(f64) -> bool + 'static) -> FrameLoop {
        let inner = Rc::new(Inner {
            window: browser::window(),
            frame: RefCell::new(None),
            last: Cell::new(None),
            request: Cell::new(None),
        });
        let weak = Rc::downgrade(&inner);
        let frame = Frame::new(move |now: f64| {
            let Some(inner) = weak.upgrade() else { return };
            inner.request.set(None);
            let since = inner.last.get().map_or(0.0, |last| now - last);
            inner.last.set(Some(now));
            if tick(since.clamp(0.0, LONGEST_FRAME)) {
                inner.ask();
            } else if inner.request.get().is_none() {
                inner.last.set(None);
            }
        });
        *inner.frame.borrow_mut() = Some(frame);
        FrameLoop(inner)
    }

    /// Begin, if nothing runs yet.
    pub fn wake(&self) {
        self.0.ask();
    }
}

impl Inner {
    fn ask(&self) {
        if self.request.get().is_some() {
            return;
        }
        if let Some(frame) = self.frame.borrow().as_ref() {
            let request = self
                .window
                .request_animation_frame(frame.as_ref().unchecked_ref());
            self.request.set(request.ok());
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(request) = self.request.get() {
            let _ = self.window.cancel_animation_frame(request);
        }
    }
}

/// Does the reader want no motion?
pub fn prefers_still() -> bool {
    let query = browser::window().match_media("(prefers-reduced-motion: reduce)");
    query.ok().flatten().is_some_and(|query| query.matches())
}
