//! The reflector's watch, and its streaming list, which is a watch that begins with what is there.
//!
//! Mirrors `watch`, `watchList` and `handleAnyWatch` of
//! `k8s.io/client-go/tools/cache/reflector.go`.

use super::super::delta::{Cache, Delta};
use super::super::effect::{Context, Effect};
use super::super::notification::Cause;
use super::super::object::Object;
use super::{Next, Phase, Reflector, Snapshot};
use crate::engine::apiserver::ResourceVersion;
use crate::engine::apiserver::{RequestError, Verb, WatchEvent, WatchOptions};
use crate::engine::time::SimDuration;

/// A stream that ended sooner, without any event, was very short.
const SHORT_WATCH: SimDuration = SimDuration::from_secs(1);

impl<O: Object> Reflector<O> {
    pub(super) fn begin_watch(&mut self, cx: &mut Context<O>) {
        self.ask_watch(cx, self.last_version.clone(), None);
    }

    pub(super) fn begin_watch_list(&mut self, cx: &mut Context<O>) {
        let version = if self.version_unavailable {
            ResourceVersion::default()
        } else {
            self.last_version.clone()
        };
        self.ask_watch(cx, version, Some(Snapshot::new()));
    }

    fn ask_watch(
        &mut self,
        cx: &mut Context<O>,
        resource_version: ResourceVersion,
        snapshot: Option<Snapshot<O>>,
    ) {
        let options = WatchOptions {
            resource_version,
            timeout: cx.watch_timeout(),
            send_initial_events: snapshot.is_some(),
        };
        self.phase = Phase::Watch {
            request: self.ask(cx, Verb::Watch(options)),
            since: cx.now(),
            events: None,
            snapshot,
        };
    }

    fn is_snapshot(&self) -> bool {
        matches!(
            self.phase,
            Phase::Watch {
                snapshot: Some(_),
                ..
            }
        )
    }

    pub(super) fn watch_refused(&mut self, cx: &mut Context<O>, error: RequestError) {
        if self.is_snapshot() {
            self.snapshot_failed(cx, error);
        } else if error.is_watch_retriable() {
            self.back_off(cx, Next::Watch);
        } else {
            cx.emit(Effect::WatchFailed(error));
            self.end_cycle(cx);
        }
    }

    /// A streaming list failed; nobody hears of it.
    fn snapshot_failed(&mut self, cx: &mut Context<O>, error: RequestError) {
        if error.is_watch_retriable() {
            self.back_off(cx, Next::Cycle);
        } else if error.is_version_unavailable() {
            self.version_unavailable = true;
            self.begin_watch_list(cx);
        } else {
            self.begin_list(cx);
        }
    }

    pub(super) fn closed(&mut self, cx: &mut Context<O>) {
        let Phase::Watch {
            since,
            events,
            snapshot,
            ..
        } = &self.phase
        else {
            return;
        };
        let very_short = cx.now() - *since < SHORT_WATCH && *events == Some(0);
        match (snapshot.is_some(), very_short) {
            (false, false) => self.begin_watch(cx),
            (false, true) => self.end_cycle(cx),
            (true, false) => self.begin_watch_list(cx),
            (true, true) => self.begin_list(cx),
        }
    }

    pub(super) fn event(
        &mut self,
        cx: &mut Context<O>,
        cache: &mut Cache<O>,
        event: WatchEvent<O>,
    ) {
        if let WatchEvent::Error(error) = event {
            if self.is_snapshot() {
                self.snapshot_failed(cx, error);
            } else if error == RequestError::TooManyRequests {
                self.back_off(cx, Next::Watch);
            } else {
                self.end_cycle(cx);
            }
            return;
        }
        if let Phase::Watch {
            events: Some(events),
            ..
        } = &mut self.phase
        {
            *events += 1;
        }
        if self.is_snapshot() {
            self.snapshot_event(cx, cache, event);
            return;
        }
        let (version, delta) = match event {
            WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                (object.resource_version(), Delta::Put(object))
            }
            WatchEvent::Deleted(object) => (object.resource_version(), Delta::Deleted(object)),
            WatchEvent::Bookmark {
                resource_version, ..
            } => (resource_version.clone(), Delta::Bookmark(resource_version)),
            WatchEvent::Error(_) => unreachable!("handled above"),
        };
        cache.apply(cx.out, delta);
        self.last_version = version;
    }

    /// An event of a streaming list: cache and handlers see nothing until the last.
    fn snapshot_event(&mut self, cx: &mut Context<O>, cache: &mut Cache<O>, event: WatchEvent<O>) {
        let Phase::Watch {
            since,
            events,
            snapshot,
            ..
        } = &mut self.phase
        else {
            return;
        };
        let Some(objects) = snapshot else { return };
        match event {
            WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                objects.insert(object.key(), object);
            }
            WatchEvent::Deleted(object) => {
                objects.remove(&object.key());
            }
            WatchEvent::Bookmark {
                resource_version,
                initial_events_end: true,
            } => {
                let items = std::mem::take(objects).into_values().collect();
                // The same stream goes on as the watch, which begins now.
                (*since, *events, *snapshot) = (cx.now(), Some(0), None);
                self.replace(cx, cache, items, resource_version, Cause::Snapshot);
            }
            WatchEvent::Bookmark { .. } | WatchEvent::Error(_) => {}
        }
    }
}
