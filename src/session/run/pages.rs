//! The records of a run, of which only some are kept.
//!
//! Nobody looks at more than a few hundred facts at once, and a run may have a hundred thousand. So the records lie in
//! pages, each from one snapshot to the next. The pages that were looked at last are kept; any other is made again from its
//! snapshot and the stimuli, and comes out the same.

use super::{Run, Snapshot, is_next};
use crate::engine::record::{Record, RecordId};
use crate::engine::stimulus::Actor;
use crate::engine::time::SimTime;
use std::cell::RefCell;
use std::iter::FusedIterator;
use std::ops::Range;
use std::rc::Rc;

/// Pages that are kept of a run: what is looked at, and what was played ahead of it.
const KEPT: usize = 8;
/// Records of a page; one cue leaves several, so it may be a few more.
pub(super) const PAGE: usize = 1000;

type Page = Rc<Vec<Record>>;

/// The pages that are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Pages {
    /// With their numbers, the one that was looked at last behind.
    kept: RefCell<Vec<(usize, Page)>>,
}

impl Pages {
    /// An empty page to be written. Once enough are kept, it is the one that was not looked at for longest: pages that
    /// come and go would leave holes in the memory that only small things fit into.
    pub(super) fn blank(&self) -> Vec<Record> {
        let mut kept = self.kept.borrow_mut();
        let oldest = (kept.len() == KEPT).then(|| kept.remove(0));
        match oldest.and_then(|(_, page)| Rc::try_unwrap(page).ok()) {
            Some(mut page) => {
                page.clear();
                page
            }
            None => Vec::with_capacity(PAGE + 16),
        }
    }

    pub(super) fn keep(&self, number: usize, page: Page) {
        self.kept.borrow_mut().push((number, page));
    }

    /// The page of this number, if it is kept.
    fn find(&self, number: usize) -> Option<Page> {
        let mut kept = self.kept.borrow_mut();
        let place = kept.iter().position(|&(known, _)| known == number)?;
        let found = kept.remove(place);
        let page = found.1.clone();
        kept.push(found);
        Some(page)
    }

    /// Only the first `count` pages are still true.
    pub(super) fn truncate(&mut self, count: usize) {
        self.kept.get_mut().retain(|&(number, _)| number < count);
    }
}

/// What was played.
impl Run {
    /// The record of this number.
    pub fn record(&self, id: RecordId) -> Option<Record> {
        self.facts(id as usize..).next()
    }

    /// The record before the one of this number.
    pub fn record_before(&self, id: RecordId) -> Option<Record> {
        self.record(id.checked_sub(1)?)
    }

    /// The records of these numbers, as far as they were played.
    pub fn facts(&self, range: impl std::ops::RangeBounds<usize>) -> Facts<'_> {
        use std::ops::Bound::*;
        let from = match range.start_bound() {
            Included(&from) => from,
            Excluded(&before) => before + 1,
            Unbounded => 0,
        };
        let to = match range.end_bound() {
            Included(&last) => last.saturating_add(1),
            Excluded(&to) => to,
            Unbounded => usize::MAX,
        };
        let to = to.min(self.played());
        Facts {
            run: self,
            left: from.min(to)..to,
            front: None,
            back: None,
        }
    }

    /// How many of the facts that were played happened before `at`.
    pub fn facts_before(&self, at: SimTime) -> usize {
        let earlier = |snapshot: &Snapshot| snapshot.cluster.now() < at;
        let page = self.snapshots.partition_point(earlier).saturating_sub(1);
        let begin = self.snapshots[page].records;
        let end = self.page_bounds(page).1.unwrap_or(self.played());
        let later = self.facts(begin..end).position(|record| record.at >= at);
        later.map_or(end, |later| begin + later)
    }

    /// All that was played, at once.
    pub fn records(&self) -> Vec<Record> {
        self.facts(..).collect()
    }

    /// The leaf that holds this record, which was played.
    fn leaf(&self, index: usize) -> Leaf<'_> {
        let number = self.page_of(index);
        let (begin, until) = self.page_bounds(number);
        let records = match until {
            None => Lines::Last(&self.last_page),
            Some(until) => Lines::Kept(self.pages.find(number).unwrap_or_else(|| {
                let page = self.play_page_again(number, until);
                self.pages.keep(number, page.clone());
                page
            })),
        };
        Leaf { begin, records }
    }
}

/// Where the pages begin and end, and how one is made again.
impl Run {
    /// The page that holds the record of this number.
    pub(super) fn page_of(&self, record: usize) -> usize {
        let begun = |snapshot: &Snapshot| snapshot.records <= record;
        self.snapshots.partition_point(begun).saturating_sub(1)
    }

    /// The number of its first record, and of the next page's, if there is one.
    pub(super) fn page_bounds(&self, page: usize) -> (usize, Option<usize>) {
        let next = self.snapshots.get(page + 1);
        (self.snapshots[page].records, next.map(|next| next.records))
    }

    /// The last page is full: it begins a new one with a snapshot.
    pub(super) fn turn_the_page(&mut self) {
        let page = std::mem::replace(&mut self.last_page, self.pages.blank());
        self.pages.keep(self.snapshots.len() - 1, Rc::new(page));
        self.snapshots.push(Snapshot {
            records: self.played(),
            injected: self.injected,
            cluster: self.head.clone(),
            timeline: self.timeline.bookmark(),
        });
    }

    /// The records of a page that was given up, the next one of which begins at `until`.
    fn play_page_again(&self, page: usize, until: usize) -> Page {
        let snapshot = &self.snapshots[page];
        let mut head = snapshot.cluster.clone();
        let mut injected = snapshot.injected;
        let mut records = self.pages.blank();
        while snapshot.records + records.len() < until {
            let applied = (snapshot.records + records.len()) as u32;
            if let Some(placed) = self.stimuli.get(injected)
                && is_next(placed, &head, applied)
            {
                head.inject(placed.at, Actor::Visitor, placed.stimulus.clone());
                injected += 1;
            }
            if !head.play_next(&mut records) {
                break;
            }
        }
        Rc::new(records)
    }
}

/// A page that is being read.
#[derive(Clone)]
struct Leaf<'a> {
    /// The number of its first record.
    begin: usize,
    records: Lines<'a>,
}

#[derive(Clone)]
enum Lines<'a> {
    Kept(Page),
    /// The page that is being written.
    Last(&'a [Record]),
}

impl Leaf<'_> {
    fn get(&self, index: usize) -> Option<&Record> {
        let index = index.checked_sub(self.begin)?;
        match &self.records {
            Lines::Kept(page) => page.get(index),
            Lines::Last(page) => page.get(index),
        }
    }
}

/// Records of a run, one after the other, from either end.
#[derive(Clone)]
pub struct Facts<'a> {
    run: &'a Run,
    left: Range<usize>,
    front: Option<Leaf<'a>>,
    back: Option<Leaf<'a>>,
}

impl<'a> Facts<'a> {
    fn read(run: &'a Run, leaf: &mut Option<Leaf<'a>>, index: usize) -> Option<Record> {
        if let Some(record) = leaf.as_ref().and_then(|leaf| leaf.get(index)) {
            return Some(record.clone());
        }
        leaf.insert(run.leaf(index)).get(index).cloned()
    }
}

impl Iterator for Facts<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let index = self.left.next()?;
        Facts::read(self.run, &mut self.front, index)
    }

    fn nth(&mut self, n: usize) -> Option<Record> {
        let index = self.left.nth(n)?;
        Facts::read(self.run, &mut self.front, index)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl DoubleEndedIterator for Facts<'_> {
    fn next_back(&mut self) -> Option<Record> {
        let index = self.left.next_back()?;
        Facts::read(self.run, &mut self.back, index)
    }
}

impl ExactSizeIterator for Facts<'_> {}

impl FusedIterator for Facts<'_> {}
