//! `kubectl apply`, on the client's side.
//!
//! Mirrors `k8s.io/kubectl/pkg/cmd/apply/apply.go` and `patcher.go`: what was applied last is kept in
//! an annotation, so that a field which is no longer in the manifest is taken away, and one that
//! somebody else has set stays.

use super::check::object_name;
use super::error::{error, from_server, invalid, quote, usage};
use super::json::{self, Members, Value};
use super::merge::{Wrong, decode, merge};
use super::request::Request;
use super::{Call, Outcome, patch, resource, tree};
use crate::engine::apiserver::{Kind, MergePatch, Object};
use std::rc::Rc;

/// Where what was applied last is kept.
pub const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

pub fn run(call: Call<'_>) -> Outcome {
    if !call.args().is_empty() {
        let message = format!("Unexpected args: [{}]", call.args().join(" "));
        return usage(&message, call.verb.name);
    }
    let Some(file) = call.flags.text("filename") else {
        return error("must specify one of -f and -k");
    };
    let documents = call.world.files.get(file);
    if file != "-" && documents.is_none() {
        return error(format!("the path {} does not exist", quote(file)));
    }
    let documents = documents.cloned().unwrap_or_default();
    if documents.is_empty() {
        call.reply.wants_editor = true;
        return error("no objects passed to apply");
    }
    let source = if file == "-" { "STDIN" } else { file };
    let namespace = call.flags.text("namespace").map(str::to_owned);
    // One that cannot be understood stops them all; one that is refused does not.
    let mut wanted = Vec::new();
    for document in &documents {
        wanted.push(Wanted::read(
            document,
            source,
            namespace.as_deref(),
            &call.world.served,
        )?);
    }
    for wanted in wanted {
        match wanted.apply(&call, source) {
            Ok(Applied {
                word,
                warning,
                request,
            }) => {
                warning.iter().for_each(|text| call.reply.err(text));
                let qualified = resource::qualified(wanted.kind);
                let done = format!("{qualified}/{} {word}", wanted.name);
                match request {
                    Some(request) => call.reply.ask(request, &done),
                    None => call.reply.out(&done),
                }
            }
            Err(why) => call.reply.err(&why),
        }
    }
    Ok(())
}

/// What a document wants to be.
struct Wanted {
    kind: Kind,
    namespace: Rc<str>,
    name: Rc<str>,
    /// The document, with its namespace and what was applied last.
    tree: Value,
}

struct Applied {
    word: &'static str,
    warning: Option<String>,
    request: Option<Request>,
}

impl Wanted {
    fn read(
        document: &Value,
        source: &str,
        asked: Option<&str>,
        served: &[Kind],
    ) -> Result<Wanted, String> {
        let source = quote(source);
        let Some(members) = document.as_object() else {
            let word = document.word();
            return error(format!(
                "unable to decode {source}: json: cannot unmarshal {word} into Go value of type unstructured.detector"
            ));
        };
        let text = |name: &str| {
            members
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let (version, word) = (text("apiVersion"), text("kind"));
        if word.is_empty() {
            let whole = document.compact();
            return error(format!(
                "unable to decode {source}: Object 'Kind' is missing in '{whole}'"
            ));
        }
        let mut metadata = match members.get("metadata") {
            Some(Value::Object(metadata)) => metadata.clone(),
            _ => Members::new(),
        };
        let text = |name: &str| {
            metadata
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let (name, namespace): (Rc<str>, &str) = (text("name").into(), text("namespace"));
        let is_kind =
            |kind: &&Kind| kind.word() == word && resource::api_version(**kind) == version;
        let Some(&kind) = served.iter().find(is_kind) else {
            return error(format!(
                "resource mapping not found for name: {} namespace: {} from {source}: no matches for kind {} in version {}\nensure CRDs are installed first",
                quote(&name),
                quote(namespace),
                quote(word),
                quote(version)
            ));
        };
        if let (Some(asked), false) = (asked, namespace.is_empty())
            && asked != namespace
        {
            return error(format!(
                "the namespace from the provided object {} does not match the namespace {}. You must pass '--namespace={namespace}' to perform this operation.",
                quote(namespace),
                quote(asked)
            ));
        }
        let namespace: Rc<str> = match namespace {
            "" => asked.unwrap_or("default").into(),
            namespace => namespace.into(),
        };
        if name.is_empty() {
            let about = about(kind, &namespace, &name);
            return error(format!(
                "error when retrieving current configuration of:\n{about}\nfrom server for: {source}: resource name may not be empty"
            ));
        }
        metadata.insert("namespace".into(), Value::String(namespace.clone()));
        let annotations = metadata.get_or_insert_with("annotations".into(), || Value::Null);
        if *annotations == Value::Null {
            *annotations = Value::Object(Members::new());
        }
        if let Value::Object(annotations) = annotations {
            annotations.remove(LAST_APPLIED);
        }
        let mut members = members.clone();
        members.insert("metadata".into(), Value::Object(metadata));
        let mut tree = Value::Object(members);
        let applied = format!("{}\n", tree.compact());
        let note = tree::object_of([(LAST_APPLIED, Value::string(&applied))]);
        let note = tree::object_of([("metadata", tree::object_of([("annotations", note)]))]);
        tree = merge(Some(&tree), &note);
        Ok(Wanted {
            kind,
            namespace,
            name,
            tree,
        })
    }

    fn apply(&self, call: &Call<'_>, source: &str) -> Result<Applied, String> {
        let key = format!("{}/{}", self.namespace, self.name);
        let is_same = |request: &Request| request.kind() == self.kind && *request.key() == *key;
        if call.reply.requests.iter().any(is_same) {
            return error(format!("{key} stands twice in the manifest"));
        }
        match call.world.get(self.kind, &self.namespace, &self.name) {
            None => {
                if let Err(why) = call.world.check_namespace(&self.namespace) {
                    let message = format!("error when creating {}: {why}", quote(source));
                    return Err(from_server("NotFound", &message));
                }
                self.create(source)
            }
            Some(object) => self.update(object, source),
        }
    }

    fn create(&self, source: &str) -> Result<Applied, String> {
        let (kind, name) = (self.kind, &self.name);
        let when = format!("error when creating {}", quote(source));
        let unreadable = |why: &str| {
            let (version, word) = (quote(&resource::api_version(kind)), kind.word());
            let message =
                format!("{when}: {word} in version {version} cannot be handled as a {word}: {why}");
            from_server("BadRequest", &message)
        };
        if let Some(why) = object_name(name) {
            let cause = format!("metadata.name: Invalid value: {}: {why}", quote(name));
            return Err(invalid(kind, name, &[cause]));
        }
        let decoded = decode(&self.tree, kind, None).map_err(|wrong| match wrong {
            Wrong::Type(why) => unreadable(&why),
            Wrong::Invalid(causes) => invalid(kind, name, &causes),
        })?;
        if let Some(why) = strict(&decoded.unknown) {
            return Err(unreadable(&why));
        }
        let mut object = decoded.object;
        if object.meta.resource_version > 0 {
            let why = "resourceVersion should not be set on objects to be created";
            return Err(format!("Error from server: {when}: {why}"));
        }
        object.meta.resource_version = 0;
        Ok(Applied {
            word: "created",
            warning: None,
            request: Some(Request::Create(Rc::new(object))),
        })
    }

    fn update(&self, object: &Object, source: &str) -> Result<Applied, String> {
        let last = object.meta.annotations.get(LAST_APPLIED);
        let warning = last.is_none().then(|| format!(
            "Warning: resource {}/{} is missing the {LAST_APPLIED} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.",
            self.kind.plural(),
            self.name
        ));
        let last = last.and_then(|text| json::parse(text).ok());
        let change_to = three_way(last.as_ref(), &self.tree);
        let new = merge(Some(&tree::tree(object)), &change_to);
        let (request, unknown) = patch::write(object, &new)?;
        if let Some(why) = strict(&unknown) {
            let about = about(self.kind, &self.namespace, &self.name);
            let message = format!(
                "error when applying patch:\n{}\nto:\n{about}\nfor: {}: {why}",
                change_to.compact(),
                quote(source)
            );
            return Err(from_server("BadRequest", &message));
        }
        let unchanged =
            matches!(&request, Request::Patch { patch, .. } if *patch == MergePatch::default());
        Ok(Applied {
            word: if unchanged { "unchanged" } else { "configured" },
            warning,
            request: (!unchanged).then_some(request),
        })
    }
}

/// What a server that is strict says of fields it does not know.
fn strict(unknown: &[String]) -> Option<String> {
    let fields: Vec<String> = unknown
        .iter()
        .map(|field| format!("unknown field {}", quote(field)))
        .collect();
    (!fields.is_empty()).then(|| format!("strict decoding error: {}", fields.join(", ")))
}

/// How an object is told from others in long messages.
fn about(kind: Kind, namespace: &str, name: &str) -> String {
    let (group, version) = (resource::group(kind), resource::API_VERSION);
    format!(
        "Resource: \"{group}/{version}, Resource={}\", GroupVersionKind: \"{group}/{version}, Kind={}\"\nName: {}, Namespace: {}",
        kind.plural(),
        kind.word(),
        quote(name),
        quote(namespace)
    )
}

/// The merge patch that sets what is wanted and takes away what was applied last and is wanted no
/// longer.
fn three_way(last: Option<&Value>, wanted: &Value) -> Value {
    let Value::Object(members) = wanted else {
        return wanted.clone();
    };
    let before = last.and_then(Value::as_object);
    let gone = before
        .into_iter()
        .flatten()
        .filter(|(name, _)| !members.contains_key(*name));
    let mut patch: Members = gone.map(|(name, _)| (name.clone(), Value::Null)).collect();
    for (name, value) in members {
        let last = before.and_then(|before| before.get(name));
        patch.insert(name.clone(), three_way(last, value));
    }
    Value::Object(patch)
}
