//! Changing the run: acting, other knobs, another seed; and taking it back.

use super::{
    Motion, Origin, Pace, Placed, Playhead, Run, STIMULI_MAX, Saved, Session, Stimuli, Telling,
    Tempo,
};
use crate::engine::knobs::Knobs;
use crate::engine::record::Fact;
use crate::engine::stimulus::{Actor, Stimulus};
use crate::engine::time::SimTime;
use crate::scene::knob::carry;
use std::rc::Rc;

/// Changing the run.
impl Session {
    /// Can nothing more be done to the run at the cursor? A run keeps [`STIMULI_MAX`] of the
    /// visitor's stimuli, and is left after [`FACTS_MAX`](super::FACTS_MAX) facts or at
    /// [`RUN_MAX`](super::RUN_MAX).
    pub fn is_full(&self) -> bool {
        !self.has_room_for(1)
    }

    /// Can so many things be done at the cursor?
    pub fn has_room_for(&self, stimuli: usize) -> bool {
        let (run, playhead) = (self.run(), self.playhead());
        let over = run.is_cut() && self.story >= self.tempo.end();
        !over && run.stimuli_before(playhead) + stimuli <= STIMULI_MAX
    }

    /// Can this be done here and now?
    pub fn takes(&self, stimuli: &[Stimulus]) -> bool {
        let fine = |done: &Stimulus| self.chapter.offers(done) && done.check().is_ok();
        !stimuli.is_empty() && self.has_room_for(stimuli.len()) && stimuli.iter().all(fine)
    }

    pub(super) fn act(&mut self, stimulus: Stimulus) {
        self.act_all(vec![stimulus], false);
    }

    /// Acts at the cursor. `answered`: the cursor moves to where the API server has answered.
    pub(super) fn act_all(&mut self, stimuli: Vec<Stimulus>, answered: bool) {
        let ahead = self.own_act_ahead();
        // At the moment that was seen, in the middle of a step too.
        self.motion = Motion::Paused;
        if !self.takes(&stimuli) {
            return;
        }
        self.save();
        if let Some(seen) = ahead {
            self.story = self.tempo.after(seen);
        }
        self.before = None;
        let playhead = self.playhead();
        let count = stimuli.len();
        let after = self.run_mut().act(playhead, stimuli);
        if self.telling == Telling::Main {
            self.variant = None;
        }
        self.tempo.forget_after(after);
        self.renew_beside();
        self.tell();
        let seen = match answered {
            true => self.run().answers(count).last().map(|answer| answer.id + 1),
            false => None,
        };
        let seen = seen.unwrap_or(after).max(after);
        self.story = if seen > playhead.applied {
            self.tempo.after(seen)
        } else {
            self.tempo.story_of(playhead)
        };
        self.redraw();
        self.follow_cursor();
        let stop = self.consequence(after, answered);
        self.motion = Motion::Forward { stop };
    }

    /// The facts up to an act of the visitor's that is about to be seen, at the cursor's very instant: who presses a
    /// button twice between two frames means both.
    fn own_act_ahead(&self) -> Option<u32> {
        let playhead = self.playhead();
        let ahead = self.run().record(playhead.applied)?;
        let goes_on = matches!(self.motion, Motion::Forward { .. });
        let is_own = matches!(
            ahead.fact,
            Fact::Acted {
                actor: Actor::Visitor,
                ..
            }
        );
        let is_now = ahead.at.0 as f64 <= playhead.time.ceil();
        (goes_on && is_own && is_now).then_some(playhead.applied + 1)
    }

    /// Where the consequence of an act has been seen that was placed after `after` facts: when the
    /// loop rests again, and in any case before the script goes on. Nowhere, where neither comes.
    /// Where the act was `answered`, what the script does to other objects at that instant is let
    /// pass: else nothing that is typed at a scene's beginning would have any.
    fn consequence(&self, after: u32, answered: bool) -> Option<f64> {
        let ahead = self.run().facts(after as usize..);
        let at = self.run().record(after).map(|record| record.at);
        let acted = self.run().stimuli();
        let is_of_others = |stimulus: &Stimulus| {
            let known = |placed: &Placed| placed.stimulus.key() == stimulus.key();
            stimulus.key().is_some() && !acted.iter().any(known)
        };
        let mut quiet = true;
        for record in ahead.skip(1) {
            let id = record.id;
            match record.fact {
                Fact::Rested => return Some(self.tempo.after(id + 1)),
                Fact::Acted {
                    actor: Actor::Script,
                    ref stimulus,
                } if answered && Some(record.at) == at && is_of_others(stimulus) => {}
                // Nothing came of it: it has been seen as soon as it is done.
                Fact::Acted {
                    actor: Actor::Script,
                    ..
                } if quiet => {
                    return Some(self.tempo.after(after + 1));
                }
                Fact::Acted {
                    actor: Actor::Script,
                    ..
                } => return Some(self.tempo.before(id)),
                _ => quiet = false,
            }
        }
        None
    }

    /// Another run is looked at, or another one beside it: map to story time anew, and go to the beginning.
    pub(super) fn retime(&mut self) {
        self.tempo = Tempo::new(self.tempo.pace());
        self.renew_beside();
        self.catch_up();
        self.story = 0.0;
        self.redraw();
    }

    /// The run beside follows what became of the one that is looked at.
    fn renew_beside(&mut self) {
        self.beside = self.compared.clone().map(|knobs| self.run_beside(knobs));
    }

    /// The run that is looked at, with other knobs: the same stimuli at the same instants.
    fn run_beside(&self, knobs: Rc<Knobs>) -> Run {
        let run = self.run();
        let origin = Origin::of(self.chapter, self.scene, self.telling, knobs, self.seed);
        Run::new(origin, replaced(run.stimuli()))
    }

    pub(super) fn compare(&mut self, knobs: Option<Rc<Knobs>>) {
        let mut playhead = self.playhead();
        self.motion = Motion::Paused;
        self.compared = knobs;
        self.retime();
        if playhead.moves_beside {
            // The fact that moved was the other run's; this run's latest has been seen.
            playhead.share = 1.0;
        }
        // At one instant the leading run's facts come first.
        let now = SimTime(playhead.time.round() as i64);
        let beside = self.beside.as_ref().map_or(0, |run| run.facts_before(now));
        playhead.beside = beside as u32;
        self.move_to(self.tempo.story_of(playhead));
    }

    pub(super) fn rebuild(&mut self, stimuli: Vec<Placed>, variant_stimuli: Option<Vec<Placed>>) {
        let knobs = self.knobs.clone();
        let origin = Origin::of(self.chapter, self.scene, Telling::Main, knobs, self.seed);
        self.main = Run::new(origin, stimuli);
        self.variant = (self.chapter.scenes[self.scene].variant.is_some())
            .then(|| self.variant_run(variant_stimuli));
        self.tempo.forget_after(0);
        self.renew_beside();
        self.tell();
        self.story = 0.0;
        self.redraw();
    }

    pub(super) fn change_knobs(&mut self, knobs: Knobs) {
        if knobs != *self.knobs && knobs.check().is_ok() {
            let before = self.outlook();
            self.save();
            self.turn(Rc::new(knobs));
            self.replay_to_scene();
            self.before = Some(before);
        }
    }

    /// What is different in the run beside stays different.
    fn turn(&mut self, knobs: Rc<Knobs>) {
        if let Some(beside) = &self.compared {
            self.compared = Some(Rc::new(carry(&self.knobs, beside, &knobs)));
        }
        self.knobs = knobs;
    }

    /// Other knobs or another seed: the same stimuli again, up to the current scene's beginning.
    pub(super) fn replay_to_scene(&mut self) {
        let stimuli = replaced(self.main.stimuli());
        self.telling = Telling::Main;
        self.rebuild(stimuli, None);
        self.go_to_scene(self.scene);
    }

    pub(super) fn set_pace(&mut self, pace: Pace) {
        let playhead = self.playhead();
        self.motion = Motion::Paused;
        self.tempo.set_pace(pace);
        self.move_to(self.tempo.story_of(playhead));
    }

    pub(super) fn saved(&self) -> Saved {
        Saved {
            knobs: self.knobs.clone(),
            seed: self.seed,
            stimuli: self.main.stimuli().into(),
            variant_stimuli: self.variant_stimuli().as_deref().map(Stimuli::from),
            playhead: self.playhead(),
            scene: self.scene,
            step: self.step,
            telling: self.telling,
        }
    }

    /// What the visitor did in the variant's run, where it is not what they did in the main run.
    pub(super) fn variant_stimuli(&self) -> Option<Vec<Placed>> {
        let own = self.variant.as_ref()?.stimuli();
        (own != self.stimuli_before_scene()).then(|| own.to_vec())
    }

    pub(super) fn save(&mut self) {
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
        self.turn(saved.knobs);
        self.seed = saved.seed;
        self.scene = saved.scene;
        self.telling = saved.telling;
        let variant_stimuli = saved.variant_stimuli.map(Stimuli::into_all);
        self.rebuild(saved.stimuli.into_all(), variant_stimuli);
        self.step = saved.step.min(self.steps.len().saturating_sub(1));
        self.stand_at(saved.playhead);
    }

    /// Put the cursor there, in a run that may not be played that far yet.
    pub(super) fn stand_at(&mut self, playhead: Playhead) {
        self.run_mut().play_ahead_of(playhead.applied);
        if let Some(beside) = &mut self.beside {
            beside.play_ahead_of(playhead.beside);
        }
        self.catch_up();
        self.move_to(self.tempo.story_of(playhead));
    }

    /// The run that is looked at, to be changed.
    pub(super) fn run_mut(&mut self) -> &mut Run {
        match (&mut self.variant, self.telling) {
            (Some(variant), Telling::Variant) => variant,
            _ => &mut self.main,
        }
    }
}

/// The same stimuli for a run with other knobs: only their instants mean anything there.
fn replaced(stimuli: &[Placed]) -> Vec<Placed> {
    let replaced = |placed: &Placed| Placed {
        after: None,
        ..placed.clone()
    };
    stimuli.iter().map(replaced).collect()
}
