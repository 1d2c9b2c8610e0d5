//! Scene 1: an object is created, and something comes to run.

use super::{Anchor, Beat, PRODUCTION, Scene, What, name};
use crate::engine::apiserver::{EventType, Version};
use crate::engine::controller::Section;
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimDuration;

pub static SCENE: Scene = Scene {
    tab: "Create",
    title: "A wish is stored",
    claim: "Creating an object provisions it from zero: one reconcile acts, one verifies.",
    command: "kubectl apply -f production-postgres.yaml",
    note: Some("replicas: 3, version: 15.4"),
    stimulus: Stimulus::Create {
        key: name(PRODUCTION),
        replicas: 3,
        version: Version::new(15, 4),
    },
    rest: SimDuration::from_millis(1500),
    beats: &[
        Beat::new(
            Anchor::Opening,
            "Nothing runs yet. The controller watches the store and waits. Now somebody asks for a \
             database: three replicas, version 15.4.",
        ),
        Beat::new(
            Anchor::Next(What::Written(EventType::Added)),
            "The API server stores the object and gives it a revision. What it stores is a wish: \
             the desired state. No database runs because of that alone.",
        ),
        Beat::new(
            Anchor::Next(What::Delivered),
            "Nobody polls. The watch carries an ADDED event to the controller.",
        ),
        Beat::new(
            Anchor::Next(What::Queued),
            "The event handler puts only the key into the work queue: namespace and name, not the \
             object. Whoever takes the key reads the newest state anyway.",
        ),
        Beat::new(
            Anchor::Next(What::Section(Section::Fetch)),
            "A worker takes the key and calls Reconcile(). First section: fetch the desired state.",
        ),
        Beat::new(
            Anchor::Next(What::Observed),
            "Second section: observe what really runs. Compare the two columns: that gap is all \
             the function works from.",
        ),
        Beat::new(
            Anchor::Next(What::Scaled),
            "Third section: act. First the version, then the replicas, until the gap is closed. \
             Now pods run.",
        ),
        Beat::new(
            Anchor::Next(What::Requeued),
            "Fourth section: the result. It does not trust its own success: look again in \
             {requeue}. The key waits on the delayed shelf.",
        ),
        Beat::new(
            Anchor::Next(What::Rested),
            "The second look found desired and actual equal, and did nothing. The loop is at rest \
             until something changes.",
        ),
    ],
    variant: None,
    question: None,
    skin: None,
    own: None,
};
