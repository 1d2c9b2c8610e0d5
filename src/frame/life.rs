//! The causal life of one thing: all that led to a fact, and all that came of it.
//!
//! Facts carry their causes, so this is looked up and not guessed. One arrow is added to those of
//! the records: an add that merged did nothing by itself, but the reconcile that then took the key
//! answers it as well. So whatever took an entry, or came back by a dirty mark, descends from
//! every add that merged into it.

use crate::engine::key::Key;
use crate::engine::record::{Fact, Record, RecordId, Why};
use crate::engine::sorted::Map;
use crate::engine::workqueue::Added;

/// What a visitor follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// The life of one fact.
    Fact(RecordId),
    /// Everything about one object.
    Key(Key),
}

/// The facts that belong to what is followed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Life {
    lit: Vec<bool>,
}

impl Life {
    /// What belongs to it among these records, which are a run's from its beginning.
    pub fn new(records: impl Iterator<Item = Record>, follow: Follow) -> Life {
        match follow {
            Follow::Key(key) => Life {
                lit: records
                    .map(|record| record.fact.key() == Some(key))
                    .collect(),
            },
            Follow::Fact(id) => Life::of_fact(&parents(records), id as usize),
        }
    }

    /// Does this fact belong to it?
    pub fn holds(&self, id: RecordId) -> bool {
        self.lit.get(id as usize).copied().unwrap_or(false)
    }

    /// How many facts belong to it.
    pub fn len(&self) -> usize {
        self.lit.iter().filter(|lit| **lit).count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// By what each record descends from.
    fn of_fact(parents: &[Vec<RecordId>], id: usize) -> Life {
        let count = parents.len();
        let mut past = vec![false; count];
        if let Some(first) = past.get_mut(id) {
            *first = true;
        }
        for child in (0..=id.min(count.saturating_sub(1))).rev() {
            if past.get(child) == Some(&true) {
                for &parent in &parents[child] {
                    past[parent as usize] = true;
                }
            }
        }
        // What came of it: causes come before their effects, so one pass is enough.
        let mut future = vec![false; count];
        for child in id..count {
            future[child] =
                child == id || parents[child].iter().any(|&parent| future[parent as usize]);
        }
        let lit = past
            .iter()
            .zip(&future)
            .map(|(past, future)| *past || *future);
        Life { lit: lit.collect() }
    }
}

/// For each record, the records it descends from.
fn parents(records: impl Iterator<Item = Record>) -> Vec<Vec<RecordId>> {
    let mut merges: Map<RecordId, Vec<RecordId>> = Map::new();
    let mut parents = Vec::new();
    for record in records {
        let mut causes = record.causes.iter();
        match record.fact {
            Fact::Enqueued {
                added: Added::MergedReady | Added::MergedDirty,
                ..
            } => {
                let event = causes.next();
                for entry in causes {
                    merges.get_or_default(entry).push(record.id);
                }
                parents.push(event.into_iter().collect());
            }
            // It came back for the mark's sake; Done was only the occasion.
            Fact::Enqueued { why: Why::Done, .. } => {
                let occasion = causes.next();
                let mark = causes.next().or(occasion);
                let merged = mark.iter().filter_map(|mark| merges.get(mark)).flatten();
                parents.push(mark.iter().chain(merged).copied().collect());
            }
            // At rest is everybody's.
            Fact::Rested => parents.push(Vec::new()),
            _ => {
                let mut all: Vec<RecordId> = causes.collect();
                let merged = all
                    .iter()
                    .filter_map(|cause| merges.get(cause))
                    .flatten()
                    .copied();
                let merged: Vec<RecordId> = merged.collect();
                all.extend(merged);
                parents.push(all);
            }
        }
    }
    parents
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::knobs::Preset;
    use crate::engine::stimulus::Actor;
    use crate::engine::time::SimTime;
    use crate::engine::{Cluster, SimDuration};
    use crate::scene::CONTROL_LOOP;
    use std::rc::Rc;

    fn run() -> Vec<Record> {
        let mut knobs = Preset::ClientGo.knobs();
        knobs.failing_upgrades = Some(Vec::new());
        let script = CONTROL_LOOP.script(&knobs);
        let mut cluster = Cluster::new(Rc::new(knobs), 1);
        for (at, stimulus) in script {
            cluster.inject(at, Actor::Script, stimulus);
        }
        let mut records = Vec::new();
        cluster.advance_to(SimTime::ZERO + SimDuration::from_secs(20), &mut records);
        records
    }

    #[test]
    fn a_merged_write_lives_on_in_the_reconcile_that_answered_it() {
        let records = run();
        let merge = records.iter().find(|record| {
            matches!(
                record.fact,
                Fact::Enqueued {
                    added: Added::MergedDirty,
                    ..
                }
            )
        });
        let merge = merge.expect("the burst merges");
        let life = Life::new(records.iter().cloned(), Follow::Fact(merge.id));
        let came_back = records.iter().find(|record| {
            record.id > merge.id && matches!(record.fact, Fact::Enqueued { why: Why::Done, .. })
        });
        assert!(life.holds(came_back.unwrap().id));
        let answers =
            |record: &&Record| matches!(record.fact, Fact::Started { .. }) && life.holds(record.id);
        assert_eq!(records.iter().filter(answers).count(), 1, "and in no other");
        let written =
            |record: &&Record| matches!(record.fact, Fact::Written { .. }) && life.holds(record.id);
        assert_eq!(
            records.iter().filter(written).count(),
            1,
            "its own write only"
        );
    }

    #[test]
    fn the_life_of_the_first_write_is_two_reconciles_long() {
        let records = run();
        let write = records
            .iter()
            .find(|record| matches!(record.fact, Fact::Written { .. }));
        let life = Life::new(records.iter().cloned(), Follow::Fact(write.unwrap().id));
        let started =
            |record: &&Record| matches!(record.fact, Fact::Started { .. }) && life.holds(record.id);
        assert_eq!(records.iter().filter(started).count(), 2);
    }

    #[test]
    fn following_a_fact_that_does_not_exist_lights_nothing() {
        assert!(Life::new(run().into_iter(), Follow::Fact(1_000_000)).is_empty());
        assert!(Life::new([].into_iter(), Follow::Fact(0)).is_empty());
    }
}
