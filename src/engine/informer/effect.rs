//! What an informer does when it is called: an ordered list of effects, each with its instant.

use super::notification::Notification;
use crate::engine::apiserver::{Request, RequestError};
use crate::engine::rng::{Purpose, Stream};
use crate::engine::time::{SimDuration, SimTime};

/// A registered handler. Numbers are never given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HandlerId(pub u32);

/// Something that the informer did.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect<O> {
    /// A request goes to the API server; it waits until `Informer::answer` brings the answer.
    Requested(Request),
    /// The reflector backs off until then; `jitter` is the draw that went into it.
    BackedOff { jitter: f64, until: SimTime },
    /// The watch error handler hears of an error.
    WatchFailed(RequestError),
    /// The cache holds a whole list for the first time.
    Synced,
    /// A resync was checked; so many handlers are due. If any, the whole cache is redelivered.
    ResyncChecked { due: u32 },
    /// A notification waits for this handler.
    Queued {
        handler: HandlerId,
        notification: Notification<O>,
    },
    /// A call of this handler begins.
    Called {
        handler: HandlerId,
        notification: Notification<O>,
    },
    /// The call ends.
    Returned { handler: HandlerId },
}

/// Chance, handed in from outside. Both are `0 <= u < 1`.
pub trait Draws {
    /// For the jitter of a back-off.
    fn jitter(&mut self) -> f64;
    /// For the timeout of a watch.
    fn timeout(&mut self) -> f64;
}

/// A run's seeded chance for the informer of one controller.
#[derive(Clone, Debug)]
pub struct SeededDraws {
    jitter: Stream,
    timeout: Stream,
}

impl SeededDraws {
    pub fn new(seed: u64, controller: u8) -> SeededDraws {
        SeededDraws {
            jitter: Stream::new(seed, Purpose::BackOff, controller),
            timeout: Stream::new(seed, Purpose::WatchTimeout, controller),
        }
    }
}

impl Draws for SeededDraws {
    fn jitter(&mut self) -> f64 {
        self.jitter.fraction()
    }

    fn timeout(&mut self) -> f64 {
        self.timeout.fraction()
    }
}

/// Where effects go, and the instant that they get.
#[derive(Clone, Debug)]
pub(super) struct Out<O> {
    pub now: SimTime,
    pub effects: Vec<(SimTime, Effect<O>)>,
}

impl<O> Out<O> {
    pub fn emit(&mut self, effect: Effect<O>) {
        self.effects.push((self.now, effect));
    }
}

/// What the reflector is handed for one step.
pub(super) struct Context<'a, O> {
    pub out: &'a mut Out<O>,
    pub draws: &'a mut dyn Draws,
}

impl<O> Context<'_, O> {
    pub fn now(&self) -> SimTime {
        self.out.now
    }

    pub fn emit(&mut self, effect: Effect<O>) {
        self.out.emit(effect);
    }

    /// A watch timeout: between 5 and 10 minutes, in whole seconds.
    pub fn watch_timeout(&mut self) -> SimDuration {
        const MIN_WATCH_TIMEOUT_SECS: f64 = 300.0;
        SimDuration::from_secs((MIN_WATCH_TIMEOUT_SECS * (self.draws.timeout() + 1.0)) as i64)
    }
}
