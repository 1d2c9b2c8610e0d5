//! A record as one line: of JSON for export, and of text in the shape of the article's log.

use super::{Causes, Fact, Record, RecordId, Source, Why};
use crate::engine::controller::Conclusion;
use crate::engine::key::{Key, Keys};
use crate::engine::time::SimTime;
use crate::engine::workqueue::Added;
use serde::Serialize;

/// What the queue made of the event that was recorded before.
pub(super) fn made_of(next: Option<&Record>) -> &'static str {
    match next.map(|record| &record.fact) {
        Some(Fact::Enqueued {
            why: Why::Event,
            added,
            ..
        }) => match added {
            Added::Dirty => " (in hand: marked dirty)",
            Added::MergedDirty => " (already dirty)",
            Added::MergedReady => " (already queued)",
            Added::Full => " (queue full: dropped)",
            _ => "",
        },
        _ => "",
    }
}

impl Record {
    /// The record as one line of JSON, without the line break.
    pub fn to_json(&self, keys: &Keys) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            id: RecordId,
            at_ns: SimTime,
            causes: Causes,
            #[serde(skip_serializing_if = "Option::is_none")]
            key: Option<&'a str>,
            #[serde(flatten)]
            fact: &'a Fact,
        }
        let line = Line {
            id: self.id,
            at_ns: self.at,
            causes: self.causes,
            key: self.fact.key().map(|key| keys.text(key)),
            fact: &self.fact,
        };
        serde_json::to_string(&line).expect("a record has text keys only")
    }

    /// The line or lines that the article's program would print for this, if any.
    ///
    /// `next` is the record after this one, if it has happened: what the queue made of an event
    /// stands on the event's own line.
    pub fn log_line(&self, keys: &Keys, next: Option<&Record>) -> Option<String> {
        let text = |key: &Key| keys.text(*key);
        Some(match &self.fact {
            Fact::ControllerStarted => "[controller] started".to_owned(),
            Fact::ControllerStopped {
                ready,
                delayed,
                in_hand,
            } => format!(
                "[controller] stopped: {ready} ready, {delayed} delayed, {in_hand} in hand are forgotten"
            ),
            Fact::Acted { .. } | Fact::Sent { .. } | Fact::SectionStarted { .. } => return None,
            Fact::Written {
                event,
                key,
                revision,
                ..
            } => {
                format!("[etcd] revision={revision}  {event}  key=\"{}\"", text(key))
            }
            Fact::Unchanged { key } => {
                format!(
                    "[etcd] nothing changed, no new revision  key=\"{}\"",
                    text(key)
                )
            }
            Fact::Refused { key, error } => format!("[etcd] {error}  key=\"{}\"", text(key)),
            Fact::Dropped {
                event,
                key,
                revision,
            } => format!(
                "[etcd] watcher too slow: {event} revision={revision} dropped  key=\"{}\"",
                text(key)
            ),
            Fact::Delivered {
                event,
                source: Source::Informer,
                key,
                revision,
            } => format!(
                "[informer] {event} event for \"{}\", revision={revision}",
                text(key)
            ),
            Fact::Delivered {
                event, source, key, ..
            } => {
                let what = match source {
                    Source::Watch | Source::Informer => format!("{event} event for"),
                    Source::List => "listed".to_owned(),
                    Source::Owned => "replica lost, owner is".to_owned(),
                };
                let made = made_of(next);
                format!("[watch]  {what} \"{}\" → enqueuing{made}", text(key))
            }
            Fact::Enqueued {
                why: Why::Done,
                key,
                ..
            } => {
                format!("[queue]  \"{}\" was dirty → back in the queue", text(key))
            }
            Fact::Enqueued {
                why: Why::DelayOver,
                key,
                added,
            } => {
                let made = match added {
                    Added::Ready => "queued",
                    Added::Full => "queue full: dropped",
                    Added::Dirty => "in hand: marked dirty",
                    _ => "merged",
                };
                format!("[queue]  delay of \"{}\" is over → {made}", text(key))
            }
            Fact::Enqueued {
                why: Why::Retry,
                key,
                added: Added::Delayed { until } | Added::DelayedEarlier { until, .. },
            } => format!("[queue]  \"{}\" again in {}", text(key), *until - self.at),
            Fact::Enqueued { .. } | Fact::Forgot { .. } | Fact::Done { .. } => return None,
            Fact::Started { n, key, .. } => format!("[reconcile #{n}] key=\"{}\"", text(key)),
            Fact::Fetched {
                n,
                desired: Some(spec),
                ..
            } => format!(
                "[reconcile #{n}] desired: replicas={} version={}",
                spec.replicas, spec.version
            ),
            Fact::Fetched {
                n,
                key,
                desired: None,
                ..
            } => {
                format!("[reconcile #{n}] \"{}\" not found: cleaning up", text(key))
            }
            Fact::Observed { n, actual, .. } => {
                let version = actual
                    .version
                    .map_or(String::new(), |version| version.to_string());
                format!(
                    "[reconcile #{n}] actual:  replicas={} version=\"{version}\" healthy={}",
                    actual.replicas, actual.healthy
                )
            }
            Fact::ActionStarted { n, action, .. } => format!("[reconcile #{n}] ACTION: {action}"),
            Fact::ActionDone { n, action, .. } if action.takes_no_time() => {
                format!("[reconcile #{n}] ACTION: {action}")
            }
            Fact::ActionDone { .. } | Fact::ActionFailed { .. } => return None,
            Fact::Finished {
                n, key, conclusion, ..
            } => match conclusion {
                Conclusion::RequeueAfter { after } => {
                    format!("[reconcile #{n}] requeuing in {after} to verify")
                }
                Conclusion::InDesiredState => {
                    format!("[reconcile #{n}] ✓ in desired state: nothing to do")
                }
                Conclusion::NotFound => format!("[reconcile #{n}] done: it is gone"),
                Conclusion::Labelled => format!("[reconcile #{n}] ✓ label written: done"),
                Conclusion::AwaitEvent => {
                    format!("[reconcile #{n}] done: the event of the other write is on its way")
                }
                Conclusion::Swallowed => {
                    format!("[reconcile #{n}] returned success, and has done nothing")
                }
                Conclusion::Error { error } => {
                    format!("[reconcile] ERROR for \"{}\": {error}", text(key))
                }
            },
            Fact::ReplicaLost { key, actual } => {
                format!(
                    "[actual] a replica of \"{}\" died: {} left",
                    text(key),
                    actual.replicas
                )
            }
            Fact::Rested => "[loop]   at rest".to_owned(),
            _ => return self.wire_line(keys, next),
        })
    }
}
