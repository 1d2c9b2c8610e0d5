//! What a person does to the cluster. The scenes' scripts and the page's buttons are both made of
//! these, and of nothing else.

use super::apiserver::Version;
use super::time::SimDuration;
use serde::Serialize;
use std::borrow::Cow;

/// `namespace/name`, as a person writes it.
pub type Name = Cow<'static, str>;

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
            | Stimulus::KillReplica { key } => Some(key),
            Stimulus::RestartController | Stimulus::FailNextUpgrade => None,
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
