//! The console's table of commands and errors: input, output, requests.

use super::{Session, shown};
use loopscope::console::{Completion, History, Request, WorldView, complete, evaluate, refused};
use loopscope::engine::apiserver::{ApiError, Kind, MergePatch, Object};
use loopscope::engine::stimulus::Stimulus;
use loopscope::engine::{SimTime, apiserver::Version};
use std::rc::Rc;

/// Two config maps and two database clusters.
fn session() -> Session {
    let mut session = Session::default();
    let cluster = |name: &str, replicas: u32| {
        format!(
            r#"{{"apiVersion":"example.com/v1","kind":"DatabaseCluster","metadata":{{"name":"{name}"}},"spec":{{"replicas":{replicas},"version":"15.4"}}}}"#
        )
    };
    for text in [
        cluster("production-postgres", 3),
        cluster("staging-postgres", 1),
    ] {
        session.stdin = vec![loopscope::console::json::parse(&text).unwrap()];
        session.ask("apply -f -");
    }
    session.stdin.clear();
    session.ask("create cm hello --from-literal=greeting=world");
    session.ask("create cm other -n elsewhere");
    session.ask("label cm hello managed-by=configmap-controller tier=1");
    session
}

#[track_caller]
fn prints(session: &mut Session, line: &str, expected: &str) {
    let lines = shown(&session.ask(line).output).join("\n");
    assert_eq!(lines, expected, "{line}");
}

/// What no recording has: texts of the server, and what is this console's own.
#[test]
fn errors_have_the_shape_of_the_real_ones_and_change_nothing() {
    let table = [
        ("", ""),
        ("$", ""),
        ("kubectl", ""),
        (
            "edit cm hello",
            "! error: kubectl has \"edit\", this console has not. Try \"help\".",
        ),
        (
            "create ns foo",
            "! error: kubectl has \"create ns\", this console has not. Try \"help\".",
        ),
        (
            "create deployment web --image=nginx",
            "! error: kubectl has \"create deployment\", this console has not. Try \"help\".",
        ),
        (
            "gte cm",
            "! error: unknown command \"gte\" for \"kubectl\"\n!\n! Did you mean this?\n! \tget",
        ),
        (
            "list cm",
            "! error: unknown command \"list\" for \"kubectl\"\n!\n! Did you mean this?\n! \tget",
        ),
        (
            "get cm | wc -l",
            "! This is not a shell: `|` does nothing here. Put it in quotes if you mean it.",
        ),
        (
            "annotate cm hello a='b",
            "! -bash: unexpected EOF while looking for matching `''",
        ),
        (
            "scale cm hello --replicas=3",
            "! Error from server (NotFound): the server could not find the requested resource",
        ),
        (
            "scale dbc production-postgres --replicas=10",
            "! The DatabaseCluster \"production-postgres\" is invalid: spec.replicas: Invalid value: 10: spec.replicas in body should be less than or equal to 9",
        ),
        (
            "patch cm hello --type merge -p '{'",
            "! Error from server (BadRequest): error decoding patch: unexpected end of JSON input",
        ),
        (
            "patch cm hello --type merge -p '{\"a\":}'",
            "! Error from server (BadRequest): error decoding patch: invalid character '}' looking for beginning of value",
        ),
        (
            "patch cm hello --type merge -p '[1]'",
            "! Error from server (BadRequest): error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
        ),
        (
            "patch cm hello --type merge -p '{\"spec\":{\"a\":1}}'",
            "! Warning: unknown field \"spec\"\nconfigmap/hello patched (no change)",
        ),
        (
            "patch cm hello --type merge -p '{\"metadata\":{\"name\":\"b\"}}'",
            "! Error from server (BadRequest): the name of the object (b) does not match the name on the URL (hello)",
        ),
        (
            "patch cm hello --type json -p '[]'",
            "! error: This console takes --type merge and strategic, no JSON patches.",
        ),
        (
            "patch cm hello --type merge -p 'data: x'",
            "! error: unable to parse \"data: x\": this console takes patches as JSON",
        ),
        (
            "patch dbc production-postgres --type merge -p '{\"spec\":{\"replicas\":\"5\"}}'",
            "! The DatabaseCluster \"production-postgres\" is invalid: spec.replicas: Invalid value: \"string\": spec.replicas in body must be of type integer: \"string\"",
        ),
        (
            "patch dbc production-postgres --type merge -p '{\"spec\":{\"replicas\":-1,\"version\":null}}'",
            "! The DatabaseCluster \"production-postgres\" is invalid: \n! * spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0\n! * spec.version: Required value",
        ),
        (
            "label cm hello 'a b=1'",
            "! The ConfigMap \"hello\" is invalid: metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        ),
        (
            "get cm -o foo",
            "! error: unable to match a printer suitable for the output format \"foo\", allowed formats are: json,name,wide,yaml",
        ),
        ("apply -f -", "! error: no objects passed to apply"),
        (
            "create cm x -n nowhere",
            "! error: failed to create configmap: namespaces \"nowhere\" not found",
        ),
        (
            "create cm 'a\u{1b}[31m'",
            "! error: failed to create configmap: ConfigMap \"a\\x1b[31m\" is invalid: metadata.name: Invalid value: \"a\\x1b[31m\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        ),
    ];
    let mut session = session();
    let revision = session.store.revision();
    for (line, expected) in table {
        prints(&mut session, line, expected);
        assert_eq!(session.store.revision(), revision, "{line}");
    }
    let reply = session.ask("patch cm hello --type merge -p '{\"data\":{\"a\":1}}'");
    let text = &reply.output[0].text;
    assert!(
        text.starts_with("The request is invalid: patch: Invalid value: \"{\\\"apiVersion\\\""),
        "{text}"
    );
    assert!(text.ends_with(
        "json: cannot unmarshal number into Go struct field ConfigMap.data of type string"
    ));
    assert!(session.ask("apply -f -").wants_editor);
}

#[test]
fn the_article_s_session() {
    let mut session = Session::default();
    let steps = [
        (
            "kubectl create configmap hello --from-literal=greeting=world",
            "configmap/hello created",
        ),
        (
            "k get configmap hello --show-labels",
            "NAME    DATA   AGE    LABELS\nhello   1      2m5s   <none>",
        ),
        (
            "$ kubectl label configmap hello managed-by=configmap-controller",
            "configmap/hello labeled",
        ),
        (
            "kubectl label configmap hello managed-by-",
            "configmap/hello unlabeled",
        ),
        (
            "kubectl delete configmap hello",
            "configmap \"hello\" deleted from default namespace",
        ),
    ];
    for (line, expected) in steps {
        prints(&mut session, line, expected);
    }
    assert_eq!(session.store.revision(), 4);
}

#[test]
fn requests_are_absolute_and_hold_no_text() {
    let mut session = session();
    let reply = session.ask("label cm hello tier- managed-by=x --overwrite");
    let patch = MergePatch {
        labels: [
            ("tier".into(), None),
            ("managed-by".into(), Some("x".into())),
        ]
        .into(),
        ..MergePatch::default()
    };
    let expected = Request::Patch {
        kind: Kind::ConfigMap,
        namespace: "default".into(),
        name: "hello".into(),
        patch,
    };
    assert_eq!(reply.requests, [expected]);
    // A whole section at once.
    let reply = session
        .ask("patch cm hello --type merge -p '{\"data\":null,\"metadata\":{\"labels\":{}}}'");
    let [Request::Patch { patch, .. }] = &*reply.requests else {
        panic!("{reply:?}");
    };
    assert_eq!(patch.data, [("greeting".into(), None)].into());
    assert!(patch.labels.is_empty());
    assert_eq!(session.ask("delete dbc --all").requests.len(), 2);
}

#[test]
fn an_object_that_is_being_deleted_takes_no_new_finalizer() {
    let mut session = session();
    let patch = |names: &str| {
        format!("patch cm hello --type merge -p '{{\"metadata\":{{\"finalizers\":{names}}}}}'")
    };
    prints(&mut session, &patch("[\"a/b\"]"), "configmap/hello patched");
    session.ask("delete cm hello");
    prints(
        &mut session,
        &patch("[\"a/b\",\"c/d\"]"),
        "! The ConfigMap \"hello\" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{\"c/d\"}",
    );
    prints(&mut session, &patch("null"), "configmap/hello patched");
    prints(
        &mut session,
        "get cm",
        "! No resources found in default namespace.",
    );
}

#[test]
fn requests_about_databases_are_stimuli() {
    let mut session = session();
    let mut stimuli = |line: &str| -> Vec<Stimulus> {
        let reply = session.ask(line);
        reply
            .requests
            .iter()
            .flat_map(|request| request.stimuli().expect("a stimulus"))
            .collect()
    };
    let key = || "default/production-postgres".into();
    assert_eq!(
        stimuli("scale dbc production-postgres --replicas=5"),
        [Stimulus::Scale {
            key: key(),
            replicas: 5
        }]
    );
    assert_eq!(
        stimuli(
            "patch dbc production-postgres --type merge -p '{\"spec\":{\"replicas\":2,\"version\":\"15.5\"}}'"
        ),
        [
            Stimulus::Upgrade {
                key: key(),
                version: Version::new(15, 5)
            },
            Stimulus::Scale {
                key: key(),
                replicas: 2
            },
        ]
    );
    assert_eq!(
        stimuli("delete dbc/production-postgres"),
        [Stimulus::Delete { key: key() }]
    );
}

#[test]
fn a_watch_prints_a_row_for_each_event() {
    let mut session = session();
    let mut watch = session.ask("get cm hello -w --show-labels").watch.unwrap();
    let world = session.world();
    let reply = evaluate("get cm -A -w", &world);
    assert_eq!(reply.output.len(), 3);
    let mut everywhere = reply.watch.unwrap();
    session.ask("label cm hello tier-");
    let objects: Vec<_> = session.store.of_kind(Kind::ConfigMap).cloned().collect();
    let now = SimTime::from_millis(3000);
    let mut rows = |object| {
        (
            shown(&watch.lines(object, now)),
            shown(&everywhere.lines(object, now)),
        )
    };
    assert_eq!(
        rows(&objects[0]),
        (
            vec!["hello   1      3s     managed-by=configmap-controller".to_owned()],
            vec!["default     hello   1      3s".to_owned()]
        )
    );
    assert_eq!(
        rows(&objects[1]),
        (vec![], vec!["elsewhere   other   0      3s".to_owned()])
    );
    let reply = session.ask("get dbc -w -n other");
    assert_eq!(reply.output, [], "there is nothing to say yet");
    let mut empty = reply.watch.unwrap();
    let mut object = loopscope::engine::apiserver::Object::database(
        loopscope::engine::apiserver::DatabaseSpec {
            replicas: 3,
            version: "15.4".parse().unwrap(),
        },
    );
    object.meta = loopscope::engine::apiserver::ObjectMeta::named("other", "long-name");
    let first = shown(&empty.lines(&object.clone().into(), now));
    assert_eq!(first[0], "NAME        REPLICAS   VERSION   AGE");
    object.meta.name = "x".into();
    let second = shown(&empty.lines(&object.into(), now));
    assert_eq!(second, ["x           3          15.4      <unknown>"]);
    assert!(session.ask("get cm x -w").watch.is_none());
    assert!(session.ask("get cm").watch.is_none());
}

#[test]
fn completion_knows_commands_types_names_flags_and_labels() {
    let table: [(&str, usize, &[&str]); 24] = [
        ("g", 0, &["get"]),
        ("kubectl d", 8, &["delete", "describe"]),
        ("get ", 4, &["configmaps", "databaseclusters"]),
        ("get conf", 4, &["configmaps"]),
        ("get cm ", 7, &["hello"]),
        ("get cm -n ", 10, &["default", "elsewhere", "other"]),
        ("get cm -n elsewhere ", 20, &["other"]),
        ("-n elsewhere get cm ", 20, &["other"]),
        ("get cm/h", 4, &["cm/hello"]),
        ("get dbc staging-postgres ", 25, &["production-postgres"]),
        ("get cm -o ", 10, &["json", "name", "wide", "yaml"]),
        ("get cm --output=y", 7, &["--output=yaml"]),
        ("get cm --sh", 7, &["--show-labels"]),
        ("scale ", 6, &["databaseclusters"]),
        ("scale dbc staging-postgres --r", 27, &["--replicas="]),
        (
            "label cm hello ",
            15,
            &["managed-by-", "managed-by=", "tier-", "tier="],
        ),
        ("label cm/hello ma", 15, &["managed-by-", "managed-by="]),
        ("label --overwrite cm hello t", 27, &["tier-", "tier="]),
        ("annotate cm hello ", 18, &[]),
        ("patch cm hello --type ", 22, &["merge", "strategic"]),
        ("create ", 7, &["configmap"]),
        ("apply -f ", 9, &["-"]),
        ("help de", 5, &["delete", "describe"]),
        ("nonsense ", 9, &[]),
    ];
    let world = session().world();
    for (line, start, words) in table {
        let found = complete(line, line.len(), &world);
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(found, Completion { start, words }, "{line:?}");
    }
    assert_eq!(complete("get cm x", 2, &world).words, ["get"]);
}

#[test]
fn help_names_every_command_and_its_flags() {
    let mut session = session();
    let text = shown(&session.ask("help").output).join("\n");
    for verb in [
        "create", "get", "describe", "label", "annotate", "patch", "scale", "delete", "apply",
    ] {
        assert!(text.contains(&format!("\n  {verb} ")), "{text}");
        let long = shown(&session.ask(&format!("{verb} --help")).output);
        assert_eq!(shown(&session.ask(&format!("help {verb}")).output), long);
        assert!(
            long.iter().any(|line| line.starts_with("  kubectl ")),
            "{long:?}"
        );
    }
    assert!(text.contains("(cm)") && text.contains("(dbc)"));
    assert!(text.lines().count() < 24, "it fits on a screen");
}

#[test]
fn a_world_in_which_nothing_has_happened_is_empty() {
    let world = WorldView::of_records(SimTime::ZERO, &loopscope::engine::Keys::default(), []);
    assert_eq!(
        shown(&evaluate("get dbc", &world).output),
        ["! No resources found in default namespace."]
    );
    let mut history = History::default();
    history.push("get dbc");
    assert_eq!(history.older(""), Some("get dbc"));
}

#[test]
fn the_buttons_and_the_console_allow_as_many_replicas() {
    assert_eq!(
        loopscope::console::REPLICAS_MAX,
        loopscope::session::REPLICAS_MAX
    );
}

/// As the YAML and the JSON printer of `k8s.io/cli-runtime/pkg/printers` do it: the list's items are
/// printed one by one, and a line divides documents from the second on.
#[test]
fn a_watch_prints_each_object_alone() {
    let mut session = session();
    session.ask("create cm second");
    for (format, begins) in [("yaml", "apiVersion: v1"), ("json", "{")] {
        let line = format!("get cm -w -o {format}");
        let mut reply = session.ask(&line);
        let mut lines = shown(&reply.output);
        assert!(!lines.iter().any(|line| line.contains("List")), "{line}");
        let count = |lines: &[String]| lines.iter().filter(|line| *line == begins).count();
        assert_eq!((lines[0].as_str(), count(&lines)), (begins, 2));
        let watch = reply.watch.as_mut().expect("a watch");
        let changed = Object::config_map("default", "third");
        lines.extend(shown(&watch.lines(&Rc::new(changed), SimTime::ZERO)));
        assert_eq!(count(&lines), 3);
        let divided = lines.iter().filter(|line| *line == "---").count();
        assert_eq!(divided, if format == "yaml" { 2 } else { 0 });
    }
    // Where there was nothing, the first document comes with the first change.
    let mut reply = session.ask("get cm -n other -w -o yaml");
    assert!(reply.output.is_empty());
    let watch = reply.watch.as_mut().expect("a watch");
    let first = Rc::new(Object::config_map("other", "first"));
    let mut begins = || shown(&watch.lines(&first, SimTime::ZERO))[0].clone();
    assert_eq!([begins(), begins()], ["apiVersion: v1", "---"]);
}

#[test]
fn what_the_api_server_refuses_is_told_as_kubectl_tells_it() {
    let table = [
        (
            ApiError::NotFound,
            "Error from server (NotFound): configmaps \"a\" not found",
        ),
        (
            ApiError::AlreadyExists,
            "Error from server (AlreadyExists): configmaps \"a\" already exists",
        ),
        (
            ApiError::Conflict,
            "Error from server (Conflict): Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please apply your changes to the latest version and try again",
        ),
        (
            ApiError::BadRequest,
            "Error from server (BadRequest): the server rejected our request for an unknown reason",
        ),
        (ApiError::Invalid, "The ConfigMap \"a\" is invalid"),
        (
            ApiError::ServiceUnavailable,
            "Error from server (ServiceUnavailable): the server is currently unable to handle the request",
        ),
    ];
    for (error, told) in table {
        assert_eq!(refused(error, Kind::ConfigMap, "a"), told);
    }
}
