//! What reaches the informer: answers, and the events of its watch.
//!
//! The cache changes when an event arrives, not when the object was written; in between, cache and
//! store differ. What has changed is found by comparing, and each change is a fact.

use super::Cluster;
use super::subscription::Occasion;
use crate::engine::apiserver::{Answer, EventType, Object, RequestId, WatchEvent};
use crate::engine::record::{Causes, Fact, RecordId, Source};
use std::rc::Rc;

impl Cluster {
    /// An answer, or an event of the stream, has reached the informer.
    pub(super) fn hear(&mut self, request: RequestId, answer: Answer<Object>, cause: RecordId) {
        let cause = self.note_heard(&answer, cause);
        let now = self.now;
        let before = self.held(&answer);
        let touched: Vec<Rc<str>> = touched(&answer);
        let sub = self.subscription();
        sub.informer.answer(now, request, answer);
        let mut changes = Vec::new();
        for text in touched.iter().chain(before.iter().map(|(text, _)| text)) {
            let key = self.keys.intern(text);
            changes.push((key, text.clone()));
        }
        changes.sort_unstable();
        changes.dedup();
        let old = |text: &str| {
            let place = before.binary_search_by(|(other, _)| (**other).cmp(text));
            place.ok().map(|place| &before[place].1)
        };
        let mut noted = Vec::new();
        for (key, text) in changes {
            let new = self.subscription().informer.store().get(&text).cloned();
            let fact = match (old(&text), new) {
                (Some(old), Some(new)) if **old == *new => continue,
                (None, None) => continue,
                (_, Some(object)) => Fact::CacheSet {
                    key,
                    revision: object.meta.resource_version,
                    object,
                },
                (Some(_), None) => Fact::CacheDeleted { key },
            };
            noted.push((key, self.record(Causes::one(cause), fact)));
        }
        self.follow_informer(&Occasion {
            cause,
            changes: &noted,
        });
    }

    fn note_heard(&mut self, answer: &Answer<Object>, cause: RecordId) -> RecordId {
        let again = self.subscription().informer.has_synced();
        let fact = match answer {
            Answer::Page(page) => Fact::Listed {
                objects: page.items.len() as u32,
                revision: page.resource_version.as_str().parse().unwrap_or(0),
                again,
            },
            Answer::Opened => Fact::WatchOpened,
            Answer::Failed(error) => Fact::RequestFailed { error: *error },
            Answer::Closed => Fact::WatchClosed { error: None },
            Answer::Event(WatchEvent::Error(error)) => Fact::WatchClosed {
                error: Some(*error),
            },
            Answer::Event(event) => {
                self.controller.in_flight -= 1;
                let (event, object) = match event {
                    WatchEvent::Added(object) => (EventType::Added, object),
                    WatchEvent::Modified(object) => (EventType::Modified, object),
                    WatchEvent::Deleted(object) => (EventType::Deleted, object),
                    _ => unreachable!("nothing else is sent as an event"),
                };
                let fact = Fact::Delivered {
                    event,
                    source: Source::Informer,
                    key: self.keys.intern(&object.meta.key()),
                    revision: object.meta.resource_version,
                };
                return self.record(Causes::one(cause), fact);
            }
        };
        let is_list = matches!(fact, Fact::Listed { .. });
        let record = self.record(Causes::one(cause), fact);
        let sub = self.subscription();
        sub.messages -= 1;
        if is_list {
            sub.resync_cause = Some(record);
        }
        record
    }

    /// What of the cache an answer may change, as it is now, by key.
    fn held(&mut self, answer: &Answer<Object>) -> Vec<(Rc<str>, Rc<Object>)> {
        let store = self.subscription().informer.store();
        let pair = |(key, object): (&Rc<str>, &Rc<Object>)| (key.clone(), object.clone());
        match answer {
            Answer::Page(_) => store.iter().map(pair).collect(),
            answer => touched(answer)
                .into_iter()
                .filter_map(|key| Some((key.clone(), store.get(&key)?.clone())))
                .collect(),
        }
    }
}

/// The keys that an answer names.
fn touched(answer: &Answer<Object>) -> Vec<Rc<str>> {
    match answer {
        Answer::Page(page) => page.items.iter().map(|object| object.meta.key()).collect(),
        Answer::Event(
            WatchEvent::Added(object) | WatchEvent::Modified(object) | WatchEvent::Deleted(object),
        ) => vec![object.meta.key()],
        _ => Vec::new(),
    }
}
