//! What a command sees of the world: the store's objects at the cursor, the time, the editor.

use super::error::quote;
use super::json::Value;
use crate::engine::apiserver::{EventType, Kind, Object, Store, Uid};
use crate::engine::key::{Key, Keys};
use crate::engine::record::{Fact, Record};
use crate::engine::sorted::{Map, Set};
use crate::engine::time::SimTime;
use std::rc::Rc;

/// The documents in files, by the files' names.
pub type Files = Rc<Map<String, Vec<Value>>>;

/// What there is at an instant.
#[derive(Clone, Debug)]
pub struct WorldView {
    pub now: SimTime,
    /// Kind by kind, by namespace and name.
    objects: Vec<Rc<Object>>,
    /// The namespaces that there are, beside `default` and those in which there is something.
    pub namespaces: Vec<String>,
    /// Those in the editor are in `-`.
    pub files: Files,
    /// The kinds that the API server knows.
    pub served: Vec<Kind>,
}

impl Default for WorldView {
    /// Nothing, at the beginning of time.
    fn default() -> WorldView {
        WorldView::new(SimTime::ZERO, [])
    }
}

impl WorldView {
    pub fn new(now: SimTime, objects: impl IntoIterator<Item = Rc<Object>>) -> WorldView {
        let objects = objects.into_iter().map(|object| {
            let meta = &object.meta;
            let place = (
                object.body.kind(),
                meta.namespace.clone(),
                meta.name.clone(),
            );
            (place, object)
        });
        let objects: Map<_, _> = objects.collect();
        let objects = objects.into_values().collect();
        WorldView {
            now,
            objects,
            namespaces: Vec::new(),
            files: Files::default(),
            served: Kind::ALL.to_vec(),
        }
    }

    /// What a store holds.
    pub fn of_store(now: SimTime, store: &Store) -> WorldView {
        let objects = store.iter().map(|(_, object)| object.clone());
        WorldView::new(now, objects)
    }

    /// What the store holds once these facts have happened.
    pub fn of_records(
        now: SimTime,
        keys: &Keys,
        records: impl IntoIterator<Item = Record>,
    ) -> WorldView {
        let mut stored = Stored::default();
        for record in records {
            stored.take(keys, &record);
        }
        WorldView::new(now, stored.objects())
    }

    /// The object of a kind and of a key, which is its name alone or `namespace/name`.
    pub fn find(&self, kind: Kind, key: &str) -> Option<&Rc<Object>> {
        let (namespace, name) = split(key);
        self.get(kind, namespace, name)
    }

    pub(super) fn get(&self, kind: Kind, namespace: &str, name: &str) -> Option<&Rc<Object>> {
        self.list(kind, Some(namespace))
            .find(|object| *object.meta.name == *name)
    }

    /// The objects of a kind, in a namespace or in all of them.
    pub(super) fn list(
        &self,
        kind: Kind,
        namespace: Option<&str>,
    ) -> impl Iterator<Item = &Rc<Object>> {
        self.objects.iter().filter(move |object| {
            object.body.kind() == kind
                && namespace.is_none_or(|namespace| *object.meta.namespace == *namespace)
        })
    }

    /// All namespaces.
    pub(super) fn all_namespaces(&self) -> Vec<&str> {
        let used = self.objects.iter().map(|object| &*object.meta.namespace);
        let known = self.namespaces.iter().map(String::as_str);
        let all: Set<&str> = used.chain(known).chain(["default"]).collect();
        all.into_vec()
    }

    /// What is wrong with creating something in a namespace.
    pub(super) fn check_namespace(&self, namespace: &str) -> Result<(), String> {
        match self.all_namespaces().contains(&namespace) {
            true => Ok(()),
            false => Err(format!("namespaces {} not found", quote(namespace))),
        }
    }
}

/// What the store holds, fact by fact.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    objects: Map<(Kind, Key), Rc<Object>>,
}

impl Stored {
    /// All that there is.
    pub fn objects(&self) -> impl Iterator<Item = Rc<Object>> {
        self.objects.values().cloned()
    }

    /// One more fact has happened. The object that it wrote or deleted, if it is about one.
    pub fn take(&mut self, keys: &Keys, record: &Record) -> Option<Rc<Object>> {
        let Fact::Written {
            event, key, object, ..
        } = &record.fact
        else {
            return None;
        };
        let place = (object.body.kind(), *key);
        let before = match event {
            EventType::Added => None,
            _ => self.objects.remove(&place),
        };
        let object = named(keys.text(*key), object, before.as_ref(), record.at);
        if *event != EventType::Deleted {
            self.objects.insert(place, object.clone());
        }
        Some(object)
    }
}

/// The object with all that is known of it: chapter one's store keeps names beside its objects, and
/// does not write down when they were made.
fn named(key: &str, object: &Rc<Object>, before: Option<&Rc<Object>>, at: SimTime) -> Rc<Object> {
    if !object.meta.name.is_empty() {
        return object.clone();
    }
    let (namespace, name) = split(key);
    let mut whole = Object::clone(object);
    let meta = &mut whole.meta;
    meta.namespace = namespace.into();
    meta.name = name.into();
    let made = before.and_then(|before| before.meta.creation_timestamp);
    meta.creation_timestamp = meta.creation_timestamp.or(made).or(Some(at));
    if meta.uid == Uid::NONE {
        meta.uid = before.map_or(Uid(meta.resource_version), |before| before.meta.uid);
    }
    Rc::new(whole)
}

/// Namespace and name in a key.
fn split(key: &str) -> (&str, &str) {
    key.split_once('/').unwrap_or(("default", key))
}
