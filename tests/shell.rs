//! What is typed into the console is done to the visit, in either chapter, and what is printed is
//! true.

use loopscope::console::{WorldView, as_yaml, complete, evaluate, json};
use loopscope::engine::apiserver::Kind;
use loopscope::engine::{SimDuration, Stimulus};
use loopscope::scene::{CONFIG_MAP, CONTROL_LOOP, Chapter, HELLO};
use loopscope::session::{Command, Direction, Link, STIMULI_MAX, Session, Stride};
use loopscope::shell::{LINES_MAX, Shell, Tone, world};

/// A visitor who types: at the beginning of chapter one's second scene, at the end of chapter two's.
struct Visitor {
    session: Session,
    shell: Shell,
}

fn visitor(chapter: &'static Chapter) -> Visitor {
    let mut visitor = Visitor {
        session: Session::opening(chapter),
        shell: Shell::default(),
    };
    visitor.session.apply(Command::Scene(1));
    if chapter.id == CONFIG_MAP.id {
        visitor.session.apply(Command::Play(Direction::Forward));
        visitor.settle();
    }
    visitor
}

impl Visitor {
    /// Types a line, and reads what is printed for it.
    fn types(&mut self, line: &str) -> Vec<String> {
        self.shell.enter(line, &mut self.session);
        self.read()
    }

    /// The latest line's output: with `! ` for errors, `> ` for what a watch saw, `# ` for remarks.
    fn read(&self) -> Vec<String> {
        let said = self.shell.said().back().expect("something was typed");
        let lines = said.parts.iter().flat_map(|part| {
            let sign = match part.tone {
                Tone::Out => "",
                Tone::Err => "! ",
                Tone::Watched => "> ",
                Tone::Remark => "# ",
            };
            part.text
                .split('\n')
                .map(move |line| format!("{sign}{line}"))
        });
        lines.collect()
    }

    /// Lets time go on until the loop rests.
    fn settle(&mut self) {
        let mut frames = 0;
        while self.session.is_playing() {
            self.session.advance(1000.0 / 60.0);
            self.shell.look(&self.session);
            frames += 1;
            assert!(frames < 60 * 600, "still playing after ten minutes");
        }
    }

    fn presses(&mut self, stimulus: Stimulus) {
        self.shell.press(stimulus, &mut self.session);
    }

    fn stimuli(&self) -> Vec<Stimulus> {
        let placed = self.session.run().stimuli().iter();
        placed.map(|placed| placed.stimulus.clone()).collect()
    }

    /// What the store holds now, as `get -o json` prints it, but for when and in which order.
    fn store(&self) -> Vec<String> {
        let world = world(&self.session);
        let lines = ["get cm -o yaml", "get dbc -o yaml"]
            .into_iter()
            .flat_map(|line| {
                let reply = evaluate(line, &world);
                reply.output.into_iter().map(|line| line.text)
            });
        lines
            .filter(|line| !line.contains("resourceVersion") && !line.contains("Timestamp"))
            .collect()
    }
}

#[test]
fn the_article_s_session_can_be_typed_and_the_label_is_back_after_the_loop_ran() {
    let mut visitor = visitor(&CONFIG_MAP);
    assert_eq!(
        visitor.types("kubectl create configmap greeting --from-literal=greeting=world"),
        ["configmap/greeting created"]
    );
    // kubectl has returned, and the controller has not heard of it yet.
    assert_eq!(
        visitor.types("kubectl get configmap greeting --show-labels"),
        [
            "NAME       DATA   AGE   LABELS",
            "greeting   1      0s    <none>"
        ]
    );
    visitor.settle();
    let labelled = visitor.types("kubectl get configmap greeting --show-labels");
    assert!(
        labelled[1].ends_with("managed-by=configmap-controller"),
        "{labelled:?}"
    );
    assert_eq!(
        visitor.types("kubectl label configmap greeting managed-by-"),
        ["configmap/greeting unlabeled"]
    );
    let bare = visitor.types("kubectl get configmap greeting --show-labels");
    assert!(bare[1].ends_with("<none>"), "{bare:?}");
    visitor.settle();
    let again = visitor.types("kubectl get configmap greeting --show-labels");
    assert!(
        again[1].ends_with("managed-by=configmap-controller"),
        "{again:?}"
    );
}

#[test]
fn what_is_typed_at_a_scene_s_beginning_is_seen_through_beside_what_the_scene_does() {
    let mut visitor = visitor(&CONFIG_MAP);
    visitor.session.apply(Command::Scene(1));
    visitor.types("create cm greeting");
    visitor.settle();
    let rows = visitor.types("get cm --show-labels");
    let labelled = rows.iter().filter(|row| row.contains("managed-by"));
    assert_eq!(labelled.count(), 2, "{rows:?}");
}

#[test]
fn typed_or_pressed_the_world_is_the_same_in_chapter_one() {
    let (mut typed, mut pressed) = (visitor(&CONTROL_LOOP), visitor(&CONTROL_LOOP));
    let key = || "default/production-postgres".into();
    let acts: [(&str, Stimulus); 4] = [
        (
            "scale dbc production-postgres --replicas 7",
            Stimulus::Scale {
                key: key(),
                replicas: 7,
            },
        ),
        (
            r#"kubectl patch databasecluster production-postgres --type merge -p '{"spec":{"version":"16.1"}}'"#,
            Stimulus::Upgrade {
                key: key(),
                version: "16.1".parse().unwrap(),
            },
        ),
        (
            "delete dbc/production-postgres",
            Stimulus::Delete { key: key() },
        ),
        (
            "apply -f production-postgres.yaml",
            Stimulus::Create {
                key: key(),
                replicas: 3,
                version: "15.4".parse().unwrap(),
            },
        ),
    ];
    for (line, stimulus) in acts {
        typed.types(line);
        pressed.presses(stimulus);
        typed.settle();
        pressed.settle();
        assert_eq!(typed.stimuli(), pressed.stimuli(), "{line}");
        assert_eq!(typed.store(), pressed.store(), "{line}");
        assert_eq!(
            typed.session.picture().view.actual,
            pressed.session.picture().view.actual
        );
    }
}

#[test]
fn typed_or_pressed_the_world_is_the_same_in_chapter_two() {
    let (mut typed, mut pressed) = (visitor(&CONFIG_MAP), visitor(&CONFIG_MAP));
    let acts: [(&str, Stimulus); 3] = [
        (
            "label cm hello managed-by-",
            Stimulus::label(HELLO, "managed-by", None),
        ),
        (
            "annotate cm hello note=seen",
            Stimulus::annotate(HELLO, "note", Some("seen".into())),
        ),
        ("delete cm hello", Stimulus::Delete { key: HELLO.into() }),
    ];
    for (line, stimulus) in acts {
        typed.types(line);
        pressed.presses(stimulus);
        typed.settle();
        pressed.settle();
        assert_eq!(typed.stimuli(), pressed.stimuli(), "{line}");
        assert_eq!(typed.store(), pressed.store(), "{line}");
    }
}

#[test]
fn what_was_typed_is_in_the_link_and_can_be_taken_back() {
    for (chapter, lines) in [
        (
            &CONTROL_LOOP,
            &[
                "scale dbc production-postgres --replicas=1",
                "annotate dbc production-postgres a=b c=d",
            ][..],
        ),
        (
            &CONFIG_MAP,
            &[
                "create cm other --from-literal=a=b",
                "patch cm other -p '{\"data\":{\"a\":null,\"ü\":\"<b>\"}}'",
                "delete cm other",
            ][..],
        ),
    ] {
        let mut visitor = visitor(chapter);
        let bare = visitor.session.run().played();
        for line in lines {
            visitor.types(line);
        }
        let address = visitor.session.link().to_string();
        let opened = Session::open(Link::parse(&address).expect("a link"));
        assert_eq!(
            opened.run().records(),
            visitor.session.run().records(),
            "{address}"
        );
        for _ in lines {
            visitor.session.apply(Command::Undo);
        }
        assert_eq!(visitor.session.run().played(), bare);
    }
}

#[test]
fn one_line_about_several_objects_is_done_as_one() {
    let mut visitor = visitor(&CONFIG_MAP);
    visitor.types("create cm a");
    visitor.types("create cm b");
    let before = visitor.stimuli().len();
    assert_eq!(
        visitor.types("label cm a b tier=gold"),
        ["configmap/a labeled", "configmap/b labeled"]
    );
    assert_eq!(visitor.stimuli().len(), before + 2);
    let gold = |visitor: &mut Visitor| {
        let rows = visitor.types("get cm --show-labels");
        rows.iter().filter(|row| row.contains("tier=gold")).count()
    };
    assert_eq!(gold(&mut visitor), 2, "both are there when kubectl returns");
    visitor.session.apply(Command::Undo);
    assert_eq!(gold(&mut visitor), 0);
}

#[test]
fn what_the_api_server_refuses_is_printed_as_refused() {
    let mut visitor = visitor(&CONFIG_MAP);
    visitor.types("create cm a");
    visitor.types("create cm b");
    visitor.settle();
    visitor.presses(Stimulus::RefuseNext { writes: 1 });
    visitor.settle();
    assert_eq!(
        visitor.types("label cm a b tier=gold"),
        [
            "! Error from server (ServiceUnavailable): the server is currently unable to handle the request",
            "configmap/b labeled",
        ]
    );
    visitor.presses(Stimulus::RefuseWrites {
        span: SimDuration::from_secs(60),
    });
    visitor.settle();
    visitor.presses(Stimulus::Delete {
        key: "default/a".into(),
    });
    let refused = visitor.read();
    assert!(
        refused[0].starts_with("! Error from server (ServiceUnavailable)"),
        "{refused:?}"
    );
}

#[test]
fn a_wrong_line_changes_nothing_and_is_answered_as_kubectl_does() {
    for (chapter, line, answer) in [
        (
            &CONTROL_LOOP,
            "frobnicate",
            "! error: unknown command \"frobnicate\" for \"kubectl\"",
        ),
        (
            &CONTROL_LOOP,
            "scale dbc nobody --replicas=3",
            "! Error from server (NotFound): databaseclusters.example.com \"nobody\" not found",
        ),
        (
            &CONTROL_LOOP,
            "create cm x",
            "! error: this cluster's controller is not about such objects: they are in the other chapter",
        ),
        (
            &CONFIG_MAP,
            "get pods",
            "! error: the server doesn't have a resource type \"pods\"",
        ),
        (
            &CONFIG_MAP,
            "create cm x -n nowhere",
            "! error: failed to create configmap: namespaces \"nowhere\" not found",
        ),
    ] {
        let mut visitor = visitor(chapter);
        let before = (visitor.session.link(), visitor.session.can_undo());
        assert_eq!(visitor.types(line)[0], answer);
        assert_eq!(
            (visitor.session.link(), visitor.session.can_undo()),
            before,
            "{line}"
        );
    }
}

#[test]
fn what_a_link_cannot_hold_is_refused() {
    let mut visitor = visitor(&CONFIG_MAP);
    let long = "x".repeat(2000);
    let answer = visitor.types(&format!("create cm x --from-literal=a={long}"));
    assert!(
        answer[0].starts_with("! error: a config map: "),
        "{answer:?}"
    );
    let mut made = 0;
    for number in 0..STIMULI_MAX {
        let long = "x".repeat(1000);
        let answer = visitor.types(&format!("create cm x{number} --from-literal=a={long}"));
        if answer[0].starts_with("! ") {
            assert!(answer[0].contains("link"), "{answer:?}");
            break;
        }
        made += 1;
    }
    assert!((5..40).contains(&made), "{made}");
    let link = visitor.session.link().to_string();
    assert!(Link::parse(&link).is_ok());
}

#[test]
fn a_watch_prints_what_happens_until_it_is_interrupted() {
    let mut visitor = visitor(&CONFIG_MAP);
    visitor.types("create cm a");
    visitor.settle();
    visitor.types("get cm a --show-labels -w");
    assert!(visitor.shell.is_watching());
    visitor.types("label cm a managed-by-");
    visitor.settle();
    let rows = visitor.read();
    let seen: Vec<bool> = rows
        .iter()
        .filter(|row| row.starts_with("> "))
        .map(|row| row.contains("managed-by"))
        .collect();
    assert_eq!(seen, [false, true], "{rows:?}");
    visitor.shell.interrupt("");
    assert!(!visitor.shell.is_watching());
    visitor.types("label cm a managed-by-");
    visitor.settle();
    assert!(!visitor.read().iter().any(|row| row.starts_with("> ")));
}

#[test]
fn where_time_was_turned_back_a_remark_says_so_before_the_next_line() {
    let mut visitor = visitor(&CONFIG_MAP);
    visitor.types("create cm a");
    visitor.settle();
    visitor.types("get cm a -w");
    let printed = visitor.shell.said().len();
    visitor.session.apply(Command::Undo);
    visitor.shell.look(&visitor.session);
    assert_eq!(
        visitor.shell.said().len(),
        printed,
        "what was printed stays"
    );
    visitor.types("get cm a");
    let remarks = || {
        let parts = visitor.shell.said().iter().flat_map(|said| &said.parts);
        parts.filter(|part| part.tone == Tone::Remark)
    };
    assert_eq!(remarks().count(), 1);
    assert_eq!(
        visitor.read(),
        ["! Error from server (NotFound): configmaps \"a\" not found"]
    );
}

#[test]
fn a_manifest_waits_for_the_editor_and_is_applied_from_there() {
    let mut visitor = visitor(&CONFIG_MAP);
    let remark = visitor.types("apply -f -");
    assert!(remark[0].starts_with("# "), "{remark:?}");
    assert_eq!(visitor.shell.waiting(), Some("apply -f -"));
    let wrong = Err("error: error parsing STDIN: yaml: line 1".to_owned());
    assert!(!visitor.shell.apply(wrong, &mut visitor.session));
    assert!(visitor.shell.waiting().is_some(), "it stays open");
    let document = |greeting: &str| {
        let text = format!(
            r#"{{"documents":[{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"a"}},"data":{{"greeting":"{greeting}"}}}}]}}"#
        );
        json::documents(&text)
    };
    assert!(visitor.shell.apply(document("hi"), &mut visitor.session));
    assert_eq!(visitor.read(), ["configmap/a created"]);
    assert_eq!(visitor.shell.waiting(), None);
    visitor.settle();
    visitor.types("apply -f -");
    assert!(visitor.shell.apply(document("ho"), &mut visitor.session));
    assert_eq!(visitor.read(), ["configmap/a configured"]);
    visitor.types("apply -f -");
    assert!(visitor.shell.apply(document("ho"), &mut visitor.session));
    assert_eq!(visitor.read(), ["configmap/a unchanged"]);
    let foreign = r#"{"documents":[{"apiVersion":"example.com/v1","kind":"DatabaseCluster","metadata":{"name":"a"},"spec":{"replicas":1,"version":"15.4"}}]}"#;
    visitor.types("apply -f -");
    assert!(
        !visitor
            .shell
            .apply(json::documents(foreign), &mut visitor.session)
    );
    assert_eq!(
        visitor.read(),
        [
            "! error: resource mapping not found for name: \"a\" namespace: \"\" from \"STDIN\": no matches for kind \"DatabaseCluster\" in version \"example.com/v1\"",
            "! ensure CRDs are installed first"
        ],
        "the namespace is the file's, which names none"
    );
}

#[test]
fn a_button_writes_its_command_into_the_history_and_what_came_of_it_below() {
    let mut visitor = visitor(&CONTROL_LOOP);
    visitor.presses(Stimulus::Scale {
        key: "default/production-postgres".into(),
        replicas: 4,
    });
    assert_eq!(
        visitor.read(),
        ["databasecluster.example.com/production-postgres patched"]
    );
    let line = visitor.shell.history.older("").expect("a line").to_owned();
    assert!(
        line.starts_with("kubectl patch databasecluster production-postgres"),
        "{line}"
    );
    // It can be typed again.
    visitor.settle();
    assert_eq!(
        visitor.types(&line),
        ["databasecluster.example.com/production-postgres patched (no change)"]
    );
}

#[test]
fn hostile_lines_are_answered_in_bounds_and_harmlessly() {
    let mut visitor = visitor(&CONFIG_MAP);
    let huge = "a".repeat(100_000);
    for line in [
        &huge,
        "<img src=x onerror=alert(1)>",
        "create cm <script>",
        "get cm \u{202e}gnp.exe",
        "get cm \u{1b}[2J\u{7}",
        "create cm a --from-literal='k=\u{1b}]0;x\u{7}'",
        "get 'cm",
        "get cm -o yaml",
    ] {
        visitor.types(line);
        visitor.settle();
    }
    let said = visitor.shell.said();
    let parts = said.iter().flat_map(|said| &said.parts);
    for part in parts {
        let odd = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t');
        assert!(!part.text.contains(odd), "{part:?}");
    }
    assert!(
        said.iter().all(|said| !said.line.contains('\u{1b}')),
        "what was typed is shown harmlessly, too"
    );
    for _ in 0..2 * LINES_MAX {
        visitor.types("help");
    }
    let lines = |visitor: &Visitor| {
        let parts = visitor.shell.said().iter().flat_map(|said| &said.parts);
        parts
            .map(|part| part.text.split('\n').count())
            .sum::<usize>()
    };
    assert!(lines(&visitor) <= LINES_MAX);
}

fn watched(shell: &Shell) -> usize {
    let parts = shell.said().iter().flat_map(|said| &said.parts);
    parts.filter(|part| part.tone == Tone::Watched).count()
}

fn remarks(shell: &Shell) -> Vec<String> {
    let parts = shell.said().iter().flat_map(|said| &said.parts);
    let remarks = parts.filter(|part| part.tone == Tone::Remark);
    remarks.map(|part| part.text.to_string()).collect()
}

#[test]
fn a_watch_tells_nothing_of_another_run_s_past() {
    let mut visitor = Visitor {
        session: Session::opening(&CONFIG_MAP),
        shell: Shell::default(),
    };
    assert_eq!(
        visitor.session.playhead().applied,
        0,
        "nothing has happened"
    );
    visitor.types("get cm -w");
    visitor.session.apply(Command::Scene(2));
    assert!(visitor.session.playhead().applied > 0);
    visitor.shell.look(&visitor.session);
    assert_eq!(watched(&visitor.shell), 0);
    // It goes on from there.
    assert!(visitor.shell.is_watching());
    visitor.types("label cm hello a=b --overwrite");
    assert!(remarks(&visitor.shell)[0].starts_with("Another run, at "));
    visitor.settle();
    assert!(watched(&visitor.shell) > 0);
}

#[test]
fn another_run_is_remarked_once_however_far_it_is() {
    let mut visitor = visitor(&CONFIG_MAP);
    visitor.session.apply(Command::Scene(2));
    visitor.types("get cm -w");
    let before = visitor.session.playhead().applied;
    visitor.session.apply(Command::Seed(1234));
    assert_eq!(
        visitor.session.playhead().applied,
        before,
        "just as far as before"
    );
    for _ in 0..3 {
        visitor.types("get cm");
    }
    assert_eq!(remarks(&visitor.shell).len(), 1);
    visitor.types("label cm hello a=b --overwrite");
    visitor.settle();
    assert!(watched(&visitor.shell) > 0, "it goes on in this run");
}

#[test]
fn a_watch_ends_with_its_chapter() {
    for (from, to) in [(&CONTROL_LOOP, &CONFIG_MAP), (&CONFIG_MAP, &CONTROL_LOOP)] {
        let mut visitor = Visitor {
            session: Session::opening(from),
            shell: Shell::default(),
        };
        visitor.types("get cm -w");
        visitor.types("apply -f -");
        visitor.session = Session::opening(to);
        visitor.session.apply(Command::Scene(2));
        visitor.shell.look(&visitor.session);
        assert!(!visitor.shell.is_watching());
        assert_eq!(visitor.shell.waiting(), None);
        assert_eq!(watched(&visitor.shell), 0);
        visitor.types("get cm");
        let remark = remarks(&visitor.shell).pop().expect("a remark");
        assert!(remark.starts_with("Another chapter, at "), "{remark}");
        assert!(remark.ends_with("The watch has ended."), "{remark}");
    }
}

#[test]
fn the_world_that_is_kept_is_the_world_that_is_seen_wherever_the_cursor_goes() {
    for chapter in [&CONTROL_LOOP, &CONFIG_MAP] {
        let mut visitor = visitor(chapter);
        let lines = [
            "get cm,dbc -A -o yaml",
            "get cm -A -o yaml",
            "apply -f nowhere.yaml",
        ];
        let agree = |visitor: &mut Visitor| {
            visitor.shell.look(&visitor.session);
            let (kept, anew) = (
                visitor.shell.world(&visitor.session),
                world(&visitor.session),
            );
            for line in lines {
                assert_eq!(evaluate(line, &kept).output, evaluate(line, &anew).output);
            }
            assert_eq!((&kept.files, &kept.served), (&anew.files, &anew.served));
        };
        agree(&mut visitor);
        let scenes = chapter.scenes.len();
        for scene in [scenes - 1, 0, 2, 1, scenes - 2] {
            visitor.session.apply(Command::Scene(scene));
            // Where nobody has looked, what is kept is not taken for what is seen.
            assert_eq!(
                evaluate(lines[1], &visitor.shell.world(&visitor.session)).output,
                evaluate(lines[1], &world(&visitor.session)).output
            );
            agree(&mut visitor);
            for _ in 0..3 {
                visitor
                    .session
                    .apply(Command::Step(Stride::Fact, Direction::Forward));
                agree(&mut visitor);
            }
        }
        for command in [Command::Undo, Command::Restart, Command::Seed(77)] {
            visitor.session.apply(command);
            agree(&mut visitor);
        }
    }
}

#[test]
fn what_objects_shows_of_an_object_is_what_get_prints() {
    for (chapter, kind, line) in [
        (
            &CONTROL_LOOP,
            Kind::DatabaseCluster,
            "get dbc production-postgres -o yaml",
        ),
        (&CONFIG_MAP, Kind::ConfigMap, "get cm hello -o yaml"),
    ] {
        let mut visitor = visitor(chapter);
        let printed = visitor.types(line);
        let world = visitor.shell.world(&visitor.session);
        let name = line.split(' ').nth(2).expect("a name");
        let object = world.find(kind, name).expect("an object");
        assert_eq!(as_yaml(object).split('\n').collect::<Vec<_>>(), printed);
        for part in ["apiVersion: ", "  uid: ", "  creationTimestamp: "] {
            let found = printed.iter().any(|line| line.starts_with(part));
            assert!(found, "{part}: {printed:?}");
        }
    }
}

#[test]
fn where_a_type_is_not_installed_every_command_says_so() {
    let mut visitor = visitor(&CONFIG_MAP);
    for line in [
        "get dbc",
        "get dbc -w",
        "describe dbc",
        "label dbc x a=b",
        "annotate dbc x a=b",
        "scale dbc x --replicas=3",
        "patch dbc x --type merge -p '{}'",
        "delete dbc x",
    ] {
        assert_eq!(
            visitor.types(line)[0],
            "! error: the server doesn't have a resource type \"dbc\"",
            "{line}"
        );
    }
    assert!(!visitor.shell.is_watching());
    let help = visitor.types("help").join("\n");
    assert!(help.contains("configmaps (cm)") && !help.contains("databaseclusters"));
    let world = visitor.shell.world(&visitor.session);
    let offered = |line: &str, world: &WorldView| complete(line, line.len(), world).words;
    assert_eq!(offered("get ", &world), ["configmaps"]);
    assert!(offered("scale ", &world).is_empty());
    let first = world_of(&CONTROL_LOOP);
    assert_eq!(offered("get ", &first), ["configmaps", "databaseclusters"]);
    assert_eq!(offered("scale ", &first), ["databaseclusters"]);
}

fn world_of(chapter: &'static Chapter) -> WorldView {
    world(&Session::opening(chapter))
}
