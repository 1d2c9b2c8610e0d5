//! Deltas on their way from the reflector into the cache and to the handlers.
//!
//! Mirrors `k8s.io/client-go/tools/cache`: `the_real_fifo.go`, `delta_fifo.go`, and
//! `processDeltas` of `controller.go`. Upstream a queue and a goroutine lie between reflector and
//! cache; here a delta is processed in the instant in which it comes, so no delta ever waits for
//! another (what upstream leaves to scheduling is decided: in order).
//!
//! Guarantees: the cache changes before a handler is told; add or update is decided by the cache
//! and not by the event's type; versions are compared for equality only; the uid is not looked at.

use super::effect::{Effect, Out};
use super::indexer::Indexer;
use super::notification::{Cause, Change};
use super::object::Object;
use super::processor::Processor;
use crate::engine::apiserver::ResourceVersion;
use crate::engine::sorted::Set;
use std::rc::Rc;

/// Which of upstream's queues lies between reflector and cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fifo {
    /// `RealFIFO` with `AtomicFIFO`, today's default: a list replaces the cache at a stroke, and the
    /// cache knows its own version.
    #[default]
    Atomic,
    /// `RealFIFO` without: a list is taken in object by object, what is gone first.
    Real,
    /// The old `DeltaFIFO`: what is gone last, and a deletion of what is not there is swallowed.
    Delta,
}

/// What the reflector has to say.
#[derive(Clone, Debug)]
pub(super) enum Delta<O> {
    /// A whole list; `cause` is `List` or `Snapshot`.
    Replaced {
        items: Vec<Rc<O>>,
        version: ResourceVersion,
        cause: Cause,
    },
    Put(Rc<O>),
    Deleted(Rc<O>),
    Bookmark(ResourceVersion),
    /// Redeliver the whole cache.
    Sync,
}

/// The cache, its version, and the handlers behind it.
#[derive(Clone, Debug)]
pub(super) struct Cache<O> {
    fifo: Fifo,
    pub indexer: Indexer<O>,
    pub processor: Processor<O>,
    /// Has it held a whole list?
    pub synced: bool,
    /// The version of the cache itself; kept with `AtomicFIFO` only.
    pub version: ResourceVersion,
}

impl<O: Object> Cache<O> {
    pub fn new(fifo: Fifo, indexer: Indexer<O>, processor: Processor<O>) -> Cache<O> {
        Cache {
            fifo,
            indexer,
            processor,
            synced: false,
            version: ResourceVersion::default(),
        }
    }

    pub fn apply(&mut self, out: &mut Out<O>, delta: Delta<O>) {
        let version = match delta {
            Delta::Replaced {
                items,
                version,
                cause,
            } => {
                self.replace(out, &items, cause);
                if !self.synced {
                    self.synced = true;
                    out.emit(Effect::Synced);
                }
                version
            }
            Delta::Put(object) => {
                let version = object.resource_version();
                self.put(out, object, Cause::Watch);
                version
            }
            Delta::Deleted(object) => {
                let known = self.indexer.remove(&object.key()).is_some();
                let version = object.resource_version();
                if known || self.fifo != Fifo::Delta {
                    let change = Change::Delete {
                        old: object,
                        tombstone: false,
                    };
                    self.processor.distribute(out, Cause::Watch, change);
                }
                version
            }
            Delta::Bookmark(version) => version,
            Delta::Sync => {
                for object in self.objects() {
                    let change = Change::Update {
                        old: object.clone(),
                        new: object,
                    };
                    self.processor.distribute(out, Cause::Resync, change);
                }
                return;
            }
        };
        if self.fifo == Fifo::Atomic {
            self.version = version;
        }
    }

    /// All objects, in the order of their keys.
    pub fn objects(&self) -> Vec<Rc<O>> {
        let objects = self.indexer.iter().map(|(_, object)| object.clone());
        objects.collect()
    }

    fn replace(&mut self, out: &mut Out<O>, items: &[Rc<O>], cause: Cause) {
        let listed: Set<Rc<str>> = items.iter().map(|object| object.key()).collect();
        let gone: Vec<Rc<str>> = self
            .indexer
            .iter()
            .map(|(key, _)| key.clone())
            .filter(|key| !listed.contains(key))
            .collect();
        match self.fifo {
            Fifo::Atomic => {
                let pair = |item: &Rc<O>| (self.indexer.get(&item.key()).cloned(), item.clone());
                let pairs: Vec<_> = items.iter().map(pair).collect();
                let gone = gone.iter().map(|key| self.indexer.get(key).cloned());
                let gone: Vec<_> = gone.flatten().collect();
                self.indexer.replace(items);
                for old in gone {
                    self.bury(out, old);
                }
                for (old, new) in pairs {
                    self.tell(out, old, new, cause);
                }
            }
            Fifo::Real => {
                self.remove(out, &gone);
                self.put_all(out, items, cause);
            }
            Fifo::Delta => {
                self.put_all(out, items, cause);
                self.remove(out, &gone);
            }
        }
    }

    fn put_all(&mut self, out: &mut Out<O>, items: &[Rc<O>], cause: Cause) {
        for item in items {
            self.put(out, item.clone(), cause);
        }
    }

    fn put(&mut self, out: &mut Out<O>, new: Rc<O>, cause: Cause) {
        let old = self.indexer.put(&new);
        self.tell(out, old, new, cause);
    }

    fn tell(&mut self, out: &mut Out<O>, old: Option<Rc<O>>, new: Rc<O>, cause: Cause) {
        let change = match old {
            Some(old) => Change::Update { old, new },
            None => Change::Add {
                new,
                initial: !self.synced,
            },
        };
        self.processor.distribute(out, cause, change);
    }

    fn remove(&mut self, out: &mut Out<O>, keys: &[Rc<str>]) {
        for key in keys {
            if let Some(old) = self.indexer.remove(key) {
                self.bury(out, old);
            }
        }
    }

    /// Its deletion was missed.
    fn bury(&mut self, out: &mut Out<O>, old: Rc<O>) {
        let change = Change::Delete {
            old,
            tombstone: true,
        };
        self.processor.distribute(out, Cause::Relist, change);
    }
}
