//! A worker's hand: the one key it holds, and how far the pass has come.

use super::{Action, Pass, Section, Step};
use crate::engine::key::Key;
use crate::engine::record::RecordId;

/// What the worker is busy with until its next cue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Phase {
    /// In a section; `then` is the step it was begun for.
    Section(Section, Step),
    /// In an action that takes time.
    Action(Action),
}

/// A key in a worker's hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    pub key: Key,
    /// The number of this reconcile, from 1 over the whole run.
    pub n: u32,
    pub pass: Pass,
    pub phase: Phase,
    /// The pass's latest record: the cause of its next.
    pub latest: RecordId,
}
