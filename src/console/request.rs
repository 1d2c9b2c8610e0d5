//! What a command asks of the API server, as plain data: absolute, parsed, no text left.

use super::apply::LAST_APPLIED;
use super::error::error;
use crate::engine::apiserver::{
    Body, Kind, MergePatch, Object, Pairs, PairsPatch, Preconditions, WriteVerb,
};
use crate::engine::stimulus::{Changes, Entries, Manifest, Name, Patch, Stimulus};
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

    /// What a person does to the cluster when this is asked: the one place where requests become
    /// stimuli. Nothing, where nothing would change.
    ///
    /// # Errors
    /// What there is no stimulus for, as an error is printed.
    pub fn stimuli(&self) -> Result<Vec<Stimulus>, String> {
        let key = Name::Owned(self.key().to_string());
        Ok(match self {
            Request::Create(object) => create(key, object)?,
            Request::Patch { patch, .. } => changes(key, patch)?,
            Request::Delete { .. } => vec![Stimulus::Delete { key }],
        })
    }
}

fn create(key: Name, object: &Object) -> Result<Vec<Stimulus>, String> {
    let meta = &object.meta;
    if !meta.finalizers.is_empty() {
        return no_finalizers();
    }
    Ok(match &object.body {
        Body::ConfigMap(config) => {
            let manifest = Manifest {
                data: entries(&config.data),
                labels: entries(&meta.labels),
                annotations: entries(&meta.annotations),
            };
            vec![Stimulus::CreateConfigMap { key, manifest }]
        }
        Body::DatabaseCluster(spec) => {
            let create = Stimulus::Create {
                key: key.clone(),
                replicas: spec.replicas,
                version: spec.version,
            };
            // The buttons apply as well, and what was applied last is not written down for them.
            let mut annotations = meta.annotations.clone();
            annotations.remove(LAST_APPLIED);
            let manifest = Manifest {
                labels: entries(&meta.labels),
                annotations: entries(&annotations),
                ..Manifest::default()
            };
            let patch = manifest.patch();
            let more = (patch != Patch::NONE).then_some(Stimulus::Patch { key, patch });
            [create].into_iter().chain(more).collect()
        }
    })
}

fn changes(key: Name, patch: &MergePatch) -> Result<Vec<Stimulus>, String> {
    if patch.finalizers.is_some() {
        return no_finalizers();
    }
    let version = patch.version.map(|version| Stimulus::Upgrade {
        key: key.clone(),
        version,
    });
    let replicas = patch.replicas.map(|replicas| Stimulus::Scale {
        key: key.clone(),
        replicas,
    });
    let changed = |pairs: &PairsPatch| -> Changes {
        let owned =
            |(name, value): (&Rc<str>, &Option<Rc<str>>)| (word(name), value.as_ref().map(word));
        pairs.iter().map(owned).collect()
    };
    let patch = Patch {
        labels: changed(&patch.labels),
        annotations: changed(&patch.annotations),
        data: changed(&patch.data),
    };
    let rest = (patch != Patch::NONE).then_some(Stimulus::Patch { key, patch });
    Ok(version.into_iter().chain(replicas).chain(rest).collect())
}

fn no_finalizers<T>() -> Result<T, String> {
    error("finalizers are not kept here")
}

fn word(text: &Rc<str>) -> Name {
    Name::Owned(text.to_string())
}

fn entries(pairs: &Pairs) -> Entries {
    pairs
        .iter()
        .map(|(name, value)| (word(name), word(value)))
        .collect()
}
