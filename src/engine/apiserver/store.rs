//! The objects themselves, and the one revision.

use super::{ApiError, Object};
use crate::engine::key::Key;
use serde::Serialize;
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

/// All objects, by key.
#[derive(Clone, Debug, Default)]
pub struct Store {
    objects: Vec<Option<Rc<Object>>>,
    revision: u64,
}

impl Store {
    /// The revision of the last write; 0 before the first.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    pub fn get(&self, key: Key) -> Option<&Rc<Object>> {
        self.objects.get(key.index())?.as_ref()
    }

    /// All objects, in the order of their keys' numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Key, &Rc<Object>)> {
        let row = |(index, object): (usize, _)| Some((Key(index as u32), Option::as_ref(object)?));
        self.objects.iter().enumerate().filter_map(row)
    }

    /// Store a new object.
    ///
    /// # Errors
    /// `AlreadyExists` where the key is taken.
    pub fn create(&mut self, key: Key, object: Object) -> Result<Write, ApiError> {
        if self.get(key).is_some() {
            return Err(ApiError::AlreadyExists);
        }
        Ok(self.put(key, EventType::Added, object))
    }

    /// Change an object through `edit`, as a patch does: on the newest version, so without conflict.
    ///
    /// # Errors
    /// `NotFound` where there is none.
    pub fn patch(&mut self, key: Key, edit: impl FnOnce(&mut Object)) -> Result<Write, ApiError> {
        let old = self.get(key).ok_or(ApiError::NotFound)?;
        let mut new = Object::clone(old);
        edit(&mut new);
        if new == **old {
            return Ok(Write::Unchanged);
        }
        if new.body != old.body {
            new.meta.generation += 1;
        }
        Ok(self.put(key, EventType::Modified, new))
    }

    /// Remove an object.
    ///
    /// # Errors
    /// `NotFound` where there is none: no revision then.
    pub fn delete(&mut self, key: Key) -> Result<Write, ApiError> {
        let slot = self
            .objects
            .get_mut(key.index())
            .ok_or(ApiError::NotFound)?;
        let object = slot.take().ok_or(ApiError::NotFound)?;
        self.revision += 1;
        Ok(Write::Revision {
            event: EventType::Deleted,
            revision: self.revision,
            object,
        })
    }

    fn put(&mut self, key: Key, event: EventType, mut object: Object) -> Write {
        self.revision += 1;
        object.meta.resource_version = self.revision;
        if event == EventType::Added {
            object.meta.generation = 1;
        }
        let object = Rc::new(object);
        if self.objects.len() <= key.index() {
            self.objects.resize(key.index() + 1, None);
        }
        self.objects[key.index()] = Some(object.clone());
        Write::Revision {
            event,
            revision: self.revision,
            object,
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
