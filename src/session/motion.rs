//! Moving the cursor: to a place, or by a stride.

use super::{Direction, Motion, Run, Session, Stride, Tempo};
use crate::engine::fixed::between;
use crate::engine::record::{Fact, Record, RecordId};
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
        if self.beside.is_some() {
            self.catch_up_beside();
        } else if self.tempo.facts() < self.run().played() {
            let mut tempo = std::mem::take(&mut self.tempo);
            tempo.grow(self.run().facts(tempo.facts()..));
            self.tempo = tempo;
        }
    }

    /// Two runs are mapped anew wherever one of them has changed.
    ///
    /// The run beside is played at least as far as the leading one, and known only up to there while
    /// that has facts to come: otherwise the order of what is known would change as both go on.
    #[inline(never)]
    fn catch_up_beside(&mut self) {
        let latest = self.run().latest();
        if let (Some(beside), Some(latest)) = (&mut self.beside, latest) {
            beside.play_past(latest);
        }
        let run = self.run();
        let until = latest.filter(|_| !run.is_over());
        if let Some(beside) = &self.beside
            && !self.tempo.is_joint(run.played(), beside.played(), until)
        {
            let playhead = self.playhead();
            self.tempo = Tempo::joint(self.tempo.pace(), run.facts(..), beside.facts(..), until);
            // What has only grown leaves the cursor where it is, to the last bit.
            if self.playhead() != playhead {
                self.story = self.tempo.story_of(playhead);
            }
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
        let is_end =
            |record: Record| stride == Stride::Fact || matches!(record.fact, Fact::Done { .. });
        match direction {
            Direction::Forward => {
                let goal = match self.next_fact(is_end) {
                    Some(next) => self.tempo.after(next + 1),
                    None => self.after_next_beside(is_end),
                };
                self.play_until(goal, Motion::Forward { stop: Some(goal) });
            }
            Direction::Back => {
                let past = self.playhead().applied.saturating_sub(1);
                let last = self.run().facts(..past as usize).rposition(is_end);
                self.move_to(self.tempo.after(last.map_or(0, |last| last as u32 + 1)));
            }
        }
        self.follow_cursor();
    }

    /// Story time after the next fact of this kind that happens in the run beside, where this one has nothing of the kind to
    /// come: but first at this one's last fact, and at the end of all that is known if there is none beside either.
    #[inline(never)]
    fn after_next_beside(&self, is_it: impl Fn(Record) -> bool) -> f64 {
        let (playhead, played) = (self.playhead(), self.run().played() as u32);
        if playhead.applied < played {
            return self.tempo.after(played);
        }
        let beside = self.beside.as_ref();
        let next = beside.and_then(|run| run.facts(playhead.beside as usize..).position(is_it));
        next.map_or(self.tempo.end(), |next| {
            let happened = (playhead.applied + playhead.beside) as usize;
            self.tempo.after_both(happened + next + 1)
        })
    }

    /// The next fact of this kind, for which the run is played on as far as it takes.
    fn next_fact(&mut self, is_it: impl Fn(Record) -> bool) -> Option<RecordId> {
        self.play_ahead();
        let mut from = self.playhead().applied as usize;
        let next = loop {
            let next = self.run().facts(from..).position(&is_it);
            if next.is_some() || self.run().is_over() {
                break next.map(|next| (from + next) as RecordId);
            }
            from = self.run().played();
            self.run_mut().play_ahead_of(from as u32);
        };
        self.catch_up();
        next
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
