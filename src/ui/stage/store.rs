//! The first lane: objects and the latest revisions.

use super::cx::{Cx, Lane};
use super::mark::{PROMPT, event_shape, icon};
use crate::frame::{Card, Chip, Place};
use yew::prelude::*;

/// Objects that have a card; more are counted.
const CARDS: usize = 3;

pub fn store(cx: &Cx) -> Html {
    let num = html! {
        <>{ "rev " }<b data-testid="revision">{ cx.view.counters.revision }</b></>
    };
    let more = cx.view.objects.len().saturating_sub(CARDS);
    let body = html! {
        <>
            <div class="objects" data-place="store">
                { for cx.view.objects.values().take(CARDS).map(|object| card(cx, object)) }
                if more > 0 {
                    <span class="more" data-place="object-next">{ format!("+{more} more") }</span>
                } else if cx.view.objects.len() < CARDS {
                    <div class="vacant" data-place="object-next">
                        if cx.view.objects.is_empty() { { "no objects" } }
                    </div>
                }
            </div>
            <div class={classes!("tape", digits(cx.view.counters.revision))} role="group" aria-label="Latest revisions">
                { for cx.view.tape.iter().map(|item| chip(cx, item)) }
            </div>
        </>
    };
    let foot = html! {
        <span class="entry" data-place="outside">{ icon(PROMPT) }{ "kubectl, helm, you" }</span>
    };
    cx.lane(Lane::Store, num, body, foot)
}

fn card(cx: &Cx, card: &Card) -> Html {
    let (replicas, version) = (card.spec.replicas, card.spec.version);
    let label = format!(
        "{}: replicas {replicas}, version {version}, revision {}",
        cx.names.full(card.key),
        card.revision
    );
    cx.pick(
        classes!("object"),
        Some(Place::Object(card.key)),
        card.record,
        card.key,
        label,
        html! {
            <>
                <span class="who">{ cx.name(card.key) }</span>
                <span class="spec">
                    <span><b>{ replicas }</b>{ if replicas == 1 { " replica" } else { " replicas" } }</span>
                    <span>{ "v" }<b>{ version.to_string() }</b></span>
                </span>
            </>
        },
    )
}

fn chip(cx: &Cx, chip: &Chip) -> Html {
    let label = format!(
        "revision {}: {} {}",
        chip.revision,
        chip.event,
        cx.names.full(chip.key)
    );
    cx.pick(
        classes!("chip"),
        None,
        chip.record,
        chip.key,
        label,
        html! { <>{ event_shape(chip.event) }{ chip.revision }</> },
    )
}

/// Longer numbers leave room for fewer chips.
fn digits(revision: u64) -> Option<&'static str> {
    match revision {
        0..10 => None,
        10..100 => Some("digits-2"),
        _ => Some("digits-3"),
    }
}
