//! Laws that hold in every run of the config map controller, tried on random worlds; and proof that
//! each named exception really leaves something wrong.

#[path = "laws/mod.rs"]
mod laws;
#[path = "config_worlds/world.rs"]
mod world;

use laws::{ensure, fold_equals, in_order, root, same};
use loopscope::engine::record::Why;
use loopscope::engine::workqueue::Added;
use loopscope::engine::{Fact, Record, RecordId, SimDuration, SimTime};
use loopscope::frame::{Parcel, View};
use loopscope::session::Session;
use std::collections::BTreeSet;
use world::{DRIVE, Exception, unlabelled};

#[test]
fn how_time_is_sliced_never_changes_the_records() {
    let name = "how_time_is_sliced_never_changes_the_records";
    DRIVE.always(name, |world| {
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
    DRIVE.always("a_clone_goes_on_as_the_original", |world| {
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
    DRIVE.always(name, |world| {
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
    DRIVE.always(name, |world| {
        let mut view = View::new(world.knobs.workers);
        world.play(|cluster, records| {
            records.iter().for_each(|record| view.apply(record));
            fold_equals(world.knobs.controller, &view, cluster)
        })?;
        Ok(())
    });
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

#[test]
fn events_arrive_in_the_order_of_their_revisions_and_none_twice_on_one_stream() {
    let name = "events_arrive_in_the_order_of_their_revisions_and_none_twice_on_one_stream";
    DRIVE.always(name, |world| {
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
        Exception::ChannelFull,
    ]);
    DRIVE.until_seen(5_000, |world| {
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
    DRIVE.until_seen(3_000, |world| {
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
