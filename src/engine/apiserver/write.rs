//! Writing: create, update, patch, delete, as the generic registry takes them.
//!
//! Mirrors `k8s.io/apiserver/pkg/registry/generic/registry/store.go` with the storage under it.
//!
//! Guarantees: a stale `resource_version` or another `uid` is refused with 409, before anything
//! else is looked at; a write that changes nothing makes no revision; what the system keeps (uid,
//! times, generation) a writer cannot change. An object with finalizers outlives its deletion until
//! the last one is taken away, and takes no new one.
//!
//! Left out on purpose: admission, `generateName`, grace periods, subresources, dry runs; what owner
//! references entail is the garbage collector's work, not the server's.

use super::meta::is_valid_name;
use super::store::{EventType, ObjectId, Store, Write};
use super::{ApiError, MergePatch, Object, Uid};
use crate::engine::time::SimTime;
use serde::Serialize;
use std::rc::Rc;

/// A request to write, as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "write", content = "with", rename_all = "snake_case")]
pub enum WriteVerb {
    Create(Rc<Object>),
    /// Put this in the place of what is there.
    Update(Rc<Object>),
    Patch(MergePatch),
    Delete(Preconditions),
}

/// Delete only if it is still what the caller thinks it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Preconditions {
    pub uid: Uid,
    /// 0: whichever.
    pub resource_version: u64,
}

impl Store {
    /// Write to the object `id`.
    ///
    /// # Errors
    /// As the API server refuses it.
    pub fn write(
        &mut self,
        now: SimTime,
        id: ObjectId,
        verb: &WriteVerb,
    ) -> Result<Write, ApiError> {
        match verb {
            WriteVerb::Create(object) => self.create_object(now, id, object),
            WriteVerb::Update(object) => {
                let meta = &object.meta;
                let old = self.expect(id, meta.uid, meta.resource_version)?;
                if meta.resource_version == 0 && !id.kind.takes_unconditional_updates() {
                    return Err(ApiError::Invalid);
                }
                self.replace(id, &old, Object::clone(object))
            }
            WriteVerb::Patch(patch) => {
                let old = self.expect(id, patch.uid, patch.resource_version)?;
                let mut new = Object::clone(&old);
                if !patch.apply(&mut new) {
                    return Err(ApiError::Invalid);
                }
                self.replace(id, &old, new)
            }
            WriteVerb::Delete(only) => {
                let old = self.expect(id, only.uid, only.resource_version)?;
                if old.meta.finalizers.is_empty() {
                    return Ok(self.remove(id, old));
                }
                if old.meta.deletion_timestamp.is_some() {
                    return Ok(Write::Unchanged);
                }
                let mut new = Object::clone(&old);
                new.meta.deletion_timestamp = Some(now);
                new.meta.generation += u64::from(id.kind.counts_generations());
                Ok(self.put(id, EventType::Modified, new))
            }
        }
    }

    fn create_object(
        &mut self,
        now: SimTime,
        id: ObjectId,
        object: &Object,
    ) -> Result<Write, ApiError> {
        if object.meta.resource_version != 0 {
            return Err(ApiError::BadRequest);
        }
        if object.body.kind() != id.kind || !is_valid_name(&object.meta.name) {
            return Err(ApiError::Invalid);
        }
        if self.get(id).is_some() {
            return Err(ApiError::AlreadyExists);
        }
        let mut object = object.clone();
        object.meta.creation_timestamp = Some(now);
        object.meta.deletion_timestamp = None;
        Ok(self.put(id, EventType::Added, object))
    }

    /// The object as it is, if it is the one that the caller means.
    fn expect(&self, id: ObjectId, uid: Uid, version: u64) -> Result<Rc<Object>, ApiError> {
        let object = self.get(id).ok_or(ApiError::NotFound)?;
        let other_uid = uid != Uid::NONE && uid != object.meta.uid;
        let other_version = version != 0 && version != object.meta.resource_version;
        if other_uid || other_version {
            return Err(ApiError::Conflict);
        }
        Ok(object.clone())
    }

    /// Put `new` in the place of `old`.
    pub(super) fn replace(
        &mut self,
        id: ObjectId,
        old: &Object,
        mut new: Object,
    ) -> Result<Write, ApiError> {
        let (was, meta) = (&old.meta, &mut new.meta);
        meta.namespace = was.namespace.clone();
        meta.name = was.name.clone();
        meta.uid = was.uid;
        meta.resource_version = was.resource_version;
        meta.generation = was.generation;
        meta.creation_timestamp = was.creation_timestamp;
        meta.deletion_timestamp = was.deletion_timestamp;
        if new.body.kind() != id.kind {
            return Err(ApiError::Invalid);
        }
        if new == *old {
            return Ok(Write::Unchanged);
        }
        if new.meta.deletion_timestamp.is_some() {
            let mut finalizers = new.meta.finalizers.iter();
            if finalizers.any(|finalizer| !was.finalizers.contains(finalizer)) {
                return Err(ApiError::Invalid);
            }
            if new.meta.finalizers.is_empty() {
                return Ok(self.remove(id, Rc::new(new)));
            }
        }
        if new.body != old.body && id.kind.counts_generations() {
            new.meta.generation += 1;
        }
        Ok(self.put(id, EventType::Modified, new))
    }
}
