//! The whole run as marks and bars on four tracks, one for each lane that has a history.

use crate::engine::key::Key;
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
    pub bars: Vec<Bar>,
    /// What the visitor did.
    pub flags: Vec<RecordId>,
}

impl Timeline {
    /// The timeline of these records.
    pub fn new(records: &[Record]) -> Timeline {
        let mut timeline = Timeline::default();
        // Bars that have begun, by the record that began them, and reconciles by worker.
        let mut open: Map<RecordId, usize> = Map::new();
        let mut hands: Map<u8, usize> = Map::new();
        for record in records {
            timeline.take_in(record, &mut open, &mut hands);
        }
        timeline
    }

    fn take_in(
        &mut self,
        record: &Record,
        open: &mut Map<RecordId, usize>,
        hands: &mut Map<u8, usize>,
    ) {
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
                open.insert(id, self.push(Track::Watch, Look::Flight, key, id, None));
            }
            Fact::Dropped { key, .. } => {
                self.push(Track::Watch, Look::Lost, key, id, Some(id));
            }
            Fact::Delivered { .. } => self.close(record, open),
            Fact::Enqueued { key, why, added } => {
                if why == Why::DelayOver {
                    self.close(record, open);
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
                open.insert(id, self.push(Track::Queue, look, key, id, None));
            }
            Fact::Started { worker, key, .. } => {
                self.close(record, open);
                hands.insert(
                    worker,
                    self.push(Track::Reconcile, Look::Success, key, id, None),
                );
            }
            Fact::EventLost { key, .. } => {
                self.push(Track::Watch, Look::Lost, key, id, Some(id));
            }
            Fact::WriteAnswered { worker, answer, .. } if answer.result().is_err() => {
                if let Some(&bar) = hands.get(&worker) {
                    self.bars[bar].look = Look::Failure;
                }
            }
            Fact::ActionFailed { worker, .. } => {
                if let Some(&bar) = hands.get(&worker) {
                    self.bars[bar].look = Look::Failure;
                }
            }
            Fact::Done { worker, .. } => {
                if let Some(bar) = hands.remove(&worker) {
                    self.bars[bar].to = Some(id);
                }
            }
            // What the process held in memory ends with it.
            Fact::ControllerStopped { .. } => {
                let begun = std::mem::take(open).into_values();
                for bar in begun.chain(std::mem::take(hands).into_values()) {
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

    fn close(&mut self, record: &Record, open: &mut Map<RecordId, usize>) {
        for cause in record.causes.iter() {
            if let Some(bar) = open.remove(&cause) {
                self.bars[bar].to = Some(record.id);
            }
        }
    }
}
