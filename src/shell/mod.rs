//! A shell on the cluster that is shown: what is typed is done to the visit, and what came of it is
//! printed.
//!
//! The console answers as if the API server took everything; here it is asked, and what it refuses
//! is printed as refused. What is typed is a stimulus like any other, so it is in the timeline, in
//! the link, and can be taken back. What was printed stays printed, as in any terminal: where time
//! was turned back or another run is looked at, a remark says so before the next line.

mod answer;
mod complete;
mod reading;
mod screen;
mod seen;
mod world;

pub use complete::{Typing, chosen, completed};
pub use reading::Reading;
pub use screen::{LINES_MAX, Part, Said, Tone};
pub use world::{files, world};

use crate::console::{History, Line, Reply, Stream, Value, Watch, WorldView, evaluate};
use crate::engine::fixed::seconds;
use crate::engine::stimulus::Stimulus;
use crate::session::{Command, Session, command_line};
use screen::Screen;
use seen::{Change, Seen};
use std::collections::VecDeque;
use std::rc::Rc;

/// So many letters of a line that was typed are shown.
const SHOWN_MAX: usize = 2000;

/// What a shell remembers.
#[derive(Clone, Debug, Default)]
pub struct Shell {
    pub history: History,
    screen: Screen,
    watch: Option<Watch>,
    seen: Option<Seen>,
    /// What has to be remarked before the next line.
    remark: Option<String>,
    /// The line that waits for what is in the editor.
    waiting: Option<String>,
}

impl Shell {
    /// What was printed, the oldest first.
    pub fn said(&self) -> &Rc<VecDeque<Rc<Said>>> {
        self.screen.said()
    }

    /// Was more printed than is kept?
    pub fn has_forgotten(&self) -> bool {
        self.screen.has_forgotten()
    }

    /// Does `get -w` go on?
    pub fn is_watching(&self) -> bool {
        self.watch.is_some()
    }

    /// The line that waits for what is in the editor.
    pub fn waiting(&self) -> Option<&str> {
        self.waiting.as_deref()
    }

    /// A line was typed.
    pub fn enter(&mut self, line: &str, session: &mut Session) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        self.history.push(line);
        if line == "clear" {
            return self.clear();
        }
        self.look(session);
        let mut reply = evaluate(line, &self.world(session));
        self.begin(line, session);
        if reply.wants_editor {
            self.waiting = Some(line.to_owned());
            self.screen
                .remark("The editor is open: apply what is in it, or close it.");
            return;
        }
        if let Some(watch) = reply.watch.take() {
            self.watch = Some(watch);
        }
        answer::carry_out(&mut reply, session);
        self.print(reply, session);
    }

    /// What was in the editor has been read, or could not be. True: all of it was done.
    pub fn apply(&mut self, read: Result<Vec<Value>, String>, session: &mut Session) -> bool {
        let Some(line) = self.waiting.clone() else {
            return false;
        };
        self.look(session);
        let mut reply = Reply::default();
        let evaluated = read.map(|documents| {
            let mut world = self.world(session);
            Rc::make_mut(&mut world.files).insert("-".to_owned(), documents);
            evaluate(&line, &world)
        });
        self.begin(&line, session);
        match evaluated {
            Ok(asked) => {
                reply = asked;
                answer::carry_out(&mut reply, session);
            }
            Err(why) => reply.err(&why),
        }
        let is_error =
            |line: &Line| line.stream == Stream::Err && !line.text.starts_with("Warning: ");
        let done = !reply.output.iter().any(is_error);
        self.print(reply, session);
        if done {
            self.waiting = None;
        }
        done
    }

    /// The editor was closed.
    pub fn put_away(&mut self) {
        self.waiting = None;
    }

    /// A button was pressed: the command that it stands for is written down as if it were typed.
    pub fn press(&mut self, stimulus: Stimulus, session: &mut Session) {
        let line = command_line(&stimulus, session.chapter().controller)
            .filter(|_| session.takes(std::slice::from_ref(&stimulus)));
        let Some(line) = line else {
            return session.apply(Command::Do(stimulus));
        };
        self.look(session);
        let mut reply = evaluate(&line, &self.world(session));
        self.history.push(&line);
        self.begin(&line, session);
        session.apply(Command::Do(stimulus));
        answer::correct(&mut reply, session, &[1]);
        self.print(reply, session);
    }

    /// Ctrl+C: the watch ends, or what was typed is given up.
    pub fn interrupt(&mut self, typed: &str) {
        if self.watch.take().is_some() {
            self.screen.print([Line::out("^C")], Tone::Out);
        } else if !typed.is_empty() {
            let typed = Line::out(typed).text;
            self.screen.begin(String::new(), format!("{typed}^C"));
        }
    }

    /// Ctrl+L: the screen is empty. The history is not.
    pub fn clear(&mut self) {
        self.screen = Screen::after(&self.screen);
    }

    /// The world at the cursor.
    pub fn world(&self, session: &Session) -> WorldView {
        let seen = self.seen.as_ref();
        seen.and_then(|seen| seen.world(session))
            .unwrap_or_else(|| world(session))
    }

    /// Time has gone on, or was turned back: what a watch prints. True if anything was printed.
    pub fn look(&mut self, session: &Session) -> bool {
        let Some(seen) = &mut self.seen else {
            self.seen = Some(Seen::new(session));
            return false;
        };
        let clock = || clock(session);
        match seen.change(session) {
            Change::On => {
                let rows = match &mut self.watch {
                    Some(watch) => {
                        let news = seen.news(session).into_iter();
                        news.flat_map(|(object, at)| watch.lines(&object, at))
                            .collect()
                    }
                    None => Vec::new(),
                };
                seen.move_to(session);
                return self.tell(rows);
            }
            Change::Back => {
                seen.move_to(session);
                self.remark = Some(format!("Back at {}.", clock()));
            }
            Change::Run => {
                seen.turn(session);
                self.remark = Some(format!("Another run, at {}.", clock()));
            }
            Change::Chapter => {
                *seen = Seen::new(session);
                self.waiting = None;
                let and = match self.watch.take() {
                    Some(_) => " The watch has ended.",
                    None => "",
                };
                self.remark = Some(format!("Another chapter, at {}.{and}", clock()));
            }
        }
        false
    }

    /// What a watch has seen.
    fn tell(&mut self, rows: Vec<Line>) -> bool {
        if rows.is_empty() {
            return false;
        }
        self.say_remark();
        self.screen.print(rows, Tone::Watched);
        true
    }

    fn say_remark(&mut self) {
        if let Some(remark) = self.remark.take()
            && !self.said().is_empty()
        {
            self.screen.remark(&remark);
        }
    }

    fn begin(&mut self, line: &str, session: &Session) {
        self.say_remark();
        let line = match line.char_indices().nth(SHOWN_MAX) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line.to_owned(),
        };
        let typed = match line.split_whitespace().next() {
            Some("kubectl" | "k" | "$") => line,
            _ => format!("kubectl {line}"),
        };
        self.screen.begin(clock(session), Line::out(&typed).text);
    }

    fn print(&mut self, reply: Reply, session: &Session) {
        self.screen.print(reply.output, Tone::Out);
        self.look(session);
    }
}

/// The instant that is looked at, as the page's clock has it.
fn clock(session: &Session) -> String {
    format!("{} s", seconds(session.playhead().time))
}
