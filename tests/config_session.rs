//! The session in the chapter about config maps, where every scene is a run of its own.

use loopscope::engine::{Fact, SimDuration, SimTime, Stimulus};
use loopscope::frame::View;
use loopscope::scene::{CONFIG_MAP, HELLO};
use loopscope::session::{Command, Direction, Link, Session, Stop, Stride, Telling, command_line};

const NEXT: Command = Command::Step(Stride::Beat, Direction::Forward);
const BACK: Command = Command::Step(Stride::Beat, Direction::Back);

fn session(scene: usize) -> Session {
    let mut session = Session::opening(&CONFIG_MAP);
    session.apply(Command::Scene(scene));
    session
}

fn settle(session: &mut Session) {
    let mut frames = 0;
    while session.is_playing() {
        session.advance(1000.0 / 60.0);
        frames += 1;
        assert!(frames < 60 * 3600, "still playing after an hour");
    }
}

fn peel() -> Stimulus {
    Stimulus::label(HELLO, "managed-by", None)
}

#[test]
fn next_step_walks_all_scenes_with_their_variants_and_back_again() {
    let mut session = Session::opening(&CONFIG_MAP);
    let mut told = vec![(session.scene(), session.step())];
    while session.has_step(Direction::Forward) {
        session.apply(NEXT);
        settle(&mut session);
        told.push((session.scene(), session.step()));
        let step = session.steps()[session.step()];
        assert_ne!(step.stop, Stop::Nowhere, "{step:?}");
        assert_eq!(step.telling, session.telling());
    }
    let wanted: Vec<(usize, usize)> = CONFIG_MAP
        .scenes
        .iter()
        .enumerate()
        .flat_map(|(number, scene)| (0..scene.beats.len()).map(move |step| (number, step)))
        .collect();
    assert_eq!(told, wanted);
    for place in wanted.iter().rev().skip(1) {
        session.apply(BACK);
        assert_eq!((session.scene(), session.step()), *place);
    }
}

#[test]
fn each_step_stands_where_its_fact_has_just_happened() {
    let mut session = Session::opening(&CONFIG_MAP);
    while session.has_step(Direction::Forward) {
        session.apply(NEXT);
        settle(&mut session);
        if let Stop::After(fact) = session.steps()[session.step()].stop {
            assert_eq!(session.playhead().applied, fact + 1);
        }
        let applied = session.playhead().applied;
        let mut view = View::new(session.run().origin().knobs.workers);
        let records = session.run().records();
        records[..applied as usize]
            .iter()
            .for_each(|r| view.apply(r));
        assert_eq!(*session.picture().view, view);
    }
}

#[test]
fn each_scene_has_its_own_run_and_knobs() {
    let session = self::session(7);
    assert!(!session.knobs().deep_copy);
    assert_eq!(session.scene_bounds(), (SimTime::from_millis(1000), None));
    let mut session = self::session(0);
    assert!(session.knobs().deep_copy);
    session.apply(Command::Play(Direction::Forward));
    settle(&mut session);
    assert!(session.is_at_end() && session.scene() == 0);
    let last = session.run().latest();
    assert!(
        last <= Some(SimTime::from_millis(60_000)),
        "left at its horizon"
    );
}

#[test]
fn a_label_that_the_visitor_takes_off_comes_back_and_can_be_taken_back() {
    let mut session = self::session(1);
    session.apply(Command::Play(Direction::Forward));
    settle(&mut session);
    let writes = session.picture().view.counters.writes;
    let facts = session.run().played();
    session.apply(Command::Do(peel()));
    settle(&mut session);
    assert_eq!(session.picture().view.counters.writes, writes + 1);
    session.apply(Command::Undo);
    assert_eq!(session.run().played(), facts);
    session.apply(Command::Redo);
    assert!(session.run().played() > facts);
}

#[test]
fn what_is_done_in_one_scene_is_not_in_the_next_and_undo_goes_back_to_it() {
    let mut session = self::session(1);
    session.apply(Command::Do(peel()));
    session.apply(Command::Scene(2));
    assert!(session.run().stimuli().is_empty());
    session.apply(Command::Undo);
    assert_eq!((session.scene(), session.run().stimuli().len()), (1, 1));
}

#[test]
fn a_run_is_played_on_after_the_visitor_s_last_act_until_a_resync_has_come() {
    let mut session = self::session(1);
    session.apply(Command::Play(Direction::Forward));
    settle(&mut session);
    let resyncs = |session: &Session| {
        let records = session.run().facts(..);
        let resync = |fact: &Fact| matches!(fact, Fact::Resynced { .. });
        records.filter(|record| resync(&record.fact)).count()
    };
    assert_eq!(resyncs(&session), 0);
    session.apply(Command::Do(peel()));
    assert_eq!(resyncs(&session), 1);
    assert!(session.run().is_over());
    let end = session.run().latest().expect("facts");
    assert!(end < SimTime::ZERO + SimDuration::from_secs(45));
}

#[test]
fn a_link_says_the_same_visit_again() {
    let mut session = self::session(7);
    session.apply(Command::Do(peel()));
    session.apply(Command::Do(Stimulus::annotate(
        HELLO,
        "note",
        Some("a b:c".into()),
    )));
    let mut knobs = (**session.knobs()).clone();
    knobs.deep_copy = true;
    session.apply(Command::Knobs(Box::new(knobs)));
    let text = session.link().to_string();
    assert!(text.starts_with("1/configmap/8?copy=yes&do="), "{text}");
    let again = Session::open(Link::parse(&text).expect("a link"));
    assert_eq!(again.link().to_string(), text);
    assert_eq!(again.run().records(), session.run().records());
}

#[test]
fn a_link_to_a_variant_opens_it() {
    let mut session = self::session(3);
    while session.telling() == Telling::Main {
        session.apply(NEXT);
        settle(&mut session);
    }
    session.apply(NEXT);
    settle(&mut session);
    let text = session.link().to_string();
    let again = Session::open(Link::parse(&text).expect("a link"));
    assert_eq!(again.telling(), Telling::Variant);
    assert_eq!(again.run().records(), session.run().records());
    assert_eq!(again.picture().view, session.picture().view);
}

#[test]
fn what_belongs_to_the_other_chapter_is_not_done() {
    let mut session = self::session(1);
    session.apply(Command::Do(Stimulus::FailNextUpgrade));
    session.apply(Command::Do(Stimulus::Scale {
        key: HELLO.into(),
        replicas: 3,
    }));
    assert!(session.run().stimuli().is_empty());
}

#[test]
fn the_scenes_show_the_commands_that_their_stimuli_stand_for() {
    for scene in [1, 2] {
        let scene = CONFIG_MAP.scenes[scene];
        assert_eq!(
            command_line(&scene.stimulus, CONFIG_MAP.controller).as_deref(),
            Some(scene.command)
        );
    }
}

#[test]
fn two_runs_stand_beside_each_other_with_other_knobs() {
    let mut session = self::session(7);
    let mut knobs = (**session.knobs()).clone();
    knobs.deep_copy = true;
    session.apply(Command::Compare(Some(Box::new(knobs))));
    session.apply(Command::Play(Direction::Forward));
    settle(&mut session);
    let (beside, _) = session.beside().expect("a run beside");
    let scribbled = |fact: &Fact| matches!(fact, Fact::Scribbled { .. });
    let count = |records: &[loopscope::engine::Record]| {
        records
            .iter()
            .filter(|record| scribbled(&record.fact))
            .count()
    };
    assert_eq!(count(&beside.records()), 0);
    assert!(count(&session.run().records()) > 0);
}
