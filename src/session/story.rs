//! The story: a scene's beats, looked up in the records of a run.

use super::run::{Facts, Run, SCENE_MAX};
use crate::engine::record::RecordId;
use crate::engine::time::SimTime;
use crate::scene::{Anchor, Beat, Chapter};

/// Which of the two runs a step is told in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Telling {
    /// The run of all scenes.
    #[default]
    Main,
    /// The scene's variant.
    Variant,
}

/// A beat with its place in the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub beat: &'static Beat,
    pub telling: Telling,
    pub stop: Stop,
}

/// Where playing stops for a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Just before this fact happens.
    Before(RecordId),
    /// When this fact has happened.
    After(RecordId),
    /// Its fact does not happen in this run.
    Nowhere,
}

/// The facts of a scene: from the first at or after `begin` to the last before `end`; of a long one
/// as many as are surely played, so that what is found does not depend on how far anybody looked.
fn window(run: &Run, begin: SimTime, end: Option<SimTime>) -> std::ops::Range<usize> {
    let first = run.facts_before(begin);
    let last = end.map_or(run.played(), |end| run.facts_before(end));
    first..last.clamp(first, first + SCENE_MAX)
}

/// The facts of a run from `begin` on, before `end`.
pub fn facts(run: &Run, begin: SimTime, end: Option<SimTime>) -> Facts<'_> {
    run.facts(window(run, begin, end))
}

/// Look up the beats told in `run`: the scene begins at `begin`, and at `end` the next one.
pub fn tell(
    beats: impl Iterator<Item = &'static Beat>,
    telling: Telling,
    run: &Run,
    begin: SimTime,
    end: Option<SimTime>,
) -> Vec<Step> {
    let window = window(run, begin, end);
    let mut from = window.start;
    beats
        .filter(|beat| beat.variant == (telling == Telling::Variant))
        .map(|beat| {
            let matching = |what: crate::scene::What| {
                let facts = run.facts(from.min(window.end)..window.end);
                facts.filter(move |record| what.matches(&record.fact))
            };
            let found = match beat.anchor {
                Anchor::Opening => {
                    let stop = Stop::Before(window.start as RecordId);
                    return Step {
                        beat,
                        telling,
                        stop,
                    };
                }
                Anchor::Next(what) => matching(what).next(),
                Anchor::Nth(what, nth) => matching(what).nth(usize::from(nth).saturating_sub(1)),
                Anchor::Last(what) => matching(what).next_back(),
            };
            let stop = found.map_or(Stop::Nowhere, |record| {
                from = record.id as usize + 1;
                Stop::After(record.id)
            });
            Step {
                beat,
                telling,
                stop,
            }
        })
        .collect()
}

/// When a scene begins, and when the next one does.
pub fn bounds(chapter: &Chapter, run: &Run, scene: usize) -> (SimTime, Option<SimTime>) {
    chapter.bounds(scene, &run.origin().knobs)
}
