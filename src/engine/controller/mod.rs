//! A controller: a queue of keys, workers that take them, and a reconcile function.
//!
//! Mirrors `sigs.k8s.io/controller-runtime/pkg/internal/controller`: `worker` for the hands,
//! `outcome` for what a result does to the queue. The reconcile function is in a file of its own.
//! Left out: leader election, cache synchronisation time-outs, panics outside a reconcile.

pub mod configmap;
mod database;
pub mod outcome;
mod section;
mod subscription;
mod worker;

pub use database::{Action, Conclusion, Input, Pass, ReconcileError, Step, effect, next};
pub use section::Section;
pub use subscription::{Stream, Subscription};
pub use worker::{Hand, Phase, Task, Work};

use super::key::Key;
use super::knobs::{Knobs, QueueKind};
use super::record::RecordId;
use super::time::SimTime;
use super::workqueue::{Added, QueueConfig, WorkQueue};
use std::collections::VecDeque;

/// One controller with all that its process holds in memory.
#[derive(Clone, Debug)]
pub struct Controller {
    pub queue: WorkQueue,
    pub workers: Vec<Option<Hand>>,
    /// Is its process up?
    pub running: bool,
    /// Grows with each restart; a cue of an earlier life is not played.
    pub life: u32,
    /// Events on their way to it.
    pub in_flight: u32,
    /// Reconciles begun, over all lives.
    pub reconciles: u32,
    /// The wake-up of the delaying queue that the agenda holds.
    pub wake_at: Option<SimTime>,
    /// Does the agenda hold a pick-up?
    pub pick_up_due: bool,
    /// Why each key that the queue holds is there.
    pub reasons: Reasons,
    /// Its informer, where it has one and its process is up.
    pub subscription: Option<Box<Subscription>>,
}

impl Controller {
    pub fn new(knobs: &Knobs, now: SimTime) -> Controller {
        Controller {
            queue: new_queue(knobs, now),
            workers: vec![None; usize::from(knobs.workers.max(1))],
            running: false,
            life: 0,
            in_flight: 0,
            reconciles: 0,
            wake_at: None,
            pick_up_due: false,
            reasons: Reasons::default(),
            subscription: None,
        }
    }

    /// The process ends: queue, delays, failure counts and unfinished work are gone.
    pub fn stop(&mut self, knobs: &Knobs, now: SimTime) {
        let (life, reconciles) = (self.life + 1, self.reconciles);
        *self = Controller {
            life,
            reconciles,
            ..Controller::new(knobs, now)
        };
    }

    pub fn in_hand(&self) -> u32 {
        self.workers.iter().flatten().count() as u32
    }

    pub fn is_idle(&self) -> bool {
        self.running
            && self.in_flight == 0
            && self.subscription.as_ref().is_none_or(|sub| sub.is_quiet())
            && self.queue.is_empty()
            && self.queue.next_wake().is_none()
            && self.workers.iter().all(Option::is_none)
    }
}

fn new_queue(knobs: &Knobs, now: SimTime) -> WorkQueue {
    let config = match knobs.queue {
        QueueKind::Channel => QueueConfig::Channel {
            capacity: knobs.channel_capacity,
        },
        QueueKind::ClientGo => QueueConfig::ClientGo {
            limiter: knobs.limiter.clone(),
            metrics: true,
        },
    };
    WorkQueue::new(&config, now)
}

/// The records that put each key where it is, so that what comes of it can name its cause.
///
/// The ready queue is first in, first out in every kind, so its reasons stand in the same order.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    ready: VecDeque<RecordId>,
    /// By key: the entry in the ready queue, or the dirty mark, that an add would merge into.
    marks: Vec<Option<RecordId>>,
    /// By key: what its delays until then were begun by, the oldest first.
    delayed: Vec<Vec<(SimTime, RecordId)>>,
}

impl Reasons {
    /// The entry that an add which changed nothing merged into.
    pub fn merged_into(&self, key: Key) -> Option<RecordId> {
        self.marks.get(key.index()).copied().flatten()
    }

    /// `record` says that the queue answered `added`.
    pub fn note(&mut self, key: Key, added: Added, record: RecordId) {
        match added {
            Added::Ready => {
                self.ready.push_back(record);
                self.mark(key, Some(record));
            }
            Added::Dirty => self.mark(key, Some(record)),
            Added::Delayed { until } => self.delay(key, until, record),
            Added::DelayedEarlier { from, until } => {
                self.end_delay(key, from);
                self.delay(key, until, record);
            }
            Added::MergedReady
            | Added::MergedDirty
            | Added::DelayKept { .. }
            | Added::Full
            | Added::ShuttingDown => {}
        }
    }

    /// A worker takes the first key of the ready queue: why was it there?
    pub fn take(&mut self, key: Key) -> Option<RecordId> {
        self.mark(key, None);
        self.ready.pop_front()
    }

    /// The delay until `until` is over: why was it begun?
    pub fn end_delay(&mut self, key: Key, until: SimTime) -> Option<RecordId> {
        let waiting = self.delayed.get_mut(key.index())?;
        let place = waiting.iter().position(|&(due, _)| due == until)?;
        Some(waiting.remove(place).1)
    }

    fn delay(&mut self, key: Key, until: SimTime, record: RecordId) {
        if self.delayed.len() <= key.index() {
            self.delayed.resize(key.index() + 1, Vec::new());
        }
        self.delayed[key.index()].push((until, record));
    }

    fn mark(&mut self, key: Key, record: Option<RecordId>) {
        if self.marks.len() <= key.index() {
            self.marks.resize(key.index() + 1, None);
        }
        self.marks[key.index()] = record;
    }
}
