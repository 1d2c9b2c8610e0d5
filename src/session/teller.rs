//! Telling the story: which step is read, and how the cursor comes to it.

use super::story::{self, Step, Stop};
use super::{Motion, Origin, Placed, Playhead, Run, Session, Telling};
use crate::engine::time::SimTime;
use crate::scene::{Answers, Ask, Question};
use std::rc::Rc;

/// The story.
impl Session {
    /// Look the scene's beats up again; to be called whenever scene or runs have changed.
    pub(super) fn tell(&mut self) {
        let scene = self.chapter.scenes[self.scene];
        if scene.variant.is_some() && self.variant.is_none() {
            self.variant = Some(self.variant_run(None));
        } else if scene.variant.is_none() {
            self.variant = None;
        }
        let (begin, end) = story::bounds(self.chapter, &self.main, self.scene);
        self.main.play_scene(begin, end);
        if let Some(variant) = &mut self.variant {
            variant.play_scene(begin, None);
        }
        let beats = || scene.beats(self.knobs.queue);
        let mut steps = story::tell(beats(), Telling::Main, &self.main, begin, end);
        if let Some(variant) = &self.variant {
            steps.extend(story::tell(beats(), Telling::Variant, variant, begin, None));
        }
        self.steps = steps;
        self.answers.take();
        self.catch_up();
    }

    /// The scene's question with the answers that this run gives.
    fn ask(&self) -> Option<(Question, Answers)> {
        let (begin, end) = story::bounds(self.chapter, &self.main, self.scene);
        let question = self.chapter.scenes[self.scene].question?;
        let facts = match (question.ask, &self.variant) {
            (Ask::FailedUpgrade, Some(variant)) => story::facts(variant, begin, None),
            _ => story::facts(&self.main, begin, end),
        };
        Some((question, question.answers(facts, &self.knobs)))
    }

    /// The run of the scene's variant, such as the same up to the scene and then something else. The
    /// visitor's stimuli are those given, or else what they did in the main run before the scene.
    pub(super) fn variant_run(&self, stimuli: Option<Vec<Placed>>) -> Run {
        let knobs = Rc::new(self.chapter.variant_knobs(self.scene, &self.knobs));
        let origin = Origin::of(self.chapter, self.scene, Telling::Variant, knobs, self.seed);
        let stimuli = stimuli.unwrap_or_else(|| self.stimuli_before_scene());
        Run::new(origin, stimuli)
    }

    /// What the visitor did in the main run before the scene.
    pub(super) fn stimuli_before_scene(&self) -> Vec<Placed> {
        let (begin, _) = story::bounds(self.chapter, &self.main, self.scene);
        let stimuli = self.main.stimuli().iter();
        let earlier = stimuli.take_while(|placed| placed.at < begin);
        earlier.cloned().collect()
    }

    pub(super) fn go_to_scene(&mut self, scene: usize) {
        self.motion = Motion::Paused;
        self.switch(Telling::Main);
        self.enter(scene);
        self.tell();
        self.show_step(0);
    }

    /// Another scene is told; if it is no part of this run, in its own, as it is if nobody turns or
    /// does anything.
    fn enter(&mut self, scene: usize) {
        if scene == self.scene {
            return;
        }
        self.variant = None;
        let apart = !self.chapter.share_run(scene, self.scene);
        if apart && !self.main.stimuli().is_empty() {
            self.save();
        }
        self.scene = scene;
        if apart {
            self.knobs = Rc::new(self.chapter.knobs(scene));
            self.compared = None;
            self.before = None;
            self.telling = Telling::Main;
            self.rebuild(Vec::new(), None);
        }
    }

    /// Stand at a step, at once.
    pub(super) fn show_step(&mut self, step: usize) {
        self.step = step;
        let told = self.steps[step];
        self.switch(told.telling);
        if let Some(story) = self.place(told.stop) {
            self.move_to(story);
        }
    }

    /// Look at the other run.
    pub(super) fn switch(&mut self, telling: Telling) {
        if self.telling != telling {
            self.telling = telling;
            self.retime();
        }
    }

    /// The scene's question with the answers that this run gives, and whether it has shown the right
    /// one yet.
    pub fn question(&self) -> Option<(Question, &Answers, bool)> {
        let (question, answers) = self.answers.get_or_init(|| self.ask()).as_ref()?;
        let mut steps = self.steps.iter();
        let shows = match question.shown_at {
            Some(anchor) => steps.position(|step| step.beat.anchor == anchor),
            None => steps.rposition(|step| step.telling == Telling::Main),
        };
        let shown = shows.is_some_and(|shows| self.step >= shows);
        Some((*question, answers, shown))
    }

    /// The story time of a step's stop, in the run that is looked at.
    pub fn place(&self, stop: Stop) -> Option<f64> {
        match stop {
            Stop::Before(fact) => Some(self.tempo.before(fact)),
            Stop::After(fact) => Some(self.tempo.after(fact + 1)),
            Stop::Nowhere => None,
        }
    }

    pub(super) fn next_step(&mut self) {
        if let Some(stop) = self.interrupted.take() {
            self.play_until(stop, Motion::Step { stop });
            return;
        }
        let motion = self.motion;
        self.finish_motion();
        if let Motion::Step { stop } = motion
            && self.story < stop
        {
            self.interrupted = Some(stop);
            return;
        }
        if self.step + 1 < self.steps.len() {
            self.step += 1;
        } else if self.scene + 1 < self.chapter.scenes.len() {
            let back_from_variant = self.telling == Telling::Variant;
            let apart = !self.chapter.share_run(self.scene, self.scene + 1);
            self.enter(self.scene + 1);
            self.step = 0;
            self.switch(Telling::Main);
            self.tell();
            if back_from_variant || apart {
                self.show_step(0);
                return;
            }
        } else {
            return;
        }
        let told = self.steps[self.step];
        if told.telling != self.telling {
            self.show_step(self.step);
        } else if let Some(stop) = self.place(told.stop) {
            self.play_until(stop, Motion::Step { stop });
        }
    }

    pub(super) fn previous_step(&mut self) {
        self.motion = Motion::Paused;
        if self.step > 0 {
            self.show_step(self.step - 1);
        } else if self.scene > 0 {
            self.go_to_scene(self.scene - 1);
            self.show_step(self.steps.len() - 1);
        }
    }

    /// The cursor moved freely: tell the step whose fact has happened last.
    pub(super) fn follow_cursor(&mut self) {
        let playhead = self.playhead();
        if self.telling == Telling::Main {
            let scene = self.scene_of(playhead);
            if scene != self.scene {
                self.scene = scene;
                self.variant = None;
                self.tell();
            }
        }
        self.step = self.step_at(playhead);
    }

    /// The step of the scene whose fact has happened last at a cursor.
    pub(super) fn step_at(&self, playhead: Playhead) -> usize {
        let reached = |step: &Step| match step.stop {
            Stop::Before(fact) => fact <= playhead.applied,
            Stop::After(fact) => fact < playhead.applied,
            Stop::Nowhere => false,
        };
        let telling = self.telling;
        let told = self
            .steps
            .iter()
            .rposition(|step| step.telling == telling && reached(step));
        let first = self.steps.iter().position(|step| step.telling == telling);
        told.or(first).unwrap_or(0)
    }

    /// The scene of a cursor: a scene begins just before its first fact.
    pub(super) fn scene_of(&self, playhead: Playhead) -> usize {
        let time = SimTime(playhead.time.round() as i64);
        match self.chapter.scenes[self.scene].own {
            Some(_) => self.scene,
            None => self.chapter.scene_at(&self.knobs, time),
        }
    }
}
