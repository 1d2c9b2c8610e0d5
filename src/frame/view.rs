//! The picture after so many facts.

use super::fault::FaultView;
use super::wire::{Cached, ConfigCard, InformerView, Message};
use crate::engine::apiserver::{ApiError, DatabaseSpec, EventType, Object, Version};
use crate::engine::controller::{Action, Conclusion, Section};
use crate::engine::key::Key;
use crate::engine::record::{Actual, Fact, Record, RecordId, Source, WriteAnswer};
use crate::engine::sorted::Map;
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimTime;
use std::collections::VecDeque;
use std::rc::Rc;

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
    /// Events or keys that were lost, because a buffer was full or on their way.
    pub dropped: u32,
    /// The controller's writes that the API server took and that changed something.
    pub writes: u32,
    /// The controller's writes that failed.
    pub failed_writes: u32,
    /// Lists and watches that the informer asked for.
    pub requests: u32,
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
    /// How often the key has failed since it was last forgotten.
    pub failures: u32,
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
    /// What it read from the informer's cache.
    pub cached: Option<Rc<Object>>,
    /// What the API server answered to its write.
    pub answer: Option<WriteAnswer>,
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
    /// When the latest of them happened.
    pub at: SimTime,
    pub counters: Counters,
    /// Is the controller's process up?
    pub running: bool,
    pub objects: Map<Key, Card>,
    /// The latest revisions, oldest first.
    pub tape: VecDeque<Chip>,
    /// In the order in which they left.
    pub flights: VecDeque<Flight>,
    /// Waiting keys, next first.
    pub ready: VecDeque<ReadyEntry>,
    /// Delayed keys, in the order of their deadlines.
    pub delayed: VecDeque<Delay>,
    /// How often each key has failed since the queue last forgot it.
    pub failures: Map<Key, u32>,
    /// By worker.
    pub hands: Vec<Option<HandView>>,
    /// The worker whose hand was emptied last.
    pub emptied: u8,
    /// Handed back by the latest fact.
    pub returned: Option<Returned>,
    pub actual: Map<Key, Pods>,
    /// The config maps in the store.
    pub config_maps: Map<Key, ConfigCard>,
    /// The informer, where the controller has one, and what its cache holds.
    pub informer: Option<InformerView>,
    pub cache: Map<Key, Cached>,
    /// Requests and answers on their way, in the order in which they left.
    pub messages: VecDeque<Message>,
    /// *Fail next upgrade* waits for its upgrade.
    pub fail_next: bool,
    /// What else will go wrong because somebody asked for it.
    pub faults: FaultView,
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

    /// About how many things it holds: what a clone costs.
    pub fn weight(&self) -> usize {
        let travelling = self.flights.len() + self.messages.len();
        let waiting = self.ready.len() + self.delayed.len();
        let kept = self.objects.len() + self.config_maps.len() + self.cache.len();
        travelling + waiting + kept
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
        self.at = record.at;
        self.at_rest = matches!(record.fact, Fact::Rested);
        self.returned = None;
        self.faults.apply(record);
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
                ref object,
            } => {
                self.counters.revision = revision;
                self.stored(record, event, key, object);
                let record = record.id;
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
            } => self.flights.push_back(Flight {
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
                // Flights stand in the order of their records; most land in that order too.
                for cause in record.causes.iter() {
                    let found = self
                        .flights
                        .binary_search_by_key(&cause, |flight| flight.record);
                    found.ok().and_then(|place| self.flights.remove(place));
                }
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
            Fact::Unchanged { .. } => {
                self.landed(record);
            }
            Fact::Refused { error, .. } => {
                self.landed(record);
                if error == ApiError::ServiceUnavailable {
                    self.faults.refused(record.at);
                }
            }
            Fact::Forgot { key, .. } => {
                self.failures.remove(&key);
            }
            Fact::Rested => {}
            _ => self.apply_on_wire(record),
        }
    }
}
