//! The states that *Undo* or *Redo* goes back to, the latest last.
//!
//! What was done in one state is most often the beginning of what was done in the next. It is kept
//! once, in the next one: else two hundred acts would be kept two hundred times.

use super::{Placed, Saved};

/// Things done to a run that can be taken back.
const UNDO_MAX: usize = 200;

/// What a visitor did to a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Stimuli {
    /// So many are those at the beginning of the next state's.
    shared: usize,
    own: Vec<Placed>,
}

impl From<&[Placed]> for Stimuli {
    fn from(stimuli: &[Placed]) -> Stimuli {
        Stimuli {
            shared: 0,
            own: stimuli.to_vec(),
        }
    }
}

impl Stimuli {
    /// All of them. Those of the latest state share nothing.
    pub(super) fn into_all(self) -> Vec<Placed> {
        self.own
    }

    /// Leave to the next state's what both begin with.
    fn lean_on(&mut self, next: &Stimuli) {
        let pairs = self.own.iter().zip(&next.own);
        self.shared = pairs.take_while(|(own, next)| own == next).count();
        self.own = self.own.split_off(self.shared);
    }

    /// Take it back: the next state goes away.
    fn stand_alone(&mut self, next: &Stimuli) {
        self.own
            .splice(..0, next.own[..self.shared].iter().cloned());
        self.shared = 0;
    }
}

/// The states that can be gone back to.
#[derive(Debug, Default)]
pub(super) struct Past {
    states: Vec<Saved>,
}

impl Past {
    pub(super) fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.states.clear();
    }

    /// Keep a state. The oldest one is given up where there are too many.
    pub(super) fn push(&mut self, saved: Saved) {
        if self.states.len() == UNDO_MAX {
            self.states.remove(0);
        }
        if let Some(latest) = self.states.last_mut() {
            latest.stimuli.lean_on(&saved.stimuli);
            if let (Some(own), Some(next)) = (&mut latest.variant_stimuli, &saved.variant_stimuli) {
                own.lean_on(next);
            }
        }
        self.states.push(saved);
    }

    /// The latest state.
    pub(super) fn pop(&mut self) -> Option<Saved> {
        let saved = self.states.pop()?;
        if let Some(latest) = self.states.last_mut() {
            latest.stimuli.stand_alone(&saved.stimuli);
            if let (Some(own), Some(next)) = (&mut latest.variant_stimuli, &saved.variant_stimuli) {
                own.stand_alone(next);
            }
        }
        Some(saved)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::stimulus::Stimulus;
    use crate::scene::CONTROL_LOOP;
    use crate::session::{Command, Session};

    #[test]
    fn what_two_states_begin_with_is_kept_once_and_each_comes_back_whole() {
        let mut session = Session::opening(&CONTROL_LOOP);
        let mut seen = Vec::new();
        for _ in 0..50 {
            seen.push(session.run().stimuli().to_vec());
            session.apply(Command::Do(Stimulus::RestartController));
        }
        let kept = session.undo.states.iter();
        let kept: usize = kept.map(|saved| saved.stimuli.own.len()).sum();
        assert!(kept < 50, "50 acts are kept {kept} times");
        for stimuli in seen.iter().rev() {
            session.apply(Command::Undo);
            assert_eq!(session.run().stimuli(), stimuli);
        }
        for stimuli in &seen[1..] {
            session.apply(Command::Redo);
            assert_eq!(session.run().stimuli(), stimuli);
        }
    }
}
