//! Replays kinds `burst` and `burst_schedule`: workers whose runs take time.
//!
//! Twice: the recorded calls one by one, and simulated from `config` alone under the recorder's
//! order for one instant (updates, then dones by worker, then idle workers by number), which must
//! make the same calls and the same summary.

use crate::recording::{Fields, Recording, Verdict, each_op};
use loopscope::engine::key::{Key, Keys};
use loopscope::engine::time::SimTime;
use loopscope::engine::workqueue::{AddOptions, Get, LimiterConfig, QueueConfig, WorkQueue};
use serde_json::{Value, json};

fn queue() -> WorkQueue {
    let limiter = LimiterConfig::default_controller();
    WorkQueue::new(
        &QueueConfig::ClientGo {
            limiter,
            metrics: true,
        },
        SimTime::ZERO,
    )
}

pub fn replay(recording: &Recording) -> Verdict {
    replay_calls(recording)?;
    let simulated = simulate(&Schedule::of(recording)?);
    let recorded = recording.fields.list("ops")?;
    for (number, call) in simulated.calls.iter().enumerate() {
        let same = recorded.get(number).is_some_and(|op| {
            ["op", "t_ns", "worker"]
                .iter()
                .all(|name| op[*name] == call[*name])
                && (call["op"] == "get" || op["item"] == call["item"])
        });
        if !same {
            return Err(format!("simulated call {number} is {call}"));
        }
    }
    if simulated.calls.len() != recorded.len() {
        return Err(format!(
            "simulated: {} calls, recorded: {}",
            simulated.calls.len(),
            recorded.len()
        ));
    }
    let summary = recording.fields.get("summary")?;
    if *summary != simulated.summary {
        return Err(format!(
            "summary: expected {summary}, simulated {}",
            simulated.summary
        ));
    }
    Ok(())
}

fn replay_calls(recording: &Recording) -> Verdict {
    let (mut queue, mut keys) = (queue(), Keys::default());
    each_op(&recording.fields, |op, expect| {
        let now = SimTime(op.int("t_ns")?);
        match op.text("op")? {
            "add" => {
                queue.add(now, keys.intern(op.text("item")?), AddOptions::default());
            }
            "done" => {
                queue.done(now, keys.intern(op.text("item")?));
            }
            "get" => {
                let Get::Item(key) = queue.get(now) else {
                    return Err("nothing to get".to_owned());
                };
                expect.value("item", keys.text(key))?;
                expect.value("shutdown", false)?;
            }
            other => return Err(format!("unknown op: {other}")),
        }
        expect.value("len", queue.len())
    })
}

/// What happens, as `config` gives it.
struct Schedule {
    workers: usize,
    /// (when in ns, key), in order.
    updates: Vec<(i64, String)>,
    /// The r-th run to start takes `durations[r % length]` ns.
    durations: Vec<i64>,
}

impl Schedule {
    fn of(recording: &Recording) -> Verdict<Schedule> {
        let config = recording.fields.object("config")?;
        let workers = usize::try_from(config.int("workers")?).map_err(|error| error.to_string())?;
        if recording.kind == "burst" {
            let (key, gap) = (config.text("key")?, config.int("g_ns")?);
            let updates = (0..config.int("n")?)
                .map(|i| (i.saturating_mul(gap), key.to_owned()))
                .collect();
            return Ok(Schedule {
                workers,
                updates,
                durations: vec![config.int("d_ns")?],
            });
        }
        let update = |value| {
            let fields = Fields::of(value)?;
            Ok((fields.int("t_ns")?, fields.text("item")?.to_owned()))
        };
        let durations = config
            .list("durations_ns")?
            .iter()
            .map(Value::as_i64)
            .collect();
        Ok(Schedule {
            workers,
            updates: config
                .list("updates")?
                .iter()
                .map(update)
                .collect::<Verdict<_>>()?,
            durations: Option::<Vec<i64>>::filter(durations, |durations| !durations.is_empty())
                .ok_or("durations_ns: not a list of integers, or empty")?,
        })
    }
}

struct Simulated {
    calls: Vec<Value>,
    summary: Value,
}

/// A run in a worker's hand.
struct Run {
    key: Key,
    end: i64,
}

fn simulate(schedule: &Schedule) -> Simulated {
    let (mut queue, mut keys) = (queue(), Keys::default());
    let mut hands: Vec<Option<Run>> = (0..schedule.workers).map(|_| None).collect();
    let mut updates = schedule.updates.iter().peekable();
    let (mut calls, mut trace, mut end_ns) = (Vec::new(), Vec::new(), 0);
    loop {
        let ends = hands.iter().flatten().map(|run| run.end);
        let Some(t) = ends.chain(updates.peek().map(|(t, _)| *t)).min() else {
            break;
        };
        end_ns = t;
        let now = SimTime(t);
        while let Some((_, item)) = updates.next_if(|(at, _)| *at <= t) {
            queue.add(now, keys.intern(item), AddOptions::default());
            calls.push(json!({"op": "add", "t_ns": t, "item": item}));
        }
        for (number, hand) in hands.iter_mut().enumerate() {
            if let Some(run) = hand.take_if(|run| run.end <= t) {
                queue.done(now, run.key);
                let item = keys.text(run.key);
                calls.push(
                    json!({"op": "done", "t_ns": t, "worker": format!("w{number}"), "item": item}),
                );
            }
        }
        for (number, hand) in hands
            .iter_mut()
            .enumerate()
            .filter(|(_, hand)| hand.is_none())
        {
            let Get::Item(key) = queue.get(now) else {
                break;
            };
            let end = t.saturating_add(schedule.durations[trace.len() % schedule.durations.len()]);
            let worker = format!("w{number}");
            calls.push(json!({"op": "get", "t_ns": t, "worker": worker}));
            trace.push(
                json!({"item": keys.text(key), "worker": worker, "start_ns": t, "end_ns": end}),
            );
            *hand = Some(Run { key, end });
        }
    }
    let (updates, runs) = (schedule.updates.len(), trace.len());
    let summary = json!({"updates": updates, "runs": runs, "end_ns": end_ns, "trace": trace});
    Simulated { calls, summary }
}
