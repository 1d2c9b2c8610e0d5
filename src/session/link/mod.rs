//! A run as a short text: what the address bar holds, and `control-loop --link` takes.
//!
//! # Format 1
//!
//! ```text
//! 1/control-loop/4?queue=channel&observe=20ms&seed=7&do=5.263s.123:scale:production-postgres:7&at=5.3s.131
//! │ │            │ └ settings, each at most once, in any order; what is left out is as in a bare visit
//! │ │            └ scene, counted from 1
//! │ └ chapter
//! └ format
//! ```
//!
//! | setting | value |
//! |---|---|
//! | a knob | see [`KNOBS`](crate::engine::KNOBS); only what differs from the scene's default |
//! | `seed` | a whole number |
//! | `do` | what the visitor did: a list of *place*`:`*what*, in order of time |
//! | `variant-do` | what the visitor did in the run of the scene's variant, where it is not the part of `do` before the scene |
//! | `beside-`*knob* | a knob of the run beside, where two are compared; only what differs from this run. `beside=yes` where nothing does |
//! | `at`, or `variant-at` while the variant is looked at | the cursor: a *place*; where it is left out, where the step stands |
//! | `step` | the step that is told, counted from 1; where it is left out, the last that was reached at the cursor, or else the first |
//!
//! - A *duration* is a decimal number and `ns`, `us`, `ms` or `s`: `20ms`, `1.5s`.
//! - A *place* is the time since the beginning, as a duration, then a dot and the number of facts
//!   that had happened: `5.263s.123`. A cursor has, where two runs are compared, another dot and the
//!   number of facts that had happened in the run beside: `5.263s.123.98`. In `do` the number may be left out: then the stimulus is the
//!   first thing to happen at that time.
//!   A place is where a fact has been seen to its end: in the middle of one, a link stands at its end.
//! - *What* is one of `create:`*name*`:`*replicas*`:`*version*, `scale:`*name*`:`*replicas*,
//!   `upgrade:`*name*`:`*version*, `burst:`*name*`:`*writes*`:`*gap*, `delete:`*name*, `kill:`*name*,
//!   `patch:`*name* with labels and annotations (`config.rs` says how), `restart` and `fail`. A *name* is one of the chapter's objects, without `default/`.
//! - In the chapter about config maps *what* is one of `new:`*name*, `apply:`*name* and `patch:`*name*,
//!   each with what it holds or changes, `many:`*name*`:`*count*, `touch:`*name*`:`*writes*`:`*gap*,
//!   `remove:`*name*, `refuse-for:`*duration*, `refuse-next:`*writes*, `refuse-controller`, `swallow`,
//!   `lose`, `close`, `expire` and `restart`. How texts are written is said in `config.rs`.
//! - `queue` is `client-go` or `channel`; `owns` is `yes` or `no`; `chance` is in thousandths; `fail`
//!   is a list of attempts, or `none`, or `chance`.
//! - `limiter` is a list of which the longest wait is taken: `exponential:`*base*`:`*max*,
//!   `fast-slow:`*fast*`:`*slow*`:`*attempts*, `bucket:`*qps*`:`*burst*; and `cap:`*max* last, if at all.
//! - Lists are separated by commas.
//!
//! The alphabet is letters, digits and `/?&=,:.-`: a URL's fragment may hold them as they are, chats
//! and markup leave them alone, and a link never ends with one that a linkifier cuts off. Where
//! somebody percent-encoded it all the same, it is decoded.
//!
//! A link is as long as [`LINK_MAX`] bytes at most and holds at most
//! [`STIMULI_MAX`](super::STIMULI_MAX) stimuli a run. Every number is checked against the bounds in
//! [`knob`](crate::engine::knob), so that no link can make a run that hangs or grows without end.
//!
//! The format is frozen: what a link with the number 1 means never changes. New settings may come
//! with later versions, and an older one says that it does not know them.

mod config;
mod error;
mod read;
mod word;
mod write;

pub use error::LinkError;

use super::run::{FACTS_MAX, Placed, RUN_MAX};
use super::story::Telling;
use super::tempo::Playhead;
use super::{Session, Step, Stop};
use crate::engine::knobs::Knobs;
use crate::engine::record::RecordId;
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimTime;
use crate::scene::Chapter;
use std::rc::Rc;

/// The longest link that is read, in bytes: longer than any that is written.
pub const LINK_MAX: usize = 32 * 1024;

/// The format's number.
const FORMAT: &str = "1";

/// Most facts that a place may lie after. A run is left at [`FACTS_MAX`], but the cue that brings it
/// there may leave many more: every key whose delay is over, and each was a reconcile before.
const PLACE_MAX: u32 = 2 * FACTS_MAX as u32;

/// Words that are both written and read.
const BESIDE: &str = "beside";
const YES: &str = "yes";

/// A place in a run: the instant, and the facts that have happened, in the run beside too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    at: SimTime,
    applied: RecordId,
    beside: RecordId,
}

impl From<Place> for Playhead {
    fn from(place: Place) -> Playhead {
        Playhead {
            beside: place.beside,
            moves_beside: false,
            applied: place.applied,
            time: place.at.0 as f64,
            share: 1.0,
            rate: 0.0,
        }
    }
}

/// All that a visit depends on. Made by [`Session::link`], [`Link::parse`] or [`Link::of_run`] alone, and
/// so always within bounds; its text is its [`Display`](std::fmt::Display) form.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    chapter: &'static Chapter,
    scene: usize,
    knobs: Knobs,
    seed: u64,
    /// The knobs of the run beside, where two are compared.
    beside: Option<Knobs>,
    stimuli: Vec<Placed>,
    variant_stimuli: Option<Vec<Placed>>,
    telling: Telling,
    /// None: where the step stands.
    cursor: Option<Place>,
    /// None: the last that was reached at the cursor, or else the first.
    step: Option<usize>,
}

impl Link {
    /// A run that nobody has visited, up to its end: a scene's script, and what a visitor does, in
    /// order of time, each the first thing to happen at its instant.
    ///
    /// # Errors
    /// What of it cannot be in a link.
    pub fn of_run(
        chapter: &'static Chapter,
        scene: usize,
        knobs: &Knobs,
        seed: u64,
        stimuli: Vec<(SimTime, Stimulus)>,
    ) -> Result<Link, LinkError> {
        if let Some((_, stranger)) = stimuli.iter().find(|(_, done)| !chapter.offers(done)) {
            let wanted = format!("this chapter does not offer {stranger:?}");
            return Err(LinkError::bare("do", wanted));
        }
        let placed = |(at, stimulus)| Placed {
            at,
            after: None,
            stimulus,
        };
        let link = Link {
            chapter,
            scene,
            knobs: knobs.clone(),
            seed,
            beside: None,
            stimuli: stimuli.into_iter().map(placed).collect(),
            variant_stimuli: None,
            telling: Telling::Main,
            cursor: Some(Place {
                at: RUN_MAX,
                applied: PLACE_MAX,
                beside: 0,
            }),
            step: None,
        };
        Link::parse(&link.to_string())
    }
}

impl Session {
    /// This visit as a link: run, scene, step and cursor. Speed and pace are not in it, nor what
    /// could be undone.
    pub fn link(&self) -> Link {
        let playhead = self.playhead();
        let place = self.place_of(playhead);
        let told = self.steps.get(self.step);
        let followed = self.step == self.step_at(playhead);
        let is_opening = self.step == 0
            && told.is_some_and(|told| told.telling == self.telling)
            && told.and_then(|told| self.stand(told)) == Some(place);
        Link {
            chapter: self.chapter,
            scene: self.scene,
            knobs: Knobs::clone(&self.knobs),
            seed: self.seed,
            beside: self.compared.as_deref().cloned(),
            stimuli: self.main.stimuli().to_vec(),
            variant_stimuli: self.variant_stimuli(),
            telling: self.telling,
            cursor: (!is_opening).then_some(place),
            step: (!is_opening && !followed).then_some(self.step),
        }
    }

    /// The visit that a link tells of, paused.
    pub fn open(link: Link) -> Session {
        let mut session = Session::new(link.chapter, link.knobs, link.seed);
        session.scene = link.scene;
        session.variant = None;
        session.rebuild(link.stimuli, link.variant_stimuli);
        if let Some(beside) = link.beside {
            session.compare(Some(Rc::new(beside)));
        }
        match link.cursor {
            None => {
                let step = link.step.unwrap_or(0);
                session.show_step(step.min(session.steps.len() - 1));
            }
            Some(place) => {
                if session.variant.is_some() {
                    session.switch(link.telling);
                }
                session.stand_at(place.into());
                let told = link
                    .step
                    .unwrap_or_else(|| session.step_at(session.playhead()));
                session.step = told.min(session.steps.len() - 1);
            }
        }
        session
    }

    /// Where the cursor stands at a step.
    fn stand(&self, step: &Step) -> Option<Place> {
        let story = match step.stop {
            Stop::Nowhere => return None,
            stop => self.place(stop)?,
        };
        Some(self.place_of(self.tempo.playhead(story)))
    }

    fn place_of(&self, playhead: Playhead) -> Place {
        Place {
            at: self.run().instant(playhead),
            applied: playhead.applied,
            beside: playhead.beside,
        }
    }
}
