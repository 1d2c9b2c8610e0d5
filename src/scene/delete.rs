//! Scene 6: an object is deleted.

use super::{Anchor, Ask, Beat, Question, STAGING, Scene, What, name};
use crate::engine::apiserver::EventType;
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimDuration;

pub static SCENE: Scene = Scene {
    tab: "Delete",
    title: "Gone from the store",
    claim: "A deleted object is found missing and cleaned up in one reconcile.",
    command: "kubectl delete databasecluster staging-postgres",
    note: None,
    stimulus: Stimulus::Delete { key: name(STAGING) },
    rest: SimDuration::from_millis(1000),
    beats: &[
        Beat::new(
            Anchor::Opening,
            "The second database is deleted. Its object will be gone; what runs because of it will not.",
        ),
        Beat::new(
            Anchor::Next(What::Written(EventType::Deleted)),
            "Deleting is a write as well, with a revision of its own. The object has left the \
             store. Its pods still run.",
        ),
        Beat::new(
            Anchor::Next(What::Queued),
            "A DELETED event arrives, and again only the key is queued. The worker will not know \
             which type of event it was.",
        ),
        Beat::new(
            Anchor::Next(What::NotFound),
            "It need not know. Reconcile() fetches the object and finds none.",
        ),
        Beat::new(
            Anchor::Next(What::CleanedUp),
            "So what still runs has no reason to, and is removed.",
        ),
        Beat::new(
            Anchor::Next(What::Rested),
            "At rest, after one look. Three properties carried all six scenes: idempotent, \
             level-triggered, and an error is a requeue.",
        ),
    ],
    variant: None,
    question: Some(Question {
        ask: Ask::Reconciles,
        words: "How many looks does a deletion take?",
        shown_at: None,
    }),
    skin: None,
    own: None,
};
