//! Chapter two: the ConfigMap controller. Every scene is a run of its own, since each needs other
//! knobs or another past.

mod cache;
mod fire_drill;
mod grave;
mod hotel;
mod label;
mod peel;
mod refused;
mod scribble;
mod two_writers;

use super::{CHAPTER_NAMES, Chapter, Later, SKINS, Station};
use crate::engine::knobs::ControllerKind;
use crate::engine::stimulus::{Changes, Entries, Manifest, Name, Patch, Stimulus};
use crate::engine::time::SimDuration;
use std::borrow::Cow;

/// The config map of most scenes.
pub const HELLO: &str = "default/hello";
/// Another one.
const SETTINGS: &str = "default/settings";

/// Chapter two: the ConfigMap controller.
pub static CONFIG_MAP: Chapter = Chapter {
    id: "configmap",
    title: CHAPTER_NAMES[1].0,
    name: CHAPTER_NAMES[1].1,
    controller: ControllerKind::ConfigMap,
    lead_in: SimDuration::ZERO,
    scenes: &[
        &cache::SCENE,
        &label::SCENE,
        &peel::SCENE,
        &grave::SCENE,
        &refused::SCENE,
        &fire_drill::SCENE,
        &two_writers::SCENE,
        &scribble::SCENE,
        &hotel::SCENE,
    ],
    skins: &SKINS,
    resources: &[HELLO, SETTINGS],
    lanes: &[
        Station::Store,
        Station::Informer,
        Station::Queue,
        Station::Reconcile,
    ],
};

/// How many requests a poller makes in `span`, the first at its beginning and then one every
/// `every`.
pub fn polls(span: SimDuration, every: SimDuration) -> u64 {
    let (span, every) = (span.0.max(0) as u64, every.0.max(1) as u64);
    span.div_ceil(every)
}

const fn word(word: &'static str) -> Name {
    Cow::Borrowed(word)
}

const GREETING: &[(Name, Name)] = &[(word("greeting"), word("world"))];
const LABEL: &[(Name, Name)] = &[(word("managed-by"), word("configmap-controller"))];
const NO_LABEL: &[(Name, Option<Name>)] = &[(word("managed-by"), None)];

/// Create a config map, without the label.
const fn create(key: &'static str) -> Stimulus {
    Stimulus::CreateConfigMap {
        key: word(key),
        manifest: Manifest::data(GREETING),
    }
}

/// Create a config map that carries the label already.
const fn create_labelled(key: &'static str) -> Stimulus {
    let labels: Entries = Cow::Borrowed(LABEL);
    Stimulus::CreateConfigMap {
        key: word(key),
        manifest: Manifest {
            data: Cow::Borrowed(GREETING),
            labels,
            annotations: Cow::Borrowed(&[]),
        },
    }
}

/// Take the label off.
const fn peel(key: &'static str) -> Stimulus {
    let labels: Changes = Cow::Borrowed(NO_LABEL);
    Stimulus::Patch {
        key: word(key),
        patch: Patch {
            labels,
            annotations: Cow::Borrowed(&[]),
            data: Cow::Borrowed(&[]),
        },
    }
}

const NOTE: &[(Name, Option<Name>)] = &[(word("note"), Some(word("seen")))];

/// Set an annotation: a change that has nothing to do with the label.
const fn annotate(key: &'static str) -> Stimulus {
    let annotations: Changes = Cow::Borrowed(NOTE);
    Stimulus::Patch {
        key: word(key),
        patch: Patch {
            labels: Cow::Borrowed(&[]),
            annotations,
            data: Cow::Borrowed(&[]),
        },
    }
}

const fn delete(key: &'static str) -> Stimulus {
    Stimulus::Delete { key: word(key) }
}

const fn millis(millis: i64) -> SimDuration {
    SimDuration::from_millis(millis)
}

/// `hello` exists and has got its label, before the scene begins.
const HELLO_BEFORE: &[Later] = &[(millis(100), create(HELLO))];
/// When a scene with a past begins.
const AFTER_A_SECOND: SimDuration = millis(1000);
