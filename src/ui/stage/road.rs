//! The road: updates go straight from reconcile to the API server, past everything else, and the
//! answers come back along it.

use super::cx::Cx;
use super::mark::{PEN, icon};
use crate::frame::Parcel;
use crate::layout::ROAD;
use crate::scene::Thing;
use crate::ui::el::{el, el_of};
use yew::prelude::*;

#[inline(never)]
pub fn road(cx: &Cx) -> Html {
    let update = |parcel: &Parcel| matches!(parcel, Parcel::Update { .. } | Parcel::Reply { .. });
    let busy = cx
        .view
        .messages
        .iter()
        .filter(|message| update(&message.parcel));
    let class = if busy.count() > 0 {
        "road busy"
    } else {
        "road"
    };
    let (write, cache) = (cx.skin.word(Thing::Write), cx.skin.word(Thing::Cache));
    let number = |count: u32, word: &'static str| {
        let count = el("b").text(count.to_string());
        el_of("span", "count").child(count).text(word)
    };
    let counters = cx.view.counters;
    el_of("div", class)
        .attr("data-place", ROAD)
        .attr("data-testid", "road")
        .child(
            el_of("span", "what").child(icon(PEN)).child(
                el("span")
                    .child(el("b").text(write))
                    .text(format!(": straight to the store, past the {cache}")),
            ),
        )
        .child(
            el_of("span", "sum")
                .child(number(counters.writes, " taken"))
                .child(number(counters.failed_writes, " refused")),
        )
        .into()
}
