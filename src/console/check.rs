//! What may be a label, an annotation, a key, a name.
//!
//! Mirrors `k8s.io/apimachinery/pkg/util/validation/validation.go`, with its words. Each answers
//! with what is wrong.

use crate::engine::apiserver::is_valid_name;

const QUALIFIED: &str = "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

fn is_word(text: &str) -> bool {
    let edge = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    edge(bytes.first()) && edge(bytes.last()) && is_inner(text)
}

fn is_inner(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

fn too_long(text: &str, most: usize) -> Option<String> {
    (text.len() > most).then(|| format!("must be no more than {most} characters"))
}

/// A label's value.
pub fn label_value(value: &str) -> Vec<String> {
    let wrong = !value.is_empty() && !is_word(value);
    let form = wrong.then(|| format!("a valid label must be an empty string or {QUALIFIED} (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"));
    too_long(value, 63).into_iter().chain(form).collect()
}

/// The name of a label or an annotation, with or without a prefix.
pub fn qualified_name(name: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let word = match name.split_once('/') {
        None => name,
        Some((_, word)) if word.contains('/') => {
            return vec![format!(
                "a qualified name must {QUALIFIED} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
        Some(("", word)) => {
            wrong.push("prefix part must be non-empty".to_owned());
            word
        }
        Some((prefix, word)) => {
            if !is_valid_name(prefix) {
                wrong.push(format!("prefix part {SUBDOMAIN}"));
            }
            word
        }
    };
    if word.is_empty() {
        wrong.push("name part must be non-empty".to_owned());
    }
    wrong.extend(too_long(word, 63).map(|why| format!("name part {why}")));
    if !is_word(word) {
        wrong.push(format!("name part must {QUALIFIED} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"));
    }
    wrong
}

const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/// An object's name.
pub fn object_name(name: &str) -> Option<String> {
    (!is_valid_name(name)).then(|| SUBDOMAIN.to_owned())
}

/// A key in a config map's data.
pub fn data_key(key: &str) -> Vec<String> {
    let mut wrong: Vec<String> = too_long(key, 253).into_iter().collect();
    if key.is_empty() || !is_inner(key) {
        wrong.push("a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')".into());
    }
    match key {
        "." => wrong.push("must not be '.'".into()),
        ".." => wrong.push("must not be '..'".into()),
        _ if key.starts_with("..") => wrong.push("must not start with '..'".into()),
        _ => {}
    }
    wrong
}
