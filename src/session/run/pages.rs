//! The records of a run, of which only some are kept.
//!
//! A run may have a hundred thousand facts, and what is looked at again and again are the few hundred around the cursor.
//! So the records lie in pages, each from one snapshot to the next. The pages that were looked at last are kept; any other is
//! made again from its snapshot and the stimuli, and comes out the same.

use super::{Run, Snapshot, is_next};
use crate::engine::record::{Record, RecordId};
use crate::engine::stimulus::Actor;
use crate::engine::time::SimTime;
use std::cell::RefCell;
use std::iter::FusedIterator;
use std::ops::Range;
use std::rc::Rc;

/// Pages that are kept of a run: what is looked at, and what was played ahead of it.
const KEPT: usize = 4;
/// Records of a page, of 64 bytes each: a page is to fit into the 64 KiB by which WebAssembly's memory grows. Where the
/// cluster holds more things than that, as many as these, since a snapshot comes with each page.
pub(super) const RECORDS: usize = 1000;
/// Records that the last cue of a page may add.
const CUE: usize = 16;
/// Pages that somebody who reads on and on may keep. Else a look at a whole run would leave nothing of what is kept.
const READ_AND_KEPT: u8 = 2;

type Page = Rc<Vec<Record>>;

/// The pages that are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Pages {
    /// With their numbers, the one that was looked at last behind.
    kept: RefCell<Vec<(usize, Page)>>,
    /// Blank ones. Pages that come and go would leave holes in the memory that only small things fit into.
    blank: RefCell<Vec<Vec<Record>>>,
}

impl Pages {
    /// A blank page to be written.
    pub(super) fn blank(&self) -> Vec<Record> {
        let blank = self.blank.borrow_mut().pop();
        blank.unwrap_or_else(|| Vec::with_capacity(RECORDS + CUE))
    }

    /// Keep a page. Where enough are kept, the one that was not looked at for longest has to go.
    pub(super) fn keep(&self, number: usize, page: Page) {
        let mut kept = self.kept.borrow_mut();
        if kept.len() == KEPT {
            self.wipe(kept.remove(0).1);
        }
        kept.push((number, page));
    }

    /// Nobody looks at it any more, but for who is reading it.
    fn wipe(&self, page: Page) {
        if let Ok(mut page) = Rc::try_unwrap(page) {
            page.clear();
            self.blank.borrow_mut().push(page);
        }
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
        let kept = self.kept.take();
        let (true_still, past): (Vec<_>, Vec<_>) =
            kept.into_iter().partition(|&(number, _)| number < count);
        self.kept.replace(true_still);
        past.into_iter().for_each(|(_, page)| self.wipe(page));
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
            read: 0,
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
    #[inline(never)]
    fn play_page_again(&self, page: usize, until: usize) -> Page {
        let mut records = self.pages.blank();
        let snapshot = &self.snapshots[page];
        let mut head = snapshot.cluster.clone();
        let mut injected = snapshot.injected;
        let mut goes_on = true;
        while goes_on && snapshot.records + records.len() < until {
            let applied = (snapshot.records + records.len()) as u32;
            if let Some(placed) = self.stimuli.get(injected)
                && is_next(placed, &head, applied)
            {
                head.inject(placed.at, Actor::Visitor, placed.stimulus.clone());
                injected += 1;
            }
            goes_on = head.play_next(&mut records);
        }
        let whole = snapshot.records + records.len() == until;
        assert!(whole, "a page comes out as it was");
        Rc::new(records)
    }
}

/// A page that is being read.
struct Leaf<'a> {
    /// The number of its first record.
    begin: usize,
    records: Paper<'a>,
}

enum Paper<'a> {
    Full(Page),
    /// The page that is being written.
    Last(&'a [Record]),
}

impl Leaf<'_> {
    fn get(&self, index: usize) -> Option<&Record> {
        let index = index.checked_sub(self.begin)?;
        match &self.records {
            Paper::Full(page) => page.get(index),
            Paper::Last(page) => page.get(index),
        }
    }
}

/// Records of a run, one after the other, from either end.
pub struct Facts<'a> {
    run: &'a Run,
    left: Range<usize>,
    front: Option<Leaf<'a>>,
    back: Option<Leaf<'a>>,
    /// Pages that were read.
    read: u8,
}

impl<'a> Facts<'a> {
    /// The record of this number, which was played, from the page that was read last or from another one.
    fn turn_to(
        &mut self,
        index: usize,
        leaf: for<'f> fn(&'f mut Facts<'a>) -> &'f mut Option<Leaf<'a>>,
    ) -> Record {
        if let Some(record) = leaf(self).as_ref().and_then(|leaf| leaf.get(index)) {
            return record.clone();
        }
        let done = leaf(self).take();
        self.close(done);
        let next = self.open(index);
        let record = next.get(index).cloned();
        *leaf(self) = Some(next);
        record.expect("it is in the page that holds it")
    }

    /// What was read and is not kept can be written upon.
    fn close(&self, leaf: Option<Leaf<'a>>) {
        if let Some(Paper::Full(page)) = leaf.map(|leaf| leaf.records) {
            self.run.pages.wipe(page);
        }
    }

    fn open(&mut self, index: usize) -> Leaf<'a> {
        let run = self.run;
        let number = run.page_of(index);
        let (begin, until) = run.page_bounds(number);
        let Some(until) = until else {
            let records = Paper::Last(&run.last_page);
            return Leaf { begin, records };
        };
        let keeps = self.read < READ_AND_KEPT;
        self.read = self.read.saturating_add(1);
        let page = run.pages.find(number).unwrap_or_else(|| {
            let page = run.play_page_again(number, until);
            if keeps {
                run.pages.keep(number, page.clone());
            }
            page
        });
        let records = Paper::Full(page);
        Leaf { begin, records }
    }
}

impl Iterator for Facts<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let index = self.left.next()?;
        Some(self.turn_to(index, |facts| &mut facts.front))
    }

    fn nth(&mut self, n: usize) -> Option<Record> {
        let index = self.left.nth(n)?;
        Some(self.turn_to(index, |facts| &mut facts.front))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl DoubleEndedIterator for Facts<'_> {
    fn next_back(&mut self) -> Option<Record> {
        let index = self.left.next_back()?;
        Some(self.turn_to(index, |facts| &mut facts.back))
    }
}

impl ExactSizeIterator for Facts<'_> {}

impl FusedIterator for Facts<'_> {}

impl Drop for Facts<'_> {
    fn drop(&mut self) {
        let (front, back) = (self.front.take(), self.back.take());
        self.close(front);
        self.close(back);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::knobs::QueueKind;
    use crate::engine::stimulus::Stimulus;
    use crate::engine::time::SimDuration;
    use crate::frame::View;
    use crate::scene::{CHAPTERS, Chapter};
    use crate::session::{Command, Direction, Link, Session, Stride};
    use proptest::prelude::*;

    impl Run {
        /// Every page that is kept is what it would be, made again; and what is looked up by time is found.
        fn check_pages(&self) {
            for (number, page) in self.pages.kept.borrow().iter() {
                let (_, until) = self.page_bounds(*number);
                let again = self.play_page_again(*number, until.expect("it is full"));
                assert!(again == *page, "page {number} comes out otherwise");
            }
            let records = self.records();
            let ids = records.iter().map(|record| record.id as usize);
            assert!(ids.eq(0..self.played()));
            for snapshot in &self.snapshots {
                for nanos in -1..=1 {
                    let at = snapshot.cluster.now() + SimDuration::from_nanos(nanos);
                    let before = records.partition_point(|record| record.at < at);
                    assert_eq!(self.facts_before(at), before);
                }
            }
        }
    }

    #[test]
    fn what_flies_at_one_instant_is_not_kept_again_and_again() {
        for (chapter, act) in [
            ("control-loop", "burst:production-postgres:500:0ms"),
            ("configmap", "touch:hello:500:0ms"),
        ] {
            let acts = vec![format!("6s:{act}"); 40].join(",");
            let link = format!("1/{chapter}/1?buffer=1000&do={acts}&at=7s.20000");
            let session = Session::open(Link::parse(&link).expect(&link));
            let run = session.run();
            let views: Vec<usize> = run.views.iter().map(View::weight).collect();
            let snapshots = run.snapshots.iter().map(|kept| kept.cluster.weight());
            let most = views.iter().copied().max().unwrap_or_default();
            assert!(most >= 900, "{chapter}: {most} things at most");
            assert!(
                views.iter().sum::<usize>() <= run.played() + most,
                "{chapter}, pictures: {views:?}"
            );
            assert!(
                snapshots.sum::<usize>() <= run.played() + most,
                "{chapter}, snapshots"
            );
        }
    }

    /// Something is done at a place of the run, as a share of it.
    fn done(chapter: &'static Chapter) -> impl Strategy<Value = (f64, Command)> {
        let key = || prop::sample::select(chapter.resources).prop_map(Into::into);
        let stimulus = prop_oneof![
            (key(), 1..400_u32, 0..90_i64).prop_map(|(key, count, gap)| {
                Stimulus::Burst {
                    key,
                    count,
                    gap: SimDuration::from_millis(gap),
                }
            }),
            key().prop_map(|key| Stimulus::Delete { key }),
            Just(Stimulus::RestartController),
        ];
        let command = prop_oneof![
            4 => stimulus.clone().prop_map(Command::Do),
            2 => prop::collection::vec(stimulus, 2..4).prop_map(Command::DoAll),
            1 => Just(Command::Undo),
            1 => Just(Command::Redo),
            1 => (0..chapter.scenes.len()).prop_map(Command::Scene),
            1 => Just(Command::Queue(QueueKind::Channel)),
            1 => (0..9_u64).prop_map(Command::Seed),
            1 => Just(Command::Step(Stride::Beat, Direction::Forward)),
        ];
        (0.0..1.0_f64, command)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_page_that_is_made_again_is_the_one_that_was_played(
            (chapter, moves) in prop::sample::select(&CHAPTERS[..])
                .prop_flat_map(|chapter| (Just(chapter), prop::collection::vec(done(chapter), 0..9)))
        ) {
            let mut session = Session::opening(chapter);
            for (place, command) in moves {
                session.apply(Command::Seek(session.tempo().end() * place));
                session.apply(command);
                session.run().check_pages();
            }
        }
    }
}
