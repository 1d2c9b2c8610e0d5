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
        let latest = self.run().record_before(playhead.applied)?;
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

    /// The first breakpoint on the way forward to `limit`, in story time.
    pub(super) fn breakpoint_before(&self, limit: f64) -> Option<f64> {
        match self.breakpoints.is_empty() {
            true => None,
            false => self.find_breakpoint(limit),
        }
    }

    #[inline(never)]
    fn find_breakpoint(&self, limit: f64) -> Option<f64> {
        // The latest fact counts as long as its dwell is not over.
        let from = self.playhead().applied.saturating_sub(1);
        let ahead = self.run().facts(from as usize..);
        let near = ahead.take_while(|record| self.tempo.before(record.id) <= limit);
        let stops = near.filter_map(|record| match record.fact {
            Fact::SectionStarted { section, .. } if self.breakpoints.has(section) => {
                Some(self.tempo.after(record.id + 1))
            }
            _ => None,
        });
        let mut ahead = stops.filter(|&place| place > self.story);
        ahead.next().filter(|&place| place <= limit)
    }
}
