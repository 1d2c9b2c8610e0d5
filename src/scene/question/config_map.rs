//! What the scenes of chapter two ask.

use super::{Answers, numbers};
use crate::engine::controller::Conclusion;
use crate::engine::controller::configmap::is_labelled;
use crate::engine::record::{Fact, Record, WriteAnswer};
use crate::engine::time::SimDuration;
use crate::scene::caption::spaced;

fn first(records: &[Record], wanted: impl Fn(&Fact) -> bool) -> Option<usize> {
    records.iter().position(|record| wanted(&record.fact))
}

/// The records from the first of this kind on; none, where there is none.
fn from(records: &[Record], wanted: impl Fn(&Fact) -> bool) -> &[Record] {
    first(records, wanted).map_or(&[], |first| &records[first..])
}

fn is_refused(fact: &Fact) -> bool {
    let refused = |answer: &WriteAnswer| answer.result().is_err();
    matches!(fact, Fact::WriteAnswered { answer, .. } if refused(answer))
}

fn is_concluded(fact: &Fact, wanted: Conclusion) -> bool {
    matches!(fact, Fact::Finished { conclusion, .. } if *conclusion == wanted)
}

fn options<const N: usize>(options: [&str; N], right: usize) -> Answers {
    Answers {
        options: options.map(str::to_owned).into(),
        right,
    }
}

pub fn requests(records: &[Record]) -> Answers {
    let asked = |record: &&Record| matches!(record.fact, Fact::Requested { .. });
    numbers(records.iter().filter(asked).count(), [60, 2, 1])
}

/// The key that is deleted first: is it reconciled afterwards?
pub fn deletion(records: &[Record]) -> Answers {
    let is_deletion = |fact: &Fact| matches!(fact, Fact::CacheDeleted { .. });
    let after = from(records, is_deletion);
    let key = after.first().and_then(|record| record.fact.key());
    let looked =
        |fact: &Fact| matches!(fact, Fact::Started { key: taken, .. } if Some(*taken) == key);
    let right = usize::from(first(after, looked).is_some());
    options(
        [
            "Nothing at all",
            "It looks once, and finds nothing",
            "It puts the label back",
        ],
        right,
    )
}

/// From the first refusal to the first write that was taken: as long as the fault, or longer?
pub fn recovery(records: &[Record]) -> Answers {
    let acted = first(records, |fact| matches!(fact, Fact::Acted { .. })).map(|at| records[at].at);
    let after = from(records, is_refused);
    let taken = first(after, |fact| is_concluded(fact, Conclusion::Labelled));
    let span = taken.zip(acted).map(|(at, acted)| after[at].at - acted);
    let whole = SimDuration::from_millis(span.map_or(0, SimDuration::as_millis) / 100 * 100);
    let late = match span {
        Some(_) => format!("At the retry after that: about {} from now", spaced(whole)),
        None => "At the retry after that".to_owned(),
    };
    Answers {
        options: vec![
            "At the moment when writes are taken again".to_owned(),
            late,
            "When somebody touches the config map".to_owned(),
        ],
        right: if span.is_some() { 1 } else { 2 },
    }
}

/// After a reconcile that skipped its work: is there a resync before the label is there?
pub fn skipped(records: &[Record]) -> Answers {
    let after = from(records, |fact| matches!(fact, Fact::Swallowed { .. }));
    let resync = first(after, |fact| matches!(fact, Fact::Resynced { .. }));
    let labelled = first(after, |fact| is_concluded(fact, Conclusion::Labelled));
    let touched = first(after, |fact| matches!(fact, Fact::Acted { .. }));
    let right = match (resync, labelled) {
        (_, None) => 3,
        (Some(resync), Some(labelled))
            if resync < labelled && touched.is_none_or(|touched| resync < touched) =>
        {
            1
        }
        _ => 2,
    };
    options(
        [
            "The API server, at once",
            "The informer’s next resync",
            "Whoever touches the config map next",
            "Nobody",
        ],
        right,
    )
}

/// The last object that was stored: does it carry the label and the other's note?
pub fn two_writers(records: &[Record]) -> Answers {
    let stored = |record: &Record| match &record.fact {
        Fact::Written { object, .. } => {
            Some((is_labelled(object), !object.meta.annotations.is_empty()))
        }
        _ => None,
    };
    let right = match records.iter().rev().find_map(stored) {
        Some((true, true)) => 2,
        Some((true, false)) => 1,
        _ => 0,
    };
    options(["The label", "The annotation", "Nothing is lost"], right)
}

/// What the first retry after a refusal comes to.
pub fn retry(records: &[Record]) -> Answers {
    let after = from(records, is_refused);
    // The reconcile whose write was refused ends first.
    let mut ends = after.iter().filter_map(|record| match record.fact {
        Fact::Finished { conclusion, .. } => Some(conclusion),
        _ => None,
    });
    let right = match ends.nth(1) {
        Some(Conclusion::InDesiredState) => 1,
        Some(Conclusion::Error { .. }) => 2,
        _ => 0,
    };
    options(
        [
            "Put the label on",
            "Find nothing to do",
            "Be refused once more",
        ],
        right,
    )
}
