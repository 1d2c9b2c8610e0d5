//! Reading a run's records, one after the other.

use super::Run;
use super::pages::Page;
use crate::engine::record::Record;
use std::iter::FusedIterator;
use std::ops::{Range, RangeBounds};

/// Pages that somebody who reads on and on has held. Else a look at a whole run would leave nothing of what is held.
const READ_AND_HELD: u8 = 2;

/// A page that is being read, with the number of its first record.
enum Reading<'a> {
    Full(usize, Page),
    /// The page that is being written.
    Last(usize, &'a [Record]),
}

impl Reading<'_> {
    fn get(&self, index: usize) -> Option<&Record> {
        let (begin, records) = match self {
            Reading::Full(begin, page) => (begin, &page[..]),
            Reading::Last(begin, page) => (begin, *page),
        };
        records.get(index.checked_sub(*begin)?)
    }
}

impl Run {
    /// The records of these numbers, as far as they were played.
    pub fn facts(&self, range: impl RangeBounds<usize>) -> Facts<'_> {
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
            opened: 0,
        }
    }

    /// The record of this number, which was played: from the page that is being `read`, or from another one, which is
    /// counted as `opened`.
    fn read<'a>(&'a self, read: &mut Option<Reading<'a>>, opened: &mut u8, index: usize) -> Record {
        let record = |reading: &Reading| reading.get(index).cloned();
        if let Some(record) = read.as_ref().and_then(record) {
            return record;
        }
        self.close(read.take());
        let next = read.insert(self.open(index, opened));
        record(next).expect("it is in the page that holds it")
    }

    /// What was read and is not held can be written upon.
    fn close(&self, read: Option<Reading>) {
        if let Some(Reading::Full(_, page)) = read {
            self.pages.wipe(page);
        }
    }

    fn open(&self, index: usize, opened: &mut u8) -> Reading<'_> {
        let number = self.page_of(index);
        let (begin, until) = self.page_bounds(number);
        let Some(until) = until else {
            return Reading::Last(begin, &self.last_page);
        };
        let page = self.pages.find(number).unwrap_or_else(|| {
            let page = self.play_page_again(number, until);
            if *opened < READ_AND_HELD {
                self.pages.hold(number, page.clone());
            }
            page
        });
        *opened = opened.saturating_add(1);
        Reading::Full(begin, page)
    }
}

/// Records of a run, one after the other, from either end.
pub struct Facts<'a> {
    run: &'a Run,
    left: Range<usize>,
    front: Option<Reading<'a>>,
    back: Option<Reading<'a>>,
    /// Pages that were opened.
    opened: u8,
}

impl Facts<'_> {
    fn at_front(&mut self, index: usize) -> Record {
        self.run.read(&mut self.front, &mut self.opened, index)
    }
}

impl Iterator for Facts<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let index = self.left.next()?;
        Some(self.at_front(index))
    }

    fn nth(&mut self, n: usize) -> Option<Record> {
        let index = self.left.nth(n)?;
        Some(self.at_front(index))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl DoubleEndedIterator for Facts<'_> {
    fn next_back(&mut self) -> Option<Record> {
        let index = self.left.next_back()?;
        Some(self.run.read(&mut self.back, &mut self.opened, index))
    }
}

impl ExactSizeIterator for Facts<'_> {}

impl FusedIterator for Facts<'_> {}

impl Drop for Facts<'_> {
    fn drop(&mut self) {
        let (front, back) = (self.front.take(), self.back.take());
        self.run.close(front);
        self.run.close(back);
    }
}
