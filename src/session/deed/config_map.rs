//! The buttons of chapter two: what can be done to a config map and its controller now.

use super::{Deed, NO_OBJECT, Place};
use crate::engine::apiserver::{Body, Object};
use crate::engine::controller::configmap::LABEL;
use crate::engine::stimulus::{Manifest, Name, Patch, Stimulus};
use crate::engine::time::SimDuration;
use crate::frame::Informing;

pub(super) const DEEDS: [Deed; 15] = [
    Deed::Create,
    Deed::Peel,
    Deed::Relabel,
    Deed::ChangeData,
    Deed::Annotate,
    Deed::Burst,
    Deed::Delete,
    Deed::CreateMany,
    Deed::RefuseWrites,
    Deed::RefuseController,
    Deed::SwallowReconcile,
    Deed::LoseEvent,
    Deed::CloseWatch,
    Deed::ExpireWatch,
    Deed::RestartController,
];

/// How long writes are refused.
pub(super) const REFUSED: SimDuration = SimDuration::from_secs(3);
/// Config maps made at once: enough to empty the bucket.
pub(super) const MANY: u32 = 150;
const MANY_NAME: &str = "default/box";

/// The entry that is changed, and the values that it gets in turn.
const ENTRY: &str = "greeting";
const GREETINGS: [&str; 3] = ["world", "moon", "stars"];
/// The same for somebody else's annotation.
const NOTE: &str = "note";
const NOTES: [&str; 2] = ["seen", "seen again"];
/// Somebody else's label.
const STRANGER: &str = "somebody-else";

pub(super) fn stimulus(deed: Deed, place: &Place) -> Result<Stimulus, &'static str> {
    let view = place.view;
    let card = place.key().and_then(|key| view.config_maps.get(&key));
    let existing = || card.map(|card| &*card.object).ok_or(NO_OBJECT);
    let name = || Name::Borrowed(place.resource);
    match deed {
        Deed::Create if card.is_some() => Err("It exists already."),
        Deed::Create => Ok(Stimulus::CreateConfigMap {
            key: name(),
            manifest: Manifest {
                data: vec![(ENTRY.into(), GREETINGS[0].into())].into(),
                ..Manifest::default()
            },
        }),
        Deed::Peel => match label(existing()?) {
            None => Err("It has no such label."),
            Some(_) => Ok(Stimulus::label(name(), LABEL, None)),
        },
        Deed::Relabel => match label(existing()?) {
            Some(STRANGER) => Err("It says so already."),
            _ => Ok(Stimulus::label(name(), LABEL, Some(STRANGER.into()))),
        },
        Deed::ChangeData => {
            let now = match &existing()?.body {
                Body::ConfigMap(config) => config.data.get(ENTRY).map(|value| &**value),
                Body::DatabaseCluster(_) => None,
            };
            let data = vec![(ENTRY.into(), Some(after(&GREETINGS, now).into()))];
            Ok(Stimulus::Patch {
                key: name(),
                patch: Patch {
                    data: data.into(),
                    ..Patch::NONE
                },
            })
        }
        Deed::Annotate => {
            let now = existing()?.meta.annotations.get(NOTE);
            let value = after(&NOTES, now.map(|value| &**value));
            Ok(Stimulus::annotate(name(), NOTE, Some(value.into())))
        }
        Deed::CreateMany => {
            let first = place.keys.get(&format!("{MANY_NAME}-001"));
            match first.and_then(|key| view.config_maps.get(&key)) {
                Some(_) => Err("They exist already."),
                None => Ok(Stimulus::CreateMany {
                    name: MANY_NAME.into(),
                    count: MANY,
                }),
            }
        }
        Deed::RefuseWrites => Ok(Stimulus::RefuseWrites { span: REFUSED }),
        Deed::RefuseController => Ok(Stimulus::RefuseController),
        Deed::SwallowReconcile => Ok(Stimulus::SwallowReconcile),
        Deed::LoseEvent => Ok(Stimulus::LoseEvent),
        Deed::CloseWatch | Deed::ExpireWatch => {
            let watches = |informing: Informing| informing == Informing::Watching;
            match view.informer {
                Some(informer) if watches(informer.doing) && deed == Deed::CloseWatch => {
                    Ok(Stimulus::CloseWatch)
                }
                Some(informer) if watches(informer.doing) => Ok(Stimulus::ExpireWatch),
                _ => Err("No watch is open now."),
            }
        }
        shared => super::shared(shared, place, existing().map(|_| ())),
    }
}

fn label(object: &Object) -> Option<&str> {
    object.meta.labels.get(LABEL).map(|value| &**value)
}

/// The value that comes after the one that is there.
fn after<const N: usize>(values: &[&'static str; N], now: Option<&str>) -> &'static str {
    let place = values.iter().position(|&value| Some(value) == now);
    values[place.map_or(0, |place| (place + 1) % N)]
}
