//! The picture after so many facts.

use super::parts::{
    Card, Chip, Counters, Delay, DelayKind, Flight, HandView, Pods, ReadyEntry, Returned,
};
use crate::engine::apiserver::EventType;
use crate::engine::controller::{Action, Section};
use crate::engine::key::Key;
use crate::engine::record::{Actual, Fact, Record, Why};
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimTime;
use crate::engine::workqueue::Added;
use std::collections::{BTreeMap, VecDeque};

/// Revisions that the store's tape shows.
const TAPE: usize = 5;

/// Everything visible, as it stands after `applied` facts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// Facts applied.
    pub applied: u32,
    pub counters: Counters,
    /// Is the controller's process up?
    pub running: bool,
    pub objects: BTreeMap<Key, Card>,
    /// The latest revisions, oldest first.
    pub tape: VecDeque<Chip>,
    pub flights: Vec<Flight>,
    /// Waiting keys, next first.
    pub ready: VecDeque<ReadyEntry>,
    /// Delayed keys, in the order of their deadlines.
    pub delayed: Vec<Delay>,
    /// By worker.
    pub hands: Vec<Option<HandView>>,
    /// The worker whose hand was emptied last.
    pub emptied: u8,
    /// Handed back by the latest fact.
    pub returned: Option<Returned>,
    pub actual: BTreeMap<Key, Pods>,
    /// *Fail next upgrade* waits for its upgrade.
    pub fail_next: bool,
    pub at_rest: bool,
}

impl View {
    /// The empty picture, with so many idle workers.
    pub fn new(workers: u8) -> View {
        View {
            hands: vec![None; usize::from(workers.max(1))],
            ..View::default()
        }
    }

    /// Let one more fact have happened.
    ///
    /// Records are applied in order, each once.
    pub fn apply(&mut self, record: &Record) {
        debug_assert_eq!(
            record.id, self.applied,
            "records are applied in order, each once"
        );
        self.applied += 1;
        self.at_rest = matches!(record.fact, Fact::Rested);
        self.returned = None;
        match record.fact {
            Fact::ControllerStarted => self.running = true,
            Fact::ControllerStopped { .. } => self.stop(),
            Fact::Acted { ref stimulus, .. } => {
                self.fail_next |= matches!(**stimulus, Stimulus::FailNextUpgrade);
            }
            Fact::Written {
                event,
                key,
                revision,
                spec,
                ..
            } => {
                self.counters.revision = revision;
                let record = record.id;
                if event == EventType::Deleted {
                    self.objects.remove(&key);
                } else {
                    let card = Card {
                        key,
                        spec,
                        revision,
                        record,
                    };
                    self.objects.insert(key, card);
                }
                if self.tape.len() == TAPE {
                    self.tape.pop_front();
                }
                self.tape.push_back(Chip {
                    key,
                    event,
                    revision,
                    record,
                });
            }
            Fact::Sent {
                event,
                source,
                key,
                revision,
                arrives,
            } => self.flights.push(Flight {
                key,
                event,
                source,
                revision,
                left: record.at,
                arrives,
                record: record.id,
            }),
            Fact::Dropped { .. } => self.counters.dropped += 1,
            Fact::Delivered { .. } => {
                self.counters.events += 1;
                self.flights
                    .retain(|flight| !record.causes.contains(flight.record));
            }
            Fact::Enqueued { why, key, added } => self.enqueued(record, why, key, added),
            Fact::Started { worker, n, key } => self.started(record, worker, n, key),
            Fact::Finished { .. } | Fact::SectionStarted { .. } | Fact::Fetched { .. } => {
                self.progressed(record);
            }
            Fact::Observed { worker, actual, .. } => {
                self.hand(worker, |hand| hand.observed = Some(actual));
            }
            Fact::ActionStarted { .. } | Fact::ActionDone { .. } | Fact::ActionFailed { .. } => {
                self.acted(record);
            }
            Fact::Done { worker, .. } => {
                let hand = self.hands[usize::from(worker)].take();
                self.returned = hand.map(|hand| Returned {
                    worker,
                    key: hand.key,
                    dirty: hand.dirty,
                });
                self.emptied = worker;
            }
            Fact::ReplicaLost { key, actual } => {
                if let Some(pods) = self.actual.get_mut(&key) {
                    pods.actual = actual;
                }
            }
            Fact::Unchanged { .. } | Fact::Refused { .. } | Fact::Forgot { .. } | Fact::Rested => {}
        }
    }

    /// How many copies of `key` wait, are delayed or are in hand: is it of interest at all?
    pub fn is_busy(&self, key: Key) -> bool {
        self.ready.iter().any(|entry| entry.key == key)
            || self.delayed.iter().any(|delay| delay.key == key)
            || self.hands.iter().flatten().any(|hand| hand.key == key)
            || self.flights.iter().any(|flight| flight.key == key)
    }

    fn stop(&mut self) {
        self.running = false;
        self.flights.clear();
        self.ready.clear();
        self.delayed.clear();
        for hand in &mut self.hands {
            if let Some(hand) = hand.take()
                && let Some(pods) = self.actual.get_mut(&hand.key)
            {
                pods.upgrading = None;
            }
        }
    }

    fn hand(&mut self, worker: u8, change: impl FnOnce(&mut HandView)) {
        if let Some(hand) = &mut self.hands[usize::from(worker)] {
            change(hand);
        }
    }

    fn enqueued(&mut self, record: &Record, why: Why, key: Key, added: Added) {
        if why == Why::Retry {
            self.counters.retries += 1;
        }
        if why == Why::DelayOver
            && let Some(place) = self
                .delayed
                .iter()
                .position(|delay| delay.key == key && record.causes.contains(delay.record))
        {
            self.delayed.remove(place);
        }
        match added {
            Added::Ready => self.ready.push_back(ReadyEntry {
                key,
                since: record.at,
                merged: 0,
                record: record.id,
            }),
            Added::Dirty | Added::MergedDirty => {
                let merged = u32::from(added == Added::MergedDirty);
                self.counters.merged += merged;
                for hand in self
                    .hands
                    .iter_mut()
                    .flatten()
                    .filter(|hand| hand.key == key)
                {
                    hand.dirty = Some(hand.dirty.unwrap_or(0) + merged);
                }
            }
            Added::MergedReady => {
                self.counters.merged += 1;
                if let Some(entry) = self.ready.iter_mut().find(|entry| entry.key == key) {
                    entry.merged += 1;
                }
            }
            Added::Delayed { until } => self.delay(record, why, key, until),
            Added::DelayedEarlier { from, until } => {
                self.delayed
                    .retain(|delay| delay.key != key || delay.until != from);
                self.delay(record, why, key, until);
            }
            Added::Full => self.counters.dropped += 1,
            Added::DelayKept { .. } | Added::ShuttingDown => {}
        }
    }

    fn delay(&mut self, record: &Record, why: Why, key: Key, until: SimTime) {
        let kind = match why {
            Why::Retry => DelayKind::Retry,
            _ => DelayKind::Requeue,
        };
        let place = self.delayed.partition_point(|delay| delay.until <= until);
        let delay = Delay {
            key,
            kind,
            from: record.at,
            until,
            record: record.id,
        };
        self.delayed.insert(place, delay);
    }

    fn started(&mut self, record: &Record, worker: u8, n: u32, key: Key) {
        self.counters.reconciles = n;
        self.ready.pop_front();
        self.hands[usize::from(worker)] = Some(HandView {
            key,
            n,
            section: Section::Fetch,
            since: record.at,
            until: record.at,
            fetched: false,
            desired: None,
            observed: None,
            action: None,
            done: Vec::new(),
            conclusion: None,
            dirty: None,
            record: record.id,
        });
    }

    fn progressed(&mut self, record: &Record) {
        match record.fact {
            Fact::SectionStarted {
                worker,
                section,
                until,
                ..
            } => self.hand(worker, |hand| {
                hand.section = section;
                hand.since = record.at;
                hand.until = until;
            }),
            Fact::Fetched {
                worker, desired, ..
            } => self.hand(worker, |hand| {
                hand.fetched = true;
                hand.desired = desired;
            }),
            Fact::Finished {
                worker, conclusion, ..
            } => self.hand(worker, |hand| hand.conclusion = Some(conclusion)),
            _ => {}
        }
    }

    fn acted(&mut self, record: &Record) {
        let upgrading = |action, until| match action {
            Action::Upgrade { version } => Some((version, record.at, until)),
            _ => None,
        };
        match record.fact {
            Fact::ActionStarted {
                worker,
                key,
                action,
                until,
                ..
            } => {
                self.hand(worker, |hand| {
                    hand.action = Some(action);
                    hand.since = record.at;
                    hand.until = until;
                });
                let pods = self.actual.entry(key).or_insert(Pods {
                    key,
                    actual: Actual::default(),
                    upgrading: None,
                    failed: false,
                });
                pods.upgrading = upgrading(action, until);
                pods.failed = false;
            }
            Fact::ActionDone {
                worker,
                key,
                action,
                actual,
                ..
            } => {
                self.hand(worker, |hand| {
                    hand.action = None;
                    hand.done.push(action);
                    hand.observed = actual;
                });
                self.fail_next &= !matches!(action, Action::Upgrade { .. });
                match actual {
                    Some(actual) => {
                        let pods = Pods {
                            key,
                            actual,
                            upgrading: None,
                            failed: false,
                        };
                        self.actual.insert(key, pods);
                    }
                    None => {
                        self.actual.remove(&key);
                    }
                }
            }
            Fact::ActionFailed { worker, key, .. } => {
                self.fail_next = false;
                self.hand(worker, |hand| hand.action = None);
                if let Some(pods) = self.actual.get_mut(&key) {
                    pods.upgrading = None;
                    pods.failed = true;
                }
            }
            _ => {}
        }
    }
}
