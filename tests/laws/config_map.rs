//! The picture of the config map controller's world against the world itself.

use super::{Verdict, ensure, same};
use loopscope::engine::apiserver::{Object, ObjectId};
use loopscope::engine::controller::{Section, Task};
use loopscope::engine::{Cluster, Key, SimTime};
use loopscope::frame::{Parcel, View};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The picture tells no other story than the cluster.
pub fn fold_equals(view: &View, cluster: &Cluster) -> Verdict {
    let controller = cluster.controller();
    type Objects = BTreeMap<Key, Rc<Object>>;
    let keys = || (0..cluster.keys().len() as u32).map(Key);
    let stored = keys().filter_map(|key| {
        let object = cluster.store().get(ObjectId::config_map(key))?;
        Some((key, object.clone()))
    });
    let drawn = view.config_maps.iter();
    let drawn: Objects = drawn
        .map(|(&key, card)| (key, card.object.clone()))
        .collect();
    same::<Objects>("store", drawn, stored.collect())?;
    let cached = keys().filter_map(|key| Some((key, cluster.cached(key)?.clone())));
    let drawn = view.cache.iter();
    let drawn: Objects = drawn
        .map(|(&key, card)| (key, card.object.clone()))
        .collect();
    same::<Objects>("cache", drawn, cached.collect())?;
    let differing: Vec<Key> = keys()
        .filter(|key| view.difference(*key).is_some())
        .collect();
    if controller.subscription.is_some() {
        same("differing", differing, cluster.differing())?;
    }
    let (drawn, faults) = (view.faults, cluster.faults());
    let counted = (drawn.refuse_next, u32::from(drawn.refuse_controller));
    let asked = (faults.refuse_next, faults.refuse_controller);
    same("refusals", counted, asked)?;
    let lost = (u32::from(drawn.swallow), u32::from(drawn.lose));
    same("losses", lost, (faults.swallow, faults.lose))?;
    let now = cluster.now();
    let over = |until: &SimTime| now < *until;
    let drawn = drawn.refusing.map(|(_, until)| until).filter(over);
    same("refusing", drawn, Some(faults.refuse_until).filter(over))?;
    let queue = controller.queue.view();
    let drawn = view.ready.iter().map(|entry| entry.key).collect();
    same("ready", drawn, queue.ready)?;
    let sorted = |mut delays: Vec<(Key, SimTime)>| {
        delays.sort_unstable();
        delays
    };
    let drawn = view.delayed.iter().map(|delay| (delay.key, delay.until));
    same("delayed", sorted(drawn.collect()), sorted(queue.delayed))?;
    let mut writing = 0;
    for (worker, held) in controller.workers.iter().enumerate() {
        let drawn = view.hands[worker].as_ref();
        let drawn = drawn.map(|hand| (hand.key, hand.n, hand.section));
        let held = held.as_ref().map(|hand| match &hand.task {
            Task::ConfigMap(pass) => (hand.key, hand.n, pass.section),
            Task::Database(_) => unreachable!("there are no databases here"),
        });
        same("a hand", drawn, held)?;
        writing += u32::from(held.is_some_and(|held| held.2 == Section::WriteBack));
    }
    let dirty = view.hands.iter().flatten();
    let dirty = dirty
        .filter(|hand| hand.dirty.is_some())
        .map(|hand| hand.key);
    let dirty: BTreeSet<Key> = dirty.collect();
    same("dirty", dirty.into_iter().collect(), queue.dirty)?;
    same("events", view.flights.len() as u32, controller.in_flight)?;
    let of_hands = |parcel: &Parcel| match *parcel {
        Parcel::Update { worker, n, .. } | Parcel::Reply { worker, n, .. } => {
            let hand = view.hands[usize::from(worker)].as_ref();
            Some(hand.is_some_and(|hand| hand.n == n))
        }
        _ => None,
    };
    let parcels = || {
        view.messages
            .iter()
            .map(|message| of_hands(&message.parcel))
    };
    let count = |kind| parcels().filter(|parcel| *parcel == kind).count() as u32;
    same("updates under way", count(Some(true)), writing)?;
    let informer = controller.subscription.as_ref();
    let messages = informer.map_or(0, |informer| informer.messages);
    same("messages", count(None), messages)?;
    if let Some(subscription) = informer {
        let drawn = view.informer.is_some_and(|informer| informer.synced);
        same("synced", drawn, subscription.informer.has_synced())?;
    }
    let revision = cluster.store().revision();
    // The first was written before the run began.
    same("revision", view.counters.revision.max(1), revision)?;
    same(
        "reconciles",
        view.counters.reconciles,
        controller.reconciles,
    )?;
    same("running", view.running, controller.running)?;
    same("facts", view.applied, cluster.records_made())?;
    ensure(!view.at_rest || controller.is_idle(), || {
        "drawn at rest".to_owned()
    })
}
