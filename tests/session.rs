//! The session: walking the story, acting, going back.

use loopscope::engine::{Actor, Fact, Knobs, Preset, QueueKind, Stimulus};
use loopscope::frame::View;
use loopscope::scene::{CONTROL_LOOP, DEFAULT_SEED, PRODUCTION};
use loopscope::session::{Command, Direction, Link, Pace, Session, Step, Stop, Stride, Telling};

const NEXT: Command = Command::Step(Stride::Beat, Direction::Forward);
const BACK: Command = Command::Step(Stride::Beat, Direction::Back);

fn session(queue: QueueKind) -> Session {
    let mut session = Session::opening(&CONTROL_LOOP);
    session.apply(Command::Queue(queue));
    session
}

/// Let it play until it stands still, in frames of 1/60 s.
fn settle(session: &mut Session) {
    let mut frames = 0;
    while session.is_playing() {
        session.advance(1000.0 / 60.0);
        frames += 1;
        assert!(frames < 60 * 600, "still playing after ten minutes");
    }
}

/// Walk on to the end, and say what was told.
fn walk(session: &mut Session) -> Vec<(usize, Step)> {
    let mut told = vec![(session.scene(), session.steps()[session.step()])];
    while session.has_step(Direction::Forward) {
        session.apply(NEXT);
        settle(session);
        told.push((session.scene(), session.steps()[session.step()]));
    }
    told
}

#[test]
fn next_step_walks_all_six_scenes_to_12_and_to_19() {
    for (queue, reconciles) in [(QueueKind::ClientGo, 12), (QueueKind::Channel, 19)] {
        let mut session = session(queue);
        let told = walk(&mut session);
        assert!(
            told.iter().all(|(_, step)| step.stop != Stop::Nowhere),
            "{told:#?}"
        );
        let scenes: Vec<usize> = told.iter().map(|(scene, _)| *scene).collect();
        assert!(scenes.is_sorted() && scenes.first() == Some(&0) && scenes.last() == Some(&5));
        let counters = session.picture().view.counters;
        assert_eq!((counters.reconciles, counters.revision), (reconciles, 15));
        assert_eq!(counters.retries, 0, "the failure was in the variant only");
        assert!(session.picture().view.at_rest);
    }
}

#[test]
fn each_step_stands_where_its_fact_has_just_happened() {
    let mut session = session(QueueKind::ClientGo);
    while session.has_step(Direction::Forward) {
        session.apply(NEXT);
        settle(&mut session);
        let step = session.steps()[session.step()];
        if let Stop::After(fact) = step.stop {
            assert_eq!(
                session.playhead().applied,
                fact + 1,
                "{}",
                step.beat.caption
            );
            assert_eq!(session.playhead().share, 1.0);
        }
    }
}

#[test]
fn clicking_faster_than_it_plays_ends_in_the_same_place() {
    let mut patient = session(QueueKind::ClientGo);
    let steps = walk(&mut patient).len();
    let mut hasty = session(QueueKind::ClientGo);
    for click in 1..steps {
        hasty.advance((click % 3) as f64);
        hasty.apply(NEXT);
    }
    settle(&mut hasty);
    assert_eq!(hasty.picture(), patient.picture());
    assert_eq!(
        (hasty.scene(), hasty.step()),
        (patient.scene(), patient.step())
    );
}

#[test]
fn back_goes_the_same_way_to_the_beginning() {
    let mut session = session(QueueKind::ClientGo);
    let mut pictures = vec![session.picture().view.as_ref().clone()];
    while session.has_step(Direction::Forward) {
        session.apply(NEXT);
        settle(&mut session);
        pictures.push(session.picture().view.as_ref().clone());
    }
    while session.has_step(Direction::Back) {
        pictures.pop();
        session.apply(BACK);
        assert_eq!(Some(&*session.picture().view), pictures.last());
    }
    assert_eq!((session.scene(), session.step(), pictures.len()), (0, 0, 1));
}

#[test]
fn the_variant_of_scene_three_shows_an_error_become_a_retry() {
    for (queue, waits_ms) in [(QueueKind::ClientGo, 5), (QueueKind::Channel, 2000)] {
        let mut session = session(queue);
        session.apply(Command::Scene(2));
        let variant = |session: &Session| session.telling() == Telling::Variant;
        while !variant(&session) {
            session.apply(NEXT);
            settle(&mut session);
        }
        while session.scene() == 2 && session.step() + 1 < session.steps().len() {
            session.apply(NEXT);
            settle(&mut session);
        }
        let view = &session.picture().view;
        assert_eq!(view.counters.retries, 1);
        assert!(view.at_rest);
        let records = session.run().records();
        let failed = records
            .iter()
            .find(|r| matches!(r.fact, Fact::ActionFailed { .. }));
        let again = records
            .iter()
            .rfind(|r| matches!(r.fact, Fact::ActionStarted { .. }));
        let wait = again.unwrap().at - failed.unwrap().at;
        assert!(wait.as_millis_f64() >= waits_ms as f64);
        session.apply(NEXT);
        assert_eq!((session.scene(), session.telling()), (3, Telling::Main));
    }
}

#[test]
fn changing_the_queue_replays_up_to_the_current_scene_and_changes_nothing_else() {
    let mut session = session(QueueKind::ClientGo);
    session.apply(Command::Scene(3));
    let before = session.knobs().clone();
    session.apply(Command::Queue(QueueKind::Channel));
    assert_eq!((session.scene(), session.step()), (3, 0));
    let mut after = (**session.knobs()).clone();
    after.queue = QueueKind::ClientGo;
    assert_eq!(after, *before);
}

#[test]
fn the_picture_is_the_same_whichever_way_the_cursor_came() {
    let mut session = session(QueueKind::ClientGo);
    let end = session.tempo().end();
    for place in [0.93, 0.1, 0.5, 0.4999, 0.75, 0.0, 1.0, 0.3] {
        session.apply(Command::Seek(end * place));
        let applied = session.playhead().applied;
        let mut view = View::new(session.knobs().workers);
        for record in session.run().facts(..applied as usize) {
            view.apply(&record);
        }
        assert_eq!(*session.picture().view, view);
    }
}

#[test]
fn playing_backwards_and_forwards_again_changes_nothing() {
    let mut session = session(QueueKind::ClientGo);
    session.apply(Command::Seek(20_000.0));
    let (records, picture) = (session.run().records(), session.picture().clone());
    session.apply(Command::Play(Direction::Back));
    for _ in 0..300 {
        session.advance(16.0);
    }
    assert!(session.playhead().applied < picture.view.applied);
    session.apply(Command::Seek(20_000.0));
    assert_eq!(session.run().records(), records);
    assert_eq!(session.picture(), &picture);
}

#[test]
fn an_act_is_the_very_next_thing_that_happens() {
    let mut session = session(QueueKind::ClientGo);
    session.apply(Command::Scene(3));
    for place in 1..60 {
        session.apply(Command::Step(Stride::Fact, Direction::Forward));
        settle(&mut session);
        let applied = session.playhead().applied;
        session.apply(Command::Do(Stimulus::KillReplica {
            key: PRODUCTION.into(),
        }));
        let acted = session.run().records()[applied as usize..]
            .iter()
            .position(|record| matches!(record.fact, Fact::Acted { .. }));
        // Facts of a cue that has begun still belong together.
        assert!(
            acted.is_some_and(|gap| gap < 8),
            "at step {place}: {acted:?}"
        );
        session.apply(Command::Undo);
        assert_eq!(session.playhead().applied, applied);
    }
}

#[test]
fn acting_in_the_past_drops_later_acts_and_undo_brings_them_back() {
    let mut session = session(QueueKind::ClientGo);
    session.apply(Command::Scene(2));
    let scale = |replicas| Stimulus::Scale {
        key: PRODUCTION.into(),
        replicas,
    };
    session.apply(Command::Do(scale(7)));
    settle(&mut session);
    session.apply(Command::Scene(1));
    assert_eq!(session.would_drop(), 1);
    let before = session.run().records();
    session.apply(Command::Do(scale(9)));
    settle(&mut session);
    assert_eq!(session.run().stimuli().len(), 1);
    session.apply(Command::Undo);
    assert_eq!(session.run().records(), before);
    assert_eq!(session.would_drop(), 1);
    session.apply(Command::Redo);
    assert_eq!(session.run().stimuli().len(), 1);
}

#[test]
fn acts_between_two_frames_all_happen_and_each_is_taken_back_by_itself() {
    let mut session = session(QueueKind::ClientGo);
    session.apply(Command::Scene(1));
    for replicas in [4, 5, 6] {
        let key = PRODUCTION.into();
        session.apply(Command::Do(Stimulus::Scale { key, replicas }));
    }
    assert_eq!(session.run().stimuli().len(), 3);
    settle(&mut session);
    let scaled = |session: &Session| {
        let seen = session.picture().view.applied as usize;
        let records = &session.run().records()[..seen];
        let own = records.iter().filter(|record| match record.fact {
            Fact::Acted { actor, .. } => actor == Actor::Visitor,
            _ => false,
        });
        own.count()
    };
    assert_eq!(scaled(&session), 3);
    for left in [2, 1, 0] {
        session.apply(Command::Undo);
        assert_eq!(session.run().stimuli().len(), left);
    }
    let scale = |replicas| {
        let key = PRODUCTION.into();
        Command::Do(Stimulus::Scale { key, replicas })
    };
    session.apply(scale(7));
    let before = (session.story(), session.picture().clone());
    session.apply(scale(8));
    session.apply(Command::Undo);
    assert_eq!((session.story(), session.picture().clone()), before);
}

#[test]
fn a_missing_fact_is_said_and_the_next_step_goes_on() {
    let mut session = session(QueueKind::ClientGo);
    session.apply(Command::Scene(5));
    // Without the object there is nothing to delete.
    session.apply(Command::Scene(4));
    let key = loopscope::scene::STAGING;
    session.apply(NEXT);
    settle(&mut session);
    session.apply(Command::Do(Stimulus::Delete { key: key.into() }));
    settle(&mut session);
    session.apply(Command::Scene(5));
    assert!(
        session
            .steps()
            .iter()
            .any(|step| step.stop == Stop::Nowhere)
    );
    while session.has_step(Direction::Forward) {
        session.apply(NEXT);
        settle(&mut session);
    }
}

#[test]
fn true_time_is_proportional_and_keeps_the_cursor() {
    let mut session = session(QueueKind::ClientGo);
    session.apply(Command::Seek(30_000.0));
    let before = session.playhead();
    session.apply(Command::Pace(Pace::TrueTime));
    let after = session.playhead();
    assert_eq!(before.applied, after.applied);
    assert!((before.time - after.time).abs() < 1000.0);
    let (story, time) = (session.story(), after.time);
    session.apply(Command::Seek(story + 700.0));
    let passed = session.playhead().time - time;
    assert!((passed / 1e6 - 700.0).abs() < 1.0, "{passed}");
}

#[test]
fn every_preset_opens_paused_on_the_first_beat() {
    for preset in Preset::ALL {
        let session = Session::new(&CONTROL_LOOP, preset.knobs(), DEFAULT_SEED);
        assert!(!session.is_playing());
        assert_eq!((session.scene(), session.step()), (0, 0));
    }
}

#[test]
fn two_runs_that_differ_in_the_queue_are_19_against_12_on_one_clock() {
    let mut session = session(QueueKind::ClientGo);
    let mut other = (**session.knobs()).clone();
    other.queue = QueueKind::Channel;
    session.apply(Command::Compare(Some(Box::new(other))));
    let told = walk(&mut session);
    assert!(told.len() > 20);
    session.apply(Command::Seek(f64::MAX));
    let (_, beside) = session.beside().expect("two runs are compared");
    assert_eq!(session.picture().view.counters.reconciles, 12);
    assert_eq!(beside.view.counters.reconciles, 19);
}

#[test]
fn on_one_clock_neither_run_is_ever_ahead() {
    let mut session = session(QueueKind::ClientGo);
    let mut other = (**session.knobs()).clone();
    other.queue = QueueKind::Channel;
    session.apply(Command::Compare(Some(Box::new(other))));
    let end = session.tempo().end();
    for place in 0..400 {
        session.apply(Command::Seek(end * f64::from(place) / 400.0));
        let playhead = session.playhead();
        let (run, picture) = session.beside().unwrap();
        assert_eq!(picture.view.applied, playhead.beside);
        for (records, applied) in [
            (session.run().records(), playhead.applied as usize),
            (run.records(), playhead.beside as usize),
        ] {
            let time = playhead.time;
            assert!(
                records[..applied]
                    .iter()
                    .all(|record| record.at.0 as f64 <= time)
            );
            assert!(
                records[applied..]
                    .iter()
                    .all(|record| record.at.0 as f64 >= time)
            );
        }
    }
}

#[test]
fn playing_starts_from_the_very_beginning_though_the_first_frame_takes_no_time() {
    let mut session = session(QueueKind::ClientGo);
    session.apply(Command::Seek(0.0));
    session.apply(Command::Play(Direction::Forward));
    session.advance(0.0);
    assert!(session.is_playing());
    session.advance(50.0);
    assert!(session.story() > 0.0);
}

#[test]
fn an_act_in_the_middle_of_a_step_happens_at_the_moment_that_was_seen() {
    let mut session = session(QueueKind::ClientGo);
    session.apply(Command::Scene(1));
    session.apply(NEXT);
    session.advance(50.0);
    let seen = session.playhead();
    let key = PRODUCTION.into();
    session.apply(Command::Do(Stimulus::Scale { key, replicas: 4 }));
    let placed = session.run().stimuli()[0].clone();
    assert!((placed.at.0 as f64 - seen.time).abs() < 1000.0);
    let again = Stimulus::Delete {
        key: PRODUCTION.into(),
    };
    session.advance(30.0);
    let (seen, story) = (session.playhead(), session.story());
    session.apply(Command::Do(again));
    assert!(session.story() - story < 5000.0 && session.playhead().time - seen.time < 1e9);
}

#[test]
fn the_consequence_of_an_act_ends_before_the_script_goes_on() {
    for stimulus in [
        Stimulus::FailNextUpgrade,
        Stimulus::Delete {
            key: PRODUCTION.into(),
        },
        Stimulus::RestartController,
    ] {
        let mut session = session(QueueKind::ClientGo);
        session.apply(Command::Scene(1));
        session.apply(Command::Do(stimulus.clone()));
        settle(&mut session);
        let applied = session.playhead().applied as usize;
        let writes = session.run().facts(..applied);
        let scripted = writes.filter(|record| {
            matches!(
                record.fact,
                Fact::Acted {
                    actor: Actor::Script,
                    ..
                }
            )
        });
        assert!(
            scripted.count() <= 2,
            "{stimulus:?} played on into the next scenes"
        );
    }
}

#[test]
fn playing_backwards_in_the_variant_stops_where_its_scene_begins() {
    let mut session = session(QueueKind::ClientGo);
    session.apply(Command::Scene(2));
    while session.telling() == Telling::Main {
        session.apply(NEXT);
        settle(&mut session);
    }
    session.apply(NEXT);
    settle(&mut session);
    session.apply(Command::Play(Direction::Back));
    settle(&mut session);
    assert_eq!((session.scene(), session.telling()), (2, Telling::Variant));
    assert!((session.playhead().time - 3.1e9).abs() < 1e3);
}

#[test]
fn two_runs_stay_different_where_the_queue_is_changed_meanwhile() {
    let mut session = session(QueueKind::ClientGo);
    let mut other = (**session.knobs()).clone();
    other.queue = QueueKind::Channel;
    session.apply(Command::Compare(Some(Box::new(other))));
    session.apply(Command::Queue(QueueKind::Channel));
    let (beside, _) = session.beside().expect("still compared");
    assert_eq!(beside.origin().knobs.queue, QueueKind::ClientGo);
    let mut slower = (**session.knobs()).clone();
    slower.workers = 3;
    session.apply(Command::Knobs(Box::new(slower)));
    let (beside, _) = session.beside().expect("still compared");
    assert_eq!(beside.origin().knobs.workers, 3);
    assert_eq!(beside.origin().knobs.queue, QueueKind::ClientGo);
}

#[test]
fn putting_a_run_beside_and_taking_it_away_leaves_the_clock_where_it_is() {
    let mut session = session(QueueKind::ClientGo);
    let mut other = (**session.knobs()).clone();
    other.queue = QueueKind::Channel;
    for scene in 0..6 {
        session.apply(Command::Scene(scene));
        for _ in 0..3 {
            let before = session.playhead();
            session.apply(Command::Compare(Some(Box::new(other.clone()))));
            let beside = session.playhead();
            session.apply(Command::Compare(None));
            let after = session.playhead();
            for now in [beside, after] {
                assert_eq!(now.applied, before.applied);
                assert!(
                    (now.time - before.time).abs() < 1000.0,
                    "{before:?} {now:?}"
                );
            }
            session.apply(NEXT);
            settle(&mut session);
        }
    }
}

#[test]
fn acting_beside_another_run_leaves_the_clock_where_it_is() {
    for way in [
        "1/control-loop/4?beside-queue=channel",
        "1/control-loop/4?beside-observe=500ms",
        "1/configmap/7?beside-workers=8&beside-owns=no",
    ] {
        for place in 0..200 {
            let mut session = Session::open(Link::parse(way).expect(way));
            session.apply(Command::Seek(
                session.tempo().end() * f64::from(place) / 200.0,
            ));
            let before = session.playhead();
            session.apply(Command::Do(Stimulus::RestartController));
            let after = session.playhead();
            assert!(
                (before.time - after.time).abs() < 1000.0,
                "{way}: {before:?} {after:?}"
            );
        }
    }
}

#[test]
fn undo_takes_back_the_knobs_of_both_runs() {
    for way in [
        "1/control-loop/4?beside-queue=channel",
        "1/control-loop/4?beside-observe=500ms",
    ] {
        let mut session = Session::open(Link::parse(way).expect(way));
        let before = session.link().to_string();
        let knobs = Knobs::clone(session.knobs());
        for command in [
            Command::Queue(QueueKind::Channel),
            Command::Knobs(Box::new(Knobs {
                workers: 3,
                ..knobs
            })),
        ] {
            session.apply(command);
            let turned = session.link().to_string();
            assert_ne!(turned, before);
            session.apply(Command::Undo);
            assert_eq!(session.link().to_string(), before);
            session.apply(Command::Redo);
            assert_eq!(session.link().to_string(), turned);
            session.apply(Command::Undo);
        }
    }
}

/// Links whose runs end, go on for long, have another run beside that is over later or never, or tell a variant.
const WAYS: [&str; 9] = [
    "1/control-loop/3?beside-limiter=exponential:1ms:1ms&beside-chance=1000&beside-upgrade=0ns",
    "1/control-loop/4",
    "1/control-loop/4?beside-observe=500ms",
    "1/control-loop/4?beside-queue=channel",
    "1/control-loop/6?queue=channel&beside-queue=client-go",
    "1/control-loop/3?variant-at=1.705s.42",
    "1/control-loop/6?do=60s:create:production-postgres:1:15.4,90s:burst:production-postgres:500:20ms,120s:burst:production-postgres:500:20ms,150s:burst:production-postgres:500:20ms",
    "1/configmap/7?gap=0ms&beside-workers=8&beside-owns=no&do=1s.43:close&at=30.01s.103.103",
    "1/configmap/4?variant-at=0.02s.6",
];

#[test]
fn forwards_never_goes_back_and_backwards_never_forward() {
    for way in WAYS {
        let link = Link::parse(way).expect(way);
        for share in [0.0, 0.03, 0.2, 0.5, 0.8, 0.97, 1.0] {
            let mut session = Session::open(link.clone());
            for command in [
                Command::Step(Stride::Fact, Direction::Forward),
                Command::Step(Stride::Reconcile, Direction::Forward),
                Command::Play(Direction::Forward),
                Command::Step(Stride::Fact, Direction::Back),
                Command::Step(Stride::Reconcile, Direction::Back),
                Command::Play(Direction::Back),
            ] {
                session.apply(Command::Seek(session.tempo().end() * share));
                if command == Command::Play(Direction::Forward) && session.is_at_end() {
                    // It begins anew.
                    continue;
                }
                let forwards = matches!(
                    command,
                    Command::Step(_, Direction::Forward) | Command::Play(Direction::Forward)
                );
                let mut before = session.story();
                session.apply(command.clone());
                for _ in 0..40 {
                    let now = session.story();
                    let kept = if forwards {
                        now >= before
                    } else {
                        now <= before
                    };
                    assert!(
                        kept,
                        "{way} at {share}, {command:?}: from {before} to {now}"
                    );
                    before = now;
                    session.advance(1000.0 / 60.0);
                }
            }
        }
    }
}

#[test]
fn a_step_forward_goes_on_as_long_as_there_is_something_to_come() {
    for way in WAYS {
        // The end of what was played is not the end of the run.
        goes_on_from_here(way, |session| {
            session.apply(Command::Seek(session.tempo().end()));
        });
    }
    // Ten thousand facts from one reconcile to the next.
    let touches = vec!["6s:touch:hello:500:0ms"; 20].join(",");
    goes_on_from_here(&format!("1/configmap/1?do={touches}&at=6s.60"), |_| {});
}

/// Does each step move on, from where `stand` puts the cursor?
fn goes_on_from_here(way: &str, stand: impl Fn(&mut Session)) {
    for stride in [Stride::Fact, Stride::Reconcile] {
        let mut session = Session::open(Link::parse(way).expect(way));
        stand(&mut session);
        let mut steps = 0;
        while !session.is_at_end() && steps < 30 {
            let before = session.story();
            session.apply(Command::Step(stride, Direction::Forward));
            while session.is_playing() {
                session.advance(10_000.0);
            }
            assert!(session.story() > before, "{way}: {stride:?} stands still");
            let latest = session.run().record_before(session.playhead().applied);
            let fact = latest.expect("something has happened").fact;
            // Beyond the run's last fact only the one beside goes on.
            let is_last = session.playhead().applied as usize == session.run().played();
            assert!(
                stride == Stride::Fact || is_last || matches!(fact, Fact::Done { .. }),
                "{way}: a reconcile that ends with {fact:?}"
            );
            steps += 1;
        }
    }
}

#[test]
fn where_a_run_is_over_a_step_goes_to_the_next_fact_of_the_one_beside() {
    let way = "1/control-loop/4?beside-observe=500ms";
    let mut session = Session::open(Link::parse(way).expect(way));
    let end = session.tempo().after(session.run().played() as u32);
    session.apply(Command::Seek(end));
    let (beside, _) = session.beside().expect("two runs");
    let left = beside.played() as u32 - session.playhead().beside;
    assert!(left > 10, "{left} facts are left beside");
    for _ in 0..left {
        let before = session.playhead().beside;
        session.apply(Command::Step(Stride::Fact, Direction::Forward));
        settle(&mut session);
        assert_eq!(session.playhead().beside, before + 1);
    }
    assert!(session.is_at_end());
}

#[test]
fn where_a_run_is_over_a_step_goes_to_the_end_of_the_next_reconcile_beside() {
    let way = "1/control-loop/4?beside-observe=500ms";
    let mut session = Session::open(Link::parse(way).expect(way));
    let played = session.run().played() as u32;
    // The run's last reconcile is done, and its last facts are to come.
    session.apply(Command::Seek(session.tempo().after(played - 1)));
    let step = Command::Step(Stride::Reconcile, Direction::Forward);
    session.apply(step.clone());
    settle(&mut session);
    assert_eq!(session.story(), session.tempo().after(played));
    let mut reconciles = 0;
    while !session.is_at_end() {
        session.apply(step.clone());
        settle(&mut session);
        let (beside, _) = session.beside().expect("two runs");
        let latest = beside.record_before(session.playhead().beside);
        let done = matches!(latest.map(|record| record.fact), Some(Fact::Done { .. }));
        assert!(done || session.is_at_end());
        reconciles += usize::from(done);
    }
    assert!(reconciles > 0);
}

#[test]
fn going_back_in_a_variant_from_before_its_scene_goes_to_the_beginning() {
    let mut session = Session::open(Link::parse("1/control-loop/3?variant-at=1.705s.42").unwrap());
    session.apply(Command::Play(Direction::Back));
    settle(&mut session);
    assert_eq!(
        (session.story(), session.telling()),
        (0.0, Telling::Variant)
    );
}
