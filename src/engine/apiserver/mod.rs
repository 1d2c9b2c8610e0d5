//! The store: etcd and kube-apiserver in one. Objects under keys, one revision that grows by one
//! with every write, optimistic concurrency.
//!
//! Mirrors the contract of `k8s.io/apiserver/pkg/storage/etcd3` and of the generic registry: a
//! create of what exists and an update of what does not are refused, a write that changes nothing
//! makes no revision, deleting an object is a write. Left out: admission, authentication, several
//! versions of one object.

mod error;
mod object;
mod store;

pub use error::ApiError;
pub use object::{Body, DatabaseSpec, Object, ObjectMeta, Version};
pub use store::{EventType, Store, Write};
