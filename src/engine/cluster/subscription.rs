//! The wire between an informer and the API server: requests there, answers and events back.
//!
//! Guarantees: each way takes its time, and nothing on a stream overtakes what was sent before it.
//! The informer's cache changes when an event arrives, not when the object was written; in between,
//! cache and store differ, and the facts say so.
//!
//! Left out on purpose: a watcher that is too slow. The real API server ends its stream.

use super::fault::take;
use super::{Cluster, Cue};
use crate::engine::agenda::Class;
use crate::engine::apiserver::{
    Answer, EventType, Kind, Object, Request, RequestId, ResourceVersion, Verb, WatchEvent,
    WatchStream,
};
use crate::engine::controller::configmap::NAMESPACE;
use crate::engine::controller::{Stream, Subscription};
use crate::engine::informer::{Effect, Notification};
use crate::engine::key::Key;
use crate::engine::record::{Asked, Causes, Fact, Handler, RecordId, Reply, Source, Why};
use crate::engine::time::{SimDuration, SimTime};
use crate::engine::workqueue::AddOptions;
use std::rc::Rc;

/// What the informer does now happened because of these.
struct Occasion<'a> {
    /// What it was told, or the deadline's cause.
    cause: RecordId,
    /// The change of the cache that a notification is about, by key.
    changes: &'a [(Key, RecordId)],
}

impl Cluster {
    fn subscription(&mut self) -> &mut Subscription {
        let subscription = self.controller.subscription.as_deref_mut();
        subscription.expect("the controller is up and has an informer")
    }

    /// The informer starts.
    pub(super) fn subscribe(&mut self, started: RecordId) {
        let subscription = Subscription::new(&self.knobs, self.seed, self.now);
        self.controller.subscription = Some(Box::new(subscription));
        self.follow_informer(&Occasion {
            cause: started,
            changes: &[],
        });
    }

    /// A deadline of the informer: a resync, or the end of a back-off.
    pub(super) fn wake_informer(&mut self) {
        let now = self.now;
        let sub = self.subscription();
        // A deadline that was moved leaves a cue behind that nobody waits for.
        if sub.wake_at != Some(now) {
            return;
        }
        sub.wake_at = None;
        sub.informer.advance(now);
        let cause = sub.backoff_cause.or(sub.resync_cause);
        let cause = cause.expect("the informer waits for nothing that did not begin");
        self.follow_informer(&Occasion {
            cause,
            changes: &[],
        });
    }

    /// The informer's next deadline goes on the agenda.
    pub(super) fn keep_informer(&mut self) {
        let life = self.controller.life;
        let Some(sub) = self.controller.subscription.as_deref_mut() else {
            return;
        };
        if let Some(due) = sub.informer.next_deadline()
            && sub.wake_at != Some(due)
        {
            sub.wake_at = Some(due);
            self.agenda
                .push(due, Class::Deadline, Cue::WakeInformer { life });
        }
    }

    /// Let what the informer has just done take effect.
    fn follow_informer(&mut self, occasion: &Occasion) {
        let mut cause = occasion.cause;
        for (_, effect) in self.subscription().informer.take_effects() {
            match effect {
                Effect::Requested(request) => self.ask(request, cause),
                Effect::BackedOff { until, .. } => {
                    let fact = Fact::BackedOff { until };
                    let record = self.record(Causes::one(cause), fact);
                    self.subscription().backoff_cause = Some(record);
                }
                Effect::Synced => {
                    self.record(Causes::one(cause), Fact::Synced);
                }
                Effect::ResyncChecked { due: 0 } => {}
                Effect::ResyncChecked { .. } => {
                    let sub = self.subscription();
                    let objects = sub.informer.store().len() as u32;
                    let since = sub.resync_cause.unwrap_or(cause);
                    cause = self.record(Causes::one(since), Fact::Resynced { objects });
                    self.subscription().resync_cause = Some(cause);
                }
                Effect::Called { notification, .. } => {
                    self.call_handler(&notification, cause, occasion.changes);
                }
                // The request's failure says so already; a call is over in no time.
                Effect::WatchFailed(_) | Effect::Queued { .. } | Effect::Returned { .. } => {}
            }
        }
    }

    /// An event handler does the one thing it does: it enqueues the key.
    fn call_handler(
        &mut self,
        notification: &Notification<Object>,
        cause: RecordId,
        changes: &[(Key, RecordId)],
    ) {
        let handler = Handler::of(&notification.change);
        if handler == Handler::Delete && !self.knobs.delete_handler {
            return;
        }
        let key = self.keys.intern(&notification.change.object().meta.key());
        let changed = changes.binary_search_by_key(&key, |change| change.0);
        let cause = changed.map_or(cause, |place| changes[place].1);
        let fact = Fact::HandlerCalled {
            handler,
            key,
            source: notification.cause,
        };
        let called = self.record(Causes::one(cause), fact);
        self.enqueue(Why::Event, key, AddOptions::default(), called);
    }

    fn ask(&mut self, request: Request, cause: RecordId) {
        let version = |version: &ResourceVersion| version.as_str().into();
        let asked = match &request.verb {
            Verb::List(options) => Asked::List {
                resource_version: version(&options.resource_version),
            },
            Verb::Watch(options) => Asked::Watch {
                resource_version: version(&options.resource_version),
            },
        };
        let arrives = self.now + self.knobs.request_latency;
        let cause = self.record(Causes::one(cause), Fact::Requested { asked, arrives });
        let sub = self.subscription();
        sub.messages += 1;
        sub.backoff_cause = None;
        let life = self.controller.life;
        let request = Box::new(request);
        let cue = Cue::Ask {
            life,
            request,
            cause,
        };
        self.agenda.push(arrives, Class::Delivery, cue);
    }
}

/// The API server's side.
impl Cluster {
    /// A request has reached the API server.
    pub(super) fn serve(&mut self, request: &Request, cause: RecordId) {
        self.subscription().messages -= 1;
        match &request.verb {
            Verb::List(options) => {
                let page = self.store.list(Kind::ConfigMap, Some(NAMESPACE), options);
                let reply = match &page {
                    Ok(page) => Reply::Page {
                        objects: page.items.len() as u32,
                        revision: page.resource_version.as_str().parse().unwrap_or(0),
                    },
                    Err(error) => Reply::Refused { error: *error },
                };
                let answer = page.map_or_else(Answer::Failed, Answer::Page);
                self.answer(request.id, reply, answer, cause);
            }
            Verb::Watch(options) => {
                let namespace = Some(NAMESPACE.into());
                match WatchStream::open(&self.store, Kind::ConfigMap, namespace, options) {
                    Err(error) => {
                        let reply = Reply::Refused { error };
                        self.answer(request.id, reply, Answer::Failed(error), cause);
                    }
                    Ok(events) => {
                        self.subscription().stream = Some(Stream {
                            request: request.id,
                            events,
                            opened: cause,
                            latest_arrival: SimTime::ZERO,
                        });
                        let opened = self.answer(request.id, Reply::Opened, Answer::Opened, cause);
                        if let Some(stream) = &mut self.subscription().stream {
                            stream.opened = opened;
                        }
                        let life = self.controller.life;
                        let timeout = self.now + options.timeout;
                        let request = request.id;
                        let cue = Cue::EndStream { life, request };
                        self.agenda.push(timeout, Class::Delivery, cue);
                        self.fan_out(Some(opened));
                    }
                }
            }
        }
    }

    /// An answer goes on its way. On an open stream it takes its place behind what was sent before.
    fn answer(
        &mut self,
        request: RequestId,
        reply: Reply,
        answer: Answer<Object>,
        cause: RecordId,
    ) -> RecordId {
        let delay = match reply {
            Reply::Closed { .. } => self.knobs.watch_delay,
            _ => self.knobs.request_latency,
        };
        let arrives = self.arrival(delay);
        let fact = Fact::Answered { reply, arrives };
        let answered = self.record(Causes::one(cause), fact);
        self.subscription().messages += 1;
        self.bring(request, answer, arrives, answered);
        answered
    }

    /// When something arrives that takes this long; nothing on the stream overtakes.
    fn arrival(&mut self, delay: SimDuration) -> SimTime {
        let arrives = self.now + delay;
        match &mut self.subscription().stream {
            Some(stream) => {
                stream.latest_arrival = stream.latest_arrival.max(arrives);
                stream.latest_arrival
            }
            None => arrives,
        }
    }

    fn bring(
        &mut self,
        request: RequestId,
        answer: Answer<Object>,
        arrives: SimTime,
        cause: RecordId,
    ) {
        let life = self.controller.life;
        let answer = Box::new(answer);
        let cue = Cue::Bring {
            life,
            request,
            answer,
            cause,
        };
        self.agenda.push(arrives, Class::Delivery, cue);
    }

    /// The API server sends on the stream what is new. `opened`: the stream has only now been opened.
    pub(super) fn fan_out(&mut self, opened: Option<RecordId>) {
        let Some(sub) = self.controller.subscription.as_deref_mut() else {
            return;
        };
        let Some(stream) = &mut sub.stream else {
            return;
        };
        let request = stream.request;
        for event in stream.events.pull(&self.store) {
            let object = match &event {
                WatchEvent::Added(object)
                | WatchEvent::Modified(object)
                | WatchEvent::Deleted(object) => object.clone(),
                WatchEvent::Bookmark { .. } => continue,
                WatchEvent::Error(error) => {
                    let error = Some(*error);
                    let cause = opened.expect("a stream falls behind only before it opens");
                    self.end_stream(Answer::Event(event), Reply::Closed { error }, cause);
                    return;
                }
            };
            let kind = match event {
                WatchEvent::Added(_) => EventType::Added,
                WatchEvent::Modified(_) => EventType::Modified,
                _ => EventType::Deleted,
            };
            self.send_on_stream(request, kind, &object, event, opened);
        }
    }

    fn send_on_stream(
        &mut self,
        request: RequestId,
        kind: EventType,
        object: &Object,
        event: WatchEvent<Object>,
        opened: Option<RecordId>,
    ) {
        let key = self.keys.intern(&object.meta.key());
        let revision = object.meta.resource_version;
        let written = self.write_records[revision as usize - 1];
        let causes = Causes::two(written, opened);
        if take(&mut self.faults.lose) {
            let fact = Fact::EventLost {
                event: kind,
                key,
                revision,
            };
            self.record(causes, fact);
            return;
        }
        let arrives = self.arrival(self.knobs.watch_delay);
        let fact = Fact::Sent {
            event: kind,
            source: Source::Informer,
            key,
            revision,
            arrives,
        };
        let sent = self.record(causes, fact);
        self.controller.in_flight += 1;
        self.bring(request, Answer::Event(event), arrives, sent);
    }

    /// A watch has lasted as long as was asked for.
    pub(super) fn time_out(&mut self, request: RequestId) {
        let stream = self.subscription().stream.as_ref();
        if let Some(stream) = stream.filter(|stream| stream.request == request) {
            let cause = stream.opened;
            self.end_stream(Answer::Closed, Reply::Closed { error: None }, cause);
        }
    }

    /// The API server ends the stream.
    pub(super) fn end_stream(&mut self, answer: Answer<Object>, reply: Reply, cause: RecordId) {
        let Some(sub) = self.controller.subscription.as_deref_mut() else {
            return;
        };
        let Some(request) = sub.stream.as_ref().map(|stream| stream.request) else {
            return;
        };
        self.answer(request, reply, answer, cause);
        self.subscription().stream = None;
    }
}

/// Back at the informer.
impl Cluster {
    /// An answer, or an event of the stream, has reached the informer.
    pub(super) fn hear(&mut self, request: RequestId, answer: Answer<Object>, cause: RecordId) {
        let cause = self.note_heard(&answer, cause);
        let now = self.now;
        let before = self.cached(&answer);
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
    fn cached(&mut self, answer: &Answer<Object>) -> Vec<(Rc<str>, Rc<Object>)> {
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
