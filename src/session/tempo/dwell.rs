//! For how long one looks at what.

use crate::engine::controller::Section;
use crate::engine::record::{Fact, Why};
use crate::engine::workqueue::Added;

/// Hundredths of a second of story time for which simulated time stands still at a fact.
pub(super) fn dwell(fact: &Fact) -> u8 {
    match fact {
        Fact::Written { .. } | Fact::Unchanged { .. } | Fact::Refused { .. } => 45,
        Fact::Dropped { .. } => 60,
        Fact::Enqueued { added, why, .. } => match (added, why) {
            (Added::Dirty, _) => 90,
            (Added::MergedDirty | Added::MergedReady, _) => 60,
            (_, Why::Done) => 80,
            _ => 60,
        },
        Fact::Started { .. } => 60,
        Fact::SectionStarted { section, .. } => match section {
            Section::Fetch | Section::Observe => 20,
            Section::Act | Section::Result => 26,
            Section::SplitKey
            | Section::ReadCache
            | Section::Exists
            | Section::Labelled
            | Section::DeepCopy
            | Section::WriteBack => 20,
        },
        Fact::Fetched { .. } | Fact::Observed { .. } => 48,
        Fact::ActionStarted { .. } => 42,
        Fact::ActionDone { .. } | Fact::ActionFailed { .. } => 56,
        Fact::Finished { .. } => 42,
        Fact::ReplicaLost { .. } => 50,
        Fact::ControllerStopped { .. } | Fact::ControllerStarted => 70,
        Fact::Acted { .. } => 12,
        Fact::Sent { .. } | Fact::Delivered { .. } => 6,
        Fact::Forgot { .. } | Fact::Done { .. } => 16,
        Fact::Rested => 24,
        Fact::CacheRead { .. } => 48,
        Fact::CacheSet { .. } | Fact::CacheDeleted { .. } => 36,
        Fact::Scribbled { .. } | Fact::EventLost { .. } => 70,
        Fact::Swallowed { .. } | Fact::Resynced { .. } => 56,
        Fact::Listed { .. } | Fact::Synced | Fact::WatchOpened => 30,
        Fact::WatchClosed { .. } | Fact::RequestFailed { .. } => 42,
        Fact::WriteAnswered { .. } => 42,
        Fact::HandlerCalled { .. } => 16,
        Fact::Requested { .. }
        | Fact::Answered { .. }
        | Fact::BackedOff { .. }
        | Fact::WriteSent { .. }
        | Fact::WriteReplied { .. } => 6,
    }
}
