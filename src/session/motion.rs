//! Moving the cursor: to a place, or by a stride.

use super::{Direction, Motion, Run, Session, Stride};
use crate::engine::fixed::between;
use crate::engine::record::{Fact, Record};
use crate::frame::{Picture, View};
use std::rc::Rc;

/// A run is played on when fewer facts than this lie ahead of the cursor.
const IN_SIGHT: usize = 512;

/// Moving the cursor.
impl Session {
    pub(super) fn move_to(&mut self, story: f64) {
        self.story = between(story, 0.0, self.tempo.end());
        self.draw();
    }

    /// Bring the pictures to the cursor: one fact further is one fold, anything else starts from
    /// the nearest kept view.
    fn draw(&mut self) {
        let playhead = self.playhead();
        if let Some(picture) = redrawn(self.run(), &self.picture, playhead.applied) {
            self.picture = picture;
        }
        if let (Some(run), Some(picture)) = (&self.beside, &self.picture_beside)
            && let Some(picture) = redrawn(run, picture, playhead.beside)
        {
            self.picture_beside = Some(picture);
        }
    }

    /// Draw anew, whatever was drawn before: the runs are others now.
    pub(super) fn redraw(&mut self) {
        let playhead = self.playhead();
        self.picture = drawn(self.run(), playhead.applied);
        let beside = self.beside.as_ref();
        self.picture_beside = beside.map(|run| drawn(run, playhead.beside));
    }

    pub(super) fn seek(&mut self, story: f64) {
        if story.is_finite() {
            self.move_to(story);
            self.follow_cursor();
        }
    }

    pub(super) fn play_ahead(&mut self) {
        let playhead = self.playhead();
        extend(self.run_mut(), playhead.applied);
        if let Some(beside) = &mut self.beside {
            extend(beside, playhead.beside);
        }
        self.catch_up();
    }

    /// Map to story time what was played since.
    pub(super) fn catch_up(&mut self) {
        let beside = self.beside.as_ref().map_or(0, Run::played);
        if self.tempo.facts() == self.run().played() + beside {
            return;
        }
        if self.beside.is_some() {
            let playhead = self.playhead();
            self.tempo = self.timed(self.tempo.pace());
            self.story = self.tempo.story_of(playhead);
        } else {
            let mut tempo = std::mem::take(&mut self.tempo);
            tempo.grow(self.run().facts(tempo.facts()..));
            self.tempo = tempo;
        }
    }

    pub(super) fn play(&mut self, direction: Direction) {
        self.motion = match direction {
            Direction::Back => Motion::Back,
            Direction::Forward => {
                if self.is_at_end() {
                    let whole = self.chapter.share_run(0, self.scene);
                    self.go_to_scene(if whole { 0 } else { self.scene });
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
            self.move_to(self.breakpoint_before(stop).unwrap_or(stop));
        }
        self.motion = Motion::Paused;
    }

    pub(super) fn stride(&mut self, stride: Stride, direction: Direction) {
        self.finish_motion();
        let applied = self.playhead().applied;
        let run = self.run();
        let is_end =
            |record: Record| stride == Stride::Fact || matches!(record.fact, Fact::Done { .. });
        let goal = match direction {
            Direction::Forward => {
                let next = run.facts(applied as usize..).position(is_end);
                next.map_or(run.played() as u32, |next| applied + next as u32 + 1)
            }
            Direction::Back => {
                let mut past = run.facts(..applied.saturating_sub(1) as usize);
                let last = past.rposition(is_end);
                last.map_or(0, |last| last as u32 + 1)
            }
        };
        let goal = self.tempo.after(goal);
        match direction {
            Direction::Forward => {
                self.play_until(goal, Motion::Forward { stop: Some(goal) });
            }
            Direction::Back => self.move_to(goal),
        }
        self.follow_cursor();
    }
}

/// The picture after `applied` facts, where it is not the one that is drawn already.
fn redrawn(run: &Run, picture: &Picture, applied: u32) -> Option<Rc<Picture>> {
    let at = picture.view.applied;
    if at == applied {
        None
    } else if at + 1 == applied {
        Some(moved(run, picture.view.clone()))
    } else {
        Some(drawn(run, applied))
    }
}

/// The picture after `applied` facts of `run`.
fn drawn(run: &Run, applied: u32) -> Rc<Picture> {
    match applied.checked_sub(1) {
        None => Rc::new(Picture::empty(Rc::new(run.view_at(0)))),
        Some(last) => moved(run, Rc::new(run.view_at(last))),
    }
}

/// The picture one fact after `before`.
fn moved(run: &Run, before: Rc<View>) -> Rc<Picture> {
    let record = run.record(before.applied).expect("it was played");
    let mut after = View::clone(&before);
    after.apply(&record);
    Rc::new(Picture::new(&record, before, Rc::new(after)))
}

/// Play a run on where its end comes into sight.
fn extend(run: &mut Run, applied: u32) {
    if !run.is_over() && run.played() < applied as usize + IN_SIGHT {
        run.play_ahead_of(applied);
    }
}
