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
#[cfg(test)]
mod tests;
mod two;

use dwell::dwell;
use two::Two;

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
const EVERY: usize = 4;

/// What is kept of each fact. Packed into 9 bytes, since a long run has many.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(Rust, packed)]
struct Tick {
    at: SimTime,
    /// Hundredths of a second of story time.
    dwell: u8,
}

impl From<&Record> for Tick {
    fn from(record: &Record) -> Tick {
        Tick {
            at: record.at,
            dwell: dwell(&record.fact),
        }
    }
}

const _: () = assert!(size_of::<Tick>() == 9);

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
    /// Story time at which every `EVERY`th fact happens.
    begins: PagedList<f64>,
    /// Story time at which everything has happened.
    end: f64,
    /// Where another run is beside.
    two: Option<Two>,
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
        let mut places = PagedList::default();
        let played = beside.len();
        let early = |record: &Record| until.is_none_or(|until| record.at < until);
        let mut beside = beside.take_while(early).peekable();
        for record in leading {
            while let Some(earlier) = beside.next_if(|other| other.at < record.at) {
                tempo.push((&earlier).into());
            }
            places.push(tempo.ticks.len() as u32);
            tempo.push((&record).into());
        }
        beside.for_each(|record| tempo.push((&record).into()));
        tempo.two = Some(Two {
            leading: places,
            beside: played,
            until,
        });
        tempo
    }

    /// Is it the tempo of two runs that were played so far?
    pub fn is_joint(&self, leading: usize, beside: usize, until: Option<SimTime>) -> bool {
        self.two.as_ref().is_some_and(|two| {
            (two.leading.len(), two.beside, two.until) == (leading, beside, until)
        })
    }

    /// More facts of the run were played, which is the only one.
    pub fn grow(&mut self, more: impl Iterator<Item = Record>) {
        more.for_each(|record| self.push((&record).into()));
    }

    /// What the run did after so many facts is no longer true. Of two runs nothing is kept.
    pub fn forget_after(&mut self, facts: u32) {
        let kept = match self.two.take() {
            Some(_) => 0,
            None => (facts as usize).min(self.facts()),
        };
        self.ticks.truncate(kept);
        self.begins.truncate(kept.div_ceil(EVERY));
        self.end = self.last_of(kept).end;
    }

    /// Shows the same facts in another way.
    pub fn set_pace(&mut self, pace: Pace) {
        if self.pace != pace {
            self.pace = pace;
            let ticks = std::mem::take(&mut self.ticks);
            self.begins = PagedList::default();
            self.end = 0.0;
            ticks.iter().for_each(|&tick| self.push(tick));
        }
    }

    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Facts that it knows, of both runs where there are two.
    pub fn facts(&self) -> usize {
        self.ticks.len()
    }

    fn push(&mut self, tick: Tick) {
        let number = self.ticks.len();
        let at = self.ticks.last().map_or(SimTime::ZERO, |last| last.at);
        let begin = self.end + stretch(self.pace, tick.at - at);
        if number.is_multiple_of(EVERY) {
            self.begins.push(begin);
        }
        self.ticks.push(tick);
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
            let known = number - number % EVERY;
            let mark = self.mark_from(known, self.begins[known / EVERY]);
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
        let mut mark = self.mark_from(known * EVERY, self.begins[known]);
        let until = self.ticks.len().min((known + 1) * EVERY);
        let mut later = known * EVERY + 1..until;
        let not_yet = later.find(|&number| {
            mark = self.mark_after(mark, number);
            mark.begin >= story
        });
        not_yet.unwrap_or(until)
    }

    /// Which of all the facts is the one of the leading run that is numbered `fact`.
    fn place(&self, fact: u32) -> usize {
        match &self.two {
            None => fact as usize,
            Some(two) => two.place(fact).unwrap_or(self.ticks.len()),
        }
    }

    /// How many of the first `happened` facts are the leading run's.
    fn applied(&self, happened: usize) -> usize {
        match &self.two {
            None => happened,
            Some(two) => two.applied(happened),
        }
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

    /// Story time at which so many facts have happened, of both runs, and the last one's dwell is over.
    pub fn after_both(&self, happened: usize) -> f64 {
        self.last_of(happened).end
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
                let until = next.at.0 as f64;
                let rate = (until - at) / (next.begin - last.end);
                Playhead {
                    time: (at + (story - last.end) * rate).min(until),
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
            let first = match playhead.beside {
                0 => self.mark(0).map_or(self.end, |first| first.begin),
                _ => self.before(0),
            };
            return self.story_at(playhead.time).min(first);
        };
        let Some(mark) = self.mark(last) else {
            return self.end;
        };
        if playhead.time > mark.at.0 as f64 {
            let until = self.before(playhead.applied).max(mark.end);
            // Where the other run's facts are others, its next one says nothing.
            let seen = playhead.applied.saturating_add(playhead.beside) as usize;
            let next = self.mark(last + 1).filter(|_| seen == last + 1);
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
