//! Replays kind `basic_blocking`: several callers, whose calls may block.
//!
//! Who waits, and whom Go's `sync.Cond` wakes, is modelled here and not in the engine, whose
//! controllers hand keys to idle workers by number. A waiter that is woken for nothing rejoins at
//! the end. With that the two recordings marked `exotic` agree as well.

use crate::recording::{Recording, Verdict, each_op};
use loopscope::engine::key::Keys;
use loopscope::engine::time::SimTime;
use loopscope::engine::workqueue::{Added, Get, Queue};
use serde_json::{Value, json};
use std::collections::VecDeque;

const NOW: SimTime = SimTime::ZERO;

/// A blocked call.
enum Call {
    Get,
    Drain,
}

#[derive(Default)]
struct World {
    queue: Queue,
    keys: Keys,
    waiting: VecDeque<(String, Call)>,
    returned: Vec<(String, Value)>,
}

impl World {
    /// Lets a caller try; if its call cannot return yet, it joins the end of those that wait.
    fn attempt(&mut self, worker: String, call: Call) {
        let answer = match call {
            Call::Get => match self.queue.get(NOW) {
                Get::Item(key) => Some(
                    json!({"worker": worker, "call": "get", "item": self.keys.text(key), "shutdown": false}),
                ),
                Get::ShutDown => Some(json!({"worker": worker, "call": "get", "shutdown": true})),
                Get::Empty => None,
            },
            Call::Drain => {
                (!self.queue.draining()).then(|| json!({"worker": worker, "call": "drain"}))
            }
        };
        match answer {
            Some(answer) => self.returned.push((worker, answer)),
            None => self.waiting.push_back((worker, call)),
        }
    }

    /// `Cond.Signal`.
    fn wake_one(&mut self) {
        if let Some((worker, call)) = self.waiting.pop_front() {
            self.attempt(worker, call);
        }
    }

    /// `Cond.Broadcast` by a caller that goes on with `then` before any of the woken gets the lock.
    fn wake_all(&mut self, then: impl FnOnce(&mut World)) {
        let woken = std::mem::take(&mut self.waiting);
        then(self);
        for (worker, call) in woken {
            self.attempt(worker, call);
        }
    }
}

pub fn replay(recording: &Recording) -> Verdict {
    let mut world = World::default();
    each_op(&recording.fields, |op, expect| {
        match op.text("op")? {
            "add" => {
                let key = world.keys.intern(op.text("item")?);
                if world.queue.add(NOW, key) == Added::Ready {
                    world.wake_one();
                }
            }
            "done" => {
                let key = world.keys.intern(op.text("item")?);
                let requeued = world.queue.done(NOW, key);
                if requeued || world.queue.processing().is_empty() {
                    world.wake_one();
                }
            }
            "len" => expect.value("value", world.queue.len())?,
            "shutting_down" => expect.value("value", world.queue.shutting_down())?,
            "shutdown" => {
                world.queue.shut_down(NOW);
                world.wake_all(|_| {});
            }
            "get_async" => world.attempt(op.text("worker")?.to_owned(), Call::Get),
            "drain_async" => {
                let worker = op.text("worker")?.to_owned();
                world.queue.shut_down_with_drain(NOW);
                world.wake_all(|world| world.attempt(worker, Call::Drain));
            }
            other => return Err(format!("unknown op: {other}")),
        }
        let mut returned = std::mem::take(&mut world.returned);
        returned.sort_by(|(a, _), (b, _)| a.cmp(b));
        expect.list(
            "returned",
            returned.into_iter().map(|(_, answer)| answer).collect(),
        )?;
        expect.value("len", world.queue.len())
    })
}
