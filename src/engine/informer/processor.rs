//! All handlers: who is told what, and when resyncs are due.
//!
//! Mirrors `sharedProcessor` of `k8s.io/client-go/tools/cache/shared_informer.go`.

use super::effect::{HandlerId, Out};
use super::handler::{Handler, HandlerOptions};
use super::notification::{Cause, Change, Notification};
use super::object::Object;
use crate::engine::time::{SimDuration, SimTime};
use std::rc::Rc;

/// The least resync period.
const MIN_RESYNC: SimDuration = SimDuration::from_secs(1);

#[derive(Clone, Debug)]
pub(super) struct Processor<O> {
    handlers: Vec<Handler<O>>,
    next_handler: u32,
    next_notification: u64,
    /// The period for handlers that name none.
    default_period: SimDuration,
    /// How often resyncs are checked; zero: never.
    check_period: SimDuration,
}

impl<O: Object> Processor<O> {
    pub fn new(resync: SimDuration) -> Processor<O> {
        Processor {
            handlers: Vec::new(),
            next_handler: 0,
            next_notification: 0,
            default_period: resync,
            check_period: resync,
        }
    }

    pub fn check_period(&self) -> SimDuration {
        self.check_period
    }

    /// Register a handler. Before the start, a short period lowers that of the check; after it, the
    /// check is the least that a handler gets.
    pub fn add(&mut self, now: SimTime, options: HandlerOptions, started: bool) -> HandlerId {
        let mut period = options.resync.unwrap_or(self.default_period);
        if period > SimDuration::ZERO {
            period = period.max(MIN_RESYNC);
            if period < self.check_period && !started {
                self.check_period = period;
            }
            period = if self.check_period == SimDuration::ZERO {
                SimDuration::ZERO
            } else {
                period.max(self.check_period)
            };
        }
        let id = HandlerId(self.next_handler);
        self.next_handler += 1;
        self.handlers
            .push(Handler::new(id, now, period, options.delay));
        id
    }

    pub fn remove(&mut self, id: HandlerId) {
        self.handlers.retain(|handler| handler.id != id);
    }

    pub fn handler(&self, id: HandlerId) -> Option<&Handler<O>> {
        self.handlers.iter().find(|handler| handler.id == id)
    }

    pub fn handler_mut(&mut self, id: HandlerId) -> Option<&mut Handler<O>> {
        self.handlers.iter_mut().find(|handler| handler.id == id)
    }

    pub fn ids(&self) -> impl Iterator<Item = HandlerId> {
        self.handlers.iter().map(|handler| handler.id)
    }

    /// Tell handlers of a change. An update that changes no version reaches only those whose resync
    /// flag is up.
    pub fn distribute(&mut self, out: &mut Out<O>, cause: Cause, change: Change<O>) {
        let unchanged = match &change {
            Change::Update { old, new } => old.resource_version() == new.resource_version(),
            Change::Add { .. } | Change::Delete { .. } => false,
        };
        let notification = self.number(cause, change);
        for handler in &mut self.handlers {
            if !unchanged || handler.syncing {
                handler.tell(out, notification.clone());
            }
        }
    }

    /// Tell one handler that came late of an object.
    pub fn tell_late(&mut self, out: &mut Out<O>, id: HandlerId, object: Rc<O>) {
        let change = Change::Add {
            new: object,
            initial: true,
        };
        let notification = self.number(Cause::Late, change);
        if let Some(handler) = self.handler_mut(id) {
            handler.tell(out, notification);
        }
    }

    fn number(&mut self, cause: Cause, change: Change<O>) -> Notification<O> {
        let number = self.next_notification;
        self.next_notification += 1;
        Notification {
            number,
            cause,
            change,
        }
    }

    /// Set every handler's resync flag; how many are due.
    pub fn check_resync(&mut self, now: SimTime) -> u32 {
        let due = self.handlers.iter_mut().map(|h| h.check_resync(now));
        due.map(u32::from).sum()
    }

    pub fn next_deadline(&self) -> Option<SimTime> {
        self.handlers
            .iter()
            .filter_map(Handler::next_deadline)
            .min()
    }

    pub fn advance(&mut self, out: &mut Out<O>) {
        self.handlers.iter_mut().for_each(|h| h.advance(out));
    }

    pub fn close(&mut self) {
        self.handlers.iter_mut().for_each(Handler::close);
    }

    pub fn swap(&mut self, before: &Rc<O>, after: &Rc<O>) {
        self.handlers
            .iter_mut()
            .for_each(|handler| handler.swap(before, after));
    }
}
