//! A tree of values as YAML, as kubectl writes it.
//!
//! Mirrors the emitter of `sigs.k8s.io/yaml/goyaml.v2` in the shapes that occur here: block style,
//! sorted names, no anchors. A string is plain where it would be read back as the same string, else
//! in single quotes, in double quotes where those do not do either or where it would be read as
//! something else; a text of several lines is a literal block. Long words break after column 80.
//!
//! Left out on purpose: names of more than 128 characters are written as other names are, where
//! upstream writes `? name`.

use super::json::{Members, Value};
use super::scalar::{Scalar, resolve};

/// After this column a line is broken at the next blank.
const WIDTH: usize = 80;

/// The value as a document, ending with a line's end.
pub fn emit(value: &Value) -> String {
    let mut text = String::new();
    match value {
        Value::Object(members) if !members.is_empty() => object(&mut text, members, 0, false),
        Value::Array(values) if !values.is_empty() => array(&mut text, values, 0),
        _ => leaf(&mut text, value, 0),
    }
    text
}

fn indent(text: &mut String, level: usize) {
    text.extend(std::iter::repeat_n("  ", level));
}

/// `begun`: the first name goes on the line that is there.
fn object(text: &mut String, members: &Members, level: usize, mut begun: bool) {
    for (name, value) in members {
        if !std::mem::take(&mut begun) {
            indent(text, level);
        }
        string(text, name, level, true);
        text.push(':');
        match value {
            Value::Object(members) if !members.is_empty() => {
                text.push('\n');
                object(text, members, level + 1, false);
            }
            Value::Array(values) if !values.is_empty() => {
                text.push('\n');
                array(text, values, level);
            }
            _ => {
                text.push(' ');
                leaf(text, value, level);
            }
        }
    }
}

fn array(text: &mut String, values: &[Value], level: usize) {
    for value in values {
        indent(text, level);
        text.push_str("- ");
        match value {
            Value::Object(members) if !members.is_empty() => object(text, members, level + 1, true),
            Value::Array(values) if !values.is_empty() => {
                // Nested lists do not occur in what is printed here; any reader takes this.
                text.push_str(&Value::Array(values.clone()).compact());
                text.push('\n');
            }
            _ => leaf(text, value, level),
        }
    }
}

fn leaf(text: &mut String, value: &Value, level: usize) {
    match value {
        Value::String(value) => string(text, value, level, false),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            text.push_str(&value.compact());
        }
    }
    text.push('\n');
}

fn string(text: &mut String, value: &str, level: usize, is_name: bool) {
    let lines = value.contains('\n');
    if value.chars().any(is_special) || (lines && is_name) {
        return double(text, value, level, is_name);
    }
    if lines {
        let blank_first = value.starts_with([' ', '\n']);
        let blank_last = value.ends_with(' ');
        if blank_last || value.contains(" \n") {
            return double(text, value, level, is_name);
        }
        return literal(text, value, level, blank_first);
    }
    if resolve(value) != Scalar::String {
        return double(text, value, level, is_name);
    }
    let fold = (!is_name).then_some(level + 1);
    if is_plain(value) {
        folded(text, value, fold);
    } else {
        text.push('\'');
        folded(text, &value.replace('\'', "''"), fold);
        text.push('\'');
    }
}

/// What cannot stand as it is in any style but the double quotes.
fn is_special(letter: char) -> bool {
    !matches!(letter,
        '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
        || matches!(letter, '\u{2028}' | '\u{2029}')
}

/// Can it stand without quotes, on one line, outside of brackets?
fn is_plain(value: &str) -> bool {
    let first = value.chars().next().unwrap_or(' ');
    let second_blank = value[first.len_utf8()..]
        .chars()
        .next()
        .is_none_or(|next| next == ' ');
    let bad_start = match first {
        '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%'
        | '@' | '`' | ' ' => true,
        '?' | ':' | '-' => second_blank,
        _ => false,
    };
    !(bad_start
        || value.starts_with("---")
        || value.starts_with("...")
        || value.ends_with([' ', ':'])
        || value.contains(": ")
        || value.contains(" #"))
}

/// Breaks at the first single blank after the width.
fn folded(text: &mut String, value: &str, level: Option<usize>) {
    let Some(level) = level else {
        return text.push_str(value);
    };
    let line = text.rfind('\n').map_or(0, |place| place + 1);
    let mut column = text[line..].chars().count();
    let mut letters = value.chars().peekable();
    let mut after_blank = false;
    while let Some(letter) = letters.next() {
        let next = letters.peek();
        let single = letter == ' ' && !after_blank && !matches!(next, Some(' ') | None);
        if single && column > WIDTH {
            text.push('\n');
            indent(text, level);
            column = 2 * level;
        } else {
            text.push(letter);
            column += 1;
        }
        after_blank = letter == ' ';
    }
}

fn literal(text: &mut String, value: &str, level: usize, blank_first: bool) {
    text.push('|');
    if blank_first {
        text.push('2');
    }
    let bare = value.strip_suffix('\n');
    match bare {
        None => text.push('-'),
        Some(bare) if bare.is_empty() || bare.ends_with('\n') => text.push('+'),
        Some(_) => {}
    }
    for line in bare.unwrap_or(value).split('\n') {
        text.push('\n');
        if !line.is_empty() {
            indent(text, level + 1);
            text.push_str(line);
        }
    }
}

fn double(text: &mut String, value: &str, level: usize, is_name: bool) {
    let line = text.rfind('\n').map_or(0, |place| place + 1);
    let mut column = text[line..].chars().count() + 1;
    text.push('"');
    let mut after_blank = false;
    let mut letters = value.chars().enumerate().peekable();
    while let Some((n, letter)) = letters.next() {
        let next = letters.peek().map(|&(_, next)| next);
        if letter == ' ' {
            if !is_name && !after_blank && column > WIDTH && n > 0 && next.is_some() {
                text.push('\n');
                indent(text, level + 1);
                column = 2 * (level + 1);
                if next == Some(' ') {
                    text.push('\\');
                    column += 1;
                }
            } else {
                text.push(' ');
                column += 1;
            }
            after_blank = true;
            continue;
        }
        after_blank = false;
        let before = text.len();
        match letter {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\0' => text.push_str("\\0"),
            '\x07' => text.push_str("\\a"),
            '\x08' => text.push_str("\\b"),
            '\x0b' => text.push_str("\\v"),
            '\x0c' => text.push_str("\\f"),
            '\x1b' => text.push_str("\\e"),
            '\u{85}' => text.push_str("\\N"),
            '\u{2028}' => text.push_str("\\L"),
            '\u{2029}' => text.push_str("\\P"),
            _ if is_special(letter) && (letter as u32) < 0x100 => {
                text.push_str(&format!("\\x{:02X}", letter as u32));
            }
            _ if is_special(letter) && (letter as u32) < 0x1_0000 => {
                text.push_str(&format!("\\u{:04X}", letter as u32));
            }
            _ if is_special(letter) => text.push_str(&format!("\\U{:08X}", letter as u32)),
            _ => text.push(letter),
        }
        column += text[before..].chars().count();
    }
    text.push('"');
}
