//! Anchors: how a beat names the fact it is about, without knowing a number of the run.

use crate::engine::apiserver::EventType;
use crate::engine::controller::{Action, Conclusion, Section};
use crate::engine::record::{Fact, Source, Why};
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
