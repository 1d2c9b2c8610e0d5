//! One pass of reconcile: sections, actions, and what its outcome does to the queue.

use super::{Cluster, Cue};
use crate::engine::agenda::Class;
use crate::engine::controller::outcome::{QueueCall, Reaction};
use crate::engine::controller::{
    Action, Conclusion, Hand, Input, Phase, Section, Step, Task, effect, next,
};
use crate::engine::knobs::QueueKind;
use crate::engine::record::{Causes, Fact, Why};
use crate::engine::time::SimTime;
use crate::engine::workqueue::{AddOptions, Added};

impl Cluster {
    pub(super) fn begin_section(
        &mut self,
        worker: u8,
        hand: &mut Hand,
        section: Section,
        then: Step,
    ) {
        let until = self.note_section(worker, hand, section);
        hand.database().phase = Phase::Section(section, then);
        self.schedule_work(worker, until);
    }

    /// A section begins; when it will end.
    pub(super) fn note_section(
        &mut self,
        worker: u8,
        hand: &mut Hand,
        section: Section,
    ) -> SimTime {
        let until = self.now + section.time(&self.knobs);
        let fact = Fact::SectionStarted {
            worker,
            n: hand.n,
            key: hand.key,
            section,
            until,
        };
        hand.latest = self.record(Causes::one(hand.latest), fact);
        until
    }

    pub(super) fn schedule_work(&mut self, worker: u8, due: SimTime) {
        let life = self.controller.life;
        self.agenda
            .push(due, Class::Work, Cue::Work { life, worker });
    }

    pub(super) fn work(&mut self, worker: u8) {
        let hand = self.controller.workers[usize::from(worker)].take();
        let mut hand = hand.expect("only a worker with a key has work due");
        let kept = match &hand.task {
            Task::Database(work) => {
                let phase = work.phase;
                self.work_on_database(worker, &mut hand, phase)
            }
            Task::ConfigMap(_) => self.end_section(worker, &mut hand),
        };
        if kept {
            self.controller.workers[usize::from(worker)] = Some(hand);
        }
    }

    /// A section or an action is over. True while the key stays in the worker's hand.
    fn work_on_database(&mut self, worker: u8, hand: &mut Hand, phase: Phase) -> bool {
        let (n, key) = (hand.n, hand.key);
        let requeue_after = self.knobs.requeue_after;
        match phase {
            Phase::Section(Section::Fetch, _) => {
                let desired = self.store.get(key).map(|object| object.database_spec());
                let fact = Fact::Fetched {
                    worker,
                    n,
                    key,
                    desired,
                };
                hand.latest = self.record(Causes::one(hand.latest), fact);
                match next(
                    &mut hand.database().pass,
                    Input::Desired(desired),
                    requeue_after,
                ) {
                    Step::Observe => {
                        self.begin_section(worker, hand, Section::Observe, Step::Observe);
                        true
                    }
                    // Gone: what runs of it is removed at once, and there is nothing to compare.
                    step => self.take_steps(worker, hand, step),
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
                let step = next(
                    &mut hand.database().pass,
                    Input::Actual(actual),
                    requeue_after,
                );
                self.begin_section(worker, hand, Section::Act, step);
                true
            }
            Phase::Section(Section::Act, step) => self.take_steps(worker, hand, step),
            // The last of its four sections.
            Phase::Section(_, step) => {
                let Step::Done(conclusion) = step else {
                    unreachable!("the last section begins when the outcome is known")
                };
                self.finish(worker, hand, conclusion);
                false
            }
            Phase::Action(action) => {
                let step = self.end_action(worker, hand, action);
                self.take_steps(worker, hand, step)
            }
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
                    hand.database().phase = Phase::Action(action);
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
                return next(
                    &mut hand.database().pass,
                    Input::Failed,
                    self.knobs.requeue_after,
                );
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
        next(&mut hand.database().pass, acted, self.knobs.requeue_after)
    }

    /// Reconcile returned: forget or add again, then done, in controller-runtime's order.
    pub(super) fn finish(&mut self, worker: u8, hand: &Hand, conclusion: Conclusion) {
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
