//! Laws that hold in every run of the config map controller, tried on random worlds; and proof that
//! each named exception really leaves something wrong.

#[path = "config_worlds/world.rs"]
mod world;

use loopscope::engine::apiserver::{Object, ObjectId};
use loopscope::engine::controller::{Section, Task};
use loopscope::engine::record::{Causes, Why};
use loopscope::engine::workqueue::Added;
use loopscope::engine::{Cluster, Fact, Key, Record, RecordId, SimDuration, SimTime};
use loopscope::frame::{Parcel, View};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::rc::Rc;
use world::{Exception, always, unlabelled, until_seen};

fn same<T: PartialEq + Debug>(what: &str, got: T, wanted: T) -> Result<(), String> {
    if got == wanted {
        Ok(())
    } else {
        Err(format!("{what}: {got:?}, should be {wanted:?}"))
    }
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

#[test]
fn how_time_is_sliced_never_changes_the_records() {
    let name = "how_time_is_sliced_never_changes_the_records";
    always(name, 150, |world| {
        let mut wanted = Vec::new();
        let end = SimTime::from_millis(20_000);
        world.stage().advance_to(end, &mut wanted);
        for millis in [1, 7, 33, 1000] {
            let (mut cluster, mut records) = (world.stage(), Vec::new());
            let mut now = SimTime::ZERO;
            while now < end {
                now = (now + SimDuration::from_millis(millis)).min(end);
                cluster.advance_to(now, &mut records);
            }
            same(&format!("slices of {millis} ms"), &records, &wanted)?;
        }
        Ok(())
    });
}

#[test]
fn a_clone_goes_on_as_the_original() {
    always("a_clone_goes_on_as_the_original", 100, |world| {
        let end = SimTime::from_millis(40_000);
        let (mut cluster, mut records) = (world.stage(), Vec::new());
        // A snapshot after so many cues; the seed picks the place.
        for _ in 0..world.seed % 397 {
            cluster.play_next(&mut records);
        }
        let (mut copy, mut copied) = (cluster.clone(), records.clone());
        cluster.advance_to(end, &mut records);
        let _ = (cluster.differing(), cluster.controller().is_idle());
        copy.advance_to(end, &mut copied);
        same("the clone", copied, records)?;
        same("at its end", format!("{copy:?}"), format!("{cluster:?}"))
    });
}

#[test]
fn when_all_is_quiet_every_config_map_is_labelled_and_the_cache_is_in_step() {
    let name = "when_all_is_quiet_every_config_map_is_labelled_and_the_cache_is_in_step";
    always(name, 1500, |world| {
        let (cluster, records) = world.play(|_, _| Ok(()))?;
        let exceptions = world.exceptions(&records);
        ensure(
            cluster.controller().is_idle() || exceptions.contains(&Exception::EventLost),
            || "not at rest".to_owned(),
        )?;
        if exceptions.is_empty() {
            same("unlabelled", unlabelled(&cluster), vec![])?;
            same("differing", cluster.differing(), vec![])?;
        }
        Ok(())
    });
}

#[test]
fn the_fold_equals_the_cluster_wherever_a_cue_ends() {
    let name = "the_fold_equals_the_cluster_wherever_a_cue_ends";
    always(name, 600, |world| {
        let mut view = View::new(world.knobs.workers);
        world.play(|cluster, records| {
            records.iter().for_each(|record| view.apply(record));
            fold_equals(&view, cluster)
        })?;
        Ok(())
    });
}

fn fold_equals(view: &View, cluster: &Cluster) -> Result<(), String> {
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

#[test]
fn every_fact_has_earlier_causes_and_every_reconcile_goes_back_to_a_beginning() {
    let name = "every_fact_has_earlier_causes_and_every_reconcile_goes_back_to_a_beginning";
    always(name, 150, |world| {
        let (_, records) = world.play(|_, _| Ok(()))?;
        for (place, record) in records.iter().enumerate() {
            same("an id", record.id as usize, place)?;
            let causes: Vec<RecordId> = record.causes.iter().collect();
            let earlier = causes.iter().all(|&cause| cause < record.id);
            ensure(earlier, || format!("caused by what came later: {record:?}"))?;
            let wanted = match record.fact {
                Fact::Acted { .. } => 0..=0,
                Fact::ControllerStarted => 0..=1,
                // For the write; and where the watch was opened later, for that too.
                Fact::Sent { .. } | Fact::EventLost { .. } => 1..=2,
                Fact::Enqueued { why, added, .. } => match added {
                    Added::MergedReady | Added::MergedDirty => 2..=2,
                    _ if why == Why::Done => 2..=2,
                    _ => 1..=1,
                },
                _ => 1..=1,
            };
            let named = wanted.contains(&causes.len());
            ensure(named, || format!("{} causes: {record:?}", causes.len()))?;
            if matches!(record.fact, Fact::Started { .. } | Fact::Written { .. }) {
                let root = root(&records, record.causes);
                let begins = matches!(root, Some(Fact::Acted { .. } | Fact::ControllerStarted));
                ensure(begins, || format!("{record:?} goes back to {root:?}"))?;
            }
        }
        Ok(())
    });
}

/// Where the chain of nearest causes begins.
fn root(records: &[Record], mut causes: Causes) -> Option<&Fact> {
    let mut fact = None;
    while let Some(cause) = causes.iter().next() {
        let record = &records[cause as usize];
        (fact, causes) = (Some(&record.fact), record.causes);
    }
    fact
}

#[test]
fn events_arrive_in_the_order_of_their_revisions_and_none_twice_on_one_stream() {
    let name = "events_arrive_in_the_order_of_their_revisions_and_none_twice_on_one_stream";
    always(name, 200, |world| {
        let (_, records) = world.play(|_, _| Ok(()))?;
        let mut latest = 0;
        for record in &records {
            match record.fact {
                Fact::Delivered { revision, .. } => {
                    ensure(revision > latest, || format!("{record:?} after {latest}"))?;
                    latest = revision;
                }
                Fact::Listed { .. } | Fact::ControllerStopped { .. } => latest = 0,
                _ => {}
            }
        }
        Ok(())
    });
}

#[test]
fn sometimes_a_config_map_stays_wrong_by_each_of_the_named_exceptions() {
    let mut missing = BTreeSet::from([
        Exception::EventLost,
        Exception::Swallowed,
        Exception::Scribbled,
    ]);
    until_seen(5_000, |world| {
        let (cluster, records) = world.play(|_, _| Ok(())).expect("comes to rest");
        if let [only] = world.exceptions(&records)[..]
            && !unlabelled(&cluster).is_empty()
        {
            missing.remove(&only);
        }
        missing.is_empty()
    });
    assert!(missing.is_empty(), "never left anything wrong: {missing:?}");
}

#[test]
fn sometimes_each_interesting_place_is_reached() {
    let mut missing = BTreeSet::from([
        "a conflict",
        "a write to what is gone",
        "a refused write",
        "a list read again",
        "a watch that ended cleanly",
        "an object removed by a list",
        "an event for a key in hand",
        "a stop with an update under way",
        "a relist after 410",
    ]);
    until_seen(3_000, |world| {
        let mut view = View::new(world.knobs.workers);
        let played = world.play(|_, records| {
            for record in records {
                if let Some(seen) = place(&view, record) {
                    missing.remove(seen);
                }
                view.apply(record);
            }
            Ok(())
        });
        played.expect("comes to rest");
        missing.is_empty()
    });
    assert!(missing.is_empty(), "never reached: {missing:?}");
}

fn place(view: &View, record: &Record) -> Option<&'static str> {
    use loopscope::engine::apiserver::ApiError;
    use loopscope::engine::informer::Cause;
    use loopscope::engine::record::WriteAnswer;
    Some(match &record.fact {
        Fact::WriteAnswered {
            answer: WriteAnswer::Failed { error },
            ..
        } => match error {
            ApiError::Conflict => "a conflict",
            ApiError::NotFound => "a write to what is gone",
            _ => "a refused write",
        },
        Fact::Listed { again: true, .. } => "a list read again",
        Fact::WatchClosed { error: None } => "a watch that ended cleanly",
        Fact::WatchClosed { error: Some(_) } => "a relist after 410",
        Fact::HandlerCalled {
            source: Cause::Relist,
            ..
        } => "an object removed by a list",
        Fact::Enqueued {
            added: Added::Dirty,
            ..
        } => "an event for a key in hand",
        Fact::ControllerStopped { .. } => {
            let update = |parcel: &Parcel| matches!(parcel, Parcel::Update { .. });
            let under_way = view.messages.iter().any(|message| update(&message.parcel));
            under_way.then_some("a stop with an update under way")?
        }
        _ => return None,
    })
}
