//! Object keys (`namespace/name`), interned: inside the engine a key is a small number, so that a
//! queue can keep what it knows about it in plain arrays. The text is looked up only to be shown.

use serde::Serialize;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An interned `namespace/name`. Numbers are given in the order of first mention, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Key(pub u32);

impl Key {
    /// Where this key's row is in an array indexed by key.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The texts of all keys that a run has mentioned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keys {
    texts: Vec<Rc<str>>,
    by_text: BTreeMap<Rc<str>, Key>,
}

impl Keys {
    /// The key for `text`, new or known.
    pub fn intern(&mut self, text: &str) -> Key {
        if let Some(&key) = self.by_text.get(text) {
            return key;
        }
        let key = Key(self.texts.len() as u32);
        let text: Rc<str> = Rc::from(text);
        self.texts.push(text.clone());
        self.by_text.insert(text, key);
        key
    }

    /// The key for `text`, if it has been mentioned.
    pub fn get(&self, text: &str) -> Option<Key> {
        self.by_text.get(text).copied()
    }

    /// `namespace/name`.
    pub fn text(&self, key: Key) -> &str {
        &self.texts[key.index()]
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}
