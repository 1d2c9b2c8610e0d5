//! Scene 9: scene 3 once more, in the words of a hotel.

use super::peel::{PEEL, REST, RUN};
use crate::engine::apiserver::EventType;
use crate::scene::{Anchor, Beat, HOUSEKEEPER, Scene, What};

pub static SCENE: Scene = Scene {
    tab: "Housekeeper",
    title: "The housekeeper",
    claim: "The same loop in a hotel’s words: every fact of this scene is a fact of scene 3.",
    command: "kubectl label configmap hello managed-by-",
    note: Some("a guest takes the “made up” sign off the door, three times"),
    stimulus: PEEL,
    rest: REST,
    beats: &[
        Beat::new(
            Anchor::Opening,
            "A hotel with one rule on its checklist: at every door hangs the sign “made up”. The \
             room is in order, the housekeeper rests. Now a guest takes the sign off.",
        ),
        Beat::new(
            Anchor::Next(What::Written(EventType::Modified)),
            "Nobody stops the guest. The door takes any change, and a bell at the desk tells of each. \
             A hotel that guarded its doors could have no guests.",
        ),
        Beat::new(
            Anchor::Next(What::CacheSet),
            "The bell has reached the desk. There the room is drawn into the floor plan as it is now: \
             no sign. The plan is always a moment behind the doors.",
        ),
        Beat::new(
            Anchor::Next(What::Queued),
            "And its number goes onto the clipboard. Not what happened, and not who did it: only the \
             number, and each number once at most.",
        ),
        Beat::new(
            Anchor::Next(What::CacheRead),
            "The housekeeper takes the number and holds the plan against the checklist. “What \
             happened in there?” is no question on that list. “Is the sign there?” is. It is not.",
        ),
        Beat::new(
            Anchor::Next(What::Labelled),
            "So the room is made up, and the sign hangs at the door again. The plan does not show it \
             yet: nobody draws into it but the desk, and the desk waits for the bell.",
        ),
        Beat::new(
            Anchor::Next(What::InDesiredState),
            "The housekeeper’s own work rings the bell too. Number, plan, checklist: all as it should \
             be, nothing to do. Now there is quiet.",
        ),
        Beat::new(
            Anchor::Next(What::Labelled),
            "The guest does it again. The same visit, from the first line of the checklist, and the \
             sign is back.",
        ),
        Beat::new(
            Anchor::Next(What::Labelled),
            "And a third time. A checklist is not offended, and it keeps no tally.",
        ),
        Beat::new(
            Anchor::Last(What::Rested),
            "Change the words back, above: it is scene 3, fact for fact. A controller is a \
             housekeeper with a checklist. It does not need to know what happened in the room.",
        ),
    ],
    variant: None,
    question: None,
    skin: Some(&HOUSEKEEPER),
    own: Some(RUN),
};
