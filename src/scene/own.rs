//! Scenes that are a run each: their settings, what has happened before, and what follows.
//!
//! The scenes of chapter one are parts of one run, told one after the other. A scene that needs
//! knobs of its own, or a past of its own, is a run of its own instead. Whoever plays a scene asks
//! the chapter and need not know which of the two it is.

use super::{Chapter, Scene};
use crate::engine::knobs::{ControllerKind, Knobs, Preset};
use crate::engine::stimulus::Stimulus;
use crate::engine::time::{SimDuration, SimTime};
use std::fmt;

/// One knob, set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    DeepCopy(bool),
    DeleteHandler(bool),
    WaitOnConflict(bool),
    /// Zero: never.
    Resync(SimDuration),
    RequestLatency(SimDuration),
    WatchDelay(SimDuration),
}

impl Setting {
    /// Set the knob.
    pub fn apply(self, knobs: &mut Knobs) {
        match self {
            Setting::DeepCopy(on) => knobs.deep_copy = on,
            Setting::DeleteHandler(on) => knobs.delete_handler = on,
            Setting::WaitOnConflict(on) => knobs.wait_on_conflict = on,
            Setting::Resync(period) => knobs.resync = period,
            Setting::RequestLatency(time) => knobs.request_latency = time,
            Setting::WatchDelay(time) => knobs.watch_delay = time,
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let switch = |on: bool| if on { "on" } else { "off" };
        match self {
            Setting::DeepCopy(on) => write!(f, "deep copy {}", switch(*on)),
            Setting::DeleteHandler(on) => write!(f, "delete handler {}", switch(*on)),
            Setting::WaitOnConflict(true) => f.write_str("on 409 return and wait"),
            Setting::WaitOnConflict(false) => f.write_str("on 409 try again"),
            Setting::Resync(SimDuration::ZERO) => f.write_str("resync off"),
            Setting::Resync(period) => write!(f, "resync every {period}"),
            Setting::RequestLatency(time) => write!(f, "requests take {time} each way"),
            Setting::WatchDelay(time) => write!(f, "events take {time}"),
        }
    }
}

/// What people do so long after a beginning.
pub type Later = (SimDuration, Stimulus);

/// A run that one scene has for itself.
#[derive(Debug, PartialEq)]
pub struct OwnRun {
    /// What is different from the chapter's usual knobs.
    pub settings: &'static [Setting],
    /// What has been done since the run began, and when.
    pub before: &'static [Later],
    /// When the scene begins.
    pub begins: SimDuration,
    /// What is done after the scene's first stimulus, counted from its beginning.
    pub then: &'static [Later],
}

impl OwnRun {
    /// All that is done, `first` at the scene's beginning.
    pub fn script(&self, first: &Stimulus) -> Vec<(SimTime, Stimulus)> {
        let begin = SimTime::ZERO + self.begins;
        let after = |time: SimTime| move |(wait, what): &Later| (time + *wait, what.clone());
        let before = self.before.iter().map(after(SimTime::ZERO));
        let then = self.then.iter().map(after(begin));
        before.chain([(begin, first.clone())]).chain(then).collect()
    }
}

impl Scene {
    /// The run of the scene's variant, where that is one of its own.
    fn own_variant(&self) -> Option<(&Stimulus, &OwnRun)> {
        let variant = self.variant.as_ref()?;
        Some((&variant.stimulus, variant.own.as_ref()?))
    }
}

impl Chapter {
    /// The knobs that a scene has, if nobody turns any.
    pub fn knobs(&self, scene: usize) -> Knobs {
        let mut knobs = match self.controller {
            ControllerKind::Database => Preset::ClientGo.knobs(),
            ControllerKind::ConfigMap => Knobs::config_map(),
        };
        let own = self.scenes[scene].own.as_ref();
        let settings = own.map_or(&[][..], |own| own.settings);
        settings
            .iter()
            .for_each(|setting| setting.apply(&mut knobs));
        knobs
    }

    /// The knobs of a scene's variant, in a world where the scene has these.
    pub fn variant_knobs(&self, scene: usize, knobs: &Knobs) -> Knobs {
        let mut knobs = knobs.clone();
        let own = self.scenes[scene].own_variant();
        let settings = own.map_or(&[][..], |(_, own)| own.settings);
        settings
            .iter()
            .for_each(|setting| setting.apply(&mut knobs));
        knobs
    }

    /// Are these two scenes parts of one run?
    pub fn share_run(&self, one: usize, other: usize) -> bool {
        one == other || self.scenes[one].own.is_none() && self.scenes[other].own.is_none()
    }

    /// What people do in the run that a scene belongs to.
    pub fn script_of(&self, scene: usize, knobs: &Knobs) -> Vec<(SimTime, Stimulus)> {
        match &self.scenes[scene].own {
            Some(own) => own.script(&self.scenes[scene].stimulus),
            None => self.script(knobs),
        }
    }

    /// What people do in the run of a scene's variant.
    pub fn variant_script(&self, scene: usize, knobs: &Knobs) -> Vec<(SimTime, Stimulus)> {
        if let Some((first, own)) = self.scenes[scene].own_variant() {
            return own.script(first);
        }
        // The same up to the scene, one thing more at its beginning, and nothing after it.
        let mut script = self.script_of(scene, knobs);
        if let (Some(variant), None) = (&self.scenes[scene].variant, &self.scenes[scene].own) {
            script.truncate(scene + 1);
            let begin = script[scene].0;
            script.insert(scene, (begin, variant.stimulus.clone()));
        }
        script
    }

    /// When a scene begins in its run, and when the next one does, if it is in the same.
    pub fn bounds(&self, scene: usize, knobs: &Knobs) -> (SimTime, Option<SimTime>) {
        if let Some(own) = &self.scenes[scene].own {
            return (SimTime::ZERO + own.begins, None);
        }
        let starts = self.starts(knobs);
        let end = (scene + 1 < self.scenes.len()).then(|| starts[scene + 1]);
        (starts[scene], end)
    }

    /// Where a scene's run is left: one with an informer would go on for ever, resync by resync.
    pub fn horizon(&self, scene: usize) -> Option<SimTime> {
        let scene = self.scenes[scene];
        let own = scene.own.as_ref()?;
        Some(SimTime::ZERO + own.begins + scene.rest)
    }
}
