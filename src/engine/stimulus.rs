//! What a person does to the cluster. The scenes' scripts and the page's buttons are both made of
//! these, and of nothing else.

use super::apiserver::{MergePatch, Object, PairsPatch, Version};
use super::time::SimDuration;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::rc::Rc;

/// `namespace/name`, as a person writes it; also any other word of theirs.
pub type Name = Cow<'static, str>;

/// Names with values, in the order in which they were written.
pub type Entries = Cow<'static, [(Name, Name)]>;

/// Names with new values, or with none: those are removed.
pub type Changes = Cow<'static, [(Name, Option<Name>)]>;

/// A merge patch: what it names is changed, the rest stays.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Patch {
    #[serde(serialize_with = "as_map", skip_serializing_if = "is_empty")]
    pub labels: Changes,
    #[serde(serialize_with = "as_map", skip_serializing_if = "is_empty")]
    pub annotations: Changes,
    /// Of a config map.
    #[serde(serialize_with = "as_map", skip_serializing_if = "is_empty")]
    pub data: Changes,
}

impl Patch {
    /// Nothing changes.
    pub const NONE: Patch = Patch {
        labels: Cow::Borrowed(&[]),
        annotations: Cow::Borrowed(&[]),
        data: Cow::Borrowed(&[]),
    };

    /// As the API server takes it.
    pub fn merge(&self) -> MergePatch {
        let pairs = |changes: &Changes| -> PairsPatch {
            let owned = |(name, value): &(Name, Option<Name>)| {
                (Rc::from(&**name), value.as_deref().map(Rc::from))
            };
            changes.iter().map(owned).collect()
        };
        MergePatch {
            labels: pairs(&self.labels),
            annotations: pairs(&self.annotations),
            data: pairs(&self.data),
            ..MergePatch::default()
        }
    }
}

/// What somebody wants a config map to hold.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Manifest {
    #[serde(serialize_with = "as_map", skip_serializing_if = "is_empty")]
    pub data: Entries,
    #[serde(serialize_with = "as_map", skip_serializing_if = "is_empty")]
    pub labels: Entries,
    #[serde(serialize_with = "as_map", skip_serializing_if = "is_empty")]
    pub annotations: Entries,
}

impl Manifest {
    /// A config map that holds this and nothing else.
    pub const fn data(data: &'static [(Name, Name)]) -> Manifest {
        Manifest {
            data: Cow::Borrowed(data),
            labels: Cow::Borrowed(&[]),
            annotations: Cow::Borrowed(&[]),
        }
    }

    /// The object, not written yet.
    pub fn object(&self, namespace: &str, name: &str) -> Object {
        let mut object = Object::config_map(namespace, name);
        let applied = self.patch().merge().apply(&mut object);
        assert!(applied, "a config map has all these fields");
        object
    }

    /// The same as a patch: everything that it names is to be so.
    pub fn patch(&self) -> Patch {
        let changes = |entries: &Entries| -> Changes {
            let some = |(name, value): &(Name, Name)| (name.clone(), Some(value.clone()));
            entries.iter().map(some).collect()
        };
        Patch {
            labels: changes(&self.labels),
            annotations: changes(&self.annotations),
            data: changes(&self.data),
        }
    }
}

fn as_map<T: Serialize, S: Serializer>(
    pairs: &[(Name, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

fn is_empty<T>(pairs: &[T]) -> bool {
    pairs.is_empty()
}

/// One action of a person. Values are absolute, as in a `kubectl` command, so that the same
/// stimulus means the same in a replay with other knobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Stimulus {
    /// Create the object; refused with 409 where it exists.
    Create {
        key: Name,
        replicas: u32,
        version: Version,
    },
    /// Set `spec.replicas`.
    Scale { key: Name, replicas: u32 },
    /// Set `spec.version`.
    Upgrade { key: Name, version: Version },
    /// Touch an annotation `count` times, `gap` apart; the spec stays as it is.
    Burst {
        key: Name,
        count: u32,
        #[serde(rename = "gap_ns")]
        gap: SimDuration,
    },
    /// Delete the object.
    Delete { key: Name },
    /// One running replica dies: the actual state drifts, the store knows nothing.
    KillReplica { key: Name },
    /// The controller's process ends and comes up again.
    RestartController,
    /// The next upgrade attempt fails, whatever chance says.
    FailNextUpgrade,
    /// Create a config map; refused with 409 where it exists (`kubectl create`).
    CreateConfigMap { key: Name, manifest: Manifest },
    /// Create a config map, or merge into the one that is there (`kubectl apply`).
    ApplyConfigMap { key: Name, manifest: Manifest },
    /// Change labels, annotations, data (`kubectl label`, `annotate`, `patch --type merge`).
    Patch { key: Name, patch: Patch },
    /// Create so many empty config maps at one instant, `name-001` and so on.
    CreateMany { name: Name, count: u32 },
    /// The API server refuses every write for a while; reads and watches go on.
    RefuseWrites {
        #[serde(rename = "span_ns")]
        span: SimDuration,
    },
    /// The API server refuses the next so many writes, whoever sends them.
    RefuseNext { writes: u32 },
    /// The API server refuses the controller's next write.
    RefuseController,
    /// The next reconcile that finds something to do returns success without having done it.
    SwallowReconcile,
    /// The next event is lost on its way to the informer.
    LoseEvent,
    /// The API server ends the watch, cleanly.
    CloseWatch,
    /// The API server forgets past events and ends the watch with 410.
    ExpireWatch,
}

impl Stimulus {
    /// The object acted on, where there is one.
    pub fn key(&self) -> Option<&str> {
        match self {
            Stimulus::Create { key, .. }
            | Stimulus::Scale { key, .. }
            | Stimulus::Upgrade { key, .. }
            | Stimulus::Burst { key, .. }
            | Stimulus::Delete { key }
            | Stimulus::KillReplica { key }
            | Stimulus::CreateConfigMap { key, .. }
            | Stimulus::ApplyConfigMap { key, .. }
            | Stimulus::Patch { key, .. } => Some(key),
            Stimulus::RestartController
            | Stimulus::FailNextUpgrade
            | Stimulus::CreateMany { .. }
            | Stimulus::RefuseWrites { .. }
            | Stimulus::RefuseNext { .. }
            | Stimulus::RefuseController
            | Stimulus::SwallowReconcile
            | Stimulus::LoseEvent
            | Stimulus::CloseWatch
            | Stimulus::ExpireWatch => None,
        }
    }

    /// Can it be done to a database cluster only?
    pub fn is_about_databases(&self) -> bool {
        matches!(
            self,
            Stimulus::Create { .. }
                | Stimulus::Scale { .. }
                | Stimulus::Upgrade { .. }
                | Stimulus::KillReplica { .. }
                | Stimulus::FailNextUpgrade
        )
    }

    /// Can it be done to a config map or its controller only?
    pub fn is_about_config_maps(&self) -> bool {
        !self.is_about_databases()
            && !matches!(
                self,
                Stimulus::Burst { .. }
                    | Stimulus::Delete { .. }
                    | Stimulus::Patch { .. }
                    | Stimulus::RestartController
            )
    }

    /// Sets a label, or removes it, as `kubectl label` does.
    pub fn label(key: impl Into<Name>, label: impl Into<Name>, value: Option<Name>) -> Stimulus {
        Stimulus::Patch {
            key: key.into(),
            patch: Patch {
                labels: vec![(label.into(), value)].into(),
                ..Patch::NONE
            },
        }
    }

    /// Sets an annotation, or removes it, as `kubectl annotate` does.
    pub fn annotate(key: impl Into<Name>, name: impl Into<Name>, value: Option<Name>) -> Stimulus {
        Stimulus::Patch {
            key: key.into(),
            patch: Patch {
                annotations: vec![(name.into(), value)].into(),
                ..Patch::NONE
            },
        }
    }
}

/// Who did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The chapter's script.
    Script,
    /// The visitor.
    Visitor,
}
