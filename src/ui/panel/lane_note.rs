//! What a lane is in real Kubernetes, for whoever points at it or reaches it by keyboard.

use crate::scene::{KUBERNETES, Skin, Station};
use crate::ui::el::{el, el_of};
use yew::prelude::*;

/// `skin`: the words that the lane has on the page.
pub fn lane_note(station: Station, skin: &Skin) -> Html {
    el_of("dl", "lane-note")
        .attr("role", "note")
        .child(el("dt").text(heading(station, skin)))
        .child(el("dd").text(station.real()))
        .child(el("dt").text("The real one adds"))
        .child(el("dd").text(station.adds()))
        .into()
}

fn heading(station: Station, skin: &Skin) -> String {
    let name = station.name();
    match skin.lane(station) {
        Some(words) if skin != &KUBERNETES => {
            format!("{} stands for: {name}", words.title)
        }
        _ => format!("{name} in real Kubernetes"),
    }
}
