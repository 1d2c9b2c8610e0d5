//! What will go wrong because somebody asked for it, as far as the records tell.

use super::view::View;
use crate::engine::record::{Fact, Record};
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimTime;

/// Faults that wait for their occasion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultView {
    /// All writes are refused between these instants.
    pub refusing: Option<(SimTime, SimTime)>,
    /// The next so many writes are refused, whoever sends them.
    pub refuse_next: u32,
    /// The controller's next write is refused.
    pub refuse_controller: bool,
    /// The next reconcile with something to do leaves it undone.
    pub swallow: bool,
    /// The next event is lost.
    pub lose: bool,
}

impl FaultView {
    /// Let one more fact have happened.
    #[inline(never)]
    pub(super) fn apply(&mut self, record: &Record) {
        match &record.fact {
            Fact::Acted { stimulus, .. } => self.asked(record.at, stimulus),
            Fact::Swallowed { .. } => self.swallow = false,
            Fact::EventLost { .. } => self.lose = false,
            _ => {}
        }
    }

    /// A write was refused with 503: by which fault?
    pub(super) fn refused(&mut self, at: SimTime) {
        if self.refusing.is_some_and(|(_, until)| at < until) {
            return;
        }
        match self.refuse_next.checked_sub(1) {
            Some(left) => self.refuse_next = left,
            None => self.refuse_controller = false,
        }
    }

    fn asked(&mut self, at: SimTime, stimulus: &Stimulus) {
        match stimulus {
            Stimulus::RefuseWrites { span } => {
                let until = at + *span;
                if self.refusing.is_none_or(|(_, before)| before < until) {
                    self.refusing = Some((at, until));
                }
            }
            Stimulus::RefuseNext { writes } => self.refuse_next = *writes,
            Stimulus::RefuseController => self.refuse_controller = true,
            Stimulus::SwallowReconcile => self.swallow = true,
            Stimulus::LoseEvent => self.lose = true,
            _ => {}
        }
    }
}

impl View {
    /// The stretch in which all writes are refused, if it is not over yet.
    pub fn refusing(&self) -> Option<(SimTime, SimTime)> {
        self.faults.refusing.filter(|(_, until)| self.at < *until)
    }
}
