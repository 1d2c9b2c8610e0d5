//! What was printed: as much of it as a page can hold.

use crate::console::{Line, Stream};
use std::collections::VecDeque;
use std::rc::Rc;

/// Of what was printed so many lines are kept; the latest command's are kept whole.
pub const LINES_MAX: usize = 1000;

/// What a part of it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Out,
    Err,
    /// Printed by a watch, while time went on.
    Watched,
    /// The page's own word, and not kubectl's.
    Remark,
}

/// Lines of one tone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub tone: Tone,
    pub text: Rc<str>,
}

/// A line that was typed, and what was printed after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Counted from the first; never used twice.
    pub id: u32,
    /// When, by the page's clock.
    pub at: String,
    pub line: String,
    pub parts: Vec<Part>,
}

impl Said {
    fn lines(&self) -> usize {
        let lines = |part: &Part| part.text.split('\n').count();
        1 + self.parts.iter().map(lines).sum::<usize>()
    }
}

/// All that was printed.
#[derive(Clone, Debug, Default)]
pub struct Screen {
    said: Rc<VecDeque<Rc<Said>>>,
    next: u32,
    forgotten: bool,
}

impl Screen {
    /// An empty one, on which numbers go on.
    pub fn after(screen: &Screen) -> Screen {
        Screen {
            next: screen.next,
            ..Screen::default()
        }
    }

    pub fn said(&self) -> &Rc<VecDeque<Rc<Said>>> {
        &self.said
    }

    pub fn has_forgotten(&self) -> bool {
        self.forgotten
    }

    /// A line was typed.
    pub fn begin(&mut self, at: String, line: String) {
        let said = Said {
            id: self.next,
            at,
            line,
            parts: Vec::new(),
        };
        self.next += 1;
        Rc::make_mut(&mut self.said).push_back(Rc::new(said));
        self.forget();
    }

    /// Lines are printed. `tone` is that of the standard output.
    pub fn print(&mut self, lines: impl IntoIterator<Item = Line>, tone: Tone) {
        let mut parts: Vec<(Tone, String)> = Vec::new();
        for line in lines {
            let tone = match line.stream {
                Stream::Out => tone,
                Stream::Err => Tone::Err,
            };
            match parts.last_mut() {
                Some((last, text)) if *last == tone => {
                    text.push('\n');
                    text.push_str(&line.text);
                }
                _ => parts.push((tone, line.text)),
            }
        }
        for (tone, text) in parts {
            self.add(tone, &text);
        }
    }

    /// The page's own word.
    pub fn remark(&mut self, text: &str) {
        self.add(Tone::Remark, text);
    }

    fn add(&mut self, tone: Tone, text: &str) {
        if self.said.is_empty() {
            self.begin(String::new(), String::new());
        }
        let said = Rc::make_mut(&mut self.said);
        if let Some(last) = said.back_mut() {
            let text = text.into();
            Rc::make_mut(last).parts.push(Part { tone, text });
        }
        self.forget();
    }

    /// The oldest go first. What one watch has printed for hours goes part by part.
    fn forget(&mut self) {
        let said = Rc::make_mut(&mut self.said);
        let mut lines: usize = said.iter().map(|said| said.lines()).sum();
        while lines > LINES_MAX {
            self.forgotten = true;
            if said.len() > 1 {
                let gone = said.pop_front();
                lines -= gone.map_or(0, |gone| gone.lines());
            } else if let Some(only) = said.back_mut().filter(|only| only.parts.len() > 1) {
                let before = only.lines();
                Rc::make_mut(only).parts.remove(0);
                lines -= before - only.lines();
            } else {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_much_is_kept_and_no_more() {
        let mut screen = Screen::default();
        for number in 0..2 * LINES_MAX {
            screen.begin(String::new(), number.to_string());
        }
        assert_eq!(screen.said().len(), LINES_MAX);
        assert!(screen.has_forgotten());
        for _ in 0..2 * LINES_MAX {
            screen.print([Line::out("a row")], Tone::Watched);
        }
        assert_eq!(screen.said().len(), 1);
        assert_eq!(screen.said()[0].lines(), LINES_MAX);
        let many = std::iter::repeat_n(Line::err("x"), 2 * LINES_MAX);
        screen.print(many, Tone::Out);
        assert_eq!(screen.said()[0].parts.len(), 1, "the latest is kept whole");
    }

    #[test]
    fn lines_of_one_stream_are_one_part() {
        let mut screen = Screen::default();
        let lines = [
            Line::out("a"),
            Line::out("b"),
            Line::err("c"),
            Line::out("d"),
        ];
        screen.print(lines, Tone::Out);
        let parts: Vec<(Tone, &str)> = screen.said()[0]
            .parts
            .iter()
            .map(|part| (part.tone, &*part.text))
            .collect();
        assert_eq!(
            parts,
            [(Tone::Out, "a\nb"), (Tone::Err, "c"), (Tone::Out, "d")]
        );
    }
}
