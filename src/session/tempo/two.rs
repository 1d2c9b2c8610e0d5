//! What two runs on one clock need beside the facts of both.

use crate::engine::paged::PagedList;
use crate::engine::time::SimTime;

/// How two runs share a tempo.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Two {
    /// Which of the facts each one of the leading run is.
    pub(super) leading: PagedList<u32>,
    /// Facts of the run beside that were played, shown or not.
    pub(super) beside: usize,
    /// Of the run beside only what happens before is shown.
    pub(super) until: Option<SimTime>,
}

impl Two {
    #[inline(never)]
    pub(super) fn place(&self, fact: u32) -> Option<usize> {
        let place = self.leading.get(fact as usize)?;
        Some(*place as usize)
    }

    #[inline(never)]
    pub(super) fn applied(&self, happened: usize) -> usize {
        let has_happened = |&place: &u32| (place as usize) < happened;
        self.leading.partition_point(has_happened)
    }
}
