//! The objects themselves, the one revision, and what happened last.
//!
//! Mirrors etcd with the window of the watch cache: a write is one revision, one event, and nothing
//! else. What may be written is decided in `write.rs`.

use super::{ApiError, Kind, Object, Uid};
use crate::engine::key::Key;
use serde::Serialize;
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

/// The type of a watch event, as in `k8s.io/apimachinery/pkg/watch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum EventType {
    Added,
    Modified,
    Deleted,
}

impl EventType {
    /// The word on the wire: `ADDED`, `MODIFIED`, `DELETED`.
    pub fn word(self) -> &'static str {
        match self {
            EventType::Added => "ADDED",
            EventType::Modified => "MODIFIED",
            EventType::Deleted => "DELETED",
        }
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What a write that was taken did.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// A new revision. For a delete, `object` is the last state.
    Revision {
        event: EventType,
        revision: u64,
        object: Rc<Object>,
    },
    /// Nothing was different: no revision, no event.
    Unchanged,
}

/// Which object: what it is and how it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ObjectId {
    pub kind: Kind,
    pub key: Key,
}

impl From<Key> for ObjectId {
    /// Chapter one knows one kind.
    fn from(key: Key) -> ObjectId {
        ObjectId {
            kind: Kind::DatabaseCluster,
            key,
        }
    }
}

impl ObjectId {
    pub fn config_map(key: Key) -> ObjectId {
        ObjectId {
            kind: Kind::ConfigMap,
            key,
        }
    }
}

/// A write that the store still remembers.
#[derive(Clone, Debug, PartialEq)]
pub struct PastEvent {
    pub revision: u64,
    pub id: ObjectId,
    pub event: EventType,
    /// The object as watchers are told of it: a deleted one with the version of its deletion.
    pub object: Rc<Object>,
    pub previous: Option<Rc<Object>>,
}

/// How many past events a store keeps: the least that upstream's watch cache does.
const WINDOW: usize = 100;

/// All objects, by kind and key, the one revision, and a window of past events.
#[derive(Clone, Debug)]
pub struct Store {
    objects: [Vec<Option<Rc<Object>>>; Kind::ALL.len()],
    revision: u64,
    past: VecDeque<PastEvent>,
    window: usize,
    compacted: u64,
}

impl Default for Store {
    fn default() -> Store {
        Store::with_window(WINDOW)
    }
}

impl Store {
    /// An empty store that keeps this many past events.
    pub fn with_window(window: usize) -> Store {
        Store {
            objects: Default::default(),
            revision: 0,
            past: VecDeque::new(),
            window,
            compacted: 0,
        }
    }

    /// An empty store in which so many writes have been made and forgotten. To a client, a list at
    /// revision 0 would be none: in a request `0` means any.
    pub fn after(revision: u64) -> Store {
        Store {
            revision,
            compacted: revision,
            ..Store::default()
        }
    }

    /// The revision of the last write; 0 before the first.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Events up to this revision are forgotten: a watch can begin here, not before.
    pub fn compacted(&self) -> u64 {
        self.compacted
    }

    /// The events since then, in order.
    pub fn past_events(&self) -> impl DoubleEndedIterator<Item = &PastEvent> {
        self.past.iter()
    }

    /// Forget all past events.
    pub fn compact(&mut self) {
        self.past.clear();
        self.compacted = self.revision;
    }

    pub fn get(&self, id: impl Into<ObjectId>) -> Option<&Rc<Object>> {
        let ObjectId { kind, key } = id.into();
        self.objects[kind as usize].get(key.index())?.as_ref()
    }

    /// All objects, kind by kind, in the order of their keys' numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Key, &Rc<Object>)> {
        let row = |(index, object): (usize, _)| Some((Key(index as u32), Option::as_ref(object)?));
        let tables = self.objects.iter();
        tables.flat_map(move |table| table.iter().enumerate().filter_map(row))
    }

    /// All objects of a kind, in the order of their keys' numbers.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Rc<Object>> {
        self.objects[kind as usize].iter().flatten()
    }

    /// Store a new object.
    ///
    /// # Errors
    /// `AlreadyExists` where the key is taken.
    pub fn create(&mut self, key: Key, object: Object) -> Result<Write, ApiError> {
        let kind = object.body.kind();
        let id = ObjectId { kind, key };
        if self.get(id).is_some() {
            return Err(ApiError::AlreadyExists);
        }
        Ok(self.put(id, EventType::Added, object))
    }

    /// Change an object through `edit`, as a patch does: on the newest version, so without conflict.
    ///
    /// # Errors
    /// `NotFound` where there is none.
    pub fn patch(
        &mut self,
        id: impl Into<ObjectId>,
        edit: impl FnOnce(&mut Object),
    ) -> Result<Write, ApiError> {
        let id = id.into();
        let old = self.get(id).ok_or(ApiError::NotFound)?.clone();
        let mut new = Object::clone(&old);
        edit(&mut new);
        self.replace(id, &old, new)
    }

    /// Remove an object, whatever its finalizers say.
    ///
    /// # Errors
    /// `NotFound` where there is none: no revision then.
    pub fn delete(&mut self, id: impl Into<ObjectId>) -> Result<Write, ApiError> {
        let id = id.into();
        let object = self.get(id).ok_or(ApiError::NotFound)?.clone();
        Ok(self.remove(id, object))
    }

    /// Take out what is there; `last` is its last state.
    pub(super) fn remove(&mut self, id: ObjectId, last: Rc<Object>) -> Write {
        self.revision += 1;
        let mut told = Object::clone(&last);
        told.meta.resource_version = self.revision;
        self.commit(id, EventType::Deleted, Rc::new(told), None);
        Write::Revision {
            event: EventType::Deleted,
            revision: self.revision,
            object: last,
        }
    }

    pub(super) fn put(&mut self, id: ObjectId, event: EventType, mut object: Object) -> Write {
        self.revision += 1;
        object.meta.resource_version = self.revision;
        if event == EventType::Added {
            object.meta.uid = Uid(self.revision);
            object.meta.generation = u64::from(id.kind.counts_generations());
        }
        let object = Rc::new(object);
        self.commit(id, event, object.clone(), Some(object.clone()));
        Write::Revision {
            event,
            revision: self.revision,
            object,
        }
    }

    /// The one place where objects change.
    fn commit(
        &mut self,
        id: ObjectId,
        event: EventType,
        told: Rc<Object>,
        stored: Option<Rc<Object>>,
    ) {
        let table = &mut self.objects[id.kind as usize];
        let row = id.key.index();
        if table.len() <= row {
            table.resize(row + 1, None);
        }
        let previous = std::mem::replace(&mut table[row], stored);
        self.past.push_back(PastEvent {
            revision: self.revision,
            id,
            event,
            object: told,
            previous,
        });
        while self.past.len() > self.window {
            self.compacted = self.past.pop_front().map_or(self.compacted, |e| e.revision);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::apiserver::{DatabaseSpec, Version};

    fn object(replicas: u32) -> Object {
        Object::database(DatabaseSpec {
            replicas,
            version: Version::new(15, 4),
        })
    }

    fn set_replicas(store: &mut Store, replicas: u32) -> Result<Write, ApiError> {
        store.patch(Key(0), |object| {
            *object = Object {
                meta: object.meta.clone(),
                ..self::object(replicas)
            }
        })
    }

    #[test]
    fn every_write_makes_one_revision_and_a_refused_one_makes_none() {
        let mut store = Store::default();
        assert_eq!(set_replicas(&mut store, 1), Err(ApiError::NotFound));
        assert_eq!(store.delete(Key(0)), Err(ApiError::NotFound));
        assert!(matches!(
            store.create(Key(0), object(3)),
            Ok(Write::Revision { revision: 1, .. })
        ));
        assert_eq!(
            store.create(Key(0), object(3)),
            Err(ApiError::AlreadyExists)
        );
        assert!(matches!(
            set_replicas(&mut store, 5),
            Ok(Write::Revision { revision: 2, .. })
        ));
        assert!(matches!(
            store.delete(Key(0)),
            Ok(Write::Revision {
                event: EventType::Deleted,
                revision: 3,
                ..
            })
        ));
        assert_eq!(store.revision(), 3);
    }

    #[test]
    fn a_write_that_changes_nothing_makes_no_revision() {
        let mut store = Store::default();
        store.create(Key(0), object(3)).unwrap();
        assert_eq!(set_replicas(&mut store, 3), Ok(Write::Unchanged));
        assert_eq!(store.revision(), 1);
    }

    #[test]
    fn generation_grows_with_the_spec_and_not_with_metadata() {
        let mut store = Store::default();
        store.create(Key(0), object(3)).unwrap();
        store
            .patch(Key(0), |object| {
                object.meta.annotations.insert("touched".into(), "1".into());
            })
            .unwrap();
        assert_eq!(store.get(Key(0)).unwrap().meta.generation, 1);
        set_replicas(&mut store, 5).unwrap();
        assert_eq!(store.get(Key(0)).unwrap().meta.generation, 2);
        assert_eq!(store.get(Key(0)).unwrap().meta.resource_version, 3);
    }
}
