//! The map and the set against the standard library's, and how they are made.

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

    /// A number, and where its comparisons are counted.
    struct Counted<'a>(u32, &'a Cell<u64>);
    impl PartialEq for Counted<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }
    impl Eq for Counted<'_> {}
    impl PartialOrd for Counted<'_> {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }
    impl Ord for Counted<'_> {
        fn cmp(&self, other: &Self) -> Ordering {
            self.1.set(self.1.get() + 1);
            self.0.cmp(&other.0)
        }
    }
    let (count, compared) = (100_000, Cell::new(0));
    let map: Map<Counted, u32> = shuffled(count)
        .map(|n| (Counted(n, &compared), n))
        .collect();
    assert!(map.values().copied().eq(0..count));
    // n log n: 17 for each, and one to find what is in order already.
    let compared = compared.get();
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
    let beyond =
        |key: Option<u32>| -> Vec<u32> { map.beyond(key.as_ref()).map(|(&key, ())| key).collect() };
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
