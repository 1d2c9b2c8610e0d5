//! `kubectl describe`.
//!
//! Mirrors `k8s.io/kubectl/pkg/cmd/describe/describe.go` and `k8s.io/kubectl/pkg/describe/describe.go`
//! (`ConfigMapDescriber`, `GenericDescriber`). The data of a config map is shown by name; upstream
//! shows it in no order.

use super::align::{DESCRIPTION, align};
use super::error::{error, not_found};
use super::json::Value;
use super::resource::{self, Targets, targets};
use super::{Call, Outcome, tree};
use crate::engine::apiserver::{Body, ConfigMap, Object, Pairs};
use std::rc::Rc;

/// Longer annotations are cut.
const ANNOTATION_MAX: usize = 140;

const LAST_APPLIED: &str = super::apply::LAST_APPLIED;

pub fn run(call: Call<'_>) -> Outcome {
    let everywhere = call.flags.is_set("all-namespaces");
    let namespace = (!everywhere).then(|| call.namespace());
    let mut missing = Vec::new();
    let mut found: Vec<&Rc<Object>> = Vec::new();
    match targets(call.args(), &call.world.served)? {
        Targets::Nothing => {
            return error(
                "You must specify the type of resource to describe. Use \"kubectl api-resources\" for a complete list of supported resources.",
            );
        }
        Targets::Kinds(kinds) => {
            found.extend(
                kinds
                    .iter()
                    .flat_map(|kind| call.world.list(*kind, namespace)),
            );
        }
        Targets::Named(_) if everywhere => {
            return error("a resource cannot be retrieved by name across all namespaces");
        }
        Targets::Named(named) => {
            let by_prefix = call.args().len() == 2 && named.len() == 1;
            for (kind, name) in named {
                let exact = call.world.get(kind, call.namespace(), &name);
                let mut near: Vec<_> = exact.into_iter().collect();
                if near.is_empty() && by_prefix {
                    let all = call.world.list(kind, namespace);
                    near.extend(all.filter(|object| object.meta.name.starts_with(&name)));
                }
                if near.is_empty() {
                    missing.push(not_found(kind, &name));
                }
                found.extend(near);
            }
        }
    }
    if found.is_empty() && missing.is_empty() {
        call.reply.err(&match namespace {
            Some(namespace) => format!("No resources found in {namespace} namespace."),
            None => "No resources found".to_owned(),
        });
    }
    let texts: Vec<String> = found.iter().map(|object| describe(object)).collect();
    if !texts.is_empty() {
        call.reply.out(&texts.join("\n\n\n"));
    }
    for line in missing {
        call.reply.err(&line);
    }
    Ok(())
}

/// The text, without the last line's end.
fn describe(object: &Object) -> String {
    let meta = &object.meta;
    let mut rows = vec![row("Name:", &meta.name), row("Namespace:", &meta.namespace)];
    let labels: Vec<String> = meta
        .labels
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    push_list(&mut rows, "Labels:", &labels);
    push_list(&mut rows, "Annotations:", &annotations(&meta.annotations));
    match &object.body {
        Body::ConfigMap(config) => data(&mut rows, config),
        Body::DatabaseCluster(_) => fields(&mut rows, object),
    }
    rows.push(row("Events:", "<none>"));
    align(&rows, DESCRIPTION).join("\n")
}

type Row = Vec<String>;

fn row(name: &str, value: &str) -> Row {
    vec![name.to_owned(), value.to_owned()]
}

fn push_list(rows: &mut Vec<Row>, name: &str, lines: &[String]) {
    if lines.is_empty() {
        rows.push(row(name, "<none>"));
    }
    for (n, line) in lines.iter().enumerate() {
        rows.push(row(if n == 0 { name } else { "" }, line));
    }
}

fn annotations(pairs: &Pairs) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, value) in pairs.iter().filter(|(name, _)| &***name != LAST_APPLIED) {
        let value = value.strip_suffix('\n').unwrap_or(value);
        if name.len() + value.len() + 2 <= ANNOTATION_MAX && !value.contains('\n') {
            lines.push(format!("{name}: {value}"));
            continue;
        }
        lines.push(format!("{name}:"));
        lines.extend(value.split('\n').map(|line| {
            let most = ANNOTATION_MAX - 2;
            match line.char_indices().nth(most) {
                Some((cut, _)) => format!("  {}...", &line[..cut]),
                None => format!("  {line}"),
            }
        }));
    }
    lines
}

fn data(rows: &mut Vec<Row>, config: &ConfigMap) {
    // A tab ends a cell, as upstream.
    let mut line = |text: &str| rows.push(text.split('\t').map(str::to_owned).collect());
    line("");
    line("Data");
    line("====");
    for (name, value) in &config.data {
        line(&format!("{name}:"));
        line("----");
        value.split('\n').for_each(&mut line);
        line("");
    }
    for text in ["", "BinaryData", "====", ""] {
        line(text);
    }
}

/// What the generic describer shows: every field, with blanks between the words of its name.
fn fields(rows: &mut Vec<Row>, object: &Object) {
    let kind = object.body.kind();
    rows.push(row("API Version:", &resource::api_version(kind)));
    rows.push(row("Kind:", kind.word()));
    let shown = ["name", "namespace", "labels", "annotations"];
    let tree = tree(object);
    for section in ["metadata", "spec"] {
        let skip: &[&str] = if section == "metadata" { &shown } else { &[] };
        if let Some(value) = tree.get(section) {
            field(rows, section, value, 0, skip);
        }
    }
}

fn field(rows: &mut Vec<Row>, name: &str, value: &Value, level: usize, skip: &[&str]) {
    let name = format!("{}{}:", "  ".repeat(level), title(name));
    match value {
        Value::Object(members) => {
            rows.push(vec![name]);
            for (name, value) in members.iter().filter(|(name, _)| !skip.contains(&&***name)) {
                field(rows, name, value, level + 1, &[]);
            }
        }
        Value::Array(values) => {
            rows.push(vec![name]);
            for value in values {
                match value {
                    Value::Object(members) => {
                        for (name, value) in members {
                            field(rows, name, value, level + 1, &[]);
                        }
                    }
                    Value::String(text) => {
                        rows.push(vec![format!("{}{text}", "  ".repeat(level + 1))])
                    }
                    _ => rows.push(vec![value.compact()]),
                }
            }
        }
        Value::String(text) => rows.push(row(&name, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => rows.push(row(&name, &value.compact())),
    }
}

/// `creationTimestamp` → `Creation Timestamp`.
fn title(name: &str) -> String {
    match name {
        "apiVersion" => return "API Version".into(),
        "uid" => return "UID".into(),
        _ => {}
    }
    let mut title = String::new();
    for (n, letter) in name.chars().enumerate() {
        if n == 0 {
            title.push(letter.to_ascii_uppercase());
            continue;
        }
        if letter.is_ascii_uppercase() {
            title.push(' ');
        }
        title.push(letter);
    }
    title
}
