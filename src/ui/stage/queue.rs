//! The third lane: keys that wait for a worker, and the shelf of those that wait for an instant.

use super::cx::Cx;
use super::mark::{CLOCK, icon, swatch};
use crate::engine::knobs::QueueKind;
use crate::engine::time::SimTime;
use crate::frame::{Delay, DelayKind, Place, ReadyEntry};
use crate::layout::place_name;
use crate::scene::Station;
use crate::ui::el::{El, el, el_of, row, text};
use yew::prelude::*;

/// Waiting keys that have a slot of their own; more are counted.
const SLOTS: usize = 3;
/// Delayed keys that have a row of their own.
const SHELF: usize = 3;
/// Swatches that stand for the entries beyond the slots.
const CROWD: usize = 10;

#[inline(never)]
pub fn queue(cx: &Cx) -> Html {
    let ready = cx.view.ready.len();
    let depth = el("b")
        .attr("data-testid", "queue-depth")
        .text(ready.to_string());
    let num = row([depth.into(), text(" ready")]);
    let slots = el_of("div", "slots").list((0..SLOTS).map(|n| slot(cx, n, cx.view.ready.get(n))));
    let crowd = el_of("div", "crowd").attr("data-place", "ready-more");
    let crowd = if ready > SLOTS {
        let rest = cx.view.ready.iter().skip(SLOTS).take(CROWD);
        let count = el("span").text(format!("+{} more", ready - SLOTS));
        crowd.list(rest.map(|entry| swatch(entry.key))).child(count)
    } else {
        crowd.child(sets(cx))
    };
    cx.lane(
        Station::Queue,
        num,
        row([slots.into(), crowd.into()]),
        shelf(cx),
    )
}

fn slot(cx: &Cx, n: usize, entry: Option<&ReadyEntry>) -> Html {
    let place = Place::Ready(n as u8);
    let Some(entry) = entry else {
        return el_of("div", "slot")
            .attr("data-place", place_name(place))
            .text(if n == 0 { "empty" } else { "" })
            .into();
    };
    let mut label = format!("waiting: {}", cx.names.full(entry.key));
    let mut tag = Html::default();
    if entry.merged > 0 {
        label.push_str(&format!(", {} more events merged into it", entry.merged));
        tag = merged_tag(entry.merged);
    }
    let children = row([cx.name(entry.key), tag]);
    cx.pick(
        "slot full",
        Some(place),
        entry.record,
        entry.key,
        label,
        children,
    )
}

/// How many events changed nothing.
pub fn merged_tag(merged: u32) -> Html {
    el_of("span", "tag")
        .text(format!("+{merged}"))
        .child(el("i").text(" merged"))
        .into()
}

/// client-go's other two sets, in its own words. A channel has neither.
#[inline(never)]
fn sets(cx: &Cx) -> Html {
    if cx.knobs.queue == QueueKind::Channel {
        let text = "takes every key again";
        return el_of("span", "quiet").text(text).into();
    }
    let hands = || cx.view.hands.iter().flatten();
    let back = (0..cx.view.hands.len()).filter_map(|n| cx.returned(n as u8));
    let dirty = hands().filter(|hand| hand.dirty.is_some()).count()
        + back.filter(|returned| returned.dirty.is_some()).count();
    let set = |name: &'static str, count: usize| -> Html {
        el_of("span", if count == 0 { "quiet" } else { "" })
            .text(name)
            .child(el("b").text(count.to_string()))
            .into()
    };
    row([set("dirty ", dirty), set("in hand ", hands().count())])
}

#[inline(never)]
fn shelf(cx: &Cx) -> Html {
    let delayed = &cx.view.delayed;
    let rows = if delayed.len() > SHELF {
        SHELF - 1
    } else {
        SHELF
    };
    let more = delayed.len().saturating_sub(rows);
    let title = if delayed.is_empty() {
        "nothing delayed"
    } else {
        "delayed"
    };
    let next: Html = if more > 0 {
        let last = delayed.back().filter(|_| cx.is_informed());
        el_of("span", "more")
            .attr("data-place", "shelf-more")
            .text(format!("+{more} more"))
            .when(last.is_some(), || {
                last.map_or_else(Html::default, |last| {
                    let name = el_of("span", "name").text("last");
                    row([name.into(), left(last.from, last.until)])
                })
            })
            .into()
    } else if delayed.len() < rows {
        el_of("span", "next")
            .attr("data-place", "shelf-next")
            .into()
    } else {
        Html::default()
    };
    el_of("div", "shelf")
        .attr("role", "group")
        .attr("aria-label", "Delayed keys")
        .child(el_of("span", "head").child(icon(CLOCK)).text(title))
        .list(
            delayed
                .iter()
                .take(rows)
                .enumerate()
                .map(|(n, delay)| late(cx, n, delay)),
        )
        .child(next)
        .into()
}

#[inline(never)]
fn late(cx: &Cx, n: usize, delay: &Delay) -> Html {
    let (kind, class) = match delay.kind {
        DelayKind::Requeue => ("requeue", "delay requeue"),
        DelayKind::Retry => ("retry", "delay retry"),
    };
    let (waits, name) = (delay.until - delay.from, cx.names.full(delay.key));
    let mut label = format!("{kind} of {name} after {waits}");
    let mut word = kind.to_owned();
    if cx.is_informed() && delay.kind == DelayKind::Retry {
        let (called, more) = retry(cx, delay);
        (word, label) = (called, label + &more);
    }
    let ring = ring(|hand| hand.attr("data-ring", n.to_string()));
    let children = row([
        swatch(delay.key),
        el_of("span", "kind").text(word).into(),
        digits(|digits| digits.attr("data-left", n.to_string())),
        ring,
    ]);
    let place = Some(Place::Shelf(n as u8));
    cx.pick(class, place, delay.record, delay.key, label, children)
}

/// How a retry is called, and what more there is to say about it.
#[inline(never)]
fn retry(cx: &Cx, delay: &Delay) -> (String, String) {
    let own = cx.knobs.limiter.own_wait(delay.failures);
    if delay.until - delay.from > own {
        let more = format!(": its own back-off is {own}, but the bucket is empty");
        return ("bucket".to_owned(), more);
    }
    (format!("retry {}", delay.failures), String::new())
}

/// A wait as a ring, whose hand is marked by `name` for the painter.
pub fn ring(name: impl FnOnce(El) -> El) -> Html {
    let circle = || {
        el("circle")
            .attr("cx", "10")
            .attr("cy", "10")
            .attr("r", "7.5")
    };
    let hand = circle().attr("class", "hand").attr("pathLength", "100");
    el_of("svg", "ring")
        .attr("viewBox", "0 0 20 20")
        .attr("aria-hidden", "true")
        .child(circle())
        .child(name(hand))
        .into()
}

/// What is left of a wait, as the painter writes it.
pub fn left(from: SimTime, until: SimTime) -> Html {
    digits(|digits| {
        digits
            .attr("data-wait", "left")
            .attr("data-from", from.0.to_string())
            .attr("data-until", until.0.to_string())
    })
}

/// Where the painter writes what is left, marked by `name` for it.
fn digits(name: impl FnOnce(El) -> El) -> Html {
    el_of("span", "left").child(name(el("span"))).into()
}
