//! The rate-limiting queue: a delaying queue that asks a limiter how long to wait.
//!
//! Mirrors client-go `util/workqueue/rate_limiting_queue.go`.
//!
//! Guarantees: `add_rate_limited` is exactly *ask the limiter, then `add_after`*. The limiter is asked
//! whatever comes of it: also when the queue is shutting down, also when an earlier entry waits
//! already. The queue never forgets a key by itself.

use super::delaying::DelayingQueue;
use super::limiter::{Limiter, LimiterConfig};
use super::queue::Queue;
use super::{Added, Get};
use crate::engine::key::Key;
use crate::engine::time::{SimDuration, SimTime};

/// client-go's queue as controllers use it.
#[derive(Clone, Debug)]
pub struct RateLimitingQueue {
    delaying: DelayingQueue,
    limiter: Limiter,
}

impl RateLimitingQueue {
    /// A rate-limiting queue over `queue`.
    pub fn new(queue: Queue, limiter: &LimiterConfig) -> RateLimitingQueue {
        RateLimitingQueue {
            delaying: DelayingQueue::new(queue),
            limiter: Limiter::new(limiter),
        }
    }

    /// See [`Queue::add`].
    #[inline]
    pub fn add(&mut self, now: SimTime, key: Key) -> Added {
        self.delaying.add(now, key)
    }

    /// See [`DelayingQueue::add_after`].
    pub fn add_after(&mut self, now: SimTime, key: Key, delay: SimDuration) -> Added {
        self.delaying.add_after(now, key, delay)
    }

    /// Adds `key` after the delay that the limiter answers, which is returned as well.
    pub fn add_rate_limited(&mut self, now: SimTime, key: Key) -> (SimDuration, Added) {
        let delay = self.limiter.when(now, key);
        (delay, self.delaying.add_after(now, key, delay))
    }

    /// Forgets the failures of `key`; a waiting entry stays.
    pub fn forget(&mut self, key: Key) {
        self.limiter.forget(key);
    }

    /// How many failures of `key` are counted.
    pub fn num_requeues(&self, key: Key) -> u64 {
        self.limiter.num_requeues(key)
    }

    /// See [`Queue::get`].
    #[inline]
    pub fn get(&mut self, now: SimTime) -> Get {
        self.delaying.get(now)
    }

    /// See [`Queue::done`].
    #[inline]
    pub fn done(&mut self, now: SimTime, key: Key) -> bool {
        self.delaying.done(now, key)
    }

    /// See [`DelayingQueue::wake`].
    pub fn wake(&mut self, now: SimTime) -> Option<(Key, Added)> {
        self.delaying.wake(now)
    }

    /// See [`DelayingQueue::shut_down`].
    pub fn shut_down(&mut self, now: SimTime) {
        self.delaying.shut_down(now);
    }

    /// See [`DelayingQueue::shut_down_with_drain`].
    pub fn shut_down_with_drain(&mut self, now: SimTime) -> bool {
        self.delaying.shut_down_with_drain(now)
    }

    /// The delaying queue underneath.
    pub fn delaying(&self) -> &DelayingQueue {
        &self.delaying
    }
}
