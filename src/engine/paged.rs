//! A list that grows with the run, in pages.
//!
//! A list in one piece is moved when it grows, and leaves a hole behind that little fits into; WebAssembly's memory never
//! shrinks, and it grows by 64 KiB at least: for anything that is larger than that, by as much as it needs, next to the holes.

use std::rc::Rc;

/// Items of a page: few enough for what is kept in such lists to fit into 64 KiB, more than once.
const PAGE: usize = 1024;

/// A list whose items are never moved. A clone shares its pages, and gets its own of those that one of both changes.
#[derive(Clone, Debug)]
pub struct PagedList<T> {
    /// All full but the last.
    pages: Vec<Rc<Vec<T>>>,
}

impl<T> Default for PagedList<T> {
    fn default() -> PagedList<T> {
        PagedList { pages: Vec::new() }
    }
}

impl<T: Clone> PagedList<T> {
    pub fn len(&self) -> usize {
        let full = self.pages.len().saturating_sub(1);
        full * PAGE + self.pages.last().map_or(0, |page| page.len())
    }

    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    pub fn get(&self, index: usize) -> Option<&T> {
        self.pages.get(index / PAGE)?.get(index % PAGE)
    }

    pub fn last(&self) -> Option<&T> {
        self.pages.last()?.last()
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.pages.iter().flat_map(|page| page.iter())
    }

    pub fn push(&mut self, item: T) {
        match self.pages.last_mut() {
            Some(page) if page.len() < PAGE => own(page).push(item),
            _ => {
                let mut page = Vec::with_capacity(PAGE);
                page.push(item);
                self.pages.push(Rc::new(page));
            }
        }
    }

    pub fn truncate(&mut self, len: usize) {
        self.pages.truncate(len.div_ceil(PAGE));
        if len < self.len() {
            // It is in the last page: the ones behind are gone.
            let last = self.pages.len() - 1;
            own(&mut self.pages[last]).truncate(len - last * PAGE);
        }
    }

    /// How many items at the beginning are so; behind them there is none.
    pub fn partition_point(&self, is_so: impl Fn(&T) -> bool) -> usize {
        let page = self
            .pages
            .partition_point(|page| page.last().is_some_and(&is_so));
        let inside = self
            .pages
            .get(page)
            .map_or(0, |page| page.partition_point(is_so));
        // After the last page's end there is nothing, full or not.
        (page * PAGE + inside).min(self.len())
    }
}

impl<T: PartialEq> PartialEq for PagedList<T> {
    fn eq(&self, other: &PagedList<T>) -> bool {
        let mut pairs = self.pages.iter().zip(&other.pages);
        // What two clones share needs no look.
        let same = pairs.all(|(own, other)| Rc::ptr_eq(own, other) || own == other);
        same && self.pages.len() == other.pages.len()
    }
}

/// The page, to be changed: a page that is shared is copied, with room for all that it may come to hold.
fn own<T: Clone>(page: &mut Rc<Vec<T>>) -> &mut Vec<T> {
    if Rc::get_mut(page).is_none() {
        *page = copy(page);
    }
    Rc::get_mut(page).expect("it is nobody else's")
}

#[inline(never)]
fn copy<T: Clone>(page: &[T]) -> Rc<Vec<T>> {
    let mut copy = Vec::with_capacity(PAGE);
    copy.extend_from_slice(page);
    Rc::new(copy)
}

impl<T: Clone> FromIterator<T> for PagedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> PagedList<T> {
        let mut list = PagedList::default();
        items.into_iter().for_each(|item| list.push(item));
        list
    }
}

impl<T: Clone> std::ops::IndexMut<usize> for PagedList<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut own(&mut self.pages[index / PAGE])[index % PAGE]
    }
}

impl<T> std::ops::Index<usize> for PagedList<T> {
    type Output = T;

    /// Panics where there is none, as a list does.
    fn index(&self, index: usize) -> &T {
        &self.pages[index / PAGE][index % PAGE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_paged_list_is_a_list(pushes in prop::collection::vec(0..3000_usize, 1..6), cuts in prop::collection::vec(0..9000_usize, 6)) {
            let (mut paged, mut list) = (PagedList::default(), Vec::new());
            for (more, cut) in pushes.into_iter().zip(cuts) {
                for _ in 0..more {
                    paged.push(list.len());
                    list.push(list.len());
                }
                prop_assert_eq!(paged.len(), list.len());
                prop_assert_eq!(paged.last(), list.last());
                prop_assert!(paged.iter().eq(&list));
                for index in [0, 1023, 1024, 2047, cut, more, list.len()] {
                    prop_assert_eq!(paged.get(index), list.get(index));
                    prop_assert_eq!(paged.partition_point(|&item| item < index), list.partition_point(|&item| item < index));
                }
                let mut clone = paged.clone();
                if let Some(last) = list.len().checked_sub(1) {
                    clone[last / 2] = 7;
                    clone.push(8);
                    prop_assert_eq!(clone[last / 2], 7);
                }
                prop_assert!(paged.iter().eq(&list), "a clone is its own");
                paged.truncate(cut);
                list.truncate(cut);
            }
        }
    }
}
