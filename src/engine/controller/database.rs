//! The reconciler of chapter one: a database cluster, in four sections.
//!
//! Plain data in, plain data out: it is asked for its next step and told what came of the last.
//! It keeps nothing between two passes and never sees an event, only the state as it is now; that
//! is what *level-triggered* means.

use super::outcome::{Outcome, ReconcileResult};
use crate::engine::apiserver::{ApiError, DatabaseSpec, Version};
use crate::engine::record::Actual;
use crate::engine::time::SimDuration;
use serde::Serialize;
use std::fmt;

/// Something that changes the actual state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Action {
    /// Bring all replicas to another version, one after the other.
    Upgrade { version: Version },
    /// Run another number of replicas.
    Scale { from: u32, to: u32 },
    /// Make an unhealthy cluster healthy again.
    Recover,
    /// Remove what runs of an object that is gone.
    CleanUp,
}

impl Action {
    pub fn takes_no_time(self) -> bool {
        !matches!(self, Action::Upgrade { .. })
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Upgrade { version } => write!(f, "upgrading → {version}"),
            Action::Scale { from, to } => write!(f, "scaling {from} → {to} replicas"),
            Action::Recover => f.write_str("recovering an unhealthy cluster"),
            Action::CleanUp => f.write_str("removing what still runs"),
        }
    }
}

/// Why a reconcile failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReconcileError {
    UpgradeFailed,
    /// The API server did not take a write.
    Write(ApiError),
}

impl fmt::Display for ReconcileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReconcileError::UpgradeFailed => f.write_str("upgrade failed, a node was not ready"),
            ReconcileError::Write(error) => write!(f, "write {error}"),
        }
    }
}

/// What a reconcile came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "conclusion", rename_all = "snake_case")]
pub enum Conclusion {
    /// Acted; look again after a while to verify.
    RequeueAfter {
        #[serde(rename = "after_ns")]
        after: SimDuration,
    },
    /// Desired and actual are the same.
    InDesiredState,
    /// The object is gone, and so is what ran of it.
    NotFound,
    /// Something failed; to be tried again.
    Error { error: ReconcileError },
    /// The label was missing and has been written.
    Labelled,
    /// Somebody else was quicker; their event is on its way, and will bring the key back.
    AwaitEvent,
    /// Returned success, with the work undone: a fault.
    Swallowed,
}

impl Conclusion {
    /// The same as controller-runtime's reconcilers return it.
    pub fn outcome(self) -> Outcome {
        match self {
            Conclusion::RequeueAfter { after } => Outcome::Finished(ReconcileResult {
                requeue_after: after,
                ..ReconcileResult::default()
            }),
            Conclusion::InDesiredState
            | Conclusion::NotFound
            | Conclusion::Labelled
            | Conclusion::AwaitEvent
            | Conclusion::Swallowed => Outcome::Finished(ReconcileResult::default()),
            Conclusion::Error { .. } => Outcome::Error(ReconcileResult::default()),
        }
    }
}

/// What one pass knows so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pass {
    pub desired: Option<DatabaseSpec>,
    pub actual: Actual,
    acted: bool,
}

/// What came of the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input {
    Begin,
    Desired(Option<DatabaseSpec>),
    Actual(Actual),
    /// The action is done and left this state.
    Acted(Action, Actual),
    Failed,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    Read,
    Observe,
    Act(Action),
    Done(Conclusion),
}

/// The next step of a pass. `requeue_after` is the wait before the look that verifies an action.
pub fn next(pass: &mut Pass, input: Input, requeue_after: SimDuration) -> Step {
    match input {
        Input::Begin => Step::Read,
        Input::Desired(None) => Step::Act(Action::CleanUp),
        Input::Desired(desired) => {
            pass.desired = desired;
            Step::Observe
        }
        Input::Actual(actual) => {
            pass.actual = actual;
            compare(pass, requeue_after)
        }
        Input::Acted(Action::CleanUp, _) => Step::Done(Conclusion::NotFound),
        Input::Acted(action, actual) => {
            pass.actual = actual;
            pass.acted |= matches!(action, Action::Upgrade { .. } | Action::Scale { .. });
            compare(pass, requeue_after)
        }
        Input::Failed => Step::Done(Conclusion::Error {
            error: ReconcileError::UpgradeFailed,
        }),
    }
}

/// Version first, then replicas, then health: one difference, one action.
fn compare(pass: &Pass, requeue_after: SimDuration) -> Step {
    let desired = pass
        .desired
        .expect("nothing is compared before it was fetched");
    let actual = pass.actual;
    if actual.version != Some(desired.version) {
        Step::Act(Action::Upgrade {
            version: desired.version,
        })
    } else if actual.replicas != desired.replicas {
        Step::Act(Action::Scale {
            from: actual.replicas,
            to: desired.replicas,
        })
    } else if !actual.healthy && actual.replicas > 0 {
        Step::Act(Action::Recover)
    } else if pass.acted {
        Step::Done(Conclusion::RequeueAfter {
            after: requeue_after,
        })
    } else {
        Step::Done(Conclusion::InDesiredState)
    }
}

/// The state that an action leaves behind.
pub fn effect(action: Action, actual: Actual) -> Option<Actual> {
    match action {
        Action::Upgrade { version } => Some(Actual {
            version: Some(version),
            ..actual
        }),
        Action::Scale { to, .. } => Some(Actual {
            replicas: to,
            healthy: true,
            ..actual
        }),
        Action::Recover => Some(Actual {
            healthy: true,
            ..actual
        }),
        Action::CleanUp => None,
    }
}
