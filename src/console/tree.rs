//! An object as the API writes it.

use super::duration::timestamp;
use super::json::{Members, Value};
use super::resource::api_version;
use super::yaml;
use crate::engine::apiserver::{Body, Object, ObjectMeta, OwnerReference, Pairs};

/// The object as a tree, with the names of the API.
pub fn tree(object: &Object) -> Value {
    let kind = object.body.kind();
    let mut members = members([
        ("apiVersion", Value::string(&api_version(kind))),
        ("kind", Value::string(kind.word())),
        ("metadata", metadata(&object.meta)),
    ]);
    match &object.body {
        Body::ConfigMap(config) => put_pairs(&mut members, "data", &config.data),
        Body::DatabaseCluster(spec) => {
            let spec = object_of([
                ("replicas", Value::number(spec.replicas)),
                ("version", Value::string(&spec.version.to_string())),
            ]);
            members.insert("spec".into(), spec);
        }
    }
    Value::Object(members)
}

/// The object in YAML, as `get -o yaml` prints it, without the last line's end.
pub fn as_yaml(object: &Object) -> String {
    yaml::emit(&tree(object)).trim_end_matches('\n').to_owned()
}

/// `kind: List`, as `get` prints it.
pub fn list(items: Vec<Value>) -> Value {
    object_of([
        ("apiVersion", Value::string("v1")),
        ("items", Value::Array(items)),
        ("kind", Value::string("List")),
        (
            "metadata",
            object_of([("resourceVersion", Value::string(""))]),
        ),
    ])
}

pub fn members<const N: usize>(list: [(&str, Value); N]) -> Members {
    let mut members = Members::new();
    for (name, value) in list {
        members.insert(name.into(), value);
    }
    members
}

pub fn object_of<const N: usize>(list: [(&str, Value); N]) -> Value {
    Value::Object(members(list))
}

pub fn pairs(pairs: &Pairs) -> Value {
    let pair = |(name, value): (&_, &_)| {
        (
            std::rc::Rc::clone(name),
            Value::String(std::rc::Rc::clone(value)),
        )
    };
    Value::Object(pairs.iter().map(pair).collect())
}

fn put_pairs(members: &mut Members, name: &str, values: &Pairs) {
    if !values.is_empty() {
        members.insert(name.into(), pairs(values));
    }
}

fn metadata(meta: &ObjectMeta) -> Value {
    let mut members = members([("name", Value::string(&meta.name))]);
    let mut put = |name: &str, value: Value| drop(members.insert(name.into(), value));
    if !meta.namespace.is_empty() {
        put("namespace", Value::string(&meta.namespace));
    }
    if let Some(time) = meta.creation_timestamp {
        put("creationTimestamp", Value::string(&timestamp(time)));
        put("uid", Value::string(&meta.uid.to_string()));
    }
    if let Some(time) = meta.deletion_timestamp {
        put("deletionTimestamp", Value::string(&timestamp(time)));
    }
    if meta.resource_version > 0 {
        put(
            "resourceVersion",
            Value::string(&meta.resource_version.to_string()),
        );
    }
    if meta.generation > 0 {
        put("generation", Value::number(meta.generation));
    }
    if !meta.finalizers.is_empty() {
        let finalizers = meta.finalizers.iter().map(|name| Value::string(name));
        put("finalizers", Value::Array(finalizers.collect()));
    }
    if !meta.owner_references.is_empty() {
        put(
            "ownerReferences",
            Value::Array(meta.owner_references.iter().map(owner).collect()),
        );
    }
    put_pairs(&mut members, "labels", &meta.labels);
    put_pairs(&mut members, "annotations", &meta.annotations);
    Value::Object(members)
}

fn owner(owner: &OwnerReference) -> Value {
    let mut members = members([
        ("apiVersion", Value::string(&api_version(owner.kind))),
        ("kind", Value::string(owner.kind.word())),
        ("name", Value::string(&owner.name)),
        ("uid", Value::string(&owner.uid.to_string())),
    ]);
    for (name, set) in [
        ("controller", owner.controller),
        ("blockOwnerDeletion", owner.block_owner_deletion),
    ] {
        if set {
            members.insert(name.into(), Value::Bool(true));
        }
    }
    Value::Object(members)
}
