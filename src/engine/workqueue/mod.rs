//! The work queue between the informer's event handlers and the workers: one interface, several
//! kinds.
//!
//! Mirrors client-go `util/workqueue`, and `AddWithOpts` of controller-runtime
//! `pkg/controller/priorityqueue` for the one way in. Each kind keeps its own heap of deadlines (the
//! order of equal ones is upstream's): whoever drives the queue asks [`WorkQueue::next_wake`], and at
//! that instant calls [`WorkQueue::wake`] until it answers `None`.
//!
//! Guarantees: a queue is a value (`Clone`) and a function of the calls made on it; `now` is handed
//! in, never read; calls that adjoin in simulated time may share one instant.
//! What each kind promises is said in its own file. All tables are arrays by key, so keys must be
//! dense small numbers, as [`Keys`](crate::engine::key::Keys) gives them.
//!
//! Left out on purpose: blocking calls. A controller gives work to its idle workers itself.

mod bucket;
pub mod channel;
pub mod delaying;
pub mod limiter;
pub mod metrics;
pub mod queue;
pub mod rate_limiting;

pub use channel::PlainChannel;
pub use delaying::DelayingQueue;
pub use limiter::{Limiter, LimiterConfig};
pub use metrics::MetricsView;
pub use queue::Queue;
pub use rate_limiting::RateLimitingQueue;

use crate::engine::key::Key;
use crate::engine::sorted::in_order;
use crate::engine::time::{SimDuration, SimTime};
use serde::Serialize;

/// A queue to build, as plain data.
#[derive(Clone, Debug, PartialEq)]
pub enum QueueConfig {
    /// The first article's buffered channel.
    Channel { capacity: u32 },
    /// client-go's rate-limiting queue; `metrics`: measure it, as upstream does for a named queue.
    ClientGo {
        limiter: LimiterConfig,
        metrics: bool,
    },
}

/// How to add a key. The default is a plain `Add`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddOptions {
    /// Above zero: not before this long from now. Ignored where `rate_limited`.
    pub after: SimDuration,
    /// Not before the limiter says so.
    pub rate_limited: bool,
    /// Kinds without priorities ignore it.
    pub priority: Option<i32>,
}

impl AddOptions {
    /// Not before `after` from now.
    pub fn after(after: SimDuration) -> AddOptions {
        AddOptions {
            after,
            ..AddOptions::default()
        }
    }

    /// Not before the limiter says so.
    pub fn rate_limited() -> AddOptions {
        AddOptions {
            rate_limited: true,
            ..AddOptions::default()
        }
    }
}

/// What an add did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "queue", rename_all = "snake_case")]
pub enum Added {
    /// The key now waits in the ready queue.
    Ready,
    /// The key is in a worker's hand; it is marked dirty now and comes back after `done`.
    Dirty,
    /// The key waited in the ready queue already: nothing changed.
    MergedReady,
    /// The key is in hand and was dirty already: nothing changed.
    MergedDirty,
    /// The key now waits for a deadline.
    Delayed {
        #[serde(rename = "until_ns")]
        until: SimTime,
    },
    /// The key waited for a later deadline, which was moved forward.
    DelayedEarlier {
        #[serde(rename = "from_ns")]
        from: SimTime,
        #[serde(rename = "until_ns")]
        until: SimTime,
    },
    /// The key waits for an earlier or equal deadline already: nothing changed.
    DelayKept {
        #[serde(rename = "until_ns")]
        until: SimTime,
    },
    /// The plain channel is full: the add is lost.
    Full,
    /// The queue is shutting down: the add is dropped.
    ShuttingDown,
}

/// What a worker is handed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Get {
    /// The key to work on; call `done` with it afterwards.
    Item(Key),
    /// Nothing to do now (upstream would block).
    Empty,
    /// Nothing to do ever again: the worker ends.
    ShutDown,
}

/// What there is to see of a queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueView {
    /// Waiting keys, next first.
    pub ready: Vec<Key>,
    /// Keys that wait for a deadline, in the order in which they will be released.
    pub delayed: Vec<(Key, SimTime)>,
    /// Keys in hand that will come back, by key.
    pub dirty: Vec<Key>,
    /// Keys in hand, by key. On the plain channel the same key may be there several times.
    pub processing: Vec<Key>,
    pub shutting_down: bool,
}

/// A work queue of some kind.
#[derive(Clone, Debug)]
pub enum WorkQueue {
    Channel(PlainChannel),
    ClientGo(RateLimitingQueue),
}

impl WorkQueue {
    /// An empty queue that begins its life at `start`.
    pub fn new(config: &QueueConfig, start: SimTime) -> WorkQueue {
        match config {
            QueueConfig::Channel { capacity } => WorkQueue::Channel(PlainChannel::new(*capacity)),
            QueueConfig::ClientGo { limiter, metrics } => {
                let queue = if *metrics {
                    Queue::with_metrics(start)
                } else {
                    Queue::new()
                };
                WorkQueue::ClientGo(RateLimitingQueue::new(queue, limiter))
            }
        }
    }

    /// Adds `key` as `options` say. Of `rate_limited` and `after`, `rate_limited` wins (as over
    /// client-go's queue upstream).
    #[inline]
    pub fn add(&mut self, now: SimTime, key: Key, options: AddOptions) -> Added {
        match self {
            WorkQueue::Channel(channel) => channel.add_after(now, key, options.after),
            WorkQueue::ClientGo(queue) => {
                if options.rate_limited {
                    queue.add_rate_limited(now, key).1
                } else if options.after > SimDuration::ZERO {
                    queue.add_after(now, key, options.after)
                } else {
                    queue.add(now, key)
                }
            }
        }
    }

    /// Takes the next key.
    #[inline]
    pub fn get(&mut self, now: SimTime) -> Get {
        match self {
            WorkQueue::Channel(channel) => channel.get(),
            WorkQueue::ClientGo(queue) => queue.get(now),
        }
    }

    /// Puts `key` down. True: it was dirty, and now waits at the back of the ready queue.
    #[inline]
    pub fn done(&mut self, now: SimTime, key: Key) -> bool {
        match self {
            WorkQueue::Channel(channel) => {
                channel.done(key);
                false
            }
            WorkQueue::ClientGo(queue) => queue.done(now, key),
        }
    }

    /// Forgets the failures of `key`.
    pub fn forget(&mut self, key: Key) {
        if let WorkQueue::ClientGo(queue) = self {
            queue.forget(key);
        }
    }

    /// How many failures of `key` are counted.
    pub fn num_requeues(&self, key: Key) -> u64 {
        match self {
            WorkQueue::Channel(_) => 0,
            WorkQueue::ClientGo(queue) => queue.num_requeues(key),
        }
    }

    /// The earliest deadline of what waits for one.
    pub fn next_wake(&self) -> Option<SimTime> {
        match self {
            WorkQueue::Channel(channel) => channel.next_wake(),
            WorkQueue::ClientGo(queue) => queue.delaying().next_wake(),
        }
    }

    /// Releases **one** key whose deadline has come; call until `None`.
    pub fn wake(&mut self, now: SimTime) -> Option<(Key, Added)> {
        match self {
            WorkQueue::Channel(channel) => channel.wake(now),
            WorkQueue::ClientGo(queue) => queue.wake(now),
        }
    }

    /// How many keys wait in the ready queue.
    pub fn len(&self) -> usize {
        match self {
            WorkQueue::Channel(channel) => channel.len(),
            WorkQueue::ClientGo(queue) => queue.delaying().queue().len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops every later add and everything that waits for a deadline.
    pub fn shut_down(&mut self, now: SimTime) {
        match self {
            WorkQueue::Channel(channel) => channel.shut_down(),
            WorkQueue::ClientGo(queue) => queue.shut_down(now),
        }
    }

    /// As `shut_down`, and waits until nothing is in hand. True: it returned at once; else
    /// [`draining`](Self::draining) tells when.
    pub fn shut_down_with_drain(&mut self, now: SimTime) -> bool {
        match self {
            WorkQueue::Channel(channel) => channel.shut_down_with_drain(),
            WorkQueue::ClientGo(queue) => queue.shut_down_with_drain(now),
        }
    }

    pub fn shutting_down(&self) -> bool {
        match self {
            WorkQueue::Channel(channel) => channel.shutting_down(),
            WorkQueue::ClientGo(queue) => queue.delaying().queue().shutting_down(),
        }
    }

    /// A `shut_down_with_drain` has begun and has not returned.
    pub fn draining(&self) -> bool {
        match self {
            WorkQueue::Channel(channel) => channel.draining(),
            WorkQueue::ClientGo(queue) => queue.delaying().queue().draining(),
        }
    }

    /// What there is to see. O(keys that wait); not for the hot path.
    pub fn view(&self) -> QueueView {
        match self {
            WorkQueue::Channel(channel) => {
                let processing = in_order(channel.processing().iter().copied());
                QueueView {
                    ready: channel.ready().collect(),
                    delayed: channel.waiting().collect(),
                    dirty: Vec::new(),
                    processing,
                    shutting_down: channel.shutting_down(),
                }
            }
            WorkQueue::ClientGo(limiting) => {
                let queue = limiting.delaying().queue();
                let processing = in_order(queue.processing().iter().copied());
                QueueView {
                    ready: queue.ready().collect(),
                    delayed: limiting.delaying().waiting(),
                    dirty: processing
                        .iter()
                        .copied()
                        .filter(|&key| queue.is_dirty(key))
                        .collect(),
                    processing,
                    shutting_down: queue.shutting_down(),
                }
            }
        }
    }

    /// The metrics as a scrape at `now` would show them; none if the queue keeps none.
    pub fn metrics(&self, now: SimTime) -> Option<MetricsView> {
        match self {
            WorkQueue::Channel(_) => None,
            WorkQueue::ClientGo(queue) => queue.delaying().metrics(now),
        }
    }
}
