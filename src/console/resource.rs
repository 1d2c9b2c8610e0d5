//! Types and names on a command line.
//!
//! Mirrors `k8s.io/cli-runtime/pkg/resource/builder.go` (`ResourceTypeOrNameArgs`).

use super::error::{NO_RESOURCE, error, no_type, quote};
use crate::engine::apiserver::Kind;

/// The API group of chapter one's custom resource.
pub const GROUP: &str = "example.com";

pub const API_VERSION: &str = "v1";

/// The group of a kind; the core group has no name.
pub fn group(kind: Kind) -> &'static str {
    match kind {
        Kind::ConfigMap => "",
        Kind::DatabaseCluster => GROUP,
    }
}

/// `apiVersion` in a manifest.
pub fn api_version(kind: Kind) -> String {
    match group(kind) {
        "" => API_VERSION.to_owned(),
        group => format!("{group}/{API_VERSION}"),
    }
}

/// The short name, as in `kubectl get cm`.
pub fn short(kind: Kind) -> &'static str {
    match kind {
        Kind::ConfigMap => "cm",
        Kind::DatabaseCluster => "dbc",
    }
}

pub fn singular(kind: Kind) -> &'static str {
    match kind {
        Kind::ConfigMap => "configmap",
        Kind::DatabaseCluster => "databasecluster",
    }
}

/// `databasecluster.example.com`: how a printed name begins.
pub fn qualified(kind: Kind) -> String {
    with_group(singular(kind), kind)
}

/// `databaseclusters.example.com`: how the server calls it.
pub fn qualified_plural(kind: Kind) -> String {
    with_group(kind.plural(), kind)
}

fn with_group(word: &str, kind: Kind) -> String {
    match group(kind) {
        "" => word.to_owned(),
        group => format!("{word}.{group}"),
    }
}

/// The kind that a word means, of those that are served: its name in any case, in singular or plural,
/// with or without version and group; or exactly its short name.
pub fn lookup(word: &str, served: &[Kind]) -> Result<Kind, String> {
    let (name, rest) = match word.split_once('.') {
        Some((name, rest)) => (name, Some(rest)),
        None => (word, None),
    };
    let means = |kind: &Kind| {
        let named = name.eq_ignore_ascii_case(kind.plural())
            || name.eq_ignore_ascii_case(singular(*kind))
            || name == short(*kind);
        let group = group(*kind);
        let versioned = || rest.and_then(|rest| rest.strip_prefix("v1."));
        named && rest.is_none_or(|rest| rest == group || versioned() == Some(group))
    };
    match served.iter().find(|kind| means(kind)) {
        Some(kind) => Ok(*kind),
        None => no_type(name),
    }
}

/// What the words name.
#[derive(Debug, PartialEq)]
pub enum Targets {
    /// These objects.
    Named(Vec<(Kind, String)>),
    /// All objects of these kinds.
    Kinds(Vec<Kind>),
    Nothing,
}

/// What no name may be, since it could not stand in an address
/// (`k8s.io/apimachinery/pkg/api/validation/path/name.go`).
fn check(name: &str) -> Result<(), String> {
    let why = match name {
        "" => return error("resource name may not be empty"),
        "." | ".." => format!("may not be '{name}'"),
        _ if name.contains('%') => "may not contain '%'".to_owned(),
        _ => return Ok(()),
    };
    error(format!("invalid resource name {}: [{why}]", quote(name)))
}

/// What `args` name: `TYPE[,TYPE] [NAME…]` or `TYPE/NAME …`.
pub fn targets(args: &[String], served: &[Kind]) -> Result<Targets, String> {
    let Some((types, names)) = args.split_first() else {
        return Ok(Targets::Nothing);
    };
    let several = types.contains(',') && !names.is_empty();
    let pairs: Vec<String> = if several {
        let pair = |kind| names.iter().map(move |name| format!("{kind}/{name}"));
        types.split(',').flat_map(pair).collect()
    } else {
        args.to_vec()
    };
    let slashes = pairs.iter().filter(|word| word.contains('/')).count();
    if slashes == pairs.len() {
        let split: Result<Vec<_>, _> = pairs.iter().map(|pair| split_pair(pair)).collect();
        let find = |(kind, name): (&str, &str)| {
            check(name)?;
            lookup(kind, served).map(|kind| (kind, name.to_owned()))
        };
        let named: Result<Vec<_>, _> = split?.into_iter().map(find).collect();
        return named.map(Targets::Named);
    }
    if slashes > 0 {
        return error(
            "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'",
        );
    }
    if names.is_empty() {
        let mut kinds = Vec::new();
        for word in types.split(',') {
            let kind = lookup(word, served)?;
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        return Ok(Targets::Kinds(kinds));
    }
    let kind = lookup(types, served)?;
    names.iter().try_for_each(|name| check(name))?;
    Ok(Targets::Named(
        names.iter().map(|name| (kind, name.clone())).collect(),
    ))
}

fn split_pair(pair: &str) -> Result<(&str, &str), String> {
    let (kind, name) = pair.split_once('/').unwrap_or((pair, ""));
    if name.contains('/') {
        return error("arguments in resource/name form may not have more than one slash");
    }
    if kind.is_empty() || name.is_empty() || kind.contains(',') {
        return error("arguments in resource/name form must have a single resource and name");
    }
    Ok((kind, name))
}

/// As [`targets`], for commands that want names.
pub fn named(args: &[String], served: &[Kind]) -> Result<Vec<(Kind, String)>, String> {
    match targets(args, served)? {
        Targets::Named(named) => Ok(named),
        Targets::Kinds(_) => error("resource(s) were provided, but no name was specified"),
        Targets::Nothing => error(NO_RESOURCE),
    }
}
