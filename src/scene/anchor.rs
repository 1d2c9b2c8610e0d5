//! Anchors: how a beat names the fact it is about, without knowing a number of the run.

use crate::engine::apiserver::{ApiError, EventType};
use crate::engine::controller::{Action, Conclusion, Section};
use crate::engine::record::{Fact, Source, Why, WriteAnswer};
use crate::engine::workqueue::Added;

/// The kind of fact that a beat waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The controller began to watch.
    Started,
    /// A write of this type was taken.
    Written(EventType),
    /// An event arrived from the watch.
    Delivered,
    /// A key was put into the ready queue by an event.
    Queued,
    /// A key in hand was marked dirty.
    MarkedDirty,
    /// An add changed nothing.
    Merged,
    /// A worker took a key.
    PickedUp,
    /// A section of reconcile began.
    Section(Section),
    /// The desired state was read: gone.
    NotFound,
    /// The actual state was seen.
    Observed,
    /// An upgrade began.
    UpgradeStarted,
    /// An upgrade succeeded.
    Upgraded,
    /// An upgrade failed.
    UpgradeFailed,
    /// The number of replicas was changed.
    Scaled,
    /// What ran was removed.
    CleanedUp,
    /// A look in a while was asked for.
    Requeued,
    /// A retry was asked for.
    Retried,
    /// A delay was over.
    DelayOver,
    /// A dirty key came back at its Done.
    CameBack,
    /// A reconcile found nothing to do.
    InDesiredState,
    /// The loop came to rest.
    Rested,
    /// A list arrived at the informer.
    Listed,
    /// The cache held a whole list for the first time.
    Synced,
    /// A watch was opened.
    Watching,
    /// A watch ended.
    WatchEnded,
    /// An event was lost on its way to the informer.
    EventLost,
    /// The cache took an object in.
    CacheSet,
    /// The cache forgot an object.
    CacheDeleted,
    /// The cache was told of again.
    Resynced,
    /// Reconcile read the cache.
    CacheRead,
    /// Reconcile found nothing in the cache.
    Absent,
    /// Reconcile returned with its work undone.
    Swallowed,
    /// Reconcile changed a cached object.
    Scribbled,
    /// Reconcile sent an update.
    WriteSent,
    /// A reconcile has written the label.
    Labelled,
    /// Reconcile heard that its update was refused: not now.
    WriteRefused,
    /// Reconcile heard that its update was based on an old revision.
    Conflict,
    /// Reconcile heard that there is nothing to update.
    WriteNotFound,
    /// The queue forgot a key's failures.
    Forgot,
}

impl What {
    /// Is `fact` of this kind?
    pub fn matches(self, fact: &Fact) -> bool {
        match (self, fact) {
            (What::Started, Fact::ControllerStarted)
            | (What::Rested, Fact::Rested)
            | (What::PickedUp, Fact::Started { .. })
            | (What::Observed, Fact::Observed { .. })
            | (What::NotFound, Fact::Fetched { desired: None, .. }) => true,
            (What::Written(wanted), Fact::Written { event, .. }) => wanted == *event,
            (What::Delivered, Fact::Delivered { source, .. }) => *source == Source::Watch,
            (What::Section(wanted), Fact::SectionStarted { section, .. }) => wanted == *section,
            (What::UpgradeStarted, Fact::ActionStarted { action, .. })
            | (What::Upgraded, Fact::ActionDone { action, .. })
            | (What::UpgradeFailed, Fact::ActionFailed { action, .. }) => {
                matches!(action, Action::Upgrade { .. })
            }
            (What::Scaled, Fact::ActionDone { action, .. }) => {
                matches!(action, Action::Scale { .. })
            }
            (What::CleanedUp, Fact::ActionDone { action, .. }) => *action == Action::CleanUp,
            (What::InDesiredState, Fact::Finished { conclusion, .. }) => {
                *conclusion == Conclusion::InDesiredState
            }
            (_, Fact::Enqueued { why, added, .. }) => match self {
                What::Queued => *why == Why::Event && *added == Added::Ready,
                What::MarkedDirty => *added == Added::Dirty,
                What::Merged => matches!(added, Added::MergedReady | Added::MergedDirty),
                What::Requeued => *why == Why::Requeue,
                What::Retried => *why == Why::Retry,
                What::DelayOver => *why == Why::DelayOver,
                What::CameBack => *why == Why::Done,
                _ => false,
            },
            _ => self.matches_on_wire(fact),
        }
    }

    fn matches_on_wire(self, fact: &Fact) -> bool {
        let failed = |wanted: ApiError| {
            let error = wanted;
            matches!(fact, Fact::WriteAnswered { answer, .. } if *answer == WriteAnswer::Failed { error })
        };
        match self {
            What::Listed => matches!(fact, Fact::Listed { .. }),
            What::Synced => *fact == Fact::Synced,
            What::Watching => *fact == Fact::WatchOpened,
            What::WatchEnded => matches!(fact, Fact::WatchClosed { .. }),
            What::EventLost => matches!(fact, Fact::EventLost { .. }),
            What::CacheSet => matches!(fact, Fact::CacheSet { .. }),
            What::CacheDeleted => matches!(fact, Fact::CacheDeleted { .. }),
            What::Resynced => matches!(fact, Fact::Resynced { .. }),
            What::CacheRead => matches!(fact, Fact::CacheRead { .. }),
            What::Absent => matches!(fact, Fact::CacheRead { revision: None, .. }),
            What::Swallowed => matches!(fact, Fact::Swallowed { .. }),
            What::Scribbled => matches!(fact, Fact::Scribbled { .. }),
            What::WriteSent => matches!(fact, Fact::WriteSent { .. }),
            What::Labelled => matches!(
                fact,
                Fact::Finished {
                    conclusion: Conclusion::Labelled,
                    ..
                }
            ),
            What::WriteRefused => failed(ApiError::ServiceUnavailable),
            What::Conflict => failed(ApiError::Conflict),
            What::WriteNotFound => failed(ApiError::NotFound),
            What::Forgot => matches!(fact, Fact::Forgot { .. }),
            _ => false,
        }
    }
}

/// A fact of the scene: the `nth` of its kind after the fact of the beat before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The scene's beginning, before anything happens in it.
    Opening,
    /// The next fact of this kind.
    Next(What),
    /// The `nth` fact of this kind from here, counted from 1.
    Nth(What, u16),
    /// The last fact of this kind in the scene.
    Last(What),
}
