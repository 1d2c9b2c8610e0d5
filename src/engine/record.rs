//! What happened. A run leaves one list of records; everything the page, the log, the timeline and
//! the export show is made from it.
//!
//! A record names its causes: the records without which it would not have happened. A merge has
//! two (the event, and the entry it merged into), most have one, a person's act has none.

mod line;

use super::apiserver::{DatabaseSpec, EventType, Object, Version};
use super::controller::{Action, Conclusion, Section};
use super::key::Key;
use super::stimulus::{Actor, Stimulus};
use super::time::{SimDuration, SimTime};
use super::workqueue::Added;
use serde::Serialize;
use std::rc::Rc;

/// A record's number: its place in the run's list, from 0.
pub type RecordId = u32;

/// Up to two causes, the nearest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Causes([Option<RecordId>; 2]);

impl Causes {
    pub const NONE: Causes = Causes([None, None]);

    pub fn one(cause: RecordId) -> Causes {
        Causes([Some(cause), None])
    }

    pub fn two(nearest: RecordId, further: Option<RecordId>) -> Causes {
        Causes([Some(nearest), further.filter(|&id| id != nearest)])
    }

    pub fn iter(self) -> impl Iterator<Item = RecordId> {
        self.0.into_iter().flatten()
    }

    pub fn contains(self, id: RecordId) -> bool {
        self.0.contains(&Some(id))
    }
}

impl From<Option<RecordId>> for Causes {
    fn from(cause: Option<RecordId>) -> Causes {
        Causes([cause, None])
    }
}

impl Serialize for Causes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// The actual state of one database cluster: what really runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Actual {
    pub replicas: u32,
    pub version: Option<Version>,
    pub healthy: bool,
}

impl Actual {
    /// Does this state fulfil `desired`?
    pub fn fulfils(self, desired: DatabaseSpec) -> bool {
        self.version == Some(desired.version)
            && self.replicas == desired.replicas
            && (self.healthy || self.replicas == 0)
    }
}

/// What an event on the watch is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The object itself was written.
    Watch,
    /// The object was in the answer to the controller's first list.
    List,
    /// A replica that the object owns was lost (controller-runtime's `Owns`).
    Owned,
}

/// Why a key was handed to the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// An event was delivered.
    Event,
    /// The reconcile asked to look again.
    Requeue,
    /// The reconcile failed.
    Retry,
    /// The delay of a requeue or retry is over.
    DelayOver,
    /// The worker said done, and the key was dirty.
    Done,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub enum Fact {
    /// The controller's process runs: it has listed, and now watches.
    ControllerStarted,
    /// The controller's process ended. What it held in memory is gone.
    ControllerStopped {
        ready: u32,
        delayed: u32,
        in_hand: u32,
    },
    /// Somebody did something.
    Acted {
        actor: Actor,
        stimulus: Rc<Stimulus>,
    },
    /// The store took a write.
    Written {
        event: EventType,
        #[serde(skip)]
        key: Key,
        revision: u64,
        #[serde(skip)]
        object: Rc<Object>,
        spec: DatabaseSpec,
    },
    /// A write that changed nothing: no new revision, no event.
    Unchanged {
        #[serde(skip)]
        key: Key,
    },
    /// The API server refused.
    Refused {
        #[serde(skip)]
        key: Key,
        error: super::apiserver::ApiError,
    },
    /// An event is on its way to the controller.
    Sent {
        event: EventType,
        source: Source,
        #[serde(skip)]
        key: Key,
        revision: u64,
        #[serde(rename = "arrives_ns")]
        arrives: SimTime,
    },
    /// The watcher's buffer was full: this event is lost for it.
    Dropped {
        event: EventType,
        #[serde(skip)]
        key: Key,
        revision: u64,
    },
    /// The watch loop took an event.
    Delivered {
        event: EventType,
        source: Source,
        #[serde(skip)]
        key: Key,
        revision: u64,
    },
    /// A key was handed to the queue, and this is what the queue made of it.
    Enqueued {
        why: Why,
        #[serde(skip)]
        key: Key,
        #[serde(flatten)]
        added: Added,
    },
    /// A worker took a key: reconcile number `n` begins.
    Started {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
    },
    /// A section of reconcile began; `until` is when it will end.
    SectionStarted {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
        section: Section,
        #[serde(rename = "until_ns")]
        until: SimTime,
    },
    /// The desired state was read; nothing, if the object is gone.
    Fetched {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
        desired: Option<DatabaseSpec>,
    },
    /// The actual state was looked at.
    Observed {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
        actual: Actual,
    },
    /// An action that takes time began.
    ActionStarted {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
        #[serde(flatten)]
        action: Action,
        #[serde(rename = "until_ns")]
        until: SimTime,
    },
    /// An action changed the actual state; nothing is left after a clean-up.
    ActionDone {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
        #[serde(flatten)]
        action: Action,
        actual: Option<Actual>,
    },
    /// An action failed; the actual state is as it was.
    ActionFailed {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
        #[serde(flatten)]
        action: Action,
        attempt: u32,
    },
    /// Reconcile returned.
    Finished {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
        #[serde(flatten)]
        conclusion: Conclusion,
    },
    /// The queue forgot the key's failures.
    Forgot {
        #[serde(skip)]
        key: Key,
        failures: u32,
    },
    /// The worker handed the key back.
    Done {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
    },
    /// A running replica was lost.
    ReplicaLost {
        #[serde(skip)]
        key: Key,
        actual: Actual,
    },
    /// Nothing is in flight, queued, delayed or in hand: the loop is at rest.
    Rested,
}

impl Fact {
    /// The object this is about, where there is one.
    pub fn key(&self) -> Option<Key> {
        use Fact::*;
        match *self {
            ControllerStarted | ControllerStopped { .. } | Acted { .. } | Rested => None,
            Written { key, .. }
            | Unchanged { key }
            | Refused { key, .. }
            | Sent { key, .. }
            | Dropped { key, .. }
            | Delivered { key, .. }
            | Enqueued { key, .. }
            | Started { key, .. }
            | SectionStarted { key, .. }
            | Fetched { key, .. }
            | Observed { key, .. }
            | ActionStarted { key, .. }
            | ActionDone { key, .. }
            | ActionFailed { key, .. }
            | Finished { key, .. }
            | Forgot { key, .. }
            | Done { key, .. }
            | ReplicaLost { key, .. } => Some(key),
        }
    }
}

/// A fact with its number, its instant and its causes.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub id: RecordId,
    pub at: SimTime,
    pub causes: Causes,
    pub fact: Fact,
}

/// How long a delayed key still has to wait at `now`.
pub fn remaining(until: SimTime, now: SimTime) -> SimDuration {
    if until > now {
        until - now
    } else {
        SimDuration::ZERO
    }
}
