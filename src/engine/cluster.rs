//! The whole simulated world as one value: store, actual state, controllers, agenda.
//!
//! A cluster is a function of its knobs, its seed and what was injected. It is played cue by cue,
//! each at its own due time, and can be cloned at any cue: a clone goes on exactly as the original
//! would. This file holds the only `match` over cues.

use super::actual::ActualWorld;
use super::agenda::{Agenda, Class};
use super::apiserver::{ApiError, EventType, Object, Store, Write};
use super::controller::outcome::{QueueCall, Reaction};
use super::controller::{
    Action, Conclusion, Controller, Hand, Input, Pass, Phase, Section, Step, effect, next,
    section_time,
};
use super::key::{Key, Keys};
use super::knobs::{Knobs, QueueKind};
use super::record::{Actual, Causes, Fact, Record, RecordId, Source, Why};
use super::stimulus::{Actor, Stimulus};
use super::time::{SimDuration, SimTime};
use super::workqueue::{AddOptions, Added, Get};
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
    next_record: RecordId,
    fresh: Vec<Record>,
    rested: bool,
}

impl Cluster {
    /// A world at time zero: an empty store, and a controller about to start.
    pub fn new(knobs: Rc<Knobs>, seed: u64) -> Cluster {
        let mut cluster = Cluster {
            now: SimTime::ZERO,
            keys: Keys::default(),
            store: Store::default(),
            actual: ActualWorld::new(seed),
            controller: Controller::new(&knobs, SimTime::ZERO),
            agenda: Agenda::default(),
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

    pub fn store(&self) -> &Store {
        &self.store
    }

    pub fn actual(&self, key: Key) -> Option<Actual> {
        self.actual.get(key)
    }

    pub fn controller(&self) -> &Controller {
        &self.controller
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
                let write = self.store.patch(key, |object| {
                    object
                        .meta
                        .annotations
                        .insert(TOUCHED.into(), nth.to_string().into());
                });
                self.written(key, write, cause);
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

/// People and the store.
impl Cluster {
    fn act(&mut self, actor: Actor, stimulus: Rc<Stimulus>) {
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
                let spec = super::apiserver::DatabaseSpec { replicas, version };
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
    fn schedule_touch(
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

    fn written(&mut self, key: Key, write: Result<Write, ApiError>, cause: RecordId) {
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
    fn send(&mut self, event: EventType, source: Source, key: Key, revision: u64, cause: RecordId) {
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

/// The controller's process.
impl Cluster {
    fn start(&mut self, cause: Option<RecordId>) {
        if self.controller.running {
            return;
        }
        self.controller.running = true;
        let started = self.record(cause.into(), Fact::ControllerStarted);
        let mut listed: Vec<Key> = self.store.iter().map(|(key, _)| key).collect();
        // A list comes back in the order of the names.
        listed.sort_by(|a, b| self.keys.text(*a).cmp(self.keys.text(*b)));
        let revision = self.store.revision();
        for key in listed {
            self.send(EventType::Added, Source::List, key, revision, started);
        }
    }

    fn stop(&mut self, cause: RecordId) {
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

    fn enqueue(&mut self, why: Why, key: Key, options: AddOptions, cause: RecordId) {
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

    fn end_delays(&mut self) {
        while let Some((key, added)) = self.controller.queue.wake(self.now) {
            let reason = self.controller.reasons.end_delay(key, self.now);
            let cause = reason.expect("a delay was begun by a record");
            self.enqueued(Why::DelayOver, key, added, cause);
        }
    }

    fn pick_up(&mut self) {
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
            let mut pass = Pass::default();
            let step = next(&mut pass, Input::Begin, self.knobs.requeue_after);
            let phase = Phase::Section(Section::Fetch, step);
            let mut hand = Hand {
                key,
                n,
                pass,
                phase,
                latest,
            };
            self.begin_section(worker, &mut hand, Section::Fetch, step);
            self.controller.workers[usize::from(worker)] = Some(hand);
        }
    }
}

/// One pass of reconcile.
impl Cluster {
    fn begin_section(&mut self, worker: u8, hand: &mut Hand, section: Section, then: Step) {
        let until = self.now + section_time(&self.knobs, section);
        let fact = Fact::SectionStarted {
            worker,
            n: hand.n,
            key: hand.key,
            section,
            until,
        };
        hand.latest = self.record(Causes::one(hand.latest), fact);
        hand.phase = Phase::Section(section, then);
        self.schedule_work(worker, until);
    }

    fn schedule_work(&mut self, worker: u8, due: SimTime) {
        let life = self.controller.life;
        self.agenda
            .push(due, Class::Work, Cue::Work { life, worker });
    }

    fn work(&mut self, worker: u8) {
        let hand = self.controller.workers[usize::from(worker)].take();
        let mut hand = hand.expect("only a worker with a key has work due");
        let (n, key) = (hand.n, hand.key);
        let requeue_after = self.knobs.requeue_after;
        let kept = match hand.phase {
            Phase::Section(Section::Fetch, _) => {
                let desired = self.store.get(key).map(|object| object.database_spec());
                let fact = Fact::Fetched {
                    worker,
                    n,
                    key,
                    desired,
                };
                hand.latest = self.record(Causes::one(hand.latest), fact);
                match next(&mut hand.pass, Input::Desired(desired), requeue_after) {
                    Step::Observe => {
                        self.begin_section(worker, &mut hand, Section::Observe, Step::Observe);
                        true
                    }
                    // Gone: what runs of it is removed at once, and there is nothing to compare.
                    step => self.take_steps(worker, &mut hand, step),
                }
            }
            Phase::Section(Section::Observe, _) => {
                let actual = self.actual.get(key).unwrap_or_default();
                let fact = Fact::Observed {
                    worker,
                    n,
                    key,
                    actual,
                };
                hand.latest = self.record(Causes::one(hand.latest), fact);
                let step = next(&mut hand.pass, Input::Actual(actual), requeue_after);
                self.begin_section(worker, &mut hand, Section::Act, step);
                true
            }
            Phase::Section(Section::Act, step) => self.take_steps(worker, &mut hand, step),
            Phase::Section(Section::Result, step) => {
                let Step::Done(conclusion) = step else {
                    unreachable!("the last section begins when the outcome is known")
                };
                self.finish(worker, &hand, conclusion);
                false
            }
            Phase::Action(action) => {
                let step = self.end_action(worker, &mut hand, action);
                self.take_steps(worker, &mut hand, step)
            }
        };
        if kept {
            self.controller.workers[usize::from(worker)] = Some(hand);
        }
    }

    /// Take steps until one needs time. True while the key stays in the worker's hand.
    fn take_steps(&mut self, worker: u8, hand: &mut Hand, mut step: Step) -> bool {
        loop {
            match step {
                Step::Act(action) if action.takes_no_time() => {
                    step = self.end_action(worker, hand, action);
                }
                Step::Act(action) => {
                    let until = self.now + self.knobs.upgrade_time;
                    let fact = Fact::ActionStarted {
                        worker,
                        n: hand.n,
                        key: hand.key,
                        action,
                        until,
                    };
                    hand.latest = self.record(Causes::one(hand.latest), fact);
                    hand.phase = Phase::Action(action);
                    self.schedule_work(worker, until);
                    return true;
                }
                Step::Done(conclusion) => {
                    self.begin_section(worker, hand, Section::Result, Step::Done(conclusion));
                    return true;
                }
                Step::Read | Step::Observe => {
                    unreachable!("a pass reads once and observes once, at its beginning")
                }
            }
        }
    }

    /// An action is over: its effect on the actual state, and the step that follows.
    fn end_action(&mut self, worker: u8, hand: &mut Hand, action: Action) -> Step {
        let (n, key) = (hand.n, hand.key);
        if let Action::Upgrade { .. } = action {
            let (attempt, succeeded) = self.actual.attempt_upgrade(&self.knobs);
            if !succeeded {
                let fact = Fact::ActionFailed {
                    worker,
                    n,
                    key,
                    action,
                    attempt,
                };
                hand.latest = self.record(Causes::one(hand.latest), fact);
                return next(&mut hand.pass, Input::Failed, self.knobs.requeue_after);
            }
        }
        // The action works on what runs now: a replica lost meanwhile stays lost.
        let after = effect(action, self.actual.get(key).unwrap_or_default());
        self.actual.set(key, after);
        let fact = Fact::ActionDone {
            worker,
            n,
            key,
            action,
            actual: after,
        };
        hand.latest = self.record(Causes::one(hand.latest), fact);
        let acted = Input::Acted(action, after.unwrap_or_default());
        next(&mut hand.pass, acted, self.knobs.requeue_after)
    }

    /// Reconcile returned: forget or add again, then done, in controller-runtime's order.
    fn finish(&mut self, worker: u8, hand: &Hand, conclusion: Conclusion) {
        let (n, key) = (hand.n, hand.key);
        let fact = Fact::Finished {
            worker,
            n,
            key,
            conclusion,
        };
        let finished = self.record(Causes::one(hand.latest), fact);
        for call in Reaction::to(conclusion.outcome(), 0).calls() {
            match call {
                QueueCall::Forget => {
                    let failures = self.controller.queue.num_requeues(key) as u32;
                    self.controller.queue.forget(key);
                    if failures > 0 {
                        self.record(Causes::one(finished), Fact::Forgot { key, failures });
                    }
                }
                QueueCall::Add(options) => {
                    let why = if options.rate_limited {
                        Why::Retry
                    } else {
                        Why::Requeue
                    };
                    self.enqueue(why, key, self.for_queue(options), finished);
                }
                QueueCall::Done => {
                    let requeued = self.controller.queue.done(self.now, key);
                    let fact = Fact::Done { worker, n, key };
                    let done = self.record(Causes::one(finished), fact);
                    if requeued {
                        let marked = self.controller.reasons.merged_into(key);
                        let fact = Fact::Enqueued {
                            why: Why::Done,
                            key,
                            added: Added::Ready,
                        };
                        let record = self.record(Causes::two(done, marked), fact);
                        self.controller.reasons.note(key, Added::Ready, record);
                    }
                }
            }
        }
    }

    /// A plain channel has no limiter: a retry waits for a fixed time.
    fn for_queue(&self, options: AddOptions) -> AddOptions {
        match self.knobs.queue {
            QueueKind::Channel if options.rate_limited => {
                AddOptions::after(self.knobs.channel_retry)
            }
            _ => options,
        }
    }
}
