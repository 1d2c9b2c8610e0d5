//! What people do to the cluster, and what the store makes of it: writes, and the events that they
//! send on their way.

use super::fault::Writer;
use super::{Cluster, Cue};
use crate::engine::agenda::Class;
use crate::engine::apiserver::{
    Answer, ApiError, DatabaseSpec, EventType, Kind, Object, ObjectId, RequestError, Store,
    WatchEvent, Write, WriteVerb,
};
use crate::engine::key::Key;
use crate::engine::knobs::ControllerKind;
use crate::engine::record::{Causes, Fact, RecordId, Reply, Source, WriteAnswer};
use crate::engine::stimulus::{Actor, Manifest, Stimulus};
use crate::engine::time::{SimDuration, SimTime};
use std::rc::Rc;

impl Cluster {
    pub(super) fn act(&mut self, actor: Actor, stimulus: Rc<Stimulus>) {
        let fact = Fact::Acted {
            actor,
            stimulus: stimulus.clone(),
        };
        let cause = self.record(Causes::NONE, fact);
        let key = stimulus.key().map(|name| self.keys.intern(name));
        match (&*stimulus, key) {
            (
                &Stimulus::Create {
                    replicas, version, ..
                },
                Some(key),
            ) => {
                let spec = DatabaseSpec { replicas, version };
                self.write(key, cause, |store, _| {
                    store.create(key, Object::database(spec))
                });
            }
            (&Stimulus::Scale { replicas, .. }, Some(key)) => {
                self.write(key, cause, |store, _| {
                    store.patch(key, |object| object.database_spec_mut().replicas = replicas)
                });
            }
            (&Stimulus::Upgrade { version, .. }, Some(key)) => {
                self.write(key, cause, |store, _| {
                    store.patch(key, |object| object.database_spec_mut().version = version)
                });
            }
            (&Stimulus::Burst { count, gap, .. }, Some(key)) => {
                // Counted on from the last touch, so that a second burst changes something too.
                self.schedule_touch(self.now, key, self.next_record, count, gap, cause);
            }
            (Stimulus::Delete { .. }, Some(key)) => {
                let id = self.id(key);
                self.write(key, cause, |store, _| store.delete(id));
            }
            (Stimulus::KillReplica { .. }, Some(key)) => self.kill_replica(key, cause),
            (Stimulus::RestartController, _) => self.stop(cause),
            (Stimulus::FailNextUpgrade, _) => self.actual.fail_next_upgrade(),
            (stimulus, key) => self.act_on_config_maps(stimulus, key, cause),
        }
    }

    #[inline(never)]
    fn act_on_config_maps(&mut self, stimulus: &Stimulus, key: Option<Key>, cause: RecordId) {
        match (stimulus, key) {
            (Stimulus::CreateConfigMap { manifest, .. }, Some(key)) => {
                self.create_config_map(key, manifest, cause);
            }
            (Stimulus::ApplyConfigMap { manifest, .. }, Some(key)) => {
                let id = ObjectId::config_map(key);
                if self.store.get(id).is_none() {
                    self.create_config_map(key, manifest, cause);
                } else {
                    let verb = WriteVerb::Patch(manifest.patch().merge());
                    self.write(key, cause, |store, now| store.write(now, id, &verb));
                }
            }
            (Stimulus::Patch { patch, .. }, Some(key)) => {
                let (id, verb) = (self.id(key), WriteVerb::Patch(patch.merge()));
                self.write(key, cause, |store, now| store.write(now, id, &verb));
            }
            (Stimulus::CreateMany { name, count }, _) => {
                for number in 1..=*count {
                    let key = self.keys.intern(&format!("{name}-{number:03}"));
                    self.create_config_map(key, &Manifest::default(), cause);
                }
            }
            (Stimulus::RefuseWrites { span }, _) => self.faults.refuse_for(self.now, *span),
            (Stimulus::RefuseNext { writes }, _) => self.faults.refuse_next = *writes,
            (Stimulus::RefuseController, _) => self.faults.refuse_controller = 1,
            (Stimulus::SwallowReconcile, _) => self.faults.swallow = 1,
            (Stimulus::LoseEvent, _) => self.faults.lose = 1,
            (Stimulus::CloseWatch, _) => {
                let reply = Reply::Closed { error: None };
                self.end_stream(Answer::Closed, reply, cause);
            }
            (Stimulus::ExpireWatch, _) => {
                self.store.compact();
                let error = RequestError::Expired;
                let reply = Reply::Closed { error: Some(error) };
                let answer = Answer::Event(WatchEvent::Error(error));
                self.end_stream(answer, reply, cause);
            }
            (stimulus, key) => unreachable!("done elsewhere: {stimulus:?} to {key:?}"),
        }
    }

    fn create_config_map(&mut self, key: Key, manifest: &Manifest, cause: RecordId) {
        let text = self.keys.text(key);
        let (namespace, name) = text.split_once('/').unwrap_or(("", text));
        let verb = WriteVerb::Create(Rc::new(manifest.object(namespace, name)));
        let id = ObjectId::config_map(key);
        self.write(key, cause, |store, now| store.write(now, id, &verb));
    }

    /// The object under `key`, of the kind that this cluster's controller is about.
    pub(super) fn id(&self, key: Key) -> ObjectId {
        match self.knobs.controller {
            ControllerKind::Database => key.into(),
            ControllerKind::ConfigMap => ObjectId::config_map(key),
        }
    }

    /// A person's write, if it is not refused.
    pub(super) fn write(
        &mut self,
        key: Key,
        cause: RecordId,
        write: impl FnOnce(&mut Store, SimTime) -> Result<Write, ApiError>,
    ) {
        let admitted = self.faults.admit(self.now, Writer::Person);
        let written = admitted.and_then(|()| write(&mut self.store, self.now));
        self.written(key, written, cause);
    }

    /// The next of `count` writes of a burst. The others follow from it, one by one, so that the
    /// agenda stays short however long the burst is.
    #[inline(never)]
    pub(super) fn schedule_touch(
        &mut self,
        due: SimTime,
        key: Key,
        nth: u32,
        count: u32,
        gap: SimDuration,
        cause: RecordId,
    ) {
        let Some(left) = count.checked_sub(1) else {
            return;
        };
        let cue = Cue::Touch {
            key,
            nth,
            left,
            gap,
            cause,
        };
        self.agenda.push(due, Class::People, cue);
    }

    /// The API server has decided about a write: what its sender is told, and the record of it.
    pub(super) fn written(
        &mut self,
        key: Key,
        write: Result<Write, ApiError>,
        cause: RecordId,
    ) -> (WriteAnswer, RecordId) {
        let cause = Causes::one(cause);
        match write {
            Ok(Write::Revision {
                event,
                revision,
                object,
            }) => {
                let kind = object.body.kind();
                let fact = Fact::Written {
                    event,
                    key,
                    revision,
                    object,
                };
                let written = self.record(cause, fact);
                self.write_records.push(written);
                match self.knobs.controller {
                    ControllerKind::Database if kind == Kind::DatabaseCluster => {
                        self.send(event, Source::Watch, key, revision, written);
                    }
                    ControllerKind::Database => {}
                    ControllerKind::ConfigMap => self.fan_out(None),
                }
                (WriteAnswer::Written { revision }, written)
            }
            Ok(Write::Unchanged) => {
                let record = self.record(cause, Fact::Unchanged { key });
                (WriteAnswer::Unchanged, record)
            }
            Err(error) => {
                let record = self.record(cause, Fact::Refused { key, error });
                (WriteAnswer::Failed { error }, record)
            }
        }
    }

    /// Put an event on its way, if somebody watches and its buffer has room.
    pub(super) fn send(
        &mut self,
        event: EventType,
        source: Source,
        key: Key,
        revision: u64,
        cause: RecordId,
    ) {
        if !self.controller.running {
            return;
        }
        // As in the article's program, a deletion is never dropped; nor is an answer to a list.
        let full = self.controller.in_flight >= self.knobs.watch_buffer;
        if full && source != Source::List && event != EventType::Deleted {
            self.record(
                Causes::one(cause),
                Fact::Dropped {
                    event,
                    key,
                    revision,
                },
            );
            return;
        }
        let arrives = self.now + self.knobs.watch_delay;
        let fact = Fact::Sent {
            event,
            source,
            key,
            revision,
            arrives,
        };
        let sent = self.record(Causes::one(cause), fact);
        self.controller.in_flight += 1;
        let life = self.controller.life;
        let cue = Cue::Deliver {
            life,
            event,
            source,
            key,
            revision,
            cause: sent,
        };
        self.agenda.push(arrives, Class::Delivery, cue);
    }

    #[inline(never)]
    fn kill_replica(&mut self, key: Key, cause: RecordId) {
        let Some(actual) = self.actual.kill_replica(key) else {
            return;
        };
        let lost = self.record(Causes::one(cause), Fact::ReplicaLost { key, actual });
        if self.knobs.owned_watched {
            let revision = self.store.revision();
            self.send(EventType::Deleted, Source::Owned, key, revision, lost);
        }
    }
}
