//! A map in the order of its keys, and a set: one sorted list each.
//!
//! The engine needs an order that no hash decides. The standard library's B-trees have one, but each kind
//! of key weighs the page eight kilobytes; here are few entries, and a list does. What is put in or
//! taken out in the middle moves what lies on one side of it; at either end, the usual place, nothing moves.

use serde::{Serialize, Serializer};
use std::borrow::Borrow;
use std::collections::VecDeque;
use std::ops::Index;

/// Values by key, in the order of the keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Map<K, V>(VecDeque<(K, V)>);

/// Keys in their order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<K>(Map<K, ()>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Map<K, V> {
        Map(VecDeque::new())
    }
}

impl<K, V> Map<K, V> {
    pub const fn new() -> Map<K, V> {
        Map(VecDeque::new())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + ExactSizeIterator {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (&K, &mut V)> {
        self.0.iter_mut().map(|(key, value)| (&*key, value))
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> {
        self.0.into_iter().map(|(_, value)| value)
    }

    /// The entry with the least key.
    pub fn first(&self) -> Option<(&K, &V)> {
        self.0.front().map(|(key, value)| (key, value))
    }

    /// Keep the entries that `wanted` likes.
    pub fn retain(&mut self, mut wanted: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| wanted(key, value));
    }
}

impl<K: Ord, V> Map<K, V> {
    /// Where `key` is, or where it would be.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        match self.0.back() {
            Some((last, _)) if last.borrow() < key => Err(self.0.len()),
            _ => self.0.binary_search_by(|(held, _)| held.borrow().cmp(key)),
        }
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        Some(&self.0[place].1)
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        Some(&mut self.0[place].1)
    }

    /// The entries whose keys lie beyond `key`; beyond nothing lie all.
    pub fn beyond<Q: Ord + ?Sized>(
        &self,
        key: Option<&Q>,
    ) -> impl DoubleEndedIterator<Item = (&K, &V)>
    where
        K: Borrow<Q>,
    {
        let place = key.map_or(0, |key| {
            self.place(key)
                .map_or_else(|place| place, |place| place + 1)
        });
        self.0.range(place..).map(|(key, value)| (key, value))
    }

    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Puts `value` under `key`; the one that was there before comes back.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, value)),
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// What is under `key`; if nothing is, `make` makes it.
    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let place = self.place(&key).unwrap_or_else(|place| {
            self.0.insert(place, (key, make()));
            place
        });
        &mut self.0[place].1
    }

    /// What is under `key`; if nothing is, the default.
    pub fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.get_or_insert_with(key, V::default)
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_entry(key).map(|(_, value)| value)
    }

    pub fn remove_entry<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.0.remove(place)
    }
}

impl<K: Ord> Set<K> {
    pub fn new() -> Set<K> {
        Set(Map::new())
    }

    /// Is it new?
    pub fn insert(&mut self, key: K) -> bool {
        self.0.insert(key, ()).is_none()
    }

    /// Was it there?
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.remove(key).is_some()
    }

    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }
}

impl<K> Set<K> {
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.0.keys()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn into_vec(self) -> Vec<K> {
        self.0.0.into_iter().map(|(key, ())| key).collect()
    }
}

impl<K> Default for Set<K> {
    fn default() -> Set<K> {
        Set(Map::default())
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Map<K, V> {
        let entries: Vec<(K, V)> = entries.into_iter().collect();
        let entries = merged(entries, &|(earlier, _), (later, _)| earlier <= later);
        let mut map: VecDeque<(K, V)> = VecDeque::with_capacity(entries.len());
        for (key, value) in entries {
            match map.back_mut() {
                // The last one counts, as if they had been put in one by one.
                Some((last, held)) if *last == key => *held = value,
                _ => map.push_back((key, value)),
            }
        }
        Map(map)
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(entries: [(K, V); N]) -> Map<K, V> {
        entries.into_iter().collect()
    }
}

impl<K: Ord> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Set<K> {
        Set(keys.into_iter().map(|key| (key, ())).collect())
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for Map<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the key is in the map")
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter =
        std::iter::Map<std::collections::vec_deque::Iter<'a, (K, V)>, fn(&'a (K, V)) -> Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(key, value)| (key, value))
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::collections::vec_deque::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: Serialize, V: Serialize> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// These in their order; equal ones stay. (The standard library's sorts weigh three kilobytes for each kind of item.)
pub fn in_order<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    merged(items.into_iter().collect(), &|earlier, later| {
        earlier <= later
    })
}

/// These in the order of their keys; items of equal keys stay as they were.
pub fn in_order_of<T, K: Ord>(items: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    merged(items, &|earlier, later| key(earlier) <= key(later))
}

/// The stretches that are in order already, each put into its neighbour, until there is one.
fn merged<T>(items: Vec<T>, precedes: &impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut runs: Vec<Vec<T>> = Vec::new();
    for item in items {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|last| precedes(last, &item)) => run.push(item),
            _ => runs.push(vec![item]),
        }
    }
    while runs.len() > 1 {
        let mut fewer = Vec::with_capacity(runs.len().div_ceil(2));
        let mut runs_left = runs.into_iter();
        while let Some(earlier) = runs_left.next() {
            fewer.push(match runs_left.next() {
                Some(later) => merge(earlier, later, precedes),
                None => earlier,
            });
        }
        runs = fewer;
    }
    runs.pop().unwrap_or_default()
}

fn merge<T>(earlier: Vec<T>, later: Vec<T>, precedes: &impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut all = Vec::with_capacity(earlier.len() + later.len());
    let (mut earlier, mut later) = (earlier.into_iter().peekable(), later.into_iter().peekable());
    loop {
        let next = match (earlier.peek(), later.peek()) {
            (Some(left), Some(right)) if precedes(left, right) => earlier.next(),
            (_, Some(_)) => later.next(),
            (_, None) => earlier.next(),
        };
        match next {
            Some(item) => all.push(item),
            None => return all,
        }
    }
}

impl<K: Serialize> Serialize for Set<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests;
