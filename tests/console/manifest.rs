//! YAML: read as Kubernetes reads it, and what the console writes is read back.

use super::{Session, shown};
use loopscope::console::MANIFEST_MAX;
use loopscope::console::manifest::{DOCUMENTS_MAX, answer, read};
use loopscope::console::{Value, json, yaml};
use proptest::prelude::*;

/// What kubectl 1.33 made of the same manifest.
#[test]
fn plain_words_mean_what_they_mean_to_kubernetes() {
    let text = "a: yes\nb: on\nc: 012\nd: 1.50\ne: ~\nf: 2001-01-01\ng: 0o17\nh: y\ni: 1:30\nj: \"x\"\nk: 1_000\nl: .5\nm: 0x1F\n";
    let expected = r#"{"a":true,"b":true,"c":10,"d":1.5,"e":null,"f":"2001-01-01","g":15,"h":true,"i":"1:30","j":"x","k":1000,"l":0.5,"m":31}"#;
    assert_eq!(read(text).unwrap()[0].compact(), expected);
    let text = "a: !!str 1\nb: '1'\nc: |\n  x\n  y\n1: d\n";
    let expected = r#"{"1":"d","a":"1","b":"1","c":"x\ny\n"}"#;
    assert_eq!(read(text).unwrap()[0].compact(), expected);
}

#[test]
fn a_manifest_is_applied() {
    let mut session = Session::default();
    let text = "# two of them\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: hello\ndata:\n  greeting: world\n---\napiVersion: example.com/v1\nkind: DatabaseCluster\nmetadata: {name: production-postgres}\nspec: {replicas: 3, version: \"15.4\"}\n";
    session.stdin = json::documents(&answer(text)).unwrap();
    let lines = shown(&session.ask("apply -f -").output);
    assert_eq!(
        lines,
        [
            "configmap/hello created",
            "databasecluster.example.com/production-postgres created"
        ]
    );
    let lines = shown(&session.ask("apply -f -").output);
    assert_eq!(
        lines,
        [
            "configmap/hello unchanged",
            "databasecluster.example.com/production-postgres unchanged"
        ]
    );
}

#[test]
fn what_is_wrong_with_a_manifest_is_told() {
    let table = [
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: t}\ndata: {a: yes}\n",
            "! Error from server (BadRequest): error when creating \"STDIN\": ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal bool into Go struct field ConfigMap.data of type string",
        ),
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: t}\ndat: {a: b}\n",
            "! Error from server (BadRequest): error when creating \"STDIN\": ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: unknown field \"dat\"",
        ),
        (
            "apiVersion: example.com/v1\nkind: DatabaseCluster\nmetadata: {name: t}\nspec: {replicas: 3, version: 15.4}\n",
            "! The DatabaseCluster \"t\" is invalid: spec.version: Invalid value: \"number\": spec.version in body must be of type string: \"number\"",
        ),
    ];
    for (text, expected) in table {
        let mut session = Session {
            stdin: read(text).unwrap(),
            ..Session::default()
        };
        assert_eq!(
            shown(&session.ask("apply -f -").output),
            [expected],
            "{text}"
        );
        assert_eq!(session.store.revision(), 0);
    }
}

#[test]
fn what_is_no_yaml_is_refused_with_the_line() {
    for (text, expected) in [
        ("a: b: c\n", "line 1: "),
        ("a: 1\na: 2\n", "line 2: key \"a\" already set in map"),
        ("a: &x 1\nb: *x\n", "line 2: aliases are not taken here"),
        ("<<: {a: 1}\n", "line 1: merge keys"),
        ("[a]: 1\n", "line 1: invalid map key"),
        ("a: !foo 1\n", "line 1: unknown tag"),
        ("a: [1\n", "line "),
        ("\"a", "line "),
    ] {
        let why = read(text).unwrap_err();
        let prefix = "error: error parsing STDIN: error converting YAML to JSON: yaml: ";
        assert!(
            why.starts_with(&format!("{prefix}{expected}")),
            "{text:?}: {why}"
        );
        assert_eq!(json::documents(&answer(text)), Err(why));
    }
}

#[test]
fn everything_has_a_bound() {
    assert!(read(&"x".repeat(MANIFEST_MAX + 1)).is_err());
    assert!(read(&"- ".repeat(MANIFEST_MAX / 2)).is_err());
    assert!(read(&"[".repeat(MANIFEST_MAX)).is_err());
    assert!(read(&"{a: ".repeat(MANIFEST_MAX / 4)).is_err());
    assert!(read(&"---\na\n".repeat(DOCUMENTS_MAX + 1)).is_err());
    assert_eq!(
        read(&"---\na\n".repeat(DOCUMENTS_MAX)).unwrap().len(),
        DOCUMENTS_MAX
    );
    assert_eq!(read("---\n# nothing\n---\n"), Ok(Vec::new()));
    assert!(json::documents("").is_err());
}

fn round(text: &str, key: &str) -> Result<(), TestCaseError> {
    let value = Value::Object(
        [
            (key.into(), Value::string(text)),
            (
                "list".into(),
                Value::Array(vec![
                    Value::string(text),
                    Value::Object([(key.into(), Value::string(text))].into()),
                ]),
            ),
            ("empty".into(), Value::Object([].into())),
            ("none".into(), Value::Array(vec![])),
            ("number".into(), Value::number(3)),
            ("null".into(), Value::Null),
            ("true".into(), Value::Bool(true)),
        ]
        .into(),
    );
    let written = yaml::emit(&value);
    prop_assert_eq!(read(&written), Ok(vec![value]), "{}", written);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn what_is_written_is_read_back(text in any::<String>(), key in "[-._a-zA-Z0-9]{1,40}") {
        round(&text, &key)?;
    }

    #[test]
    fn words_that_look_like_something_else_are_read_back(text in "[-+.:0-9xobe_ #,\\[\\]{}&*!|>'\"%@`?~=yYnNoO<\n]{0,12}") {
        round(&text, "k")?;
        let name = text.replace('\n', "");
        // The sign of a merge: kubectl prints it as it is, and nothing may be named so.
        prop_assume!(name != "<<");
        round(&text, &name)?;
    }

    #[test]
    fn long_texts_are_read_back(text in "([a-z]{1,9} {1,2}|\n|\t|'|\"|: |\u{fc}){0,60}") {
        round(&text, "k")?;
    }

    #[test]
    fn any_text_is_answered(text in "(\\PC|\n|  |: |- |[\\[\\]{}&*!|>'\"#]){0,80}") {
        let _ = json::documents(&answer(&text));
    }
}
