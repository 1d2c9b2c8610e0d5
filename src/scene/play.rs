//! A chapter played from beginning to end, by its script alone: what the terminal shows and what
//! the tests hold the claims against.

use super::Chapter;
use crate::engine::cluster::Cluster;
use crate::engine::knobs::Knobs;
use crate::engine::record::{Fact, Record};
use crate::engine::stimulus::Actor;
use crate::engine::time::{SimDuration, SimTime};
use std::ops::Range;
use std::rc::Rc;

/// No run is followed longer than this. One that is retried comes to rest almost surely, but only
/// almost.
pub const PLAY_MAX: SimDuration = SimDuration::from_secs(3600);

/// A chapter that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The cluster as it stands at the end.
    pub cluster: Cluster,
    pub records: Vec<Record>,
    /// When each scene begins, and at last when the script is over.
    pub starts: Vec<SimTime>,
}

impl Chapter {
    /// The cluster at time zero, with all that the script will do.
    pub fn stage(&self, knobs: &Rc<Knobs>, seed: u64) -> Cluster {
        let mut cluster = Cluster::new(knobs.clone(), seed);
        for (due, stimulus) in self.script(knobs) {
            cluster.inject(due, Actor::Script, stimulus);
        }
        cluster
    }

    /// Play the script, and on until nothing is left to happen.
    pub fn play(&self, knobs: &Rc<Knobs>, seed: u64) -> Played {
        let mut cluster = self.stage(knobs, seed);
        let mut records = Vec::new();
        while cluster
            .next_due()
            .is_some_and(|due| due - SimTime::ZERO <= PLAY_MAX)
        {
            cluster.play_next(&mut records);
        }
        Played {
            cluster,
            records,
            starts: self.starts(knobs),
        }
    }
}

/// Scenes that are a run each.
impl Chapter {
    /// Play a scene, or its variant, up to where its run is left.
    pub fn play_scene(&self, scene: usize, variant: bool, seed: u64) -> Played {
        let mut knobs = self.knobs(scene);
        let mut script = self.script_of(scene, &knobs);
        if variant {
            knobs = self.variant_knobs(scene, &knobs);
            script = self.variant_script(scene, &knobs);
        }
        let begin = self.bounds(scene, &knobs).0;
        let end = self.horizon(scene).unwrap_or(SimTime::ZERO + PLAY_MAX);
        let mut cluster = Cluster::new(Rc::new(knobs), seed);
        for (due, stimulus) in script {
            cluster.inject(due, Actor::Script, stimulus);
        }
        let mut records = Vec::new();
        while cluster.next_due().is_some_and(|due| due <= end) {
            cluster.play_next(&mut records);
        }
        Played {
            cluster,
            records,
            starts: vec![begin, end],
        }
    }
}

impl Played {
    /// Did it come to an end, or was it cut off at [`PLAY_MAX`]?
    pub fn is_over(&self) -> bool {
        self.cluster.next_due().is_none()
    }

    /// Where the records of a scene (from 0) are: from its beginning to the beginning of the next,
    /// and of the last one to the end.
    pub fn window(&self, scene: usize) -> Range<usize> {
        let place = |start: SimTime| self.records.partition_point(|record| record.at < start);
        let is_last = scene + 2 >= self.starts.len();
        let end = if is_last {
            self.records.len()
        } else {
            place(self.starts[scene + 1])
        };
        place(self.starts[scene])..end
    }

    /// The records of a scene (from 0), or of all, as JSON Lines.
    pub fn json_lines(&self, scene: Option<usize>) -> String {
        let window = scene.map_or(0..self.records.len(), |scene| self.window(scene));
        let keys = self.cluster.keys();
        let lines = self.records[window].iter();
        lines.map(|record| record.to_json(keys) + "\n").collect()
    }

    /// Reconciles begun in each scene.
    pub fn reconciles_by_scene(&self) -> Vec<usize> {
        let begun = |record: &&Record| matches!(record.fact, Fact::Started { .. });
        (0..self.starts.len() - 1)
            .map(|scene| {
                self.records[self.window(scene)]
                    .iter()
                    .filter(begun)
                    .count()
            })
            .collect()
    }
}
