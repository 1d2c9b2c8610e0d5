//! The tempo against the plainest one: two lists of story times.

use super::*;
use crate::engine::record::{Causes, Fact};
use proptest::prelude::*;

/// Facts of both runs in their order, with what a person would note of each.
#[derive(Default)]
struct Plain {
    times: Vec<SimTime>,
    begins: Vec<f64>,
    ends: Vec<f64>,
    leading: Vec<bool>,
}

impl Plain {
    fn new<'a>(pace: Pace, facts: impl IntoIterator<Item = (&'a Record, bool)>) -> Plain {
        let (mut now, mut story) = (SimTime::ZERO, 0.0);
        let mut plain = Plain::default();
        for (record, leading) in facts {
            story += stretch(pace, record.at - now);
            now = record.at;
            plain.times.push(now);
            plain.begins.push(story);
            story += match pace {
                Pace::TrueTime => TRUE_DWELL,
                Pace::Tempo => f64::from(dwell(&record.fact)) * 10.0,
            };
            plain.ends.push(story);
            plain.leading.push(leading);
        }
        plain
    }

    /// Is the tempo this one, at the beginning and end of each fact, a hair before and behind it, and at `shares` of all?
    fn check(&self, tempo: &Tempo, shares: &[f64]) -> Result<(), TestCaseError> {
        let end = self.ends.last().copied().unwrap_or(0.0);
        prop_assert_eq!((tempo.end(), tempo.facts()), (end, self.times.len()));
        let leading: Vec<usize> = (0..self.times.len())
            .filter(|&fact| self.leading[fact])
            .collect();
        prop_assert_eq!(tempo.after(0), 0.0);
        for fact in 0..leading.len() + 3 {
            let place = leading.get(fact).copied();
            let (begins, ends) =
                place.map_or((end, end), |place| (self.begins[place], self.ends[place]));
            prop_assert_eq!(tempo.before(fact as u32), begins);
            prop_assert_eq!(tempo.after(fact as u32 + 1), ends);
        }
        let edges = self.begins.iter().chain(&self.ends);
        let edges = edges.flat_map(|&edge| [edge.next_down().max(0.0), edge, edge.next_up()]);
        let mut stories: Vec<f64> = shares.iter().map(|share| share * end).collect();
        stories.extend(edges.chain([0.0, end, end * 2.0 + 1.0]));
        stories.sort_by(f64::total_cmp);
        let mut earlier = 0.0;
        for story in stories {
            let playhead = self.check_playhead(tempo, story)?;
            prop_assert!(playhead.time >= earlier, "time goes back at {}", story);
            earlier = playhead.time;
        }
        Ok(())
    }

    fn check_playhead(&self, tempo: &Tempo, story: f64) -> Result<Playhead, TestCaseError> {
        let happened = self.begins.iter().filter(|&&begin| begin < story).count();
        let applied = self.leading[..happened].iter().filter(|&&leading| leading);
        let applied = applied.count();
        let playhead = tempo.playhead(story);
        let seen = (playhead.applied as usize, playhead.beside as usize);
        prop_assert_eq!(seen, (applied, happened - applied), "at {}", story);
        let latest = happened.checked_sub(1);
        let moves_beside = latest.is_some_and(|latest| !self.leading[latest]);
        prop_assert_eq!(playhead.moves_beside, moves_beside);
        prop_assert!((0.0..=1.0).contains(&playhead.share), "{:?}", playhead);
        let at = latest.map_or(0, |latest| self.times[latest].0) as f64;
        let next = self.times.get(happened);
        let next = next.map_or(f64::INFINITY, |next| next.0 as f64);
        prop_assert!((at..=next).contains(&playhead.time), "{:?}", playhead);

        let again = tempo.playhead(tempo.story_of(playhead));
        let back = (again.applied as usize, again.beside as usize);
        prop_assert_eq!(back, seen, "back from {}", story);
        prop_assert!((again.time - playhead.time).abs() <= 2.0 + playhead.time * 1e-9);
        prop_assert!((again.share - playhead.share).abs() < 1e-3);
        Ok(playhead)
    }
}

/// Facts of a run, which differ in when they happen and how long one looks at them.
fn run(facts: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<Record>> {
    let gap = prop_oneof![
        4 => Just(0_i64),
        1 => 1..2_000_i64,
        2 => 1_000_000..900_000_000_i64,
        1 => 1_000_000_000..100_000_000_000_i64,
    ];
    let fact = prop::sample::select(vec![Fact::Rested, Fact::Synced, Fact::ControllerStarted]);
    prop::collection::vec((gap, fact), facts).prop_map(|facts| {
        let mut at = SimTime::ZERO;
        let facts = facts.into_iter().enumerate();
        let record = |(id, (gap, fact))| {
            at = at + SimDuration::from_nanos(gap);
            Record {
                id: id as u32,
                at,
                causes: Causes::NONE,
                fact,
            }
        };
        facts.map(record).collect()
    })
}

fn pace() -> impl Strategy<Value = Pace> {
    prop::sample::select(vec![Pace::Tempo, Pace::TrueTime])
}

fn shares() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(0.0..1.0, 10)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_tempo_is_the_sum_of_all_dwells_and_stretches(
        facts in run(0..60), kept in 0..70_usize, (pace, other) in (pace(), pace()), shares in shares()
    ) {
        let plain = |pace, facts: &[Record]| Plain::new(pace, facts.iter().map(|record| (record, true)));
        let mut tempo = Tempo::new(pace);
        tempo.grow(facts.iter().cloned());
        plain(pace, &facts).check(&tempo, &shares)?;
        let whole = tempo.clone();

        tempo.forget_after(kept as u32);
        let kept = kept.min(facts.len());
        plain(pace, &facts[..kept]).check(&tempo, &shares)?;
        tempo.grow(facts[kept..].iter().cloned());
        prop_assert!(tempo == whole, "it grows back to what it was");

        tempo.set_pace(other);
        plain(other, &facts).check(&tempo, &shares)?;
    }

    #[test]
    fn two_runs_share_a_tempo_in_the_order_of_time(
        leading in run(0..40), beside in run(0..40), until in prop::option::of(0..200_000_i64),
        (pace, other) in (pace(), pace()), shares in shares()
    ) {
        let until = until.map(SimTime::from_millis);
        let mut tempo = Tempo::joint(pace, leading.clone().into_iter(), beside.clone().into_iter(), until);
        let shown = beside.iter().filter(|record| until.is_none_or(|until| record.at < until));
        let shown = shown.map(|record| (record, false));
        let mut facts: Vec<_> = leading.iter().map(|record| (record, true)).chain(shown).collect();
        facts.sort_by_key(|&(record, leading)| (record.at, !leading));
        Plain::new(pace, facts.clone()).check(&tempo, &shares)?;
        prop_assert!(tempo.is_joint(leading.len(), beside.len(), until));

        tempo.set_pace(other);
        Plain::new(other, facts).check(&tempo, &shares)?;
        tempo.forget_after(leading.len() as u32);
        prop_assert!(tempo == Tempo::new(other));
    }
}
