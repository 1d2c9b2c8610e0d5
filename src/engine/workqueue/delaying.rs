//! The delaying queue: keys that wait for a deadline before they are added.
//!
//! Mirrors client-go `util/workqueue/delaying_queue.go` and the array heap of Go's `container/heap`.
//!
//! Guarantees:
//! - one waiting entry per key: an earlier deadline replaces a later one, others are dropped;
//! - a deadline is met at exactly its time, by `wake`;
//! - nothing but a shutdown cancels a waiting entry: not an add, a get, a done, or a forget;
//! - **equal deadlines leave in the order of Go's heap, not of insertion**. The heap is part of the
//!   behaviour: `BinaryHeap` or an ordered map would give other orders.
//!
//! Left out on purpose: the goroutine, its 1000-place channel and its ten-second heartbeat. They
//! change nothing that is seen when time is simulated.

use super::metrics::MetricsView;
use super::queue::Queue;
use super::{Added, Get};
use crate::engine::key::Key;
use crate::engine::time::{SimDuration, SimTime};

/// One key that waits for its deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    until: SimTime,
    key: Key,
}

/// Entries as Go's `container/heap` keeps them, with less = strictly earlier.
#[derive(Clone, Debug, Default)]
struct WaitingHeap {
    entries: Vec<Entry>,
    /// By key: where its entry is in `entries`.
    places: Vec<Option<u32>>,
}

impl WaitingHeap {
    fn peek(&self) -> Option<Entry> {
        self.entries.first().copied()
    }

    fn place(&self, key: Key) -> Option<usize> {
        Some(self.places.get(key.index()).copied()?? as usize)
    }

    fn push(&mut self, entry: Entry) {
        if self.places.len() <= entry.key.index() {
            self.places.resize(entry.key.index() + 1, None);
        }
        let place = self.entries.len();
        self.entries.push(entry);
        self.places[entry.key.index()] = Some(place as u32);
        self.sift_up(place);
    }

    fn pop(&mut self) -> Option<Entry> {
        let last = self.entries.len().checked_sub(1)?;
        self.swap(0, last);
        self.sift_down(0, last);
        let entry = self.entries.pop()?;
        self.places[entry.key.index()] = None;
        Some(entry)
    }

    /// Moves the deadline of the entry at `place` forward. Go's `Fix` tries down first, which cannot
    /// move an entry that has become less.
    fn hasten(&mut self, place: usize, until: SimTime) {
        self.entries[place].until = until;
        self.sift_up(place);
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.places.fill(None);
    }

    fn less(&self, a: usize, b: usize) -> bool {
        self.entries[a].until < self.entries[b].until
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.entries.swap(a, b);
        self.places[self.entries[a].key.index()] = Some(a as u32);
        self.places[self.entries[b].key.index()] = Some(b as u32);
    }

    fn sift_up(&mut self, mut place: usize) {
        while place > 0 {
            let parent = (place - 1) / 2;
            if !self.less(place, parent) {
                break;
            }
            self.swap(place, parent);
            place = parent;
        }
    }

    /// Within the first `len` entries.
    fn sift_down(&mut self, mut place: usize, len: usize) {
        loop {
            let (left, right) = (2 * place + 1, 2 * place + 2);
            if left >= len {
                break;
            }
            let child = if right < len && self.less(right, left) {
                right
            } else {
                left
            };
            if !self.less(child, place) {
                break;
            }
            self.swap(place, child);
            place = child;
        }
    }
}

/// A work queue to which keys can be added later.
#[derive(Clone, Debug, Default)]
pub struct DelayingQueue {
    queue: Queue,
    waiting: WaitingHeap,
    /// `shut_down` has been called; only the first call does anything (upstream's `stopOnce`).
    stopped: bool,
}

impl DelayingQueue {
    /// A delaying queue over `queue`.
    pub fn new(queue: Queue) -> DelayingQueue {
        DelayingQueue {
            queue,
            ..DelayingQueue::default()
        }
    }

    /// Adds `key` now. A waiting entry of the same key stays.
    #[inline]
    pub fn add(&mut self, now: SimTime, key: Key) -> Added {
        self.queue.add(now, key)
    }

    /// Adds `key` after `delay`, which may be zero or negative (at once) or `i64::MAX` ns (never).
    pub fn add_after(&mut self, now: SimTime, key: Key, delay: SimDuration) -> Added {
        if self.queue.shutting_down() {
            return Added::ShuttingDown;
        }
        self.queue.count_retry();
        let until = now + delay;
        if until <= now {
            return self.queue.add(now, key);
        }
        let Some(place) = self.waiting.place(key) else {
            self.waiting.push(Entry { until, key });
            return Added::Delayed { until };
        };
        let from = self.waiting.entries[place].until;
        if from <= until {
            return Added::DelayKept { until: from };
        }
        self.waiting.hasten(place, until);
        Added::DelayedEarlier { from, until }
    }

    /// The earliest deadline.
    pub fn next_wake(&self) -> Option<SimTime> {
        self.waiting.peek().map(|entry| entry.until)
    }

    /// Releases one entry whose deadline has come, if there is one, and says what adding it did.
    pub fn wake(&mut self, now: SimTime) -> Option<(Key, Added)> {
        self.waiting.peek().filter(|entry| entry.until <= now)?;
        let key = self.waiting.pop()?.key;
        Some((key, self.queue.add(now, key)))
    }

    /// See [`Queue::get`].
    #[inline]
    pub fn get(&mut self, now: SimTime) -> Get {
        self.queue.get(now)
    }

    /// See [`Queue::done`].
    #[inline]
    pub fn done(&mut self, now: SimTime, key: Key) -> bool {
        self.queue.done(now, key)
    }

    /// Drops every later add and every waiting entry. Only the first call does anything: a drain
    /// that began after it is not released by a second.
    pub fn shut_down(&mut self, now: SimTime) {
        if !self.stopped {
            self.stopped = true;
            self.queue.shut_down(now);
            self.waiting.clear();
        }
    }

    /// See [`Queue::shut_down_with_drain`]. Waiting entries are dropped.
    pub fn shut_down_with_drain(&mut self, now: SimTime) -> bool {
        self.waiting.clear();
        self.queue.shut_down_with_drain(now)
    }

    /// The queue underneath.
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Waiting entries in the order in which they will be released.
    pub fn waiting(&self) -> Vec<(Key, SimTime)> {
        let mut heap = self.waiting.clone();
        std::iter::from_fn(|| heap.pop().map(|entry| (entry.key, entry.until))).collect()
    }

    /// See [`Queue::metrics`].
    pub fn metrics(&self, now: SimTime) -> Option<MetricsView> {
        self.queue.metrics(now)
    }
}
