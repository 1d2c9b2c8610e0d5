//! `kubectl label`, and what `annotate` shares with it.
//!
//! Mirrors `k8s.io/kubectl/pkg/cmd/label/label.go`, with its way to tell *labeled* from *unlabeled*
//! by the length of the object's JSON; and `GetResourcesAndPairs` of
//! `k8s.io/kubectl/pkg/cmd/util/helpers.go`.

use super::check::{label_value, qualified_name};
use super::error::{error, invalid, not_found, quote};
use super::request::Request;
use super::resource::{self, Targets};
use super::{Call, Outcome, tree};
use crate::engine::apiserver::{Kind, MergePatch, Object, Pairs, PairsPatch};
use std::rc::Rc;

/// What to set and what to remove.
#[derive(Debug, Default)]
pub struct Changes {
    pub set: Pairs,
    pub remove: Vec<Rc<str>>,
}

impl Changes {
    /// What `pairs` become.
    pub fn apply(&self, pairs: &Pairs) -> Pairs {
        let mut new = pairs.clone();
        for (name, value) in &self.set {
            new.insert(name.clone(), value.clone());
        }
        for name in &self.remove {
            new.remove(name);
        }
        new
    }

    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.remove.is_empty()
    }
}

/// What makes `new` of `old`.
pub fn difference(old: &Pairs, new: &Pairs) -> PairsPatch {
    let gone = old.keys().filter(|name| !new.contains_key(*name));
    let set = new
        .iter()
        .filter(|(name, value)| old.get(*name) != Some(value));
    gone.map(|name| (name.clone(), None))
        .chain(set.map(|(name, value)| (name.clone(), Some(value.clone()))))
        .collect()
}

/// The words that name objects, and those that change something.
pub fn resources_and_pairs(
    args: &[String],
    what: &str,
) -> Result<(Vec<String>, Vec<String>), String> {
    let is_pair = |word: &String| {
        word.contains('=') && !word.starts_with('=') || word.len() > 1 && word.ends_with('-')
    };
    let first = args.iter().position(is_pair).unwrap_or(args.len());
    let (resources, pairs) = args.split_at(first);
    if let Some(late) = pairs.iter().find(|word| !is_pair(word)) {
        return error(format!(
            "all resources must be specified before {what} changes: {late}"
        ));
    }
    if resources.is_empty() {
        return error(
            "one or more resources must be specified as <resource> <name> or <resource>/<name>",
        );
    }
    Ok((resources.to_vec(), pairs.to_vec()))
}

/// The objects that the words name, or all of a kind; and errors for those that are not there.
pub fn objects(
    call: &Call<'_>,
    resources: &[String],
) -> Result<(Vec<Rc<Object>>, Vec<String>), String> {
    let all = call.flags.is_set("all");
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    match resource::targets(resources, &call.world.served)? {
        Targets::Kinds(kinds) if all => {
            let list = |kind: &Kind| call.world.list(*kind, Some(call.namespace())).cloned();
            found.extend(kinds.iter().flat_map(list));
        }
        Targets::Named(_) if all => {
            return error("name cannot be provided when a selector is specified");
        }
        _ => {
            for (kind, name) in resource::named(resources, &call.world.served)? {
                match call.world.get(kind, call.namespace(), &name) {
                    Some(object) => found.push(object.clone()),
                    None => missing.push(not_found(kind, &name)),
                }
            }
        }
    }
    Ok((found, missing))
}

pub fn run(call: Call<'_>) -> Outcome {
    let overwrite = call.flags.is_set("overwrite");
    let (resources, pairs) = resources_and_pairs(call.args(), "label")?;
    let changes = changes(&pairs)?;
    if changes.is_empty() {
        return error("at least one label update is required");
    }
    let (found, missing) = objects(&call, &resources)?;
    let mut errors = missing;
    for object in found {
        let kind = object.body.kind();
        let (meta, name) = (&object.meta, &object.meta.name);
        for label in &changes.remove {
            if !meta.labels.contains_key(label) {
                call.reply
                    .out(&format!("label {} not found.", quote(label)));
            }
        }
        let taken = changes
            .set
            .keys()
            .filter(|name| !overwrite && meta.labels.contains_key(*name));
        let taken: Vec<String> = taken
            .map(|name| {
                let value = &meta.labels[name];
                format!("'{name}' already has a value ({value}), and --overwrite is false")
            })
            .collect();
        if !taken.is_empty() {
            errors.extend(taken);
            continue;
        }
        let new = changes.apply(&meta.labels);
        let causes: Vec<String> = changes
            .set
            .keys()
            .flat_map(|name| wrong_name("labels", name))
            .collect();
        if !causes.is_empty() {
            errors.push(invalid(kind, name, &causes));
            continue;
        }
        let operation = operation(&meta.labels, &new, overwrite);
        let qualified = resource::qualified(kind);
        let request = Request::Patch {
            kind,
            namespace: meta.namespace.clone(),
            name: name.clone(),
            patch: MergePatch {
                labels: difference(&meta.labels, &new),
                ..MergePatch::default()
            },
        };
        let done = format!("{qualified}/{name} {operation}");
        call.reply.ask(request, &done);
    }
    finish(call, &errors)
}

/// One error is told as such; several are told line by line.
pub fn finish(call: Call<'_>, errors: &[String]) -> Outcome {
    match errors {
        [one] if !one.starts_with("Error from") && !one.starts_with("The ") => {
            return error(one);
        }
        _ => errors.iter().for_each(|text| call.reply.err(text)),
    }
    Ok(())
}

/// What the server says of a label or an annotation with a name that cannot be.
pub fn wrong_name(field: &str, name: &str) -> Vec<String> {
    let wrong = qualified_name(name).into_iter();
    wrong
        .map(|why| format!("metadata.{field}: Invalid value: {}: {why}", quote(name)))
        .collect()
}

fn operation(old: &Pairs, new: &Pairs, overwrite: bool) -> &'static str {
    // The field is there afterwards, even if there is nothing in it.
    let before = match old.is_empty() {
        true => 0,
        false => ",\"labels\":".len() + tree::pairs(old).compact().len(),
    };
    let after = ",\"labels\":".len() + tree::pairs(new).compact().len();
    if old == new && before == after {
        "not labeled"
    } else if !overwrite && after < before {
        "unlabeled"
    } else {
        "labeled"
    }
}

fn changes(pairs: &[String]) -> Result<Changes, String> {
    let mut changes = Changes::default();
    for pair in pairs {
        match pair.split_once('=') {
            Some((_, value)) if value.contains('=') => {
                return error(format!("invalid label spec: {pair}"));
            }
            Some((name, value)) => {
                let wrong = label_value(value);
                if !wrong.is_empty() {
                    let why = wrong.join(";");
                    return error(format!("invalid label value: {}: {why}", quote(pair)));
                }
                changes.set.insert(name.into(), value.into());
            }
            None => changes.remove.extend(pair.strip_suffix('-').map(Rc::from)),
        }
    }
    if changes
        .remove
        .iter()
        .any(|name| changes.set.contains_key(name))
    {
        return error("can not both modify and remove a label in the same command");
    }
    Ok(changes)
}
