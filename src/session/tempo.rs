//! The tempo: how long a person looks at what takes how long.
//!
//! Simulated time is honest, and nobody can see 5 ms. So playing follows *story time*,
//! milliseconds of looking at normal speed: every fact has a dwell, during which simulated time
//! stands still, and between two facts it flows, slowed where much happens and hurried where
//! nothing does. The map is a pure, monotonic, piecewise-linear function of the records, so that
//! scrubbing and playing backwards work in it as playing does.

use crate::engine::controller::Section;
use crate::engine::fixed::between;
use crate::engine::paged::PagedList;
use crate::engine::record::{Fact, Record, Why};
use crate::engine::time::{SimDuration, SimTime};
use crate::engine::workqueue::Added;

/// How simulated time is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// Slowed to be seen, hurried where nothing happens.
    #[default]
    Tempo,
    /// Strictly proportional: a simulated second is a second.
    TrueTime,
}

/// Where a cursor is: the facts applied, the instant, and how far the latest fact's dwell is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playhead {
    /// Facts that have happened.
    pub applied: u32,
    /// Facts that have happened in the run beside, where two are compared.
    pub beside: u32,
    /// Did the latest fact happen in the run beside?
    pub moves_beside: bool,
    /// Simulated nanoseconds; whole wherever a fact has just happened.
    pub time: f64,
    /// Share of the latest fact's dwell that is over, 0 to 1.
    pub share: f64,
    /// Simulated seconds that pass in a second of story time; 0 during a dwell.
    pub rate: f64,
}

/// In true time a fact still needs a place of its own on the axis: a microsecond.
const TRUE_DWELL: f32 = 0.001;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Mark {
    at: SimTime,
    /// Story time at which the fact happens and its dwell begins.
    begin: f64,
    /// Story milliseconds of it.
    dwell: f32,
    /// Is it a fact of the run beside?
    beside: bool,
}

impl Mark {
    /// Story time at which the dwell is over.
    fn end(&self) -> f64 {
        self.begin + f64::from(self.dwell)
    }
}

/// The map between story time and the facts of one run, or of two on one clock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tempo {
    pace: Pace,
    marks: PagedList<Mark>,
    /// For each fact of the leading run, its mark.
    leading: PagedList<u32>,
    /// Is another run beside?
    joint: bool,
    facts: usize,
}

impl Tempo {
    pub fn new(pace: Pace) -> Tempo {
        Tempo {
            pace,
            marks: PagedList::default(),
            leading: PagedList::default(),
            joint: false,
            facts: 0,
        }
    }

    /// The tempo of two runs on one clock: their facts in the order of time, and at one instant
    /// those of the leading run first. Of the run beside only what happens before `until`.
    pub fn joint(
        pace: Pace,
        leading: impl ExactSizeIterator<Item = Record>,
        beside: impl ExactSizeIterator<Item = Record>,
        until: Option<SimTime>,
    ) -> Tempo {
        let mut tempo = Tempo::new(pace);
        tempo.joint = true;
        tempo.facts = leading.len() + beside.len();
        let early = |record: &Record| until.is_none_or(|until| record.at < until);
        let mut beside = beside.take_while(early).peekable();
        for record in leading {
            while let Some(earlier) = beside.next_if(|other| other.at < record.at) {
                tempo.push(&earlier, true);
            }
            tempo.push(&record, false);
        }
        beside.for_each(|record| tempo.push(&record, true));
        tempo
    }

    /// More facts of the run were played, which is the only one.
    pub fn grow(&mut self, more: impl Iterator<Item = Record>) {
        for record in more {
            self.push(&record, false);
            self.facts += 1;
        }
    }

    /// What the run did after so many facts is no longer true. Of two runs nothing is kept.
    pub fn forget_after(&mut self, facts: u32) {
        if self.joint {
            *self = Tempo::new(self.pace);
        }
        self.facts = self.facts.min(facts as usize);
        self.marks.truncate(self.facts);
        self.leading.truncate(self.facts);
    }

    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Facts of the run that it knows; where another one is beside, of both when it was made.
    pub fn facts(&self) -> usize {
        self.facts
    }

    fn push(&mut self, record: &Record, beside: bool) {
        let (at, end) = self
            .marks
            .last()
            .map_or((SimTime::ZERO, 0.0), |mark| (mark.at, mark.end()));
        let begin = end + stretch(self.pace, record.at - at);
        if !beside {
            self.leading.push(self.marks.len() as u32);
        }
        self.marks.push(Mark {
            at: record.at,
            begin,
            dwell: dwell(self.pace, &record.fact),
            beside,
        });
    }

    /// Story time at which everything has happened.
    pub fn end(&self) -> f64 {
        self.marks.last().map_or(0.0, |mark| mark.end())
    }

    /// Story time just before the fact numbered `fact`: it is the next to happen.
    pub fn before(&self, fact: u32) -> f64 {
        match self.leading.get(fact as usize) {
            Some(&mark) => self.marks[mark as usize].begin,
            None => self.end(),
        }
    }

    /// Story time at which `applied` facts have happened and the last one's dwell is over.
    pub fn after(&self, applied: u32) -> f64 {
        let Some(last) = applied.checked_sub(1) else {
            return 0.0;
        };
        match self.leading.get(last as usize) {
            Some(&mark) => self.marks[mark as usize].end(),
            None => self.end(),
        }
    }

    /// Story time at which simulated time first is `time`, in nanoseconds.
    pub fn story_at(&self, time: f64) -> f64 {
        let later = self.marks.partition_point(|mark| (mark.at.0 as f64) < time);
        let Some(next) = self.marks.get(later) else {
            return self.end();
        };
        let (at, end) = later.checked_sub(1).map_or((0.0, 0.0), |last| {
            (self.marks[last].at.0 as f64, self.marks[last].end())
        });
        let gap = next.at.0 as f64 - at;
        if gap <= 0.0 {
            next.begin
        } else {
            end + (next.begin - end) * (time - at) / gap
        }
    }

    /// Where the cursor is at this story time.
    pub fn playhead(&self, story: f64) -> Playhead {
        let happened = self.marks.partition_point(|mark| mark.begin < story);
        let applied = self
            .leading
            .partition_point(|&mark| (mark as usize) < happened);
        let (at, begin, end) = happened.checked_sub(1).map_or((0.0, 0.0, 0.0), |last| {
            let mark = self.marks[last];
            (mark.at.0 as f64, mark.begin, mark.end())
        });
        let still = Playhead {
            applied: applied as u32,
            beside: (happened - applied) as u32,
            moves_beside: happened > 0 && self.marks[happened - 1].beside,
            time: at,
            share: 1.0,
            rate: 0.0,
        };
        if story < end {
            return Playhead {
                share: (story - begin) / (end - begin),
                ..still
            };
        }
        match self.marks.get(happened) {
            Some(next) if next.begin > end => {
                let gap = next.at.0 as f64 - at;
                let rate = gap / (next.begin - end);
                Playhead {
                    time: at + (story - end) * rate,
                    // Nanoseconds a millisecond are millionths.
                    rate: rate / 1e6,
                    ..still
                }
            }
            _ => still,
        }
    }

    /// The story time of a cursor that another tempo gave.
    pub fn story_of(&self, playhead: Playhead) -> f64 {
        let Some(last) = self.latest(playhead) else {
            return self.story_at(playhead.time).min(self.before(0));
        };
        let Some(mark) = self.marks.get(last) else {
            return self.end();
        };
        if playhead.time > mark.at.0 as f64 {
            let until = self.before(playhead.applied).max(mark.end());
            let next = self.marks.get(last + 1);
            let until = next.map_or(until, |next| until.min(next.begin.max(mark.end())));
            return between(self.story_at(playhead.time), mark.end(), until);
        }
        // A hair past the beginning, so that the fact counts as happened.
        (mark.begin + playhead.share * (mark.end() - mark.begin)).max(mark.begin.next_up())
    }

    /// The mark of the latest fact that has happened at a cursor: of either run, where this tempo
    /// has its facts in the same order, and else of the leading one. None before the first fact.
    fn latest(&self, playhead: Playhead) -> Option<usize> {
        let happened = (playhead.applied as usize).saturating_add(playhead.beside as usize);
        let leading = |happened: usize| {
            let count = |&mark: &u32| (mark as usize) < happened;
            self.leading.partition_point(count)
        };
        if (1..=self.marks.len()).contains(&happened)
            && leading(happened) == playhead.applied as usize
        {
            return Some(happened - 1);
        }
        let last = playhead.applied.checked_sub(1)?;
        let mark = self.leading.get(last as usize);
        Some(mark.map_or(self.marks.len(), |&mark| mark as usize))
    }
}

/// Story milliseconds for a stretch of simulated time in which nothing happens.
///
/// Longer is longer, but not in proportion: 5 ms of flight take two thirds of a second, two
/// seconds of waiting not even one and a half.
fn stretch(pace: Pace, gap: SimDuration) -> f64 {
    let millis = gap.as_millis_f64();
    match pace {
        Pace::TrueTime => millis,
        Pace::Tempo if millis <= 0.0 => 0.0,
        Pace::Tempo => 480.0 + 85.0 * (1.0 + millis).log2(),
    }
}

/// Story milliseconds for which simulated time stands still at a fact.
fn dwell(pace: Pace, fact: &Fact) -> f32 {
    if pace == Pace::TrueTime {
        return TRUE_DWELL;
    }
    match fact {
        Fact::Written { .. } | Fact::Unchanged { .. } | Fact::Refused { .. } => 450.0,
        Fact::Dropped { .. } => 600.0,
        Fact::Enqueued { added, why, .. } => match (added, why) {
            (Added::Dirty, _) => 900.0,
            (Added::MergedDirty | Added::MergedReady, _) => 600.0,
            (_, Why::Done) => 800.0,
            _ => 600.0,
        },
        Fact::Started { .. } => 600.0,
        Fact::SectionStarted { section, .. } => match section {
            Section::Fetch | Section::Observe => 200.0,
            Section::Act | Section::Result => 260.0,
            Section::SplitKey
            | Section::ReadCache
            | Section::Exists
            | Section::Labelled
            | Section::DeepCopy
            | Section::WriteBack => 200.0,
        },
        Fact::Fetched { .. } | Fact::Observed { .. } => 480.0,
        Fact::ActionStarted { .. } => 420.0,
        Fact::ActionDone { .. } | Fact::ActionFailed { .. } => 560.0,
        Fact::Finished { .. } => 420.0,
        Fact::ReplicaLost { .. } => 500.0,
        Fact::ControllerStopped { .. } | Fact::ControllerStarted => 700.0,
        Fact::Acted { .. } => 120.0,
        Fact::Sent { .. } | Fact::Delivered { .. } => 60.0,
        Fact::Forgot { .. } | Fact::Done { .. } => 160.0,
        Fact::Rested => 240.0,
        Fact::CacheRead { .. } => 480.0,
        Fact::CacheSet { .. } | Fact::CacheDeleted { .. } => 360.0,
        Fact::Scribbled { .. } | Fact::EventLost { .. } => 700.0,
        Fact::Swallowed { .. } | Fact::Resynced { .. } => 560.0,
        Fact::Listed { .. } | Fact::Synced | Fact::WatchOpened => 300.0,
        Fact::WatchClosed { .. } | Fact::RequestFailed { .. } => 420.0,
        Fact::WriteAnswered { .. } => 420.0,
        Fact::HandlerCalled { .. } => 160.0,
        Fact::Requested { .. }
        | Fact::Answered { .. }
        | Fact::BackedOff { .. }
        | Fact::WriteSent { .. }
        | Fact::WriteReplied { .. } => 60.0,
    }
}
