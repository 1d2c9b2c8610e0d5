//! What is played on: each of the engine's queues behind one face.

use loopscope::engine::key::Key;
use loopscope::engine::time::{SimDuration, SimTime};
use loopscope::engine::workqueue::{
    AddOptions, Added, DelayingQueue, Get, Queue, RateLimitingQueue, WorkQueue,
};

/// A queue to replay recordings on. `None`: this kind of queue has no such call, or does not tell.
pub trait Subject {
    fn add(&mut self, now: SimTime, key: Key) -> Added;
    fn get(&mut self, now: SimTime) -> Get;
    fn done(&mut self, now: SimTime, key: Key) -> bool;
    fn len(&self) -> usize;
    fn shut_down(&mut self, now: SimTime);
    fn shut_down_with_drain(&mut self, now: SimTime) -> bool;
    fn shutting_down(&self) -> bool;
    fn draining(&self) -> bool;

    /// Lets time pass until `now` and says which keys were released.
    fn advance(&mut self, _now: SimTime) -> Vec<Key> {
        Vec::new()
    }
    fn add_after(&mut self, _now: SimTime, _key: Key, _delay: SimDuration) -> Option<Added> {
        None
    }
    /// The limiter's delay (if it is told), and what the add did.
    fn add_rate_limited(
        &mut self,
        _now: SimTime,
        _key: Key,
    ) -> Option<(Option<SimDuration>, Added)> {
        None
    }
    fn forget(&mut self, _key: Key) -> Option<()> {
        None
    }
    fn num_requeues(&self, _key: Key) -> Option<u64> {
        None
    }
}

impl Subject for Queue {
    fn add(&mut self, now: SimTime, key: Key) -> Added {
        self.add(now, key)
    }
    fn get(&mut self, now: SimTime) -> Get {
        self.get(now)
    }
    fn done(&mut self, now: SimTime, key: Key) -> bool {
        self.done(now, key)
    }
    fn len(&self) -> usize {
        self.len()
    }
    fn shut_down(&mut self, now: SimTime) {
        self.shut_down(now);
    }
    fn shut_down_with_drain(&mut self, now: SimTime) -> bool {
        self.shut_down_with_drain(now)
    }
    fn shutting_down(&self) -> bool {
        self.shutting_down()
    }
    fn draining(&self) -> bool {
        self.draining()
    }
}

impl Subject for DelayingQueue {
    fn add(&mut self, now: SimTime, key: Key) -> Added {
        self.add(now, key)
    }
    fn get(&mut self, now: SimTime) -> Get {
        self.get(now)
    }
    fn done(&mut self, now: SimTime, key: Key) -> bool {
        self.done(now, key)
    }
    fn len(&self) -> usize {
        self.queue().len()
    }
    fn shut_down(&mut self, now: SimTime) {
        self.shut_down(now);
    }
    fn shut_down_with_drain(&mut self, now: SimTime) -> bool {
        self.shut_down_with_drain(now)
    }
    fn shutting_down(&self) -> bool {
        self.queue().shutting_down()
    }
    fn draining(&self) -> bool {
        self.queue().draining()
    }
    fn advance(&mut self, now: SimTime) -> Vec<Key> {
        std::iter::from_fn(|| self.wake(now))
            .map(|(key, _)| key)
            .collect()
    }
    fn add_after(&mut self, now: SimTime, key: Key, delay: SimDuration) -> Option<Added> {
        Some(self.add_after(now, key, delay))
    }
}

impl Subject for RateLimitingQueue {
    fn add(&mut self, now: SimTime, key: Key) -> Added {
        self.add(now, key)
    }
    fn get(&mut self, now: SimTime) -> Get {
        self.get(now)
    }
    fn done(&mut self, now: SimTime, key: Key) -> bool {
        self.done(now, key)
    }
    fn len(&self) -> usize {
        self.delaying().queue().len()
    }
    fn shut_down(&mut self, now: SimTime) {
        self.shut_down(now);
    }
    fn shut_down_with_drain(&mut self, now: SimTime) -> bool {
        self.shut_down_with_drain(now)
    }
    fn shutting_down(&self) -> bool {
        self.delaying().queue().shutting_down()
    }
    fn draining(&self) -> bool {
        self.delaying().queue().draining()
    }
    fn advance(&mut self, now: SimTime) -> Vec<Key> {
        std::iter::from_fn(|| self.wake(now))
            .map(|(key, _)| key)
            .collect()
    }
    fn add_after(&mut self, now: SimTime, key: Key, delay: SimDuration) -> Option<Added> {
        Some(self.add_after(now, key, delay))
    }
    fn add_rate_limited(&mut self, now: SimTime, key: Key) -> Option<(Option<SimDuration>, Added)> {
        let (delay, added) = self.add_rate_limited(now, key);
        Some((Some(delay), added))
    }
    fn forget(&mut self, key: Key) -> Option<()> {
        self.forget(key);
        Some(())
    }
    fn num_requeues(&self, key: Key) -> Option<u64> {
        Some(self.num_requeues(key))
    }
}

/// The engine's own door, driven as the engine drives it: woken at each deadline, not later.
impl Subject for WorkQueue {
    fn add(&mut self, now: SimTime, key: Key) -> Added {
        self.add(now, key, AddOptions::default())
    }
    fn get(&mut self, now: SimTime) -> Get {
        self.get(now)
    }
    fn done(&mut self, now: SimTime, key: Key) -> bool {
        self.done(now, key)
    }
    fn len(&self) -> usize {
        self.len()
    }
    fn shut_down(&mut self, now: SimTime) {
        self.shut_down(now);
    }
    fn shut_down_with_drain(&mut self, now: SimTime) -> bool {
        self.shut_down_with_drain(now)
    }
    fn shutting_down(&self) -> bool {
        self.shutting_down()
    }
    fn draining(&self) -> bool {
        self.draining()
    }
    fn advance(&mut self, now: SimTime) -> Vec<Key> {
        let mut released = Vec::new();
        while let Some(due) = self.next_wake().filter(|&due| due <= now) {
            let Some((key, _)) = self.wake(due) else {
                break;
            };
            released.push(key);
        }
        released
    }
    fn add_after(&mut self, now: SimTime, key: Key, delay: SimDuration) -> Option<Added> {
        // The one door reads a delay of zero or less as a plain add, as `AddWithOpts` upstream does;
        // all that differs is whether `retries_total` counts it.
        Some(self.add(now, key, AddOptions::after(delay)))
    }
    fn add_rate_limited(&mut self, now: SimTime, key: Key) -> Option<(Option<SimDuration>, Added)> {
        Some((None, self.add(now, key, AddOptions::rate_limited())))
    }
    fn forget(&mut self, key: Key) -> Option<()> {
        self.forget(key);
        Some(())
    }
    fn num_requeues(&self, key: Key) -> Option<u64> {
        Some(self.num_requeues(key))
    }
}
