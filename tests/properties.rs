//! Laws that hold in every run, tried on random worlds; and proof that the interesting places are
//! reached, the ones included in which work really is lost.

#[path = "laws/mod.rs"]
mod laws;
#[path = "properties/world.rs"]
mod world;

use laws::{ensure, fold_equals, in_order, root, same};
use loopscope::engine::apiserver::EventType;
use loopscope::engine::record::Why;
use loopscope::engine::workqueue::Added;
use loopscope::engine::{
    Cluster, Fact, Key, Knobs, QueueKind, Record, RecordId, SimDuration, SimTime,
};
use loopscope::frame::View;
use loopscope::session::Session;
use std::collections::BTreeSet;
use world::{DRIVE, Exception, World, orphans, unfulfilled};

/// Invariant 2.
#[test]
fn how_time_is_sliced_never_changes_the_records() {
    DRIVE.always("how_time_is_sliced_never_changes_the_records", |world| {
        let (_, wanted) = world.play(|_, _| Ok(()))?;
        for millis in [1, 7, 16, 33, 1000] {
            let (mut cluster, mut records) = (world.stage(), Vec::new());
            let mut now = SimTime::ZERO;
            // Back-offs of minutes are taken in one step.
            while now < SimTime::from_millis(5000) {
                now = now + SimDuration::from_millis(millis);
                cluster.advance_to(now, &mut records);
                same("the clock", cluster.now(), now)?;
            }
            cluster.advance_to(SimTime(i64::MAX / 2), &mut records);
            same(&format!("slices of {millis} ms"), &records, &wanted)?;
        }
        Ok(())
    });
}

/// Invariant 3.
#[test]
fn a_clone_goes_on_as_the_original_and_looking_changes_nothing() {
    let name = "a_clone_goes_on_as_the_original_and_looking_changes_nothing";
    DRIVE.always(name, |world| {
        let (end, wanted) = world.play(|_, _| Ok(()))?;
        let end = format!("{end:?}");
        let (mut cluster, mut records) = (world.stage(), Vec::new());
        // A snapshot after so many cues; the seed picks the place.
        for _ in 0..world.seed % 97 {
            look_at_everything(&cluster);
            cluster.play_next(&mut records);
        }
        let (mut copy, mut copied) = (cluster.clone(), records.clone());
        while cluster.play_next(&mut records) {
            look_at_everything(&cluster);
        }
        same("the original", &records, &wanted)?;
        same(
            "the original at its end",
            format!("{cluster:?}"),
            end.clone(),
        )?;
        while copy.play_next(&mut copied) {}
        same("the clone", &copied, &wanted)?;
        same("the clone at its end", format!("{copy:?}"), end)
    });
}

fn look_at_everything(cluster: &Cluster) {
    let queue = &cluster.controller().queue;
    let _ = (
        queue.view(),
        queue.metrics(cluster.now()),
        queue.next_wake(),
    );
    let _ = (cluster.next_due(), cluster.store().iter().count());
    let _ = cluster.controller().is_idle();
}

/// Invariant 7, where the cluster is the queue's caller.
#[test]
fn client_go_s_queue_keeps_its_laws_under_the_controller() {
    let name = "client_go_s_queue_keeps_its_laws_under_the_controller";
    DRIVE.always(name, |world| {
        let mut marked: BTreeSet<Key> = BTreeSet::new();
        world.play(|cluster, records| {
            if world.knobs.queue == QueueKind::Channel {
                return Ok(());
            }
            let view = cluster.controller().queue.view();
            let ready: BTreeSet<Key> = view.ready.iter().copied().collect();
            same("keys twice in the queue", ready.len(), view.ready.len())?;
            let hands: Vec<Key> = hands(cluster).collect();
            let held: BTreeSet<Key> = hands.iter().copied().collect();
            same("a key in two hands", held.len(), hands.len())?;
            ensure(ready.is_disjoint(&held), || {
                format!("queued and in hand: {view:?}")
            })?;
            same("processing", view.processing, held.into_iter().collect())?;
            for pair in pairs(records) {
                dirty_comes_back(&mut marked, pair)?;
            }
            same("dirty", view.dirty, marked.iter().copied().collect())
        })?;
        same("marked dirty at the end", marked, BTreeSet::new())
    });
}

fn hands(cluster: &Cluster) -> impl Iterator<Item = Key> {
    let workers = cluster.controller().workers.iter().flatten();
    workers.map(|hand| hand.key)
}

fn pairs(records: &[Record]) -> impl Iterator<Item = (&Fact, Option<&Fact>)> {
    let next = |place: usize| records.get(place + 1).map(|record| &record.fact);
    let facts = records.iter().enumerate();
    facts.map(move |(place, record)| (&record.fact, next(place)))
}

/// A key that is marked dirty in hand is queued again at its `done`, at once.
fn dirty_comes_back(
    marked: &mut BTreeSet<Key>,
    (fact, next): (&Fact, Option<&Fact>),
) -> Result<(), String> {
    match *fact {
        Fact::Enqueued {
            added: Added::Dirty,
            key,
            ..
        } => ensure(marked.insert(key), || format!("{key:?} marked twice")),
        Fact::Enqueued {
            added: Added::MergedDirty,
            key,
            ..
        } => ensure(marked.contains(&key), || {
            format!("{key:?}: no mark to merge into")
        }),
        Fact::Done { key, .. } if marked.remove(&key) => {
            let back = matches!(next, Some(Fact::Enqueued { why: Why::Done, key: back, .. }) if *back == key);
            ensure(back, || {
                format!("{key:?} was dirty, and after Done came {next:?}")
            })
        }
        Fact::ControllerStopped { .. } => {
            marked.clear();
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Invariant 7: nothing is lost but what a stop says it forgot, with any queue.
#[test]
fn every_key_that_was_queued_is_taken_and_every_delay_ends() {
    let name = "every_key_that_was_queued_is_taken_and_every_delay_ends";
    DRIVE.always(name, |world| {
        let (_, records) = world.play(|_, _| Ok(()))?;
        let (mut ready, mut delayed, mut in_hand) = (0, 0, 0);
        for record in &records {
            match record.fact {
                Fact::Enqueued { why, added, .. } => {
                    delayed -= i64::from(why == Why::DelayOver);
                    ready += i64::from(added == Added::Ready);
                    delayed += i64::from(matches!(added, Added::Delayed { .. }));
                }
                Fact::Started { .. } => (ready, in_hand) = (ready - 1, in_hand + 1),
                Fact::Done { .. } => in_hand -= 1,
                Fact::ControllerStopped {
                    ready: r,
                    delayed: d,
                    in_hand: h,
                } => {
                    let forgotten = (i64::from(r), i64::from(d), i64::from(h));
                    same("forgotten", forgotten, (ready, delayed, in_hand))?;
                    (ready, delayed, in_hand) = (0, 0, 0);
                }
                _ => {}
            }
            let holds = ready >= 0 && delayed >= 0 && in_hand >= 0;
            ensure(holds, || format!("taken before it came: {record:?}"))?;
        }
        same(
            "ready, delayed, in hand",
            (ready, delayed, in_hand),
            (0, 0, 0),
        )
    });
}

/// Invariant 7: convergence.
#[test]
fn when_nothing_is_left_to_happen_every_object_is_as_desired() {
    let name = "when_nothing_is_left_to_happen_every_object_is_as_desired";
    DRIVE.always(name, |world| {
        let (cluster, records) = world.play(|_, _| Ok(()))?;
        ensure(cluster.controller().is_idle(), || "not at rest".to_owned())?;
        let exceptions = world.exceptions(&records);
        if exceptions.is_empty() || exceptions == [Exception::Restarted] {
            same("not as desired", unfulfilled(&cluster), vec![])?;
        }
        if exceptions.is_empty() {
            same("orphans", orphans(&cluster), vec![])?;
        }
        Ok(())
    });
}

/// The picture is a fold over the records; it may never tell another story than the cluster.
#[test]
fn the_fold_equals_the_cluster_wherever_a_cue_ends() {
    DRIVE.always("the_fold_equals_the_cluster_wherever_a_cue_ends", |world| {
        let mut view = View::new(world.knobs.workers);
        world.play(|cluster, records| {
            for record in records {
                let before = view.counters.merged;
                view.apply(record);
                merge_is_counted(&view, before, record)?;
            }
            fold_equals(world.knobs.controller, &view, cluster)
        })?;
        Ok(())
    });
}

/// A merge counts once in all, and at the entry that it merged into.
fn merge_is_counted(view: &View, before: u32, record: &Record) -> Result<(), String> {
    let (key, added) = match record.fact {
        Fact::Enqueued { key, added, .. } => (key, added),
        _ => return same("merged", view.counters.merged, before),
    };
    let merges = matches!(added, Added::MergedReady | Added::MergedDirty);
    same("merged", view.counters.merged, before + u32::from(merges))?;
    let entry = view.ready.iter().find(|entry| entry.key == key);
    let counted = entry.is_some_and(|entry| entry.merged > 0);
    ensure(added != Added::MergedReady || counted, || {
        format!("not counted: {record:?}")
    })
}

#[test]
fn every_fact_has_earlier_causes_and_every_reconcile_goes_back_to_a_beginning() {
    let name = "every_fact_has_earlier_causes_and_every_reconcile_goes_back_to_a_beginning";
    DRIVE.always(name, |world| {
        let (_, records) = world.play(|_, _| Ok(()))?;
        in_order(&records)?;
        for record in &records {
            let causes: Vec<RecordId> = record.causes.iter().collect();
            let wanted = match record.fact {
                Fact::Acted { .. } => 0..=0,
                // The first start has no cause; the others follow a stop.
                Fact::ControllerStarted => 0..=1,
                Fact::Enqueued { why, added, .. } => match added {
                    Added::MergedReady | Added::MergedDirty => 2..=2,
                    // Back at Done: for the Done, and for what marked the key dirty.
                    _ if why == Why::Done => 2..=2,
                    _ => 1..=1,
                },
                _ => 1..=1,
            };
            let named = wanted.contains(&causes.len());
            ensure(named, || format!("{} causes: {record:?}", causes.len()))?;
            if let Fact::Started { .. } = record.fact {
                let root = root(&records, record.causes);
                let begins = matches!(root, Some(Fact::Acted { .. } | Fact::ControllerStarted));
                ensure(begins, || format!("{record:?} goes back to {root:?}"))?;
            }
        }
        Ok(())
    });
}

/// What a list answers and that something is gone are said whatever the buffer holds.
#[test]
fn no_list_and_no_deletion_is_ever_dropped() {
    DRIVE.always("no_list_and_no_deletion_is_ever_dropped", |world| {
        let (_, records) = world.play(|_, _| Ok(()))?;
        for record in &records {
            if let Fact::Dropped { event, .. } = record.fact {
                let cause = record
                    .causes
                    .iter()
                    .next()
                    .map(|id| &records[id as usize].fact);
                let written = matches!(cause, Some(Fact::Written { .. }));
                ensure(written && event != EventType::Deleted, || {
                    format!("{record:?}")
                })?;
            }
        }
        Ok(())
    });
}

#[test]
fn sometimes_work_is_lost_by_each_of_the_named_exceptions() {
    let mut missing = BTreeSet::from([
        Exception::EventDropped,
        Exception::ChannelFull,
        Exception::ChannelShared,
        Exception::LossUnwatched,
        Exception::Restarted,
    ]);
    DRIVE.until_seen(200_000, |world| {
        let (cluster, records) = world.play(|_, _| Ok(())).expect("comes to rest");
        if let [only] = world.exceptions(&records)[..] {
            let lost = match only {
                Exception::Restarted => !orphans(&cluster).is_empty(),
                _ => !unfulfilled(&cluster).is_empty(),
            };
            if lost {
                missing.remove(&only);
            }
        }
        missing.is_empty()
    });
    assert!(missing.is_empty(), "never lost work: {missing:?}");
}

#[test]
fn sometimes_each_interesting_place_is_reached() {
    let mut missing = BTreeSet::from([
        "a key is marked dirty in hand",
        "an event merges into a dirty mark",
        "an event merges into a queued key",
        "the bucket is empty and a retry waits longer for it",
        "a waiting deadline is moved forward",
        "a later deadline is not needed",
        "a delayed key is overtaken by an event",
        "two workers hold one key of the plain channel",
        "a failure is forgotten",
        "an upgrade fails and the next one succeeds",
        "a controller is stopped with a key in hand",
        "a write is refused",
        "a write changes nothing",
    ]);
    DRIVE.until_seen(5_000, |world| {
        let mut view = View::new(world.knobs.workers);
        let played = world.play(|_, records| {
            for record in records {
                if let Some(seen) = place(&world, &view, record) {
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

/// The interesting place that `record` is, after what `view` shows.
fn place(world: &World, view: &View, record: &Record) -> Option<&'static str> {
    Some(match record.fact {
        Fact::Enqueued { why, added, .. } => match added {
            Added::Dirty => "a key is marked dirty in hand",
            Added::MergedDirty => "an event merges into a dirty mark",
            Added::MergedReady => "an event merges into a queued key",
            Added::DelayedEarlier { .. } => "a waiting deadline is moved forward",
            Added::DelayKept { .. } => "a later deadline is not needed",
            Added::Delayed { until } if why == Why::Retry => {
                waits_for_bucket(&world.knobs, until - record.at)
                    .then_some("the bucket is empty and a retry waits longer for it")?
            }
            _ => return None,
        },
        Fact::Started { key, .. } => {
            if view.hands.iter().flatten().any(|hand| hand.key == key) {
                "two workers hold one key of the plain channel"
            } else if view.delayed.iter().any(|delay| delay.key == key) {
                "a delayed key is overtaken by an event"
            } else {
                return None;
            }
        }
        Fact::Forgot { .. } => "a failure is forgotten",
        Fact::ActionDone { key, action, .. } if !action.takes_no_time() => {
            let pods = view.actual.get(&key)?;
            let retried = view.counters.retries > 0 && pods.upgrading.is_some();
            retried.then_some("an upgrade fails and the next one succeeds")?
        }
        Fact::ControllerStopped { in_hand: 1.., .. } => {
            "a controller is stopped with a key in hand"
        }
        Fact::Refused { .. } => "a write is refused",
        Fact::Unchanged { .. } => "a write changes nothing",
        _ => return None,
    })
}

/// Is `wait` no power of two times the base of the exponential limiter beside the bucket?
fn waits_for_bucket(knobs: &Knobs, wait: SimDuration) -> bool {
    let base = SimDuration::from_millis(5).0;
    let both = format!("{:?}", knobs.limiter);
    let both = both.contains("Exponential") && both.contains("Bucket");
    let by_failures = wait.0 % base == 0 && (wait.0 / base).count_ones() == 1;
    knobs.queue == QueueKind::ClientGo && both && !by_failures
}

/// A failing case is printed with its link; the terminal shows what the link tells.
#[test]
fn a_world_with_the_scene_s_script_is_the_same_run_as_a_link() {
    let mut seen = 0;
    DRIVE.until_seen(60, |world| {
        if world.scene.is_some() {
            let link = world
                .link()
                .unwrap_or_else(|why| panic!("{why}: {world:#?}"));
            let session = Session::open(link);
            let (_, records) = world.play(|_, _| Ok(())).expect("comes to rest");
            let told: Vec<_> = session.past().collect();
            // A session leaves a run that would go on for ever earlier, or later.
            let both = told.len().min(records.len());
            assert!(both > 10, "{world:#?}");
            assert_eq!(told[..both], records[..both], "{world:#?}");
            seen += 1;
        }
        seen == 20
    });
    assert_eq!(seen, 20);
}
