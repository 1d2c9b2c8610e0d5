//! `kubectl delete`.
//!
//! Mirrors `k8s.io/kubectl/pkg/cmd/delete/delete.go`; since 1.34 it says from which namespace.

use super::error::{error, not_found};
use super::label::{finish, objects};
use super::request::Request;
use super::{Call, Outcome, resource};

pub fn run(call: Call<'_>) -> Outcome {
    let output = call.flags.text("output").unwrap_or_default().to_owned();
    if !matches!(&*output, "" | "name") {
        return error(format!(
            "unexpected -o output mode: {output}. We only support '-o name'"
        ));
    }
    let (found, mut missing) = objects(&call, call.args())?;
    if found.is_empty() && missing.is_empty() {
        call.reply.out("No resources found");
    }
    for object in found {
        let kind = object.body.kind();
        let (namespace, name) = (&object.meta.namespace, &object.meta.name);
        let request = Request::Delete {
            kind,
            namespace: namespace.clone(),
            name: name.clone(),
        };
        // Named twice: there is nothing left to delete.
        if call.reply.requests.contains(&request) {
            missing.push(not_found(kind, name));
            continue;
        }
        let qualified = resource::qualified(kind);
        let done = match &*output {
            "name" => format!("{qualified}/{name}"),
            _ => format!("{qualified} \"{name}\" deleted from {namespace} namespace"),
        };
        call.reply.ask(request, &done);
    }
    finish(call, &missing)
}
