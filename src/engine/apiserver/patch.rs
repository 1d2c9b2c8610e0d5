//! A merge patch, as data: what it names is changed, what it does not name stays.
//!
//! Mirrors RFC 7386 over the fields that the page can change; lists are replaced whole. A value
//! that is `None` removes its name, as `null` does in JSON.

use super::meta::Pairs;
use super::{Body, Object, OwnerReference, Uid, Version};
use crate::engine::sorted::Map;
use serde::Serialize;
use std::rc::Rc;

/// Names with new values, or with none.
pub type PairsPatch = Map<Rc<str>, Option<Rc<str>>>;

/// A change to an object.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct MergePatch {
    /// Only if the object has this version; 0: whichever.
    pub resource_version: u64,
    /// Only if it is this object.
    pub uid: Uid,
    pub labels: PairsPatch,
    pub annotations: PairsPatch,
    pub finalizers: Option<Vec<Rc<str>>>,
    pub owner_references: Option<Vec<OwnerReference>>,
    /// Of a config map.
    pub data: PairsPatch,
    /// Of a database cluster.
    pub replicas: Option<u32>,
    pub version: Option<Version>,
}

impl MergePatch {
    /// Sets a label, or removes it.
    pub fn label(name: &str, value: Option<&str>) -> MergePatch {
        MergePatch {
            labels: [(name.into(), value.map(Rc::from))].into(),
            ..MergePatch::default()
        }
    }

    /// Changes `object`. False: it names a field that this kind has not.
    pub fn apply(&self, object: &mut Object) -> bool {
        merge(&mut object.meta.labels, &self.labels);
        merge(&mut object.meta.annotations, &self.annotations);
        if let Some(finalizers) = &self.finalizers {
            object.meta.finalizers.clone_from(finalizers);
        }
        if let Some(owners) = &self.owner_references {
            object.meta.owner_references.clone_from(owners);
        }
        let of_database = self.replicas.is_some() || self.version.is_some();
        match &mut object.body {
            Body::DatabaseCluster(spec) => {
                spec.replicas = self.replicas.unwrap_or(spec.replicas);
                spec.version = self.version.unwrap_or(spec.version);
                self.data.is_empty()
            }
            Body::ConfigMap(config) => {
                merge(&mut config.data, &self.data);
                !of_database
            }
        }
    }
}

fn merge(pairs: &mut Pairs, patch: &PairsPatch) {
    for (name, value) in patch.iter() {
        match value {
            Some(value) => pairs.insert(name.clone(), value.clone()),
            None => pairs.remove(name),
        };
    }
}
