//! All knobs.

use super::{Choice, Field, Knob, Number};
use crate::engine::knobs::{ControllerKind, Knobs, QueueKind};
use crate::engine::time::SimDuration;
use crate::engine::workqueue::LimiterConfig;

const NONE: &str = "no such setting";

fn millis(millis: i64) -> SimDuration {
    SimDuration::from_millis(millis)
}

const fn time(max: i64, get: fn(&Knobs) -> i64, set: fn(&mut Knobs, i64)) -> Field {
    Field::Number(Number {
        unit: "ms",
        per: 1,
        min: 0,
        max,
        get,
        set,
    })
}

const fn count(
    unit: &'static str,
    max: i64,
    get: fn(&Knobs) -> i64,
    set: fn(&mut Knobs, i64),
) -> Field {
    Field::Number(Number {
        unit,
        per: 1,
        min: 1,
        max,
        get,
        set,
    })
}

fn slow_after_three() -> LimiterConfig {
    LimiterConfig::FastSlow {
        fast: millis(100),
        slow: millis(10_000),
        max_fast_attempts: 3,
    }
}

fn bucket() -> LimiterConfig {
    LimiterConfig::Bucket {
        qps: 10.0,
        burst: 100,
    }
}

static QUEUES: [Choice; 2] = [
    Choice {
        label: "client-go queue",
        is: |knobs| knobs.queue == QueueKind::ClientGo,
        set: |knobs| knobs.queue = QueueKind::ClientGo,
    },
    Choice {
        label: "plain channel",
        is: |knobs| knobs.queue == QueueKind::Channel,
        set: |knobs| knobs.queue = QueueKind::Channel,
    },
];

static LIMITERS: [Choice; 4] = [
    Choice {
        label: "5 ms doubling to 1000 s, and 10/s after 100",
        is: |knobs| knobs.limiter == LimiterConfig::default_controller(),
        set: |knobs| knobs.limiter = LimiterConfig::default_controller(),
    },
    Choice {
        label: "5 ms doubling to 1000 s, alone",
        is: |knobs| knobs.limiter == LimiterConfig::default_exponential(),
        set: |knobs| knobs.limiter = LimiterConfig::default_exponential(),
    },
    Choice {
        label: "10/s after 100, alone",
        is: |knobs| knobs.limiter == bucket(),
        set: |knobs| knobs.limiter = bucket(),
    },
    Choice {
        label: "three times 100 ms, then 10 s",
        is: |knobs| knobs.limiter == slow_after_three(),
        set: |knobs| knobs.limiter = slow_after_three(),
    },
];

static OWNED: [Choice; 2] = [
    Choice {
        label: "watched",
        is: |knobs| knobs.owned_watched,
        set: |knobs| knobs.owned_watched = true,
    },
    Choice {
        label: "not watched",
        is: |knobs| !knobs.owned_watched,
        set: |knobs| knobs.owned_watched = false,
    },
];

static COPIES: [Choice; 2] = [
    Choice {
        label: "on a copy",
        is: |knobs| knobs.deep_copy,
        set: |knobs| knobs.deep_copy = true,
    },
    Choice {
        label: "in the cache itself",
        is: |knobs| !knobs.deep_copy,
        set: |knobs| knobs.deep_copy = false,
    },
];

static CONFLICTS: [Choice; 2] = [
    Choice {
        label: "return the error",
        is: |knobs| !knobs.wait_on_conflict,
        set: |knobs| knobs.wait_on_conflict = false,
    },
    Choice {
        label: "wait for the event",
        is: |knobs| knobs.wait_on_conflict,
        set: |knobs| knobs.wait_on_conflict = true,
    },
];

static DELETIONS: [Choice; 2] = [
    Choice {
        label: "none",
        is: |knobs| !knobs.delete_handler,
        set: |knobs| knobs.delete_handler = false,
    },
    Choice {
        label: "enqueues the key",
        is: |knobs| knobs.delete_handler,
        set: |knobs| knobs.delete_handler = true,
    },
];

/// All of them, as a panel shows them.
pub static KNOBS: [Knob; 20] = [
    Knob {
        name: "Queue",
        says: "What stands between the events and the workers",
        default: "client-go's, or controller-runtime's priority queue",
        only: None,
        of: None,
        field: Field::Choice(&QUEUES),
    },
    Knob {
        name: "Workers",
        says: "Keys that may be reconciled at the same time",
        default: "MaxConcurrentReconciles: 1",
        only: None,
        of: None,
        field: count(
            "workers",
            8,
            |knobs| knobs.workers.into(),
            |knobs, n| knobs.workers = n as u8,
        ),
    },
    Knob {
        name: "Observing takes",
        says: "How long reconcile looks at the actual state",
        default: "up to your code",
        only: None,
        of: Some(ControllerKind::Database),
        field: time(
            5_000,
            |knobs| knobs.observe_time.as_millis(),
            |knobs, n| knobs.observe_time = millis(n),
        ),
    },
    Knob {
        name: "An upgrade takes",
        says: "How long one rolling upgrade takes, before it is known whether it failed",
        default: "up to your code",
        only: None,
        of: Some(ControllerKind::Database),
        field: time(
            10_000,
            |knobs| knobs.upgrade_time.as_millis(),
            |knobs, n| knobs.upgrade_time = millis(n),
        ),
    },
    Knob {
        name: "Upgrades fail",
        says: "The chance of an upgrade to fail; the seed decides which",
        default: NONE,
        only: None,
        of: Some(ControllerKind::Database),
        field: Field::Number(Number {
            unit: "%",
            per: 10,
            min: 0,
            max: 100,
            get: |knobs| knobs.upgrade_failure_permille.into(),
            set: |knobs, n| {
                knobs.upgrade_failure_permille = n as u16;
                knobs.failing_upgrades = None;
            },
        }),
    },
    Knob {
        name: "Retry after an error",
        says: "The limiter of the queue: how long a key that failed has to wait",
        default: "5 ms doubling to 1000 s, and 10/s after 100",
        only: Some(QueueKind::ClientGo),
        of: None,
        field: Field::Choice(&LIMITERS),
    },
    Knob {
        name: "Retry after an error",
        says: "The fixed wait before a failed key is sent again",
        default: "none: a channel retries nothing",
        only: Some(QueueKind::Channel),
        of: None,
        field: Field::Number(Number {
            unit: "ms",
            per: 1,
            // At once and for ever would be a loop in which no time passes.
            min: 1,
            max: 60_000,
            get: |knobs| knobs.channel_retry.as_millis(),
            set: |knobs, n| knobs.channel_retry = millis(n),
        }),
    },
    Knob {
        name: "Channel holds",
        says: "Keys that fit into the channel; a further one is lost",
        default: NONE,
        only: Some(QueueKind::Channel),
        of: None,
        field: count(
            "keys",
            1_000,
            |knobs| knobs.channel_capacity.into(),
            |knobs, n| knobs.channel_capacity = n as u32,
        ),
    },
    Knob {
        name: "Resync every",
        says: "How often the informer tells its handlers of everything in the cache; 0: never",
        default: "up to you; controller-runtime: 10 h",
        only: None,
        of: Some(ControllerKind::ConfigMap),
        field: Field::Number(Number {
            unit: "s",
            per: 1,
            min: 0,
            max: 3_600,
            get: |knobs| knobs.resync.as_millis() / 1000,
            set: |knobs, n| knobs.resync = SimDuration::from_secs(n),
        }),
    },
    Knob {
        name: "Deep copy",
        says: "Does reconcile change a copy, or the cached object itself?",
        default: "up to your code: always copy",
        only: None,
        of: Some(ControllerKind::ConfigMap),
        field: Field::Choice(&COPIES),
    },
    Knob {
        name: "After a 409",
        says: "What reconcile does when its update was based on an old revision",
        default: "up to your code; most return the error",
        only: None,
        of: Some(ControllerKind::ConfigMap),
        field: Field::Choice(&CONFLICTS),
    },
    Knob {
        name: "Delete handler",
        says: "Does the informer's handler for deletions enqueue the key as well?",
        default: "up to you; controller-runtime has one",
        only: None,
        of: Some(ControllerKind::ConfigMap),
        field: Field::Choice(&DELETIONS),
    },
    Knob {
        name: "A request takes",
        says: "One way to the API server; the answer takes as long back",
        default: "no setting; some milliseconds",
        only: None,
        of: Some(ControllerKind::ConfigMap),
        field: time(
            2_000,
            |knobs| knobs.request_latency.as_millis(),
            |knobs, n| knobs.request_latency = millis(n),
        ),
    },
    Knob {
        name: "Verify after",
        says: "RequeueAfter: the wait before the look that verifies an action; 0 asks for none",
        default: "none: ctrl.Result{} asks for nothing",
        only: None,
        of: Some(ControllerKind::Database),
        field: time(
            60_000,
            |knobs| knobs.requeue_after.as_millis(),
            |knobs, n| knobs.requeue_after = millis(n),
        ),
    },
    Knob {
        name: "Watch delay",
        says: "From a write to the controller's hearing of it",
        default: "no setting; some milliseconds",
        only: None,
        of: None,
        field: time(
            2_000,
            |knobs| knobs.watch_delay.as_millis(),
            |knobs, n| knobs.watch_delay = millis(n),
        ),
    },
    Knob {
        name: "Watch buffer",
        says: "Events that may be on their way to the controller; a further one is dropped",
        default: "no setting; a slow watch is closed, not robbed",
        only: None,
        of: Some(ControllerKind::Database),
        field: count(
            "events",
            1_000,
            |knobs| knobs.watch_buffer.into(),
            |knobs, n| knobs.watch_buffer = n as u32,
        ),
    },
    Knob {
        name: "Owned replicas",
        says: "Is the loss of a replica an event, as with controller-runtime's Owns()?",
        default: "watched only if you call Owns()",
        only: None,
        of: Some(ControllerKind::Database),
        field: Field::Choice(&OWNED),
    },
    Knob {
        name: "A restart takes",
        says: "From the end of the controller's process to the start of the next",
        default: "up to 15 s more, with leader election",
        only: None,
        of: None,
        field: time(
            60_000,
            |knobs| knobs.restart_time.as_millis(),
            |knobs, n| knobs.restart_time = millis(n),
        ),
    },
    Knob {
        name: "Burst",
        says: "Writes in a burst",
        default: NONE,
        only: None,
        of: None,
        field: count(
            "writes",
            100,
            |knobs| knobs.burst_count.into(),
            |knobs, n| knobs.burst_count = n as u32,
        ),
    },
    Knob {
        name: "Between two writes",
        says: "The gap between two writes of a burst",
        default: NONE,
        only: None,
        of: None,
        field: time(
            2_000,
            |knobs| knobs.burst_gap.as_millis(),
            |knobs, n| knobs.burst_gap = millis(n),
        ),
    },
];
