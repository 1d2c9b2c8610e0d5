//! What simulated time drives, written straight into the page.

use super::App;
use crate::engine::fixed::{fixed, seconds};
use crate::session::Session;
use crate::ui::browser;
use crate::ui::style::Style;
use crate::ui::timeline::WIDTH;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

impl App {
    /// Write what simulated time drives, straight into the page.
    pub(super) fn write(&mut self) {
        let playhead = self.session.playhead();
        let (share, beside) = match playhead.moves_beside {
            true => (1.0, playhead.share),
            false => (playhead.share, 1.0),
        };
        self.painter.paint(playhead.time, share);
        self.painter_beside.paint(playhead.time, beside);
        self.clock.write(clock(playhead.time));
        let rate = playhead.rate * self.session.speed();
        self.rate.write(pace(rate, &self.session));
        let x = self.window().x(self.session.story());
        self.cursor.put(x);
    }

    /// Yew may have made anew what is written into.
    pub(super) fn find_readouts(&mut self) {
        self.clock.written.clear();
        self.rate.written.clear();
        self.cursor.find();
    }
}

/// A place on the page where the loop writes a text.
#[derive(Default)]
pub(super) struct Readout {
    /// Yew gives it no children.
    pub place: NodeRef,
    written: String,
}

impl Readout {
    fn write(&mut self, text: String) {
        if self.written != text
            && let Some(place) = self.place.get()
        {
            browser::write(&place, &text);
            self.written = text;
        }
    }
}

/// The timeline's cursor.
#[derive(Default)]
pub(super) struct Cursor {
    pub place: NodeRef,
    style: Option<Style>,
    /// In units.
    written: Option<i32>,
}

impl Cursor {
    fn find(&mut self) {
        let element = self.place.cast::<HtmlElement>();
        self.style = element.map(|element| element.style().unchecked_into());
        self.written = None;
    }

    /// Put it so many units across the picture. A unit is about a pixel, and it takes a while for one: each time it is
    /// moved, the browser looks at all layers of the page again.
    fn put(&mut self, x: f64) {
        let units = x.round() as i32;
        if let Some(style) = &self.style
            && self.written.replace(units) != Some(units)
        {
            // Three pictures wide.
            let share = f64::from(units) / (3.0 * WIDTH) * 100.0;
            style.set_transform(&format!("translateX({}%)", fixed(share, 3)));
        }
    }
}

pub(super) fn clock(nanos: f64) -> String {
    format!("{} s", seconds(nanos))
}

/// What the page does to time just now, in words.
fn pace(rate: f64, session: &Session) -> String {
    let state = match () {
        () if session.is_at_end() && session.run().is_cut() => "left here: it goes on and on",
        () if session.is_at_end() => "at rest",
        () if !session.is_playing() => "paused",
        () if rate <= 0.0 => "held to be seen",
        () if rate < 0.9 => "slowed to be seen",
        () if rate <= 1.1 => "in real time",
        () => return format!("fast forward ×{}", fixed(rate, 1)),
    };
    state.to_owned()
}
