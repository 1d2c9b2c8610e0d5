//! The store: etcd and kube-apiserver in one. Objects under keys, one revision that grows by one
//! with every write, optimistic concurrency, lists and watches.
//!
//! Mirrors the contract of `k8s.io/apiserver/pkg/storage/etcd3`, of the watch cache and of the
//! generic registry: a create of what exists and an update of what does not are refused, a write that
//! changes nothing makes no revision, deleting an object is a write, past events are kept in a window.
//! Left out: admission, authentication, several versions of one object.

mod error;
mod message;
mod meta;
mod object;
mod patch;
mod read;
mod store;
#[cfg(test)]
mod tests;
mod watch;
mod write;

pub use error::ApiError;
pub use message::{
    Answer, ListOptions, Page, Request, RequestError, RequestId, ResourceVersion, Verb, WatchEvent,
    WatchOptions,
};
pub use meta::{ObjectMeta, OwnerReference, Pairs, Uid, is_valid_name};
pub use object::{Body, ConfigMap, DatabaseSpec, Kind, Object, Version};
pub use patch::{MergePatch, PairsPatch};
pub use store::{EventType, ObjectId, PastEvent, Store, Write};
pub use watch::WatchStream;
pub use write::{Preconditions, WriteVerb};
