//! Changes of interest: a knob turned, and what that teaches.

use super::Choice;
use crate::engine::knobs::{ControllerKind, Knobs, Preset};
use crate::engine::time::SimDuration;

/// A change that teaches something.
#[derive(Debug)]
pub struct WhatIf {
    choice: Choice,
    /// Set the same as in other knobs: what takes the change back.
    reset: fn(&mut Knobs, &Knobs),
    pub lesson: &'static str,
}

impl WhatIf {
    /// Those of a chapter.
    pub fn of(controller: ControllerKind) -> &'static [WhatIf] {
        match controller {
            ControllerKind::Database => &DATABASE,
            ControllerKind::ConfigMap => &CONFIG_MAP,
        }
    }

    pub fn label(&self) -> &'static str {
        self.choice.label
    }

    pub fn is_chosen(&self, knobs: &Knobs) -> bool {
        self.choice.is_chosen(knobs)
    }

    /// `knobs` with the change, or without it where they have it already.
    pub fn toggle(&self, knobs: &Knobs) -> Knobs {
        if !self.is_chosen(knobs) {
            return self.choice.choose(knobs);
        }
        let usual = match knobs.controller {
            ControllerKind::Database => Preset::ClientGo.knobs(),
            ControllerKind::ConfigMap => Knobs::config_map(),
        };
        let mut knobs = knobs.clone();
        (self.reset)(&mut knobs, &usual);
        knobs
    }
}

fn millis(millis: i64) -> SimDuration {
    SimDuration::from_millis(millis)
}

/// Chapter one's.
static DATABASE: [WhatIf; 4] = [
    WhatIf {
        choice: Choice {
            label: "Observing takes 20 ms",
            is: |knobs| knobs.observe_time == millis(20),
            set: |knobs| knobs.observe_time = millis(20),
        },
        reset: |knobs, to| knobs.observe_time = to.observe_time,
        lesson: "Merging pays only where work is slower than events come.",
    },
    WhatIf {
        choice: Choice {
            label: "Four workers",
            is: |knobs| knobs.workers == 4,
            set: |knobs| knobs.workers = 4,
        },
        reset: |knobs, to| knobs.workers = to.workers,
        lesson: "client-go's queue gives a key to one worker only; a plain channel gives it to several at once.",
    },
    WhatIf {
        choice: Choice {
            label: "Half of the upgrades fail",
            is: |knobs| knobs.upgrade_failure_permille == 500 && knobs.failing_upgrades.is_none(),
            set: |knobs| {
                knobs.upgrade_failure_permille = 500;
                knobs.failing_upgrades = None;
            },
        },
        reset: |knobs, to| knobs.upgrade_failure_permille = to.upgrade_failure_permille,
        lesson: "An error is a requeue: what failed is tried again, and the loop comes to the same end.",
    },
    WhatIf {
        choice: Choice {
            label: "Nobody asks to verify",
            is: |knobs| knobs.requeue_after == SimDuration::ZERO,
            set: |knobs| knobs.requeue_after = SimDuration::ZERO,
        },
        reset: |knobs, to| knobs.requeue_after = to.requeue_after,
        lesson: "Events alone lead to the same end; the second look only makes sure.",
    },
];

/// Chapter two's.
static CONFIG_MAP: [WhatIf; 5] = [
    WhatIf {
        choice: Choice {
            label: "No resync",
            is: |knobs| knobs.resync == SimDuration::ZERO,
            set: |knobs| knobs.resync = SimDuration::ZERO,
        },
        reset: |knobs, to| knobs.resync = to.resync,
        lesson: "Nobody looks again without a reason: skipped work stays undone until the object is touched, the list is read again or the controller restarts.",
    },
    WhatIf {
        choice: Choice {
            label: "No deep copy",
            is: |knobs| !knobs.deep_copy,
            set: |knobs| knobs.deep_copy = false,
        },
        reset: |knobs, to| knobs.deep_copy = to.deep_copy,
        lesson: "While writes succeed nothing is to be seen. Refuse one, and the cache says what the store does not.",
    },
    WhatIf {
        choice: Choice {
            label: "A handler for deletions",
            is: |knobs| knobs.delete_handler,
            set: |knobs| knobs.delete_handler = true,
        },
        reset: |knobs, to| knobs.delete_handler = to.delete_handler,
        lesson: "One look more for each deletion. It finds nothing, and is needed only where something has to be cleaned up.",
    },
    WhatIf {
        choice: Choice {
            label: "Wait after a 409",
            is: |knobs| knobs.wait_on_conflict,
            set: |knobs| knobs.wait_on_conflict = true,
        },
        reset: |knobs, to| knobs.wait_on_conflict = to.wait_on_conflict,
        lesson: "A conflict says that somebody has written. Their event is on its way, and a retry before it reads the same old copy.",
    },
    WhatIf {
        choice: Choice {
            label: "Events take 200 ms",
            is: |knobs| knobs.watch_delay == millis(200),
            set: |knobs| knobs.watch_delay = millis(200),
        },
        reset: |knobs, to| knobs.watch_delay = to.watch_delay,
        lesson: "The cache is further behind. More looks are at an old copy; the end is the same.",
    },
];
