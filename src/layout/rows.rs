//! Which config maps have a row of their own on the stage.

use crate::engine::key::Key;
use crate::frame::View;

/// Rows of cards.
pub const ROWS: usize = 3;

/// The keys that have a row, in the store's lane and in the cache's alike, and those that share a
/// field of small marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    pub shown: Vec<Key>,
    pub rest: Vec<Key>,
}

impl Rows {
    /// If there are more than three, two have a row: first what a worker holds, then what differs.
    pub fn of(view: &View) -> Rows {
        let mut keys: Vec<Key> = view.config_maps.keys().copied().collect();
        for &key in view.cache.keys() {
            if let Err(place) = keys.binary_search(&key) {
                keys.insert(place, key);
            }
        }
        if keys.len() <= ROWS {
            return Rows {
                shown: keys,
                rest: Vec::new(),
            };
        }
        let held = |key: &Key| view.hands.iter().flatten().any(|hand| hand.key == *key);
        let differs = |key: &Key| view.difference(*key).is_some();
        let mut shown: Vec<Key> = Vec::new();
        for wanted in [&held as &dyn Fn(&Key) -> bool, &differs, &|_| true] {
            for &key in keys.iter().filter(|key| wanted(key)) {
                if shown.len() < ROWS - 1 && !shown.contains(&key) {
                    shown.push(key);
                }
            }
        }
        keys.retain(|key| !shown.contains(key));
        shown.sort_unstable();
        Rows { shown, rest: keys }
    }
}
