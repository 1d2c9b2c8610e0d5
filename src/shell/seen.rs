//! What was seen of the visit when it was looked at last: which run it was, and how far.

use super::world::{files, furnished, now};
use crate::console::{Files, Stored, WorldView};
use crate::engine::apiserver::Object;
use crate::engine::record::Record;
use crate::engine::time::SimTime;
use crate::session::{Origin, Session};
use std::cell::RefCell;
use std::rc::Rc;

/// What has become of the visit since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing, or time has gone on.
    On,
    Back,
    Run,
    Chapter,
}

/// How far the visit was, and in which run.
#[derive(Clone, Debug)]
pub struct Seen {
    chapter: &'static str,
    /// Where the run comes from, and the latest fact: together they tell it from every other.
    origin: Origin,
    latest: Option<Record>,
    applied: usize,
    files: Files,
    kept: RefCell<Kept>,
}

/// What the store held after so many facts; brought further when somebody asks.
#[derive(Clone, Debug, Default)]
struct Kept {
    applied: usize,
    stored: Stored,
}

impl Kept {
    /// To where so many facts have happened. Each object that is written or deleted on the way goes to `each`.
    fn go_to(
        &mut self,
        session: &Session,
        applied: usize,
        mut each: impl FnMut(Rc<Object>, SimTime),
    ) {
        if applied < self.applied {
            *self = Kept::default();
        }
        for record in session.run().facts(self.applied..applied) {
            if let Some(object) = self.stored.take(session.run().keys(), &record) {
                each(object, record.at);
            }
        }
        self.applied = applied;
    }
}

fn applied(session: &Session) -> usize {
    session.playhead().applied as usize
}

fn latest(session: &Session, applied: usize) -> Option<Record> {
    session.run().record_before(applied as u32)
}

impl Seen {
    pub fn new(session: &Session) -> Seen {
        Seen::with(session, Rc::new(files(session.chapter())))
    }

    fn with(session: &Session, files: Files) -> Seen {
        let applied = applied(session);
        Seen {
            chapter: session.chapter().id,
            origin: session.run().origin().clone(),
            latest: latest(session, applied),
            applied,
            files,
            kept: RefCell::default(),
        }
    }

    /// What has become of it.
    pub fn change(&self, session: &Session) -> Change {
        if session.chapter().id != self.chapter {
            Change::Chapter
        } else if *session.run().origin() != self.origin
            || latest(session, self.applied) != self.latest
        {
            Change::Run
        } else if applied(session) < self.applied {
            Change::Back
        } else {
            Change::On
        }
    }

    /// Another run of the chapter is seen from now on.
    pub fn turn(&mut self, session: &Session) {
        *self = Seen::with(session, self.files.clone());
    }

    /// The same run is seen, further on or further back.
    pub fn move_to(&mut self, session: &Session) {
        let applied = applied(session);
        if applied != self.applied {
            self.applied = applied;
            self.latest = latest(session, applied);
        }
    }

    /// The objects that were written or deleted since, each with the fact's instant.
    pub fn news(&self, session: &Session) -> Vec<(Rc<Object>, SimTime)> {
        let mut kept = self.kept.borrow_mut();
        kept.go_to(session, self.applied, |_, _| {});
        let mut news = Vec::new();
        let keep = |object, at| news.push((object, at));
        kept.go_to(session, applied(session), keep);
        news
    }

    /// The world that is seen now; none, if another one is.
    pub fn world(&self, session: &Session) -> Option<WorldView> {
        let applied = applied(session);
        if self.change(session) != Change::On || applied != self.applied {
            return None;
        }
        let mut kept = self.kept.borrow_mut();
        kept.go_to(session, applied, |_, _| {});
        let world = WorldView::new(now(session), kept.stored.objects());
        Some(furnished(world, session, self.files.clone()))
    }
}
