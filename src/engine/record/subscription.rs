//! The words of the facts between an informer and the API server.

use crate::engine::apiserver::{ApiError, Body, Object, RequestError};
use crate::engine::informer::Change;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt;
use std::rc::Rc;

/// What an informer asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Asked {
    /// All objects; `resource_version` as in the request.
    List { resource_version: Rc<str> },
    /// All that happens after this version.
    Watch { resource_version: Rc<str> },
}

/// What the API server answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// A list, or a page of it.
    Page { objects: u32, revision: u64 },
    /// The watch is open.
    Opened,
    /// The list or the watch is refused.
    Refused { error: RequestError },
    /// The stream ends: with an error, or cleanly.
    Closed { error: Option<RequestError> },
}

/// Which of an informer's event handlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Handler {
    Add,
    Update,
    Delete,
}

impl Handler {
    /// The handler that is told of `change`.
    pub fn of<O>(change: &Change<O>) -> Handler {
        match change {
            Change::Add { .. } => Handler::Add,
            Change::Update { .. } => Handler::Update,
            Change::Delete { .. } => Handler::Delete,
        }
    }

    /// Its name in client-go.
    pub fn name(self) -> &'static str {
        match self {
            Handler::Add => "AddFunc",
            Handler::Update => "UpdateFunc",
            Handler::Delete => "DeleteFunc",
        }
    }
}

/// What came of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum WriteAnswer {
    /// Taken, under this revision.
    Written { revision: u64 },
    /// Nothing was different.
    Unchanged,
    /// Not taken.
    Failed { error: ApiError },
}

impl WriteAnswer {
    /// As the caller sees it.
    ///
    /// # Errors
    /// Why the write was not taken.
    pub fn result(self) -> Result<(), ApiError> {
        match self {
            WriteAnswer::Written { .. } | WriteAnswer::Unchanged => Ok(()),
            WriteAnswer::Failed { error } => Err(error),
        }
    }
}

impl fmt::Display for WriteAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteAnswer::Written { revision } => write!(f, "200 OK, revision={revision}"),
            WriteAnswer::Unchanged => f.write_str("200 OK, nothing changed"),
            WriteAnswer::Failed { error } => {
                write!(f, "{} {}", error.status(), error.reason())
            }
        }
    }
}

/// An object in JSON: what makes it different from another.
pub(super) fn content<S: Serializer>(object: &Object, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    match &object.body {
        Body::DatabaseCluster(spec) => map.serialize_entry("spec", spec)?,
        Body::ConfigMap(config) => {
            map.serialize_entry("labels", &object.meta.labels)?;
            if !object.meta.annotations.is_empty() {
                map.serialize_entry("annotations", &object.meta.annotations)?;
            }
            map.serialize_entry("data", &config.data)?;
        }
    }
    map.end()
}
