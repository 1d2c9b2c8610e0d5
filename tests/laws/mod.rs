//! What holds in every run, whatever the controller: for the tests on random worlds, and for the fuzz
//! target that makes its worlds of bytes.

mod config_map;
mod database;

use loopscope::engine::record::Causes;
use loopscope::engine::{Cluster, ControllerKind, Fact, Record, RecordId};
use loopscope::frame::View;
use std::fmt::Debug;

/// What is so, or how it is otherwise.
pub type Verdict = Result<(), String>;

pub fn same<T: PartialEq + Debug>(what: &str, got: T, wanted: T) -> Verdict {
    if got == wanted {
        Ok(())
    } else {
        Err(format!("{what}: {got:?}, should be {wanted:?}"))
    }
}

pub fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// The picture is a fold over the records; it may never tell another story than the cluster.
pub fn fold_equals(kind: ControllerKind, view: &View, cluster: &Cluster) -> Verdict {
    match kind {
        ControllerKind::Database => database::fold_equals(view, cluster),
        ControllerKind::ConfigMap => config_map::fold_equals(view, cluster),
    }
}

/// Records are counted from 0 without a gap, their time never goes back, and what caused one came
/// before it.
pub fn in_order(records: &[Record]) -> Verdict {
    for (place, record) in records.iter().enumerate() {
        same("an id", record.id as usize, place)?;
        let before = place.checked_sub(1).map(|before| records[before].at);
        ensure(before.is_none_or(|before| before <= record.at), || {
            format!("before what was before: {record:?}")
        })?;
        let causes: Vec<RecordId> = record.causes.iter().collect();
        let earlier = causes.iter().all(|&cause| cause < record.id);
        ensure(earlier, || format!("caused by what came later: {record:?}"))?;
    }
    Ok(())
}

/// Where the chain of nearest causes begins.
pub fn root(records: &[Record], mut causes: Causes) -> Option<&Fact> {
    let mut fact = None;
    while let Some(cause) = causes.iter().next() {
        let record = &records[cause as usize];
        (fact, causes) = (Some(&record.fact), record.causes);
    }
    fact
}
