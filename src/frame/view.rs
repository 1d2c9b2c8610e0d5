//! The picture after so many facts.

use crate::engine::apiserver::{DatabaseSpec, EventType, Version};
use crate::engine::controller::{Action, Conclusion, Section};
use crate::engine::key::Key;
use crate::engine::record::{Actual, Fact, Record, RecordId, Source, Why};
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimTime;
use crate::engine::workqueue::Added;
use std::collections::{BTreeMap, VecDeque};

/// Revisions that the store's tape shows.
const TAPE: usize = 5;

/// Numbers that only grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub revision: u64,
    /// Events delivered to the controller.
    pub events: u32,
    /// Adds that changed nothing, since the key waited already or was marked dirty already.
    pub merged: u32,
    /// Reconciles begun.
    pub reconciles: u32,
    /// Reconciles that failed and are tried again.
    pub retries: u32,
    /// Events or keys that were lost because a buffer was full.
    pub dropped: u32,
}

/// An object in the store.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Card {
    pub key: Key,
    pub spec: DatabaseSpec,
    pub revision: u64,
    /// The write that made it so.
    pub record: RecordId,
}

/// A revision on the store's tape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chip {
    pub key: Key,
    pub event: EventType,
    pub revision: u64,
    pub record: RecordId,
}

/// An event on its way to the controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    pub key: Key,
    pub event: EventType,
    pub source: Source,
    pub revision: u64,
    pub left: SimTime,
    pub arrives: SimTime,
    pub record: RecordId,
}

/// A key that waits for a worker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadyEntry {
    pub key: Key,
    pub since: SimTime,
    /// Adds that found this entry and changed nothing.
    pub merged: u32,
    pub record: RecordId,
}

/// Why a key waits on the delayed shelf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelayKind {
    Requeue,
    Retry,
}

/// A key on the delayed shelf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay {
    pub key: Key,
    pub kind: DelayKind,
    pub from: SimTime,
    pub until: SimTime,
    pub record: RecordId,
}

/// A key in a worker's hand.
#[derive(Clone, Debug, PartialEq)]
pub struct HandView {
    pub key: Key,
    /// The number of this reconcile.
    pub n: u32,
    pub section: Section,
    pub since: SimTime,
    /// When the section or action will end.
    pub until: SimTime,
    pub fetched: bool,
    pub desired: Option<DatabaseSpec>,
    pub observed: Option<Actual>,
    /// The action under way.
    pub action: Option<Action>,
    /// Actions done in this pass.
    pub done: Vec<Action>,
    pub conclusion: Option<Conclusion>,
    /// Set: the key comes back after Done. The number counts adds that found the mark set.
    pub dirty: Option<u32>,
    pub record: RecordId,
}

/// A key that a worker has just handed back. Seen until the next fact, which says what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Returned {
    pub worker: u8,
    pub key: Key,
    /// It was dirty: it goes back into the queue now.
    pub dirty: Option<u32>,
}

/// What runs of one object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pods {
    pub key: Key,
    pub actual: Actual,
    /// A rolling upgrade is under way: to this version, from and until these instants.
    pub upgrading: Option<(Version, SimTime, SimTime)>,
    /// The last thing that happened to it failed.
    pub failed: bool,
}

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
