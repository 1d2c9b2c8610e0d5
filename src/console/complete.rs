//! What the word under the cursor may become.
//!
//! Mirrors `k8s.io/kubectl/pkg/util/completion`: commands, types, names, flags and their values; and
//! beyond it the labels that an object has.

use super::command::{self, Verb};
use super::flag::{Flag, GLOBAL, Takes};
use super::parse::scan;
use super::resource::{lookup, singular};
use super::world::WorldView;
use crate::engine::apiserver::Kind;
use crate::engine::sorted::Set;

/// So many are offered.
const OFFERED_MAX: usize = 100;

/// What the word under the cursor may become.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Where the word begins: what is between here and the cursor is replaced.
    pub start: usize,
    /// Sorted. Those that end with `=` or `/` want something after them, the others a blank.
    pub words: Vec<String>,
}

/// What the word that ends at the byte `cursor` may become.
pub fn complete(line: &str, cursor: usize, world: &WorldView) -> Completion {
    let mut cursor = cursor.min(line.len());
    while !line.is_char_boundary(cursor) {
        cursor -= 1;
    }
    let mut found = Completion {
        start: cursor,
        words: Vec::new(),
    };
    if line.len() > super::LINE_MAX {
        return found;
    }
    let Ok(scan) = scan(&line[..cursor]) else {
        return found;
    };
    let mut words: Vec<String> = scan.words.iter().map(|word| word.text.clone()).collect();
    let mut part = String::new();
    if scan.in_word
        && let Some(last) = scan.words.last()
    {
        found.start = last.start;
        part = words.pop().unwrap_or_default();
    }
    let mut offers = offers(super::without_prompt(&words), &part, world);
    offers.retain(|word| word.starts_with(&part) && *word != part);
    let mut offers = offers.into_iter().collect::<Set<String>>().into_vec();
    offers.truncate(OFFERED_MAX);
    found.words = offers;
    found
}

fn owned<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    words.into_iter().map(str::to_owned).collect()
}

fn offers(words: &[String], part: &str, world: &WorldView) -> Vec<String> {
    let Some(place) = command::place(words) else {
        let verbs = command::VERBS.iter().map(|verb| verb.name);
        return match part.starts_with('-') {
            true => flags(&[]),
            false => owned(verbs),
        };
    };
    let Some(verb) = command::find(&words[place]) else {
        return Vec::new();
    };
    let rest = [&words[..place], &words[place + 1..]].concat();
    let known = |name: &str| {
        let mut all = verb.flags.iter().chain(&GLOBAL);
        all.find(|flag| {
            name.strip_prefix("--") == Some(flag.name)
                || flag.short.is_some_and(|short| name == format!("-{short}"))
        })
    };
    if let Some((name, _)) = part
        .split_once('=')
        .filter(|(name, _)| name.starts_with("--"))
    {
        let values = known(name).map_or(Vec::new(), |flag| values(flag, verb, world));
        return values
            .iter()
            .map(|value| format!("{name}={value}"))
            .collect();
    }
    if part.starts_with('-') {
        return flags(verb.flags);
    }
    // Words that are neither flags nor their values.
    let mut args: Vec<&str> = Vec::new();
    let mut wants: Option<&Flag> = None;
    let mut namespace = "default";
    for word in &rest {
        if let Some(flag) = wants.take() {
            if flag.name == "namespace" {
                namespace = word;
            }
        } else if word.starts_with('-') && word.len() > 1 {
            wants = known(word).filter(|flag| flag.takes != Takes::Bool);
            if let Some(("--namespace" | "-n", name)) = word.split_once('=') {
                namespace = name;
            }
        } else {
            args.push(word);
        }
    }
    if let Some(flag) = wants {
        return values(flag, verb, world);
    }
    arguments(verb, &args, part, namespace, world)
}

fn flags(own: &[Flag]) -> Vec<String> {
    let all = own.iter().chain(&GLOBAL);
    all.map(|flag| match flag.takes {
        Takes::Bool => format!("--{}", flag.name),
        Takes::Text | Takes::Number => format!("--{}=", flag.name),
    })
    .collect()
}

fn values(flag: &Flag, verb: &Verb, world: &WorldView) -> Vec<String> {
    match flag.name {
        "output" if verb.name == "delete" => owned(["name"]),
        "output" => owned(["json", "name", "wide", "yaml"]),
        "namespace" => owned(world.all_namespaces()),
        "type" => owned(["merge", "strategic"]),
        "filename" => owned(
            ["-"]
                .into_iter()
                .chain(world.files.keys().map(String::as_str)),
        ),
        _ if flag.takes == Takes::Bool => owned(["true", "false"]),
        _ => Vec::new(),
    }
}

fn arguments(
    verb: &Verb,
    args: &[&str],
    part: &str,
    namespace: &str,
    world: &WorldView,
) -> Vec<String> {
    let names = |kind: Kind| {
        world
            .list(kind, Some(namespace))
            .map(|object| object.meta.name.to_string())
    };
    match (verb.name, args) {
        ("help", []) => owned(command::VERBS.iter().map(|verb| verb.name)),
        ("create", []) => owned([singular(Kind::ConfigMap)]),
        ("help" | "create" | "apply", _) => Vec::new(),
        (_, []) => match part.split_once('/') {
            Some((word, _)) => match lookup(word, &world.served) {
                Ok(kind) => names(kind).map(|name| format!("{word}/{name}")).collect(),
                Err(_) => Vec::new(),
            },
            None => {
                let fits = |kind: &&Kind| verb.name != "scale" || **kind == Kind::DatabaseCluster;
                let fitting = world.served.iter().filter(fits);
                owned(fitting.map(|kind| kind.plural()))
            }
        },
        (what, [first, rest @ ..]) => {
            let (word, named) = match first.split_once('/') {
                Some((word, name)) => (word, Some(name)),
                None => (*first, rest.first().copied()),
            };
            let Ok(kind) = lookup(word, &world.served) else {
                return Vec::new();
            };
            let pairs = matches!(what, "label" | "annotate");
            match named {
                Some(name) if pairs => {
                    let Some(object) = world.get(kind, namespace, name) else {
                        return Vec::new();
                    };
                    let meta = &object.meta;
                    let pairs = if what == "label" {
                        &meta.labels
                    } else {
                        &meta.annotations
                    };
                    let both = |name: &_| [format!("{name}="), format!("{name}-")];
                    pairs.keys().flat_map(both).collect()
                }
                // Each name once.
                _ if first.contains('/') => Vec::new(),
                _ => names(kind)
                    .filter(|name| !rest.contains(&&**name))
                    .collect(),
            }
        }
    }
}
