//! The informer: list and watch, a local cache, resync, and event handlers.
//!
//! Mirrors `SharedIndexInformer` of `k8s.io/client-go/tools/cache`, judged by recordings of the real
//! one. Its parts, in the order in which an event passes them: [`reflector`](Waiting) → deltas →
//! [`Indexer`] → one queue for each handler.
//!
//! Flow: it emits requests as data ([`Effect::Requested`]) and waits until
//! [`answer`](Informer::answer) brings an answer, however long that takes. Whoever drives it calls
//! [`advance`](Informer::advance) at [`next_deadline`](Informer::next_deadline).
//!
//! Guarantees: an informer is a value (`Clone`) and a function of the calls made on it; `now` and
//! chance ([`Draws`]) are handed in. The cache changes first, then handlers are told, each in the
//! order of the changes, nothing merged, nothing left out. What is redelivered on a resync comes
//! from the cache: it repairs nothing that the cache does not know.
//!
//! Left out on purpose: transform functions, filtering handlers, handlers that panic, metrics, the
//! mutation detector (a mutation is content here, see [`Informer::mutate_in_place`]).

mod backoff;
mod delta;
mod effect;
mod handler;
mod indexer;
mod notification;
mod object;
mod pager;
mod processor;
mod reflector;
#[cfg(test)]
mod tests;

pub use backoff::BackOff;
pub use delta::Fifo;
pub use effect::{Draws, Effect, HandlerId, SeededDraws};
pub use handler::HandlerOptions;
pub use indexer::{Index, Indexer};
pub use notification::{Cause, Change, Notification};
pub use object::{NAMESPACE_INDEX, Object};
pub use reflector::Waiting;

use super::apiserver::{Answer, RequestId, ResourceVersion};
use super::time::{SimDuration, SimTime};
use delta::Cache;
use effect::{Context, Out};
use processor::Processor;
use reflector::Reflector;
use std::rc::Rc;

/// An informer to build, as plain data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InformerConfig {
    /// How often the cache is redelivered; zero: never.
    pub resync: SimDuration,
    /// Upstream's gate `WatchListClient`: stream the first list.
    pub watch_list: bool,
    pub fifo: Fifo,
    /// The names of the indexes; an object says under which values it is listed.
    pub indexers: Vec<Rc<str>>,
}

/// A shared informer for one kind of object, with where its chance comes from.
#[derive(Clone, Debug)]
pub struct Informer<O, D> {
    reflector: Reflector<O>,
    cache: Cache<O>,
    draws: D,
    out: Out<O>,
}

impl<O: Object, D: Draws> Informer<O, D> {
    pub fn new(config: &InformerConfig, draws: D) -> Informer<O, D> {
        let indexer = Indexer::new(&config.indexers);
        let processor = Processor::new(config.resync);
        Informer {
            reflector: Reflector::new(config.watch_list),
            cache: Cache::new(config.fifo, indexer, processor),
            draws,
            out: Out {
                now: SimTime::ZERO,
                effects: Vec::new(),
            },
        }
    }

    /// What it did since this was called last, in order.
    #[must_use]
    pub fn take_effects(&mut self) -> Vec<(SimTime, Effect<O>)> {
        std::mem::take(&mut self.out.effects)
    }

    /// Register a handler. One that comes after the start is told first of all that is in the
    /// cache. None: the informer has stopped.
    pub fn add_handler(&mut self, now: SimTime, options: HandlerOptions) -> Option<HandlerId> {
        self.set_now(now);
        let started = match self.waiting() {
            Waiting::Stopped => return None,
            waiting => waiting != Waiting::NotStarted,
        };
        let id = self.cache.processor.add(now, options, started);
        for object in self.cache.objects() {
            self.cache.processor.tell_late(&mut self.out, id, object);
        }
        Some(id)
    }

    /// Remove a handler: what is queued for it is dropped.
    pub fn remove_handler(&mut self, id: HandlerId) {
        self.cache.processor.remove(id);
    }

    /// Run. A second start does nothing.
    pub fn start(&mut self, now: SimTime) {
        self.set_now(now);
        if self.waiting() == Waiting::NotStarted {
            self.with_reflector(|reflector, _, cx| reflector.start(cx));
        }
    }

    /// Stop for good: what is queued for handlers is dropped, the cache stays.
    pub fn stop(&mut self) {
        self.reflector.stop();
        self.cache.processor.close();
    }

    /// The server answers `request`. False: that request is not under way (any more), or has no such
    /// answer; nothing happened.
    pub fn answer(&mut self, now: SimTime, request: RequestId, answer: Answer<O>) -> bool {
        self.set_now(now);
        self.with_reflector(|reflector, cache, cx| reflector.answer(cx, cache, request, answer))
    }

    /// When something happens by itself next: the end of a back-off, a resync, the end of a call.
    pub fn next_deadline(&self) -> Option<SimTime> {
        let deadlines = [
            self.reflector.next_deadline(),
            self.cache.processor.next_deadline(),
        ];
        deadlines.into_iter().flatten().min()
    }

    /// Let time pass until `now`: everything due happens, each thing at its own time.
    pub fn advance(&mut self, now: SimTime) {
        while let Some(due) = self.next_deadline().filter(|&due| due <= now) {
            self.set_now(due);
            self.with_reflector(|reflector, cache, cx| reflector.advance(cx, cache));
            self.cache.processor.advance(&mut self.out);
        }
        self.set_now(now);
    }

    /// Somebody changes a cached object in place, behind the informer's back: it shows in the cache
    /// and wherever else that very object is held, and no index hears of it. False: there is none.
    pub fn mutate_in_place(&mut self, key: &str, edit: impl FnOnce(&mut O)) -> bool {
        let Some([before, after]) = self.cache.indexer.mutate(key, edit) else {
            return false;
        };
        self.cache.processor.swap(&before, &after);
        true
    }

    fn set_now(&mut self, now: SimTime) {
        assert!(now >= self.out.now, "an informer's time does not run back");
        self.out.now = now;
    }

    fn with_reflector<T>(
        &mut self,
        step: impl FnOnce(&mut Reflector<O>, &mut Cache<O>, &mut Context<O>) -> T,
    ) -> T {
        let mut cx = Context {
            out: &mut self.out,
            draws: &mut self.draws,
        };
        step(&mut self.reflector, &mut self.cache, &mut cx)
    }
}

/// What there is to see.
impl<O: Object, D: Draws> Informer<O, D> {
    pub fn waiting(&self) -> Waiting {
        self.reflector.waiting()
    }

    /// The request under way; an open stream is one.
    pub fn request(&self) -> Option<RequestId> {
        self.reflector.request()
    }

    /// The cache.
    pub fn store(&self) -> &Indexer<O> {
        &self.cache.indexer
    }

    /// The version of the cache (`LastStoreSyncResourceVersion`); kept with [`Fifo::Atomic`] only.
    pub fn store_version(&self) -> &ResourceVersion {
        &self.cache.version
    }

    /// The last version seen (`LastSyncResourceVersion`).
    pub fn last_resource_version(&self) -> &ResourceVersion {
        self.reflector.last_version()
    }

    /// Does the cache hold, or has it held, a whole list?
    pub fn has_synced(&self) -> bool {
        self.cache.synced
    }

    /// Has this handler returned from every initial add? None: there is no such handler.
    pub fn handler_has_synced(&self, id: HandlerId) -> Option<bool> {
        let handler = self.cache.processor.handler(id)?;
        Some(self.cache.synced && handler.is_caught_up())
    }

    /// How many notifications wait for this handler, beside the one that it may be at.
    pub fn handler_waiting(&self, id: HandlerId) -> Option<usize> {
        Some(self.cache.processor.handler(id)?.waiting())
    }

    /// Is this handler in a call?
    pub fn handler_in_call(&self, id: HandlerId) -> Option<bool> {
        Some(self.cache.processor.handler(id)?.is_in_call())
    }

    /// All registered handlers.
    pub fn handlers(&self) -> impl Iterator<Item = HandlerId> {
        self.cache.processor.ids()
    }
}

/// Handlers that do not return.
impl<O: Object, D: Draws> Informer<O, D> {
    /// From the next call on, this handler does not return from a call until it is released.
    pub fn block_handler(&mut self, id: HandlerId) {
        if let Some(handler) = self.cache.processor.handler_mut(id) {
            handler.block();
        }
    }

    /// If the handler hangs in a call, that call returns; the next one begins.
    pub fn release_handler(&mut self, now: SimTime, id: HandlerId) {
        self.set_now(now);
        if let Some(handler) = self.cache.processor.handler_mut(id) {
            handler.release(&mut self.out);
        }
    }

    /// A hanging call returns, and the handler blocks no more.
    pub fn unblock_handler(&mut self, now: SimTime, id: HandlerId) {
        self.set_now(now);
        if let Some(handler) = self.cache.processor.handler_mut(id) {
            handler.unblock(&mut self.out);
        }
    }
}
