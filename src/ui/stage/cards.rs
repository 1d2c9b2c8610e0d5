//! Config maps as cards, row against row: in the store, and in the informer's cache beside it.
//!
//! The same key stands in the same row on both sides, also where one of them has nothing, so that
//! a difference is seen by looking across. More than three objects are two cards and a field of
//! small marks, one for each.

use super::cx::Cx;
use super::mark::{CROSS, PEN, WARN, icon};
use crate::engine::apiserver::Object;
use crate::engine::controller::configmap::{LABEL, is_labelled};
use crate::engine::key::Key;
use crate::frame::{Difference, Place};
use crate::layout::{ROWS, Rows, place_name};
use crate::scene::Thing;
use crate::ui::el::{El, classes, el, el_of, row, text};
use std::fmt::Write;
use yew::prelude::*;

/// Marks in a row of the field, and how many there are at most.
const ACROSS: usize = 30;
const MARKS: usize = 5 * ACROSS;

/// Which side is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Store,
    Cache,
}

/// All objects of one side.
#[inline(never)]
pub fn objects(cx: &Cx, side: Side) -> Html {
    let Rows { shown, rest } = Rows::of(cx.view);
    let (place, next, none) = match side {
        Side::Store => ("store", "object-next", "no objects"),
        Side::Cache => ("cache", "cached-next", "empty"),
    };
    let empty = shown.is_empty();
    let vacant = || {
        el_of("div", "vacant")
            .attr("data-place", next)
            .text(if empty { none } else { "" })
    };
    let room = shown.len() < ROWS && rest.is_empty();
    let cards = shown.iter().map(|&key| match side {
        Side::Store => stored(cx, key),
        Side::Cache => cached(cx, key),
    });
    el_of("div", "objects")
        .attr("data-place", place)
        .list(cards)
        .when(room, vacant)
        .when(!rest.is_empty(), || {
            field(cx, side, &rest).attr("data-place", next)
        })
        .into()
}

fn stored(cx: &Cx, key: Key) -> Html {
    let Some(card) = cx.view.config_maps.get(&key) else {
        return ghost(Place::Object(key), "", text("deleted"));
    };
    let label = told(cx, key, &card.object);
    let who = el_of("span", "who").child(cx.name(key));
    let children = row([who.into(), marks(cx, &card.object, card.revision)]);
    let place = Some(Place::Object(key));
    cx.pick("object", place, card.record, key, label, children)
}

fn cached(cx: &Cx, key: Key) -> Html {
    let difference = cx.view.difference(key);
    let Some(held) = cx.view.cache.get(&key) else {
        return match difference {
            Some(_) => ghost(Place::Cached(key), "missing", flag(WARN, "missing").into()),
            None if cx.view.informer.is_none() => ghost(Place::Cached(key), "", text("")),
            None => ghost(Place::Cached(key), "", text("not watched")),
        };
    };
    let mut label = told(cx, key, &held.object);
    let (kind, said) = match difference {
        _ if held.scribbled => ("scribbled", "changed in memory, not in the store"),
        Some(Difference::Gone) => ("gone", "gone from the store"),
        Some(_) => ("other", "the store has another version"),
        None => ("", ""),
    };
    if !kind.is_empty() {
        label = format!("{label}; {said}");
    }
    let sign = match kind {
        "scribbled" => flag(PEN, "scribbled").into(),
        "gone" => flag(CROSS, "gone").into(),
        "other" => el_of("span", "flag")
            .child(el("b").text("≠"))
            .text("differs")
            .into(),
        _ => Html::default(),
    };
    let who = el_of("span", "who").child(cx.name(key)).child(sign);
    let children = row([who.into(), marks(cx, &held.object, held.revision)]);
    let class = classes(&["object", "held", kind]);
    let place = Some(Place::Cached(key));
    cx.pick(&class, place, held.record, key, label, children)
}

fn flag(sign: &'static str, word: &'static str) -> El {
    el_of("span", "flag").child(icon(sign)).text(word)
}

/// Where the other side has an object and this one has none.
fn ghost(place: Place, kind: &'static str, inside: Html) -> Html {
    el_of("div", classes(&["vacant", "ghost", kind]))
        .attr("data-place", place_name(place))
        .child(inside)
        .into()
}

/// Label, what else it carries, revision.
fn marks(cx: &Cx, object: &Object, revision: u64) -> Html {
    let meta = &object.meta;
    let (class, word) = match meta.labels.get(LABEL) {
        _ if is_labelled(object) => ("lab on", cx.skin.word(Thing::Labelled).to_owned()),
        Some(other) => ("lab", format!("{LABEL}={other}")),
        None => ("lab", cx.skin.word(Thing::Unlabelled).to_owned()),
    };
    let more = meta.labels.keys().filter(|name| &***name != LABEL);
    let mut more = meta.annotations.keys().chain(more);
    let first = more.next().map(|name| match more.count() {
        0 => name.to_string(),
        others => format!("{name} +{others}"),
    });
    el_of("span", "spec")
        .child(el_of("span", class).text(word))
        .when(meta.deletion_timestamp.is_some(), || {
            el_of("span", "note").text("deleting")
        })
        .when(first.is_some(), || {
            el_of("span", "note").text(first.unwrap_or_default())
        })
        .child(
            el_of("span", "rev")
                .child(el("i").text("rev "))
                .text(revision.to_string()),
        )
        .into()
}

/// All of an object in one line.
fn told(cx: &Cx, key: Key, object: &Object) -> String {
    let meta = &object.meta;
    let mut told = format!("{}: revision {}", cx.names.full(key), meta.resource_version);
    for (what, pairs) in [("label", &meta.labels), ("annotation", &meta.annotations)] {
        for (name, value) in pairs {
            let _ = write!(told, ", {what} {name}={value}");
        }
    }
    told
}

/// A mark for each of the objects that have no card.
fn field(cx: &Cx, side: Side, rest: &[Key]) -> El {
    let (mut with, mut without, mut differing) = (String::new(), String::new(), String::new());
    let (mut labelled, mut differ) = (0, 0);
    for (n, key) in rest.iter().enumerate() {
        let object = match side {
            Side::Store => cx.view.config_maps.get(key).map(|card| &card.object),
            Side::Cache => cx.view.cache.get(key).map(|held| &held.object),
        };
        let right = object.is_some_and(|object| is_labelled(object));
        let differs = side == Side::Cache && cx.view.difference(*key).is_some();
        labelled += u32::from(right);
        differ += u32::from(differs);
        if n >= MARKS {
            continue;
        }
        let (x, y) = (n % ACROSS * 5, n / ACROSS * 5);
        if right {
            let _ = write!(with, "M{x} {y}h4v4h-4z");
        } else if object.is_some() {
            let _ = write!(without, "M{x}.5 {y}.5h3v3h-3z");
        }
        if differs {
            let _ = write!(differing, "M{x} {}l4-4", y + 4);
        }
    }
    let height = rest.len().min(MARKS).div_ceil(ACROSS) * 5;
    let path = |class: &'static str, d: String| el_of("path", class).attr("d", d);
    let marks = el_of("svg", "marks")
        .attr("viewBox", format!("0 0 {} {height}", ACROSS * 5))
        .attr("aria-hidden", "true")
        .child(path("with", with))
        .child(path("without", without))
        .child(path("differ", differing));
    let count = rest.len();
    let words = match (side, differ) {
        (Side::Cache, 1..) => format!("+{count} more, {differ} differ"),
        _ => format!(
            "+{count} more, {labelled} with {}",
            cx.skin.word(Thing::Label)
        ),
    };
    el_of("div", "field")
        .attr("title", words.clone())
        .child(el_of("span", "more").text(words))
        .child(marks)
}
