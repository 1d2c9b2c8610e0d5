//! Scene 2: a config map is created, and gets its label.

use super::{AFTER_A_SECOND, HELLO, create};
use crate::engine::apiserver::EventType;
use crate::engine::controller::Section;
use crate::engine::time::SimDuration;
use crate::scene::{Anchor, Ask, Beat, OwnRun, Question, Scene, What};

pub static SCENE: Scene = Scene {
    tab: "Label",
    title: "A key in the work queue",
    claim: "A new config map takes two reconciles and one write: the second look finds nothing to do.",
    command: "kubectl create configmap hello --from-literal=greeting=world",
    note: None,
    stimulus: create(HELLO),
    rest: SimDuration::from_secs(3),
    beats: &[
        Beat::new(
            Anchor::Opening,
            "This controller has one rule: every config map carries the label managed-by. The \
             informer watches. Somebody creates a config map without it.",
        ),
        Beat::new(
            Anchor::Next(What::Written(EventType::Added)),
            "It is stored and has a revision. The cache has not heard of it yet; the event is on its \
             way.",
        ),
        Beat::new(
            Anchor::Next(What::CacheSet),
            "First the cache takes the object in. Whoever is told of it now will find it there.",
        ),
        Beat::new(
            Anchor::Next(What::Queued),
            "Then the event handler does the one thing it does: it puts the key into the work \
             queue. Only the key: namespace and name. Add and update handlers do exactly the same.",
        ),
        Beat::new(
            Anchor::Next(What::CacheRead),
            "A worker takes the key, splits it into namespace and name, and reads the object from the \
             cache, not from the API server. It exists, and the label is missing.",
        ),
        Beat::new(
            Anchor::Next(What::Section(Section::DeepCopy)),
            "The cached object belongs to everybody in this process. So it makes a copy, and puts \
             the label on the copy.",
        ),
        Beat::new(
            Anchor::Next(What::WriteSent),
            "The copy goes to the API server as an update, with the revision that it is based on. The \
             cache is never written to.",
        ),
        Beat::new(
            Anchor::Next(What::Written(EventType::Modified)),
            "The API server takes it: a new revision. And that is a change like any other, so the \
             watch carries it as well.",
        ),
        Beat::new(
            Anchor::Next(What::Queued),
            "Here it comes: the controller hears its own write. Nothing marks it as its own. The \
             key is in the work queue again.",
        ),
        Beat::new(
            Anchor::Last(What::InDesiredState),
            "The second look finds the label where it should be and returns. It writes nothing, so \
             no further event follows.",
        ),
        Beat::new(
            Anchor::Last(What::Rested),
            "The loop rests: two looks, one write. Without the check, the second look would send an \
             update too. It would change nothing, so there would be no revision and no event: one \
             request wasted, no endless loop.",
        ),
    ],
    variant: None,
    question: Some(Question {
        ask: Ask::Reconciles,
        words: "One config map is created. How many times will reconcile run?",
        shown_at: None,
    }),
    skin: None,
    own: Some(OwnRun {
        settings: &[],
        before: &[],
        begins: AFTER_A_SECOND,
        then: &[],
    }),
};
