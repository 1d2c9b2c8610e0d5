//! Trees into objects: what a patch or a manifest says, checked as the API server checks it.
//!
//! Mirrors RFC 7386 (`merge`), the decoding of typed objects with its Go messages (config maps) and
//! the validation of a structural schema (the custom resource). What a patch does is found by
//! merging whole trees and looking at the difference, so `null` for a whole section works too.
//!
//! Left out on purpose: changing owner references, which nothing in the console needs.

use super::check::{data_key, label_value};
use super::error::quote;
use super::json::{Members, Value};
use super::label::{difference, wrong_name};
use super::scale::too_many;
use super::tree;
use crate::engine::apiserver::{
    Body, ConfigMap, DatabaseSpec, Kind, MergePatch, Object, ObjectMeta, Pairs, Version,
};
use std::rc::Rc;

/// `patch` merged into `old`.
pub fn merge(old: Option<&Value>, patch: &Value) -> Value {
    let Value::Object(changes) = patch else {
        return patch.clone();
    };
    let mut members = old.and_then(Value::as_object).cloned().unwrap_or_default();
    for (name, value) in changes {
        if *value == Value::Null {
            members.remove(name);
        } else {
            let merged = merge(members.get(name), value);
            members.insert(name.clone(), merged);
        }
    }
    Value::Object(members)
}

/// Why a tree is no object.
#[derive(Debug)]
pub enum Wrong {
    /// It cannot be read at all.
    Type(String),
    /// It can be read, but it may not be.
    Invalid(Vec<String>),
}

/// An object, and the fields that nobody knows.
#[derive(Debug)]
pub struct Decoded {
    pub object: Object,
    pub unknown: Vec<String>,
}

type Decode<T> = Result<T, Wrong>;

/// Reads an object of a kind. What the server keeps for itself is taken from `old`.
pub fn decode(tree: &Value, kind: Kind, old: Option<&Object>) -> Decode<Decoded> {
    let none = Members::new();
    let members = tree.as_object().unwrap_or(&none);
    let mut unknown = Vec::new();
    let section = if kind == Kind::ConfigMap {
        "data"
    } else {
        "spec"
    };
    for name in members.keys() {
        let known = [
            "apiVersion",
            "kind",
            "metadata",
            "binaryData",
            "immutable",
            section,
        ];
        if !known.contains(&&**name) {
            unknown.push(name.to_string());
        }
    }
    let meta = metadata(members.get("metadata"), old, &mut unknown)?;
    let body = match kind {
        Kind::ConfigMap => Body::ConfigMap(ConfigMap {
            data: pairs(members.get("data"), "ConfigMap.data")?,
        }),
        Kind::DatabaseCluster => Body::DatabaseCluster(spec(members.get("spec"), &mut unknown)?),
    };
    let object = Object { meta, body };
    let causes = causes(&object);
    if causes.is_empty() {
        Ok(Decoded { object, unknown })
    } else {
        Err(Wrong::Invalid(causes))
    }
}

fn mismatch<T>(value: &Value, field: &str, wanted: &str) -> Decode<T> {
    let word = value.word();
    Err(Wrong::Type(format!(
        "json: cannot unmarshal {word} into Go struct field {field} of type {wanted}"
    )))
}

fn pairs(value: Option<&Value>, field: &str) -> Decode<Pairs> {
    let mut pairs = Pairs::new();
    match value {
        None | Some(Value::Null) => {}
        Some(Value::Object(members)) => {
            for (name, value) in members {
                let text = match value {
                    Value::String(text) => text.clone(),
                    Value::Null => "".into(),
                    _ => return mismatch(value, field, "string"),
                };
                pairs.insert(name.clone(), text);
            }
        }
        Some(value) => return mismatch(value, field, "map[string]string"),
    }
    Ok(pairs)
}

fn text(members: &Members, name: &str) -> Decode<Rc<str>> {
    match members.get(name) {
        None | Some(Value::Null) => Ok("".into()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(value) => mismatch(value, &format!("ObjectMeta.metadata.{name}"), "string"),
    }
}

fn metadata(
    value: Option<&Value>,
    old: Option<&Object>,
    unknown: &mut Vec<String>,
) -> Decode<ObjectMeta> {
    let none = Members::new();
    let members = match value {
        None | Some(Value::Null) => &none,
        Some(Value::Object(members)) => members,
        Some(value) => return mismatch(value, "ConfigMap.metadata", "v1.ObjectMeta"),
    };
    for name in members.keys() {
        let known = [
            "name",
            "namespace",
            "labels",
            "annotations",
            "finalizers",
            "ownerReferences",
            "resourceVersion",
            "uid",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "generateName",
            "managedFields",
            "selfLink",
        ];
        if !known.contains(&&**name) {
            unknown.push(format!("metadata.{name}"));
        }
    }
    let mut meta = ObjectMeta {
        name: text(members, "name")?,
        namespace: text(members, "namespace")?,
        labels: pairs(members.get("labels"), "ObjectMeta.metadata.labels")?,
        annotations: pairs(
            members.get("annotations"),
            "ObjectMeta.metadata.annotations",
        )?,
        ..old.map(|old| old.meta.clone()).unwrap_or_default()
    };
    meta.finalizers = match members.get("finalizers") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(values)) => {
            let field = "ObjectMeta.metadata.finalizers";
            let name = |value: &Value| match value {
                Value::String(name) => Ok(name.clone()),
                _ => mismatch(value, field, "string"),
            };
            values.iter().map(name).collect::<Decode<_>>()?
        }
        Some(value) => return mismatch(value, "ObjectMeta.metadata.finalizers", "[]string"),
    };
    let version = text(members, "resourceVersion")?;
    if !version.is_empty() {
        // A version that is no number is nobody's version.
        meta.resource_version = version.parse().unwrap_or(u64::MAX);
    }
    let owners = members.get("ownerReferences");
    let before = old.map(tree::tree);
    let before = before
        .as_ref()
        .and_then(|tree| tree.get("metadata")?.get("ownerReferences"));
    if owners.is_none() {
        meta.owner_references = Vec::new();
    } else if owners != before {
        unknown.push("metadata.ownerReferences".into());
    }
    Ok(meta)
}

fn spec(value: Option<&Value>, unknown: &mut Vec<String>) -> Decode<DatabaseSpec> {
    let required = |field: &str| format!("{field}: Required value");
    let members = match value {
        None | Some(Value::Null) => return Err(Wrong::Invalid(vec![required("spec")])),
        Some(Value::Object(members)) => members,
        Some(value) => return Err(Wrong::Invalid(vec![wrong_type("spec", value, "object")])),
    };
    for name in members.keys() {
        if !matches!(&**name, "replicas" | "version") {
            unknown.push(format!("spec.{name}"));
        }
    }
    let mut causes = Vec::new();
    let mut replicas = 0;
    match members.get("replicas") {
        None | Some(Value::Null) => causes.push(required("spec.replicas")),
        Some(value @ Value::Number(number)) => match number.parse::<i64>() {
            Ok(number) => {
                causes.extend(too_many(number));
                replicas = u32::try_from(number).unwrap_or(0);
            }
            Err(_) => causes.push(wrong_type("spec.replicas", value, "integer")),
        },
        Some(value) => causes.push(wrong_type("spec.replicas", value, "integer")),
    }
    let mut version = Version::new(0, 0);
    match members.get("version") {
        None | Some(Value::Null) => causes.push(required("spec.version")),
        Some(Value::String(text)) => match text.parse() {
            Ok(number) => version = number,
            Err(_) => causes.push(format!(
                "spec.version: Invalid value: {}: spec.version in body should match '^[0-9]{{1,4}}\\.[0-9]{{1,4}}$'",
                quote(text)
            )),
        },
        Some(value) => causes.push(wrong_type("spec.version", value, "string")),
    }
    if causes.is_empty() {
        Ok(DatabaseSpec { replicas, version })
    } else {
        Err(Wrong::Invalid(causes))
    }
}

fn wrong_type(field: &str, value: &Value, wanted: &str) -> String {
    let word = match value {
        Value::Bool(_) => "boolean",
        other => other.word(),
    };
    format!(
        "{field}: Invalid value: {}: {field} in body must be of type {wanted}: {}",
        quote(word),
        quote(word)
    )
}

/// What the server finds wrong with names and values.
fn causes(object: &Object) -> Vec<String> {
    let mut causes = Vec::new();
    for (name, value) in &object.meta.labels {
        causes.extend(wrong_name("labels", name));
        let wrong = label_value(value).into_iter();
        causes.extend(
            wrong.map(|why| format!("metadata.labels: Invalid value: {}: {why}", quote(value))),
        );
    }
    for name in object.meta.annotations.keys() {
        causes.extend(wrong_name("annotations", name));
    }
    if let Body::ConfigMap(config) = &object.body {
        for key in config.data.keys() {
            let wrong = data_key(key).into_iter();
            causes.extend(
                wrong.map(|why| format!("data[{key}]: Invalid value: {}: {why}", quote(key))),
            );
        }
    }
    causes
}

/// What makes `new` of `old`.
pub fn change(old: &Object, new: &Object) -> MergePatch {
    let finalizers =
        (old.meta.finalizers != new.meta.finalizers).then(|| new.meta.finalizers.clone());
    let owners = (old.meta.owner_references != new.meta.owner_references)
        .then(|| new.meta.owner_references.clone());
    let mut patch = MergePatch {
        labels: difference(&old.meta.labels, &new.meta.labels),
        annotations: difference(&old.meta.annotations, &new.meta.annotations),
        finalizers,
        owner_references: owners,
        ..MergePatch::default()
    };
    match (&old.body, &new.body) {
        (Body::ConfigMap(old), Body::ConfigMap(new)) => {
            patch.data = difference(&old.data, &new.data)
        }
        (Body::DatabaseCluster(old), Body::DatabaseCluster(new)) => {
            patch.replicas = (old.replicas != new.replicas).then_some(new.replicas);
            patch.version = (old.version != new.version).then_some(new.version);
        }
        _ => {}
    }
    patch
}
