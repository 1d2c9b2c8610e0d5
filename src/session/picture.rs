//! The picture at a cursor: the view with the latest fact, the one without, and what moves.

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
    /// The picture of `after`, which `latest` made of `before`.
    pub fn new(before: &View, after: View, latest: Option<&Record>) -> Picture {
        let moved = latest.and_then(|record| transit(record, before, &after));
        Picture {
            tokens: flights(&after).chain(moved).collect(),
            view: after,
            latest: latest.cloned(),
        }
    }
}
