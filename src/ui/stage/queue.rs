//! The third lane: keys that wait for a worker, and the shelf of those that wait for an instant.

use super::cx::{Cx, Lane};
use super::mark::{CLOCK, icon, swatch};
use crate::engine::knobs::QueueKind;
use crate::frame::{Delay, DelayKind, Place, ReadyEntry};
use crate::layout::place_name;
use yew::prelude::*;

/// Waiting keys that have a slot of their own; more are counted.
const SLOTS: usize = 3;
/// Delayed keys that have a row of their own.
const SHELF: usize = 3;
/// Swatches that stand for the entries beyond the slots.
const CROWD: usize = 10;

pub fn queue(cx: &Cx) -> Html {
    let ready = cx.view.ready.len();
    let num = html! { <><b data-testid="queue-depth">{ ready }</b>{ " ready" }</> };
    let body = html! {
        <>
            <div class="slots">
                { for (0..SLOTS).map(|n| slot(cx, n, cx.view.ready.get(n))) }
            </div>
            <div class="crowd" data-place="ready-more">
                if ready > SLOTS {
                    { for cx.view.ready.iter().skip(SLOTS).take(CROWD).map(|entry| swatch(entry.key)) }
                    <span>{ format!("+{} more", ready - SLOTS) }</span>
                } else {
                    { sets(cx) }
                }
            </div>
        </>
    };
    cx.lane(Lane::Queue, num, body, shelf(cx))
}

fn slot(cx: &Cx, n: usize, entry: Option<&ReadyEntry>) -> Html {
    let place = Place::Ready(n as u8);
    let Some(entry) = entry else {
        return html! {
            <div class="slot" data-place={place_name(place)}>{ if n == 0 { "empty" } else { "" } }</div>
        };
    };
    let merged = match entry.merged {
        0 => String::new(),
        n => format!(", {n} more events merged into it"),
    };
    let label = format!("waiting: {}{merged}", cx.names.full(entry.key));
    cx.pick(
        classes!("slot", "full"),
        Some(place),
        entry.record,
        entry.key,
        label,
        html! {
            <>
                { cx.name(entry.key) }
                if entry.merged > 0 {
                    <span class="tag">{ format!("+{}", entry.merged) }<i>{ " merged" }</i></span>
                }
            </>
        },
    )
}

/// client-go's other two sets, in its own words. A channel has neither.
fn sets(cx: &Cx) -> Html {
    if cx.knobs.queue == QueueKind::Channel {
        return html! { <span class="quiet">{ "takes every key, again and again" }</span> };
    }
    let hands = || cx.view.hands.iter().flatten();
    let back = (0..cx.view.hands.len()).filter_map(|n| cx.returned(n as u8));
    let dirty = hands().filter(|hand| hand.dirty.is_some()).count()
        + back.filter(|returned| returned.dirty.is_some()).count();
    let held = hands().count();
    html! {
        <>
            <span class={classes!((dirty == 0).then_some("quiet"))}>{ "dirty " }<b>{ dirty }</b></span>
            <span class={classes!((held == 0).then_some("quiet"))}>{ "in hand " }<b>{ held }</b></span>
        </>
    }
}

fn shelf(cx: &Cx) -> Html {
    let delayed = &cx.view.delayed;
    let rows = if delayed.len() > SHELF {
        SHELF - 1
    } else {
        SHELF
    };
    let more = delayed.len().saturating_sub(rows);
    html! {
        <div class="shelf" role="group" aria-label="Delayed keys">
            <span class="head">{ icon(CLOCK) }
                if delayed.is_empty() { { "nothing delayed" } } else { { "delayed" } }
            </span>
            { for delayed.iter().take(rows).enumerate().map(|(n, delay)| row(cx, n, delay)) }
            if more > 0 {
                <span class="more" data-place="shelf-more">{ format!("+{more} more") }</span>
            } else if delayed.len() < rows {
                <span class="next" data-place="shelf-next"></span>
            }
        </div>
    }
}

fn row(cx: &Cx, n: usize, delay: &Delay) -> Html {
    let kind = match delay.kind {
        DelayKind::Requeue => "requeue",
        DelayKind::Retry => "retry",
    };
    let label = format!(
        "{kind} of {} after {}",
        cx.names.full(delay.key),
        delay.until - delay.from
    );
    cx.pick(
        classes!("delay", kind),
        Some(Place::Shelf(n as u8)),
        delay.record,
        delay.key,
        label,
        html! {
            <>
                { swatch(delay.key) }
                <span class="kind">{ kind }</span>
                <span class="left" data-left={n.to_string()}></span>
                <svg class="ring" viewBox="0 0 20 20" aria-hidden="true">
                    <circle cx="10" cy="10" r="7.5" />
                    <circle class="hand" data-ring={n.to_string()} cx="10" cy="10" r="7.5" pathLength="100" />
                </svg>
            </>
        },
    )
}
