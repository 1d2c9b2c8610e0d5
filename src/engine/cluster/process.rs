//! The controller's process: it starts and stops, enqueues keys, and lets idle workers take them.

use super::{Cluster, Cue};
use crate::engine::agenda::Class;
use crate::engine::apiserver::{EventType, Kind, Object};
use crate::engine::controller::{Hand, Input, Pass, Phase, Section, Task, Work, configmap, next};
use crate::engine::key::Key;
use crate::engine::knobs::ControllerKind;
use crate::engine::record::{Causes, Fact, RecordId, Source, Why};
use crate::engine::sorted::in_order;
use crate::engine::workqueue::{AddOptions, Added, Get};

impl Cluster {
    pub(super) fn start(&mut self, cause: Option<RecordId>) {
        if self.controller.running {
            return;
        }
        self.controller.running = true;
        let started = self.record(cause.into(), Fact::ControllerStarted);
        if self.knobs.controller == ControllerKind::ConfigMap {
            self.subscribe(started);
            return;
        }
        // A list comes back in the order of the names.
        let ours = |object: &Object| object.body.kind() == Kind::DatabaseCluster;
        let listed = self.store.iter().filter(|(_, object)| ours(object));
        let listed = listed.map(|(key, _)| key);
        let listed = in_order(listed.map(|key| (self.keys.text(key), key)));
        let listed: Vec<Key> = listed.into_iter().map(|(_, key)| key).collect();
        let revision = self.store.revision();
        for key in listed {
            self.send(EventType::Added, Source::List, key, revision, started);
        }
    }

    #[inline(never)]
    pub(super) fn stop(&mut self, cause: RecordId) {
        if !self.controller.running {
            return;
        }
        let ready = self.controller.queue.len() as u32;
        let delayed = self.controller.queue.view().delayed.len() as u32;
        let in_hand = self.controller.in_hand();
        let fact = Fact::ControllerStopped {
            ready,
            delayed,
            in_hand,
        };
        let stopped = self.record(Causes::one(cause), fact);
        self.controller.stop(&self.knobs, self.now);
        let due = self.now + self.knobs.restart_time;
        self.agenda.push(
            due,
            Class::Delivery,
            Cue::Start {
                cause: Some(stopped),
            },
        );
    }

    pub(super) fn enqueue(&mut self, why: Why, key: Key, options: AddOptions, cause: RecordId) {
        let added = self.controller.queue.add(self.now, key, options);
        self.enqueued(why, key, added, cause);
    }

    fn enqueued(&mut self, why: Why, key: Key, added: Added, cause: RecordId) {
        let causes = match added {
            Added::MergedReady | Added::MergedDirty => {
                Causes::two(cause, self.controller.reasons.merged_into(key))
            }
            _ => Causes::one(cause),
        };
        let record = self.record(causes, Fact::Enqueued { why, key, added });
        self.controller.reasons.note(key, added, record);
    }

    pub(super) fn end_delays(&mut self) {
        while let Some((key, added)) = self.controller.queue.wake(self.now) {
            let reason = self.controller.reasons.end_delay(key, self.now);
            let cause = reason.expect("a delay was begun by a record");
            self.enqueued(Why::DelayOver, key, added, cause);
        }
    }

    pub(super) fn pick_up(&mut self) {
        for worker in 0..self.controller.workers.len() {
            if self.controller.workers[worker].is_some() {
                continue;
            }
            let Get::Item(key) = self.controller.queue.get(self.now) else {
                return;
            };
            self.controller.reconciles += 1;
            let n = self.controller.reconciles;
            let reason = self.controller.reasons.take(key);
            let worker = worker as u8;
            let latest = self.record(reason.into(), Fact::Started { worker, n, key });
            let hand = match self.knobs.controller {
                ControllerKind::Database => self.begin_database(worker, n, key, latest),
                ControllerKind::ConfigMap => {
                    let task = Task::ConfigMap(configmap::Pass::default());
                    let mut hand = Hand {
                        key,
                        n,
                        task,
                        latest,
                    };
                    self.take_label_step(worker, &mut hand, configmap::Input::Begin);
                    hand
                }
            };
            self.controller.workers[usize::from(worker)] = Some(hand);
        }
    }

    fn begin_database(&mut self, worker: u8, n: u32, key: Key, latest: RecordId) -> Hand {
        let mut pass = Pass::default();
        let step = next(&mut pass, Input::Begin, self.knobs.requeue_after);
        let phase = Phase::Section(Section::Fetch, step);
        let mut hand = Hand {
            key,
            n,
            task: Task::Database(Work { pass, phase }),
            latest,
        };
        self.begin_section(worker, &mut hand, Section::Fetch, step);
        hand
    }
}
