//! Telling the story: which step is read, and how the cursor comes to it.

use super::story::{self, Step, Stop};
use super::{Motion, Origin, Placed, Playhead, Run, Session, Telling};
use crate::engine::time::SimTime;

/// The story.
impl Session {
    /// Look the scene's beats up again; to be called whenever scene or runs have changed.
    pub(super) fn tell(&mut self) {
        let scene = self.chapter.scenes[self.scene];
        if scene.variant.is_some() && self.variant.is_none() {
            self.variant = Some(self.variant_run(Vec::new()));
        } else if scene.variant.is_none() {
            self.variant = None;
        }
        let (begin, end) = story::bounds(self.chapter, &self.main, self.scene);
        let beats = || scene.beats(self.knobs.queue);
        let mut steps = story::tell(beats(), Telling::Main, &self.main, begin, end);
        if let Some(variant) = &self.variant {
            steps.extend(story::tell(beats(), Telling::Variant, variant, begin, None));
        }
        self.steps = steps;
    }

    /// The same run up to the scene, then the variant's stimulus, and nothing after the scene.
    pub(super) fn variant_run(&self, stimuli: Vec<Placed>) -> Run {
        let scene = self.chapter.scenes[self.scene];
        let (begin, _) = story::bounds(self.chapter, &self.main, self.scene);
        let mut script = self.chapter.script(&self.knobs);
        script.truncate(self.scene + 1);
        if let Some(variant) = &scene.variant {
            script.insert(self.scene, (begin, variant.stimulus.clone()));
        }
        let origin = Origin {
            script,
            ..self.main.origin().clone()
        };
        let earlier = self
            .main
            .stimuli()
            .iter()
            .filter(|placed| placed.at < begin)
            .cloned();
        Run::new(origin, earlier.chain(stimuli).collect(), self.pace)
    }

    pub(super) fn go_to_scene(&mut self, scene: usize) {
        self.motion = Motion::Paused;
        self.telling = Telling::Main;
        if scene != self.scene {
            self.variant = None;
        }
        self.scene = scene;
        self.tell();
        self.show_step(0);
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
            self.story = 0.0;
            self.draw(0);
        }
    }

    pub(super) fn place(&self, stop: Stop) -> Option<f64> {
        let tempo = self.run().tempo();
        match stop {
            Stop::Before(fact) => Some(tempo.before(fact)),
            Stop::After(fact) => Some(tempo.after(fact + 1)),
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
            self.scene += 1;
            self.step = 0;
            let back_from_variant = self.telling == Telling::Variant;
            self.switch(Telling::Main);
            self.tell();
            if back_from_variant {
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
        self.step = told.or(first).unwrap_or(0);
    }

    /// The scene of a cursor: a scene begins just before its first fact.
    pub(super) fn scene_of(&self, playhead: Playhead) -> usize {
        let time = SimTime(playhead.time.round() as i64);
        self.chapter.scene_at(&self.knobs, time)
    }
}
