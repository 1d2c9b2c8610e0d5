//! What a scene asks before it shows. The answers are computed from the visitor's own run.

mod config_map;

use super::Anchor;
use crate::engine::controller::Action;
use crate::engine::knobs::Knobs;
use crate::engine::record::{Fact, Record, Why};
use crate::engine::sorted::in_order;
use crate::engine::time::SimDuration;
use crate::engine::workqueue::Added;
use crate::scene::caption::spaced;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// How many times Reconcile() runs in the scene.
    Reconciles,
    /// What becomes of an upgrade that failed.
    FailedUpgrade,
    /// How many times the informer asks the API server for something.
    Requests,
    /// What a deletion makes the controller do.
    Deletion,
    /// When a write that was refused is made good.
    Recovery,
    /// Who notices that work was skipped.
    Skipped,
    /// Whose change survives where two write.
    TwoWriters,
    /// What a retry does after a write that failed.
    Retry,
}

/// A question of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    pub ask: Ask,
    pub words: &'static str,
    /// The beat that shows the answer, by its anchor; none: the last one of the main run.
    pub shown_at: Option<Anchor>,
}

/// Possible answers, and the one that the run gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    pub options: Vec<String>,
    pub right: usize,
}

impl Question {
    /// The answers for a scene with these facts.
    pub fn answers(self, facts: impl Iterator<Item = Record>, knobs: &Knobs) -> Answers {
        let of_all = match self.ask {
            // A burst may have thousands of facts: they are not wanted at once.
            Ask::Reconciles => return reconciles(facts),
            Ask::FailedUpgrade => return failed_upgrade(facts, knobs),
            Ask::Requests => config_map::requests,
            Ask::Deletion => config_map::deletion,
            Ask::Recovery => config_map::recovery,
            Ask::Skipped => config_map::skipped,
            Ask::TwoWriters => config_map::two_writers,
            Ask::Retry => config_map::retry,
        };
        of_all(&facts.collect::<Vec<_>>())
    }
}

/// A number among others that people guess, the largest first.
fn numbers(right: usize, guesses: impl IntoIterator<Item = usize>) -> Answers {
    let mut numbers = vec![right];
    for guess in guesses {
        if numbers.len() < 3 && !numbers.contains(&guess) {
            numbers.push(guess);
        }
    }
    let numbers: Vec<usize> = in_order(numbers).into_iter().rev().collect();
    let place = numbers.iter().position(|&number| number == right);
    Answers {
        options: numbers.iter().map(usize::to_string).collect(),
        right: place.expect("the right number is among them"),
    }
}

/// The number the run has, among numbers that people guess: one, one for each event, and so on.
fn reconciles(facts: impl Iterator<Item = Record>) -> Answers {
    let (mut right, mut events) = (0, 0);
    for record in facts {
        match record.fact {
            Fact::Started { .. } => right += 1,
            Fact::Delivered { .. } => events += 1,
            _ => {}
        }
    }
    numbers(
        right,
        [events, 1, 2, 3].into_iter().filter(|&guess| guess > 0),
    )
}

fn failed_upgrade(facts: impl Iterator<Item = Record>, knobs: &Knobs) -> Answers {
    let is_upgrade = |action: &Action| matches!(action, Action::Upgrade { .. });
    let mut after = facts.skip_while(
        |record| !matches!(&record.fact, Fact::ActionFailed { action, .. } if is_upgrade(action)),
    );
    let retried = after.find_map(|record| match record.fact {
        Fact::Enqueued {
            why: Why::Retry,
            added,
            ..
        } => Some(match added {
            Added::Delayed { until }
            | Added::DelayedEarlier { until, .. }
            | Added::DelayKept { until } => until - record.at,
            // No wait at all: it is queued, or marked dirty in the hand that it is leaving.
            _ => SimDuration::ZERO,
        }),
        _ => None,
    });
    let wait = retried.unwrap_or(knobs.channel_retry);
    Answers {
        options: vec![
            "It stays failed until somebody asks again".into(),
            format!("The queue hands the key out again, after {}", spaced(wait)),
            "The pods are rolled back to where they began".into(),
        ],
        right: usize::from(retried.is_some()),
    }
}
