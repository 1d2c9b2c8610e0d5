//! Scene 8: the cached object itself is changed.

use super::{AFTER_A_SECOND, HELLO, HELLO_BEFORE, annotate, millis, peel};
use crate::engine::apiserver::EventType;
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimDuration;
use crate::scene::{Anchor, Ask, Beat, Later, OwnRun, Question, Scene, Setting, Variant, What};

const THEN: &[Later] = &[(millis(1), peel(HELLO)), (millis(40_000), annotate(HELLO))];

pub static SCENE: Scene = Scene {
    tab: "Scribble",
    title: "A missing copy",
    claim: "Without a deep copy one refused write leaves the cache saying what the store does not, and the retry believes the cache.",
    command: "kubectl label configmap hello managed-by-",
    note: Some("reconcile makes no copy, and its first update is refused"),
    stimulus: Stimulus::RefuseController,
    rest: SimDuration::from_secs(45),
    beats: &[
        Beat::new(
            Anchor::Opening,
            "This reconcile forgets to copy: it puts the label on the cached object itself. Until now \
             it has worked. The label is taken off, and its next update will be refused.",
        ),
        Beat::new(
            Anchor::Next(What::Scribbled),
            "The label is written into the cache. No event did that, and the API server knows nothing \
             of it.",
        ),
        Beat::new(
            Anchor::Next(What::WriteRefused),
            "The update is refused: 503, for once. An error, so the key will be tried again, as it \
             should be.",
        ),
        Beat::new(
            Anchor::Next(What::CacheRead),
            "The retry reads the cache, as every look does. What does it find there?",
        ),
        Beat::new(
            Anchor::Next(What::InDesiredState),
            "Its own scribble. “Already right”, it says, and returns. The store has no label, and the \
             one who should put it there is content.",
        ),
        Beat::new(
            Anchor::Next(What::Resynced),
            "The resync redelivers the cache, and the cache says “labelled”. It does not help.",
        ),
        Beat::new(
            Anchor::Next(What::Written(EventType::Modified)),
            "After forty seconds somebody annotates the config map. That event brings the object as \
             the store has it, without the label.",
        ),
        Beat::new(
            Anchor::Last(What::Labelled),
            "Only now the cache is right, and so the store becomes right. While writes succeed, their \
             events cover such scribbles up. That is how this fault gets through reviews.",
        ),
        Beat::new(
            Anchor::Opening,
            "The same once more: the label off, one update refused. This reconcile works on a copy.",
        )
        .variant(),
        Beat::new(
            Anchor::Next(What::WriteRefused),
            "Refused. The copy is thrown away, and the cache is as the last event left it.",
        )
        .variant(),
        Beat::new(
            Anchor::Next(What::Labelled),
            "So the retry, 5 ms later, reads “label missing”, and puts it on. One retry, and right.",
        )
        .variant(),
    ],
    variant: Some(Variant {
        title: "with a deep copy",
        stimulus: Stimulus::RefuseController,
        own: Some(OwnRun {
            settings: &[Setting::DeepCopy(true)],
            before: HELLO_BEFORE,
            begins: AFTER_A_SECOND,
            then: THEN,
        }),
    }),
    question: Some(Question {
        ask: Ask::Retry,
        words: "The write is refused, once. What will the retry do?",
        shown_at: Some(Anchor::Next(What::InDesiredState)),
    }),
    skin: None,
    own: Some(OwnRun {
        settings: &[Setting::DeepCopy(false)],
        before: HELLO_BEFORE,
        begins: AFTER_A_SECOND,
        then: THEN,
    }),
};
