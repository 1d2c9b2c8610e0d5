//! `kubectl annotate`.
//!
//! Mirrors `k8s.io/kubectl/pkg/cmd/annotate/annotate.go`.

use super::error::{error, invalid};
use super::label::{Changes, difference, finish, objects, resources_and_pairs, wrong_name};
use super::request::Request;
use super::{Call, Outcome, resource};
use crate::engine::apiserver::MergePatch;
use std::rc::Rc;

pub fn run(call: Call<'_>) -> Outcome {
    let overwrite = call.flags.is_set("overwrite");
    let (resources, pairs) = resources_and_pairs(call.args(), "annotation")?;
    let mut changes = Changes::default();
    for pair in &pairs {
        match pair.split_once('=') {
            Some((name, value)) => drop(changes.set.insert(name.into(), value.into())),
            None => changes.remove.extend(pair.strip_suffix('-').map(Rc::from)),
        }
    }
    if changes.is_empty() {
        return error("at least one annotation update is required");
    }
    let both: Vec<&str> = changes
        .remove
        .iter()
        .filter(|name| changes.set.contains_key(*name))
        .map(|name| &**name)
        .collect();
    if !both.is_empty() {
        return error(format!(
            "can not both modify and remove the following annotation(s) in the same command: {}",
            both.join(", ")
        ));
    }
    let (found, missing) = objects(&call, &resources)?;
    let mut errors = missing;
    for object in found {
        let kind = object.body.kind();
        let (meta, name) = (&object.meta, &object.meta.name);
        let old = &meta.annotations;
        let taken = changes
            .set
            .keys()
            .filter(|name| !overwrite && old.contains_key(*name));
        let taken: Vec<String> = taken
            .map(|name| format!("'{name}' already has a value ({})", old[name]))
            .collect();
        if !taken.is_empty() {
            errors.push(format!(
                "--overwrite is false but found the following declared annotation(s): {}",
                taken.join("; ")
            ));
            continue;
        }
        let causes: Vec<String> = changes
            .set
            .keys()
            .flat_map(|name| wrong_name("annotations", name))
            .collect();
        if !causes.is_empty() {
            errors.push(invalid(kind, name, &causes));
            continue;
        }
        let qualified = resource::qualified(kind);
        let request = Request::Patch {
            kind,
            namespace: meta.namespace.clone(),
            name: name.clone(),
            patch: MergePatch {
                annotations: difference(old, &changes.apply(old)),
                ..MergePatch::default()
            },
        };
        let done = format!("{qualified}/{name} annotated");
        call.reply.ask(request, &done);
    }
    finish(call, &errors)
}
