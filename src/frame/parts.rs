//! What the picture is made of.

use crate::engine::apiserver::{DatabaseSpec, EventType, Version};
use crate::engine::controller::{Action, Conclusion, Section};
use crate::engine::key::Key;
use crate::engine::record::{Actual, RecordId, Source};
use crate::engine::time::SimTime;

/// Numbers that only grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub revision: u64,
    /// Events delivered to the controller.
    pub events: u32,
    /// Adds that changed nothing, since the key waited already or was marked dirty already.
    pub merged: u32,
    /// Reconciles begun.
    pub reconciles: u32,
    /// Reconciles that failed and are tried again.
    pub retries: u32,
    /// Events or keys that were lost because a buffer was full.
    pub dropped: u32,
}

/// An object in the store.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Card {
    pub key: Key,
    pub spec: DatabaseSpec,
    pub revision: u64,
    /// The write that made it so.
    pub record: RecordId,
}

/// A revision on the store's tape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chip {
    pub key: Key,
    pub event: EventType,
    pub revision: u64,
    pub record: RecordId,
}

/// An event on its way to the controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    pub key: Key,
    pub event: EventType,
    pub source: Source,
    pub revision: u64,
    pub left: SimTime,
    pub arrives: SimTime,
    pub record: RecordId,
}

/// A key that waits for a worker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadyEntry {
    pub key: Key,
    pub since: SimTime,
    /// Adds that found this entry and changed nothing.
    pub merged: u32,
    pub record: RecordId,
}

/// Why a key waits on the delayed shelf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelayKind {
    Requeue,
    Retry,
}

/// A key on the delayed shelf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay {
    pub key: Key,
    pub kind: DelayKind,
    pub from: SimTime,
    pub until: SimTime,
    pub record: RecordId,
}

/// A key in a worker's hand.
#[derive(Clone, Debug, PartialEq)]
pub struct HandView {
    pub key: Key,
    /// The number of this reconcile.
    pub n: u32,
    pub section: Section,
    pub since: SimTime,
    /// When the section or action will end.
    pub until: SimTime,
    pub fetched: bool,
    pub desired: Option<DatabaseSpec>,
    pub observed: Option<Actual>,
    /// The action under way.
    pub action: Option<Action>,
    /// Actions done in this pass.
    pub done: Vec<Action>,
    pub conclusion: Option<Conclusion>,
    /// Set: the key comes back after Done. The number counts adds that found the mark set.
    pub dirty: Option<u32>,
    pub record: RecordId,
}

/// A key that a worker has just handed back. Seen until the next fact, which says what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Returned {
    pub worker: u8,
    pub key: Key,
    /// It was dirty: it goes back into the queue now.
    pub dirty: Option<u32>,
}

/// What runs of one object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pods {
    pub key: Key,
    pub actual: Actual,
    /// A rolling upgrade is under way: to this version, from and until these instants.
    pub upgrading: Option<(Version, SimTime, SimTime)>,
    /// The last thing that happened to it failed.
    pub failed: bool,
}
