//! Breakpoints on the sections of reconcile, and what a run comes to.

use loopscope::engine::controller::Section;
use loopscope::engine::{Fact, Knobs, QueueKind, SimDuration, Stimulus};
use loopscope::scene::{CONTROL_LOOP, PRODUCTION};
use loopscope::session::{Command, Direction, Link, Session, Stop, Stride};

const NEXT: Command = Command::Step(Stride::Beat, Direction::Forward);

fn settle(session: &mut Session) {
    for _ in 0..60 * 600 {
        if !session.is_playing() {
            return;
        }
        session.advance(1000.0 / 60.0);
    }
    panic!("still playing after ten minutes");
}

/// The stop is where the section has just begun, its dwell over and none of it done.
fn assert_stands_at(session: &Session, section: Section) {
    let playhead = session.playhead();
    let latest = &session
        .run()
        .record_before(playhead.applied)
        .expect("a fact");
    assert!(matches!(latest.fact, Fact::SectionStarted { section: begun, .. } if begun == section));
    assert_eq!(playhead.time, latest.at.0 as f64);
    assert_eq!(playhead.share, 1.0);
    assert_eq!(session.stopped_at(), Some(section));
}

#[test]
fn playing_stops_at_each_beginning_of_the_section() {
    let mut session = Session::opening(&CONTROL_LOOP);
    session.apply(Command::Breakpoint(Section::Observe, true));
    let mut stops = 0;
    loop {
        session.apply(Command::Play(Direction::Forward));
        settle(&mut session);
        if session.is_at_end() {
            break;
        }
        assert_stands_at(&session, Section::Observe);
        stops += 1;
    }
    // Twelve reconciles; the one after the deletion has nothing to observe.
    assert_eq!(stops, 11);
}

#[test]
fn how_time_is_sliced_does_not_change_the_stops() {
    let places = |slice: f64| {
        let mut session = Session::opening(&CONTROL_LOOP);
        session.apply(Command::Breakpoint(Section::Act, true));
        let mut places = Vec::new();
        while !session.is_at_end() {
            session.apply(Command::Play(Direction::Forward));
            while session.is_playing() {
                session.advance(slice);
            }
            places.push(session.story());
        }
        places
    };
    let fine = places(7.0);
    assert_eq!(places(33.0), fine);
    assert_eq!(places(1000.0), fine);
    assert_eq!(places(1e6), fine);
}

#[test]
fn a_breakpoint_stops_a_step_and_next_step_goes_on_with_it() {
    let mut free = Session::opening(&CONTROL_LOOP);
    let mut halted = Session::opening(&CONTROL_LOOP);
    halted.apply(Command::Breakpoint(Section::Fetch, true));
    let mut stops = 0;
    while free.has_step(Direction::Forward) {
        free.apply(NEXT);
        settle(&mut free);
        halted.apply(NEXT);
        settle(&mut halted);
        while halted.stopped_at().is_some() && halted.story() < free.story() {
            assert_stands_at(&halted, Section::Fetch);
            stops += 1;
            halted.apply(NEXT);
            settle(&mut halted);
        }
        assert_eq!((halted.scene(), halted.step()), (free.scene(), free.step()));
        let missing = free.steps()[free.step()].stop == Stop::Nowhere;
        assert!(missing || halted.story() == free.story());
    }
    assert!(stops >= 10, "{stops}");
}

#[test]
fn an_impatient_click_does_not_jump_over_a_breakpoint() {
    let mut session = Session::opening(&CONTROL_LOOP);
    session.apply(Command::Breakpoint(Section::Observe, true));
    let mut stops = 0;
    for _ in 0..150 {
        session.apply(NEXT);
        if session.stopped_at().is_some() {
            assert_stands_at(&session, Section::Observe);
            stops += 1;
        }
    }
    assert!(stops >= 10, "{stops}");
}

#[test]
fn going_back_and_a_removed_breakpoint_stop_nothing() {
    let mut session = Session::opening(&CONTROL_LOOP);
    session.apply(Command::Breakpoint(Section::Observe, true));
    session.apply(Command::Seek(30_000.0));
    assert_eq!(session.stopped_at(), None);
    session.apply(Command::Play(Direction::Back));
    settle(&mut session);
    assert_eq!(session.story(), 0.0);
    session.apply(Command::Breakpoint(Section::Observe, false));
    assert!(session.breakpoints().is_empty());
    session.apply(Command::Play(Direction::Forward));
    settle(&mut session);
    assert!(session.is_at_end());
}

#[test]
fn acting_after_an_interrupted_step_forgets_the_step() {
    let mut session = Session::opening(&CONTROL_LOOP);
    session.apply(Command::Breakpoint(Section::Observe, true));
    while session.stopped_at().is_none() {
        session.apply(NEXT);
        settle(&mut session);
    }
    session.apply(Command::Do(Stimulus::Scale {
        key: PRODUCTION.into(),
        replicas: 2,
    }));
    settle(&mut session);
    let story = session.story();
    session.apply(NEXT);
    settle(&mut session);
    assert!(session.story() > story, "the story goes forward");
}

#[test]
fn the_outlook_says_what_a_change_of_knobs_changed() {
    let mut session = Session::opening(&CONTROL_LOOP);
    assert_eq!(session.before(), None);
    let before = session.outlook();
    assert!(before.rests);
    assert_eq!(
        (before.counters.reconciles, before.counters.merged),
        (12, 7)
    );
    session.apply(Command::Queue(QueueKind::Channel));
    assert_eq!(session.before(), Some(before));
    assert_eq!(session.outlook().counters.reconciles, 19);
    session.apply(Command::Undo);
    assert_eq!(session.outlook(), before);
    assert_eq!(session.before().unwrap().counters.reconciles, 19);
    session.apply(Command::Do(Stimulus::RestartController));
    assert_eq!(
        session.before(),
        None,
        "another stimulus is another comparison"
    );
}

#[test]
fn observing_as_fast_as_events_come_makes_deduplication_pay_nothing() {
    let mut session = Session::opening(&CONTROL_LOOP);
    let knobs = Knobs {
        observe_time: SimDuration::from_millis(20),
        ..Knobs::clone(session.knobs())
    };
    session.apply(Command::Knobs(Box::new(knobs)));
    assert_eq!(session.outlook().counters.reconciles, 19);
}

#[test]
fn a_run_that_never_rests_is_followed_for_an_hour() {
    let mut session = Session::opening(&CONTROL_LOOP);
    let knobs = Knobs {
        upgrade_failure_permille: 1000,
        failing_upgrades: None,
        ..Knobs::clone(session.knobs())
    };
    session.apply(Command::Knobs(Box::new(knobs)));
    let outlook = session.outlook();
    assert!(!outlook.rests);
    assert!(outlook.whole);
    assert!(outlook.end.as_secs_f64() <= 3600.0 && outlook.counters.retries > 10);
}

#[test]
fn what_a_run_comes_to_does_not_depend_on_how_far_it_was_played() {
    let way = "1/control-loop/6?limiter=exponential:1ms:1ms&chance=1000";
    let fresh = Session::open(Link::parse(way).expect(way));
    let outlook = fresh.outlook();
    assert!(!outlook.whole && !outlook.rests);
    for facts in [20_000, 49_999, 50_001, 70_000] {
        let mut played = Session::open(Link::parse(way).expect(way));
        while played.run().played() < facts {
            played.apply(Command::Seek(f64::MAX));
            played.apply(Command::Step(Stride::Fact, Direction::Forward));
        }
        assert_eq!(played.outlook(), outlook);
    }
}
