//! Scene 5: the API server refuses writes for a while; then many keys that fail together.

use super::{AFTER_A_SECOND, HELLO, HELLO_BEFORE, millis, peel, word};
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimDuration;
use crate::scene::{Anchor, Ask, Beat, OwnRun, Question, Scene, Setting, Variant, What};

pub static SCENE: Scene = Scene {
    tab: "Refused",
    title: "Writes are refused for three seconds",
    claim: "A failing key waits twice as long each time, and the first try after the fault works; many at once are slowed by the bucket.",
    command: "kubectl label configmap hello managed-by-",
    note: Some("and right after it, the API server refuses all writes for 3 s"),
    stimulus: peel(HELLO),
    rest: SimDuration::from_secs(7),
    beats: &[
        Beat::new(
            Anchor::Opening,
            "The label is taken off, and then the API server refuses every write for three seconds. \
             Reading and watching go on.",
        ),
        Beat::new(
            Anchor::Next(What::WriteRefused),
            "The update is refused: 503. Reconcile returns the error and forgets everything about it. \
             When to try again is not its business.",
        ),
        Beat::new(
            Anchor::Next(What::Retried),
            "It is the queue’s. After a first failure this key waits 5 ms on the delayed shelf, and \
             then it is handed out again.",
        ),
        Beat::new(
            Anchor::Next(What::Retried),
            "Refused again: 10 ms. Then 20, 40, 80 and so on, for this key alone. Other keys would \
             not wait for it.",
        ),
        Beat::new(
            Anchor::Last(What::Retried),
            "After ten failures the wait is 2.56 s. The API server takes writes again meanwhile, but \
             nobody tells the queue: it waits to the end.",
        ),
        Beat::new(
            Anchor::Next(What::Labelled),
            "The first try after the fault works.",
        ),
        Beat::new(
            Anchor::Next(What::Forgot),
            "Success makes the queue forget the failures. The next trouble of this key begins at \
             5 ms again.",
        ),
        Beat::new(
            Anchor::Opening,
            "Now 150 config maps are created at one instant, and the first 150 updates are refused. \
             Requests take no time here, so that all fail together.",
        )
        .variant(),
        Beat::new(
            Anchor::Next(What::WriteRefused),
            "All 150 keys are handed out at once, one after the other: first tries are never slowed. \
             Each is refused.",
        )
        .variant(),
        Beat::new(
            Anchor::Last(What::Retried),
            "Each key’s own back-off is 5 ms. But all retries share one bucket: 100 at once, then 10 \
             a second. The longer wait counts, and the last one’s is 5 s.",
        )
        .variant(),
        Beat::new(
            Anchor::Last(What::Labelled),
            "Five seconds later the last one has its label. A storm of failures has become a drizzle \
             of retries.",
        )
        .variant(),
    ],
    variant: Some(Variant {
        title: "150 keys fail at one instant",
        stimulus: Stimulus::CreateMany {
            name: word("default/box"),
            count: 150,
        },
        own: Some(OwnRun {
            settings: &[Setting::RequestLatency(SimDuration::ZERO)],
            before: &[],
            begins: AFTER_A_SECOND,
            then: &[(millis(1), Stimulus::RefuseNext { writes: 150 })],
        }),
    }),
    question: Some(Question {
        ask: Ask::Recovery,
        words: "Writes are refused for three seconds. When will the label be back?",
        shown_at: Some(Anchor::Last(What::Retried)),
    }),
    skin: None,
    own: Some(OwnRun {
        settings: &[],
        before: HELLO_BEFORE,
        begins: AFTER_A_SECOND,
        then: &[(
            millis(1),
            Stimulus::RefuseWrites {
                span: SimDuration::from_secs(3),
            },
        )],
    }),
};
