//! The first lane: objects and the latest revisions.

use super::cx::Cx;
use super::mark::{PROMPT, event_shape, icon};
use crate::frame::{Card, Chip, Place};
use crate::scene::Station;
use crate::ui::el::{classes, el, el_of, row, text};
use yew::prelude::*;

/// Objects that have a card; more are counted.
const CARDS: usize = 3;

#[inline(never)]
pub fn store(cx: &Cx) -> Html {
    let num = row([
        text("rev "),
        el("b")
            .attr("data-testid", "revision")
            .text(cx.view.counters.revision.to_string())
            .into(),
    ]);
    let more = cx.view.objects.len().saturating_sub(CARDS);
    let next: Html = if more > 0 {
        el_of("span", "more")
            .attr("data-place", "object-next")
            .text(format!("+{more} more"))
            .into()
    } else if cx.view.objects.len() < CARDS {
        el_of("div", "vacant")
            .attr("data-place", "object-next")
            .when(cx.view.objects.is_empty(), || text("no objects"))
            .into()
    } else {
        Html::default()
    };
    let objects = el_of("div", "objects")
        .attr("data-place", "store")
        .list(
            cx.view
                .objects
                .values()
                .take(CARDS)
                .map(|object| card(cx, object)),
        )
        .child(next);
    let foot = el_of("span", "entry")
        .attr("data-place", "outside")
        .child(icon(PROMPT))
        .text("kubectl, helm, you");
    cx.lane(
        Station::Store,
        num,
        row([objects.into(), tape(cx)]),
        foot.into(),
    )
}

/// The latest revisions.
pub fn tape(cx: &Cx) -> Html {
    el_of("div", classes(&["tape", digits(cx.view.counters.revision)]))
        .attr("role", "group")
        .attr("aria-label", "Latest revisions")
        .list(cx.view.tape.iter().map(|item| chip(cx, item)))
        .into()
}

#[inline(never)]
fn card(cx: &Cx, card: &Card) -> Html {
    let (replicas, version) = (card.spec.replicas, card.spec.version);
    let label = format!(
        "{}: replicas {replicas}, version {version}, revision {}",
        cx.names.full(card.key),
        card.revision
    );
    let plural = if replicas == 1 {
        " replica"
    } else {
        " replicas"
    };
    let count = el("span")
        .child(el("b").text(replicas.to_string()))
        .text(plural);
    let version = el("span")
        .text("v")
        .child(el("b").text(version.to_string()));
    let children = row([
        el_of("span", "who").child(cx.name(card.key)).into(),
        el_of("span", "spec").child(count).child(version).into(),
    ]);
    let place = Some(Place::Object(card.key));
    cx.pick("object", place, card.record, card.key, label, children)
}

#[inline(never)]
fn chip(cx: &Cx, chip: &Chip) -> Html {
    let label = format!(
        "revision {}: {} {}",
        chip.revision,
        chip.event,
        cx.names.full(chip.key)
    );
    let children = row([event_shape(chip.event), text(chip.revision.to_string())]);
    cx.pick("chip", None, chip.record, chip.key, label, children)
}

/// Longer numbers leave room for fewer chips.
fn digits(revision: u64) -> &'static str {
    match revision {
        0..10 => "",
        10..100 => "digits-2",
        _ => "digits-3",
    }
}
