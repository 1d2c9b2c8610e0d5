//! The part of the picture between the API server and a controller with an informer: the cache,
//! and what is on its way there and back.

use super::view::{Card, View};
use crate::engine::apiserver::{Body, EventType, Object};
use crate::engine::controller::configmap::NAMESPACE;
use crate::engine::key::Key;
use crate::engine::record::{Asked, Fact, Record, RecordId, Reply, WriteAnswer};
use crate::engine::time::SimTime;
use std::rc::Rc;

/// A config map in the store.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigCard {
    pub key: Key,
    pub object: Rc<Object>,
    pub revision: u64,
    /// The write that made it so.
    pub record: RecordId,
}

/// An object as the informer's cache has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cached {
    pub key: Key,
    pub object: Rc<Object>,
    pub revision: u64,
    /// Reconcile changed it in place: it is no object that the API server ever sent.
    pub scribbled: bool,
    /// The fact that made it so.
    pub record: RecordId,
}

/// How the cache differs from the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The store has the object, the cache does not.
    Missing,
    /// Both have it, and the two are not the same.
    Other,
    /// The cache has an object that is gone from the store.
    Gone,
}

/// What the informer is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Informing {
    #[default]
    Listing,
    /// It asks for a watch.
    Asking,
    Watching,
    BackingOff {
        from: SimTime,
        until: SimTime,
    },
}

/// The informer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InformerView {
    pub doing: Informing,
    pub synced: bool,
    /// Whole lists that have come.
    pub lists: u32,
    /// The fact of the latest one's coming.
    pub listed: Option<RecordId>,
    pub resyncs: u32,
    /// Since when the next resync is waited for: since a list, or since the resync before.
    pub resync_since: Option<SimTime>,
}

/// What is on its way between the API server and the controller, beside events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parcel {
    /// A request of the informer.
    List,
    Watch,
    /// An answer to it.
    Answer(Reply),
    /// A worker's update.
    Update {
        worker: u8,
        n: u32,
        key: Key,
    },
    /// The answer to that.
    Reply {
        worker: u8,
        n: u32,
        key: Key,
        answer: WriteAnswer,
    },
}

/// A request or an answer on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    pub parcel: Parcel,
    pub left: SimTime,
    pub arrives: SimTime,
    pub record: RecordId,
}

impl View {
    /// How the cache differs from the store under `key`, if it does.
    pub fn difference(&self, key: Key) -> Option<Difference> {
        match (self.config_maps.get(&key), self.cache.get(&key)) {
            (None, None) => None,
            (None, Some(_)) => Some(Difference::Gone),
            (Some(card), None) => {
                let watched = *card.object.meta.namespace == *NAMESPACE;
                (self.informer.is_some() && watched).then_some(Difference::Missing)
            }
            (Some(card), Some(cached)) => {
                let same = Rc::ptr_eq(&card.object, &cached.object) || card.object == cached.object;
                (!same).then_some(Difference::Other)
            }
        }
    }

    pub(super) fn stored(
        &mut self,
        record: &Record,
        event: EventType,
        key: Key,
        object: &Rc<Object>,
    ) {
        let revision = self.counters.revision;
        match (event, &object.body) {
            (EventType::Deleted, Body::DatabaseCluster(_)) => {
                self.objects.remove(&key);
            }
            (EventType::Deleted, Body::ConfigMap(_)) => {
                self.config_maps.remove(&key);
            }
            (_, Body::DatabaseCluster(spec)) => {
                let card = Card {
                    key,
                    spec: *spec,
                    revision,
                    record: record.id,
                };
                self.objects.insert(key, card);
            }
            (_, Body::ConfigMap(_)) => {
                let card = ConfigCard {
                    key,
                    object: object.clone(),
                    revision,
                    record: record.id,
                };
                self.config_maps.insert(key, card);
            }
        }
        if self.landed(record) {
            self.counters.writes += 1;
        }
    }

    /// The message that caused `record` has arrived. True if there was one.
    pub(super) fn landed(&mut self, record: &Record) -> bool {
        let before = self.messages.len();
        let caused = |message: &Message| record.causes.contains(message.record);
        self.messages.retain(|message| !caused(message));
        self.messages.len() < before
    }

    /// The controller's process has ended: what was meant for it goes nowhere. An update that is
    /// under way still arrives.
    #[inline(never)]
    pub(super) fn unplug(&mut self) {
        self.cache.clear();
        self.messages
            .retain(|message| matches!(message.parcel, Parcel::Update { .. }));
        if let Some(informer) = &mut self.informer {
            *informer = InformerView::default();
        }
    }

    fn depart(&mut self, record: &Record, parcel: Parcel, arrives: SimTime) {
        self.messages.push_back(Message {
            parcel,
            left: record.at,
            arrives,
            record: record.id,
        });
    }

    fn informer(&mut self) -> &mut InformerView {
        self.informer.get_or_insert_default()
    }

    #[inline(never)]
    pub(super) fn apply_on_wire(&mut self, record: &Record) {
        match &record.fact {
            Fact::Requested { asked, arrives } => {
                let (parcel, doing) = match asked {
                    Asked::List { .. } => (Parcel::List, Informing::Listing),
                    Asked::Watch { .. } => (Parcel::Watch, Informing::Asking),
                };
                self.counters.requests += 1;
                self.informer().doing = doing;
                self.depart(record, parcel, *arrives);
            }
            Fact::Answered { reply, arrives } => {
                // A stream that ends as soon as it opens: the opening is its cause, and still under way.
                let asks = |parcel| matches!(parcel, Parcel::List | Parcel::Watch);
                self.messages.retain(|message| {
                    !asks(message.parcel) || !record.causes.contains(message.record)
                });
                self.depart(record, Parcel::Answer(*reply), *arrives);
            }
            Fact::Listed { .. } => {
                self.landed(record);
                let informer = self.informer();
                informer.lists += 1;
                informer.listed = Some(record.id);
                informer.resync_since = Some(record.at);
            }
            Fact::Synced => self.informer().synced = true,
            Fact::WatchOpened => {
                self.landed(record);
                self.informer().doing = Informing::Watching;
            }
            Fact::WatchClosed { .. } | Fact::RequestFailed { .. } => {
                self.landed(record);
            }
            Fact::BackedOff { until } => {
                let from = record.at;
                self.informer().doing = Informing::BackingOff {
                    from,
                    until: *until,
                };
            }
            Fact::EventLost { .. } => self.counters.dropped += 1,
            Fact::CacheSet {
                key,
                revision,
                object,
            } => self.cached(record, *key, *revision, object, false),
            Fact::CacheDeleted { key } => {
                self.cache.remove(key);
            }
            Fact::Resynced { .. } => {
                let informer = self.informer();
                informer.resyncs += 1;
                informer.resync_since = Some(record.at);
            }
            _ => self.apply_to_hand(record),
        }
    }

    #[inline(never)]
    fn apply_to_hand(&mut self, record: &Record) {
        match &record.fact {
            Fact::CacheRead { worker, object, .. } => self.hand(*worker, |hand| {
                hand.fetched = true;
                hand.cached.clone_from(object);
            }),
            Fact::Scribbled {
                key,
                revision,
                object,
                ..
            } => self.cached(record, *key, *revision, object, true),
            &Fact::WriteSent {
                worker,
                n,
                key,
                arrives,
                ..
            } => self.depart(record, Parcel::Update { worker, n, key }, arrives),
            &Fact::WriteReplied {
                worker,
                n,
                key,
                answer,
                arrives,
            } => {
                let parcel = Parcel::Reply {
                    worker,
                    n,
                    key,
                    answer,
                };
                self.depart(record, parcel, arrives);
            }
            &Fact::WriteAnswered { worker, answer, .. } => {
                self.landed(record);
                if answer.result().is_err() {
                    self.counters.failed_writes += 1;
                }
                self.hand(worker, |hand| hand.answer = Some(answer));
            }
            _ => {}
        }
    }

    fn cached(
        &mut self,
        record: &Record,
        key: Key,
        revision: u64,
        object: &Rc<Object>,
        scribbled: bool,
    ) {
        let cached = Cached {
            key,
            object: object.clone(),
            revision,
            scribbled,
            record: record.id,
        };
        self.cache.insert(key, cached);
    }
}
