//! The fourth lane: the workers' hands, the function with its current section, desired against
//! actual, and what came of it.

use super::answer::replied;
use super::cx::Cx;
use super::label::{consequence, findings};
use super::mark::{BACK, CHECK, CLOCK, CROSS, WARN, icon, key_class};
use super::queue::merged_tag;
use crate::engine::apiserver::Version;
use crate::engine::controller::{Action, Conclusion, ReconcileError, Section};
use crate::engine::knobs::QueueKind;
use crate::frame::{HandView, Place, Returned};
use crate::layout::place_name;
use crate::scene::Station;
use crate::ui::el::{classes, el, el_of, row, text};
use yew::prelude::*;

pub fn reconcile(cx: &Cx) -> Html {
    let focus = focus(cx);
    let number = focus.map_or(cx.view.counters.reconciles, |hand| hand.n);
    let num = if number > 0 {
        row([text("#"), el("b").text(number.to_string()).into()])
    } else {
        Html::default()
    };
    let many = cx.view.hands.len() > 1;
    let workers = cx.view.hands.iter().enumerate();
    let hands = el_of("div", if many { "hands many" } else { "hands" })
        .list(workers.map(|(n, held)| hand(cx, n as u8, held.as_ref())));
    let known = match cx.is_informed() {
        true => findings(cx, focus),
        false => diff(focus),
    };
    let body = row([hands.into(), code(cx, focus), known]);
    cx.lane(Station::Reconcile, num, body, outcome(cx, focus))
}

/// Whose function call is shown: the one that moved last.
fn focus<'a>(cx: &'a Cx) -> Option<&'a HandView> {
    cx.view
        .hands
        .iter()
        .flatten()
        .max_by_key(|hand| (hand.since, hand.n))
}

#[inline(never)]
fn hand(cx: &Cx, worker: u8, held: Option<&HandView>) -> Html {
    let returned = cx.returned(worker).filter(|_| held.is_none());
    let place = Place::Worker(worker);
    let tag = |tag: String| -> Html { el_of("span", "tag n").text(tag).into() };
    let slot: Html = match (held, returned) {
        (Some(hand), _) => cx.pick(
            "slot full",
            Some(place),
            hand.record,
            hand.key,
            format!("in the worker’s hand: {}", cx.names.full(hand.key)),
            row([cx.name(hand.key), tag(format!("#{}", hand.n))]),
        ),
        (None, Some(returned)) => el_of("div", classes(&["slot back", key_class(returned.key)]))
            .attr("data-place", place_name(place))
            .attr("title", cx.names.full(returned.key).to_owned())
            .child(cx.name(returned.key))
            .child(tag("Done".to_owned()))
            .into(),
        (None, None) => {
            let waiting = if cx.view.at_rest {
                "at rest"
            } else {
                "waiting for a key"
            };
            el_of("div", "slot")
                .attr("data-place", place_name(place))
                .text(waiting)
                .into()
        }
    };
    // A bar of its own for each key: what the painter wrote goes with it.
    let bar = || el("i").attr("data-bar", worker.to_string());
    el_of("div", "hand")
        .child(slot)
        .child(mark(cx, worker, held, returned))
        .child(el_of("div", "work").when(held.is_some(), bar))
        .into()
}

/// The dirty mark. It is the queue's, but it is about the key in this hand.
#[inline(never)]
fn mark(cx: &Cx, worker: u8, held: Option<&HandView>, returned: Option<Returned>) -> Html {
    let place = place_name(Place::DirtyMark(worker));
    let empty = |text: &'static str| {
        el_of("div", "dirty none")
            .attr("data-place", place.clone())
            .child(el_of("span", "then").text(text))
            .into()
    };
    if cx.knobs.queue == QueueKind::Channel {
        return empty("a channel keeps no dirty mark");
    }
    let dirty = match held {
        Some(hand) => hand.dirty,
        None => returned.and_then(|returned| returned.dirty),
    };
    let Some(merged) = dirty else {
        return empty(if held.is_some() { "not dirty" } else { "" });
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
    let why = el_of("span", "why").text("· ").text(text);
    el_of("div", "dirty set")
        .attr("data-place", place)
        .attr("title", title)
        .child(icon(BACK))
        .child(el("b").text("dirty"))
        .child(why)
        .when(merged > 0, || merged_tag(merged))
        .into()
}

#[inline(never)]
fn code(cx: &Cx, focus: Option<&HandView>) -> Html {
    let after = cx.knobs.requeue_after;
    let ending = match focus.and_then(|hand| hand.conclusion) {
        Some(
            Conclusion::InDesiredState
            | Conclusion::NotFound
            | Conclusion::Labelled
            | Conclusion::AwaitEvent
            | Conclusion::Swallowed,
        ) => "return done".to_owned(),
        Some(Conclusion::Error { .. }) => "return err".to_owned(),
        Some(Conclusion::RequeueAfter { after }) => format!("return requeueAfter({after})"),
        None if focus.is_some_and(|hand| !hand.done.is_empty()) => {
            format!("return requeueAfter({after})")
        }
        None => "return result".to_owned(),
    };
    let line = |section: Section| -> Html {
        let (short, text) = match section {
            Section::Fetch => ("get", "desired := get(key)".to_owned()),
            Section::Observe => ("observe", "actual := observe(key)".to_owned()),
            Section::Act => ("act", "act(desired, actual)".to_owned()),
            Section::Result => ("return", ending.clone()),
            Section::SplitKey => ("split", "ns, name := split(key)".to_owned()),
            Section::ReadCache => ("cache", "object := cache[key]".to_owned()),
            Section::Exists => ("gone?", "if gone: done".to_owned()),
            Section::Labelled => ("label?", "if labelled: done".to_owned()),
            Section::DeepCopy if !cx.knobs.deep_copy => ("label", "label(object)".to_owned()),
            Section::DeepCopy => ("copy", "label(deepCopy(object))".to_owned()),
            Section::WriteBack if !cx.knobs.deep_copy => ("write", "api.update(object)".to_owned()),
            Section::WriteBack => ("write", "api.update(copy)".to_owned()),
        };
        let step = cx.skin.step(section, cx.knobs.deep_copy);
        let (short, text) = step.map_or((short, text), |[short, long]| (short, long.to_owned()));
        let state = focus.map_or("", |hand| {
            if section == hand.section {
                "on"
            } else if section < hand.section {
                "past"
            } else {
                "ahead"
            }
        });
        el_of("li", state)
            .attr_if("aria-current", (state == "on").then_some("step"))
            .child(el_of("span", "long").text(text))
            .child(el_of("span", "short").text(short))
            .into()
    };
    el_of("ol", if focus.is_none() { "code idle" } else { "code" })
        .attr("aria-label", "Sections of Reconcile")
        .list(Section::of(cx.knobs.controller).iter().copied().map(line))
        .into()
}

#[inline(never)]
fn diff(focus: Option<&HandView>) -> Html {
    let desired = focus.and_then(|hand| hand.desired);
    let fetched = focus.is_some_and(|hand| hand.fetched);
    let seen = focus.and_then(|hand| hand.observed);
    let unknown = || "·".to_owned();
    let line = |name: &'static str, want: Option<String>, have: Option<String>| {
        let sign = match (&want, &have) {
            (Some(want), Some(have)) if want == have => "=",
            (Some(_), Some(_)) => "≠",
            _ => "",
        };
        let missing = || {
            if fetched {
                "gone".to_owned()
            } else {
                unknown()
            }
        };
        el_of("tr", if sign == "≠" { "differs" } else { "" })
            .child(el("th").attr("scope", "row").text(name))
            .child(el("td").text(want.unwrap_or_else(missing)))
            .child(el_of("td", "sign").text(sign))
            .child(el("td").text(have.unwrap_or_else(unknown)))
    };
    let version = |version: Option<Version>| match version {
        Some(version) => version.to_string(),
        None => "none".to_owned(),
    };
    let versions = line(
        "version",
        desired.map(|spec| spec.version.to_string()),
        seen.map(|seen| version(seen.version)),
    );
    let replicas = line(
        "replicas",
        desired.map(|spec| spec.replicas.to_string()),
        seen.map(|seen| seen.replicas.to_string()),
    );
    let head = |name: &'static str| el("th").attr("scope", "col").text(name);
    let heads = el("tr")
        .child(el("td"))
        .child(head("desired"))
        .child(el("td"))
        .child(head("actual"));
    el_of("table", if focus.is_none() { "diff idle" } else { "diff" })
        .child(el("thead").child(heads))
        .child(el("tbody").child(versions).child(replicas))
        .into()
}

#[inline(never)]
fn outcome(cx: &Cx, focus: Option<&HandView>) -> Html {
    let Some(hand) = focus else {
        let text = if cx.view.at_rest {
            "at rest: nothing differs, nothing to do"
        } else {
            "waiting"
        };
        return el_of("span", "quiet").text(text).into();
    };
    let said = |class: &'static str, sign: &'static str, text: String| -> Html {
        el_of("span", class).child(icon(sign)).text(text).into()
    };
    let end = match (hand.conclusion, hand.action) {
        (Some(Conclusion::RequeueAfter { after }), _) => {
            said("again", CLOCK, format!("look again after {after}"))
        }
        (Some(Conclusion::InDesiredState), _) => said("good", CHECK, "in desired state".to_owned()),
        (Some(Conclusion::NotFound), _) => said("good", CHECK, "gone, and cleaned up".to_owned()),
        (Some(Conclusion::Error { error }), _) => said("trouble", CROSS, trouble(hand, error)),
        (Some(Conclusion::Labelled), _) => said("good", CHECK, "label written".to_owned()),
        (Some(Conclusion::AwaitEvent), _) => {
            said("again", CLOCK, "an event is on its way".to_owned())
        }
        (Some(Conclusion::Swallowed), _) => {
            said("trouble", CROSS, "success claimed, nothing done".to_owned())
        }
        (None, Some(action)) => el_of("span", "doing")
            .text(format!("{}…", words(action)))
            .into(),
        (None, None) if hand.done.is_empty() => {
            let text = match hand.section {
                Section::Fetch => "reading what is desired",
                Section::Observe => "looking at what runs",
                Section::Act => "comparing",
                Section::Result => "deciding when to look again",
                Section::SplitKey => "splitting the key",
                Section::ReadCache => "reading the cache",
                Section::Exists => "does it exist?",
                Section::Labelled => "is it labelled?",
                Section::DeepCopy => "labelling a copy",
                Section::WriteBack => "waiting for the API server",
            };
            el_of("span", "quiet").text(text).into()
        }
        (None, None) => Html::default(),
    };
    let done = hand.done.iter();
    let then = hand.conclusion.filter(|_| cx.is_informed());
    let skips = cx.view.faults.swallow && hand.conclusion.is_none();
    row([
        done.map(|&action| said("did", CHECK, words(action)))
            .collect(),
        end,
        if skips {
            said("trouble", WARN, "will skip its work".to_owned())
        } else {
            Html::default()
        },
        then.map_or_else(Html::default, |conclusion| {
            el_of("span", "then").text(consequence(conclusion)).into()
        }),
    ])
}

/// What went wrong, in the API server's words where it was the one that refused.
#[inline(never)]
fn trouble(hand: &HandView, error: ReconcileError) -> String {
    hand.answer.map_or_else(|| error.to_string(), replied)
}

#[inline(never)]
fn words(action: Action) -> String {
    match action {
        Action::Upgrade { version } => format!("upgrade to {version}"),
        Action::Scale { from, to } => format!("scale {from} → {to}"),
        Action::Recover => "recover".to_owned(),
        Action::CleanUp => "clean up".to_owned(),
    }
}
