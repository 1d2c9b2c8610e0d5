//! The buttons of chapter one: what can be done to a database cluster now.

use super::{Deed, NO_OBJECT, Place, REPLICAS_MAX};
use crate::engine::apiserver::DatabaseSpec;
use crate::engine::stimulus::Stimulus;
use crate::scene::Chapter;

pub(super) const DEEDS: [Deed; 9] = [
    Deed::Create,
    Deed::ScaleUp,
    Deed::ScaleDown,
    Deed::Upgrade,
    Deed::Burst,
    Deed::Delete,
    Deed::KillReplica,
    Deed::RestartController,
    Deed::FailNextUpgrade,
];

pub(super) fn stimulus(deed: Deed, place: &Place) -> Result<Stimulus, &'static str> {
    let view = place.view;
    let spec = place.key().and_then(|key| view.objects.get(&key));
    let spec = spec.map(|card| card.spec);
    let existing = || spec.ok_or(NO_OBJECT);
    let name = || place.resource.into();
    match deed {
        Deed::Create => match (spec, first_spec(place.chapter, place.resource)) {
            (Some(_), _) => Err("It exists already."),
            (None, None) => Err("This chapter has no manifest for it."),
            (None, Some(DatabaseSpec { replicas, version })) => Ok(Stimulus::Create {
                key: name(),
                replicas,
                version,
            }),
        },
        Deed::ScaleUp => match existing()?.replicas {
            REPLICAS_MAX.. => Err("Nine replicas are the most that the picture shows."),
            replicas => Ok(Stimulus::Scale {
                key: name(),
                replicas: replicas + 1,
            }),
        },
        Deed::ScaleDown => match existing()?.replicas.checked_sub(1) {
            None => Err("No replicas are wanted already."),
            Some(replicas) => Ok(Stimulus::Scale {
                key: name(),
                replicas,
            }),
        },
        Deed::Upgrade => Ok(Stimulus::Upgrade {
            key: name(),
            version: existing()?.version.next_minor(),
        }),
        Deed::KillReplica => {
            let pods = place.key().and_then(|key| view.actual.get(&key));
            match pods {
                Some(pods) if pods.actual.replicas > 0 => Ok(Stimulus::KillReplica { key: name() }),
                _ => Err("No replica of it runs."),
            }
        }
        Deed::FailNextUpgrade if view.fail_next => {
            Err("The next upgrade is going to fail already.")
        }
        Deed::FailNextUpgrade => Ok(Stimulus::FailNextUpgrade),
        shared => super::shared(shared, place, existing().map(|_| ())),
    }
}

/// What the chapter's script creates under this key.
fn first_spec(chapter: &Chapter, resource: &str) -> Option<DatabaseSpec> {
    chapter
        .scenes
        .iter()
        .find_map(|scene| match &scene.stimulus {
            Stimulus::Create {
                key,
                replicas,
                version,
            } if key == resource => Some(DatabaseSpec {
                replicas: *replicas,
                version: *version,
            }),
            _ => None,
        })
}
