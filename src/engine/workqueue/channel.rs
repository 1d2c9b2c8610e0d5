//! The plain buffered channel that the first article's program uses as a work queue.
//!
//! Mirrors no client-go file: a Go `chan string` with a capacity, a `select` with an empty `default`
//! around the send, and a timer per delayed add. It is here to show what the work queue is for.
//!
//! What it does *not* guarantee is the point: nothing is merged, so ten events are ten runs; when it
//! is full an add is lost; and the same key may be in several workers' hands at once.
//!
//! Guarantees: first in, first out; timers due at one instant fire in the order they were set.
//!
//! Left out on purpose: rate limits (`rate_limited` and `priority` are ignored), and metrics.

use super::{Added, Get};
use crate::engine::key::Key;
use crate::engine::sorted::Map;
use crate::engine::time::{SimDuration, SimTime};
use std::collections::VecDeque;

/// A buffered channel of keys.
#[derive(Clone, Debug)]
pub struct PlainChannel {
    capacity: usize,
    buffer: VecDeque<Key>,
    /// By (due, order of setting).
    timers: Map<(SimTime, u64), Key>,
    timers_set: u64,
    /// Taken and not yet done, oldest first. For the view only: the channel itself does not know.
    processing: Vec<Key>,
    shutting_down: bool,
    draining: bool,
}

impl PlainChannel {
    /// An empty channel with room for `capacity` keys.
    pub fn new(capacity: u32) -> PlainChannel {
        PlainChannel {
            capacity: capacity as usize,
            buffer: VecDeque::new(),
            timers: Map::new(),
            timers_set: 0,
            processing: Vec::new(),
            shutting_down: false,
            draining: false,
        }
    }

    /// Sends `key`, or drops it if the channel is full.
    pub fn add(&mut self, key: Key) -> Added {
        if self.shutting_down {
            return Added::ShuttingDown;
        }
        if self.buffer.len() >= self.capacity {
            return Added::Full;
        }
        self.buffer.push_back(key);
        Added::Ready
    }

    /// Sets a timer of its own that will `add` the key after `delay`.
    pub fn add_after(&mut self, now: SimTime, key: Key, delay: SimDuration) -> Added {
        let until = now + delay;
        if self.shutting_down || until <= now {
            return self.add(key);
        }
        self.timers.insert((until, self.timers_set), key);
        self.timers_set += 1;
        Added::Delayed { until }
    }

    pub fn get(&mut self) -> Get {
        match self.buffer.pop_front() {
            Some(key) => {
                self.processing.push(key);
                Get::Item(key)
            }
            None if self.shutting_down => Get::ShutDown,
            None => Get::Empty,
        }
    }

    /// Tells the view that a worker has put `key` down. Never queues anything.
    pub fn done(&mut self, key: Key) {
        if let Some(place) = self.processing.iter().position(|&held| held == key) {
            self.processing.remove(place);
        }
        self.draining &= !self.processing.is_empty();
    }

    /// When the next timer is due.
    pub fn next_wake(&self) -> Option<SimTime> {
        self.timers.first().map(|(&(due, _), _)| due)
    }

    /// Fires one timer that is due.
    pub fn wake(&mut self, now: SimTime) -> Option<(Key, Added)> {
        let (&timer, _) = self.timers.first().filter(|(timer, _)| timer.0 <= now)?;
        let key = self.timers.remove(&timer)?;
        Some((key, self.add(key)))
    }

    /// Closes the channel: later adds are dropped, timers with them.
    pub fn shut_down(&mut self) {
        self.shutting_down = true;
        self.draining = false;
        self.timers.clear();
    }

    /// As `shut_down`; true if nothing is in hand, so that there is nothing to wait for.
    pub fn shut_down_with_drain(&mut self) -> bool {
        self.shut_down();
        self.draining = !self.processing.is_empty();
        !self.draining
    }

    pub fn shutting_down(&self) -> bool {
        self.shutting_down
    }

    pub fn draining(&self) -> bool {
        self.draining
    }

    /// How many keys are buffered.
    pub fn len(&self) -> usize {
        self.buffer.len()
    }

    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The buffered keys, next first.
    pub fn ready(&self) -> impl ExactSizeIterator<Item = Key> + '_ {
        self.buffer.iter().copied()
    }

    /// Timers in the order in which they will fire.
    pub fn waiting(&self) -> impl Iterator<Item = (Key, SimTime)> + '_ {
        self.timers.iter().map(|(&(due, _), &key)| (key, due))
    }

    /// The keys in hand, oldest first; the same key may be there several times.
    pub fn processing(&self) -> &[Key] {
        &self.processing
    }
}
