//! What a command sees of the world: the store's objects at the cursor, the time, the editor.

use super::error::quote;
use super::json::Value;
use crate::engine::apiserver::{DatabaseSpec, Kind, Object, ObjectMeta, Store};
use crate::engine::key::Keys;
use crate::engine::sorted::{Map, Set};
use crate::engine::time::SimTime;
use crate::frame::View;

use std::rc::Rc;

/// What there is at an instant.
#[derive(Clone, Debug, Default)]
pub struct WorldView {
    pub now: SimTime,
    /// Kind by kind, by namespace and name.
    objects: Vec<Rc<Object>>,
    /// The namespaces that there are, beside `default` and those in which there is something.
    pub namespaces: Vec<String>,
    /// The documents in files, by their names; those in the editor are in `-`.
    pub files: Map<String, Vec<Value>>,
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
            files: Map::new(),
        }
    }

    /// What a store holds.
    pub fn of_store(now: SimTime, store: &Store) -> WorldView {
        let objects = store.iter().map(|(_, object)| object.clone());
        WorldView::new(now, objects)
    }

    /// What a picture of chapter one shows. It knows neither labels nor times of creation.
    pub fn of_view(now: SimTime, keys: &Keys, view: &View) -> WorldView {
        let objects = view.objects.values().map(|card| {
            let key = keys.text(card.key);
            let (namespace, name) = key.split_once('/').unwrap_or(("default", key));
            let DatabaseSpec { replicas, version } = card.spec;
            let mut object = Object::database(DatabaseSpec { replicas, version });
            object.meta = ObjectMeta::named(namespace, name);
            object.meta.resource_version = card.revision;
            Rc::new(object)
        });
        WorldView::new(now, objects)
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
