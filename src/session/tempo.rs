//! The tempo: how long a person looks at what takes how long.
//!
//! Simulated time is honest, and nobody can see 5 ms. So playing follows *story time*,
//! milliseconds of looking at normal speed: every fact has a dwell, during which simulated time
//! stands still, and between two facts it flows, slowed where much happens and hurried where
//! nothing does. The map is a pure, monotonic, piecewise-linear function of the records, so that
//! scrubbing and playing backwards work in it as playing does.

use crate::engine::fixed::between;
use crate::engine::paged::PagedList;
use crate::engine::record::Record;
use crate::engine::time::{SimDuration, SimTime};

mod dwell;

use dwell::dwell;

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
const TRUE_DWELL: f64 = 0.001;

/// Facts from one story time that is kept to the next: those between are worked out from it, since
/// a long run has many facts and a visitor looks at few.
const STRIDE: usize = 8;

/// What is kept of each fact. Packed into 9 bytes, since a long run has many.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(Rust, packed)]
struct Tick {
    at: SimTime,
    /// Hundredths of a second of story time.
    dwell: u8,
}

/// A fact on the axis.
#[derive(Clone, Copy, Default)]
struct Mark {
    at: SimTime,
    /// Story time at which the fact happens and its dwell begins.
    begin: f64,
    /// Story time at which the dwell is over.
    end: f64,
}

/// The map between story time and the facts of one run, or of two on one clock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tempo {
    pace: Pace,
    ticks: PagedList<Tick>,
    /// Story time at which every `STRIDE`th fact happens.
    begins: PagedList<f64>,
    /// Story time at which everything has happened.
    end: f64,
    /// Is another run beside?
    joint: bool,
    /// Where another run is beside: which of the facts each one of the leading run is.
    leading: PagedList<u32>,
    facts: usize,
}

impl Tempo {
    pub fn new(pace: Pace) -> Tempo {
        Tempo {
            pace,
            ..Tempo::default()
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
                tempo.push(&earlier);
            }
            tempo.leading.push(tempo.ticks.len() as u32);
            tempo.push(&record);
        }
        beside.for_each(|record| tempo.push(&record));
        tempo
    }

    /// More facts of the run were played, which is the only one.
    pub fn grow(&mut self, more: impl Iterator<Item = Record>) {
        for record in more {
            self.push(&record);
            self.facts += 1;
        }
    }

    /// What the run did after so many facts is no longer true. Of two runs nothing is kept.
    pub fn forget_after(&mut self, facts: u32) {
        if self.joint {
            *self = Tempo::new(self.pace);
        }
        self.facts = self.facts.min(facts as usize);
        self.ticks.truncate(self.facts);
        self.begins.truncate(self.facts.div_ceil(STRIDE));
        self.end = self.last_of(self.facts).end;
    }

    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Facts of the run that it knows; where another one is beside, of both when it was made.
    pub fn facts(&self) -> usize {
        self.facts
    }

    fn push(&mut self, record: &Record) {
        let number = self.ticks.len();
        let at = self.ticks.last().map_or(SimTime::ZERO, |last| last.at);
        let begin = self.end + stretch(self.pace, record.at - at);
        if number.is_multiple_of(STRIDE) {
            self.begins.push(begin);
        }
        self.ticks.push(Tick {
            at: record.at,
            dwell: dwell(&record.fact),
        });
        self.end = self.mark_from(number, begin).end;
    }

    /// The fact numbered `number`, whose beginning is known.
    fn mark_from(&self, number: usize, begin: f64) -> Mark {
        let tick = self.ticks[number];
        let dwell = match self.pace {
            Pace::TrueTime => TRUE_DWELL,
            Pace::Tempo => f64::from(tick.dwell) * 10.0,
        };
        Mark {
            at: tick.at,
            begin,
            end: begin + dwell,
        }
    }

    /// The fact numbered `number`, by the one before it.
    fn mark_after(&self, before: Mark, number: usize) -> Mark {
        let gap = stretch(self.pace, self.ticks[number].at - before.at);
        self.mark_from(number, before.end + gap)
    }

    fn mark(&self, number: usize) -> Option<Mark> {
        (number < self.ticks.len()).then(|| {
            let known = number - number % STRIDE;
            let mark = self.mark_from(known, self.begins[known / STRIDE]);
            (known + 1..=number).fold(mark, |mark, number| self.mark_after(mark, number))
        })
    }

    /// The last of the first `happened` facts; where there is none, the beginning of everything.
    fn last_of(&self, happened: usize) -> Mark {
        let last = happened.checked_sub(1);
        last.and_then(|last| self.mark(last)).unwrap_or_default()
    }

    /// How many facts have happened at this story time.
    fn happened(&self, story: f64) -> usize {
        let known = self.begins.partition_point(|&begin| begin < story);
        let Some(known) = known.checked_sub(1) else {
            return 0;
        };
        let mut mark = self.mark_from(known * STRIDE, self.begins[known]);
        let until = self.ticks.len().min((known + 1) * STRIDE);
        let mut later = known * STRIDE + 1..until;
        let not_yet = later.find(|&number| {
            mark = self.mark_after(mark, number);
            mark.begin >= story
        });
        not_yet.unwrap_or(until)
    }

    /// Which of all the facts is the one of the leading run that is numbered `fact`.
    fn place(&self, fact: u32) -> usize {
        if !self.joint {
            return fact as usize;
        }
        let place = self.leading.get(fact as usize);
        place.map_or(self.ticks.len(), |&place| place as usize)
    }

    /// How many of the first `happened` facts are the leading run's.
    fn applied(&self, happened: usize) -> usize {
        if self.joint {
            self.applied_of_two(happened)
        } else {
            happened
        }
    }

    #[inline(never)]
    fn applied_of_two(&self, happened: usize) -> usize {
        let has_happened = |&place: &u32| (place as usize) < happened;
        self.leading.partition_point(has_happened)
    }

    /// Story time at which everything has happened.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// Story time just before the fact numbered `fact`: it is the next to happen.
    pub fn before(&self, fact: u32) -> f64 {
        self.mark(self.place(fact))
            .map_or(self.end, |mark| mark.begin)
    }

    /// Story time at which `applied` facts have happened and the last one's dwell is over.
    pub fn after(&self, applied: u32) -> f64 {
        let Some(last) = applied.checked_sub(1) else {
            return 0.0;
        };
        self.mark(self.place(last))
            .map_or(self.end, |mark| mark.end)
    }

    /// Story time at which simulated time first is `time`, in nanoseconds.
    pub fn story_at(&self, time: f64) -> f64 {
        let later = self.ticks.partition_point(|tick| (tick.at.0 as f64) < time);
        let Some(next) = self.mark(later) else {
            return self.end;
        };
        let last = self.last_of(later);
        let gap = next.at.0 as f64 - last.at.0 as f64;
        if gap <= 0.0 {
            next.begin
        } else {
            last.end + (next.begin - last.end) * (time - last.at.0 as f64) / gap
        }
    }

    /// Where the cursor is at this story time.
    pub fn playhead(&self, story: f64) -> Playhead {
        let happened = self.happened(story);
        let applied = self.applied(happened);
        let last = self.last_of(happened);
        let at = last.at.0 as f64;
        let still = Playhead {
            applied: applied as u32,
            beside: (happened - applied) as u32,
            moves_beside: happened > 0 && self.applied(happened - 1) == applied,
            time: at,
            share: 1.0,
            rate: 0.0,
        };
        if story < last.end {
            return Playhead {
                share: (story - last.begin) / (last.end - last.begin),
                ..still
            };
        }
        match self.mark(happened) {
            Some(next) if next.begin > last.end => {
                let gap = next.at.0 as f64 - at;
                let rate = gap / (next.begin - last.end);
                Playhead {
                    time: at + (story - last.end) * rate,
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
        let Some(mark) = self.mark(last) else {
            return self.end;
        };
        if playhead.time > mark.at.0 as f64 {
            let until = self.before(playhead.applied).max(mark.end);
            let next = self.mark(last + 1);
            let until = next.map_or(until, |next| until.min(next.begin.max(mark.end)));
            return between(self.story_at(playhead.time), mark.end, until);
        }
        // A hair past the beginning, so that the fact counts as happened.
        (mark.begin + playhead.share * (mark.end - mark.begin)).max(mark.begin.next_up())
    }

    /// The latest fact that has happened at a cursor: of either run, where this tempo has its facts
    /// in the same order, and else of the leading one. None before the first fact.
    fn latest(&self, playhead: Playhead) -> Option<usize> {
        let happened = (playhead.applied as usize).saturating_add(playhead.beside as usize);
        if (1..=self.ticks.len()).contains(&happened)
            && self.applied(happened) == playhead.applied as usize
        {
            return Some(happened - 1);
        }
        let last = playhead.applied.checked_sub(1)?;
        Some(self.place(last))
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
