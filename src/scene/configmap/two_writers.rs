//! Scene 7: somebody else writes at the same time.

use super::{AFTER_A_SECOND, HELLO, HELLO_BEFORE, annotate, millis, peel};
use crate::engine::time::SimDuration;
use crate::scene::{Anchor, Ask, Beat, Later, OwnRun, Question, Scene, Setting, Variant, What};

/// Events take 20 ms here, so the update leaves 20 ms after the label was taken off and arrives 5 ms
/// later. The other write comes in between.
const OTHER: &[Later] = &[(millis(22), annotate(HELLO))];

pub static SCENE: Scene = Scene {
    tab: "Two writers",
    title: "Somebody else is quicker",
    claim: "An update that is based on an old revision is refused, and nobody’s change is lost; waiting for the event takes fewer tries than hurrying.",
    command: "kubectl label configmap hello managed-by-",
    note: Some("and 22 ms later: kubectl annotate configmap hello note=seen"),
    stimulus: peel(HELLO),
    rest: SimDuration::from_secs(3),
    beats: &[
        Beat::new(
            Anchor::Opening,
            "Events take 20 ms here. The label is taken off; and while the controller’s update is on \
             its way, somebody else annotates the same config map.",
        ),
        Beat::new(
            Anchor::Next(What::WriteSent),
            "The update is a whole object, made from the copy in the cache. If the API server simply \
             took it, the other’s annotation would be gone.",
        ),
        Beat::new(
            Anchor::Next(What::Conflict),
            "It does not: 409 Conflict. The update names the revision that it is based on, and that \
             is no longer the newest. Nothing was written.",
        ),
        Beat::new(
            Anchor::Next(What::Retried),
            "An error, so the key is tried again in 5 ms. But the event of the other’s write takes 20.",
        ),
        Beat::new(
            Anchor::Next(What::Conflict),
            "The retry was quicker than the watch. It read the same old copy, sent the same old \
             revision, and was refused for the same reason.",
        ),
        Beat::new(
            Anchor::Next(What::Labelled),
            "Meanwhile the event has come. This try reads the new object, with the annotation in it, \
             and adds the label. Both changes stand.",
        ),
        Beat::new(
            Anchor::Next(What::Conflict),
            "One retry was still on the shelf. It runs before the cache has heard of the controller’s \
             own write, and is refused once more. Harmless, and not free.",
        ),
        Beat::new(
            Anchor::Last(What::Rested),
            "At rest, with label and annotation. Three updates were refused on the way. Can it be \
             had for less?",
        ),
        Beat::new(
            Anchor::Opening,
            "The same two writes. This reconcile treats a 409 as no error: somebody has written, so \
             an event must be on its way.",
        )
        .variant(),
        Beat::new(
            Anchor::Next(What::Conflict),
            "Refused, as before. It returns and does nothing; the key leaves the worker’s hand.",
        )
        .variant(),
        Beat::new(
            Anchor::Next(What::CacheSet),
            "And here comes the event that it counted on. It brings the key back, and the cache is \
             right.",
        )
        .variant(),
        Beat::new(
            Anchor::Next(What::Labelled),
            "The second try works. One update refused, one taken.",
        )
        .variant(),
    ],
    variant: Some(Variant {
        title: "return, and wait for the event",
        stimulus: peel(HELLO),
        own: Some(OwnRun {
            settings: &[Setting::WaitOnConflict(true)],
            before: HELLO_BEFORE,
            begins: AFTER_A_SECOND,
            then: OTHER,
        }),
    }),
    question: Some(Question {
        ask: Ask::TwoWriters,
        words: "Two write at the same time. Whose change will be lost?",
        shown_at: None,
    }),
    skin: None,
    own: Some(OwnRun {
        settings: &[Setting::WatchDelay(millis(20))],
        before: HELLO_BEFORE,
        begins: AFTER_A_SECOND,
        then: OTHER,
    }),
};
