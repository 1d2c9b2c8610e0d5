//! Hostile input: nothing panics, everything has a bound.

use super::Session;
use loopscope::console::{
    LINE_MAX, Line, OUTPUT_MAX, Value, WorldView, complete, evaluate, json, split, tree, yaml,
};
use loopscope::engine::SimTime;
use loopscope::engine::apiserver::{Body, ConfigMap, Object};
use proptest::prelude::*;
use std::rc::Rc;

fn is_harmless(line: &Line) -> bool {
    line.text
        .chars()
        .all(|letter| letter == '\t' || !letter.is_control())
}

#[track_caller]
fn survives(line: &str, world: &WorldView) {
    let reply = evaluate(line, world);
    assert!(reply.output.len() <= OUTPUT_MAX + 1);
    assert!(reply.output.iter().all(is_harmless), "{line:?}");
    for cursor in [0, line.len() / 2, line.len(), line.len() + 9] {
        assert!(complete(line, cursor, world).words.len() <= 100);
    }
}

fn world() -> WorldView {
    let mut session = Session::default();
    session.ask("create cm hello --from-literal=greeting=world");
    session.ask("annotate cm hello 'note=\u{1b}[31mred\u{202e}\u{7}'");
    session.world()
}

#[test]
fn nothing_that_is_typed_panics() {
    let world = world();
    let long = "x".repeat(LINE_MAX);
    let deep = "[".repeat(LINE_MAX / 2);
    let lines = [
        "\0".to_owned(),
        "\u{1b}[2J".into(),
        "get cm \u{202e}x".into(),
        "get cm -\u{fc}".into(),
        "get cm --\u{fc}=\u{fc}".into(),
        "get \u{fc}/\u{fc}".into(),
        "get cm '\u{1f600}'".into(),
        "label cm hello \u{fc}=\u{fc} -".into(),
        "describe cm hello".into(),
        "get cm hello -o yaml".into(),
        "get cm hello -o json".into(),
        "scale dbc a --replicas=18446744073709551616".into(),
        "-".into(),
        "--".into(),
        "-- -- --".into(),
        "-n".into(),
        "-n -n -n".into(),
        "get cm -o".into(),
        "get ,,,, ,,,,".into(),
        "get //// /".into(),
        format!("get cm {long}"),
        format!("{long} cm"),
        format!("get cm {}", "a ".repeat(LINE_MAX / 3)),
        format!("get {} x", "cm,".repeat(LINE_MAX / 4)),
        format!("get cm {}", "'".repeat(LINE_MAX / 2 - 1)),
        format!("patch cm hello --type merge -p '{{\"a\":{deep}'"),
        format!(
            "patch cm hello --type merge -p '{}'",
            "{\"a\":".repeat(3000)
        ),
        format!(
            "patch cm hello --type merge -p '{{\"a\":{}{}}}'",
            "[".repeat(64),
            "]".repeat(64)
        ),
        r#"patch cm hello --type merge -p '{"a":"\ud800\udc00\ud800x\uDFFF"}'"#.into(),
        r#"patch cm hello --type merge -p '{"metadata":{"resourceVersion":"-1"}}'"#.into(),
        r#"patch cm hello --type merge -p '{"metadata":[]}'"#.into(),
        r#"patch cm hello --type merge -p '{"metadata":null}'"#.into(),
        r#"patch cm hello --type merge -p '{"metadata":{"ownerReferences":[{"a":1}]}}'"#.into(),
    ];
    for line in &lines {
        survives(line, &world);
        survives(&line.replace("cm", "dbc"), &world);
    }
}

#[test]
fn what_hides_itself_is_shown() {
    let hidden = "\u{61c}\u{ad}\u{180e}\u{200b}\u{202e}\u{2066}\u{206f}\u{feff}\u{fff9}\u{fffb}\u{e0000}\u{e0041}\u{e007f}";
    let shown = Line::out(hidden).text;
    assert_eq!(shown, "\u{fffd}".repeat(hidden.chars().count()));
    let reply = evaluate("get cm 'a\u{ad}\u{e0041}'", &world());
    let text = &reply.output[0].text;
    assert!(text.contains(r#""a\u00ad\U000e0041" not found"#), "{text}");
    // Letters and pictures of every kind are none.
    for seen in ["ü", "日本", "\u{1f642}", "שלום"] {
        assert_eq!(Line::out(seen).text, seen);
    }
}

#[test]
fn a_line_of_a_megabyte_is_refused_before_it_is_looked_at() {
    let line = format!(
        "patch cm hello --type merge -p '{{\"data\":{{\"a\":\"{}\"}}}}'",
        "x".repeat(1 << 20)
    );
    let reply = evaluate(&line, &world());
    assert!(reply.requests.is_empty());
    assert_eq!(
        reply.output[0].text,
        "-bash: kubectl: Argument list too long"
    );
    assert!(complete(&line, line.len(), &world()).words.is_empty());
}

#[test]
fn many_objects_are_printed_up_to_a_bound() {
    let objects = (0..2000).map(|n| Rc::new(Object::config_map("default", &format!("cm-{n:04}"))));
    let world = WorldView::new(SimTime::ZERO, objects);
    let reply = evaluate("get cm -o yaml", &world);
    assert_eq!(reply.output.len(), OUTPUT_MAX + 1);
    assert_eq!(reply.output[OUTPUT_MAX].text, "(and more lines)");
    survives("describe cm", &world);
    survives("delete cm --all", &world);
    assert_eq!(complete("get cm ", 7, &world).words.len(), 100);
}

#[test]
fn nesting_has_a_bound() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(json::parse(&nested(json::DEPTH_MAX)).is_ok());
    assert!(json::parse(&nested(json::DEPTH_MAX + 2)).is_err());
    assert!(json::parse(&nested(1 << 20)).is_err());
}

/// A config map with this text in every place that takes any text.
fn holding(text: &str) -> Value {
    let mut object = Object::config_map("default", "x");
    object.body = Body::ConfigMap(ConfigMap {
        data: [("key".into(), text.into())].into(),
    });
    object.meta.annotations.insert("note".into(), text.into());
    tree(&object)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_line_is_answered(line in "\\PC*") {
        survives(&line, &world());
    }

    #[test]
    fn any_words_after_a_command_are_answered(
        verb in "(get|describe|label|annotate|patch|scale|delete|apply|create|help)",
        words in proptest::collection::vec("(cm|dbc|hello|cm/hello|-[A-Za-z]|--[a-z-]{1,12}|[a-z]=[a-z]?|[a-z]-|'[^']*'|\\PC{0,6})", 0..7),
    ) {
        survives(&format!("{verb} {}", words.join(" ")), &world());
    }

    /// `Session::ask` asserts that the API server takes every request.
    #[test]
    fn what_the_console_asks_is_what_the_api_server_takes(
        lines in proptest::collection::vec((
            "(create cm|label|annotate|patch|scale|delete|apply -f -)",
            "(cm|dbc|cm/x|dbc/y|x|)( (x|y|z))?( (x|y))?",
            "(|a=b|a-|c=|a=b c-|--all|--all a=1|--overwrite a=2|--replicas=[0-9]{1,2}|--from-literal=[a-c]=1|-n other)",
            prop_oneof![
                Just(""),
                Just("--type merge -p '{\"data\":{\"a\":null,\"b\":\"c\"}}'"),
                Just("--type merge -p '{\"data\":null,\"metadata\":{\"labels\":null}}'"),
                Just("--type merge -p '{\"metadata\":{\"finalizers\":[\"a/b\"]}}'"),
                Just("--type merge -p '{\"metadata\":{\"finalizers\":[\"c/d\"]}}'"),
                Just("--type merge -p '{\"metadata\":{\"finalizers\":null,\"resourceVersion\":\"3\"}}'"),
                Just("--type merge -p '{\"spec\":{\"replicas\":4,\"version\":\"16.1\"}}'"),
                Just("--type merge -p '{\"spec\":null}'"),
            ],
        ), 0..12),
    ) {
        let mut session = Session {
            stdin: [
                r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","labels":{"a":"0"}},"data":{"k":"v"}}"#,
                r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}"#,
                r#"{"apiVersion":"example.com/v1","kind":"DatabaseCluster","metadata":{"name":"y"},"spec":{"replicas":3,"version":"15.4"}}"#,
            ].map(|text| json::parse(text).unwrap()).to_vec(),
            ..Session::default()
        };
        session.ask("create cm x --from-literal=a=1");
        for (verb, objects, pairs, patch) in lines {
            session.ask(&format!("{verb} {objects} {pairs} {patch}"));
        }
    }

    #[test]
    fn words_in_single_quotes_come_back_as_they_were(words in proptest::collection::vec("[^\0]*", 0..5)) {
        let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
        prop_assert_eq!(split(&quoted.join(" ")), Ok(words));
    }

    #[test]
    fn json_is_read_as_it_was_written(text in any::<String>()) {
        let value = holding(&text);
        prop_assert_eq!(json::parse(&value.compact()), Ok(value.clone()));
        prop_assert_eq!(json::parse(&value.indented()), Ok(value));
    }

    #[test]
    fn json_agrees_with_serde_on_what_is_json(text in "[\\[\\]{}:,\"0-9a-f.eE+ntrul\\\\ -]{0,24}") {
        let ours = json::parse(&text).is_ok();
        let theirs = match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(_) => true,
            // Numbers beyond its range and halves of pairs are JSON all the same.
            Err(why) => why.to_string().contains("number out of range") || why.to_string().contains("surrogate"),
        };
        prop_assert!(ours == theirs || text.contains("\\u"), "{text}: {ours}");
    }

    #[test]
    fn yaml_is_written_in_lines_without_control_characters(text in any::<String>()) {
        let yaml = yaml::emit(&holding(&text));
        prop_assert!(yaml.chars().all(|letter| letter == '\n' || !letter.is_control()));
    }
}
