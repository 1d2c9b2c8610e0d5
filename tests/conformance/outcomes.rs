//! Replays `outcomes.jsonl`: what controller-runtime calls on its queue after each outcome.
//!
//! A recording names its outcome and says nothing else about it, so the name is read as the
//! sentence it is: `requeue_and_requeue_after_7s_priority_5`.

use crate::recording::{Fields, Recording, Verdict};
use loopscope::engine::controller::outcome::{
    Outcome, QueueAnswer, QueueCall, Reaction, ReconcileResult,
};
use loopscope::engine::key::Keys;
use loopscope::engine::time::{SimDuration, SimTime};
use loopscope::engine::workqueue::{AddOptions, LimiterConfig, QueueConfig, WorkQueue};
use serde_json::{Value, json};

/// The priority with which the recorded item had been taken from the priority queue.
const PRIORITY: i32 = 3;

pub fn replay(recording: &Recording) -> Verdict {
    let fields = &recording.fields;
    let reaction = Reaction::to(read(fields.text("outcome")?)?, PRIORITY);
    compare(
        fields,
        "plain_queue_calls",
        reaction.calls().map(plain).collect(),
    )?;
    compare(
        fields,
        "priority_queue_calls",
        reaction.calls().map(prioritised).collect(),
    )?;
    compare(fields, "metrics", counters(reaction))?;
    count_requeues(fields, reaction)
}

fn compare(fields: &Fields, name: &str, got: Value) -> Verdict {
    let expected = fields.get(name)?;
    if *expected == got {
        Ok(())
    } else {
        Err(format!("{name}: expected {expected}, got {got}"))
    }
}

/// Plays the calls on a real queue and compares the failures counted before and after.
fn count_requeues(fields: &Fields, reaction: Reaction) -> Verdict {
    let before = fields
        .list("plain_num_requeues_before_after")?
        .first()
        .and_then(Value::as_u64);
    let before = before.ok_or("plain_num_requeues_before_after: not two integers")?;
    let limiter = LimiterConfig::default_exponential();
    let mut queue = WorkQueue::new(
        &QueueConfig::ClientGo {
            limiter,
            metrics: false,
        },
        SimTime::ZERO,
    );
    let (now, key) = (SimTime::ZERO, Keys::default().intern("k"));
    queue.add(now, key, AddOptions::default());
    queue.get(now);
    for _ in 0..before {
        queue.add(now, key, AddOptions::rate_limited());
    }
    let seen = queue.num_requeues(key);
    let answers: Vec<_> = reaction
        .calls()
        .map(|call| call.play(&mut queue, now, key))
        .collect();
    if !matches!(answers.last(), Some(QueueAnswer::Done { .. })) {
        return Err(format!("the last call is not Done: {answers:?}"));
    }
    compare(
        fields,
        "plain_num_requeues_before_after",
        json!([seen, queue.num_requeues(key)]),
    )
}

/// A call as the plain rate-limiting queue sees it.
fn plain(call: QueueCall) -> Value {
    match call {
        QueueCall::Forget => json!({"call": "Forget", "item": "k"}),
        QueueCall::Done => json!({"call": "Done", "item": "k"}),
        QueueCall::Add(options) if options.rate_limited => {
            json!({"call": "AddRateLimited", "item": "k"})
        }
        QueueCall::Add(options) => {
            json!({"call": "AddAfter", "item": "k", "delay_ns": options.after.0})
        }
    }
}

/// A call as the priority queue sees it.
fn prioritised(call: QueueCall) -> Value {
    let QueueCall::Add(options) = call else {
        return plain(call);
    };
    let mut value =
        json!({"call": "AddWithOpts", "item": "k", "rate_limited": options.rate_limited});
    if options.after != SimDuration::ZERO {
        value["after_ns"] = options.after.0.into();
    }
    if let Some(priority) = options.priority {
        value["priority"] = priority.into();
    }
    value
}

fn counters(reaction: Reaction) -> Value {
    let label = reaction.result.as_str();
    let mut counters = vec![format!("reconcile_total{{{label}}}")];
    counters.extend((label == "error").then(|| "reconcile_errors_total".to_owned()));
    counters.extend(
        reaction
            .terminal
            .then(|| "terminal_reconcile_errors_total".to_owned()),
    );
    counters.extend(reaction.panic.then(|| "reconcile_panics_total".to_owned()));
    counters.sort();
    counters.into()
}

/// Reads the name of an outcome.
fn read(name: &str) -> Verdict<Outcome> {
    let unknown = || format!("cannot read the outcome `{name}`");
    let mut result = ReconcileResult::default();
    let mut words = name;
    if let Some((before, priority)) = name.rsplit_once("_priority_") {
        result.priority = Some(priority.parse().map_err(|_| unknown())?);
        words = before;
    }
    let (mut error, mut terminal, mut panic) = (false, false, false);
    for part in words.split("_and_") {
        if let Some(after) = part.strip_prefix("requeue_after_") {
            result.requeue_after = duration(after).ok_or_else(unknown)?;
            continue;
        }
        match part {
            "success" => {}
            "requeue" => result.requeue = true,
            "error" => error = true,
            "panic" => panic = true,
            // How it is wrapped (`_joined`, `_nil_inside`, …) makes no difference.
            _ if part.starts_with("terminal_error") => terminal = true,
            _ => return Err(unknown()),
        }
    }
    Ok(match (panic, terminal, error) {
        (true, ..) => Outcome::Panic,
        (_, true, _) => Outcome::TerminalError(result),
        (.., true) => Outcome::Error(result),
        _ => Outcome::Finished(result),
    })
}

/// `7s`, `250ms`, or `negative`.
fn duration(text: &str) -> Option<SimDuration> {
    if text == "negative" {
        return Some(SimDuration::from_secs(-1));
    }
    let unit = text.find(|letter: char| !letter.is_ascii_digit())?;
    let count: i64 = text[..unit].parse().ok()?;
    let nanos = match &text[unit..] {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    };
    Some(SimDuration(count.checked_mul(nanos)?))
}
