//! What people do to the cluster, and what the store makes of it: writes, and the events that they
//! send on their way.

use super::{Cluster, Cue};
use crate::engine::agenda::Class;
use crate::engine::apiserver::{ApiError, DatabaseSpec, EventType, Object, Write};
use crate::engine::key::Key;
use crate::engine::record::{Causes, Fact, RecordId, Source};
use crate::engine::stimulus::{Actor, Stimulus};
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
                let write = self.store.create(key, Object::database(spec));
                self.written(key, write, cause);
            }
            (&Stimulus::Scale { replicas, .. }, Some(key)) => {
                let write = self
                    .store
                    .patch(key, |object| object.database_spec_mut().replicas = replicas);
                self.written(key, write, cause);
            }
            (&Stimulus::Upgrade { version, .. }, Some(key)) => {
                let write = self
                    .store
                    .patch(key, |object| object.database_spec_mut().version = version);
                self.written(key, write, cause);
            }
            (&Stimulus::Burst { count, gap, .. }, Some(key)) => {
                // Counted on from the last touch, so that a second burst changes something too.
                self.schedule_touch(self.now, key, self.next_record, count, gap, cause);
            }
            (Stimulus::Delete { .. }, Some(key)) => {
                let write = self.store.delete(key);
                self.written(key, write, cause);
            }
            (Stimulus::KillReplica { .. }, Some(key)) => self.kill_replica(key, cause),
            (Stimulus::RestartController, _) => self.stop(cause),
            (Stimulus::FailNextUpgrade, _) => self.actual.fail_next_upgrade(),
            (_, None) => unreachable!("the other stimuli name a key"),
        }
    }

    /// The next of `count` writes of a burst. The others follow from it, one by one, so that the
    /// agenda stays short however long the burst is.
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

    pub(super) fn written(&mut self, key: Key, write: Result<Write, ApiError>, cause: RecordId) {
        let cause = Causes::one(cause);
        match write {
            Ok(Write::Revision {
                event,
                revision,
                object,
            }) => {
                let spec = object.database_spec();
                let fact = Fact::Written {
                    event,
                    key,
                    revision,
                    object,
                    spec,
                };
                let written = self.record(cause, fact);
                self.send(event, Source::Watch, key, revision, written);
            }
            Ok(Write::Unchanged) => {
                self.record(cause, Fact::Unchanged { key });
            }
            Err(error) => {
                self.record(cause, Fact::Refused { key, error });
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
