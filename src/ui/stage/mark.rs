//! Small signs: a key's swatch, an event's shape, icons. Inline SVG, drawn in the text's colour, so
//! that they keep their meaning without colour and in forced-colours mode.

use crate::engine::apiserver::EventType;
use crate::engine::key::{Key, Keys};
use crate::ui::el::{El, classes, el, el_of};
use std::rc::Rc;
use yew::prelude::*;

/// How many keys can be told apart by colour and pattern; more begin again.
const SWATCHES: u32 = 6;

/// The keys' texts, for a component's props.
#[derive(Clone)]
pub struct Names(pub Rc<Keys>);

impl PartialEq for Names {
    fn eq(&self, other: &Names) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Names {
    /// `namespace/name`.
    pub fn full(&self, key: Key) -> &str {
        if key.index() < self.0.len() {
            self.0.text(key)
        } else {
            "?"
        }
    }

    /// The name without its namespace.
    pub fn short(&self, key: Key) -> &str {
        let full = self.full(key);
        full.split_once('/').map_or(full, |(_, name)| name)
    }
}

/// The class that gives a key its colour.
pub fn key_class(key: Key) -> &'static str {
    match key.0 % SWATCHES {
        0 => "key-0",
        1 => "key-1",
        2 => "key-2",
        3 => "key-3",
        4 => "key-4",
        _ => "key-5",
    }
}

/// A key's sign: the same everywhere the key goes.
pub fn swatch(key: Key) -> Html {
    let pattern = match key.0 % SWATCHES {
        0 => "M0 0h8v8H0z",
        1 => "M0 0h3v8H0zM5 0h3v8H5z",
        2 => "M8 0v8H0z",
        3 => "M0 0h4v4H0zM4 4h4v4H4z",
        4 => "M2.4 2.4h3.2v3.2H2.4z",
        _ => "M0 0h8v3H0zM0 5h8v3H0z",
    };
    let frame = el("rect")
        .attr("x", "-.4")
        .attr("y", "-.4")
        .attr("width", "8.8")
        .attr("height", "8.8")
        .attr("rx", "2");
    svg(classes(&["swatch", key_class(key)]), "-1 -1 10 10")
        .child(frame)
        .child(el("path").attr("d", pattern))
        .into()
}

fn svg(class: impl Into<AttrValue>, view_box: &'static str) -> El {
    el_of("svg", class)
        .attr("viewBox", view_box)
        .attr("aria-hidden", "true")
}

/// An event's shape: circle, diamond, square.
pub fn event_shape(event: EventType) -> Html {
    let path = match event {
        EventType::Added => "M5 1a4 4 0 1 0 0 8a4 4 0 1 0 0-8z",
        EventType::Modified => "M5 0l5 5-5 5-5-5z",
        EventType::Deleted => "M1.3 1.3h7.4v7.4H1.3z",
    };
    svg("shape", "0 0 10 10")
        .child(el("path").attr("d", path))
        .into()
}

/// An icon of strokes.
pub fn icon(path: &'static str) -> Html {
    svg("icon", "0 0 16 16")
        .child(el("path").attr("d", path))
        .into()
}

/// A lane's sign, by the name that a skin gives it.
pub fn sign(name: &str) -> &'static str {
    match name {
        "store" => {
            "M2.5 4c0-2.4 11-2.4 11 0v8c0 2.4-11 2.4-11 0zM2.5 4c0 2.4 11 2.4 11 0M2.5 8c0 2.4 11 2.4 11 0"
        }
        "watch" => EYE,
        "queue" => "M2 3.5h12M2 8h12M2 12.5h7",
        "reconcile" => "M13.5 8a5.5 5.5 0 1 1-1.8-4M13.6 1.8l-.4 3.4-3.2-.6",
        "room" => "M2 13.5V4M2 10.5h12v3M14 10.5V8L6 6.5v4",
        "plan" => "M2 2.5h12v11H2zM2 8h5M7 2.5v3M7 8v5.5M10.5 8H14",
        "clipboard" => "M3 3h10v11H3zM6 1.8h4V4H6zM5.5 7.5h5M5.5 10.5h5",
        "housekeeper" => "M8 1.8a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 1 0 0-5.2zM3 14c0-6 10-6 10 0z",
        _ => "",
    }
}

/// Back to where it came from.
pub const BACK: &str = "M6 3.5 2.5 7 6 10.5M3 7h6.5a3.5 3.5 0 0 1 0 7H7";
pub const CHECK: &str = "M2.5 8.5 6.5 12.5 13.5 4";
pub const CROSS: &str = "M3.5 3.5 12.5 12.5M12.5 3.5 3.5 12.5";
pub const CLOCK: &str = "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 1 0 8 1.8zM8 4.6V8l2.4 1.6";
pub const EYE: &str =
    "M1 8s2.6-4.5 7-4.5S15 8 15 8s-2.6 4.5-7 4.5S1 8 1 8zM8 6a2 2 0 1 0 0 4a2 2 0 1 0 0-4z";
pub const PROMPT: &str = "M3 4l4 4-4 4M8.5 12.5H13";
pub const PEN: &str = "M3 13l.8-3.2L11 2.6l2.4 2.4-7.2 7.2zM9.4 4.2l2.4 2.4";
pub const ACT: &str = "M2 8h11M9 4l4 4-4 4";
pub const WARN: &str = "M8 2 15 14H1zM8 6.4v3.4M8 11.6v.6";
pub const PAUSE: &str = "M5 3v10M11 3v10";
