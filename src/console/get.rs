//! `kubectl get`.
//!
//! Mirrors `k8s.io/kubectl/pkg/cmd/get/get.go`, with the columns that the server makes of a config
//! map (`k8s.io/kubernetes/pkg/printers/internalversion/printers.go`) and those that chapter one's
//! custom resource would declare.

use super::align::{TABLE, align};
use super::duration::age;
use super::error::{error, not_found, quote};
use super::resource::{self, Targets, targets};
use super::watch::{Watch, name};
use super::{Call, Outcome, tree, yaml};
use crate::engine::apiserver::{Body, Kind, Object, Pairs};
use crate::engine::time::SimTime;
use std::rc::Rc;

/// Which columns a table has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    pub namespace: bool,
    pub kind: bool,
    pub labels: bool,
}

pub fn run(call: Call<'_>) -> Outcome {
    let everywhere = call.flags.is_set("all-namespaces");
    let watch = call.flags.is_set("watch");
    let labels = call.flags.is_set("show-labels");
    let format = call.flags.text("output").unwrap_or_default().to_owned();
    let headers = !call.flags.is_set("no-headers");
    if call.args().is_empty() {
        call.reply.err("You must specify the type of resource to get. Use \"kubectl api-resources\" for a complete list of supported resources.\n");
        return error(
            "Required resource not specified.\nUse \"kubectl explain <resource>\" for a detailed description of that resource (e.g. kubectl explain pods).\nSee 'kubectl get -h' for help and examples",
        );
    }
    if labels && !matches!(&*format, "" | "wide") {
        return error(format!(
            "--show-labels option cannot be used with {format} printer"
        ));
    }
    let targets = targets(call.args(), &call.world.served)?;
    if !matches!(&*format, "" | "wide" | "yaml" | "json" | "name") {
        return error(format!(
            "unable to match a printer suitable for the output format {}, allowed formats are: json,name,wide,yaml",
            quote(&format)
        ));
    }
    let namespace = (!everywhere).then(|| call.namespace().to_owned());
    let mut missing = Vec::new();
    let (kinds, found): (Vec<Kind>, Vec<Rc<Object>>) = match &targets {
        Targets::Nothing => (Vec::new(), Vec::new()),
        Targets::Kinds(kinds) => {
            let list = |kind: &Kind| call.world.list(*kind, namespace.as_deref()).cloned();
            (kinds.clone(), kinds.iter().flat_map(list).collect())
        }
        Targets::Named(_) if everywhere => {
            return error("a resource cannot be retrieved by name across all namespaces");
        }
        Targets::Named(named) => {
            let mut found = Vec::new();
            for (kind, name) in named {
                match call.world.get(*kind, call.namespace(), name) {
                    Some(object) => found.push(object.clone()),
                    None => missing.push(not_found(*kind, name)),
                }
            }
            (named.iter().map(|(kind, _)| *kind).collect(), found)
        }
    };
    let single = matches!(&targets, Targets::Named(named) if named.len() == 1);
    let several = kinds.iter().any(|kind| *kind != kinds[0]);
    if watch && several {
        return error("you may only specify a single resource type");
    }
    let columns = Columns {
        namespace: everywhere,
        kind: several,
        labels,
    };
    let reply = call.reply;
    if watch && missing.is_empty() {
        let name = match targets {
            Targets::Named(named) if single => named.into_iter().next().map(|(_, name)| name),
            _ => None,
        };
        let mut watch = Watch {
            kind: kinds[0],
            namespace,
            name,
            format,
            columns,
            headed: !headers,
            begun: false,
            widths: Vec::new(),
        };
        // What is there already says how wide the columns are.
        if !found.is_empty() {
            reply.out(&watch.text(&found, call.world.now));
        }
        reply.watch = Some(watch);
        return Ok(());
    }
    match &*format {
        "name" => found.iter().for_each(|object| reply.out(&name(object))),
        "yaml" | "json" if !(single && found.is_empty()) => {
            let mut items: Vec<_> = found.iter().map(|object| tree(object)).collect();
            let whole = match items.pop() {
                Some(item) if single => item,
                last => super::tree::list(items.into_iter().chain(last).collect()),
            };
            if format == "json" {
                reply.out(&whole.indented());
            } else {
                reply.out(yaml::emit(&whole).trim_end_matches('\n'));
            }
        }
        "yaml" | "json" => {}
        _ => {
            let mut rest = &found[..];
            while let Some(first) = rest.first() {
                let kind = first.body.kind();
                let together = rest.iter().take_while(|object| object.body.kind() == kind);
                let (part, after) = rest.split_at(together.count());
                for line in table(part, call.world.now, columns, headers) {
                    reply.out(&line);
                }
                if !after.is_empty() && headers {
                    reply.out("");
                }
                rest = after;
            }
            if found.is_empty() && missing.is_empty() {
                reply.err(&match &namespace {
                    Some(namespace) => format!("No resources found in {namespace} namespace."),
                    None => "No resources found".to_owned(),
                });
            }
        }
    }
    for line in missing {
        reply.err(&line);
    }
    Ok(())
}

/// Objects of one kind as a table.
fn table(objects: &[Rc<Object>], now: SimTime, columns: Columns, headers: bool) -> Vec<String> {
    align(&cells(objects, now, columns, headers), TABLE)
}

/// The table's cells.
pub fn cells(
    objects: &[Rc<Object>],
    now: SimTime,
    columns: Columns,
    headers: bool,
) -> Vec<Vec<String>> {
    let Some(first) = objects.first() else {
        return Vec::new();
    };
    let mut head = match first.body.kind() {
        Kind::ConfigMap => vec!["NAME", "DATA", "AGE"],
        Kind::DatabaseCluster => vec!["NAME", "REPLICAS", "VERSION", "AGE"],
    };
    if columns.namespace {
        head.insert(0, "NAMESPACE");
    }
    if columns.labels {
        head.push("LABELS");
    }
    let head: Vec<String> = head.into_iter().map(str::to_owned).collect();
    let rows = objects.iter().map(|object| row(object, now, columns));
    headers.then_some(head).into_iter().chain(rows).collect()
}

fn row(object: &Object, now: SimTime, columns: Columns) -> Vec<String> {
    let name = match columns.kind {
        true => format!(
            "{}/{}",
            resource::qualified(object.body.kind()),
            object.meta.name
        ),
        false => object.meta.name.to_string(),
    };
    let namespace = columns.namespace.then(|| object.meta.namespace.to_string());
    let mut cells: Vec<String> = namespace.into_iter().chain([name]).collect();
    match &object.body {
        Body::ConfigMap(config) => cells.push(config.data.len().to_string()),
        Body::DatabaseCluster(spec) => {
            cells.push(spec.replicas.to_string());
            cells.push(spec.version.to_string());
        }
    }
    cells.push(age(now, object.meta.creation_timestamp));
    if columns.labels {
        cells.push(labels(&object.meta.labels, ","));
    }
    cells
}

/// `a=1,b=2`, or `<none>`.
pub fn labels(pairs: &Pairs, between: &str) -> String {
    if pairs.is_empty() {
        return "<none>".to_owned();
    }
    let each: Vec<String> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    each.join(between)
}
