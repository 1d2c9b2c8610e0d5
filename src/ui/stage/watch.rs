//! The second lane: a wire, along which events fly. The wire itself is drawn by the painter.

use super::cx::Cx;
use crate::scene::Station;
use crate::ui::el::{el, el_of};
use yew::prelude::*;

#[inline(never)]
pub fn watch(cx: &Cx) -> Html {
    let flying = cx.view.flights.len();
    let body = el_of("div", "track")
        .child(el_of("i", "port in").attr("data-place", "watch-in"))
        .child(el_of("i", "port out").attr("data-place", "watch-out"));
    let class = if flying == 0 { "quiet" } else { "" };
    let foot = el_of("span", class)
        .child(el("b").text(flying.to_string()))
        .text(" in flight");
    cx.lane(Station::Watch, Html::default(), body.into(), foot.into())
}
