//! The informer of a controller, with what lies between it and the API server.

use crate::engine::apiserver::{Object, RequestId, WatchStream};
use crate::engine::informer::{HandlerOptions, Informer, InformerConfig, SeededDraws, Waiting};
use crate::engine::knobs::Knobs;
use crate::engine::record::RecordId;
use crate::engine::time::{SimDuration, SimTime};

/// The API server's end of an open watch.
#[derive(Clone, Debug)]
pub struct Stream {
    pub request: RequestId,
    pub events: WatchStream,
    /// The record of its opening.
    pub opened: RecordId,
    /// When what was sent last arrives: nothing overtakes it.
    pub latest_arrival: SimTime,
}

/// An informer and its wire.
#[derive(Clone, Debug)]
pub struct Subscription {
    pub informer: Informer<Object, SeededDraws>,
    /// The watch that the API server serves.
    pub stream: Option<Stream>,
    /// Requests and answers on their way; events on the stream are not among them.
    pub messages: u32,
    /// The informer's deadline that the agenda holds.
    pub wake_at: Option<SimTime>,
    /// What began the informer's current wait: a list for the next resync, a failure for the end of
    /// a back-off.
    pub resync_cause: Option<RecordId>,
    pub backoff_cause: Option<RecordId>,
}

impl Subscription {
    /// A started informer with one handler; what it asks for first is to be collected.
    pub fn new(knobs: &Knobs, seed: u64, now: SimTime) -> Subscription {
        // Upstream no handler is served more often than once a second.
        let resync = match knobs.resync {
            SimDuration::ZERO => SimDuration::ZERO,
            resync => resync.max(SimDuration::from_secs(1)),
        };
        let config = InformerConfig {
            resync,
            ..InformerConfig::default()
        };
        let mut informer = Informer::new(&config, SeededDraws::new(seed, 0));
        informer
            .add_handler(now, HandlerOptions::default())
            .expect("an informer that has not stopped takes handlers");
        informer.start(now);
        Subscription {
            informer,
            stream: None,
            messages: 0,
            wake_at: None,
            resync_cause: None,
            backoff_cause: None,
        }
    }

    /// Does it watch, with nothing on its way? A resync that is due some day is no unrest.
    pub fn is_quiet(&self) -> bool {
        self.messages == 0 && self.informer.waiting() == Waiting::Stream
    }
}
