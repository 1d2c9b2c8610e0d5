//! The API server's side of the wire: it answers lists, opens watches, and sends events.
//!
//! Guarantees: each way takes its time, and nothing on a stream overtakes what was sent before it.
//!
//! Left out on purpose: a watcher that is too slow. The real API server ends its stream.

use super::fault::take;
use super::{Cluster, Cue};
use crate::engine::agenda::Class;
use crate::engine::apiserver::{
    Answer, EventType, Kind, Object, Request, RequestId, Verb, WatchEvent, WatchStream,
};
use crate::engine::controller::Stream;
use crate::engine::controller::configmap::NAMESPACE;
use crate::engine::record::{Causes, Fact, RecordId, Reply, Source};
use crate::engine::time::{SimDuration, SimTime};

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
    #[inline(never)]
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
    #[inline(never)]
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
