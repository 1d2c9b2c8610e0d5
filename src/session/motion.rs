//! Moving the cursor: to a place, or by a stride.

use super::{Direction, Motion, Picture, Session, Stride, Telling};
use crate::engine::record::Fact;
use std::rc::Rc;

/// Moving the cursor.
impl Session {
    pub(super) fn move_to(&mut self, story: f64) {
        self.story = story.clamp(0.0, self.run().tempo().end());
        let applied = self.playhead().applied;
        if applied != self.picture.view.applied {
            self.draw(applied);
        }
    }

    /// Make the picture after `applied` facts: one fact further is one fold, anything else starts
    /// from the nearest kept picture.
    pub(super) fn draw(&mut self, applied: u32) {
        let run = self.run();
        let Some(last) = applied.checked_sub(1) else {
            let view = run.view_at(0);
            self.picture = Rc::new(Picture::new(&view, view.clone(), None));
            return;
        };
        let before = if self.picture.view.applied == last {
            self.picture.view.clone()
        } else {
            run.view_at(last)
        };
        let record = &run.records()[last as usize];
        let mut after = before.clone();
        after.apply(record);
        self.picture = Rc::new(Picture::new(&before, after, Some(record)));
    }

    pub(super) fn seek(&mut self, story: f64) {
        if story.is_finite() {
            self.move_to(story);
            self.follow_cursor();
        }
    }

    pub(super) fn play_ahead(&mut self) {
        let applied = self.playhead().applied;
        let run = match (&mut self.variant, self.telling) {
            (Some(variant), Telling::Variant) => variant,
            _ => &mut self.main,
        };
        if !run.is_over() && run.records().len() < applied as usize + 512 {
            run.play_ahead_of(applied);
        }
    }

    pub(super) fn play(&mut self, direction: Direction) {
        self.motion = match direction {
            Direction::Back => Motion::Back,
            Direction::Forward => {
                if self.is_at_end() {
                    self.go_to_scene(0);
                }
                Motion::Forward { stop: None }
            }
        };
    }

    /// Play on until `stop`, or go back to it where it is past.
    pub(super) fn play_until(&mut self, stop: f64, motion: Motion) {
        if stop > self.story {
            self.motion = motion;
        } else {
            self.motion = Motion::Paused;
            self.move_to(stop);
        }
    }

    /// A step that is still under way is finished at once: a second click means "I have seen it".
    /// A breakpoint on the way stops this too.
    pub(super) fn finish_motion(&mut self) {
        if let Motion::Forward { stop: Some(stop) } | Motion::Step { stop } = self.motion {
            self.move_to(self.halt(stop));
        }
        self.motion = Motion::Paused;
    }

    pub(super) fn stride(&mut self, stride: Stride, direction: Direction) {
        self.finish_motion();
        let applied = self.playhead().applied;
        let records = self.run().records();
        let is_end = |fact: &Fact| stride == Stride::Fact || matches!(fact, Fact::Done { .. });
        let goal = match direction {
            Direction::Forward => {
                let ahead = &records[applied as usize..];
                let next = ahead.iter().position(|record| is_end(&record.fact));
                next.map_or(records.len() as u32, |next| applied + next as u32 + 1)
            }
            Direction::Back => {
                let past = &records[..applied.saturating_sub(1) as usize];
                let last = past.iter().rposition(|record| is_end(&record.fact));
                last.map_or(0, |last| last as u32 + 1)
            }
        };
        let goal = self.run().tempo().after(goal);
        match direction {
            Direction::Forward => {
                self.play_until(goal, Motion::Forward { stop: Some(goal) });
            }
            Direction::Back => self.move_to(goal),
        }
        self.follow_cursor();
    }
}
