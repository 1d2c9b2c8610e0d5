//! What a command asks of the API server, as plain data: absolute, parsed, no text left.

use crate::engine::apiserver::{Body, Kind, MergePatch, Object, Preconditions, WriteVerb};
use crate::engine::stimulus::{Name, Stimulus};
use std::rc::Rc;

/// One write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    Create(Rc<Object>),
    Patch {
        kind: Kind,
        namespace: Rc<str>,
        name: Rc<str>,
        patch: MergePatch,
    },
    Delete {
        kind: Kind,
        namespace: Rc<str>,
        name: Rc<str>,
    },
}

impl Request {
    /// `namespace/name` of the object.
    pub fn key(&self) -> Rc<str> {
        match self {
            Request::Create(object) => object.meta.key(),
            Request::Patch {
                namespace, name, ..
            }
            | Request::Delete {
                namespace, name, ..
            } => format!("{namespace}/{name}").into(),
        }
    }

    pub fn kind(&self) -> Kind {
        match self {
            Request::Create(object) => object.body.kind(),
            Request::Patch { kind, .. } | Request::Delete { kind, .. } => *kind,
        }
    }

    /// As the API server takes it.
    pub fn verb(&self) -> WriteVerb {
        match self {
            Request::Create(object) => WriteVerb::Create(object.clone()),
            Request::Patch { patch, .. } => WriteVerb::Patch(patch.clone()),
            Request::Delete { .. } => WriteVerb::Delete(Preconditions::default()),
        }
    }

    /// What a person does to the cluster when this is asked. The one place where requests become
    /// stimuli; empty where there is no stimulus for it.
    pub fn stimuli(&self) -> Vec<Stimulus> {
        let key = || Name::Owned(self.key().to_string());
        match self {
            Request::Create(object) => match &object.body {
                Body::DatabaseCluster(spec) => vec![Stimulus::Create {
                    key: key(),
                    replicas: spec.replicas,
                    version: spec.version,
                }],
                Body::ConfigMap(_) => Vec::new(),
            },
            Request::Patch {
                kind: Kind::DatabaseCluster,
                patch,
                ..
            } => {
                let version = patch.version.map(|version| Stimulus::Upgrade {
                    key: key(),
                    version,
                });
                let replicas = patch.replicas.map(|replicas| Stimulus::Scale {
                    key: key(),
                    replicas,
                });
                version.into_iter().chain(replicas).collect()
            }
            Request::Delete {
                kind: Kind::DatabaseCluster,
                ..
            } => vec![Stimulus::Delete { key: key() }],
            // Chapter two's stimuli take their requests here.
            Request::Patch { .. } | Request::Delete { .. } => Vec::new(),
        }
    }
}
