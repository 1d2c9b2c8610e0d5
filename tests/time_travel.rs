//! Time travel on random visits: going to an instant is the same as playing to it, taking back
//! restores exactly, and a link opens the very same visit.

use loopscope::engine::apiserver::Version;
use loopscope::engine::{Knobs, Preset, QueueKind, Record, SimDuration, SimTime, Stimulus};
use loopscope::frame::{Timeline, View};
use loopscope::scene::{CONTROL_LOOP, PRODUCTION, STAGING};
use loopscope::session::{Command, Direction, Link, Pace, Session, Stride, Tempo};
use proptest::prelude::*;
use std::time::Instant;

/// What a visitor may do, with places as shares of the run.
#[derive(Clone, Debug)]
enum Move {
    Plain(Command),
    /// To this share of the run.
    Seek(f64),
    /// Milliseconds of playing.
    Wait(f64),
    /// To one of the scene's steps, as a share of them.
    Step(f64),
}

fn stimulus() -> impl Strategy<Value = Stimulus> {
    let key = || prop::sample::select(&[PRODUCTION, STAGING][..]).prop_map(Into::into);
    let version = || (4..7_u16).prop_map(|minor| Version::new(15, minor));
    prop_oneof![
        2 => (key(), 0..5_u32, version())
            .prop_map(|(key, replicas, version)| Stimulus::Create { key, replicas, version }),
        3 => (key(), 0..9_u32).prop_map(|(key, replicas)| Stimulus::Scale { key, replicas }),
        2 => (key(), version()).prop_map(|(key, version)| Stimulus::Upgrade { key, version }),
        2 => (key(), 0..12_u32, 0..30_i64).prop_map(|(key, count, gap)| {
            Stimulus::Burst { key, count, gap: SimDuration::from_millis(gap) }
        }),
        1 => key().prop_map(|key| Stimulus::Delete { key }),
        2 => key().prop_map(|key| Stimulus::KillReplica { key }),
        1 => Just(Stimulus::RestartController),
        1 => Just(Stimulus::FailNextUpgrade),
    ]
}

fn knobs() -> impl Strategy<Value = Knobs> {
    let millis =
        |choices: &'static [i64]| prop::sample::select(choices).prop_map(SimDuration::from_millis);
    let numbers = (
        1..4_u8,
        prop::sample::select(&[0, 150, 700, 1000][..]),
        0..15_u32,
        any::<bool>(),
    );
    let times = (
        millis(&[0, 5, 50]),
        millis(&[0, 1, 100]),
        millis(&[0, 1, 20]),
        millis(&[0, 300, 500]),
    );
    let capacity = prop::sample::select(&[1, 2, 64][..]);
    (numbers, times, capacity, any::<bool>()).prop_map(|(numbers, times, capacity, plain)| Knobs {
        queue: if plain {
            QueueKind::Channel
        } else {
            QueueKind::ClientGo
        },
        channel_capacity: capacity,
        workers: numbers.0,
        upgrade_failure_permille: numbers.1,
        burst_count: numbers.2,
        owned_watched: numbers.3,
        watch_delay: times.0,
        observe_time: times.1,
        burst_gap: times.2,
        requeue_after: times.3,
        ..Preset::ClientGo.knobs()
    })
}

fn a_move() -> impl Strategy<Value = Move> {
    use Direction::{Back, Forward};
    let stride = prop::sample::select(&[Stride::Fact, Stride::Reconcile, Stride::Beat][..]);
    let direction = || prop::sample::select(&[Back, Forward][..]);
    let plain = prop_oneof![
        6 => stimulus().prop_map(Command::Do),
        2 => Just(Command::Undo),
        1 => Just(Command::Redo),
        1 => direction().prop_map(Command::Play),
        1 => Just(Command::Pause),
        4 => (stride, direction()).prop_map(|(stride, way)| Command::Step(stride, way)),
        // The third scene, which has a variant, more often.
        2 => prop::sample::select(&[0_usize, 1, 2, 2, 2, 3, 4, 5][..]).prop_map(Command::Scene),
        1 => Just(Command::Pace(Pace::TrueTime)),
        1 => Just(Command::Pace(Pace::Tempo)),
        1 => prop_oneof![Just(QueueKind::ClientGo), Just(QueueKind::Channel)].prop_map(Command::Queue),
        1 => knobs().prop_map(|knobs| Command::Knobs(Box::new(knobs))),
        1 => (0..9_u64).prop_map(Command::Seed),
        1 => prop::option::of(knobs().prop_map(Box::new)).prop_map(Command::Compare),
    ];
    prop_oneof![
        6 => plain.prop_map(Move::Plain),
        2 => (0.0..1.0_f64).prop_map(Move::Seek),
        2 => (0.0..4000.0_f64).prop_map(Move::Wait),
        1 => (0.0..1.0_f64).prop_map(Move::Step),
    ]
}

fn make(session: &mut Session, a_move: Move) {
    match a_move {
        Move::Plain(command) => session.apply(command),
        Move::Seek(share) => session.apply(Command::Seek(session.tempo().end() * share)),
        Move::Wait(wall) => {
            session.advance(wall);
        }
        Move::Step(share) => session.tell_step((session.steps().len() as f64 * share) as usize),
    }
}

/// How a visit came about.
#[derive(Clone, Debug)]
struct Visit {
    /// None: as a bare address opens.
    world: Option<(Knobs, u64)>,
    moves: Vec<Move>,
}

impl Visit {
    fn make(&self) -> Session {
        let mut session = match self.world.clone() {
            None => Session::opening(&CONTROL_LOOP),
            Some((knobs, seed)) => Session::new(&CONTROL_LOOP, knobs, seed),
        };
        for a_move in self.moves.clone() {
            make(&mut session, a_move);
        }
        session
    }
}

fn visit() -> impl Strategy<Value = Visit> {
    let world = prop::option::of((knobs(), any::<u64>()));
    let moves = prop::collection::vec(a_move(), 0..30);
    (world, moves).prop_map(|(world, moves)| Visit { world, moves })
}

/// The records of two runs as far as both are played, and what both have come to.
#[track_caller]
fn same_records(a: &Session, b: &Session) -> Result<(), TestCaseError> {
    let (a, b) = (a.run(), b.run());
    let both = a.played().min(b.played());
    prop_assert!(a.records()[..both] == b.records()[..both], "other records");
    if a.is_over() && b.is_over() {
        prop_assert_eq!(a.played(), b.played());
    }
    Ok(())
}

/// Is what was made while the facts were played, dropped and played again what the records make?
#[track_caller]
fn follows_from_the_records(session: &Session) -> Result<(), TestCaseError> {
    let (run, tempo) = (session.run(), session.tempo());
    let records = run.records();
    prop_assert!(run.timeline() == &Timeline::new(&records), "other bars");
    prop_assert_eq!(run.played(), records.len());
    prop_assert_eq!(run.latest(), records.last().map(|record| record.at));
    let mut view = View::new(run.origin().knobs.workers);
    records.iter().for_each(|record| view.apply(record));
    prop_assert_eq!(run.at_end(), &view);
    let mut anew = Tempo::new(tempo.pace());
    match session.beside() {
        None => anew.grow(records.iter().cloned()),
        Some((beside, _)) => {
            let until = run.latest().filter(|_| !run.is_over());
            anew = Tempo::joint(tempo.pace(), run.facts(..), beside.facts(..), until);
        }
    }
    for fact in 0..=records.len() as u32 {
        prop_assert_eq!(tempo.before(fact), anew.before(fact));
        prop_assert_eq!(tempo.after(fact), anew.after(fact));
    }
    prop_assert_eq!(tempo.end(), anew.end());
    for time in [0, 1, 2_000_000_000, i64::MAX].map(SimTime) {
        let before = records.partition_point(|record| record.at < time);
        prop_assert_eq!(run.facts_before(time), before);
    }
    Ok(())
}

/// Are the two visits the same to whoever looks at them?
#[track_caller]
fn same_visit(a: &Session, b: &Session) -> Result<(), TestCaseError> {
    same_records(a, b)?;
    follows_from_the_records(a)?;
    follows_from_the_records(b)?;
    prop_assert_eq!(a.run().stimuli(), b.run().stimuli());
    prop_assert_eq!(a.run().origin(), b.run().origin());
    prop_assert!(a.picture() == b.picture(), "another picture");
    prop_assert_eq!(
        (a.scene(), a.step(), a.telling()),
        (b.scene(), b.step(), b.telling())
    );
    prop_assert!(a.steps() == b.steps(), "other steps");
    prop_assert_eq!(a.playhead().applied, b.playhead().applied);
    let instant = |session: &Session| session.run().instant(session.playhead());
    prop_assert_eq!(instant(a), instant(b));
    prop_assert_eq!(a.playhead().beside, b.playhead().beside);
    let beside = |session: &Session| session.beside().map(|(_, picture)| picture.clone());
    prop_assert!(beside(a) == beside(b), "another picture beside");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn going_to_an_instant_is_playing_to_it(visit in visit(), share in 0.0..1.0_f64) {
        let mut session = visit.make();
        session.apply(Command::Pace(Pace::Tempo));
        let story = session.tempo().end().min(300_000.0) * share;
        session.apply(Command::Seek(story));
        let sought = (session.playhead(), session.picture().clone());

        // Played there, in uneven frames, by a visit that has looked nowhere else.
        let mut player = Session::open(session.link());
        player.apply(Command::Seek(0.0));
        player.apply(Command::Play(Direction::Forward));
        let mut frame = 1.0;
        while player.story() < story && player.is_playing() {
            frame = frame * 1.7 % 61.0;
            player.advance(f64::min(frame, story - player.story()));
        }
        prop_assert_eq!(player.playhead(), sought.0);
        prop_assert!(player.picture() == &sought.1, "another picture");
        same_records(&player, &session)?;
        follows_from_the_records(&session)?;

        // And folded from nothing.
        let mut view = View::new(session.knobs().workers);
        for record in session.run().facts(..sought.0.applied as usize) {
            view.apply(&record);
        }
        prop_assert_eq!(&*sought.1.view, &view);
    }

    #[test]
    fn taking_back_and_doing_again_restore_exactly(visit in visit(), moves in prop::collection::vec(stimulus(), 1..5)) {
        let mut session = visit.make();
        session.apply(Command::Pause);
        let before = Session::open(session.link());
        let mut after = Vec::new();
        for stimulus in moves.clone() {
            session.apply(Command::Do(stimulus));
            session.apply(Command::Pause);
            after.push(Session::open(session.link()));
        }
        for step in (0..moves.len()).rev() {
            session.apply(Command::Undo);
            same_visit(&session, if step == 0 { &before } else { &after[step - 1] })?;
        }
        for later in &after {
            session.apply(Command::Redo);
            same_visit(&session, later)?;
        }
    }

    #[test]
    fn a_link_opens_the_same_visit(visit in visit()) {
        let session = visit.make();
        let text = session.link().to_string();
        let link = Link::parse(&text);
        prop_assert!(link.as_ref() == Ok(&session.link()), "{text}");
        let opened = Session::open(link.expect("just compared"));
        same_visit(&opened, &session)?;
        prop_assert!(!opened.is_playing() && !opened.can_undo());
        prop_assert_eq!(opened.link().to_string(), text);
    }
}

/// A visit with more than 100 000 facts: many bursts, one after the other.
fn long_visit(queue: QueueKind) -> Session {
    long_visit_with(queue, |_| ())
}

/// The same, with a look at it after each burst.
fn long_visit_with(queue: QueueKind, mut look: impl FnMut(&Session)) -> Session {
    let mut session = Session::opening(&CONTROL_LOOP);
    session.apply(Command::Queue(queue));
    let burst = Stimulus::Burst {
        key: PRODUCTION.into(),
        count: 500,
        gap: SimDuration::from_millis(7),
    };
    session.apply(Command::Seek(5_000.0));
    while session.run().played() < 100_000 {
        session.apply(Command::Do(burst.clone()));
        session.apply(Command::Seek(f64::MAX));
        look(&session);
    }
    session
}

#[test]
fn a_record_that_was_given_up_comes_out_the_same_when_it_is_looked_at_again() {
    for queue in [QueueKind::ClientGo, QueueKind::Channel] {
        let mut seen: Vec<Record> = Vec::new();
        // Each burst is looked at while most of its records are still there.
        let session = long_visit_with(queue, |session| {
            seen.extend(session.run().facts(seen.len()..));
        });
        assert!(session.run().records() == seen, "{queue:?}");
        let backwards: Vec<Record> = session.run().facts(..).rev().collect();
        assert!(backwards.iter().rev().eq(&seen), "{queue:?}, backwards");
        for id in [0, 99_999, 3, 50_000, 1023, 1024, 1025, 99_998, 70_000] {
            assert_eq!(session.run().record(id).as_ref(), Some(&seen[id as usize]));
        }
        assert_eq!(session.run().record(seen.len() as u32), None);
    }
}

#[test]
fn seeking_in_a_run_of_100_000_facts_is_exact_and_quick() {
    for queue in [QueueKind::ClientGo, QueueKind::Channel] {
        let mut session = long_visit(queue);
        let end = session.tempo().end();
        let mut slowest = 0.0_f64;
        for place in [0.9, 0.1, 0.501, 0.5, 0.99999, 0.0, 0.333, 1.0, 0.7] {
            let begin = Instant::now();
            session.apply(Command::Seek(end * place));
            slowest = slowest.max(begin.elapsed().as_secs_f64() * 1e3);
            let mut view = View::new(session.knobs().workers);
            let applied = session.playhead().applied as usize;
            session.run().records()[..applied]
                .iter()
                .for_each(|record| view.apply(record));
            assert_eq!(*session.picture().view, view);
        }
        println!(
            "{queue:?}: {} facts, slowest seek {slowest:.3} ms",
            session.run().played()
        );
        // A frame, unoptimised and on a busy machine; `benches/seek.rs` measures.
        assert!(slowest < 16.0, "{slowest} ms");
        let opened = Session::open(Link::parse(&session.link().to_string()).expect("our own link"));
        assert_eq!(opened.picture(), session.picture());
        assert_eq!(
            (opened.scene(), opened.step()),
            (session.scene(), session.step())
        );
    }
}

#[test]
fn a_run_that_never_rests_is_left_and_says_so() {
    let knobs = Knobs {
        upgrade_failure_permille: 1000,
        upgrade_time: SimDuration::ZERO,
        observe_time: SimDuration::ZERO,
        queue: QueueKind::Channel,
        channel_retry: SimDuration::from_millis(1),
        ..Preset::ClientGo.knobs()
    };
    assert_eq!(knobs.check(), Ok(()));
    let mut session = Session::new(&CONTROL_LOOP, knobs, 1);
    session.apply(Command::Play(Direction::Forward));
    while session.is_playing() {
        session.advance(10_000_000.0);
    }
    assert!(session.run().is_cut() && session.is_at_end() && session.is_full());
    let opened = Session::open(Link::parse(&session.link().to_string()).expect("our own link"));
    assert_eq!(opened.picture(), session.picture());
    session.apply(Command::Do(Stimulus::RestartController));
    assert_eq!(session.run().stimuli().len(), 0);
}
