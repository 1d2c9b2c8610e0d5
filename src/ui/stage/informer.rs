//! Chapter two's second lane: the informer with its cache, and on the way to it the wire.
//!
//! What it asks for and what is answered goes along the upper line, events along the lower one. The
//! cache's rows are the store's.

use super::cards::{Side, objects};
use super::cx::Cx;
use super::mark::{CHECK, CLOCK, CROSS, EYE, PROMPT, WARN, icon};
use super::queue::{left, ring};
use crate::engine::key::Key;
use crate::engine::time::SimDuration;
use crate::frame::{InformerView, Informing};
use crate::scene::{Station, Thing};
use crate::ui::el::{El, el, el_of, row};
use yew::prelude::*;

/// No handler is served more often.
const RESYNC_MIN: SimDuration = SimDuration::from_secs(1);

#[inline(never)]
pub fn informer(cx: &Cx) -> Html {
    let informer = cx.view.informer.unwrap_or_default();
    let held = el_of("div", "held-copy")
        .child(status(&informer))
        .child(heading(cx))
        .child(objects(cx, Side::Cache));
    let body = row([strip(cx), held.into()]);
    cx.lane(Station::Informer, verdict(cx), body, foot(cx, &informer))
}

/// How far the cache is from the store.
fn verdict(cx: &Cx) -> Html {
    if cx.view.informer.is_none() {
        return Html::default();
    }
    let (stored, held) = (&cx.view.config_maps, &cx.view.cache);
    let gone = held.keys().filter(|key| !stored.contains_key(*key));
    let differs = |key: &&Key| cx.view.difference(**key).is_some();
    match stored.keys().chain(gone).filter(differs).count() {
        0 => el_of("span", "even").text("= store").into(),
        differ => {
            let class = "uneven";
            let count = el("b").text(differ.to_string());
            el_of("span", class)
                .text("≠ store: ")
                .child(count)
                .attr("data-testid", "differ")
                .into()
        }
    }
}

/// The wire: requests and answers, and events.
fn strip(cx: &Cx) -> Html {
    let flying = cx.view.flights.len();
    let count = el_of("span", if flying == 0 { "quiet" } else { "" })
        .child(el("b").text(flying.to_string()))
        .text(" in flight");
    let lose = || {
        el_of("span", "lose")
            .attr("title", "the next event will be lost on its way")
            .child(icon(WARN))
            .text("loses one")
    };
    el_of("div", "wires")
        .attr("data-testid", "lane-watch")
        .child(el_of("i", "port in").attr("data-place", "watch-in"))
        .child(el_of("i", "port out").attr("data-place", "watch-out"))
        .child(
            el_of("div", "flying")
                .when(cx.view.faults.lose, lose)
                .child(count),
        )
        .into()
}

fn status(informer: &InformerView) -> Html {
    let (sign, words) = match informer.doing {
        Informing::Listing => (PROMPT, "listing"),
        Informing::Asking => (PROMPT, "asks to watch"),
        Informing::Watching => (EYE, "watching"),
        Informing::BackingOff { .. } => (CLOCK, "backing off"),
    };
    let wait = match informer.doing {
        Informing::BackingOff { from, until } => Some((from, until)),
        _ => None,
    };
    let doing = el_of("span", "doing")
        .child(icon(sign))
        .child(el("b").text(words))
        .when(wait.is_some(), || {
            let (from, until) = wait.unwrap_or_default();
            left(from, until)
        });
    let synced = if informer.synced {
        el_of("span", "note").child(icon(CHECK)).text("HasSynced")
    } else {
        el_of("span", "note")
            .child(icon(CROSS))
            .text("not synced yet")
    };
    el_of("div", "door")
        .attr("data-place", "informer")
        .attr("data-testid", "informer")
        .child(doing)
        .child(synced)
        .into()
}

fn heading(cx: &Cx) -> Html {
    let count = el("b").text(cx.view.cache.len().to_string());
    el_of("div", "tape head")
        .child(el_of("span", "name").text(cx.skin.word(Thing::Cache)))
        .child(el_of("span", "quiet").child(count).text(" held"))
        .into()
}

fn foot(cx: &Cx, informer: &InformerView) -> Html {
    let word = cx.skin.word(Thing::Resync);
    let every = cx.knobs.resync;
    let resync = match informer.resync_since {
        _ if every == SimDuration::ZERO => el_of("span", "quiet").text(format!("no {word}")),
        None => el_of("span", "quiet").text(format!("no {word} yet")),
        Some(since) => {
            let until = since + every.max(RESYNC_MIN);
            let hand = |ring: El| {
                ring.attr("data-wait", "ring")
                    .attr("data-from", since.0.to_string())
                    .attr("data-until", until.0.to_string())
            };
            el_of("span", "resync")
                .attr("title", format!("next {word}"))
                .child(ring(hand))
                .child(el_of("span", "name").text(word))
                .child(left(since, until))
        }
    };
    let asked = match cx.view.counters.requests {
        1 => "1 request".to_owned(),
        requests => format!("{requests} requests"),
    };
    let asked = el_of("span", "quiet asked")
        .attr("title", "lists and watches that the informer has asked for")
        .text(asked);
    row([resync.into(), asked.into()])
}
