//! What a command answers: lines, requests, and perhaps a watch that goes on.

use super::request::Request;
use super::watch::Watch;
use std::ops::Range;

/// The most lines that one command prints.
pub const OUTPUT_MAX: usize = 4000;

/// Where a line was printed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Out,
    Err,
}

/// One line of output, without its end. Harmless: no control characters but tabs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub stream: Stream,
    pub text: String,
}

impl Line {
    pub fn out(text: &str) -> Line {
        Line {
            stream: Stream::Out,
            text: harmless(text),
        }
    }

    pub fn err(text: &str) -> Line {
        Line {
            stream: Stream::Err,
            text: harmless(text),
        }
    }
}

/// What a command answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    pub output: Vec<Line>,
    /// What is asked of the API server, in order.
    pub requests: Vec<Request>,
    /// The lines that say of each request that it was done.
    pub done: Vec<Range<usize>>,
    /// `get -w`: rows are to be printed for what happens from now on.
    pub watch: Option<Watch>,
    /// `apply -f -` without a manifest, or another reason to open the editor.
    pub wants_editor: bool,
}

impl Reply {
    /// Prints to the standard output.
    pub fn out(&mut self, text: &str) {
        self.print(text, Line::out);
    }

    /// Prints to the standard error.
    pub fn err(&mut self, text: &str) {
        self.print(text, Line::err);
    }

    /// Asks something of the API server, and says that it was done.
    pub fn ask(&mut self, request: Request, done: &str) {
        let before = self.output.len();
        self.out(done);
        self.requests.push(request);
        self.done.push(before..self.output.len());
    }

    /// The API server has refused a request: that it was done is not printed, but why it was not.
    /// The last of several is to be told of first, since this moves lines.
    pub fn refuse(&mut self, request: usize, why: &str) {
        let mut told = Reply::default();
        told.err(why);
        self.output.splice(self.done[request].clone(), told.output);
    }

    fn print(&mut self, text: &str, line: fn(&str) -> Line) {
        for text in text.split('\n') {
            if self.output.len() == OUTPUT_MAX {
                self.output.push(Line::err("(and more lines)"));
            }
            if self.output.len() > OUTPUT_MAX {
                return;
            }
            self.output.push(line(text));
        }
    }
}

/// Characters that would move the cursor, turn the direction of writing or hide themselves are
/// shown as a terminal escapes them: `^[`.
fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\t' => shown.push('\t'),
            '\0'..='\x1f' => {
                shown.push('^');
                shown.push(char::from(letter as u8 + b'@'));
            }
            '\x7f' => shown.push_str("^?"),
            _ if is_hidden(letter) => shown.push('\u{fffd}'),
            _ => shown.push(letter),
        }
    }
    shown
}

/// A control character, or one that works on its neighbours unseen.
pub(super) fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}
