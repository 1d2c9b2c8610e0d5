//! Scene 4: deletions, seen and unseen.

use super::{AFTER_A_SECOND, HELLO, HELLO_BEFORE, create, delete, millis};
use crate::engine::apiserver::EventType;
use crate::engine::time::SimDuration;
use crate::scene::{Anchor, Ask, Beat, OwnRun, Question, Scene, Setting, Variant, What};

const FIRST: &str = "default/first";
const SECOND: &str = "default/second";
const THIRD: &str = "default/third";

pub static SCENE: Scene = Scene {
    tab: "Grave",
    title: "What is left to do?",
    claim: "A deletion needs no reconcile here; one that comes in between finds nothing, and is done.",
    command: "kubectl delete configmap hello",
    note: Some("then two others are deleted, each at an awkward moment"),
    stimulus: delete(HELLO),
    rest: SimDuration::from_secs(4),
    beats: &[
        Beat::new(
            Anchor::Opening,
            "The config map is deleted. This controller has registered handlers for adds and \
             updates, and none for deletions.",
        ),
        Beat::new(
            Anchor::Next(What::CacheDeleted),
            "The event arrives and the cache forgets the object. No handler asked to hear of it, so \
             no key is queued. There is no label to put on nothing.",
        ),
        Beat::new(
            Anchor::Nth(What::Queued, 2),
            "Now two config maps are created together. The worker takes the first key; the second \
             waits in the work queue.",
        ),
        Beat::new(
            Anchor::Next(What::CacheDeleted),
            "While its key waits, the second config map is deleted. The key stays in the work queue: \
             nobody takes it out.",
        ),
        Beat::new(
            Anchor::Next(What::Absent),
            "Its turn comes. The cache has nothing under this key, so there is nothing to do. That \
             is a success, not an error.",
        ),
        Beat::new(
            Anchor::Next(What::Written(EventType::Deleted)),
            "A third one is deleted at a worse moment: its update is under way already, and the \
             cache has not heard of the deletion.",
        ),
        Beat::new(
            Anchor::Next(What::WriteNotFound),
            "The API server knows better than the cache: 404, not found. Reconcile returns the error, \
             and the queue will hand the key out again.",
        ),
        Beat::new(
            Anchor::Next(What::Absent),
            "By the time of the retry the event has come. Nothing in the cache, nothing to do, done.",
        ),
        Beat::new(
            Anchor::Opening,
            "The first deletion once more, in a controller that has a handler for deletions too.",
        )
        .variant(),
        Beat::new(
            Anchor::Next(What::Queued),
            "This time the deletion is told of, and the handler queues the key as it does for all \
             else.",
        )
        .variant(),
        Beat::new(
            Anchor::Next(What::Absent),
            "One look: gone. It did no harm, and was of no use. Where something outside has to be \
             cleaned up, it would be.",
        )
        .variant(),
    ],
    variant: Some(Variant {
        title: "with a delete handler",
        stimulus: delete(HELLO),
        own: Some(OwnRun {
            settings: &[Setting::DeleteHandler(true)],
            before: HELLO_BEFORE,
            begins: AFTER_A_SECOND,
            then: &[],
        }),
    }),
    question: Some(Question {
        ask: Ask::Deletion,
        words: "A config map is deleted. What will the controller do about it?",
        shown_at: Some(Anchor::Next(What::CacheDeleted)),
    }),
    skin: None,
    own: Some(OwnRun {
        settings: &[],
        before: HELLO_BEFORE,
        begins: AFTER_A_SECOND,
        then: &[
            (millis(1000), create(FIRST)),
            (millis(1000), create(SECOND)),
            (millis(1005), delete(SECOND)),
            (millis(2000), create(THIRD)),
            (millis(2012), delete(THIRD)),
        ],
    }),
};
