//! Scene 6: what a resync repairs, and what it does not.

use super::{AFTER_A_SECOND, HELLO, HELLO_BEFORE, annotate, millis, peel};
use crate::engine::apiserver::EventType;
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimDuration;
use crate::scene::{Anchor, Ask, Beat, OwnRun, Question, Scene, Setting, Variant, What};

pub static SCENE: Scene = Scene {
    tab: "Fire drill",
    title: "What if work is skipped?",
    claim: "A resync makes good a reconcile that was skipped, and does not make good an event that was lost: that takes a new list.",
    command: "kubectl label configmap hello managed-by-",
    note: Some("twice: the first time reconcile skips its work, the second time the event is lost"),
    stimulus: Stimulus::SwallowReconcile,
    rest: SimDuration::from_secs(70),
    beats: &[
        Beat::new(
            Anchor::Opening,
            "The label is taken off. But the next reconcile has a fault: somewhere in it an error is \
             swallowed, and it returns success with its work undone.",
        ),
        Beat::new(
            Anchor::Next(What::Swallowed),
            "“Success”, so the queue forgets the key. No error, so no retry; no change, so no event. \
             Why would anybody look here again?",
        ),
        Beat::new(
            Anchor::Next(What::Resynced),
            "The fire drill: every 30 s the informer tells the handlers of everything in its cache, \
             as updates. Nothing has happened; all keys go into the work queue all the same.",
        ),
        Beat::new(
            Anchor::Next(What::Labelled),
            "So the skipped work is done: at most 30 s late, and the API server was not asked for \
             anything but the write.",
        ),
        Beat::new(
            Anchor::Next(What::EventLost),
            "The label is taken off again, and this time the event is lost on its way. The cache \
             says “labelled”, the store says not. What will the next drill do?",
        ),
        Beat::new(
            Anchor::Next(What::Resynced),
            "It redelivers what the cache holds. The cache is what is wrong.",
        ),
        Beat::new(
            Anchor::Next(What::InDesiredState),
            "Reconcile reads the cache, finds the label, and has nothing to do. A resync checks your \
             work against the cache, never the cache against the store.",
        ),
        Beat::new(
            Anchor::Next(What::WatchEnded),
            "Then the API server ends the watch with 410: the past that it would need is forgotten. \
             The informer waits a moment and lists again.",
        ),
        Beat::new(
            Anchor::Next(What::CacheSet),
            "The new list has the truth. Where it differs from the cache, the cache follows, and \
             handlers are told.",
        ),
        Beat::new(
            Anchor::Last(What::Labelled),
            "And the label is back. Skipped work is found by a resync or any later look; a cache that \
             is wrong only by a later event of that object, a list, or a restart.",
        ),
        Beat::new(
            Anchor::Opening,
            "The skipped reconcile once more, with the resync turned off, as many controllers have \
             it.",
        )
        .variant(),
        Beat::new(
            Anchor::Next(What::Swallowed),
            "Success is claimed, the label is missing. The cache knows it, the store knows it. Nobody \
             looks.",
        )
        .variant(),
        Beat::new(
            Anchor::Next(What::Written(EventType::Modified)),
            "Forty seconds later it is still missing. Then somebody happens to annotate the config \
             map: a change that has nothing to do with the label.",
        )
        .variant(),
        Beat::new(
            Anchor::Last(What::Labelled),
            "Any touch is enough, since reconcile always looks at everything. Without one, it would \
             have stayed wrong.",
        )
        .variant(),
    ],
    variant: Some(Variant {
        title: "resync off",
        stimulus: Stimulus::SwallowReconcile,
        own: Some(OwnRun {
            settings: &[Setting::Resync(SimDuration::ZERO)],
            before: HELLO_BEFORE,
            begins: AFTER_A_SECOND,
            then: &[(millis(1), peel(HELLO)), (millis(40_000), annotate(HELLO))],
        }),
    }),
    question: Some(Question {
        ask: Ask::Skipped,
        words: "Reconcile said “success” and did nothing. Who will put that right?",
        shown_at: Some(Anchor::Next(What::Resynced)),
    }),
    skin: None,
    own: Some(OwnRun {
        settings: &[],
        before: HELLO_BEFORE,
        begins: AFTER_A_SECOND,
        then: &[
            (millis(1), peel(HELLO)),
            (millis(40_000), Stimulus::LoseEvent),
            (millis(40_001), peel(HELLO)),
            (millis(65_000), Stimulus::ExpireWatch),
        ],
    }),
};
