//! Order without sorting: the standard library's sorting, which `collect` into a map uses too, is a
//! lot of code for a few names (measured: a tenth of the console).

use std::collections::BTreeMap;

/// Names with their values, the last of a name counts.
pub fn gather<K: Ord, V>(pairs: impl Iterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    for (name, value) in pairs {
        map.insert(name, value);
    }
    map
}

/// In order, each once.
pub fn sorted<T: Ord>(words: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut sorted = Vec::new();
    for word in words {
        if let Err(place) = sorted.binary_search(&word) {
            sorted.insert(place, word);
        }
    }
    sorted
}
