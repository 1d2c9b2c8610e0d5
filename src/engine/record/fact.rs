//! All facts. One enum, so that whoever shows a run says for each kind what becomes of it.

use super::subscription::{Asked, Handler, Reply, WriteAnswer, content};
use super::{Actual, Source, Why};
use crate::engine::apiserver::{ApiError, DatabaseSpec, EventType, Object, RequestError};
use crate::engine::controller::{Action, Conclusion, Section};
use crate::engine::informer::Cause;
use crate::engine::key::Key;
use crate::engine::stimulus::{Actor, Stimulus};
use crate::engine::time::SimTime;
use crate::engine::workqueue::Added;
use serde::Serialize;
use std::rc::Rc;

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
        /// In JSON, what it desires or holds.
        #[serde(flatten, serialize_with = "content")]
        object: Rc<Object>,
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
        error: ApiError,
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
    /// The informer asks the API server.
    Requested {
        #[serde(flatten)]
        asked: Asked,
        #[serde(rename = "arrives_ns")]
        arrives: SimTime,
    },
    /// The API server answers, or says something on the stream that is no event of an object.
    Answered {
        #[serde(flatten)]
        reply: Reply,
        #[serde(rename = "arrives_ns")]
        arrives: SimTime,
    },
    /// A list has come, or a page of one. `again`: not the first time.
    Listed {
        objects: u32,
        revision: u64,
        again: bool,
    },
    /// The cache holds a whole list for the first time.
    Synced,
    /// The watch is open.
    WatchOpened,
    /// The watch has ended: with an error, or cleanly.
    WatchClosed { error: Option<RequestError> },
    /// A list or a watch was refused.
    RequestFailed { error: RequestError },
    /// The informer waits until then before it asks again.
    BackedOff {
        #[serde(rename = "until_ns")]
        until: SimTime,
    },
    /// An event did not reach the informer, and nobody noticed.
    EventLost {
        event: EventType,
        #[serde(skip)]
        key: Key,
        revision: u64,
    },
    /// The cache holds this under the key now.
    CacheSet {
        #[serde(skip)]
        key: Key,
        revision: u64,
        #[serde(flatten, serialize_with = "content")]
        object: Rc<Object>,
    },
    /// The cache holds nothing under the key now.
    CacheDeleted {
        #[serde(skip)]
        key: Key,
    },
    /// The resync is due: every object of the cache is told of again.
    Resynced { objects: u32 },
    /// An event handler is called.
    HandlerCalled {
        handler: Handler,
        #[serde(skip)]
        key: Key,
        /// Where it comes from.
        source: Cause,
    },
    /// Reconcile has read the cache.
    CacheRead {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
        /// The version of what it found, if anything.
        revision: Option<u64>,
        labelled: bool,
        #[serde(skip)]
        object: Option<Rc<Object>>,
    },
    /// Reconcile returns success with its work undone.
    Swallowed {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
    },
    /// Reconcile has changed the cached object itself.
    Scribbled {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
        revision: u64,
        #[serde(flatten, serialize_with = "content")]
        object: Rc<Object>,
    },
    /// Reconcile sends an update to the API server, based on this revision.
    WriteSent {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
        revision: u64,
        #[serde(skip)]
        object: Rc<Object>,
        #[serde(rename = "arrives_ns")]
        arrives: SimTime,
    },
    /// The API server has decided, and its answer is on its way.
    WriteReplied {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
        #[serde(flatten)]
        answer: WriteAnswer,
        #[serde(rename = "arrives_ns")]
        arrives: SimTime,
    },
    /// The answer has come.
    WriteAnswered {
        worker: u8,
        n: u32,
        #[serde(skip)]
        key: Key,
        #[serde(flatten)]
        answer: WriteAnswer,
    },
}

impl Fact {
    /// The object this is about, where there is one.
    pub fn key(&self) -> Option<Key> {
        use Fact::*;
        match *self {
            ControllerStarted
            | ControllerStopped { .. }
            | Acted { .. }
            | Rested
            | Requested { .. }
            | Answered { .. }
            | Listed { .. }
            | Synced
            | WatchOpened
            | WatchClosed { .. }
            | RequestFailed { .. }
            | BackedOff { .. }
            | Resynced { .. } => None,
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
            | ReplicaLost { key, .. }
            | EventLost { key, .. }
            | CacheSet { key, .. }
            | CacheDeleted { key }
            | HandlerCalled { key, .. }
            | CacheRead { key, .. }
            | Swallowed { key, .. }
            | Scribbled { key, .. }
            | WriteSent { key, .. }
            | WriteReplied { key, .. }
            | WriteAnswered { key, .. } => Some(key),
        }
    }
}
