//! Breakpoints: playing forward stops where a section of reconcile begins.
//!
//! The stop is where the dwell of the section's own fact is over: the page has shown that the
//! section begins, and none of it has been done. A breakpoint stops a step as well; *Next step*
//! then goes on with the step that was interrupted.

use super::{Motion, Session};
use crate::engine::controller::Section;
use crate::engine::record::Fact;

/// The sections at which playing stops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Breakpoints([bool; Section::COUNT]);

impl Breakpoints {
    pub fn has(self, section: Section) -> bool {
        self.0[section as usize]
    }

    pub fn is_empty(self) -> bool {
        self == Breakpoints::default()
    }

    pub(super) fn set(&mut self, section: Section, set: bool) {
        self.0[section as usize] = set;
    }
}

/// Breakpoints.
impl Session {
    pub fn breakpoints(&self) -> Breakpoints {
        self.breakpoints
    }

    /// The section at whose breakpoint the cursor stands.
    pub fn stopped_at(&self) -> Option<Section> {
        let playhead = self.playhead();
        let last = playhead.applied.checked_sub(1)?;
        let latest = self.run().records().get(last as usize)?;
        match latest.fact {
            Fact::SectionStarted { section, .. }
                if self.breakpoints.has(section)
                    && self.motion == Motion::Paused
                    && playhead.share >= 1.0
                    && playhead.time <= latest.at.0 as f64 =>
            {
                Some(section)
            }
            _ => None,
        }
    }

    /// Where a way forward to `stop` ends: at the first breakpoint, if that comes before.
    pub(super) fn halt(&self, stop: f64) -> f64 {
        if self.breakpoints.is_empty() {
            return stop;
        }
        let run = self.run();
        // The latest fact counts as long as its dwell is not over.
        let from = self.playhead().applied.saturating_sub(1);
        let place = |after: usize| self.tempo.after(from + after as u32 + 1);
        let ahead = run.records()[from as usize..].iter().enumerate();
        let mut stops = ahead.filter_map(|(after, record)| match record.fact {
            Fact::SectionStarted { section, .. } if self.breakpoints.has(section) => {
                Some(place(after))
            }
            _ => None,
        });
        stops
            .find(|&place| place > self.story)
            .map_or(stop, |place| place.min(stop))
    }
}
