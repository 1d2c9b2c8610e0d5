//! The picture of the database controller's world against the world itself.

use super::{Verdict, ensure, same};
use loopscope::engine::{Actual, Cluster, Key, SimTime};
use loopscope::frame::View;
use std::collections::{BTreeMap, BTreeSet};

/// The picture tells no other story than the cluster.
pub fn fold_equals(view: &View, cluster: &Cluster) -> Verdict {
    let controller = cluster.controller();
    let queue = controller.queue.view();
    let stored = cluster.store().iter().map(|(key, object)| {
        let revision = object.meta.resource_version;
        (key, (object.database_spec(), revision))
    });
    let drawn = view
        .objects
        .iter()
        .map(|(&key, card)| (key, (card.spec, card.revision)));
    same::<BTreeMap<_, _>>("objects", drawn.collect(), stored.collect())?;
    let drawn = view.ready.iter().map(|entry| entry.key).collect();
    same("ready", drawn, queue.ready)?;
    let sorted = |mut delays: Vec<(Key, SimTime)>| {
        delays.sort_unstable();
        delays
    };
    let drawn = view
        .delayed
        .iter()
        .map(|delay| (delay.key, delay.until))
        .collect();
    same("delayed", sorted(drawn), sorted(queue.delayed))?;
    ensure(
        view.delayed.iter().is_sorted_by_key(|delay| delay.until),
        || format!("the shelf is out of order: {:?}", view.delayed),
    )?;
    let hand = |worker: usize| view.hands[worker].as_ref().map(|hand| (hand.key, hand.n));
    for (worker, held) in controller.workers.iter().enumerate() {
        let held = held.as_ref().map(|held| (held.key, held.n));
        same("a hand", hand(worker), held)?;
    }
    let mut drawn: Vec<Key> = view.hands.iter().flatten().map(|hand| hand.key).collect();
    drawn.sort_unstable();
    same("processing", drawn, queue.processing)?;
    let dirty = view
        .hands
        .iter()
        .flatten()
        .filter(|hand| hand.dirty.is_some());
    let dirty: BTreeSet<Key> = dirty.map(|hand| hand.key).collect();
    same("dirty", dirty.into_iter().collect(), queue.dirty)?;
    for key in (0..cluster.keys().len() as u32).map(Key) {
        // An upgrade from nothing is drawn before anything runs.
        let drawn = view
            .actual
            .get(&key)
            .map_or(Actual::default(), |pods| pods.actual);
        same("what runs", drawn, cluster.actual(key).unwrap_or_default())?;
    }
    let upgrading = |key: &Key| view.actual[key].upgrading.is_some();
    for key in view.actual.keys().filter(|key| upgrading(key)) {
        let held = view.hands.iter().flatten().any(|hand| hand.key == *key);
        ensure(held, || format!("{key:?} is upgraded by nobody"))?;
    }
    same("in flight", view.flights.len() as u32, controller.in_flight)?;
    same(
        "revision",
        view.counters.revision,
        cluster.store().revision(),
    )?;
    same(
        "reconciles",
        view.counters.reconciles,
        controller.reconciles,
    )?;
    same("running", view.running, controller.running)?;
    same(
        "fail next",
        view.fail_next,
        cluster.will_fail_next_upgrade(),
    )?;
    same("facts", view.applied, cluster.records_made())?;
    ensure(!view.at_rest || controller.is_idle(), || {
        "drawn at rest".to_owned()
    })
}
