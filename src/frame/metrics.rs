//! The work queue as it stands after so many facts, and with it its metrics.
//!
//! As the picture is a fold over the records, so is this: each record says which call on the queue
//! it came from, and the call is made again on a queue of the engine's own. So the numbers have
//! upstream's meaning without a second account of it, also in the middle of a cue; a test holds
//! them against the cluster's own queue wherever a cue ends.
//!
//! The value at a cursor is a function of the records and the instant: the two gauges of running
//! work are refreshed by time alone, every 500 ms.

use crate::engine::controller::Conclusion;
use crate::engine::knobs::{Knobs, QueueKind};
use crate::engine::record::{Fact, Record, Why};
use crate::engine::time::{SimDuration, SimTime};
use crate::engine::workqueue::{AddOptions, MetricsView, QueueConfig, WorkQueue};

/// A work queue on which the calls of a run are made again.
#[derive(Clone, Debug)]
pub struct Meter {
    config: QueueConfig,
    queue: WorkQueue,
    /// What the reconcile that ended last asked for.
    requeue_after: SimDuration,
}

impl Meter {
    /// The queue at the beginning of a run; none, if its kind measures nothing.
    pub fn new(knobs: &Knobs) -> Option<Meter> {
        let config = match knobs.queue {
            QueueKind::Channel => return None,
            QueueKind::ClientGo => QueueConfig::ClientGo {
                limiter: knobs.limiter.clone(),
                metrics: true,
            },
        };
        Some(Meter {
            queue: WorkQueue::new(&config, SimTime::ZERO),
            config,
            requeue_after: SimDuration::ZERO,
        })
    }

    /// The queue of a cluster, to go on from. Only where a cue has ended.
    pub fn resume(knobs: &Knobs, queue: &WorkQueue) -> Option<Meter> {
        let start = Meter::new(knobs)?;
        Some(Meter {
            queue: queue.clone(),
            ..start
        })
    }

    /// Let one more fact have happened: make the call that it came from.
    pub fn apply(&mut self, record: &Record) {
        let (queue, at) = (&mut self.queue, record.at);
        match record.fact {
            Fact::Enqueued { why, key, added } => {
                let options = match why {
                    Why::Event => AddOptions::default(),
                    Why::Requeue => AddOptions::after(self.requeue_after),
                    Why::Retry => AddOptions::rate_limited(),
                    Why::DelayOver => {
                        let woken = queue.wake(at);
                        debug_assert_eq!(woken, Some((key, added)), "record {}", record.id);
                        return;
                    }
                    // The call was `done`, which has been made.
                    Why::Done => return,
                };
                let answer = queue.add(at, key, options);
                debug_assert_eq!(answer, added, "record {}", record.id);
            }
            Fact::Started { .. } => {
                queue.get(at);
            }
            Fact::Finished {
                conclusion: Conclusion::RequeueAfter { after },
                ..
            } => self.requeue_after = after,
            Fact::Forgot { key, .. } => queue.forget(key),
            Fact::Done { key, .. } => {
                queue.done(at, key);
            }
            Fact::ControllerStopped { .. } => *queue = WorkQueue::new(&self.config, at),
            _ => {}
        }
    }

    /// The metrics as a scrape at `now` would show them.
    pub fn read(&self, now: SimTime) -> MetricsView {
        self.queue
            .metrics(now)
            .expect("the queue was built to be measured")
    }
}
