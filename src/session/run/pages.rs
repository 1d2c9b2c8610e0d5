//! The records of a run, of which only some are kept.
//!
//! A run may have a hundred thousand facts, and what is looked at again and again are the few hundred around the cursor.
//! So the records lie in pages, each from one snapshot to the next. The pages that were looked at last are held; any other is
//! made again from its snapshot and the stimuli, and comes out the same.

use super::{Run, Snapshot, is_next};
use crate::engine::record::{Record, RecordId};
use crate::engine::stimulus::Actor;
use crate::engine::time::SimTime;
use std::cell::RefCell;
use std::rc::Rc;

/// Pages that are held of a run: what is looked at, and what was played ahead of it.
const HELD: usize = 4;
/// Records of a page, of 64 bytes each: a page is to fit into the 64 KiB by which WebAssembly's memory grows. Where the
/// cluster holds more things than that, as many as these, since a snapshot comes with each page.
pub(super) const RECORDS: usize = 1000;
/// Room for the records of a page's last cue, which mostly are fewer.
const CUE: usize = 16;

pub(super) type Page = Rc<Vec<Record>>;

/// The pages that are held.
#[derive(Debug, Default)]
pub(super) struct Pages {
    /// With their numbers, the one that was looked at last behind.
    held: RefCell<Vec<(usize, Page)>>,
    /// Blank ones. Pages that come and go would leave holes in the memory that only small things fit into.
    blank: RefCell<Vec<Vec<Record>>>,
}

impl Pages {
    /// A blank page to be written.
    pub(super) fn blank(&self) -> Vec<Record> {
        let blank = self.blank.borrow_mut().pop();
        blank.unwrap_or_else(|| Vec::with_capacity(RECORDS + CUE))
    }

    /// Hold a page. Where enough are held, the one that was not looked at for longest has to go.
    pub(super) fn hold(&self, number: usize, page: Page) {
        let mut held = self.held.borrow_mut();
        if held.len() == HELD {
            self.wipe(held.remove(0).1);
        }
        held.push((number, page));
    }

    /// Nobody looks at it any more, but for who is reading it.
    pub(super) fn wipe(&self, page: Page) {
        // One that had to grow for an instant with thousands of facts is given back.
        if let Ok(mut page) = Rc::try_unwrap(page)
            && page.capacity() <= RECORDS + CUE
        {
            page.clear();
            self.blank.borrow_mut().push(page);
        }
    }

    /// The page of this number, if it is held.
    pub(super) fn find(&self, number: usize) -> Option<Page> {
        let mut held = self.held.borrow_mut();
        let place = held.iter().position(|&(known, _)| known == number)?;
        let found = held.remove(place);
        let page = found.1.clone();
        held.push(found);
        Some(page)
    }

    /// Only the first `count` pages are still true.
    pub(super) fn truncate(&mut self, count: usize) {
        let held = self.held.take();
        let (true_still, past): (Vec<_>, Vec<_>) =
            held.into_iter().partition(|&(number, _)| number < count);
        self.held.replace(true_still);
        past.into_iter().for_each(|(_, page)| self.wipe(page));
    }
}

impl Clone for Pages {
    /// A clone shares the pages; blank ones are not worth a copy.
    fn clone(&self) -> Pages {
        Pages {
            held: self.held.clone(),
            blank: RefCell::default(),
        }
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
        self.pages.hold(self.snapshots.len() - 1, Rc::new(page));
        self.snapshots.push(Snapshot {
            records: self.played(),
            injected: self.injected,
            cluster: self.head.clone(),
            timeline: self.timeline.bookmark(),
        });
    }

    /// The records of a page that was given up, the next one of which begins at `until`.
    #[inline(never)]
    pub(super) fn play_page_again(&self, page: usize, until: usize) -> Page {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cluster::Cluster;
    use crate::engine::knobs::QueueKind;
    use crate::engine::stimulus::Stimulus;
    use crate::engine::time::SimDuration;
    use crate::frame::View;
    use crate::scene::{CHAPTERS, Chapter};
    use crate::session::{Command, Direction, Link, Origin, Placed, Session, Stride};
    use proptest::prelude::*;

    impl Run {
        /// Every page that is held is what it would be, made again; and what is looked up by time is found.
        fn check_pages(&self) {
            for (number, page) in self.pages.held.borrow().iter() {
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
            let snapshots = run
                .snapshots
                .iter()
                .map(|snapshot| snapshot.cluster.weight());
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

    /// Instants whose last cue leaves no fact: a place by facts is not reached there.
    fn silent_instants(origin: &Origin, stimuli: &[Placed]) -> Vec<SimTime> {
        let mut head = Cluster::new(origin.knobs.clone(), origin.seed);
        for (at, stimulus) in &origin.script {
            head.inject(*at, Actor::Script, stimulus.clone());
        }
        for placed in stimuli {
            head.inject(placed.at, Actor::Visitor, placed.stimulus.clone());
        }
        let (mut silent, mut records) = (Vec::new(), Vec::new());
        while let Some(due) = head
            .next_due()
            .filter(|due| *due < SimTime::from_millis(60_000))
        {
            let known = records.len();
            head.play_next(&mut records);
            if records.len() == known && head.next_due() != Some(due) {
                silent.push(due);
            }
        }
        silent
    }

    #[test]
    fn a_place_that_is_never_reached_is_given_up_the_same_way_again() {
        let mut given_up = 0;
        for (scene, acts) in [
            ("control-loop/6?requeue=100ms", ["restart"; 2]),
            ("control-loop/4?restart=10ms&requeue=50ms", ["restart"; 2]),
            ("configmap/9?resync=1s", ["close", "restart"]),
            ("configmap/4?resync=100ms", ["restart", "expire"]),
        ] {
            let acts = (1..24).map(|n| format!("{}ms:{}", 17 * n * n, acts[n % 2]));
            let link = format!("1/{scene}&do={}", acts.collect::<Vec<_>>().join(","));
            let link = link.as_str();
            let session = Session::open(Link::parse(link).expect(link));
            let origin = session.run().origin();
            let known = session.run().stimuli();
            let key = session.chapter().resources[0];
            let burst = |gap| Stimulus::Burst {
                key: key.into(),
                count: 500,
                gap: SimDuration::from_millis(gap),
            };
            let silent = silent_instants(origin, known);
            for at in silent.into_iter().take(20) {
                let delete = Stimulus::Delete { key: key.into() };
                for stimulus in [Stimulus::RestartController, delete, burst(0)] {
                    // So long a run that the page of the place is full.
                    let later = at + SimDuration::from_millis(1);
                    let placed = |at, after, stimulus| Placed {
                        at,
                        after,
                        stimulus,
                    };
                    let mut stimuli = known.to_vec();
                    stimuli.push(placed(at, Some(900_000), stimulus));
                    stimuli.push(placed(later, None, burst(1)));
                    stimuli.sort_by_key(|placed| placed.at);
                    let run = Run::new(origin.clone(), stimuli);
                    run.check_pages();
                    let found = run.stimuli();
                    let is_given_up = |placed: &&Placed| {
                        placed.at == at && placed.after.is_some_and(|after| after < 900_000)
                    };
                    given_up += found.iter().filter(is_given_up).count();
                    let again = Run::new(origin.clone(), found.to_vec());
                    assert!(again.records() == run.records(), "{link}: {found:?}");
                    assert!(again.stimuli() == found, "{link}: {found:?}");
                }
            }
        }
        assert!(given_up > 100, "{given_up} places were given up");
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
