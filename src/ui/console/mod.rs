//! The console: a command line that speaks kubectl to the cluster that is shown.
//!
//! What a line does and what is printed is the [`Shell`]'s; here is what is being typed, and the
//! editor.

mod editor;
mod line;
mod printed;
mod reader;
mod view;

pub use view::view;

use crate::console::json;
use crate::engine::sorted::Map;
use crate::session::Session;
use crate::shell::{Shell, Typing, chosen};
use editor::Editor;
use line::{focus, put_caret};
use reader::{Heard, Reader, State};
use yew::Callback;

/// What somebody does at the console.
pub enum Wish {
    Typed(String),
    /// Tab.
    Complete(Typing),
    /// One of the words that Tab offers.
    Choose(String),
    Enter,
    Older,
    Newer,
    /// Ctrl+C.
    Interrupt,
    /// Ctrl+L.
    Clear,
    /// Escape: what is offered is put away, the watch ends, or the field is left.
    Escape,
    /// A line to begin with.
    Try(&'static str),
    Manifest(String),
    Apply,
    /// Close the editor.
    Close,
    /// The reader of manifests.
    Heard(Heard),
}

/// Where the keyboard is to be, after drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Focus {
    Line,
    Editor,
    /// The dock's tab.
    Tab,
}

/// The console of a visitor.
#[derive(Default)]
pub struct Console {
    pub shell: Shell,
    typing: Typing,
    editor: Option<Editor>,
    /// What was in the editor when it was closed, by chapter.
    drafts: Map<&'static str, String>,
    reader: Option<Reader>,
    focus: Option<Focus>,
    /// Is the caret to be put where the typing says?
    caret: bool,
}

impl Console {
    /// Let the keyboard be at the line, once it is drawn.
    pub fn come(&mut self) {
        self.focus = Some(Focus::Line);
    }

    /// Does it as far as it concerns the console, and the session where a line does something.
    pub fn take(&mut self, wish: Wish, session: &mut Session, heard: &Callback<Heard>) {
        match wish {
            Wish::Typed(line) => {
                self.shell.history.leave();
                self.put(line);
                self.caret = false;
            }
            Wish::Complete(typing) => {
                self.typing = typing;
                self.caret = true;
            }
            Wish::Choose(word) => {
                let Typing { line, cursor, .. } = &self.typing;
                if let Some(typing) = chosen(line, *cursor, &word, &self.shell.world(session)) {
                    self.typing = typing;
                    self.caret = true;
                }
                self.focus = Some(Focus::Line);
            }
            Wish::Enter => {
                let line = std::mem::take(&mut self.typing).line;
                self.shell.enter(&line, session);
                if self.shell.waiting().is_some() && self.editor.is_none() {
                    self.edit(session, heard);
                }
            }
            Wish::Older => {
                if let Some(line) = self.shell.history.older(&self.typing.line) {
                    let line = line.to_owned();
                    self.put(line);
                }
            }
            Wish::Newer => {
                if let Some(line) = self.shell.history.newer() {
                    let line = line.to_owned();
                    self.put(line);
                }
            }
            Wish::Interrupt => {
                self.shell.interrupt(&self.typing.line);
                self.put(String::new());
            }
            Wish::Clear => self.shell.clear(),
            Wish::Escape if !self.typing.offers.is_empty() => self.typing.offers.clear(),
            Wish::Escape if self.shell.is_watching() => self.shell.interrupt(""),
            Wish::Escape => self.focus = Some(Focus::Tab),
            Wish::Try(line) => {
                self.put(line.to_owned());
                self.focus = Some(Focus::Line);
            }
            Wish::Manifest(text) => {
                if let Some(editor) = &mut self.editor {
                    editor.text = text;
                    editor.broke = false;
                }
                self.forget();
            }
            Wish::Apply => {
                self.read();
                self.replace(heard);
            }
            Wish::Close => {
                self.shell.put_away();
                self.close();
                self.focus = Some(Focus::Line);
            }
            Wish::Heard(word) => {
                self.hear(word, session);
                self.replace(heard);
            }
        }
    }

    /// Time has gone on, or something else is looked at: the editor of another chapter closes.
    pub fn look(&mut self, session: &Session) {
        self.shell.look(session);
        let here = session.chapter().id;
        if self
            .editor
            .as_ref()
            .is_some_and(|editor| editor.chapter != here)
        {
            self.close();
        }
    }

    /// Is what is in the editor being read?
    fn reads(&self) -> bool {
        self.reader.as_ref().is_some_and(Reader::reads)
    }

    /// Whatever is being read is no longer what is in the editor.
    fn forget(&mut self) {
        if let Some(reader) = &mut self.reader {
            reader.forget();
        }
    }

    /// A new reader for one that broke down: no text may take the console with it.
    fn replace(&mut self, heard: &Callback<Heard>) {
        if let Some(reader) = &mut self.reader
            && reader.state() == State::Broken
        {
            *reader = Reader::load(heard.clone());
            if let Some(editor) = &mut self.editor {
                editor.broke = true;
            }
        }
    }

    fn put(&mut self, line: String) {
        self.typing = Typing {
            cursor: line.len(),
            line,
            offers: Vec::new(),
        };
        self.caret = true;
    }

    /// Opens the editor, and has the reader loaded.
    fn edit(&mut self, session: &Session, heard: &Callback<Heard>) {
        let chapter = session.chapter();
        let draft = self.drafts.remove(&chapter.id);
        let text = draft.unwrap_or_else(|| editor::first_text(chapter));
        let reader = self
            .reader
            .get_or_insert_with(|| Reader::load(heard.clone()));
        if reader.state() == State::Missing {
            *reader = Reader::load(heard.clone());
        }
        self.editor = Some(Editor {
            text,
            chapter: chapter.id,
            broke: false,
        });
        self.focus = Some(Focus::Editor);
    }

    fn read(&mut self) {
        if let (Some(editor), Some(reader)) = (&mut self.editor, &mut self.reader)
            && editor.can_be_applied()
            && reader.state() == State::Ready
            && !reader.reads()
        {
            editor.broke = false;
            reader.read(&editor.text);
        }
    }

    fn hear(&mut self, heard: Heard, session: &mut Session) {
        let answer = self.reader.as_mut().and_then(|reader| reader.hear(heard));
        if let Some(answer) = answer
            && self.shell.apply(json::documents(&answer), session)
        {
            self.close();
            self.focus = Some(Focus::Line);
        }
    }

    fn close(&mut self) {
        self.forget();
        if let Some(editor) = self.editor.take() {
            self.drafts.insert(editor.chapter, editor.text);
        }
    }

    /// The console has been drawn: the keyboard and the caret go where they belong.
    pub fn drawn(&mut self) {
        match self.focus.take() {
            Some(Focus::Line) => focus(line::ID),
            Some(Focus::Editor) => editor::begin(),
            Some(Focus::Tab) => line::leave(),
            None => {}
        }
        if std::mem::take(&mut self.caret) {
            put_caret(&self.typing);
        }
    }
}
