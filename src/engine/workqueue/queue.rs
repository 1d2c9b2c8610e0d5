//! The basic work queue: `queue`, `dirty`, `processing`.
//!
//! Mirrors client-go `util/workqueue/queue.go` (`Typed`).
//!
//! Guarantees, for callers that call `done` only for what they hold:
//! - a key waits in `queue` if and only if it is in `dirty` and not in `processing`;
//! - no key is twice in `queue`, and no key is in two hands at once;
//! - a key that is added while in hand comes back, at the back of the queue, at its `done`;
//! - nothing that was marked dirty is lost, not even by a shutdown that comes after the mark.
//!
//! Upstream does not check that a `done` is for something in hand, and neither does this: a stray
//! `done` of a dirty key pushes a second copy, which is handed out as well.
//!
//! Every call is O(1). Keys are dense numbers, so `dirty` and `processing` are rows of one array.
//!
//! Left out on purpose: blocking. A `get` on an empty queue answers `Empty` and the caller decides
//! who waits for what; the order in which Go's `sync.Cond` wakes callers is no part of the queue.

use super::metrics::{Metrics, MetricsView};
use super::{Added, Get};
use crate::engine::key::Key;
use crate::engine::time::SimTime;
use std::collections::VecDeque;

/// What the queue knows about one key.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// Added, or added again, since it was last taken.
    dirty: bool,
    /// Taken and not yet done: its place in `processing`.
    place: Option<u32>,
}

/// client-go's deduplicating queue.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    /// The order in which keys will be handed out.
    queue: VecDeque<Key>,
    /// By key.
    rows: Vec<Row>,
    /// The keys in hand, each once, in no meaningful order.
    processing: Vec<Key>,
    shutting_down: bool,
    /// A `shut_down_with_drain` has begun and has not returned.
    draining: bool,
    /// None, as in upstream's unnamed queue: nothing is measured.
    metrics: Option<Box<Metrics>>,
}

impl Queue {
    /// An empty queue without metrics.
    pub fn new() -> Queue {
        Queue::default()
    }

    /// An empty queue that keeps metrics; their 500 ms refresh is counted from `start`.
    pub fn with_metrics(start: SimTime) -> Queue {
        Queue {
            metrics: Some(Box::new(Metrics::new(start))),
            ..Queue::default()
        }
    }

    /// Marks `key` as needing work.
    #[inline]
    pub fn add(&mut self, now: SimTime, key: Key) -> Added {
        if self.shutting_down {
            return Added::ShuttingDown;
        }
        if self.rows.len() <= key.index() {
            self.rows.resize(key.index() + 1, Row::default());
        }
        let row = &mut self.rows[key.index()];
        let in_hand = row.place.is_some();
        if row.dirty {
            return if in_hand {
                Added::MergedDirty
            } else {
                Added::MergedReady
            };
        }
        row.dirty = true;
        if let Some(metrics) = &mut self.metrics {
            metrics.add(now, key);
        }
        if in_hand {
            return Added::Dirty;
        }
        self.queue.push_back(key);
        Added::Ready
    }

    /// Takes the key that has waited longest. `Get::ShutDown` only when nothing waits.
    #[inline]
    pub fn get(&mut self, now: SimTime) -> Get {
        let Some(key) = self.queue.pop_front() else {
            return if self.shutting_down {
                Get::ShutDown
            } else {
                Get::Empty
            };
        };
        if let Some(metrics) = &mut self.metrics {
            metrics.get(now, key, &self.processing);
        }
        let row = &mut self.rows[key.index()];
        row.dirty = false;
        if row.place.is_none() {
            row.place = Some(self.processing.len() as u32);
            self.processing.push(key);
        }
        Get::Item(key)
    }

    /// Puts `key` down. True: it was dirty, and now waits at the back of the queue.
    #[inline]
    pub fn done(&mut self, now: SimTime, key: Key) -> bool {
        if let Some(metrics) = &mut self.metrics {
            metrics.done(now, key, &self.processing);
        }
        let Some(row) = self.rows.get_mut(key.index()) else {
            return false;
        };
        let dirty = row.dirty;
        if let Some(place) = row.place.take() {
            self.processing.swap_remove(place as usize);
            if let Some(moved) = self.processing.get(place as usize) {
                self.rows[moved.index()].place = Some(place);
            }
            // The drain waits for the hands alone: what this `done` queues again does not hold it up.
            self.draining &= !self.processing.is_empty();
        }
        if dirty {
            self.queue.push_back(key);
        }
        dirty
    }

    /// How many keys (or copies, after a stray `done`) wait. Keys in hand do not count, dirty or not.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Drops every later `add`, and lets a waiting drain return.
    pub fn shut_down(&mut self, now: SimTime) {
        self.close(now);
        self.draining = false;
    }

    /// Drops every later `add`; the call returns when no key is in hand. True: it returned at once.
    /// Else [`draining`](Self::draining) says whether it still waits.
    pub fn shut_down_with_drain(&mut self, now: SimTime) -> bool {
        self.close(now);
        self.draining = !self.processing.is_empty();
        !self.draining
    }

    fn close(&mut self, now: SimTime) {
        if let Some(metrics) = &mut self.metrics {
            metrics.stop(now, &self.processing);
        }
        self.shutting_down = true;
    }

    pub fn shutting_down(&self) -> bool {
        self.shutting_down
    }

    /// A `shut_down_with_drain` has begun and has not returned.
    pub fn draining(&self) -> bool {
        self.draining
    }

    /// Has `key` been added since it was last taken?
    pub fn is_dirty(&self, key: Key) -> bool {
        self.rows.get(key.index()).is_some_and(|row| row.dirty)
    }

    /// Is `key` in hand?
    pub fn is_processing(&self, key: Key) -> bool {
        self.rows
            .get(key.index())
            .is_some_and(|row| row.place.is_some())
    }

    /// The waiting keys, next first.
    pub fn ready(&self) -> impl ExactSizeIterator<Item = Key> + '_ {
        self.queue.iter().copied()
    }

    /// The keys in hand, in no meaningful order.
    pub fn processing(&self) -> &[Key] {
        &self.processing
    }

    /// The metrics as a scrape at `now` would show them; none if none are kept.
    pub fn metrics(&self, now: SimTime) -> Option<MetricsView> {
        self.metrics
            .as_ref()
            .map(|metrics| metrics.view(now, &self.processing))
    }

    /// Counts one `add_after` (upstream's `retryMetrics`).
    pub(super) fn count_retry(&mut self) {
        if let Some(metrics) = &mut self.metrics {
            metrics.retry();
        }
    }
}
