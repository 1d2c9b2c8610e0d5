//! The cache: objects by key, and indexes over them.
//!
//! Mirrors `k8s.io/client-go/tools/cache/thread_safe_store.go`. Objects are shared with whoever
//! reads them. An index entry is taken out under the values that the old object gives **now**: if
//! somebody has changed the cached object in place, its old entry stays behind.

use super::object::Object;
use crate::engine::sorted::{Map, Set};
use std::rc::Rc;

/// Index value → keys.
pub type Index = Map<Rc<str>, Set<Rc<str>>>;

/// Objects by key, with indexes.
#[derive(Clone, Debug)]
pub struct Indexer<O> {
    items: Map<Rc<str>, Rc<O>>,
    indices: Map<Rc<str>, Index>,
}

impl<O: Object> Indexer<O> {
    /// An empty cache with indexes of these names.
    pub fn new(indexers: &[Rc<str>]) -> Indexer<O> {
        Indexer {
            items: Map::new(),
            indices: indexers
                .iter()
                .map(|name| (name.clone(), Index::new()))
                .collect(),
        }
    }

    pub fn get(&self, key: &str) -> Option<&Rc<O>> {
        self.items.get(key)
    }

    /// All objects, in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&Rc<str>, &Rc<O>)> {
        self.items.iter()
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The index `name`: its values, each with the keys listed under it.
    pub fn index(&self, name: &str) -> Option<&Index> {
        self.indices.get(name)
    }

    /// Put `object` under its key; the one that was there before comes back.
    pub fn put(&mut self, object: &Rc<O>) -> Option<Rc<O>> {
        let key = object.key();
        let old = self.items.insert(key.clone(), object.clone());
        self.update_indices(&key, old.as_deref(), Some(object));
        old
    }

    /// Take out what is under `key`.
    pub fn remove(&mut self, key: &str) -> Option<Rc<O>> {
        let (key, old) = self.items.remove_entry(key)?;
        self.update_indices(&key, Some(&old), None);
        Some(old)
    }

    /// Hold these and nothing else; the indexes are built anew.
    pub fn replace(&mut self, objects: &[Rc<O>]) {
        self.items.clear();
        self.indices.values_mut().for_each(Index::clear);
        for object in objects {
            self.items.insert(object.key(), object.clone());
        }
        let items: Vec<_> = self
            .items
            .iter()
            .map(|(k, o)| (k.clone(), o.clone()))
            .collect();
        for (key, object) in items {
            self.update_indices(&key, None, Some(&object));
        }
    }

    /// Exchange the object under `key`, past all indexes. The old one and the new one come back.
    pub(super) fn mutate(&mut self, key: &str, edit: impl FnOnce(&mut O)) -> Option<[Rc<O>; 2]> {
        let slot = self.items.get_mut(key)?;
        let before = slot.clone();
        let mut object = O::clone(&before);
        edit(&mut object);
        *slot = Rc::new(object);
        Some([before, slot.clone()])
    }

    fn update_indices(&mut self, key: &Rc<str>, old: Option<&O>, new: Option<&O>) {
        for (name, index) in self.indices.iter_mut() {
            let values = |object: Option<&O>| object.map_or(Vec::new(), |o| o.index_values(name));
            let (olds, news) = (values(old), values(new));
            // Upstream's short cut, and visible: an entry that is missing stays missing.
            if olds.len() == 1 && olds == news {
                continue;
            }
            for value in olds {
                if let Some(keys) = index.get_mut(&value) {
                    keys.remove(key);
                    if keys.is_empty() {
                        index.remove(&value);
                    }
                }
            }
            for value in news {
                index.get_or_default(value).insert(key.clone());
            }
        }
    }
}
