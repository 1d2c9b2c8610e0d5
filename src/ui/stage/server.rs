//! Chapter two's first lane: the API server, with its door, its latest revisions and its objects.

use super::cards::{Side, objects};
use super::cx::Cx;
use super::mark::{CHECK, CROSS, PROMPT, icon};
use super::queue::left;
use super::store::tape;
use crate::scene::Station;
use crate::ui::el::{el, el_of, row, text};
use yew::prelude::*;

#[inline(never)]
pub fn server(cx: &Cx) -> Html {
    let revision = el("b")
        .attr("data-testid", "revision")
        .text(cx.view.counters.revision.to_string());
    let body = row([door(cx), tape(cx), objects(cx, Side::Store)]);
    let foot = el_of("span", "entry")
        .attr("data-place", "outside")
        .child(icon(PROMPT))
        .text("kubectl, you");
    let num = row([text("rev "), revision.into()]);
    cx.lane(Station::Store, num, body, foot.into())
}

/// Where requests come in: does it take writes?
fn door(cx: &Cx) -> Html {
    let faults = &cx.view.faults;
    let counted = match faults.refuse_next {
        0 if faults.refuse_controller => Some("refuses one update".to_owned()),
        0 => None,
        1 => Some("refuses one write".to_owned()),
        writes => Some(format!("refuses {writes} writes")),
    };
    let bounds = cx.view.refusing().filter(|_| counted.is_none());
    let closed = counted.is_some() || bounds.is_some();
    let title = closed.then_some("lists and watches are served all the while");
    let class = if closed { "door closed" } else { "door" };
    let line = |class: &'static str, sign: &'static str, words: String| {
        el_of("span", class)
            .child(icon(sign))
            .child(el("b").text(words))
    };
    let shut = counted.unwrap_or_else(|| "refuses writes".to_owned());
    let for_now = match bounds {
        Some((from, until)) => el_of("span", "note shut")
            .child(el("i").text("for another "))
            .child(left(from, until)),
        None => el_of("span", "note shut").text("reads go on"),
    };
    let door = el_of("div", class)
        .attr("data-place", "server")
        .attr("data-testid", "door")
        .attr_if("title", title);
    match bounds {
        // It may be over before the next fact says so.
        Some((from, until)) => door
            .attr("data-from", from.0.to_string())
            .attr("data-until", until.0.to_string()),
        None => door,
    }
    .when(closed, || line("shut", CROSS, shut))
    .when(closed, || for_now)
    .child(line("open", CHECK, "takes writes".to_owned()))
    .child(el_of("span", "note open").text("lists, watches, updates"))
    .into()
}
