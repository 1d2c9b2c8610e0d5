//! The lines that were typed, or that buttons stand for.

use std::collections::VecDeque;

/// So many lines are kept.
pub const HISTORY_MAX: usize = 200;

/// Lines, the latest last, and a place among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    lines: VecDeque<String>,
    /// Counted from the latest, 1 is the latest; 0: the line that is being typed.
    back: usize,
    /// What was typed before looking back: it is what lines are searched for, and what one comes
    /// back to.
    draft: String,
}

impl History {
    /// Adds a line. Empty ones and repetitions of the latest are not kept.
    pub fn push(&mut self, line: &str) {
        self.leave();
        let line = line.trim();
        let known = self.lines.back().is_some_and(|last| last == line);
        if line.is_empty() || known || line.len() > super::LINE_MAX {
            return;
        }
        if self.lines.len() == HISTORY_MAX {
            self.lines.pop_front();
        }
        self.lines.push_back(line.to_owned());
    }

    /// The lines, the oldest first.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.lines.iter().map(String::as_str)
    }

    /// The next older line that begins with what was typed. None: there is no older one.
    pub fn older(&mut self, typed: &str) -> Option<&str> {
        if self.back == 0 {
            typed.clone_into(&mut self.draft);
        }
        let places = self.back + 1..=self.lines.len();
        self.go(places)
    }

    /// The next newer line, and in the end what was typed.
    pub fn newer(&mut self) -> Option<&str> {
        if self.back == 0 {
            return None;
        }
        let places = (1..self.back).rev();
        if self.go(places).is_none() {
            self.back = 0;
            return Some(&self.draft);
        }
        self.at(self.back)
    }

    /// The line was changed or sent: the next look back begins anew.
    pub fn leave(&mut self) {
        self.back = 0;
        self.draft.clear();
    }

    fn at(&self, back: usize) -> Option<&str> {
        let place = self.lines.len().checked_sub(back)?;
        self.lines.get(place).map(String::as_str)
    }

    fn go(&mut self, mut places: impl Iterator<Item = usize>) -> Option<&str> {
        let fits = |line: &str| line.starts_with(&*self.draft);
        let place = places.find(|&back| self.at(back).is_some_and(fits))?;
        self.back = place;
        self.at(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_back_and_forth_ends_at_what_was_typed() {
        let mut history = History::default();
        assert_eq!(history.older("x"), None);
        for line in ["get cm", "get cm", " ", "label cm a b=c", "get dbc"] {
            history.push(line);
        }
        assert_eq!(history.lines().count(), 3);
        assert_eq!(history.older("ge"), Some("get dbc"));
        assert_eq!(history.older("get dbc"), Some("get cm"));
        assert_eq!(history.older("get cm"), None);
        assert_eq!(history.newer(), Some("get dbc"));
        assert_eq!(history.newer(), Some("ge"));
        assert_eq!(history.newer(), None);
        assert_eq!(history.older(""), Some("get dbc"));
        assert_eq!(history.older(""), Some("label cm a b=c"));
    }

    #[test]
    fn old_lines_are_forgotten() {
        let mut history = History::default();
        (0..2 * HISTORY_MAX).for_each(|n| history.push(&n.to_string()));
        assert_eq!(history.lines().count(), HISTORY_MAX);
        assert_eq!(history.lines().next(), Some("200"));
        history.push(&"x".repeat(crate::console::LINE_MAX + 1));
        assert_eq!(history.lines().next_back(), Some("399"));
    }
}
