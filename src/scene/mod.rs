//! The lessons, as data: a chapter is a list of scenes, a scene is a title, a claim, what people
//! do, and beats: captions, each anchored to a fact of the run.
//!
//! A scene runs nothing. The session plays the script and looks the anchors up in the records; the
//! terminal plays a whole chapter through; tests hold every claim against the engine.

mod anchor;
pub mod asked;
mod burst;
mod caption;
pub mod code;
mod configmap;
mod create;
mod delete;
pub mod knob;
mod own;
mod play;
mod question;
mod real;
mod scale;
mod second;
mod skin;
mod upgrade;

pub use anchor::{Anchor, What};
pub use caption::{fill, spaced};
pub use configmap::{CONFIG_MAP, HELLO, polls};
pub use own::{Later, OwnRun, Setting};
pub use play::{PLAY_MAX, Played};
pub use question::{Answers, Ask, Question};
pub use real::Station;
pub use skin::{HOUSEKEEPER, KUBERNETES, LaneWords, SKINS, Skin, Thing};

use crate::engine::knobs::{ControllerKind, Knobs, QueueKind};
use crate::engine::stimulus::{Name, Stimulus};
use crate::engine::time::{SimDuration, SimTime};

/// A caption, and the fact at which it is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beat {
    /// Plain words, at most about forty.
    pub caption: &'static str,
    /// Where playing stops for it.
    pub anchor: Anchor,
    /// Told only with this queue.
    pub only: Option<QueueKind>,
    /// Told in the scene's variant.
    pub variant: bool,
}

impl Beat {
    pub const fn new(anchor: Anchor, caption: &'static str) -> Beat {
        Beat {
            caption,
            anchor,
            only: None,
            variant: false,
        }
    }

    /// Told only with the queue of this kind.
    pub const fn only(self, queue: QueueKind) -> Beat {
        Beat {
            only: Some(queue),
            ..self
        }
    }

    /// Told in the variant of the scene.
    pub const fn variant(self) -> Beat {
        Beat {
            variant: true,
            ..self
        }
    }
}

/// One lesson.
#[derive(Debug, PartialEq)]
pub struct Scene {
    /// One or two words for the tab.
    pub tab: &'static str,
    /// Must not give away what the scene shows.
    pub title: &'static str,
    /// What the scene proves; a test bears it.
    pub claim: &'static str,
    /// The command line that the scene stands for, and what it does, where that needs saying.
    pub command: &'static str,
    pub note: Option<&'static str>,
    /// What people do at the scene's beginning. A burst's size and gap are the knobs'.
    pub stimulus: Stimulus,
    /// How long nothing further is done.
    pub rest: SimDuration,
    pub beats: &'static [Beat],
    /// What is done before the stimulus where the scene is replayed as a variant, and what the
    /// variant is called.
    pub variant: Option<Variant>,
    /// What the visitor may predict before it is shown.
    pub question: Option<Question>,
    /// Told in these words, until somebody chooses others.
    pub skin: Option<&'static Skin>,
    /// None: the scene is a part of the chapter's one run.
    pub own: Option<OwnRun>,
}

/// The same stretch once more, with one thing different.
#[derive(Debug, PartialEq)]
pub struct Variant {
    pub title: &'static str,
    /// What is done first: before the scene's stimulus, or in a run of its own in its place.
    pub stimulus: Stimulus,
    /// None: the same run as the scene's.
    pub own: Option<OwnRun>,
}

/// A course of scenes: one run, told in parts.
#[derive(Debug, PartialEq)]
pub struct Chapter {
    /// Its name in a link.
    pub id: &'static str,
    pub title: &'static str,
    /// The same in a word or two.
    pub name: &'static str,
    /// Whose life it tells.
    pub controller: ControllerKind,
    /// From the start of the controller to the first scene.
    pub lead_in: SimDuration,
    pub scenes: &'static [&'static Scene],
    /// The ways to tell it, the usual one first; none where there is only that.
    pub skins: &'static [&'static Skin],
    /// The objects that the page's buttons can act on.
    pub resources: &'static [&'static str],
    /// The lanes of its picture, in the order in which data flows.
    pub lanes: &'static [Station],
}

/// The seed of a run that nobody chose one for. In it no upgrade fails, with either preset: the
/// counters end where the lessons say. The first such seed, counted from 1.
pub const DEFAULT_SEED: u64 = 3;

/// The object of most scenes.
pub const PRODUCTION: &str = "default/production-postgres";
/// The object of scenes five and six.
pub const STAGING: &str = "default/staging-postgres";

/// The titles of all [`CHAPTERS`], and the same in a word or two: for whoever lists them and needs nothing of what they
/// tell.
pub const CHAPTER_NAMES: [(&str, &str); 2] = [
    ("The control loop", "Control loop"),
    ("The ConfigMap controller", "ConfigMap controller"),
];

/// Chapter one: the control loop in six scenes.
pub static CONTROL_LOOP: Chapter = Chapter {
    id: "control-loop",
    title: CHAPTER_NAMES[0].0,
    name: CHAPTER_NAMES[0].1,
    controller: ControllerKind::Database,
    lead_in: SimDuration::from_millis(100),
    scenes: &[
        &create::SCENE,
        &scale::SCENE,
        &upgrade::SCENE,
        &burst::SCENE,
        &second::SCENE,
        &delete::SCENE,
    ],
    skins: &[],
    resources: &[PRODUCTION, STAGING],
    lanes: &Station::ALL,
};

/// All chapters.
pub static CHAPTERS: [&Chapter; 2] = [&CONTROL_LOOP, &CONFIG_MAP];

impl Chapter {
    /// Can this be done here? In chapter one to one of its objects, or to none; in the chapter about
    /// config maps to any of these.
    pub fn offers(&self, stimulus: &Stimulus) -> bool {
        let known = |key| self.resources.contains(&key);
        match self.controller {
            ControllerKind::Database => {
                let data =
                    matches!(stimulus, Stimulus::Patch { patch, .. } if !patch.data.is_empty());
                !stimulus.is_about_config_maps() && !data && stimulus.key().is_none_or(known)
            }
            ControllerKind::ConfigMap => !stimulus.is_about_databases(),
        }
    }

    /// When each scene begins, and at the end when the last one is over. Depends on the knobs:
    /// a longer burst moves what follows.
    pub fn starts(&self, knobs: &Knobs) -> Vec<SimTime> {
        self.begins(knobs).collect()
    }

    fn begins(&self, knobs: &Knobs) -> impl Iterator<Item = SimTime> {
        let first = SimTime::ZERO + self.lead_in;
        let next = move |at: &mut SimTime, scene: &&Scene| {
            *at = *at + scene.writing_time(knobs) + scene.rest;
            Some(*at)
        };
        std::iter::once(first).chain(self.scenes.iter().scan(first, next))
    }

    /// What people do in the whole chapter, and when.
    pub fn script(&self, knobs: &Knobs) -> Vec<(SimTime, Stimulus)> {
        let stimuli = self.scenes.iter().map(|scene| scene.stimulus(knobs));
        self.starts(knobs).into_iter().zip(stimuli).collect()
    }

    /// The scene in which `time` lies, from 0; the last one also afterwards.
    pub fn scene_at(&self, knobs: &Knobs, time: SimTime) -> usize {
        let begins = self.begins(knobs).take(self.scenes.len());
        let begun = begins.take_while(|&begin| begin <= time);
        begun.count().saturating_sub(1)
    }
}

impl Scene {
    /// What people do, with the knobs' burst.
    pub fn stimulus(&self, knobs: &Knobs) -> Stimulus {
        match &self.stimulus {
            Stimulus::Burst { key, .. } => Stimulus::Burst {
                key: key.clone(),
                count: knobs.burst_count,
                gap: knobs.burst_gap,
            },
            stimulus => stimulus.clone(),
        }
    }

    fn writing_time(&self, knobs: &Knobs) -> SimDuration {
        match self.stimulus {
            Stimulus::Burst { .. } => SimDuration(
                knobs
                    .burst_gap
                    .0
                    .saturating_mul(i64::from(knobs.burst_count)),
            ),
            _ => SimDuration::ZERO,
        }
    }

    /// The beats told with this queue, in order.
    pub fn beats(&self, queue: QueueKind) -> impl Iterator<Item = &'static Beat> + use<> {
        self.beats
            .iter()
            .filter(move |beat| beat.only.is_none_or(|only| only == queue))
    }
}

/// A name that lives as long as the program.
const fn name(name: &'static str) -> Name {
    Name::Borrowed(name)
}
