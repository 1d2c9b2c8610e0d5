//! Scene 3: an upgrade, which may fail; the variant shows the failure.

use super::{Anchor, Ask, Beat, PRODUCTION, Question, Scene, Variant, What, name};
use crate::engine::apiserver::{EventType, Version};
use crate::engine::knobs::QueueKind;
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimDuration;

pub static SCENE: Scene = Scene {
    tab: "Upgrade",
    title: "A new version, and a risk",
    claim: "An error is a requeue: a failed upgrade leaves the state as it was and is tried again.",
    command: "kubectl patch databasecluster production-postgres --type merge -p '{\"spec\":{\"version\":\"15.5\"}}'",
    note: None,
    stimulus: Stimulus::Upgrade {
        key: name(PRODUCTION),
        version: Version::new(15, 5),
    },
    rest: SimDuration::from_millis(2000),
    beats: &[
        Beat::new(
            Anchor::Opening,
            "Version 15.5 is asked for. A rolling upgrade takes {upgrade} here, and sometimes a \
             node is not ready: then the attempt fails.",
        ),
        Beat::new(
            Anchor::Next(What::Written(EventType::Modified)),
            "A write, a revision, a MODIFIED event: the beginning never changes.",
        ),
        Beat::new(
            Anchor::Next(What::UpgradeStarted),
            "Reconcile() sees another version running than is wanted, and upgrades. While it \
             works, the worker keeps the key in its hand.",
        ),
        Beat::new(
            Anchor::Next(What::Upgraded),
            "This attempt went well: every pod runs the new version.",
        ),
        Beat::new(
            Anchor::Next(What::Rested),
            "Verified after {requeue}, at rest. But attempts can fail. The next steps replay this \
             very stretch, with one thing different.",
        ),
        Beat::new(
            Anchor::Opening,
            "The same moment once more, on a copy of the run. This time the first attempt is going \
             to fail.",
        )
        .variant(),
        Beat::new(
            Anchor::Next(What::UpgradeFailed),
            "A node was not ready. The pods are as they were, and Reconcile() returns an error. It \
             does not clean up, and it does not loop inside.",
        )
        .variant(),
        Beat::new(
            Anchor::Next(What::Retried),
            "The error goes to the queue, not to a person. The key waits on the shelf for as long as \
             the limiter says: by default 5 ms, and twice as long after each further failure.",
        )
        .only(QueueKind::ClientGo)
        .variant(),
        Beat::new(
            Anchor::Next(What::Retried),
            "The error becomes a timer: in {retry} the key goes into the channel again. A plain \
             channel knows no back-off that grows.",
        )
        .only(QueueKind::Channel)
        .variant(),
        Beat::new(
            Anchor::Next(What::Upgraded),
            "The retry is the same function, from its first line. It sees the old version, tries \
             again, and succeeds.",
        )
        .variant(),
        Beat::new(
            Anchor::Next(What::Rested),
            "At rest, and nobody was called. An error is a requeue. Scene 4 goes on from the run in \
             which the upgrade went well.",
        )
        .variant(),
    ],
    variant: Some(Variant {
        title: "the first attempt fails",
        stimulus: Stimulus::FailNextUpgrade,
        own: None,
    }),
    question: Some(Question {
        ask: Ask::FailedUpgrade,
        words: "If the upgrade fails, what happens to it?",
        shown_at: Some(Anchor::Next(What::Retried)),
    }),
    skin: None,
    own: None,
};
