//! What simulated time drives, written straight into the page.

use super::App;
use crate::engine::fixed::fixed;
use crate::session::Session;
use crate::ui::timeline::WIDTH;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

impl App {
    /// Write what simulated time drives, straight into the page.
    pub(super) fn write(&self) {
        let playhead = self.session.playhead();
        let (share, beside) = match playhead.moves_beside {
            true => (1.0, playhead.share),
            false => (playhead.share, 1.0),
        };
        self.painter.paint(playhead.time, share);
        self.painter_beside.paint(playhead.time, beside);
        set_text(&self.clock, &clock(playhead.time));
        set_text(
            &self.rate,
            &pace(playhead.rate * self.session.speed(), &self.session),
        );
        if let Some(cursor) = self.cursor.cast::<HtmlElement>() {
            let x = self.window().x(self.session.story());
            let share = x / (3.0 * WIDTH) * 100.0;
            let _ = cursor
                .style()
                .set_property("transform", &format!("translateX({}%)", fixed(share, 3)));
        }
    }
}

fn set_text(node: &NodeRef, text: &str) {
    if let Some(element) = node.cast::<Element>()
        && element.text_content().as_deref() != Some(text)
    {
        element.set_text_content(Some(text));
    }
}

pub(super) fn clock(nanos: f64) -> String {
    format!("{} s", fixed(nanos / 1e9, 3))
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
