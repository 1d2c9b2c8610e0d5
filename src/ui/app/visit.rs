//! Which visit is on the page: what a link opens, and the other chapter's, kept while it is away.

use super::App;
use crate::engine::sorted::Map;
use crate::scene::{CHAPTERS, CONTROL_LOOP, Chapter};
use crate::session::{Command, Link, Session};
use crate::ui::address::{self, Place};
use crate::ui::ask::Guess;

/// What a scene of the text version is called, before its number (static/first-sight.html).
const TOLD: &str = "scene-";

/// A visit to a chapter, with what was predicted in it.
pub(super) struct Visit {
    pub session: Session,
    /// By scene.
    pub guesses: Map<usize, Guess>,
}

impl Visit {
    fn new(session: Session) -> Visit {
        Visit {
            session,
            guesses: Map::new(),
        }
    }

    fn is_of(&self, chapter: &Chapter) -> bool {
        std::ptr::eq(self.session.chapter(), chapter)
    }
}

impl App {
    /// Tell another chapter: from where it was left, or else from its beginning.
    pub(super) fn turn_to(&mut self, chapter: usize) {
        let Some(&chapter) = CHAPTERS.get(chapter) else {
            return;
        };
        if !self.is_told(chapter) {
            let kept = self.away.iter().position(|visit| visit.is_of(chapter));
            let visit = match kept {
                Some(kept) => self.away.swap_remove(kept),
                None => Visit::new(Session::opening(chapter)),
            };
            self.notice = None;
            self.receive(visit);
        }
    }

    /// Somebody put a link into the address bar, or went back to one.
    pub(super) fn open(&mut self, fragment: &str) {
        let (session, notice) = open(fragment);
        self.notice = notice;
        self.receive(Visit::new(session));
        self.address.is_at(fragment.to_owned(), self.place());
    }

    /// The page is about this visit now. The one before is kept if it was of another chapter.
    fn receive(&mut self, visit: Visit) {
        let (speed, pace) = (self.session.speed(), self.session.pace());
        let chapter = visit.session.chapter();
        self.away.retain(|away| !away.is_of(chapter));
        let stays = self.is_told(chapter);
        let session = std::mem::replace(&mut self.session, visit.session);
        let guesses = std::mem::replace(&mut self.guesses, visit.guesses);
        if !stays {
            let mut left = Visit { session, guesses };
            left.session.apply(Command::Pause);
            self.away.push(left);
            self.resource = chapter.resources[0];
        }
        self.session.apply(Command::Speed(speed));
        self.session.apply(Command::Pace(pace));
        self.follow = None;
        self.lane = None;
        self.window = None;
        self.refresh();
    }

    fn is_told(&self, chapter: &Chapter) -> bool {
        std::ptr::eq(self.session.chapter(), chapter)
    }

    /// Where in the lessons the visit is.
    pub(super) fn place(&self) -> Place {
        place(&self.session)
    }
}

pub(super) fn place(session: &Session) -> Place {
    (session.chapter().id, session.scene())
}

/// The visit that a fragment asks for; a bare one where it asks for none or cannot be read, and
/// then why.
pub(super) fn open(fragment: &str) -> (Session, Option<String>) {
    let scene = match fragment.strip_prefix(TOLD) {
        // Of the text version, chosen while the program was on its way.
        Some(number) => address::counted(number),
        None if fragment.is_empty() => address::scene(),
        None => return from_link(fragment),
    };
    let mut session = Session::opening(&CONTROL_LOOP);
    if let Some(scene) = scene {
        session.apply(Command::Scene(scene));
    }
    (session, None)
}

#[inline(never)]
fn from_link(fragment: &str) -> (Session, Option<String>) {
    match Link::parse(fragment) {
        Ok(link) => (Session::open(link), None),
        Err(error) => {
            let told =
                format!("This link cannot be opened: {error}. The first scene is shown instead.");
            (Session::opening(&CONTROL_LOOP), Some(told))
        }
    }
}
