//! Changing the run: acting, other knobs, another seed; and taking it back.

use super::{Motion, Origin, Pace, Placed, Run, Saved, Session, Telling, UNDO_MAX, story};
use crate::engine::knobs::Knobs;
use crate::engine::record::Fact;
use crate::engine::stimulus::Stimulus;
use std::rc::Rc;

/// Changing the run.
impl Session {
    pub(super) fn act(&mut self, stimulus: Stimulus) {
        self.finish_motion();
        self.save();
        self.before = None;
        let playhead = self.playhead();
        let run = match (&mut self.variant, self.telling) {
            (Some(variant), Telling::Variant) => variant,
            _ => &mut self.main,
        };
        let after = run.act(playhead, stimulus);
        let tempo = run.tempo();
        self.story = if after > playhead.applied {
            tempo.after(after)
        } else {
            tempo.story_of(playhead)
        };
        // Let it be seen: play on until the loop rests again.
        let records = &run.records()[after as usize..];
        let rest = records
            .iter()
            .position(|record| record.fact == Fact::Rested);
        let stop = rest.map(|rest| tempo.after(after + rest as u32 + 1));
        self.draw(after.max(playhead.applied));
        if self.telling == Telling::Main {
            self.variant = None;
        }
        self.tell();
        self.follow_cursor();
        self.motion = Motion::Forward { stop };
    }

    pub(super) fn rebuild(&mut self, stimuli: Vec<Placed>, variant_stimuli: Vec<Placed>) {
        let origin = Origin {
            knobs: self.knobs.clone(),
            seed: self.seed,
            script: self.chapter.script(&self.knobs),
        };
        self.main = Run::new(origin, stimuli, self.pace);
        self.variant = (self.chapter.scenes[self.scene].variant.is_some())
            .then(|| self.variant_run(variant_stimuli));
        self.tell();
    }

    pub(super) fn change_knobs(&mut self, knobs: Knobs) {
        if knobs != *self.knobs {
            let before = self.outlook();
            self.save();
            self.knobs = Rc::new(knobs);
            self.replay_to_scene();
            self.before = Some(before);
        }
    }

    /// Other knobs or another seed: the same stimuli again, up to the current scene's beginning.
    pub(super) fn replay_to_scene(&mut self) {
        let replaced = |placed: &Placed| Placed {
            after: None,
            ..placed.clone()
        };
        let stimuli = self.main.stimuli().iter().map(replaced).collect();
        self.variant = None;
        self.rebuild(stimuli, Vec::new());
        self.telling = Telling::Main;
        self.story = 0.0;
        self.draw(0);
        self.go_to_scene(self.scene);
    }

    pub(super) fn set_pace(&mut self, pace: Pace) {
        let playhead = self.playhead();
        self.pace = pace;
        self.main.set_pace(pace);
        if let Some(variant) = &mut self.variant {
            variant.set_pace(pace);
        }
        self.motion = Motion::Paused;
        self.story = self.run().tempo().story_of(playhead);
    }

    pub(super) fn saved(&self) -> Saved {
        let begin = story::bounds(self.chapter, &self.main, self.scene).0;
        let own = |run: &Run| {
            let later = run.stimuli().iter().filter(|placed| placed.at >= begin);
            later.cloned().collect()
        };
        Saved {
            knobs: self.knobs.clone(),
            seed: self.seed,
            stimuli: self.main.stimuli().to_vec(),
            variant_stimuli: self.variant.as_ref().map(own).unwrap_or_default(),
            playhead: self.playhead(),
            scene: self.scene,
            step: self.step,
            telling: self.telling,
        }
    }

    pub(super) fn save(&mut self) {
        if self.undo.len() == UNDO_MAX {
            self.undo.remove(0);
        }
        self.undo.push(self.saved());
        self.redo.clear();
    }

    pub(super) fn take_back(&mut self) {
        if let Some(saved) = self.undo.pop() {
            self.redo.push(self.saved());
            self.restore(saved);
        }
    }

    pub(super) fn do_again(&mut self) {
        if let Some(saved) = self.redo.pop() {
            self.undo.push(self.saved());
            self.restore(saved);
        }
    }

    pub(super) fn restore(&mut self, saved: Saved) {
        self.motion = Motion::Paused;
        let other_knobs = saved.knobs != self.knobs;
        self.before = other_knobs.then(|| self.outlook());
        self.knobs = saved.knobs;
        self.seed = saved.seed;
        self.scene = saved.scene;
        self.variant = None;
        self.rebuild(saved.stimuli, saved.variant_stimuli);
        self.telling = saved.telling;
        self.step = saved.step.min(self.steps.len().saturating_sub(1));
        self.story = self.run().tempo().story_of(saved.playhead);
        self.draw(self.playhead().applied);
    }
}
