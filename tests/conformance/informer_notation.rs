//! The recordings' notation of objects, events, errors, requests and calls.

use crate::recording::{Fields, Verdict};
use loopscope::engine::apiserver::{Request, RequestError, ResourceVersion, Verb, WatchEvent};
use loopscope::engine::informer::{Cause, Change, Notification, Object, Waiting};
use loopscope::engine::time::SimTime;
use serde_json::{Value, json};
use std::rc::Rc;

/// The recordings' objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    pub namespace: String,
    pub name: String,
    pub uid: String,
    pub version: String,
    pub value: String,
}

impl Thing {
    pub fn read(value: &Value) -> Verdict<Rc<Thing>> {
        let fields = Fields::of(value)?;
        let text = |name| fields.text(name).map(str::to_owned);
        Ok(Rc::new(Thing {
            namespace: text("ns")?,
            name: text("name")?,
            uid: text("uid")?,
            version: text("rv")?,
            value: text("v")?,
        }))
    }

    fn shown(&self) -> Value {
        json!({"rv": self.version, "uid": self.uid, "v": self.value})
    }
}

impl Object for Thing {
    fn key(&self) -> Rc<str> {
        if self.namespace.is_empty() {
            return self.name.as_str().into();
        }
        format!("{}/{}", self.namespace, self.name).into()
    }

    fn resource_version(&self) -> ResourceVersion {
        ResourceVersion::new(&self.version)
    }

    fn index_values(&self, index: &str) -> Vec<Rc<str>> {
        match index {
            "namespace" => vec![self.namespace.as_str().into()],
            _ if self.value.is_empty() => Vec::new(),
            _ => self.value.split(',').map(Rc::from).collect(),
        }
    }
}

/// A request as it is recorded: what is 0, empty or false is left out, but for the version.
pub fn request(at: SimTime, request: &Request) -> Value {
    let mut shown = json!({"t_ns": at});
    match &request.verb {
        Verb::List(options) => {
            shown["verb"] = json!("list");
            shown["rv"] = json!(options.resource_version.as_str());
            if options.limit != 0 {
                shown["limit"] = json!(options.limit);
            }
            if let Some(token) = &options.continue_token {
                shown["continue"] = json!(token);
            }
        }
        Verb::Watch(options) => {
            let seconds = options.timeout.as_secs_f64();
            shown["verb"] = json!("watch");
            shown["rv"] = json!(options.resource_version.as_str());
            shown["bookmarks"] = json!(true);
            shown["timeout"] = json!((300.0..600.0).contains(&seconds) && seconds % 1.0 == 0.0);
            if options.send_initial_events {
                shown["send_initial"] = json!(true);
                shown["rv_match"] = json!("NotOlderThan");
            }
        }
    }
    shown
}

pub fn call(at: SimTime, notification: &Notification<Thing>) -> Value {
    let mut shown = json!({
        "t_ns": at,
        "key": notification.change.object().key(),
        "cause": match notification.cause {
            Cause::List => "list",
            Cause::Snapshot => "snapshot",
            Cause::Watch => "watch",
            Cause::Relist => "relist",
            Cause::Resync => "resync",
            Cause::Late => "late",
        },
    });
    match &notification.change {
        Change::Add { new, initial } => {
            shown["type"] = json!("add");
            shown["new"] = new.shown();
            shown["initial"] = json!(initial);
        }
        Change::Update { old, new } => {
            shown["type"] = json!("update");
            shown["old"] = old.shown();
            shown["new"] = new.shown();
        }
        Change::Delete { old, tombstone } => {
            shown["type"] = json!("delete");
            shown["old"] = old.shown();
            shown["tombstone"] = json!(tombstone);
        }
    }
    shown
}

/// Upstream walks a map for some causes: neighbouring calls of one such cause at one instant have
/// no order of their own, and are recorded sorted by key.
pub fn sorted(mut calls: Vec<Value>) -> Vec<Value> {
    let group = |call: &Value| {
        let cause = call["cause"].as_str().unwrap_or_default();
        let free = ["resync", "late", "relist", "snapshot"].contains(&cause);
        free.then(|| (call["t_ns"].clone(), cause.to_owned()))
    };
    let same = |a: &Value, b: &Value| group(a).is_some() && group(a) == group(b);
    for run in calls.chunk_by_mut(same) {
        run.sort_by(|a, b| a["key"].as_str().cmp(&b["key"].as_str()));
    }
    calls
}

pub fn waiting(waiting: Waiting) -> &'static str {
    match waiting {
        Waiting::NotStarted => "none",
        Waiting::List => "list",
        Waiting::Watch => "watch",
        Waiting::Stream => "stream",
        Waiting::BackOff { .. } => "backoff",
        Waiting::Stopped => "stopped",
    }
}

pub fn event(fields: &Fields) -> Verdict<WatchEvent<Thing>> {
    let object = || Thing::read(fields.get("object")?);
    Ok(match fields.text("type")? {
        "ADDED" => WatchEvent::Added(object()?),
        "MODIFIED" => WatchEvent::Modified(object()?),
        "DELETED" => WatchEvent::Deleted(object()?),
        "BOOKMARK" => WatchEvent::Bookmark {
            resource_version: ResourceVersion::new(fields.text("rv")?),
            initial_events_end: fields.0.get("initial_end") == Some(&Value::Bool(true)),
        },
        "ERROR" => WatchEvent::Error(error(fields.text("error")?)?),
        other => return Err(format!("unknown type of event: {other}")),
    })
}

const ERRORS: [(&str, RequestError); 9] = [
    ("expired", RequestError::Expired),
    ("gone", RequestError::Gone),
    ("too_large_rv", RequestError::TooLargeResourceVersion),
    ("too_many", RequestError::TooManyRequests),
    ("internal", RequestError::Internal),
    ("forbidden", RequestError::Forbidden),
    ("bad_request", RequestError::BadRequest),
    ("refused", RequestError::ConnectionRefused),
    ("eof", RequestError::UnexpectedEof),
];

pub fn error(word: &str) -> Verdict<RequestError> {
    let found = ERRORS.iter().find(|(known, _)| *known == word);
    found
        .map(|&(_, error)| error)
        .ok_or_else(|| format!("unknown error: {word}"))
}

pub fn word(error: RequestError) -> &'static str {
    let found = ERRORS.iter().find(|(_, known)| *known == error);
    found.map_or("?", |&(word, _)| word)
}
