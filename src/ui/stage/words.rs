//! The stage in words: a table of the lanes' state, for readers who listen.
//!
//! It is out of sight but in its place, right after the stage. It changes with the facts, not with
//! the frames, and it stands still while a run is played so fast that nobody could follow.

use super::Names;
use super::informed::informed;
use crate::engine::apiserver::Version;
use crate::engine::controller::Section;
use crate::engine::key::Key;
use crate::frame::{Delay, DelayKind, HandView, Picture, Pods, View};
use crate::scene::Skin;
use crate::ui::el::{el, el_of};
use std::fmt::Display;
use std::rc::Rc;
use yew::prelude::*;

/// Things of one lane that are named; more are counted.
const NAMED: usize = 6;

#[derive(PartialEq, Properties)]
pub struct WordsProps {
    pub picture: Rc<Picture>,
    pub names: Names,
    /// Chapter two's lanes, told in the words of this skin; none: chapter one's.
    #[prop_or_default]
    pub skin: Option<&'static Skin>,
    /// Too fast to be followed: what was said stays.
    pub held: bool,
    pub label: AttrValue,
}

/// The table of a stage.
pub struct Words;

impl Component for Words {
    type Message = ();
    type Properties = WordsProps;

    fn create(_: &Context<Self>) -> Words {
        Words
    }

    fn changed(&mut self, ctx: &Context<Self>, _: &WordsProps) -> bool {
        !ctx.props().held
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let WordsProps {
            picture,
            names,
            skin,
            label,
            ..
        } = ctx.props();
        let view = &picture.view;
        let lines = match skin {
            None => sentences(view, names).to_vec(),
            Some(skin) => informed(view, names, skin),
        };
        let row = |(lane, state): (&'static str, String)| -> Html {
            el("tr")
                .child(el("th").attr("scope", "row").text(lane))
                .child(el("td").text(state))
                .into()
        };
        let table = el("table")
            .child(el("caption").text(format!("{label}, in words")))
            .child(el("tbody").list(lines.into_iter().map(row)));
        el_of("div", "visually-hidden")
            .attr("data-testid", "words")
            .child(table)
            .into()
    }
}

/// What each lane holds.
fn sentences(view: &View, names: &Names) -> [(&'static str, String); 5] {
    let name = |key: Key| names.short(key);
    let up = |state: String| match view.running {
        true => state,
        false => "the controller is down".to_owned(),
    };
    let objects = view.objects.values().map(|card| {
        let (replicas, version) = (card.spec.replicas, card.spec.version);
        let (name, revision) = (name(card.key), card.revision);
        format!("{name}: {replicas} replicas, version {version}, revision {revision}")
    });
    let pods = view.actual.values().map(|pods| running(pods, names));
    [
        ("Store", joined(objects, "no objects")),
        ("Watch", up(flying(view, names))),
        ("Work queue", up(queue(view, names))),
        ("Reconcile()", up(hands(view, names))),
        ("Actual", joined(pods, "nothing runs")),
    ]
}

pub(super) fn flying(view: &View, names: &Names) -> String {
    let flights = view
        .flights
        .iter()
        .map(|flight| format!("{} of {}", flight.event, names.short(flight.key)));
    joined(flights, "nothing in flight")
}

pub(super) fn queue(view: &View, names: &Names) -> String {
    let ready = view.ready.iter().map(|entry| names.short(entry.key));
    let delayed = view.delayed.iter().map(|delay| late(delay, names));
    format!(
        "waiting: {}; delayed: {}",
        joined(ready, "nothing"),
        joined(delayed, "nothing")
    )
}

pub(super) fn hands(view: &View, names: &Names) -> String {
    let hands = view.hands.iter().flatten().map(|hand| work(hand, names));
    let idle = if view.at_rest {
        "at rest"
    } else {
        "waiting for a key"
    };
    joined(hands, idle)
}

/// The first few, and how many more there are.
pub(super) fn joined(mut parts: impl Iterator<Item = impl Display>, none: &str) -> String {
    let mut all = String::new();
    for part in parts.by_ref().take(NAMED) {
        if !all.is_empty() {
            all.push_str("; ");
        }
        all.push_str(&part.to_string());
    }
    match parts.count() {
        0 if all.is_empty() => none.to_owned(),
        0 => all,
        more => format!("{all}; and {more} more"),
    }
}

fn late(delay: &Delay, names: &Names) -> String {
    let kind = match delay.kind {
        DelayKind::Requeue => "requeue",
        DelayKind::Retry => "retry",
    };
    let after = delay.until - delay.from;
    format!("{kind} of {} after {after}", names.short(delay.key))
}

fn work(hand: &HandView, names: &Names) -> String {
    let section = match hand.section {
        Section::Fetch => "reading what is desired",
        Section::Observe => "observing",
        Section::Act => "acting",
        Section::Result => "returning",
        Section::SplitKey | Section::ReadCache => "reading the cache",
        Section::Exists | Section::Labelled => "checking",
        Section::DeepCopy => "labelling a copy",
        Section::WriteBack => "writing back",
    };
    let dirty = match hand.dirty {
        Some(_) => ", marked dirty",
        None => "",
    };
    let (n, name) = (hand.n, names.short(hand.key));
    format!("reconcile {n} of {name}, {section}{dirty}")
}

fn running(pods: &Pods, names: &Names) -> String {
    let version = |version: Option<Version>| match version {
        Some(version) => format!("version {version}"),
        None => "no version".to_owned(),
    };
    let (name, count) = (names.short(pods.key), pods.actual.replicas);
    let health = match pods.actual.healthy {
        true => "",
        false => ", unwell",
    };
    let upgrade = match pods.upgrading {
        Some((to, ..)) => format!(", upgrading to {to}"),
        None => String::new(),
    };
    let version = version(pods.actual.version);
    format!("{name}: {count} replicas, {version}{health}{upgrade}")
}
