//! The log's lines for what happens between an informer, its cache and the API server.

use super::line::made_of;
use super::{Asked, Fact, Record};
use crate::engine::apiserver::{Object, RequestError};
use crate::engine::controller::configmap::LABEL;
use crate::engine::informer::Cause;
use crate::engine::key::{Key, Keys};

/// What the log says of an object's label.
fn label(object: &Object) -> String {
    match object.meta.labels.get(LABEL) {
        Some(value) => format!("{LABEL}={value}"),
        None => "no label".to_owned(),
    }
}

fn ended(error: Option<RequestError>) -> String {
    match error {
        None => "the API server closed the watch".to_owned(),
        Some(error) => format!("the watch ended: {error}"),
    }
}

impl Record {
    pub(super) fn wire_line(&self, keys: &Keys, next: Option<&Record>) -> Option<String> {
        let text = |key: &Key| keys.text(*key);
        Some(match &self.fact {
            Fact::Requested { asked, .. } => match asked {
                Asked::List { resource_version } => {
                    format!("[informer] list configmaps, resourceVersion=\"{resource_version}\"")
                }
                Asked::Watch { resource_version } => {
                    format!(
                        "[informer] watch configmaps from resourceVersion=\"{resource_version}\""
                    )
                }
            },
            Fact::Listed {
                objects,
                revision,
                again,
            } => {
                let again = if *again { " again" } else { "" };
                format!("[informer] listed{again}, revision={revision}; objects: {objects}")
            }
            Fact::Synced => "[informer] has synced".to_owned(),
            Fact::WatchOpened => "[informer] watching".to_owned(),
            Fact::WatchClosed { error } => format!("[informer] {}", ended(*error)),
            Fact::RequestFailed { error } => format!("[informer] refused: {error}"),
            Fact::BackedOff { until } => {
                format!("[informer] asks again in {}", *until - self.at)
            }
            Fact::EventLost {
                event,
                key,
                revision,
            } => format!(
                "[api]    {event} event for \"{}\", revision={revision}: lost on its way",
                text(key)
            ),
            Fact::CacheSet {
                key,
                revision,
                object,
            } => format!(
                "[cache]  \"{}\" revision={revision}, {}",
                text(key),
                label(object)
            ),
            Fact::CacheDeleted { key } => format!("[cache]  \"{}\" removed", text(key)),
            Fact::Resynced { objects } => {
                format!("[informer] resync from the cache, nothing is asked; objects: {objects}")
            }
            Fact::HandlerCalled {
                handler,
                key,
                source,
            } => {
                let from = match source {
                    Cause::Resync => ", a resync",
                    Cause::Relist => ", missing in the list",
                    _ => "",
                };
                let (name, made) = (handler.name(), made_of(next));
                format!(
                    "[informer] {name}(\"{}\"{from}) → enqueuing{made}",
                    text(key)
                )
            }
            Fact::CacheRead {
                n,
                key,
                revision,
                object,
                ..
            } => match (revision, object) {
                (Some(revision), Some(object)) => {
                    format!(
                        "[reconcile #{n}] cache: revision={revision}, {}",
                        label(object)
                    )
                }
                _ => format!("[reconcile #{n}] \"{}\" is not in the cache", text(key)),
            },
            Fact::Swallowed { n, .. } => {
                format!("[reconcile #{n}] label missing; the work is skipped")
            }
            Fact::Scribbled { n, .. } => {
                format!("[reconcile #{n}] label put on the cached object itself")
            }
            Fact::WriteSent { n, revision, .. } => {
                format!(
                    "[reconcile #{n}] ACTION: update with the label, based on revision={revision}"
                )
            }
            Fact::WriteAnswered { n, answer, .. } => {
                format!("[reconcile #{n}] API server: {answer}")
            }
            _ => return None,
        })
    }
}
