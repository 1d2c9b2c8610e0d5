//! Scene 4: many writes, one key; what the queue makes of them.

use super::{Anchor, Ask, Beat, PRODUCTION, Question, Scene, What, name};
use crate::engine::controller::Section;
use crate::engine::knobs::QueueKind;
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimDuration;

pub static SCENE: Scene = Scene {
    tab: "Burst",
    title: "{count} writes in {span}",
    claim: "Work is per key, not per event: ten events become three reconciles, or ten without deduplication.",
    command: "helm upgrade production ./postgres",
    note: Some("touches the object {count} times, {gap} apart"),
    // The knobs fill in how many and how far apart.
    stimulus: Stimulus::Burst {
        key: name(PRODUCTION),
        count: 0,
        gap: SimDuration::ZERO,
    },
    rest: SimDuration::from_millis(2000),
    beats: &[
        Beat::new(
            Anchor::Opening,
            "A tool touches one object again and again: {count} writes, {gap} apart. Each is a \
             revision and sends an event. Observing takes {observe}.",
        ),
        Beat::new(
            Anchor::Next(What::Section(Section::Observe)),
            "The first event queued the key, and the worker took it at once. It is observing now. \
             Meanwhile the writes go on.",
        ),
        Beat::new(
            Anchor::Next(What::MarkedDirty),
            "The next event finds its key in the worker’s hand. The queue adds no entry. It marks \
             the key dirty: it comes back after Done.",
        )
        .only(QueueKind::ClientGo),
        Beat::new(
            Anchor::Next(What::Merged),
            "Another event, and the mark is set already. Nothing changes: the event dissolves. A \
             mark is a mark, however many events set it.",
        )
        .only(QueueKind::ClientGo),
        Beat::new(
            Anchor::Next(What::CameBack),
            "The worker says Done. The key is dirty, so it goes back into the queue: once, for all \
             the events that came meanwhile.",
        )
        .only(QueueKind::ClientGo),
        Beat::new(
            Anchor::Last(What::CameBack),
            "More events came while it looked again, so it comes back once more.",
        )
        .only(QueueKind::ClientGo),
        Beat::new(
            Anchor::Last(What::Rested),
            "The last look saw all the writes at once. Nothing differed, and the loop rests. Work \
             follows keys, not events.",
        )
        .only(QueueKind::ClientGo),
        Beat::new(
            Anchor::Next(What::Queued),
            "The next event finds its key in the worker’s hand. A plain channel does not know \
             that. It takes the key again, as an entry of its own.",
        )
        .only(QueueKind::Channel),
        Beat::new(
            Anchor::Last(What::Queued),
            "Every event became an entry. The worker will look once for each, at the same object.",
        )
        .only(QueueKind::Channel),
        Beat::new(
            Anchor::Last(What::Rested),
            "Each look found nothing to do. That is harmless, since Reconcile() is idempotent, but \
             it is not free. Switch to the client-go queue and compare.",
        )
        .only(QueueKind::Channel),
    ],
    variant: None,
    question: Some(Question {
        ask: Ask::Reconciles,
        words: "How many times will Reconcile() run?",
        shown_at: None,
    }),
    skin: None,
    own: None,
};
