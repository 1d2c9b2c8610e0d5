//! Scene 1: list, then watch; the cache fills.

use super::{HELLO, SETTINGS, annotate, create_labelled, millis};
use crate::engine::apiserver::EventType;
use crate::engine::time::SimDuration;
use crate::scene::{Anchor, Ask, Beat, OwnRun, Question, Scene, Setting, What};

pub static SCENE: Scene = Scene {
    tab: "Subscribe",
    title: "How does it know?",
    claim: "One list and one watch keep the cache in step with the store; nothing is asked twice.",
    command: "kubectl get configmaps --watch",
    note: Some("the informer does the same: it lists, then it watches"),
    stimulus: create_labelled(HELLO),
    rest: SimDuration::from_secs(60),
    beats: &[
        Beat::new(
            Anchor::Opening,
            "Two config maps exist, and the controller is only starting. It knows nothing yet. How \
             will it learn what there is, and what changes later?",
        ),
        Beat::new(
            Anchor::Next(What::Listed),
            "Its informer asks once for everything: a list. The answer holds all objects, and the \
             revision at which that was the whole truth.",
        ),
        Beat::new(
            Anchor::Next(What::CacheSet),
            "What came goes into a cache: a copy of the objects in the controller’s own memory. \
             Reading it costs nothing and asks nobody.",
        ),
        Beat::new(
            Anchor::Next(What::Synced),
            "The cache has held a whole list: HasSynced is true. Before that, “not in the cache” \
             would not mean “does not exist”.",
        ),
        Beat::new(
            Anchor::Next(What::Watching),
            "Then it watches from that revision: one request that stays open. Newer clients stream \
             the list over it as well, by default; the cache ends up the same.",
        ),
        Beat::new(
            Anchor::Next(What::Written(EventType::Modified)),
            "Twenty seconds later somebody annotates a config map. For a few milliseconds the cache \
             is behind the store: look at the two.",
        ),
        Beat::new(
            Anchor::Next(What::CacheSet),
            "The event came down the open watch. The cache is in step again, and only then the \
             handlers are told.",
        ),
        Beat::new(
            Anchor::Last(What::Rested),
            "In this minute the informer asks twice: one list, one watch. A poller that lists every \
             second asks 60 times, and still may hear of a change a second late.",
        ),
    ],
    variant: None,
    question: Some(Question {
        ask: Ask::Requests,
        words: "In this minute one config map changes. How many requests will the informer make?",
        shown_at: None,
    }),
    skin: None,
    own: Some(OwnRun {
        settings: &[Setting::Resync(SimDuration::ZERO)],
        before: &[],
        begins: SimDuration::ZERO,
        then: &[
            (SimDuration::ZERO, create_labelled(SETTINGS)),
            (millis(20_000), annotate(SETTINGS)),
        ],
    }),
};
