//! `kubectl create configmap`.
//!
//! Mirrors `k8s.io/kubectl/pkg/cmd/create/create_configmap.go` and `create.go`.

use super::check::{data_key, object_name};
use super::error::{error, quote, usage};
use super::request::Request;
use super::{Call, Outcome};
use crate::engine::apiserver::{Body, ConfigMap, Kind, Object, Pairs};
use std::rc::Rc;

pub fn run(call: Call<'_>) -> Outcome {
    let names = match call.args() {
        [] => return error("must specify one of -f and -k"),
        [kind, names @ ..] if kind == "configmap" || kind == "cm" => names,
        args => {
            return usage(
                &format!("Unexpected args: [{}]", args.join(" ")),
                call.verb.name,
            );
        }
    };
    let [name] = names else {
        let message = format!("exactly one NAME is required, got {}", names.len());
        return usage(&message, "create configmap");
    };
    let mut data = Pairs::new();
    for literal in call.flags.all("from-literal") {
        let (key, value) = match literal.split_once('=') {
            Some((key, value)) if !key.is_empty() => (key, value),
            _ => {
                return error(format!(
                    "invalid literal source {literal}, expected key=value"
                ));
            }
        };
        let wrong = data_key(key);
        if !wrong.is_empty() {
            let why = wrong.join(",");
            return error(format!(
                "{} is not a valid key name for a ConfigMap: {why}",
                quote(key)
            ));
        }
        if data.insert(key.into(), value.into()).is_some() {
            return error(format!(
                "cannot add key {}, another key by that name already exists in Data for ConfigMap {}",
                quote(key),
                quote(name)
            ));
        }
    }
    let refused = |why: String| error(format!("failed to create configmap: {why}"));
    if let Some(why) = object_name(name) {
        let name = quote(name);
        return refused(format!(
            "ConfigMap {name} is invalid: metadata.name: Invalid value: {name}: {why}"
        ));
    }
    if let Err(why) = call.world.check_namespace(call.namespace()) {
        return refused(why);
    }
    if call
        .world
        .get(Kind::ConfigMap, call.namespace(), name)
        .is_some()
    {
        return refused(format!("configmaps {} already exists", quote(name)));
    }
    let mut object = Object::config_map(call.namespace(), name);
    object.body = Body::ConfigMap(ConfigMap { data });
    let request = Request::Create(Rc::new(object));
    call.reply
        .ask(request, &format!("configmap/{name} created"));
    Ok(())
}
