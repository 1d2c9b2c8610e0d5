//! Replays kinds `basic`, `delaying` and `rate_limiting_queue`: one caller, call by call.
//!
//! Each recording is played twice: on the queue of its kind, woken as late as the recording
//! allows, and through `WorkQueue`, the engine's door, with metrics on, woken at each deadline.

use crate::limiter;
use crate::recording::{Recording, Verdict, each_op};
use crate::subject::Subject;
use loopscope::engine::key::{Key, Keys};
use loopscope::engine::time::{SimDuration, SimTime};
use loopscope::engine::workqueue::{
    Added, DelayingQueue, Get, LimiterConfig, Queue, QueueConfig, RateLimitingQueue, WorkQueue,
};
use serde_json::Value;

pub fn basic(recording: &Recording) -> Verdict {
    replay(recording, &mut Queue::new())?;
    replay(recording, &mut door(LimiterConfig::default_controller()))
}

pub fn delaying(recording: &Recording) -> Verdict {
    replay(recording, &mut DelayingQueue::new(Queue::new()))?;
    replay(recording, &mut door(LimiterConfig::default_controller()))
}

pub fn rate_limiting(recording: &Recording) -> Verdict {
    let limiter = limiter::config(&recording.fields.object("config")?.object("limiter")?)?;
    replay(
        recording,
        &mut RateLimitingQueue::new(Queue::new(), &limiter),
    )?;
    replay(recording, &mut door(limiter))
}

fn door(limiter: LimiterConfig) -> WorkQueue {
    WorkQueue::new(
        &QueueConfig::ClientGo {
            limiter,
            metrics: true,
        },
        SimTime::ZERO,
    )
}

/// Was the key handed to the inner queue's `Add`, whether or not that took it?
fn reached_the_queue(added: Added) -> bool {
    matches!(
        added,
        Added::Ready | Added::Dirty | Added::MergedReady | Added::MergedDirty
    )
}

fn replay(recording: &Recording, queue: &mut dyn Subject) -> Verdict {
    let watches_adds = recording.kind != "basic";
    let mut keys = Keys::default();
    let mut now = SimTime::ZERO;
    let mut drain_begun = false;
    each_op(&recording.fields, |op, expect| {
        let name = op.text("op")?;
        let missing = || format!("this kind of queue has no `{name}`");
        let mut item = || op.text("item").map(|text| keys.intern(text));
        let mut adds: Vec<Key> = Vec::new();
        match name {
            "add" => {
                let key = item()?;
                adds.push(key);
                queue.add(now, key);
            }
            "get" => match queue.get(now) {
                Get::Item(key) => {
                    expect.value("item", keys.text(key))?;
                    expect.value("shutdown", false)?;
                }
                Get::ShutDown => {
                    expect.value("item", Value::Null)?;
                    expect.value("shutdown", true)?;
                }
                Get::Empty => return Err("the queue is empty: this Get would block".to_owned()),
            },
            "done" => {
                queue.done(now, item()?);
            }
            "len" => expect.value("value", queue.len())?,
            "shutting_down" => expect.value("value", queue.shutting_down())?,
            "shutdown" => queue.shut_down(now),
            "drain" => {
                drain_begun = true;
                queue.shut_down_with_drain(now);
            }
            "add_after" => {
                let (key, delay) = (item()?, SimDuration(op.int("delay_ns")?));
                let added = queue.add_after(now, key, delay).ok_or_else(missing)?;
                adds.extend(reached_the_queue(added).then_some(key));
            }
            "add_rate_limited" => {
                let key = item()?;
                let (delay, added) = queue.add_rate_limited(now, key).ok_or_else(missing)?;
                let untold = SimDuration(op.object("expect")?.int("delay_ns")?);
                expect.value("delay_ns", delay.unwrap_or(untold).0)?;
                adds.extend(reached_the_queue(added).then_some(key));
            }
            "forget" => queue.forget(item()?).ok_or_else(missing)?,
            "num_requeues" => {
                expect.value("value", queue.num_requeues(item()?).ok_or_else(missing)?)?;
            }
            "step" => {
                now = now + SimDuration(op.int("ns")?);
                adds = queue.advance(now);
                expect.value("now_ns", now.0)?;
            }
            other => return Err(format!("unknown op: {other}")),
        }
        if watches_adds {
            let adds = adds.into_iter().map(|key| keys.text(key).into()).collect();
            expect.list("adds", adds)?;
        }
        if drain_begun {
            expect.value("drain_returned", !queue.draining())?;
        }
        expect.value("len", queue.len())
    })
}
