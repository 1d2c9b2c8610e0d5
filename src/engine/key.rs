//! Object keys (`namespace/name`), interned: inside the engine a key is a small number, so that a
//! queue can keep what it knows about it in plain arrays. The text is looked up only to be shown.
//!
//! Mirrors nothing upstream, where a key is a string everywhere and is hashed at each step.
//!
//! Guarantees: numbers depend on the order of first mention and on nothing else. Texts are found by
//! a hash (measured: three times as fast as an ordered map), but the table is only ever asked for one
//! text and never walked, and the hash is the same on every machine: no order can leak from it.
//!
//! Left out on purpose: forgetting a key, and any defence against texts chosen to collide, which
//! would make look-ups slow but never wrong.

use serde::Serialize;
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
#[derive(Clone, Debug, Default)]
pub struct Keys {
    texts: Vec<Rc<str>>,
    /// Where to find a text's key: linear probing from the place that the hash's low bits name. Its
    /// length is zero or a power of two, at least twice the number of keys.
    slots: Vec<Option<Slot>>,
}

impl PartialEq for Keys {
    /// The same texts under the same numbers; the table follows from them.
    fn eq(&self, other: &Keys) -> bool {
        self.texts == other.texts
    }
}

/// A key in the look-up table, with its hash, so that most other texts are told apart by it alone.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    key: Key,
}

/// A hash of `text`: eight bytes at a time, multiplied and folded.
fn hash(text: &str) -> u32 {
    /// 2^64 divided by the golden ratio, odd: spreads neighbouring numbers far apart.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |hash: u64, word: u64| {
        // Both halves, so that the last letters, which are the highest bits, reach the lowest.
        let product = u128::from(hash ^ word) * u128::from(SPREAD);
        product as u64 ^ (product >> 64) as u64
    };
    let bytes = text.as_bytes();
    let length = bytes.len() as u64;
    let hash = match bytes.last_chunk::<8>() {
        // The last word may overlap the one before it.
        Some(last) => {
            let (words, _) = bytes[..bytes.len() - 1].as_chunks::<8>();
            let words = words.iter().chain([last]);
            words.fold(length, |hash, word| fold(hash, u64::from_le_bytes(*word)))
        }
        None => fold(
            length,
            bytes
                .iter()
                .fold(0, |word, &byte| word << 8 | u64::from(byte)),
        ),
    };
    hash as u32
}

impl Keys {
    /// The key for `text`, new or known.
    pub fn intern(&mut self, text: &str) -> Key {
        let hash = hash(text);
        if let Some(key) = self.find(hash, text) {
            return key;
        }
        let key = Key(self.texts.len() as u32);
        self.texts.push(Rc::from(text));
        if self.slots.len() < 2 * self.texts.len() {
            self.grow();
        }
        self.place(Slot { hash, key });
        key
    }

    /// The key for `text`, if it has been mentioned.
    pub fn get(&self, text: &str) -> Option<Key> {
        self.find(hash(text), text)
    }

    fn find(&self, hash: u32, text: &str) -> Option<Key> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut place = hash as usize & mask;
        // Half of the slots are free, so the search ends.
        while let Some(slot) = self.slots[place] {
            if slot.hash == hash && *self.texts[slot.key.index()] == *text {
                return Some(slot.key);
            }
            place = (place + 1) & mask;
        }
        None
    }

    /// Puts a slot that is not there yet into the first free place.
    fn place(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut place = slot.hash as usize & mask;
        while self.slots[place].is_some() {
            place = (place + 1) & mask;
        }
        self.slots[place] = Some(slot);
    }

    fn grow(&mut self) {
        let longer = vec![None; (2 * self.slots.len()).max(16)];
        for slot in std::mem::replace(&mut self.slots, longer)
            .into_iter()
            .flatten()
        {
            self.place(slot);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_in_the_order_of_first_mention_whatever_the_hashes() {
        let mut keys = Keys::default();
        let texts: Vec<String> = (0..5000)
            .map(|n| format!("{}/{n}", "n".repeat(n % 23)))
            .chain([String::new(), "\0".into(), "\0\0".into()])
            .collect();
        for _ in 0..2 {
            for (number, text) in texts.iter().enumerate() {
                assert_eq!(keys.intern(text), Key(number as u32));
            }
        }
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(keys.get(text), Some(Key(number as u32)));
            assert_eq!(keys.text(Key(number as u32)), text);
        }
        assert_eq!(
            (keys.get("never mentioned"), keys.len()),
            (None, texts.len())
        );
        assert_eq!(Keys::default().get(""), None);
    }

    #[test]
    fn names_that_differ_in_a_digit_spread_over_the_table() {
        let mut keys = Keys::default();
        (0..100_000).for_each(|n| {
            keys.intern(&format!("default/obj-{n:05}"));
        });
        let probes = |slot: &Slot, place: usize| {
            let mask = keys.slots.len() - 1;
            place.wrapping_sub(slot.hash as usize) & mask
        };
        let slots = keys.slots.iter().enumerate();
        let longest = slots
            .filter_map(|(place, slot)| Some(probes(slot.as_ref()?, place)))
            .max();
        assert!(longest < Some(64), "{longest:?}");
    }
}
