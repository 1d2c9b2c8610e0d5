//! What is followed: one fact with all that led to it and came of it, or everything about an object.

use super::App;
use crate::engine::key::Keys;
use crate::engine::record::Record;
use crate::frame::{Follow, Life};
use crate::session::Session;
use std::rc::Rc;

impl App {
    pub(super) fn life(&self) -> Option<Rc<Life>> {
        self.follow.as_ref().map(|(_, life)| life.clone())
    }

    pub(super) fn follow(&mut self, follow: Option<Follow>) {
        let again = self.follow.as_ref().map(|(follow, _)| *follow) == follow;
        let session = &self.session;
        self.follow = follow
            .filter(|_| !again)
            .map(|follow| (follow, Rc::new(life_of(session, follow))));
    }

    pub(super) fn followed_record(&self) -> Option<Record> {
        match self.follow.as_ref()?.0 {
            Follow::Fact(id) => self.session.run().record(id),
            Follow::Key(_) => None,
        }
    }

    /// Something has happened to the session. `other`: facts have come, or another run is looked at.
    #[inline(never)]
    pub(super) fn follow_on(&mut self, followed: Option<Record>, other: bool) {
        if self.followed_record() != followed {
            // The fact that was followed has not happened in this run.
            self.follow = None;
        }
        if other {
            self.renew_life();
        }
    }

    /// More may belong to what is followed.
    #[inline(never)]
    pub(super) fn renew_life(&mut self) {
        if let Some((follow, life)) = &mut self.follow {
            let now = life_of(&self.session, *follow);
            if now != **life {
                *life = Rc::new(now);
            }
        }
    }

    /// The same object has another key in another run, or none.
    #[inline(never)]
    pub(super) fn follow_by_name(&mut self, before: &Keys) {
        if let Some((Follow::Key(key), _)) = self.follow {
            let known = self.keys.get(before.text(key));
            self.follow = known.map(|key| {
                let follow = Follow::Key(key);
                (follow, Rc::new(life_of(&self.session, follow)))
            });
        }
    }
}

fn life_of(session: &Session, follow: Follow) -> Life {
    Life::new(session.run().facts(..), follow)
}
