//! The whole run as marks and bars on four tracks, one for each lane that has a history.

use crate::engine::key::Key;
use crate::engine::paged::PagedList;
use crate::engine::record::{Fact, Record, RecordId, Why};
use crate::engine::sorted::Map;
use crate::engine::stimulus::Actor;
use crate::engine::workqueue::Added;

/// A track of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Track {
    Store,
    Watch,
    Queue,
    Reconcile,
}

impl Track {
    pub const ALL: [Track; 4] = [Track::Store, Track::Watch, Track::Queue, Track::Reconcile];

    /// The lane's name.
    pub fn name(self) -> &'static str {
        match self {
            Track::Store => "Store",
            Track::Watch => "Watch",
            Track::Queue => "Work queue",
            Track::Reconcile => "Reconcile()",
        }
    }
}

/// What a bar shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// An instant: a write.
    Write,
    /// An event on its way.
    Flight,
    /// An event on its way that was lost, or a key that found no room.
    Lost,
    /// A key that waits for a worker.
    Wait,
    /// A key on the delayed shelf.
    Delay,
    /// A reconcile that went well, or is not over yet.
    Success,
    /// A reconcile that returned an error.
    Failure,
}

/// A bar from one fact to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    pub track: Track,
    pub look: Look,
    pub key: Key,
    pub from: RecordId,
    /// The fact that ends it; none, if it did not end in what was played.
    pub to: Option<RecordId>,
}

/// All bars of a run, and the visitor's flags.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// In the order in which they begin.
    pub bars: PagedList<Bar>,
    /// What the visitor did.
    pub flags: Vec<RecordId>,
    open: Open,
}

/// Bars that have begun, by their places.
#[derive(Clone, Debug, Default, PartialEq)]
struct Open {
    /// By the record that began them.
    bars: Map<RecordId, usize>,
    /// Reconciles, by worker.
    hands: Map<u8, usize>,
}

/// Where a timeline was, so that it can go back there.
#[derive(Clone, Debug)]
pub struct Bookmark {
    bars: usize,
    flags: usize,
    open: Open,
    /// Of the reconciles that had begun.
    looks: Vec<Look>,
}

impl Timeline {
    /// The timeline of these records.
    pub fn new<'a>(records: impl IntoIterator<Item = &'a Record>) -> Timeline {
        let mut timeline = Timeline::default();
        for record in records {
            timeline.take_in(record);
        }
        timeline
    }

    /// Where it is now.
    pub fn bookmark(&self) -> Bookmark {
        let hands = self.open.hands.iter();
        Bookmark {
            bars: self.bars.len(),
            flags: self.flags.len(),
            open: self.open.clone(),
            looks: hands.map(|(_, &bar)| self.bars[bar].look).collect(),
        }
    }

    /// As it was there: what was taken in since has not happened.
    pub fn go_back(&mut self, bookmark: &Bookmark) {
        self.bars.truncate(bookmark.bars);
        self.flags.truncate(bookmark.flags);
        self.open = bookmark.open.clone();
        let (bars, hands) = (self.open.bars.iter(), self.open.hands.iter());
        let begun = bars.map(|(_, &bar)| bar).chain(hands.map(|(_, &bar)| bar));
        for bar in begun {
            self.bars[bar].to = None;
        }
        for ((_, &bar), &look) in self.open.hands.iter().zip(&bookmark.looks) {
            self.bars[bar].look = look;
        }
    }

    /// One more fact has happened.
    pub fn take_in(&mut self, record: &Record) {
        let id = record.id;
        match record.fact {
            Fact::Acted {
                actor: Actor::Visitor,
                ..
            } => self.flags.push(id),
            Fact::Written { key, .. } => {
                self.push(Track::Store, Look::Write, key, id, Some(id));
            }
            Fact::Sent { key, .. } => {
                let bar = self.push(Track::Watch, Look::Flight, key, id, None);
                self.open.bars.insert(id, bar);
            }
            Fact::Dropped { key, .. } => {
                self.push(Track::Watch, Look::Lost, key, id, Some(id));
            }
            Fact::Delivered { .. } => self.close(record),
            Fact::Enqueued { key, why, added } => {
                if why == Why::DelayOver {
                    self.close(record);
                }
                if let Added::DelayedEarlier { .. } = added {
                    self.close_delay(key, id);
                }
                let look = match added {
                    Added::Ready => Look::Wait,
                    Added::Delayed { .. } | Added::DelayedEarlier { .. } => Look::Delay,
                    Added::Full => {
                        self.push(Track::Queue, Look::Lost, key, id, Some(id));
                        return;
                    }
                    _ => return,
                };
                let bar = self.push(Track::Queue, look, key, id, None);
                self.open.bars.insert(id, bar);
            }
            Fact::Started { worker, key, .. } => {
                self.close(record);
                let bar = self.push(Track::Reconcile, Look::Success, key, id, None);
                self.open.hands.insert(worker, bar);
            }
            Fact::EventLost { key, .. } => {
                self.push(Track::Watch, Look::Lost, key, id, Some(id));
            }
            Fact::WriteAnswered { worker, answer, .. } if answer.result().is_err() => {
                if let Some(&bar) = self.open.hands.get(&worker) {
                    self.bars[bar].look = Look::Failure;
                }
            }
            Fact::ActionFailed { worker, .. } => {
                if let Some(&bar) = self.open.hands.get(&worker) {
                    self.bars[bar].look = Look::Failure;
                }
            }
            Fact::Done { worker, .. } => {
                if let Some(bar) = self.open.hands.remove(&worker) {
                    self.bars[bar].to = Some(id);
                }
            }
            // What the process held in memory ends with it.
            Fact::ControllerStopped { .. } => {
                let Open { bars, hands } = std::mem::take(&mut self.open);
                for bar in bars.into_values().chain(hands.into_values()) {
                    self.bars[bar].to = Some(id);
                }
            }
            _ => {}
        }
    }

    fn push(
        &mut self,
        track: Track,
        look: Look,
        key: Key,
        from: RecordId,
        to: Option<RecordId>,
    ) -> usize {
        self.bars.push(Bar {
            track,
            look,
            key,
            from,
            to,
        });
        self.bars.len() - 1
    }

    /// The key is delayed anew: the wait that it was in has ended.
    #[inline(never)]
    fn close_delay(&mut self, key: Key, end: RecordId) {
        let bars = &self.bars;
        let is_wait = |bar: &Bar| bar.look == Look::Delay && bar.key == key;
        let wait = self
            .open
            .bars
            .iter()
            .find_map(|(&from, &bar)| is_wait(&bars[bar]).then_some((from, bar)));
        if let Some((from, bar)) = wait {
            self.open.bars.remove(&from);
            self.bars[bar].to = Some(end);
        }
    }

    fn close(&mut self, record: &Record) {
        for cause in record.causes.iter() {
            if let Some(bar) = self.open.bars.remove(&cause) {
                self.bars[bar].to = Some(record.id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::record::Causes;
    use crate::engine::time::SimTime;

    #[test]
    fn a_wait_that_is_shortened_ends_where_the_shorter_one_begins() {
        let (long, short) = (SimTime::from_millis(500), SimTime::from_millis(5));
        let shorter = Added::DelayedEarlier {
            from: long,
            until: short,
        };
        let enqueued = |id: RecordId, why, added, causes| Record {
            id,
            at: SimTime::ZERO,
            causes,
            fact: Fact::Enqueued {
                why,
                key: Key(0),
                added,
            },
        };
        let records = [
            enqueued(
                0,
                Why::Requeue,
                Added::Delayed { until: long },
                Causes::NONE,
            ),
            enqueued(1, Why::Retry, shorter, Causes::NONE),
            enqueued(2, Why::DelayOver, Added::Ready, Causes::one(1)),
        ];
        let timeline = Timeline::new(&records);
        let bars = timeline.bars.iter().map(|bar| (bar.look, bar.from, bar.to));
        let expected = [
            (Look::Delay, 0, Some(1)),
            (Look::Delay, 1, Some(2)),
            (Look::Wait, 2, None),
        ];
        assert!(bars.eq(expected), "{timeline:?}");
    }
}
