//! A worker's hand: the one key it holds, and how far the pass has come.

use super::configmap;
use super::{Action, Pass, Section, Step};
use crate::engine::key::Key;
use crate::engine::record::RecordId;

/// What a worker of the database controller is busy with until its next cue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Phase {
    /// In a section; `then` is the step it was begun for.
    Section(Section, Step),
    /// In an action that takes time.
    Action(Action),
}

/// A pass of the database reconciler.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    pub pass: Pass,
    pub phase: Phase,
}

/// A pass of one of the reconcilers.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    Database(Work),
    ConfigMap(configmap::Pass),
}

/// A key in a worker's hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    pub key: Key,
    /// The number of this reconcile, from 1 over the whole run.
    pub n: u32,
    pub task: Task,
    /// The pass's latest record: the cause of its next.
    pub latest: RecordId,
}

impl Hand {
    /// The pass of a database controller's hand.
    pub fn database(&mut self) -> &mut Work {
        match &mut self.task {
            Task::Database(work) => work,
            Task::ConfigMap(_) => unreachable!("a controller's hands do its own kind of work"),
        }
    }

    /// The pass of a config map controller's hand.
    pub fn config_map(&mut self) -> &mut configmap::Pass {
        match &mut self.task {
            Task::ConfigMap(pass) => pass,
            Task::Database(_) => unreachable!("a controller's hands do its own kind of work"),
        }
    }
}
