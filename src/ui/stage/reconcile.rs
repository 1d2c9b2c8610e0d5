//! The fourth lane: the workers' hands, the function with its current section, desired against
//! actual, and what came of it.

use super::cx::{Cx, Lane};
use super::mark::{BACK, CHECK, CLOCK, CROSS, icon};
use crate::engine::apiserver::Version;
use crate::engine::controller::{Action, Conclusion, Section};
use crate::engine::knobs::QueueKind;
use crate::frame::{HandView, Place, Returned};
use crate::layout::place_name;
use yew::prelude::*;

pub fn reconcile(cx: &Cx) -> Html {
    let focus = focus(cx);
    let number = focus.map_or(cx.view.counters.reconciles, |hand| hand.n);
    let num = html! { if number > 0 { { "#" }<b>{ number }</b> } };
    let many = (cx.view.hands.len() > 1).then_some("many");
    let body = html! {
        <>
            <div class={classes!("hands", many)}>
                { for cx.view.hands.iter().enumerate().map(|(n, held)| hand(cx, n as u8, held.as_ref())) }
            </div>
            { code(cx, focus) }
            { diff(focus) }
        </>
    };
    cx.lane(Lane::Reconcile, num, body, outcome(cx, focus))
}

/// Whose function call is shown: the one that moved last.
fn focus<'a>(cx: &'a Cx) -> Option<&'a HandView> {
    cx.view
        .hands
        .iter()
        .flatten()
        .max_by_key(|hand| (hand.since, hand.n))
}

fn hand(cx: &Cx, worker: u8, held: Option<&HandView>) -> Html {
    let returned = cx.returned(worker).filter(|_| held.is_none());
    let place = Place::Worker(worker);
    let slot = match (held, returned) {
        (Some(hand), _) => cx.pick(
            classes!("slot", "full"),
            Some(place),
            hand.record,
            hand.key,
            format!("in the worker’s hand: {}", cx.names.full(hand.key)),
            html! { <>{ cx.name(hand.key) }<span class="tag n">{ format!("#{}", hand.n) }</span></> },
        ),
        (None, Some(returned)) => html! {
            <div class={classes!("slot", "back", super::mark::key_class(returned.key))}
                data-place={place_name(place)}>
                { cx.name(returned.key) }<span class="tag n">{ "Done" }</span>
            </div>
        },
        (None, None) => {
            let waiting = if cx.view.at_rest { "at rest" } else { "waiting for a key" };
            html! { <div class="slot" data-place={place_name(place)}>{ waiting }</div> }
        }
    };
    html! {
        <div class="hand">
            { slot }
            { mark(cx, worker, held, returned) }
            <div class="work"><i data-bar={held.map(|_| worker.to_string())}></i></div>
        </div>
    }
}

/// The dirty mark. It is the queue's, but it is about the key in this hand.
fn mark(cx: &Cx, worker: u8, held: Option<&HandView>, returned: Option<Returned>) -> Html {
    let place = place_name(Place::DirtyMark(worker));
    if cx.knobs.queue == QueueKind::Channel {
        return html! { <div class="dirty none" data-place={place}><span class="then">{ "a channel keeps no dirty mark" }</span></div> };
    }
    let dirty = match held {
        Some(hand) => hand.dirty,
        None => returned.and_then(|returned| returned.dirty),
    };
    let Some(merged) = dirty else {
        let text = if held.is_some() { "not dirty" } else { "" };
        return html! { <div class="dirty none" data-place={place}>{ text }</div> };
    };
    let text = if held.is_some() {
        "comes back after Done"
    } else {
        "back into the queue"
    };
    let title = match merged {
        0 => format!("dirty: {text}"),
        n => format!("dirty: {text}; {n} further events changed nothing"),
    };
    html! {
        <div class="dirty set" data-place={place} {title}>
            { icon(BACK) }<b>{ "dirty" }</b><span class="why">{ "· " }{ text }</span>
            if merged > 0 {
                <span class="tag">{ format!("+{merged}") }<i>{ " merged" }</i></span>
            }
        </div>
    }
}

fn code(cx: &Cx, focus: Option<&HandView>) -> Html {
    let after = cx.knobs.requeue_after;
    let ending = match focus.and_then(|hand| hand.conclusion) {
        Some(Conclusion::InDesiredState | Conclusion::NotFound) => "return done".to_owned(),
        Some(Conclusion::Error { .. }) => "return err".to_owned(),
        Some(Conclusion::RequeueAfter { after }) => format!("return requeueAfter({after})"),
        None if focus.is_some_and(|hand| !hand.done.is_empty()) => {
            format!("return requeueAfter({after})")
        }
        None => "return result".to_owned(),
    };
    let line = |section: Section| {
        let (short, text) = match section {
            Section::Fetch => ("get", "desired := get(key)".to_owned()),
            Section::Observe => ("observe", "actual := observe(key)".to_owned()),
            Section::Act => ("act", "act(desired, actual)".to_owned()),
            Section::Result => ("return", ending.clone()),
        };
        let state = focus.map(|hand| {
            if section == hand.section {
                "on"
            } else if section < hand.section {
                "past"
            } else {
                "ahead"
            }
        });
        let current = (state == Some("on")).then_some("step");
        html! {
            <li class={classes!(state)} aria-current={current}>
                <span class="long">{ text }</span><span class="short">{ short }</span>
            </li>
        }
    };
    html! {
        <ol class={classes!("code", focus.is_none().then_some("idle"))} aria-label="Sections of Reconcile">
            { for Section::ALL.into_iter().map(line) }
        </ol>
    }
}

fn diff(focus: Option<&HandView>) -> Html {
    let known = |known: bool, text: String| if known { text } else { "·".to_owned() };
    let desired = focus.and_then(|hand| hand.desired);
    let fetched = focus.is_some_and(|hand| hand.fetched);
    let seen = focus.and_then(|hand| hand.observed);
    let row = |name: &'static str, want: Option<String>, have: Option<String>| {
        let differs = want.is_some() && have.is_some() && want != have;
        let missing = if fetched { "gone" } else { "·" };
        let sign = match (&want, &have) {
            (Some(want), Some(have)) if want == have => "=",
            (Some(_), Some(_)) => "≠",
            _ => "",
        };
        html! {
            <tr class={classes!(differs.then_some("differs"))}>
                <th scope="row">{ name }</th>
                <td>{ want.unwrap_or_else(|| missing.to_owned()) }</td>
                <td class="sign">{ sign }</td>
                <td>{ known(have.is_some(), have.unwrap_or_default()) }</td>
            </tr>
        }
    };
    let version = |version: Option<Version>| match version {
        Some(version) => format!("{version}"),
        None => "none".to_owned(),
    };
    html! {
        <table class={classes!("diff", focus.is_none().then_some("idle"))}>
            <thead><tr>
                <td></td><th scope="col">{ "desired" }</th><td></td><th scope="col">{ "actual" }</th>
            </tr></thead>
            <tbody>
                { row("version", desired.map(|spec| spec.version.to_string()), seen.map(|seen| version(seen.version))) }
                { row("replicas", desired.map(|spec| spec.replicas.to_string()), seen.map(|seen| seen.replicas.to_string())) }
            </tbody>
        </table>
    }
}

fn outcome(cx: &Cx, focus: Option<&HandView>) -> Html {
    let Some(hand) = focus else {
        let text = if cx.view.at_rest {
            "at rest: nothing differs, nothing to do"
        } else {
            "waiting"
        };
        return html! { <span class="quiet">{ text }</span> };
    };
    let end = match hand.conclusion {
        Some(Conclusion::RequeueAfter { after }) => {
            html! { <span class="again">{ icon(CLOCK) }{ format!("look again after {after}") }</span> }
        }
        Some(Conclusion::InDesiredState) => {
            html! { <span class="good">{ icon(CHECK) }{ "in desired state" }</span> }
        }
        Some(Conclusion::NotFound) => {
            html! { <span class="good">{ icon(CHECK) }{ "gone, and cleaned up" }</span> }
        }
        Some(Conclusion::Error { error }) => {
            html! { <span class="trouble" title={error.to_string()}>{ icon(CROSS) }{ error.to_string() }</span> }
        }
        None => match hand.action {
            Some(action) => html! { <span class="doing">{ format!("{}…", words(action)) }</span> },
            None => html! {},
        },
    };
    html! {
        <>
            { for hand.done.iter().map(|&action| html! {
                <span class="did">{ icon(CHECK) }{ words(action) }</span>
            }) }
            { end }
            if hand.done.is_empty() && hand.action.is_none() && hand.conclusion.is_none() {
                <span class="quiet">{ match hand.section {
                    Section::Fetch => "reading what is desired",
                    Section::Observe => "looking at what runs",
                    Section::Act => "comparing",
                    Section::Result => "deciding when to look again",
                } }</span>
            }
        </>
    }
}

fn words(action: Action) -> String {
    match action {
        Action::Upgrade { version } => format!("upgrade to {version}"),
        Action::Scale { from, to } => format!("scale {from} → {to}"),
        Action::Recover => "recover".to_owned(),
        Action::CleanUp => "clean up".to_owned(),
    }
}
