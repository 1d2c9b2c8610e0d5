//! The metrics at a cursor are those of the cluster's own queue.

#[allow(dead_code, reason = "shared with the properties, which use all of it")]
#[path = "properties/world.rs"]
mod world;

use loopscope::engine::{Cluster, Fact, Preset, QueueKind, Record, SimDuration, SimTime};
use loopscope::frame::Meter;
use loopscope::scene::{CONTROL_LOOP, DEFAULT_SEED};
use loopscope::session::{Command, Session};
use std::rc::Rc;

/// Fold each cue's records, and look at both queues now and until the next cue.
fn compare(cluster: &Cluster, meter: &mut Option<Meter>, fresh: &[Record]) -> Result<(), String> {
    let queue = &cluster.controller().queue;
    let Some(meter) = meter else {
        let measured = queue.metrics(cluster.now()).is_some();
        return (!measured).then_some(()).ok_or("not folded".into());
    };
    for record in fresh {
        meter.apply(record);
    }
    let now = cluster.now();
    let later = [0, 1, 499, 500, 1300].map(|millis| now + SimDuration::from_millis(millis));
    for now in later {
        let (folded, own) = (meter.read(now), queue.metrics(now));
        if Some(&folded) != own.as_ref() {
            return Err(format!(
                "at {now:?}: folded {folded:#?}, the queue's {own:#?}"
            ));
        }
    }
    Ok(())
}

#[test]
fn the_fold_equals_the_queue_at_every_cue_of_the_six_scenes() {
    for preset in Preset::ALL {
        for seed in [DEFAULT_SEED, 1, 2, 7] {
            let knobs = Rc::new(preset.knobs());
            let mut cluster = CONTROL_LOOP.stage(&knobs, seed);
            let (mut meter, mut records) = (Meter::new(&knobs), Vec::new());
            while cluster.play_next(&mut records) {
                compare(&cluster, &mut meter, &records).unwrap();
                records.clear();
            }
        }
    }
}

#[test]
fn the_fold_equals_the_queue_at_every_cue_of_random_runs() {
    let mut restarts = 0;
    world::DRIVE.until_seen(400, |world| {
        let mut meter = Meter::new(&world.knobs);
        let played = world.play(|cluster, fresh| compare(cluster, &mut meter, fresh));
        let (_, records) = played.unwrap_or_else(|why| panic!("{why}\n{world:#?}"));
        let stopped = |record: &Record| matches!(record.fact, Fact::ControllerStopped { .. });
        restarts += records.iter().filter(|record| stopped(record)).count();
        false
    });
    assert!(restarts > 50, "restarts are among them: {restarts}");
}

#[test]
fn a_clean_run_has_four_retries_and_a_dirty_key_in_hand_counts_as_depth() {
    let mut session = Session::opening(&CONTROL_LOOP);
    session.apply(Command::Seek(1e9));
    let metrics = session.metrics().unwrap();
    assert_eq!((metrics.retries_total, metrics.depth), (4, 0));
    assert_eq!(metrics.adds_total, metrics.work_duration.count());

    let dirty = session.run().records().iter().position(|record| {
        let at = record.at - SimTime::ZERO;
        matches!(record.fact, Fact::Enqueued { .. }) && at > SimDuration::from_millis(5200)
    });
    let place = session.tempo().after(dirty.unwrap() as u32 + 1);
    session.apply(Command::Seek(place));
    let view = &session.picture().view;
    assert!(view.ready.is_empty() && view.hands[0].as_ref().unwrap().dirty.is_some());
    assert_eq!(session.metrics().unwrap().depth, 1);
}

#[test]
fn the_metrics_are_the_same_whichever_way_the_cursor_came() {
    let mut session = Session::opening(&CONTROL_LOOP);
    let end = session.tempo().end();
    for place in [0.93, 0.1, 0.5, 0.4999, 0.75, 0.0, 1.0, 0.3] {
        session.apply(Command::Seek(end * place));
        let playhead = session.playhead();
        let mut meter = Meter::new(session.knobs()).unwrap();
        for record in session.run().facts(..playhead.applied as usize) {
            meter.apply(&record);
        }
        let now = SimTime(playhead.time as i64);
        assert_eq!(session.metrics(), Some(meter.read(now)));
    }
}

#[test]
fn a_plain_channel_has_no_metrics() {
    let mut session = Session::opening(&CONTROL_LOOP);
    session.apply(Command::Queue(QueueKind::Channel));
    session.apply(Command::Seek(20_000.0));
    assert_eq!(session.metrics(), None);
}
