//! The picture at a cursor: the view with the latest fact, the one without, and what moves.

use super::run::Run;
use crate::engine::record::Record;
use crate::frame::{Token, View, flights, transit};

/// What is drawn until the next fact. Places within it follow from the playhead.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub view: View,
    /// What travels: events by simulated time, and the token of the latest fact by its dwell.
    pub tokens: Vec<Token>,
    /// The latest fact.
    pub latest: Option<Record>,
}

impl Picture {
    /// The picture after `applied` facts of `run`.
    pub fn at(run: &Run, applied: u32) -> Picture {
        let Some(last) = applied.checked_sub(1) else {
            let view = run.view_at(0);
            return Picture::new(&view.clone(), view, None);
        };
        Picture::after(run, run.view_at(last))
    }

    /// The picture one fact after `before`.
    pub fn after(run: &Run, before: View) -> Picture {
        let record = &run.records()[before.applied as usize];
        let mut after = before.clone();
        after.apply(record);
        Picture::new(&before, after, Some(record))
    }

    /// The picture of `after`, which `latest` made of `before`.
    fn new(before: &View, after: View, latest: Option<&Record>) -> Picture {
        let moved = latest.and_then(|record| transit(record, before, &after));
        Picture {
            tokens: flights(&after).chain(moved).collect(),
            view: after,
            latest: latest.cloned(),
        }
    }
}
