//! Scene 2: one field changes.

use super::{Anchor, Ask, Beat, PRODUCTION, Question, Scene, What, name};
use crate::engine::apiserver::EventType;
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimDuration;

pub static SCENE: Scene = Scene {
    tab: "Scale",
    title: "One field changes",
    claim: "A change of one field is seen as a gap and closed by one action; the second look does nothing.",
    command: "kubectl patch databasecluster production-postgres --type merge -p '{\"spec\":{\"replicas\":5}}'",
    note: None,
    stimulus: Stimulus::Scale {
        key: name(PRODUCTION),
        replicas: 5,
    },
    rest: SimDuration::from_millis(1500),
    beats: &[
        Beat::new(
            Anchor::Opening,
            "Somebody now wants five replicas. What does the controller have to be told: the old \
             value, the new one, the difference?",
        ),
        Beat::new(
            Anchor::Next(What::Written(EventType::Modified)),
            "The object is stored again, with the next revision. The event says MODIFIED.",
        ),
        Beat::new(
            Anchor::Next(What::Queued),
            "The handler does not look into it. It drops the same key as for a create: \
             “look at this one”.",
        ),
        Beat::new(
            Anchor::Next(What::Observed),
            "Reconcile() begins at the beginning, as always. Nobody told it what changed. It sees \
             what is wanted, sees what runs, and so it sees the gap.",
        ),
        Beat::new(
            Anchor::Next(What::Scaled),
            "Only the replicas differ, so only the replicas are touched. One difference, one action.",
        ),
        Beat::new(
            Anchor::Next(What::Requeued),
            "It acted, so it asks to look again in {requeue}, to verify.",
        ),
        Beat::new(
            Anchor::Next(What::Rested),
            "The second look changed nothing. Run it a hundred times on the same state and you \
             get the same: that is idempotent.",
        ),
    ],
    variant: None,
    question: Some(Question {
        ask: Ask::Reconciles,
        words: "One field changes. How many times will Reconcile() run?",
        shown_at: None,
    }),
    skin: None,
    own: None,
};
