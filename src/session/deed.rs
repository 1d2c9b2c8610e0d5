//! The buttons' side of a stimulus: what can be done to an object now, and if not, why not.

use super::kubectl;
use crate::engine::apiserver::DatabaseSpec;
use crate::engine::key::{Key, Keys};
use crate::engine::knobs::Knobs;
use crate::engine::stimulus::Stimulus;
use crate::frame::View;
use crate::scene::Chapter;

/// Most replicas that the buttons ask for; the picture stays readable.
pub const REPLICAS_MAX: u32 = 9;

/// Something that a button does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Create,
    ScaleUp,
    ScaleDown,
    Upgrade,
    Burst,
    Delete,
    KillReplica,
    RestartController,
    FailNextUpgrade,
}

impl Deed {
    /// What a person with `kubectl` can do, then what goes wrong in real life.
    pub const ALL: [Deed; 9] = [
        Deed::Create,
        Deed::ScaleUp,
        Deed::ScaleDown,
        Deed::Upgrade,
        Deed::Burst,
        Deed::Delete,
        Deed::KillReplica,
        Deed::RestartController,
        Deed::FailNextUpgrade,
    ];

    /// The words on the button.
    pub fn label(self, knobs: &Knobs) -> String {
        match self {
            Deed::Create => "Create".into(),
            Deed::ScaleUp => "Scale up".into(),
            Deed::ScaleDown => "Scale down".into(),
            Deed::Upgrade => "Upgrade".into(),
            Deed::Burst => format!("Burst ×{}", knobs.burst_count),
            Deed::Delete => "Delete".into(),
            Deed::KillReplica => "Kill a replica".into(),
            Deed::RestartController => "Restart controller".into(),
            Deed::FailNextUpgrade => "Fail next upgrade".into(),
        }
    }

    /// Is it a mishap, and not a request to the API server?
    pub fn is_mishap(self) -> bool {
        matches!(
            self,
            Deed::KillReplica | Deed::RestartController | Deed::FailNextUpgrade
        )
    }

    /// The stimulus that the button stands for now.
    ///
    /// # Errors
    /// Why it cannot be done now, as a sentence.
    pub fn stimulus(
        self,
        resource: &'static str,
        chapter: &Chapter,
        knobs: &Knobs,
        keys: &Keys,
        view: &View,
    ) -> Result<Stimulus, &'static str> {
        let key = keys.get(resource);
        let card = key.and_then(|key| view.objects.get(&key));
        let spec = card.map(|card| card.spec);
        let existing = || spec.ok_or("There is no such object. Create it first.");
        let name = || resource.into();
        match self {
            Deed::Create => match spec {
                Some(_) => Err("It exists already."),
                None => match first_spec(chapter, resource) {
                    None => Err("This chapter has no manifest for it."),
                    Some(DatabaseSpec { replicas, version }) => Ok(Stimulus::Create {
                        key: name(),
                        replicas,
                        version,
                    }),
                },
            },
            Deed::ScaleUp => match existing()?.replicas {
                REPLICAS_MAX.. => Err("Nine replicas are the most that the picture shows."),
                replicas => Ok(Stimulus::Scale {
                    key: name(),
                    replicas: replicas + 1,
                }),
            },
            Deed::ScaleDown => match existing()?.replicas.checked_sub(1) {
                None => Err("No replicas are wanted already."),
                Some(replicas) => Ok(Stimulus::Scale {
                    key: name(),
                    replicas,
                }),
            },
            Deed::Upgrade => Ok(Stimulus::Upgrade {
                key: name(),
                version: existing()?.version.next_minor(),
            }),
            Deed::Burst => existing().map(|_| Stimulus::Burst {
                key: name(),
                count: knobs.burst_count,
                gap: knobs.burst_gap,
            }),
            Deed::Delete => existing().map(|_| Stimulus::Delete { key: name() }),
            Deed::KillReplica => {
                let runs = |key: Key| {
                    view.actual
                        .get(&key)
                        .is_some_and(|pods| pods.actual.replicas > 0)
                };
                match key {
                    Some(key) if runs(key) => Ok(Stimulus::KillReplica { key: name() }),
                    _ => Err("No replica of it runs."),
                }
            }
            Deed::RestartController if !view.running => Err("The controller is down already."),
            Deed::RestartController => Ok(Stimulus::RestartController),
            Deed::FailNextUpgrade if view.fail_next => {
                Err("The next upgrade is going to fail already.")
            }
            Deed::FailNextUpgrade => Ok(Stimulus::FailNextUpgrade),
        }
    }
}

/// What the chapter's script creates under this key.
fn first_spec(chapter: &Chapter, resource: &str) -> Option<DatabaseSpec> {
    chapter
        .scenes
        .iter()
        .find_map(|scene| match &scene.stimulus {
            Stimulus::Create {
                key,
                replicas,
                version,
            } if key == resource => Some(DatabaseSpec {
                replicas: *replicas,
                version: *version,
            }),
            _ => None,
        })
}

/// The command that does the same to a real cluster, where there is one.
pub fn command_line(stimulus: &Stimulus) -> Option<String> {
    let named = |key: &str| {
        let (namespace, name) = key.split_once('/').unwrap_or(("default", key));
        match namespace {
            "default" => name.to_owned(),
            _ => format!("{name} -n {namespace}"),
        }
    };
    let patch = |key: &str, spec: String| {
        let name = named(key);
        format!("kubectl patch databasecluster {name} --type merge -p '{{\"spec\":{{{spec}}}}}'")
    };
    Some(match stimulus {
        Stimulus::Create { key, .. } => format!("kubectl apply -f {}.yaml", named(key)),
        Stimulus::Scale { key, replicas } => patch(key, format!("\"replicas\":{replicas}")),
        Stimulus::Upgrade { key, version } => patch(key, format!("\"version\":\"{version}\"")),
        Stimulus::Delete { key } => format!("kubectl delete databasecluster {}", named(key)),
        Stimulus::Burst { .. }
        | Stimulus::KillReplica { .. }
        | Stimulus::RestartController
        | Stimulus::FailNextUpgrade => return None,
        of_config_map => return kubectl::line(of_config_map),
    })
}
