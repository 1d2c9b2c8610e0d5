//! The sections of the reconcile functions: where a pass is.

use crate::engine::knobs::{ControllerKind, Knobs};
use crate::engine::time::SimDuration;
use serde::Serialize;

/// A section of a reconcile function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// Read the desired state.
    Fetch,
    /// Look at the actual state.
    Observe,
    /// Compare, and close the gap.
    Act,
    /// Say what shall happen next.
    Result,
    /// Split the key into namespace and name.
    SplitKey,
    /// Read the object from the cache.
    ReadCache,
    /// Gone? Done.
    Exists,
    /// Labelled already? Done.
    Labelled,
    /// Copy the object, and label the copy.
    DeepCopy,
    /// Send the copy to the API server.
    WriteBack,
}

impl Section {
    /// How many there are, of all controllers.
    pub const COUNT: usize = Section::ALL.len() + Section::CONFIG_MAP.len();

    /// The database reconciler's four.
    pub const ALL: [Section; 4] = [
        Section::Fetch,
        Section::Observe,
        Section::Act,
        Section::Result,
    ];

    /// The config map reconciler's six.
    pub const CONFIG_MAP: [Section; 6] = [
        Section::SplitKey,
        Section::ReadCache,
        Section::Exists,
        Section::Labelled,
        Section::DeepCopy,
        Section::WriteBack,
    ];

    /// The sections of a controller's reconcile function, in order.
    pub fn of(controller: ControllerKind) -> &'static [Section] {
        match controller {
            ControllerKind::Database => &Section::ALL,
            ControllerKind::ConfigMap => &Section::CONFIG_MAP,
        }
    }

    /// How long it takes, beside what its actions take. The config map reconciler works in memory,
    /// but for its one request, which takes as long as the way there and back.
    pub fn time(self, knobs: &Knobs) -> SimDuration {
        match self {
            Section::Fetch => knobs.fetch_time,
            Section::Observe => knobs.observe_time,
            Section::Act => knobs.act_time,
            Section::Result => knobs.result_time,
            Section::SplitKey
            | Section::ReadCache
            | Section::Exists
            | Section::Labelled
            | Section::DeepCopy => SimDuration::ZERO,
            Section::WriteBack => SimDuration(knobs.request_latency.0.saturating_mul(2)),
        }
    }
}
