//! Compare: which run stands beside this one, and what is different.

use crate::engine::knobs::{Knobs, QueueKind};
use crate::engine::time::SimDuration;
use crate::frame::Counters;
use crate::session::Command;
use std::rc::Rc;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// One knob turned.
struct Change {
    name: &'static str,
    turn: fn(&mut Knobs),
}

/// The changes to choose from; the first is the default.
const CHANGES: [Change; 8] = [
    Change {
        name: "the other queue",
        turn: |knobs| {
            knobs.queue = match knobs.queue {
                QueueKind::ClientGo => QueueKind::Channel,
                QueueKind::Channel => QueueKind::ClientGo,
            }
        },
    },
    Change {
        name: "observing takes 20 ms",
        turn: |knobs| knobs.observe_time = SimDuration::from_millis(20),
    },
    Change {
        name: "observing takes 500 ms",
        turn: |knobs| knobs.observe_time = SimDuration::from_millis(500),
    },
    Change {
        name: "the watch takes 200 ms",
        turn: |knobs| knobs.watch_delay = SimDuration::from_millis(200),
    },
    Change {
        name: "four workers",
        turn: |knobs| knobs.workers = 4,
    },
    Change {
        name: "half of the upgrades fail",
        turn: |knobs| knobs.upgrade_failure_permille = 500,
    },
    Change {
        name: "verify after 100 ms",
        turn: |knobs| knobs.requeue_after = SimDuration::from_millis(100),
    },
    Change {
        name: "lost replicas are no events",
        turn: |knobs| knobs.owned_watched = false,
    },
];

/// The command that puts the run with change number `change` beside the one with these knobs.
pub fn beside(knobs: &Knobs, change: usize) -> Command {
    let mut other = knobs.clone();
    if let Some(change) = CHANGES.get(change) {
        (change.turn)(&mut other);
    }
    Command::Compare(Some(Box::new(other)))
}

/// A run in a few words: its queue.
pub fn name(knobs: &Knobs) -> &'static str {
    match knobs.queue {
        QueueKind::ClientGo => "client-go queue",
        QueueKind::Channel => "plain channel",
    }
}

#[derive(PartialEq, Properties)]
pub struct CompareProps {
    pub knobs: Rc<Knobs>,
    pub other: Rc<Knobs>,
    pub change: usize,
    pub counters: Counters,
    pub beside: Counters,
    /// Counters when both runs are over.
    pub ends: (Counters, Counters),
    pub on_change: Callback<usize>,
    pub on_close: Callback<()>,
}

/// The strip between the two stages: the choice, and the difference spelled out.
#[component]
pub fn Compare(props: &CompareProps) -> Html {
    let onchange = props.on_change.reform(|event: Event| {
        let chosen = event
            .target_unchecked_into::<HtmlSelectElement>()
            .selected_index();
        usize::try_from(chosen).unwrap_or(0)
    });
    let options = CHANGES.iter().enumerate().map(|(index, change)| {
        html! { <option value={index.to_string()} selected={index == props.change}>{ change.name }</option> }
    });
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
    let close = props.on_close.reform(|_: MouseEvent| ());
    html! {
        <section class="versus" aria-label="Compare">
            <label>
                { "Below, the same run, but: " }
                <select aria-label="What is different" {onchange}>{ for options }</select>
            </label>
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
fn verdict((here, there): (Counters, Counters)) -> String {
    let (a, b) = (here.reconciles, there.reconciles);
    match a.cmp(&b) {
        std::cmp::Ordering::Equal => {
            format!("Both end with {a} reconciles: here the difference vanishes.")
        }
        std::cmp::Ordering::Less => {
            format!(
                "At the end {a} reconciles against {b}: {} more below.",
                b - a
            )
        }
        std::cmp::Ordering::Greater => {
            format!(
                "At the end {a} reconciles against {b}: {} fewer below.",
                a - b
            )
        }
    }
}
