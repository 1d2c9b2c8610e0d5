//! Everything that anyone can do to the page. One enum, one door.

use super::tempo::Pace;
use crate::engine::controller::Section;
use crate::engine::knobs::{Knobs, QueueKind};
use crate::engine::stimulus::Stimulus;

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Back,
    Forward,
}

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// One fact.
    Fact,
    /// To the end of one reconcile.
    Reconcile,
    /// One beat of the story.
    Beat,
}

/// What a visitor asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Act on the cluster, at the cursor.
    Do(Stimulus),
    /// Several things at one instant, as one line of a console asks for them. The cursor stands where
    /// the API server has answered, which is when kubectl returns.
    DoAll(Vec<Stimulus>),
    /// Take back the last thing that was done to the run, or do it again.
    Undo,
    Redo,
    /// Let it run, forwards or backwards.
    Play(Direction),
    Pause,
    Step(Stride, Direction),
    /// The beginning of a scene, counted from 0.
    Scene(usize),
    /// The beginning of all, without anything the visitor did.
    Restart,
    /// Story time, in milliseconds.
    Seek(f64),
    /// A multiple of normal speed.
    Speed(f64),
    Pace(Pace),
    /// Put a run with these knobs beside this one, on the same clock; or take it away.
    Compare(Option<Box<Knobs>>),
    /// Change the queue alone, and replay up to the current scene.
    Queue(QueueKind),
    /// Change knobs, and replay up to the current scene.
    Knobs(Box<Knobs>),
    Seed(u64),
    /// Set or remove the breakpoint of a section of reconcile: playing forward stops there.
    Breakpoint(Section, bool),
}

impl Command {
    /// Is the run another one afterwards?
    pub fn changes_the_run(&self) -> bool {
        matches!(
            self,
            Command::Do(_)
                | Command::DoAll(_)
                | Command::Undo
                | Command::Redo
                | Command::Restart
                | Command::Queue(_)
                | Command::Knobs(_)
                | Command::Seed(_)
        )
    }

    /// Does this neither move the cursor nor change the run? (*Next step* counts as such here: it
    /// goes on with a step that was interrupted.)
    pub(super) fn leaves_the_cursor(&self) -> bool {
        matches!(
            self,
            Command::Breakpoint(..)
                | Command::Speed(_)
                | Command::Step(Stride::Beat, Direction::Forward)
        )
    }
}
