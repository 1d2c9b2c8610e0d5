//! Scene 5: a second object, the same pattern.

use super::{Anchor, Beat, STAGING, Scene, What, name};
use crate::engine::apiserver::{EventType, Version};
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimDuration;

pub static SCENE: Scene = Scene {
    tab: "Second resource",
    title: "The same pattern, another key",
    claim: "A second object runs through the same loop under its own key; the first is left alone.",
    command: "kubectl apply -f staging-postgres.yaml",
    note: Some("replicas: 1, version: 15.5"),
    stimulus: Stimulus::Create {
        key: name(STAGING),
        replicas: 1,
        version: Version::new(15, 5),
    },
    rest: SimDuration::from_millis(1500),
    beats: &[
        Beat::new(
            Anchor::Opening,
            "A second database is asked for, beside the first. There is still one controller, one \
             queue, one worker.",
        ),
        Beat::new(
            Anchor::Next(What::Written(EventType::Added)),
            "Another object, with the next revision: the store counts all writes in one row.",
        ),
        Beat::new(
            Anchor::Next(What::Queued),
            "Another key. Keys merge only with themselves, so two objects never hide each other.",
        ),
        Beat::new(
            Anchor::Next(What::Scaled),
            "The same four sections provision it. Nothing in the code knows how many objects there are.",
        ),
        Beat::new(
            Anchor::Next(What::Rested),
            "Verified, at rest. The first object was not looked at: nothing asked for it.",
        ),
    ],
    variant: None,
    question: None,
    skin: None,
    own: None,
};
