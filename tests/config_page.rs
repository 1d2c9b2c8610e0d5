//! What the page offers in the chapter about config maps: buttons, and questions with their answers.

use loopscope::engine::{Fact, Stimulus};
use loopscope::scene::{CONFIG_MAP, CONTROL_LOOP, Chapter, HELLO, PRODUCTION};
use loopscope::session::{
    Command, Deed, DeedPlace, Direction, Link, Session, Stride, Telling, command_line,
};

const NEXT: Command = Command::Step(Stride::Beat, Direction::Forward);

fn session(scene: usize) -> Session {
    let mut session = Session::opening(&CONFIG_MAP);
    session.apply(Command::Scene(scene));
    session
}

fn settle(session: &mut Session) {
    while session.is_playing() {
        session.advance(1000.0);
    }
}

fn play(session: &mut Session) {
    session.apply(Command::Play(Direction::Forward));
    settle(session);
}

/// What the button does at the cursor.
fn offered(
    session: &Session,
    resource: &'static str,
    deed: Deed,
) -> Result<Stimulus, &'static str> {
    deed.stimulus(&DeedPlace {
        resource,
        chapter: session.chapter(),
        knobs: session.knobs(),
        keys: session.run().keys(),
        view: &session.picture().view,
    })
}

fn press(session: &mut Session, deed: Deed) {
    let stimulus = offered(session, HELLO, deed).unwrap_or_else(|why| panic!("{deed:?}: {why}"));
    session.apply(Command::Do(stimulus));
}

#[test]
fn each_chapter_has_its_own_buttons_and_what_they_do_is_offered_by_it() {
    let chapters: [(&'static Chapter, &'static str); 2] =
        [(&CONTROL_LOOP, PRODUCTION), (&CONFIG_MAP, HELLO)];
    for (chapter, resource) in chapters {
        let mut session = Session::opening(chapter);
        for scene in 0..chapter.scenes.len() {
            session.apply(Command::Scene(scene));
            for &deed in Deed::of(chapter.controller) {
                if let Ok(stimulus) = offered(&session, resource, deed) {
                    assert!(chapter.offers(&stimulus), "{deed:?}");
                    assert_eq!(stimulus.check(), Ok(()), "{deed:?}");
                    let command = command_line(&stimulus, chapter.controller);
                    let told = command.is_some() || !deed.says().is_empty();
                    assert!(told, "{deed:?} says what it does");
                }
            }
        }
    }
}

#[test]
fn a_button_shows_the_command_that_it_stands_for() {
    let mut session = session(1);
    let shown = |session: &Session, deed| {
        let stimulus = offered(session, HELLO, deed).ok()?;
        command_line(&stimulus, CONFIG_MAP.controller)
    };
    assert_eq!(
        shown(&session, Deed::Create).as_deref(),
        Some("kubectl create configmap hello --from-literal=greeting=world")
    );
    play(&mut session);
    let wanted = [
        (Deed::Peel, "kubectl label configmap hello managed-by-"),
        (
            Deed::Relabel,
            "kubectl label configmap hello managed-by=somebody-else --overwrite",
        ),
        (
            Deed::ChangeData,
            r#"kubectl patch configmap hello --type merge -p '{"data":{"greeting":"moon"}}'"#,
        ),
        (
            Deed::Annotate,
            "kubectl annotate configmap hello note=seen --overwrite",
        ),
        (Deed::Delete, "kubectl delete configmap hello"),
    ];
    for (deed, command) in wanted {
        assert_eq!(shown(&session, deed).as_deref(), Some(command));
    }
}

#[test]
fn a_button_that_makes_no_sense_now_says_why() {
    let mut session = session(1);
    for deed in [Deed::Peel, Deed::Annotate, Deed::Burst, Deed::Delete] {
        let why = offered(&session, HELLO, deed);
        assert_eq!(why, Err("There is no such object. Create it first."));
    }
    play(&mut session);
    assert_eq!(
        offered(&session, HELLO, Deed::Create),
        Err("It exists already.")
    );
    press(&mut session, Deed::CloseWatch);
    session.apply(Command::Pause);
    let open = |session: &Session| offered(session, HELLO, Deed::CloseWatch).is_ok();
    let mut facts = 0;
    while open(&session) {
        session.apply(Command::Step(Stride::Fact, Direction::Forward));
        settle(&mut session);
        facts += 1;
        assert!(facts < 20, "the watch is cut");
    }
    assert_eq!(
        offered(&session, HELLO, Deed::ExpireWatch),
        Err("No watch is open now.")
    );
    assert_eq!(
        offered(&session, HELLO, Deed::ScaleUp),
        Err("This chapter has nothing that it could be done to.")
    );
}

#[test]
fn each_press_changes_something_and_what_was_pressed_is_in_the_link_and_can_be_undone() {
    for deed in [
        Deed::Peel,
        Deed::Relabel,
        Deed::ChangeData,
        Deed::Annotate,
        Deed::Burst,
        Deed::Delete,
        Deed::CreateMany,
        Deed::RefuseWrites,
        Deed::RefuseController,
        Deed::SwallowReconcile,
        Deed::LoseEvent,
        Deed::CloseWatch,
        Deed::ExpireWatch,
        Deed::RestartController,
    ] {
        let mut session = session(1);
        play(&mut session);
        let before = session.link().to_string();
        press(&mut session, deed);
        play(&mut session);
        let after = session.link().to_string();
        assert_ne!(before, after, "{deed:?}");
        let again = Session::open(Link::parse(&after).expect("a link"));
        assert_eq!(again.run().records(), session.run().records(), "{deed:?}");
        session.apply(Command::Undo);
        assert_eq!(session.link().to_string(), before, "{deed:?}");
    }
}

#[test]
fn data_and_note_have_another_value_with_each_press() {
    for deed in [Deed::ChangeData, Deed::Annotate] {
        let mut session = session(1);
        play(&mut session);
        for _ in 0..5 {
            press(&mut session, deed);
            play(&mut session);
        }
        let unchanged = |fact: &Fact| matches!(fact, Fact::Unchanged { .. });
        let records = session.run().records();
        assert!(!records.iter().any(|record| unchanged(&record.fact)));
    }
}

/// The scene's question: its options, the place of the right one, and whether it has been shown.
fn question(session: &Session) -> Option<(Vec<String>, usize, bool)> {
    let (_, answers, shown) = session.question()?;
    Some((answers.options.clone(), answers.right, shown))
}

#[test]
fn the_answers_are_those_that_the_scenes_show() {
    let wanted = [
        (0, "2"),
        (1, "2"),
        (3, "Nothing at all"),
        (4, "At the retry after that: about 5.2 s from now"),
        (5, "The informer’s next resync"),
        (6, "Nothing is lost"),
        (7, "Find nothing to do"),
    ];
    for (scene, answer) in wanted {
        let (options, right, _) = question(&session(scene)).expect("a question");
        assert_eq!(options[right], answer, "scene {}", scene + 1);
    }
    for scene in [2, 8] {
        assert_eq!(question(&session(scene)), None);
    }
}

#[test]
fn the_answers_follow_the_knobs() {
    let turned = |scene: usize, turn: fn(&mut loopscope::engine::Knobs)| {
        let mut session = session(scene);
        let mut knobs = (**session.knobs()).clone();
        turn(&mut knobs);
        session.apply(Command::Knobs(Box::new(knobs)));
        let (options, right, _) = question(&session).expect("a question");
        options[right].clone()
    };
    let looks = turned(3, |knobs| knobs.delete_handler = true);
    assert_eq!(looks, "It looks once, and finds nothing");
    let never = turned(5, |knobs| {
        knobs.resync = loopscope::engine::SimDuration::ZERO
    });
    assert_eq!(never, "Whoever touches the config map next");
    let copied = turned(7, |knobs| knobs.deep_copy = true);
    assert_eq!(copied, "Put the label on");
}

#[test]
fn no_answer_is_shown_before_its_beat_and_each_is_shown_in_the_main_run() {
    for scene in 0..CONFIG_MAP.scenes.len() {
        let mut session = session(scene);
        let Some((_, _, shown)) = question(&session) else {
            continue;
        };
        assert!(!shown, "scene {} asks first", scene + 1);
        let mut last = false;
        while session.telling() == Telling::Main && session.scene() == scene {
            last = question(&session).is_some_and(|(_, _, shown)| shown);
            if !session.has_step(Direction::Forward) {
                break;
            }
            session.apply(NEXT);
            settle(&mut session);
        }
        assert!(last, "scene {} answers", scene + 1);
    }
}
