//! Throughput of the work queue: the three loops that the real queue was measured with.
//!
//! The recorded numbers are of client-go's `Typed[string]` without metrics, in Go, one goroutine
//! making all calls. The loops here are the same, over the same 1000 key texts, in three ways:
//! - `interned`: keys are small numbers, as the engine uses them everywhere. Less work than a
//!   queue of strings: nothing is hashed. There is no lock either, where the real queue takes one
//!   (never contended) at each call;
//! - `text`: every `add` is given a text, which is interned on the way in, and what `get` answers is
//!   made a text again: the work of a queue of strings (one hash an add instead of one a set look-up);
//! - `metered`: interned, with the Prometheus metrics on.
//!
//! A run makes a new queue, does a fixed number of iterations, and checks that nothing is left.
//! `script/bench` compares the medians with the real queue's.

use divan::{Bencher, black_box, counter::ItemsCount};
use loopscope::engine::key::{Key, Keys};
use loopscope::engine::time::SimTime;
use loopscope::engine::workqueue::{AddOptions, Get, LimiterConfig, QueueConfig, WorkQueue};

const KEYS: usize = 1000;
/// A run of this many iterations takes some 20 ms.
const ITERATIONS: usize = 1_000_000;

fn main() {
    divan::main();
}

fn texts() -> Vec<String> {
    (0..KEYS)
        .map(|number| format!("default/obj-{number:04}"))
        .collect()
}

/// What the loops are run on.
trait Queue {
    /// How a caller names a key.
    type Name: Copy;
    fn add(&mut self, now: SimTime, key: Self::Name);
    fn get(&mut self, now: SimTime) -> Key;
    fn done(&mut self, now: SimTime, key: Key);
    fn len(&self) -> usize;
}

fn queue(metrics: bool) -> WorkQueue {
    let limiter = LimiterConfig::default_controller();
    WorkQueue::new(&QueueConfig::ClientGo { limiter, metrics }, SimTime::ZERO)
}

impl Queue for WorkQueue {
    type Name = Key;
    fn add(&mut self, now: SimTime, key: Key) {
        black_box(WorkQueue::add(self, now, key, AddOptions::default()));
    }
    fn get(&mut self, now: SimTime) -> Key {
        match WorkQueue::get(self, now) {
            Get::Item(key) => key,
            Get::Empty | Get::ShutDown => panic!("an item was added"),
        }
    }
    fn done(&mut self, now: SimTime, key: Key) {
        black_box(WorkQueue::done(self, now, key));
    }
    fn len(&self) -> usize {
        WorkQueue::len(self)
    }
}

/// A queue of texts: the interner in front of the queue.
struct TextQueue {
    keys: Keys,
    queue: WorkQueue,
}

// A `&'static str` stands for Go's string: a pointer and a length, no copy.
impl Queue for TextQueue {
    type Name = &'static str;
    fn add(&mut self, now: SimTime, key: &'static str) {
        let key = self.keys.intern(key);
        Queue::add(&mut self.queue, now, key);
    }
    fn get(&mut self, now: SimTime) -> Key {
        let key = Queue::get(&mut self.queue, now);
        black_box(self.keys.text(key));
        key
    }
    fn done(&mut self, now: SimTime, key: Key) {
        Queue::done(&mut self.queue, now, key);
    }
    fn len(&self) -> usize {
        WorkQueue::len(&self.queue)
    }
}

/// One key after the other: add, get, done.
fn distinct<Q: Queue>(queue: &mut Q, keys: &[Q::Name]) {
    for iteration in 0..ITERATIONS {
        let now = SimTime(iteration as i64);
        queue.add(now, black_box(keys[iteration % KEYS]));
        let key = queue.get(now);
        queue.done(now, key);
    }
}

/// Ten adds of one key, nine of which find it queued; get, done.
fn same_key<Q: Queue>(queue: &mut Q, keys: &[Q::Name]) {
    for iteration in 0..ITERATIONS {
        let now = SimTime(iteration as i64);
        for _ in 0..10 {
            queue.add(now, black_box(keys[0]));
        }
        let key = queue.get(now);
        queue.done(now, key);
    }
}

/// All keys are added, then all are taken and done.
fn backlog<Q: Queue>(queue: &mut Q, keys: &[Q::Name]) {
    for round in 0..ITERATIONS / KEYS {
        let now = SimTime(round as i64);
        for &key in keys {
            queue.add(now, black_box(key));
        }
        for _ in keys {
            let key = queue.get(now);
            queue.done(now, key);
        }
    }
}

fn run<Q: Queue>(bencher: Bencher, new: fn() -> Q, keys: &[Q::Name], body: fn(&mut Q, &[Q::Name])) {
    bencher
        .counter(ItemsCount::new(ITERATIONS))
        .bench_local(|| {
            let mut queue = new();
            body(&mut queue, keys);
            assert_eq!(queue.len(), 0);
        });
}

fn new_plain() -> WorkQueue {
    queue(false)
}

fn new_metered() -> WorkQueue {
    queue(true)
}

fn new_text() -> TextQueue {
    TextQueue {
        keys: Keys::default(),
        queue: queue(false),
    }
}

fn keys() -> Vec<Key> {
    let mut keys = Keys::default();
    texts().iter().map(|text| keys.intern(text)).collect()
}

fn static_texts() -> Vec<&'static str> {
    texts().into_iter().map(|text| &*text.leak()).collect()
}

macro_rules! loops {
    ($module:ident, $new:expr, $keys:expr) => {
        mod $module {
            use super::*;

            #[divan::bench(sample_count = 20, sample_size = 1)]
            fn distinct_1000(bencher: Bencher) {
                run(bencher, $new, &$keys, distinct);
            }

            #[divan::bench(sample_count = 20, sample_size = 1)]
            fn same_key_10_adds(bencher: Bencher) {
                run(bencher, $new, &$keys, same_key);
            }

            #[divan::bench(sample_count = 20, sample_size = 1)]
            fn backlog_1000(bencher: Bencher) {
                run(bencher, $new, &$keys, backlog);
            }
        }
    };
}

loops!(interned, new_plain, keys());
loops!(metered, new_metered, keys());
loops!(text, new_text, static_texts());
