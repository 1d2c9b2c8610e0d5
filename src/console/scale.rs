//! `kubectl scale`.
//!
//! Mirrors `k8s.io/kubectl/pkg/cmd/scale/scale.go`. A config map has no scale.

use super::error::{error, from_server, invalid};
use super::label::{finish, objects};
use super::request::Request;
use super::{Call, Outcome, resource};
use crate::engine::apiserver::{Kind, MergePatch};

/// The most replicas that the custom resource's schema allows: the picture stays readable.
pub const REPLICAS_MAX: u32 = 9;

pub fn run(call: Call<'_>) -> Outcome {
    let Some(replicas) = call.flags.number("replicas") else {
        return error("required flag(s) \"replicas\" not set");
    };
    let Ok(replicas) = u32::try_from(replicas.min(i64::from(u32::MAX))) else {
        return error(
            "The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0",
        );
    };
    resource::named(call.args(), &call.world.served)?;
    let (found, missing) = objects(&call, call.args())?;
    let mut errors = missing;
    for object in found {
        let kind = object.body.kind();
        let (namespace, name) = (&object.meta.namespace, &object.meta.name);
        if kind != Kind::DatabaseCluster {
            errors.push(from_server(
                "NotFound",
                "the server could not find the requested resource",
            ));
            continue;
        }
        if let Some(why) = too_many(i64::from(replicas)) {
            errors.push(invalid(kind, name, &[why]));
            continue;
        }
        let qualified = resource::qualified(kind);
        let request = Request::Patch {
            kind,
            namespace: namespace.clone(),
            name: name.clone(),
            patch: MergePatch {
                replicas: Some(replicas),
                ..MergePatch::default()
            },
        };
        call.reply
            .ask(request, &format!("{qualified}/{name} scaled"));
    }
    finish(call, &errors)
}

/// What a schema with a least and a most says.
pub fn too_many(replicas: i64) -> Option<String> {
    let bound = match replicas {
        ..0 => "greater than or equal to 0".to_owned(),
        _ if replicas > i64::from(REPLICAS_MAX) => format!("less than or equal to {REPLICAS_MAX}"),
        _ => return None,
    };
    Some(format!(
        "spec.replicas: Invalid value: {replicas}: spec.replicas in body should be {bound}"
    ))
}
