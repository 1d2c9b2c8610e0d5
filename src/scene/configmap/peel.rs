//! Scene 3: the label is taken off, three times.

use super::{AFTER_A_SECOND, HELLO, HELLO_BEFORE, millis, peel};
use crate::engine::apiserver::EventType;
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimDuration;
use crate::scene::{Anchor, Beat, OwnRun, Scene, What};

/// The run, and what begins it: scene 9 tells the same.
pub const PEEL: Stimulus = peel(HELLO);
pub const REST: SimDuration = SimDuration::from_secs(6);
pub const RUN: OwnRun = OwnRun {
    settings: &[],
    before: HELLO_BEFORE,
    begins: AFTER_A_SECOND,
    then: &[(millis(2000), PEEL), (millis(4000), PEEL)],
};

pub static SCENE: Scene = Scene {
    tab: "Peel",
    title: "Peel the label off",
    claim: "A label that is taken off comes back each time; the controller writes once for each, and once at first.",
    command: "kubectl label configmap hello managed-by-",
    note: Some("three times, two seconds apart"),
    stimulus: PEEL,
    rest: REST,
    beats: &[
        Beat::new(
            Anchor::Opening,
            "The config map has its label, and the loop is at rest. Now somebody takes the label off.",
        ),
        Beat::new(
            Anchor::Next(What::Written(EventType::Modified)),
            "To the API server this is an update like any other. It knows no rule about this label, \
             and refuses nothing.",
        ),
        Beat::new(
            Anchor::Next(What::CacheRead),
            "The worker does not know what happened, nor whether it ever wrote that label. It reads: \
             label missing. That is enough.",
        ),
        Beat::new(
            Anchor::Next(What::Labelled),
            "So the label is back. Nobody called for help; nobody had to remember the past.",
        ),
        Beat::new(
            Anchor::Next(What::InDesiredState),
            "The echo of its own write, and nothing to do: at rest again.",
        ),
        Beat::new(
            Anchor::Next(What::Labelled),
            "Somebody takes it off once more, and it is back once more. The same function, from its \
             first line.",
        ),
        Beat::new(
            Anchor::Next(What::Labelled),
            "And a third time. It does not grow tired, and it does not count.",
        ),
        Beat::new(
            Anchor::Last(What::Rested),
            "Three times taken off, three times put back; with the first one four writes in all. The \
             rule is kept by looking, not by guarding the door.",
        ),
    ],
    variant: None,
    question: None,
    skin: None,
    own: Some(RUN),
};
