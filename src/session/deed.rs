//! The buttons' side of a stimulus: what can be done to an object now, and if not, why not.
//!
//! Each chapter has its own deeds, in a file each; what both can do stands here.

mod config_map;
mod database;

use crate::engine::key::{Key, Keys};
use crate::engine::knobs::{ControllerKind, Knobs};
use crate::engine::stimulus::Stimulus;
use crate::frame::View;
use crate::scene::{Chapter, spaced};

/// Most replicas that the buttons ask for; the picture stays readable.
pub const REPLICAS_MAX: u32 = 9;

const NO_OBJECT: &str = "There is no such object. Create it first.";

/// Something that a button does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Create,
    ScaleUp,
    ScaleDown,
    Upgrade,
    Burst,
    Delete,
    KillReplica,
    RestartController,
    FailNextUpgrade,
    /// Take the label off.
    Peel,
    /// Put another value under the label's name.
    Relabel,
    ChangeData,
    Annotate,
    CreateMany,
    RefuseWrites,
    RefuseController,
    SwallowReconcile,
    LoseEvent,
    CloseWatch,
    ExpireWatch,
}

/// Where something is to be done: to which object, in which world, at which moment.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub resource: &'static str,
    pub chapter: &'a Chapter,
    pub knobs: &'a Knobs,
    pub keys: &'a Keys,
    pub view: &'a View,
}

impl Place<'_> {
    fn key(&self) -> Option<Key> {
        self.keys.get(self.resource)
    }
}

impl Deed {
    /// What can be done in a chapter: what a person with `kubectl` can do, then what goes wrong in
    /// real life.
    pub fn of(controller: ControllerKind) -> &'static [Deed] {
        match controller {
            ControllerKind::Database => &database::DEEDS,
            ControllerKind::ConfigMap => &config_map::DEEDS,
        }
    }

    /// The words on the button.
    pub fn label(self, knobs: &Knobs) -> String {
        let words = match self {
            Deed::Create => "Create",
            Deed::ScaleUp => "Scale up",
            Deed::ScaleDown => "Scale down",
            Deed::Upgrade => "Upgrade",
            Deed::Burst => return format!("Burst ×{}", knobs.burst_count),
            Deed::Delete => "Delete",
            Deed::KillReplica => "Kill a replica",
            Deed::RestartController => "Restart controller",
            Deed::FailNextUpgrade => "Fail next upgrade",
            Deed::Peel => "Peel label",
            Deed::Relabel => "Relabel",
            Deed::ChangeData => "Change data",
            Deed::Annotate => "Annotate",
            Deed::CreateMany => return format!("Create ×{}", config_map::MANY),
            Deed::RefuseWrites => return format!("Refuse writes {}", spaced(config_map::REFUSED)),
            Deed::RefuseController => "Refuse one write",
            Deed::SwallowReconcile => "Skip work",
            Deed::LoseEvent => "Lose event",
            Deed::CloseWatch => "Cut watch",
            Deed::ExpireWatch => "Expire watch",
        };
        words.to_owned()
    }

    /// What it does, where no command line says so.
    pub fn says(self) -> &'static str {
        match self {
            Deed::Burst => "Touches the object again and again, as a tool may",
            Deed::KillReplica => "One running replica dies. The store knows nothing of it.",
            Deed::RestartController => {
                "Queue, delays and failure counts are lost; the first list brings every key back"
            }
            Deed::FailNextUpgrade => "The next upgrade attempt will fail",
            Deed::CreateMany => {
                "Makes so many config maps at one instant. Let their updates fail, and the bucket is empty."
            }
            Deed::RefuseWrites => {
                "For three seconds the API server answers every write with 503; reads and watches go on"
            }
            Deed::RefuseController => "The controller’s next update is answered with 503, once",
            Deed::SwallowReconcile => {
                "The next reconcile that finds something to do returns success without doing it"
            }
            Deed::LoseEvent => "The next event does not reach the informer, and nobody notices",
            Deed::CloseWatch => {
                "The API server ends the watch cleanly; the informer watches again from where it was"
            }
            Deed::ExpireWatch => {
                "The API server ends the watch with 410 Gone: the informer has to list again"
            }
            _ => "",
        }
    }

    /// Is it a mishap, and not a request to the API server?
    pub fn is_mishap(self) -> bool {
        matches!(
            self,
            Deed::KillReplica
                | Deed::RestartController
                | Deed::FailNextUpgrade
                | Deed::RefuseWrites
                | Deed::RefuseController
                | Deed::SwallowReconcile
                | Deed::LoseEvent
                | Deed::CloseWatch
                | Deed::ExpireWatch
        )
    }

    /// The stimulus that the button stands for now.
    ///
    /// # Errors
    /// Why it cannot be done now, as a sentence.
    pub fn stimulus(self, place: &Place) -> Result<Stimulus, &'static str> {
        match place.chapter.controller {
            ControllerKind::Database => database::stimulus(self, place),
            ControllerKind::ConfigMap => config_map::stimulus(self, place),
        }
    }
}

/// What can be done in both chapters; `exists`: to the object, where it has to be there.
fn shared(
    deed: Deed,
    place: &Place,
    exists: Result<(), &'static str>,
) -> Result<Stimulus, &'static str> {
    let key = place.resource.into();
    match deed {
        Deed::Burst => exists.map(|()| Stimulus::Burst {
            key,
            count: place.knobs.burst_count,
            gap: place.knobs.burst_gap,
        }),
        Deed::Delete => exists.map(|()| Stimulus::Delete { key }),
        Deed::RestartController if !place.view.running => Err("The controller is down already."),
        Deed::RestartController => Ok(Stimulus::RestartController),
        _ => Err("This chapter has nothing that it could be done to."),
    }
}
