//! The actual state: what really runs, apart from what the store says should.
//!
//! The store does not know it; a reconcile has to look. Here live the replicas, and the chance
//! that a rolling upgrade fails because a node is not ready.

use super::key::Key;
use super::knobs::Knobs;
use super::record::Actual;
use super::rng::{Purpose, Stream};

/// The actual state of every cluster, by key.
#[derive(Clone, Debug)]
pub struct ActualWorld {
    states: Vec<Option<Actual>>,
    chance: Stream,
    attempts: u32,
    fail_next: bool,
}

impl ActualWorld {
    pub fn new(seed: u64) -> ActualWorld {
        ActualWorld {
            states: Vec::new(),
            chance: Stream::new(seed, Purpose::Upgrade, 0),
            attempts: 0,
            fail_next: false,
        }
    }

    /// What runs under `key`; nothing, if nothing was ever provisioned or it was cleaned up.
    pub fn get(&self, key: Key) -> Option<Actual> {
        self.states.get(key.index()).copied().flatten()
    }

    pub fn set(&mut self, key: Key, state: Option<Actual>) {
        if self.states.len() <= key.index() {
            self.states.resize(key.index() + 1, None);
        }
        self.states[key.index()] = state;
    }

    /// The next upgrade attempt will fail, whatever chance says.
    pub fn fail_next_upgrade(&mut self) {
        self.fail_next = true;
    }

    /// Does *Fail next upgrade* still wait for its upgrade?
    pub fn will_fail_next(&self) -> bool {
        self.fail_next
    }

    /// An upgrade attempt ends: its number, counted from 1 over the whole run, and its success.
    ///
    /// One draw is made for each attempt, also where it is not asked, so that a forced failure
    /// moves no later draw.
    pub fn attempt_upgrade(&mut self, knobs: &Knobs) -> (u32, bool) {
        self.attempts += 1;
        let unlucky = self.chance.chance(knobs.upgrade_failure_permille);
        let planned = match &knobs.failing_upgrades {
            Some(attempts) => attempts.contains(&self.attempts),
            None => unlucky,
        };
        let fails = std::mem::take(&mut self.fail_next) || planned;
        (self.attempts, !fails)
    }

    /// One replica dies. Nothing happens where none runs.
    pub fn kill_replica(&mut self, key: Key) -> Option<Actual> {
        let mut state = self.get(key).filter(|state| state.replicas > 0)?;
        state.replicas -= 1;
        state.healthy = false;
        self.set(key, Some(state));
        Some(state)
    }
}
