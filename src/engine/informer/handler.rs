//! One registered handler: its queue, the call under way, its resync period.
//!
//! Mirrors `processorListener` of `k8s.io/client-go/tools/cache/shared_informer.go`. The queue has
//! no end; calls are made one after the other; nothing that waits is merged. A slow or blocked
//! handler holds up nobody but itself.

use super::effect::{Effect, HandlerId, Out};
use super::notification::Notification;
use crate::engine::time::{SimDuration, SimTime};
use std::collections::VecDeque;
use std::rc::Rc;

/// How a handler is registered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HandlerOptions {
    /// Its resync period; zero: never; none: the informer's.
    pub resync: Option<SimDuration>,
    /// How long each call of it takes.
    pub delay: SimDuration,
}

/// A call that has not returned.
#[derive(Clone, Debug, PartialEq)]
struct Call {
    initial: bool,
    /// None: it hangs until somebody lets it go.
    until: Option<SimTime>,
}

#[derive(Clone, Debug)]
pub(super) struct Handler<O> {
    pub id: HandlerId,
    delay: SimDuration,
    blocked: bool,
    closed: bool,
    queue: VecDeque<Notification<O>>,
    call: Option<Call>,
    /// Initial adds that are queued, under way or dropped.
    initial_adds: u32,
    /// Zero: never.
    period: SimDuration,
    next_resync: SimTime,
    /// The resync flag: is this handler told of updates that changed no version?
    pub syncing: bool,
}

impl<O: Clone> Handler<O> {
    pub fn new(id: HandlerId, now: SimTime, period: SimDuration, delay: SimDuration) -> Handler<O> {
        Handler {
            id,
            delay,
            blocked: false,
            closed: false,
            queue: VecDeque::new(),
            call: None,
            initial_adds: 0,
            period,
            next_resync: now + period,
            syncing: true,
        }
    }

    /// A resync check: is this handler due? Its flag says so until the next check.
    pub fn check_resync(&mut self, now: SimTime) -> bool {
        self.syncing = self.period != SimDuration::ZERO && now >= self.next_resync;
        if self.syncing {
            self.next_resync = now + self.period;
        }
        self.syncing
    }

    /// Tell it something; the call begins when all before it have returned.
    pub fn tell(&mut self, out: &mut Out<O>, notification: Notification<O>) {
        if self.closed {
            return;
        }
        self.initial_adds += u32::from(notification.change.is_initial());
        out.emit(Effect::Queued {
            handler: self.id,
            notification: notification.clone(),
        });
        self.queue.push_back(notification);
        self.call_next(out);
    }

    fn call_next(&mut self, out: &mut Out<O>) {
        while self.call.is_none()
            && let Some(notification) = self.queue.pop_front()
        {
            self.call = Some(Call {
                initial: notification.change.is_initial(),
                until: (!self.blocked).then(|| out.now + self.delay),
            });
            out.emit(Effect::Called {
                handler: self.id,
                notification,
            });
            self.end_call(out);
        }
    }

    /// The call under way returns, if its time has come.
    fn end_call(&mut self, out: &mut Out<O>) {
        let over = |call: &mut Call| call.until.is_some_and(|until| until <= out.now);
        if let Some(call) = self.call.take_if(over) {
            self.initial_adds -= u32::from(call.initial);
            out.emit(Effect::Returned { handler: self.id });
        }
    }

    /// When the call under way returns by itself.
    pub fn next_deadline(&self) -> Option<SimTime> {
        self.call.as_ref()?.until
    }

    /// Time has come to `out.now`.
    pub fn advance(&mut self, out: &mut Out<O>) {
        self.end_call(out);
        self.call_next(out);
    }

    /// From the next call on, calls do not return.
    pub fn block(&mut self) {
        self.blocked = true;
    }

    /// If it hangs in a call, that call returns, and the next one begins.
    pub fn release(&mut self, out: &mut Out<O>) {
        if let Some(call) = &mut self.call
            && call.until.is_none()
        {
            call.until = Some(out.now);
            self.advance(out);
        }
    }

    /// A hanging call returns, and later ones do not hang.
    pub fn unblock(&mut self, out: &mut Out<O>) {
        self.blocked = false;
        self.release(out);
    }

    /// Nothing more is told: what is queued is dropped, the call under way ends.
    pub fn close(&mut self) {
        self.closed = true;
        self.queue.clear();
    }

    /// Has every initial add returned?
    pub fn is_caught_up(&self) -> bool {
        self.initial_adds == 0
    }

    /// How many notifications wait.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    pub fn is_in_call(&self) -> bool {
        self.call.is_some()
    }

    /// Where `before` is queued, queue `after`.
    pub fn swap(&mut self, before: &Rc<O>, after: &Rc<O>) {
        for notification in &mut self.queue {
            notification.change.swap(before, after);
        }
    }
}
