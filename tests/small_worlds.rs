//! Every sequence of calls on small worlds, against a model written from the rules alone.
//!
//! Two keys and two workers are enough to show every meeting of `queue`, `dirty` and `processing`.
//! The model knows sets and a list, has no rows, no places and no flags, and is searched without
//! cleverness; it and the queue must agree on every answer and on all that can be seen after it.

use loopscope::engine::key::Key;
use loopscope::engine::time::SimTime;
use loopscope::engine::workqueue::{Added, Get, Queue};
use std::collections::BTreeSet;

const NOW: SimTime = SimTime::ZERO;
const KEYS: [Key; 2] = [Key(0), Key(1)];

/// The work queue as its rules are told.
#[derive(Clone, Default)]
struct Model {
    queue: Vec<Key>,
    dirty: BTreeSet<Key>,
    processing: BTreeSet<Key>,
    shutting_down: bool,
    draining: bool,
}

impl Model {
    fn add(&mut self, key: Key) -> Added {
        if self.shutting_down {
            return Added::ShuttingDown;
        }
        let (is_new, in_hand) = (self.dirty.insert(key), self.processing.contains(&key));
        if is_new && !in_hand {
            self.queue.push(key);
        }
        match (is_new, in_hand) {
            (true, false) => Added::Ready,
            (true, true) => Added::Dirty,
            (false, false) => Added::MergedReady,
            (false, true) => Added::MergedDirty,
        }
    }

    fn get(&mut self) -> Get {
        if self.queue.is_empty() {
            return if self.shutting_down {
                Get::ShutDown
            } else {
                Get::Empty
            };
        }
        let key = self.queue.remove(0);
        self.dirty.remove(&key);
        self.processing.insert(key);
        Get::Item(key)
    }

    fn done(&mut self, key: Key) -> bool {
        self.processing.remove(&key);
        if self.processing.is_empty() {
            self.draining = false;
        }
        let requeued = self.dirty.contains(&key);
        if requeued {
            self.queue.push(key);
        }
        requeued
    }

    fn shut_down(&mut self, drain: bool) {
        self.shutting_down = true;
        self.draining = drain && !self.processing.is_empty();
    }

    fn agrees_with(&self, queue: &Queue) -> bool {
        let set = |has: &dyn Fn(Key) -> bool| KEYS.into_iter().filter(|&key| has(key)).collect();
        let dirty: BTreeSet<Key> = set(&|key| queue.is_dirty(key));
        let processing: BTreeSet<Key> = set(&|key| queue.is_processing(key));
        queue.ready().eq(self.queue.iter().copied())
            && queue.len() == self.queue.len()
            && dirty == self.dirty
            && processing == self.processing
            && queue.processing().len() == self.processing.len()
            && queue
                .processing()
                .iter()
                .all(|key| self.processing.contains(key))
            && queue.shutting_down() == self.shutting_down
            && queue.draining() == self.draining
    }
}

#[derive(Clone, Copy, Debug)]
enum Call {
    Add(Key),
    Get,
    Done(Key),
    ShutDown,
    Drain,
}

/// Both of them, and the keys in each worker's hand.
#[derive(Clone, Default)]
struct World {
    queue: Queue,
    model: Model,
    hands: [Option<Key>; 2],
}

impl World {
    /// Makes a call on both. What it answered, if the two agree.
    fn play(&mut self, call: Call) -> Option<Get> {
        let (queue, model) = (&mut self.queue, &mut self.model);
        let mut taken = Get::Empty;
        let same = match call {
            Call::Add(key) => queue.add(NOW, key) == model.add(key),
            Call::Get => {
                taken = queue.get(NOW);
                taken == model.get()
            }
            Call::Done(key) => queue.done(NOW, key) == model.done(key),
            Call::ShutDown => {
                queue.shut_down(NOW);
                model.shut_down(false);
                true
            }
            Call::Drain => {
                let returned = queue.shut_down_with_drain(NOW);
                model.shut_down(true);
                returned != model.draining
            }
        };
        (same && self.model.agrees_with(&self.queue)).then_some(taken)
    }
}

/// A call, and the worker who makes it, if it is one with a hand.
type Choice = (Option<usize>, Call);

/// Plays every sequence of up to `length` calls that `choices` offers; says how many there were.
fn explore(
    world: &World,
    length: usize,
    path: &mut Vec<Call>,
    choices: &dyn Fn(&World) -> Vec<Choice>,
) -> u64 {
    if length == 0 {
        return 0;
    }
    let mut sequences = 0;
    for (worker, call) in choices(world) {
        let mut next = world.clone();
        path.push(call);
        let answer = next.play(call);
        assert!(answer.is_some(), "queue and model differ after {path:?}");
        if let Some(worker) = worker {
            next.hands[worker] = match answer {
                Some(Get::Item(key)) => Some(key),
                _ => None,
            };
            assert!(
                next.hands[0].is_none() || next.hands[0] != next.hands[1],
                "two workers hold one key after {path:?}"
            );
        }
        sequences += 1 + explore(&next, length - 1, path, choices);
        path.pop();
    }
    sequences
}

#[test]
fn two_workers_who_keep_the_contract() {
    // An idle worker may get, a busy one may only put down what it holds.
    let choices = |world: &World| {
        let adds = KEYS.map(|key| (None, Call::Add(key)));
        let turns = [0, 1].map(|worker| {
            let call = world.hands[worker].map_or(Call::Get, Call::Done);
            (Some(worker), call)
        });
        [adds, turns].concat()
    };
    let sequences = explore(&World::default(), 11, &mut Vec::new(), &choices);
    assert_eq!(
        sequences,
        (4_u64.pow(12) - 4) / 3,
        "four calls are possible at each step"
    );
}

#[test]
fn callers_who_call_done_for_anything_and_shut_down_at_any_time() {
    let calls = [
        Call::Add(KEYS[0]),
        Call::Add(KEYS[1]),
        Call::Get,
        Call::Done(KEYS[0]),
        Call::Done(KEYS[1]),
        Call::ShutDown,
        Call::Drain,
    ];
    let choices = |_: &World| calls.map(|call| (None, call)).to_vec();
    let sequences = explore(&World::default(), 8, &mut Vec::new(), &choices);
    assert_eq!(sequences, (7_u64.pow(9) - 7) / 6);
}
