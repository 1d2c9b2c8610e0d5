//! Watching: one stream of events, as data.
//!
//! Mirrors the watch cache of `k8s.io/apiserver/pkg/storage/cacher`: past events come out of a
//! bounded window; whoever asks for older ones gets an open stream whose first event is an error
//! 410. Without a version, or with `0`, the present state comes first.
//!
//! A stream is a value: whoever carries it pulls what is new after each write, and decides on
//! delay, buffers, bookmarks and the end.

use super::message::{RequestError, ResourceVersion, WatchEvent, WatchOptions};
use super::read::number;
use super::store::{EventType, Store};
use super::{Kind, Object};
use std::rc::Rc;

/// An open stream, on the server's side.
#[derive(Clone, Debug)]
pub struct WatchStream {
    kind: Kind,
    namespace: Option<Rc<str>>,
    /// Events up to this revision have been given out.
    sent: u64,
    /// Given out first.
    initial: Vec<WatchEvent<Object>>,
    ended: bool,
}

impl WatchStream {
    /// Open a stream.
    ///
    /// # Errors
    /// 400 where the version is no number; all else is told on the stream.
    pub fn open(
        store: &Store,
        kind: Kind,
        namespace: Option<Rc<str>>,
        options: &WatchOptions,
    ) -> Result<WatchStream, RequestError> {
        let asked = &options.resource_version;
        let unversioned = asked.is_empty() || *asked == ResourceVersion::any();
        let from = if unversioned {
            store.revision()
        } else {
            number(asked.as_str())?
        };
        let mut stream = WatchStream {
            kind,
            namespace,
            sent: from,
            initial: Vec::new(),
            ended: false,
        };
        if options.send_initial_events && from > store.revision() {
            stream.initial = vec![WatchEvent::Error(RequestError::TooLargeResourceVersion)];
            stream.ended = true;
        } else if options.send_initial_events || unversioned {
            stream.sent = store.revision();
            let present = store.listing(kind, stream.namespace.as_deref(), stream.sent)?;
            stream.initial = present.into_values().map(WatchEvent::Added).collect();
            if options.send_initial_events {
                stream.initial.push(WatchEvent::Bookmark {
                    resource_version: ResourceVersion::at(stream.sent),
                    initial_events_end: true,
                });
            }
        }
        Ok(stream)
    }

    /// All that is new since the last pull, in order. After an error there is nothing more.
    pub fn pull(&mut self, store: &Store) -> Vec<WatchEvent<Object>> {
        let mut events = std::mem::take(&mut self.initial);
        if self.ended {
            return events;
        }
        if self.sent < store.compacted() {
            self.ended = true;
            events.push(WatchEvent::Error(RequestError::Expired));
            return events;
        }
        let sent = self.sent;
        let past = store.past_events().rev();
        let new = past.take_while(|event| event.revision > sent);
        let start = events.len();
        for event in new.filter(|event| event.id.kind == self.kind) {
            let namespace = &event.object.meta.namespace;
            if self
                .namespace
                .as_ref()
                .is_some_and(|name| name != namespace)
            {
                continue;
            }
            let object = event.object.clone();
            events.push(match event.event {
                EventType::Added => WatchEvent::Added(object),
                EventType::Modified => WatchEvent::Modified(object),
                EventType::Deleted => WatchEvent::Deleted(object),
            });
        }
        events[start..].reverse();
        self.sent = sent.max(store.revision());
        events
    }

    /// A bookmark: all events up to now have been given out.
    pub fn bookmark(&self) -> WatchEvent<Object> {
        WatchEvent::Bookmark {
            resource_version: ResourceVersion::at(self.sent),
            initial_events_end: false,
        }
    }

    /// An error was given out: the stream is over.
    pub fn has_ended(&self) -> bool {
        self.ended
    }
}
