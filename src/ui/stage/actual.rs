//! The last lane: what really runs, against what is wanted.

use super::cx::Cx;
use super::mark::{CHECK, CROSS, WARN, icon, key_class};
use crate::engine::apiserver::Version;
use crate::engine::key::Key;
use crate::frame::{Place, Pods};
use crate::layout::place_name;
use crate::scene::Station;
use crate::ui::el::{classes, el, el_of, row, text};
use yew::prelude::*;

/// Groups that are drawn; more are counted.
const GROUPS: usize = 3;
/// Boxes of one group; the last says how many more there are.
const BOXES: u32 = 8;

#[inline(never)]
pub fn actual(cx: &Cx) -> Html {
    let mut keys: Vec<Key> = cx.view.objects.keys().copied().collect();
    for &key in cx.view.actual.keys() {
        if let Err(place) = keys.binary_search(&key) {
            keys.insert(place, key);
        }
    }
    let running: u32 = cx
        .view
        .actual
        .values()
        .map(|pods| pods.actual.replicas)
        .sum();
    let wanted: u32 = cx
        .view
        .objects
        .values()
        .map(|card| card.spec.replicas)
        .sum();
    let running = el("b").text(running.to_string());
    let num = row([running.into(), text(format!(" / {wanted}"))]);
    let more = keys.len().saturating_sub(GROUPS);
    let body = el_of("div", "groups")
        .attr("data-place", "actual")
        .list(keys.iter().take(GROUPS).map(|&key| group(cx, key)))
        .when(more > 0, || {
            el_of("span", "more").text(format!("+{more} more"))
        })
        .when(keys.is_empty(), || {
            el_of("div", "vacant").text("nothing runs")
        })
        .child(el("span").attr("data-place", "pods-next"));
    cx.lane(Station::Actual, num, body.into(), foot(cx, &keys))
}

#[inline(never)]
fn group(cx: &Cx, key: Key) -> Html {
    let pods = cx.view.actual.get(&key);
    let running = pods.map_or(0, |pods| pods.actual.replicas);
    let wanted = cx
        .view
        .objects
        .get(&key)
        .map_or(0, |card| card.spec.replicas);
    let all = running.max(wanted);
    let shown = if all > BOXES { BOXES - 1 } else { all };
    let upgrading = pods.and_then(|pods| pods.upgrading);
    let unwell = pods.is_some_and(|pods| !pods.actual.healthy && running > 0);
    let failed = pods.is_some_and(|pods| pods.failed);
    let title = format!("{}: {running} of {wanted} run", cx.names.full(key));
    let count = || {
        let count = el("i").text(format!(" {running}/{wanted}"));
        el_of("span", "count").text("≠").child(count)
    };
    let who = el_of("div", "who")
        .child(cx.name(key))
        .when(running != wanted, count);
    let to = upgrading.map(|(to, ..)| to);
    let boxes = el_of("div", if unwell { "pods unwell" } else { "pods" })
        .attr("data-place", place_name(Place::Pods(key)))
        .attr_if("data-upgrade", to.map(|_| key.0.to_string()))
        .list((0..shown).map(|n| pod(pods, to, n, running)))
        .when(all > shown, || {
            el_of("span", "pod rest").text(format!("+{}", all - shown))
        })
        .when(all == 0, || el_of("span", "pod ghost").text("0"));
    let (sign, trouble) = if failed {
        (CROSS, "upgrade failed")
    } else {
        (WARN, "unhealthy")
    };
    el_of("div", classes(&["group", key_class(key)]))
        .attr("title", title)
        .child(who)
        .child(boxes)
        .when(failed || unwell, || {
            el_of("span", "trouble").child(icon(sign)).text(trouble)
        })
        .into()
}

fn pod(pods: Option<&Pods>, to: Option<Version>, n: u32, running: u32) -> Html {
    if n >= running {
        return el_of("span", "pod ghost")
            .attr("title", "wanted, but not there")
            .into();
    }
    let version = pods.and_then(|pods| pods.actual.version);
    let version = version.map_or("?".to_owned(), |version| version.to_string());
    match to {
        None => el_of("span", "pod").text(version),
        Some(to) => el_of("span", "pod old")
            .child(el_of("span", "was").text(version))
            .child(el_of("span", "will").text(to.to_string())),
    }
    .into()
}

#[inline(never)]
fn foot(cx: &Cx, keys: &[Key]) -> Html {
    let fulfilled = |key: &Key| {
        let actual = cx.view.actual.get(key).map(|pods| pods.actual);
        match (cx.view.objects.get(key), actual) {
            (Some(card), Some(actual)) => actual.fulfils(card.spec),
            (Some(card), None) => card.spec.replicas == 0,
            (None, actual) => actual.is_none(),
        }
    };
    let astray = keys.iter().filter(|key| !fulfilled(key)).count();
    let foot = if keys.is_empty() {
        el_of("span", "quiet").text("nothing wanted")
    } else if astray == 0 {
        el_of("span", "good").child(icon(CHECK)).text("as desired")
    } else {
        let sign = el("b").text("≠");
        el_of("span", "drift").child(sign).text("not as desired")
    };
    foot.into()
}
