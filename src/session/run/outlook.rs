//! What a run comes to.

use super::Run;
use crate::engine::time::{SimDuration, SimTime};
use crate::frame::Counters;
use crate::scene::PLAY_MAX;
use std::borrow::Cow;

/// Facts after which a run that does not come to rest is not followed further.
pub const OUTLOOK_MAX: usize = 50_000;

/// What a run comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    pub counters: Counters,
    /// When the last thing happened.
    pub end: SimTime,
    /// Does the run come to rest? Else it was followed to `end` only.
    pub rests: bool,
    /// Was it followed as long as the clock allows? Else it was left after [`OUTLOOK_MAX`] facts.
    pub whole: bool,
}

impl Outlook {
    pub(super) fn of(run: &Run) -> Outlook {
        let limit = SimTime::ZERO + PLAY_MAX;
        let past = |run: &Run| run.latest().is_some_and(|latest| latest > limit);
        let mut whole = Cow::Borrowed(run);
        while !whole.is_over() && !past(&whole) && whole.played() <= OUTLOOK_MAX {
            let count = whole.played() as u32;
            whole.to_mut().play_ahead_of(count);
        }
        let facts = whole.facts_before(limit + SimDuration::from_nanos(1));
        // However far it was played by others.
        let count = facts.min(OUTLOOK_MAX);
        let latest = whole.record_before(count as u32);
        Outlook {
            counters: whole.view_at(count as u32).counters,
            end: latest.map_or(SimTime::ZERO, |latest| latest.at),
            rests: whole.is_over() && !whole.is_cut() && count == whole.played(),
            whole: count == facts,
        }
    }
}
