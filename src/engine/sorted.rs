//! A map in the order of its keys, and a set: one sorted list each.
//!
//! The engine needs an order that no hash decides. The standard library's B-trees have one, but each kind
//! of key weighs the page eight kilobytes; here are few entries, and a list does. What is put in or
//! taken out in the middle moves what lies behind it: an insertion at the end, the usual one, moves nothing,
//! a removal at the beginning moves all. So it is no queue.

use serde::{Serialize, Serializer};
use std::borrow::Borrow;
use std::ops::Index;

/// Values by key, in the order of the keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Map<K, V>(Vec<(K, V)>);

/// Keys in their order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<K>(Map<K, ()>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Map<K, V> {
        Map(Vec::new())
    }
}

impl<K, V> Map<K, V> {
    pub const fn new() -> Map<K, V> {
        Map(Vec::new())
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
        self.0.first().map(|(key, value)| (key, value))
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
        match self.0.last() {
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
        self.0[place..].iter().map(|(key, value)| (key, value))
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
        Some(self.0.remove(place))
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
        let mut map: Vec<(K, V)> = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            match map.last_mut() {
                // The last one counts, as if they had been put in one by one.
                Some((last, held)) if *last == key => *held = value,
                _ => map.push((key, value)),
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
    type IntoIter = std::iter::Map<std::slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(key, value)| (key, value))
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

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
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_map_does_what_a_tree_does() {
        let (mut map, mut tree) = (Map::new(), BTreeMap::new());
        let mut state = 1_u32;
        for turn in 0..2_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let key = (state >> 16) % 50;
            match state >> 30 {
                0 => assert_eq!(map.remove(&key), tree.remove(&key)),
                1 => *map.get_or_default(key) += turn,
                2 => assert_eq!(map.get(&key), tree.get(&key)),
                _ => assert_eq!(map.insert(key, turn), tree.insert(key, turn)),
            }
            if state >> 30 == 1 {
                *tree.entry(key).or_default() += turn;
            }
            assert!(map.iter().eq(tree.iter()));
            assert_eq!(map.first(), tree.first_key_value());
        }
    }

    /// The numbers below `count`, each once, far from their order.
    fn shuffled(count: u32) -> impl Iterator<Item = u32> {
        (0..count).map(move |n| (u64::from(n) * 7919 % u64::from(count)) as u32)
    }

    #[test]
    fn a_map_of_many_shuffled_entries_is_made_with_few_comparisons() {
        use std::cell::Cell;
        use std::cmp::Ordering;

        thread_local!(static COMPARED: Cell<u64> = const { Cell::new(0) });
        #[derive(PartialEq, Eq)]
        struct Counted(u32);
        impl PartialOrd for Counted {
            fn partial_cmp(&self, other: &Counted) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }
        impl Ord for Counted {
            fn cmp(&self, other: &Counted) -> Ordering {
                COMPARED.set(COMPARED.get() + 1);
                self.0.cmp(&other.0)
            }
        }
        let count = 100_000;
        let map: Map<Counted, u32> = shuffled(count).map(|n| (Counted(n), n)).collect();
        assert!(map.values().copied().eq(0..count));
        // n log n: 17 for each, and one to find what is in order already.
        let compared = COMPARED.get();
        assert!(compared < u64::from(count) * 20, "{compared}");
    }

    #[test]
    fn of_entries_under_one_key_the_last_counts() {
        let map: Map<u8, char> = [(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd'), (2, 'e')].into();
        assert!(map.iter().eq([(&1, &'d'), (&2, &'e')]));
    }

    #[test]
    fn what_lies_beyond_a_key() {
        let map: Map<u32, ()> = [1, 3, 5].map(|key| (key, ())).into();
        let beyond = |key: Option<u32>| -> Vec<u32> {
            map.beyond(key.as_ref()).map(|(&key, ())| key).collect()
        };
        assert_eq!(beyond(None), [1, 3, 5]);
        assert_eq!(beyond(Some(0)), [1, 3, 5]);
        assert_eq!(beyond(Some(1)), [3, 5]);
        assert_eq!(beyond(Some(2)), [3, 5]);
        assert!(beyond(Some(5)).is_empty() && beyond(Some(9)).is_empty());
        assert_eq!(map.beyond(Some(&1)).next_back(), Some((&5, &())));
        assert!(Map::<u32, ()>::new().beyond(Some(&1)).next().is_none());
    }

    #[test]
    fn retain_keeps_what_is_wanted_and_may_change_it() {
        let mut map: Map<u32, u32> = shuffled(10).map(|key| (key, key)).collect();
        map.retain(|key, value| {
            *value += 1;
            key % 3 == 0
        });
        assert!(map.iter().eq([(&0, &1), (&3, &4), (&6, &7), (&9, &10)]));
        map.retain(|_, _| false);
        assert!(map.is_empty());
    }

    #[test]
    fn borrowed_keys_find_what_is_there_and_nothing_else() {
        let words = ["b", "a", "c"].map(|word| (word.to_owned(), word.len()));
        let mut map: Map<String, usize> = words.into();
        assert_eq!((map.get("b"), map.get("bb")), (Some(&1), None));
        assert!(map.contains_key("a") && !map.contains_key(""));
        *map.get_mut("b").expect("it is there") = 7;
        assert!(map.get_mut("d").is_none());
        assert_eq!(map["b"], 7);
        assert_eq!(map.remove_entry("b"), Some(("b".to_owned(), 7)));
        assert_eq!(map.remove_entry("b"), None);
        assert_eq!((map.remove("a"), map.remove("a")), (Some(1), None));
        assert!(map.keys().eq(["c"]));
        let mut set: Set<String> = ["x".to_owned()].into_iter().collect();
        assert!(set.contains("x") && set.remove("x") && !set.remove("x"));
    }

    #[test]
    fn in_order_loses_nothing() {
        let many: Vec<u32> = shuffled(10_007).collect();
        assert!(in_order(many).into_iter().eq(0..10_007));
        assert!(in_order((0..9).rev()).into_iter().eq(0..9));
        assert!(in_order(Vec::<u8>::new()).is_empty());
        assert_eq!(in_order([3, 1, 2, 3, 1]), [1, 1, 2, 3, 3]);
        let words = vec!["ccc", "a", "dd", "b", "aa"];
        let by_length = in_order_of(words, |word| word.len());
        assert_eq!(by_length, ["a", "b", "dd", "aa", "ccc"]);
    }

    #[test]
    fn a_set_holds_each_key_once_in_order() {
        let set: Set<u8> = [3, 1, 2, 3, 1].into_iter().collect();
        assert_eq!((set.len(), set.contains(&2)), (3, true));
        assert_eq!(set.into_vec(), [1, 2, 3]);
    }
}
