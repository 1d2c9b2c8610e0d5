//! What a reconcile's outcome does to the work queue.
//!
//! Mirrors controller-runtime `pkg/internal/controller/controller.go` (`reconcileHandler`), with
//! `RecoverPanic` on, as is the default.
//!
//! Guarantees: `done` is always called and always last, after the forgetting and the re-adding, so
//! that a key which is added at once is dirty in hand first, and comes back at the back of the
//! queue. A terminal error neither forgets nor re-adds: the next plain error of the key goes on
//! where its back-off was.
//!
//! Left out on purpose: log lines, and the histogram of reconcile times.

use crate::engine::key::Key;
use crate::engine::time::{SimDuration, SimTime};
use crate::engine::workqueue::{AddOptions, Added, WorkQueue};

/// `reconcile.Result`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReconcileResult {
    /// Deprecated upstream, and still honoured: come back when the limiter says so.
    pub requeue: bool,
    /// Above zero: come back after this long.
    pub requeue_after: SimDuration,
    /// The priority to come back with; else the one the key was taken with.
    pub priority: Option<i32>,
}

/// How a `Reconcile` ended. Along with an error, only the `priority` of the result counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No error.
    Finished(ReconcileResult),
    /// An error: try again when the limiter says so.
    Error(ReconcileResult),
    /// `reconcile.TerminalError`, also wrapped: trying again will not help.
    TerminalError(ReconcileResult),
    /// A panic, recovered and turned into an error.
    Panic,
}

/// The label of `controller_runtime_reconcile_total`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResultLabel {
    Success,
    Error,
    Requeue,
    RequeueAfter,
}

impl ResultLabel {
    /// As Prometheus shows it.
    pub fn as_str(self) -> &'static str {
        match self {
            ResultLabel::Success => "success",
            ResultLabel::Error => "error",
            ResultLabel::Requeue => "requeue",
            ResultLabel::RequeueAfter => "requeue_after",
        }
    }
}

/// One call on the work queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueCall {
    Forget,
    Add(AddOptions),
    Done,
}

/// What came of a call on the work queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueAnswer {
    Forgotten,
    Added(Added),
    /// `requeued`: the key was dirty, and waits at the back of the queue now.
    Done {
        requeued: bool,
    },
}

impl QueueCall {
    /// Makes the call.
    pub fn play(self, queue: &mut WorkQueue, now: SimTime, key: Key) -> QueueAnswer {
        match self {
            QueueCall::Forget => {
                queue.forget(key);
                QueueAnswer::Forgotten
            }
            QueueCall::Add(options) => QueueAnswer::Added(queue.add(now, key, options)),
            QueueCall::Done => QueueAnswer::Done {
                requeued: queue.done(now, key),
            },
        }
    }
}

/// What the controller does about an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// Forget the key's failures.
    pub forget: bool,
    /// Add the key again.
    pub add: Option<AddOptions>,
    /// `controller_runtime_reconcile_total{result}` goes up under this label;
    /// `controller_runtime_reconcile_errors_total` as well under `Error`.
    pub result: ResultLabel,
    /// `controller_runtime_terminal_reconcile_errors_total` goes up.
    pub terminal: bool,
    /// `controller_runtime_reconcile_panics_total` goes up.
    pub panic: bool,
}

impl Reaction {
    /// What is done about `outcome`; `priority` is the one the key was taken with.
    pub fn to(outcome: Outcome, priority: i32) -> Reaction {
        let requeue = |asked: Option<i32>, after, rate_limited| AddOptions {
            after,
            rate_limited,
            priority: Some(asked.unwrap_or(priority)),
        };
        let nothing = Reaction {
            forget: false,
            add: None,
            result: ResultLabel::Error,
            terminal: false,
            panic: false,
        };
        match outcome {
            Outcome::TerminalError(_) => Reaction {
                terminal: true,
                ..nothing
            },
            Outcome::Error(result) => Reaction {
                add: Some(requeue(result.priority, SimDuration::ZERO, true)),
                ..nothing
            },
            Outcome::Panic => Reaction {
                panic: true,
                ..Reaction::to(Outcome::Error(ReconcileResult::default()), priority)
            },
            // Asked for a time: what was failing is over.
            Outcome::Finished(result) if result.requeue_after > SimDuration::ZERO => Reaction {
                forget: true,
                add: Some(requeue(result.priority, result.requeue_after, false)),
                result: ResultLabel::RequeueAfter,
                ..nothing
            },
            Outcome::Finished(result) if result.requeue => Reaction {
                add: Some(requeue(result.priority, SimDuration::ZERO, true)),
                result: ResultLabel::Requeue,
                ..nothing
            },
            Outcome::Finished(_) => Reaction {
                forget: true,
                result: ResultLabel::Success,
                ..nothing
            },
        }
    }

    /// The calls on the work queue, in order.
    pub fn calls(self) -> impl Iterator<Item = QueueCall> {
        let forget = self.forget.then_some(QueueCall::Forget);
        let add = self.add.map(QueueCall::Add);
        forget.into_iter().chain(add).chain([QueueCall::Done])
    }
}
