//! `kubectl patch`.
//!
//! Mirrors `k8s.io/kubectl/pkg/cmd/patch/patch.go`, and what
//! `k8s.io/apiserver/pkg/endpoints/handlers/patch.go` answers. For a config map a strategic patch is
//! the same as a merge patch, as long as it has no directives.
//!
//! Left out on purpose: JSON patches, and patches written in YAML.

use super::error::{conflict, error, from_server, invalid, quote};
use super::json::{self, Value};
use super::label::{finish, objects};
use super::merge::{Wrong, change, decode, merge};
use super::request::Request;
use super::{Call, Outcome, resource, tree};
use crate::engine::apiserver::{Kind, MergePatch, Object};

pub fn run(call: Call<'_>) -> Outcome {
    let text = call.flags.text("patch").unwrap_or_default().to_owned();
    let kind = call
        .flags
        .text("type")
        .unwrap_or("strategic")
        .to_ascii_lowercase();
    if text.is_empty() {
        return error("must specify --patch or --patch-file containing the contents of the patch");
    }
    if !matches!(&*kind, "json" | "merge" | "strategic") {
        let asked = quote(call.flags.text("type").unwrap_or_default());
        return error(format!(
            "--type must be one of [json merge strategic], not {asked}"
        ));
    }
    resource::named(call.args(), &call.world.served)?;
    if kind == "json" {
        return error("This console takes --type merge and strategic, no JSON patches.");
    }
    if !text.trim_start().starts_with(['{', '[', '"']) {
        return error(format!(
            "unable to parse {}: this console takes patches as JSON",
            quote(&text)
        ));
    }
    let (found, missing) = objects(&call, call.args())?;
    let mut errors = missing;
    for object in found {
        match patched(&object, &text, &kind) {
            Ok((request, unknown)) => {
                for field in unknown {
                    call.reply
                        .err(&format!("Warning: unknown field {}", quote(&field)));
                }
                let Request::Patch { patch, .. } = &request else {
                    continue;
                };
                let quiet = if *patch == MergePatch::default() {
                    " (no change)"
                } else {
                    ""
                };
                let qualified = resource::qualified(object.body.kind());
                let done = format!("{qualified}/{} patched{quiet}", object.meta.name);
                call.reply.ask(request, &done);
            }
            Err(why) => errors.push(why),
        }
    }
    finish(call, &errors)
}

/// The request, and fields that nobody knows.
fn patched(
    object: &Object,
    text: &str,
    patch_type: &str,
) -> Result<(Request, Vec<String>), String> {
    let kind = object.body.kind();
    if patch_type == "strategic" && kind == Kind::DatabaseCluster {
        return Err(format!(
            "application/strategic-merge-patch+json is not supported by {}, Kind={}: the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
            resource::api_version(kind),
            kind.word()
        ));
    }
    let bad = |why: String| {
        let prefix = if patch_type == "merge" {
            "error decoding patch: "
        } else {
            ""
        };
        from_server("BadRequest", &format!("{prefix}{why}"))
    };
    let patch = json::parse(text).map_err(bad)?;
    if patch.as_object().is_none() {
        return Err(bad(format!(
            "json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
            patch.word()
        )));
    }
    if patch_type == "strategic" && text.contains("\"$") {
        return error("This console takes strategic patches without directives.");
    }
    let new = merge(Some(&tree::tree(object)), &patch);
    write(object, &new)
}

/// The request that makes `new` of `object`, and fields that nobody knows.
pub fn write(object: &Object, new: &Value) -> Result<(Request, Vec<String>), String> {
    let kind = object.body.kind();
    let name = &object.meta.name;
    let decoded = decode(new, kind, Some(object)).map_err(|wrong| match wrong {
        Wrong::Type(why) => {
            let whole = quote(&new.compact());
            format!("The request is invalid: patch: Invalid value: {whole}: {why}")
        }
        Wrong::Invalid(causes) => invalid(kind, name, &causes),
    })?;
    let meta = &decoded.object.meta;
    for (what, is, was) in [
        ("name", &meta.name, &object.meta.name),
        ("namespace", &meta.namespace, &object.meta.namespace),
    ] {
        if is != was {
            let message = format!(
                "the {what} of the object ({is}) does not match the {what} on the URL ({was})"
            );
            return Err(from_server("BadRequest", &message));
        }
    }
    if meta.resource_version != object.meta.resource_version {
        return Err(conflict(kind, name));
    }
    let added = meta
        .finalizers
        .iter()
        .filter(|name| !object.meta.finalizers.contains(name));
    let added: Vec<String> = added.map(|name| quote(name)).collect();
    if object.meta.deletion_timestamp.is_some() && !added.is_empty() {
        let cause = format!(
            "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
            added.join(", ")
        );
        return Err(invalid(kind, name, &[cause]));
    }
    let request = Request::Patch {
        kind,
        namespace: object.meta.namespace.clone(),
        name: name.clone(),
        patch: change(object, &decoded.object),
    };
    Ok((request, decoded.unknown))
}
