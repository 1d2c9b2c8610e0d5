//! The whole simulated world as one value: store, actual state, controllers, agenda.
//!
//! A cluster is a function of its knobs, its seed and what was injected. It is played cue by cue,
//! each at its own due time, and can be cloned at any cue: a clone goes on exactly as the original
//! would. This file holds the only `match` over cues.

mod fault;
mod hear;
mod label;
mod pass;
mod people;
mod process;
mod serve;
mod subscription;

use super::actual::ActualWorld;
use super::agenda::{Agenda, Class};
use super::apiserver::{Answer, EventType, Object, ObjectId, Request, RequestId, Store};
use super::controller::Controller;
use super::controller::configmap::NAMESPACE;
use super::key::{Key, Keys};
use super::knobs::{ControllerKind, Knobs};
use super::paged::PagedList;
use super::record::{Actual, Causes, Fact, Record, RecordId, Source, Why, WriteAnswer};
use super::stimulus::{Actor, Stimulus};
use super::time::{SimDuration, SimTime};
use super::workqueue::AddOptions;
pub use fault::Faults;
use label::Update;
use std::rc::Rc;

/// Something that will happen.
#[derive(Clone, Debug)]
enum Cue {
    /// Somebody does something.
    Act(Actor, Rc<Stimulus>),
    /// One write of a burst, with `left` more to follow, each `gap` after the one before.
    Touch {
        key: Key,
        nth: u32,
        left: u32,
        gap: SimDuration,
        cause: RecordId,
    },
    /// The controller's process comes up.
    Start { cause: Option<RecordId> },
    /// An event arrives.
    Deliver {
        life: u32,
        event: EventType,
        source: Source,
        key: Key,
        revision: u64,
        cause: RecordId,
    },
    /// A deadline of the delaying queue.
    Wake { life: u32 },
    /// A section or an action of a worker ends.
    Work { life: u32, worker: u8 },
    /// Idle workers take keys.
    PickUp { life: u32 },
    /// A deadline of the informer.
    WakeInformer { life: u32 },
    /// An informer's request arrives at the API server.
    Ask {
        life: u32,
        request: Box<Request>,
        cause: RecordId,
    },
    /// An answer, or something on the stream, arrives at the informer.
    Bring {
        life: u32,
        request: RequestId,
        answer: Box<Answer<Object>>,
        cause: RecordId,
    },
    /// A watch has lasted as long as was asked for.
    EndStream { life: u32, request: RequestId },
    /// A worker's update arrives at the API server.
    Update(Box<Update>),
    /// The answer to it arrives at the worker.
    Reply {
        life: u32,
        worker: u8,
        answer: WriteAnswer,
        cause: RecordId,
    },
}

/// Where a burst leaves its count; any annotation would do, it is not part of the spec.
const TOUCHED: &str = "loopscope/touched";

/// The simulated world.
#[derive(Clone, Debug)]
pub struct Cluster {
    knobs: Rc<Knobs>,
    now: SimTime,
    keys: Keys,
    store: Store,
    actual: ActualWorld,
    controller: Controller,
    agenda: Agenda<Cue>,
    seed: u64,
    faults: Faults,
    /// By revision, from 1: the record of the write that made it, where there is one.
    write_records: PagedList<RecordId>,
    next_record: RecordId,
    fresh: Vec<Record>,
    rested: bool,
}

impl Cluster {
    /// A world at time zero: an empty store, and a controller about to start.
    pub fn new(knobs: Rc<Knobs>, seed: u64) -> Cluster {
        // Where there is an informer, the namespace that it watches was written before.
        let earlier = match knobs.controller {
            ControllerKind::Database => 0,
            ControllerKind::ConfigMap => 1,
        };
        let mut cluster = Cluster {
            now: SimTime::ZERO,
            keys: Keys::default(),
            store: Store::after(earlier),
            actual: ActualWorld::new(seed),
            controller: Controller::new(&knobs, SimTime::ZERO),
            agenda: Agenda::default(),
            seed,
            faults: Faults::default(),
            write_records: (0..earlier).map(|_| 0).collect(),
            next_record: 0,
            fresh: Vec::new(),
            rested: false,
            knobs,
        };
        cluster
            .agenda
            .push(SimTime::ZERO, Class::Delivery, Cue::Start { cause: None });
        cluster
    }

    pub fn now(&self) -> SimTime {
        self.now
    }

    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// About how many things it holds: what a clone costs.
    pub fn weight(&self) -> usize {
        self.agenda.len() + self.keys.len()
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    pub fn actual(&self, key: Key) -> Option<Actual> {
        self.actual.get(key)
    }

    pub fn controller(&self) -> &Controller {
        &self.controller
    }

    /// What the informer's cache holds under a key.
    pub fn cached(&self, key: Key) -> Option<&Rc<Object>> {
        let subscription = self.controller.subscription.as_ref()?;
        subscription.informer.store().get(self.keys.text(key))
    }

    /// What will go wrong because somebody asked for it.
    pub fn faults(&self) -> Faults {
        self.faults
    }

    /// The keys of the config maps that the controller is responsible for and that its cache has
    /// otherwise than the store, or not at all, or still.
    pub fn differing(&self) -> Vec<Key> {
        let ours = |key: &Key| {
            let namespace = self.keys.text(*key).split_once('/');
            namespace.is_some_and(|(namespace, _)| namespace == NAMESPACE)
        };
        let differs = |key: &Key| self.store.get(ObjectId::config_map(*key)) != self.cached(*key);
        let keys = (0..self.keys.len() as u32).map(Key);
        keys.filter(ours).filter(differs).collect()
    }

    /// Will the next upgrade fail for certain?
    pub fn will_fail_next_upgrade(&self) -> bool {
        self.actual.will_fail_next()
    }

    /// Records made so far, over the whole run.
    pub fn records_made(&self) -> RecordId {
        self.next_record
    }

    /// When the next cue is due; nothing, if nothing will ever happen again by itself.
    pub fn next_due(&self) -> Option<SimTime> {
        self.agenda.next_due()
    }

    /// Somebody does something at `due`, or now where that is past.
    pub fn inject(&mut self, due: SimTime, actor: Actor, stimulus: Stimulus) {
        let cue = Cue::Act(actor, Rc::new(stimulus));
        let class = match actor {
            Actor::Script => Class::People,
            Actor::Visitor => Class::Visitor,
        };
        self.agenda.push(due.max(self.now), class, cue);
    }

    /// Play all that is due up to and at `until`.
    pub fn advance_to(&mut self, until: SimTime, records: &mut Vec<Record>) {
        while self.next_due().is_some_and(|due| due <= until) {
            self.play_next(records);
        }
        self.now = self.now.max(until);
    }

    /// Play the next cue and append what happened. False if there was none.
    pub fn play_next(&mut self, records: &mut Vec<Record>) -> bool {
        let Some((due, cue)) = self.agenda.pop() else {
            return false;
        };
        assert!(
            due >= self.now,
            "a cue is never played before its time, nor after"
        );
        self.now = due;
        self.play(cue);
        self.keep_agenda();
        self.note_rest();
        records.append(&mut self.fresh);
        true
    }

    fn play(&mut self, cue: Cue) {
        match cue {
            Cue::Act(actor, stimulus) => self.act(actor, stimulus),
            Cue::Touch {
                key,
                nth,
                left,
                gap,
                cause,
            } => {
                self.schedule_touch(self.now + gap, key, nth + 1, left, gap, cause);
                self.touch(key, nth, cause);
            }
            Cue::Start { cause } => self.start(cause),
            Cue::Deliver {
                life,
                event,
                source,
                key,
                revision,
                cause,
            } => {
                if self.lives(life) {
                    self.controller.in_flight -= 1;
                    let fact = Fact::Delivered {
                        event,
                        source,
                        key,
                        revision,
                    };
                    let delivered = self.record(Causes::one(cause), fact);
                    self.enqueue(Why::Event, key, AddOptions::default(), delivered);
                }
            }
            Cue::Wake { life } => {
                // A deadline that was moved forward leaves a cue behind that nobody waits for.
                if self.lives(life) && self.controller.wake_at == Some(self.now) {
                    self.controller.wake_at = None;
                    self.end_delays();
                }
            }
            Cue::Work { life, worker } => {
                if self.lives(life) {
                    self.work(worker);
                }
            }
            Cue::PickUp { life } => {
                if self.lives(life) {
                    self.controller.pick_up_due = false;
                    self.pick_up();
                }
            }
            cue => self.play_on_wire(cue),
        }
    }

    /// One write of a burst.
    #[inline(never)]
    fn touch(&mut self, key: Key, nth: u32, cause: RecordId) {
        let id = self.id(key);
        self.write(key, cause, |store, _| {
            store.patch(id, |object| {
                let count = nth.to_string().into();
                object.meta.annotations.insert(TOUCHED.into(), count);
            })
        });
    }

    /// The cues of an informer and of a worker that waits for the API server.
    #[inline(never)]
    fn play_on_wire(&mut self, cue: Cue) {
        match cue {
            Cue::WakeInformer { life } if self.lives(life) => self.wake_informer(),
            Cue::Ask {
                life,
                request,
                cause,
            } if self.lives(life) => self.serve(&request, cause),
            Cue::Bring {
                life,
                request,
                answer,
                cause,
            } if self.lives(life) => self.hear(request, *answer, cause),
            Cue::EndStream { life, request } if self.lives(life) => self.time_out(request),
            Cue::Update(update) => self.take_update(*update),
            Cue::Reply {
                life,
                worker,
                answer,
                cause,
            } if self.lives(life) => self.hear_reply(worker, answer, cause),
            // Meant for a process that has ended since.
            _ => {}
        }
    }

    fn lives(&self, life: u32) -> bool {
        self.controller.running && self.controller.life == life
    }

    fn record(&mut self, causes: Causes, fact: Fact) -> RecordId {
        let id = self.next_record;
        self.next_record += 1;
        self.fresh.push(Record {
            id,
            at: self.now,
            causes,
            fact,
        });
        id
    }

    /// What the queue needs next goes on the agenda: its earliest deadline, and a pick-up where a
    /// key is ready and a worker idle.
    fn keep_agenda(&mut self) {
        let controller = &mut self.controller;
        if !controller.running {
            return;
        }
        let life = controller.life;
        if let Some(wake) = controller.queue.next_wake()
            && controller.wake_at.is_none_or(|at| wake < at)
        {
            controller.wake_at = Some(wake);
            self.agenda
                .push(wake.max(self.now), Class::Deadline, Cue::Wake { life });
        }
        if !controller.pick_up_due
            && !controller.queue.is_empty()
            && controller.workers.iter().any(Option::is_none)
        {
            controller.pick_up_due = true;
            self.agenda
                .push(self.now, Class::PickUp, Cue::PickUp { life });
        }
        self.keep_informer();
    }

    fn note_rest(&mut self) {
        let idle = self.controller.is_idle();
        if idle && !self.rested && self.controller.reconciles > 0 {
            let cause = self.next_record.checked_sub(1);
            self.record(cause.into(), Fact::Rested);
        }
        self.rested = idle;
    }
}
