//! One pass of the config map reconciler: it reads the cache, and sends what it changed to the API
//! server, which takes its time and may refuse.

use super::fault::{Writer, take};
use super::{Cluster, Cue};
use crate::engine::agenda::Class;
use crate::engine::apiserver::{Object, ObjectId, WriteVerb};
use crate::engine::controller::configmap::{Input, Step, is_labelled, put_label};
use crate::engine::controller::{Hand, Section};
use crate::engine::key::Key;
use crate::engine::record::{Causes, Fact, RecordId, WriteAnswer};
use std::rc::Rc;

/// An update on its way to the API server.
#[derive(Clone, Debug)]
pub(super) struct Update {
    pub life: u32,
    pub worker: u8,
    pub n: u32,
    pub key: Key,
    pub object: Rc<Object>,
    pub cause: RecordId,
}

impl Cluster {
    /// Take the step that `input` leads to. True while the key stays in the worker's hand.
    #[inline(never)]
    pub(super) fn take_label_step(&mut self, worker: u8, hand: &mut Hand, input: Input) -> bool {
        match hand.config_map().next(input, self.knobs.wait_on_conflict) {
            Step::Enter(section) => {
                let until = self.note_section(worker, hand, section);
                if section == Section::WriteBack {
                    self.send_update(worker, hand);
                } else {
                    self.schedule_work(worker, until);
                }
                true
            }
            Step::Done(conclusion) => {
                self.finish(worker, hand, conclusion);
                false
            }
        }
    }

    /// A section is over.
    #[inline(never)]
    pub(super) fn end_section(&mut self, worker: u8, hand: &mut Hand) -> bool {
        let section = hand.config_map().section;
        let input = match section {
            Section::ReadCache => Input::Cached(self.read_cache(worker, hand)),
            Section::Labelled
                if hand.config_map().needs_label() && take(&mut self.faults.swallow) =>
            {
                let (n, key) = (hand.n, hand.key);
                let fact = Fact::Swallowed { worker, n, key };
                hand.latest = self.record(Causes::one(hand.latest), fact);
                Input::Swallowed
            }
            Section::DeepCopy => Input::Copied(self.label(worker, hand)),
            _ => Input::Over,
        };
        self.take_label_step(worker, hand, input)
    }

    fn read_cache(&mut self, worker: u8, hand: &mut Hand) -> Option<Rc<Object>> {
        let sub = self.controller.subscription.as_ref()?;
        let object = sub.informer.store().get(self.keys.text(hand.key)).cloned();
        let fact = Fact::CacheRead {
            worker,
            n: hand.n,
            key: hand.key,
            revision: object.as_ref().map(|object| object.meta.resource_version),
            labelled: object.as_ref().is_some_and(|object| is_labelled(object)),
            object: object.clone(),
        };
        hand.latest = self.record(Causes::one(hand.latest), fact);
        object
    }

    /// The object with its label: a copy, or the very object that the cache holds.
    fn label(&mut self, worker: u8, hand: &mut Hand) -> Rc<Object> {
        let read = hand.config_map().object.clone();
        let read = read.expect("only what exists is labelled");
        let mut object = Object::clone(&read);
        put_label(&mut object);
        let object = Rc::new(object);
        if self.knobs.deep_copy {
            return object;
        }
        let key = self.keys.text(hand.key);
        let sub = self.controller.subscription.as_mut();
        let informer = &mut sub.expect("a worker's controller is up").informer;
        let held = informer.store().get(key);
        // An event may have put another object there since; then the pass scribbles on one that only
        // it still holds.
        if held.is_none_or(|held| !Rc::ptr_eq(held, &read)) {
            return object;
        }
        informer.mutate_in_place(key, put_label);
        let scribbled = informer.store().get(key).cloned();
        let object = scribbled.expect("it is there still");
        let fact = Fact::Scribbled {
            worker,
            n: hand.n,
            key: hand.key,
            revision: object.meta.resource_version,
            object: object.clone(),
        };
        hand.latest = self.record(Causes::one(hand.latest), fact);
        object
    }

    fn send_update(&mut self, worker: u8, hand: &mut Hand) {
        let object = hand.config_map().object.clone();
        let object = object.expect("what is written was copied before");
        let (n, key) = (hand.n, hand.key);
        let arrives = self.now + self.knobs.request_latency;
        let fact = Fact::WriteSent {
            worker,
            n,
            key,
            revision: object.meta.resource_version,
            object: object.clone(),
            arrives,
        };
        hand.latest = self.record(Causes::one(hand.latest), fact);
        let update = Update {
            life: self.controller.life,
            worker,
            n,
            key,
            object,
            cause: hand.latest,
        };
        self.agenda
            .push(arrives, Class::Delivery, Cue::Update(Box::new(update)));
    }

    /// An update has reached the API server. It is taken or not, whether or not its sender lives.
    pub(super) fn take_update(&mut self, update: Update) {
        let Update {
            life,
            worker,
            n,
            key,
            object,
            cause,
        } = update;
        let admitted = self.faults.admit(self.now, Writer::Controller);
        let verb = WriteVerb::Update(object);
        let id = ObjectId::config_map(key);
        let write = admitted.and_then(|()| self.store.write(self.now, id, &verb));
        let (answer, record) = self.written(key, write, cause);
        if !self.lives(life) {
            return;
        }
        let arrives = self.now + self.knobs.request_latency;
        let fact = Fact::WriteReplied {
            worker,
            n,
            key,
            answer,
            arrives,
        };
        let cause = self.record(Causes::one(record), fact);
        let cue = Cue::Reply {
            life,
            worker,
            answer,
            cause,
        };
        self.agenda.push(arrives, Class::Work, cue);
    }

    /// The API server's answer has reached the worker.
    pub(super) fn hear_reply(&mut self, worker: u8, answer: WriteAnswer, cause: RecordId) {
        let hand = self.controller.workers[usize::from(worker)].take();
        let mut hand = hand.expect("only a worker with a key waits for an answer");
        let fact = Fact::WriteAnswered {
            worker,
            n: hand.n,
            key: hand.key,
            answer,
        };
        hand.latest = self.record(Causes::one(cause), fact);
        let input = Input::Answered(answer.result());
        if self.take_label_step(worker, &mut hand, input) {
            self.controller.workers[usize::from(worker)] = Some(hand);
        }
    }
}
