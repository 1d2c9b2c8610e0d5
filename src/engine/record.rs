//! What happened. A run leaves one list of records; everything the page, the log, the timeline and
//! the export show is made from it.
//!
//! A record names its causes: the records without which it would not have happened. A merge has
//! two (the event, and the entry it merged into), most have one, a person's act has none.

mod fact;
mod line;
mod subscription;
mod wire;

pub use fact::Fact;
pub use subscription::{Asked, Handler, Reply, WriteAnswer};

use super::apiserver::{DatabaseSpec, Version};
use super::time::{SimDuration, SimTime};
use serde::Serialize;
use std::num::NonZeroU32;

/// A record's number: its place in the run's list, from 0. No run has as many as the type can count.
pub type RecordId = u32;

/// Up to two causes, the nearest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Causes([Option<Cause>; 2]);

/// A cause's number and one more: so *none* takes no room of its own, and a run has many records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cause(NonZeroU32);

impl Cause {
    fn new(id: RecordId) -> Option<Cause> {
        NonZeroU32::new(id.wrapping_add(1)).map(Cause)
    }

    fn id(self) -> RecordId {
        self.0.get() - 1
    }
}

impl Causes {
    pub const NONE: Causes = Causes([None, None]);

    pub fn one(cause: RecordId) -> Causes {
        Causes([Cause::new(cause), None])
    }

    pub fn two(nearest: RecordId, further: Option<RecordId>) -> Causes {
        let further = further.filter(|&id| id != nearest);
        Causes([Cause::new(nearest), further.and_then(Cause::new)])
    }

    pub fn iter(self) -> impl Iterator<Item = RecordId> {
        self.0.into_iter().flatten().map(Cause::id)
    }

    pub fn contains(self, id: RecordId) -> bool {
        self.iter().any(|cause| cause == id)
    }
}

impl From<Option<RecordId>> for Causes {
    fn from(cause: Option<RecordId>) -> Causes {
        Causes([cause.and_then(Cause::new), None])
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
    /// The event is on an informer's watch, and goes into its cache first.
    Informer,
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
