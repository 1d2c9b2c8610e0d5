//! The last lane: what really runs, against what is wanted.

use super::cx::{Cx, Lane};
use super::mark::{CHECK, CROSS, WARN, icon, key_class};
use crate::engine::apiserver::Version;
use crate::engine::key::Key;
use crate::engine::sorted::Set;
use crate::frame::{Place, Pods};
use crate::layout::place_name;
use yew::prelude::*;

/// Groups that are drawn; more are counted.
const GROUPS: usize = 3;
/// Boxes of one group; the last says how many more there are.
const BOXES: u32 = 8;

pub fn actual(cx: &Cx) -> Html {
    let keys: Set<Key> = cx
        .view
        .objects
        .keys()
        .chain(cx.view.actual.keys())
        .copied()
        .collect();
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
    let num = html! { <><b>{ running }</b>{ format!(" / {wanted}") }</> };
    let more = keys.len().saturating_sub(GROUPS);
    let body = html! {
        <div class="groups" data-place="actual">
            { for keys.iter().take(GROUPS).map(|&key| group(cx, key)) }
            if more > 0 {
                <span class="more">{ format!("+{more} more") }</span>
            }
            if keys.is_empty() {
                <div class="vacant">{ "nothing runs" }</div>
            }
            <span data-place="pods-next"></span>
        </div>
    };
    cx.lane(Lane::Actual, num, body, foot(cx, &keys))
}

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
    html! {
        <div class={classes!("group", key_class(key))} {title}>
            <div class="who">{ cx.name(key) }
                if running != wanted {
                    <span class="count">{ "≠" }<i>{ format!(" {running}/{wanted}") }</i></span>
                }
            </div>
            <div class={classes!("pods", unwell.then_some("unwell"))} data-place={place_name(Place::Pods(key))}
                data-upgrade={upgrading.map(|_| key.0.to_string())}>
                { for (0..shown).map(|n| pod(pods, upgrading.map(|(to, ..)| to), n, running)) }
                if all > shown {
                    <span class="pod rest">{ format!("+{}", all - shown) }</span>
                }
                if all == 0 {
                    <span class="pod ghost">{ "0" }</span>
                }
            </div>
            if failed {
                <span class="trouble">{ icon(CROSS) }{ "upgrade failed" }</span>
            } else if unwell {
                <span class="trouble">{ icon(WARN) }{ "unhealthy" }</span>
            }
        </div>
    }
}

fn pod(pods: Option<&Pods>, to: Option<Version>, n: u32, running: u32) -> Html {
    if n >= running {
        return html! { <span class="pod ghost" title="wanted, but not there"></span> };
    }
    let version = pods.and_then(|pods| pods.actual.version);
    let text = version.map_or("?".to_owned(), |version| version.to_string());
    match to {
        None => html! { <span class="pod">{ text }</span> },
        Some(to) => html! {
            <span class="pod old">
                <span class="was">{ text }</span><span class="will">{ to.to_string() }</span>
            </span>
        },
    }
}

fn foot(cx: &Cx, keys: &Set<Key>) -> Html {
    let fulfilled = |key: &Key| {
        let actual = cx.view.actual.get(key).map(|pods| pods.actual);
        match (cx.view.objects.get(key), actual) {
            (Some(card), Some(actual)) => actual.fulfils(card.spec),
            (Some(card), None) => card.spec.replicas == 0,
            (None, actual) => actual.is_none(),
        }
    };
    let astray = keys.iter().filter(|key| !fulfilled(key)).count();
    if keys.is_empty() {
        html! { <span class="quiet">{ "nothing wanted" }</span> }
    } else if astray == 0 {
        html! { <span class="good">{ icon(CHECK) }{ "as desired" }</span> }
    } else {
        html! { <span class="drift"><b>{ "≠" }</b>{ "not as desired" }</span> }
    }
}
