//! Compare: which run stands beside this one, and what is different.

use super::panel::KnobField;
use crate::engine::knobs::{ControllerKind, Knobs, QueueKind};
use crate::engine::time::SimTime;
use crate::frame::Counters;
use crate::scene::knob::KNOBS;
use crate::scene::{Chapter, Variant};
use crate::session::{Command, OUTLOOK_MAX, Outlook};
use std::rc::Rc;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The command that puts the run beside in which knob number `knob` is turned.
fn beside(knobs: &Knobs, knob: usize) -> Command {
    let other = KNOBS
        .get(knob)
        .map_or_else(|| knobs.clone(), |knob| knob.turned(knobs));
    Command::Compare(Some(Box::new(other)))
}

/// The knobs that may be different beside: those that matter here.
fn offered(knobs: &Knobs) -> impl Iterator<Item = usize> {
    let matters = |&id: &usize| KNOBS[id].of.is_none_or(|of| of == knobs.controller);
    (0..KNOBS.len()).filter(matters)
}

/// What a comparison begins with: the queue in chapter one, and in chapter two the first knob that is
/// its own.
fn usual_difference(knobs: &Knobs) -> usize {
    let own = |id: &usize| KNOBS[*id].of == Some(ControllerKind::ConfigMap);
    match knobs.controller {
        ControllerKind::Database => 0,
        ControllerKind::ConfigMap => (0..KNOBS.len()).find(own).unwrap_or(0),
    }
}

/// The command that begins a comparison: with what the scene's variant has different, where that is the
/// same story, or else with the usual difference.
pub fn begin(chapter: &Chapter, scene: usize, knobs: &Knobs) -> Command {
    let told = chapter.scenes[scene];
    let same_story = |variant: &Variant| variant.own.is_some() && variant.stimulus == told.stimulus;
    let other = chapter.variant_knobs(scene, knobs);
    match &told.variant {
        Some(variant) if same_story(variant) && other != *knobs => {
            Command::Compare(Some(Box::new(other)))
        }
        _ => beside(knobs, usual_difference(knobs)),
    }
}

/// A run in a few words: its queue, or in chapter two what it has different from the one beside.
pub fn name(knobs: &Knobs, other: &Knobs) -> String {
    let different = || KNOBS.iter().find(|knob| !knob.is_same(knobs, other));
    match (knobs.controller, different()) {
        (ControllerKind::ConfigMap, Some(knob)) => format!("{} {}", knob.name, knob.value(knobs)),
        _ => match knobs.queue {
            QueueKind::ClientGo => "client-go queue".to_owned(),
            QueueKind::Channel => "plain channel".to_owned(),
        },
    }
}

#[derive(PartialEq, Properties)]
pub struct CompareProps {
    pub knobs: Rc<Knobs>,
    pub other: Rc<Knobs>,
    pub counters: Counters,
    pub beside: Counters,
    /// What both runs come to.
    pub ends: (Outlook, Outlook),
    pub on_command: Callback<Command>,
}

/// The strip between the two stages: the choice, and the difference spelled out.
#[component]
pub fn Compare(props: &CompareProps) -> Html {
    let (knobs, other) = (&props.knobs, &props.other);
    let different = || {
        KNOBS
            .iter()
            .enumerate()
            .filter(|(_, knob)| !knob.is_same(knobs, other))
    };
    let first = different()
        .next()
        .map_or_else(|| usual_difference(knobs), |(id, _)| id);
    let onchange = {
        let knobs = knobs.clone();
        props.on_command.reform(move |event: Event| {
            let chosen = event.target_unchecked_into::<HtmlSelectElement>().value();
            beside(&knobs, chosen.parse().unwrap_or(0))
        })
    };
    let offered: Vec<usize> = offered(knobs).collect();
    let options = offered.iter().map(|&id| {
        html! { <option value={id.to_string()} selected={id == first}>{ KNOBS[id].name }</option> }
    });
    let on_knobs = props
        .on_command
        .reform(|knobs: Knobs| Command::Compare(Some(Box::new(knobs))));
    let rows = [
        ("events", props.counters.events, props.beside.events),
        ("merged", props.counters.merged, props.beside.merged),
        (
            "reconciles",
            props.counters.reconciles,
            props.beside.reconciles,
        ),
        ("retries", props.counters.retries, props.beside.retries),
    ];
    let also: String = different()
        .skip(1)
        .map(|(_, knob)| format!("; {}: {}", knob.name, knob.value(other)))
        .collect();
    let close = props
        .on_command
        .reform(|_: MouseEvent| Command::Compare(None));
    html! {
        <section class="versus" aria-label="Compare">
            <label>
                { "Below, the same run, but " }
                <select aria-label="What is different" {onchange}>{ for options }</select>
            </label>
            <KnobField id={first} knobs={other.clone()} {on_knobs} name="is" beside=true />
            <span class="here">
                { format!("(above: {}{also})", KNOBS[first].value(knobs)) }
            </span>
            <dl class="counts">
                { for rows.iter().map(|(name, here, there)| html! {
                    <div><dt>{ *name }</dt><dd>{ *here }<span class="against">{ " : " }{ *there }</span></dd></div>
                }) }
            </dl>
            <p class="verdict">{ verdict(props.ends) }</p>
            <button type="button" class="toggle" title="Take the second run away" onclick={close}>{ "End comparison" }</button>
        </section>
    }
}

/// The difference when both runs are over, in a sentence.
fn verdict((here, there): (Outlook, Outlook)) -> String {
    let (a, b) = (here.counters.reconciles, there.counters.reconciles);
    if !(here.whole && there.whole) {
        // Not the same stretch of time: nothing follows from the difference.
        let after = |end: SimTime| end - SimTime::ZERO;
        return format!(
            "What goes on and on was left after {OUTLOOK_MAX} facts: {a} reconciles in {} above, {b} in {} below.",
            after(here.end),
            after(there.end)
        );
    }
    let when = match here.rests && there.rests {
        true => "At the end",
        false => "As far as they were followed,",
    };
    match a.cmp(&b) {
        std::cmp::Ordering::Equal => {
            format!("{when} both have {a} reconciles: here the difference vanishes.")
        }
        std::cmp::Ordering::Less => {
            format!("{when} {a} reconciles against {b}: {} more below.", b - a)
        }
        std::cmp::Ordering::Greater => {
            format!("{when} {a} reconciles against {b}: {} fewer below.", a - b)
        }
    }
}
