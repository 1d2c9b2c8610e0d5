//! What a worker knows just now, a line for each value, beside the section that found it out.

use crate::engine::apiserver::DatabaseSpec;
use crate::engine::controller::configmap::{LABEL, is_labelled};
use crate::engine::controller::{Conclusion, Section};
use crate::engine::key::Keys;
use crate::engine::knobs::Knobs;
use crate::engine::record::{Actual, Fact, Record};
use crate::frame::{HandView, View};
use crate::scene::spaced;

/// The hand whose code is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct HandNow {
    pub hand: HandView,
    pub worker: usize,
    pub workers: usize,
    pub key: String,
    /// Does this world's reconciler work on a copy?
    pub deep_copy: bool,
}

impl HandNow {
    /// The hand that the latest fact is about; else the one whose reconcile began last.
    pub fn of(view: &View, latest: Option<&Record>, keys: &Keys, knobs: &Knobs) -> Option<HandNow> {
        let hands = &view.hands;
        let latest = latest.and_then(|record| worker(&record.fact));
        let held = |worker: &usize| hands.get(*worker).is_some_and(Option::is_some);
        let newest = || {
            (0..hands.len())
                .filter(held)
                .max_by_key(|&worker| hands[worker].as_ref().map(|hand| hand.n))
        };
        let worker = latest.filter(held).or_else(newest)?;
        let hand = hands[worker].clone()?;
        Some(HandNow {
            key: keys.text(hand.key).to_owned(),
            hand,
            worker,
            workers: hands.len(),
            deep_copy: knobs.deep_copy,
        })
    }

    /// What this run put into a section, a line each.
    pub fn values(&self, section: Section) -> Vec<String> {
        let hand = &self.hand;
        match section {
            Section::Fetch if !hand.fetched => Vec::new(),
            Section::Fetch => vec![hand.desired.map_or("not found".to_owned(), desired)],
            Section::Observe => hand
                .observed
                .filter(|_| hand.desired.is_some())
                .map(actual)
                .into_iter()
                .collect(),
            Section::Act => {
                let Some((spec, observed)) = hand.desired.zip(hand.observed) else {
                    return Vec::new();
                };
                // Both once more: in a low dock the sections above are out of sight.
                let mut lines = vec![desired(spec), actual(observed)];
                lines.extend(hand.done.iter().map(|action| format!("done: {action}")));
                lines.extend(hand.action.iter().map(|action| format!("{action} …")));
                if hand.section == Section::Result && hand.done.is_empty() {
                    lines.push("nothing was done".to_owned());
                }
                lines
            }
            Section::Result => hand.conclusion.map(outcome).into_iter().collect(),
            Section::SplitKey => {
                let (namespace, name) = self.key.split_once('/').unwrap_or(("", &self.key));
                vec![format!("namespace: {namespace}"), format!("name: {name}")]
            }
            _ => self.config_map_values(section).into_iter().collect(),
        }
    }

    /// The same for a section of chapter two's function that has begun.
    fn config_map_values(&self, section: Section) -> Option<String> {
        let hand = &self.hand;
        let begun = hand.section >= section;
        if !begun || !hand.fetched {
            return None;
        }
        let Some(cached) = &hand.cached else {
            return match section {
                Section::ReadCache => Some("nothing under this key".to_owned()),
                Section::Exists => Some("gone: nothing more".to_owned()),
                _ => None,
            };
        };
        let (revision, label) = (cached.meta.resource_version, cached.meta.labels.get(LABEL));
        Some(match section {
            Section::ReadCache => format!("from the cache: revision {revision}"),
            Section::Exists => "it exists".to_owned(),
            Section::Labelled => match label {
                Some(value) if is_labelled(cached) => format!("{value}: nothing more"),
                Some(value) => format!("{LABEL}: {value}, so go on"),
                None => "label missing, so go on".to_owned(),
            },
            Section::DeepCopy if hand.conclusion == Some(Conclusion::Swallowed) => {
                "skipped: success, with nothing done".to_owned()
            }
            Section::DeepCopy if self.deep_copy => "label put on a copy".to_owned(),
            Section::DeepCopy => "label written into the cache".to_owned(),
            _ => match hand.answer {
                Some(answer) => answer.to_string(),
                None => format!("sent, based on revision {revision} …"),
            },
        })
    }
}

/// The worker that a fact is about.
fn worker(fact: &Fact) -> Option<usize> {
    use Fact::*;
    match *fact {
        Started { worker, .. }
        | SectionStarted { worker, .. }
        | Fetched { worker, .. }
        | Observed { worker, .. }
        | ActionStarted { worker, .. }
        | ActionDone { worker, .. }
        | ActionFailed { worker, .. }
        | CacheRead { worker, .. }
        | Swallowed { worker, .. }
        | Scribbled { worker, .. }
        | WriteSent { worker, .. }
        | WriteAnswered { worker, .. }
        | Finished { worker, .. } => Some(worker.into()),
        _ => None,
    }
}

fn desired(spec: DatabaseSpec) -> String {
    format!(
        "desired: {} replicas, version {}",
        spec.replicas, spec.version
    )
}

fn actual(actual: Actual) -> String {
    let version = actual
        .version
        .map_or("none".to_owned(), |version| version.to_string());
    let health = if actual.healthy {
        "healthy"
    } else {
        "unhealthy"
    };
    format!(
        "actual: {} replicas, version {version}, {health}",
        actual.replicas
    )
}

fn outcome(conclusion: Conclusion) -> String {
    match conclusion {
        Conclusion::RequeueAfter { after } => format!("requeue after {}", spaced(after)),
        Conclusion::InDesiredState => "as desired: nothing more".to_owned(),
        Conclusion::NotFound => "cleaned up: nothing more".to_owned(),
        Conclusion::Error { error } => format!("error: {error}"),
        Conclusion::Labelled => "label written: nothing more".to_owned(),
        Conclusion::AwaitEvent => "an event is on its way: nothing more".to_owned(),
        Conclusion::Swallowed => "success, with nothing done".to_owned(),
    }
}
