//! A tree of values: what a manifest, a patch and `-o yaml` have in common; and JSON for it.
//!
//! The reader's errors are those of Go's `encoding/json`, since that is what an API server answers
//! to a patch it cannot read. Of a name that comes twice the last one counts, as there.
//!
//! Left out on purpose: serde's data model. A reader for one type costs a tenth of it.

use crate::engine::sorted::Map;
use std::rc::Rc;

/// The deepest nesting that is read.
pub const DEPTH_MAX: usize = 64;

/// A value. Numbers keep their text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(Rc<str>),
    String(Rc<str>),
    Array(Vec<Value>),
    Object(Members),
}

/// Names and values.
pub type Members = Map<Rc<str>, Value>;

impl Value {
    pub fn string(text: &str) -> Value {
        Value::String(text.into())
    }

    pub fn number(number: impl std::fmt::Display) -> Value {
        Value::Number(number.to_string().into())
    }

    /// The word that Go's messages have for it.
    pub fn word(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_object(&self) -> Option<&Members> {
        match self {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// A member of an object.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object()?.get(name)
    }

    /// On one line.
    pub fn compact(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, None);
        text
    }

    /// On many lines, four blanks for each level.
    pub fn indented(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, Some(0));
        text
    }

    fn write(&self, text: &mut String, level: Option<usize>) {
        let inner = level.map(|level| level + 1);
        let line = |text: &mut String, level: Option<usize>| {
            if let Some(level) = level {
                text.push('\n');
                text.extend(std::iter::repeat_n("    ", level));
            }
        };
        match self {
            Value::Null => text.push_str("null"),
            Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
            Value::Number(number) => text.push_str(number),
            Value::String(string) => write_string(text, string),
            Value::Array(values) => {
                text.push('[');
                for (n, value) in values.iter().enumerate() {
                    text.push_str(if n > 0 { "," } else { "" });
                    line(text, inner);
                    value.write(text, inner);
                }
                line(text, level.filter(|_| !values.is_empty()));
                text.push(']');
            }
            Value::Object(members) => {
                text.push('{');
                for (n, (name, value)) in members.iter().enumerate() {
                    text.push_str(if n > 0 { "," } else { "" });
                    line(text, inner);
                    write_string(text, name);
                    text.push_str(if level.is_some() { ": " } else { ":" });
                    value.write(text, inner);
                }
                line(text, level.filter(|_| !members.is_empty()));
                text.push('}');
            }
        }
    }
}

/// As Go writes it: safe inside of HTML too.
fn write_string(text: &mut String, string: &str) {
    text.push('"');
    for letter in string.chars() {
        match letter {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\x08' => text.push_str("\\b"),
            '\x0c' => text.push_str("\\f"),
            '\0'..='\x1f' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                text.push_str(&format!("\\u{:04x}", letter as u32));
            }
            _ => text.push(letter),
        }
    }
    text.push('"');
}

/// Reads one value.
///
/// # Errors
/// What Go would say, without a prefix.
pub fn parse(text: &str) -> Result<Value, String> {
    let mut reader = Reader { text, place: 0 };
    reader.blanks();
    let value = reader.value(0)?;
    reader.blanks();
    match reader.peek() {
        None => Ok(value),
        Some(_) => reader.unexpected("after top-level value"),
    }
}

struct Reader<'a> {
    text: &'a str,
    place: usize,
}

type Read<T> = Result<T, String>;

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.place..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.place += letter.len_utf8();
        Some(letter)
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r')) {
            self.place += 1;
        }
    }

    fn unexpected<T>(&self, place: &str) -> Read<T> {
        match self.peek() {
            None => Err("unexpected end of JSON input".into()),
            Some('\'') => Err(format!("invalid character '\\'' {place}")),
            Some('"') => Err(format!("invalid character '\"' {place}")),
            Some(letter) => {
                let quoted = super::error::quote(&letter.to_string());
                let inner = &quoted[1..quoted.len() - 1];
                Err(format!("invalid character '{inner}' {place}"))
            }
        }
    }

    fn value(&mut self, depth: usize) -> Read<Value> {
        if depth > DEPTH_MAX {
            return Err("exceeded max depth".into());
        }
        match self.peek() {
            Some('{') => self.object(depth),
            Some('[') => self.array(depth),
            Some('"') => Ok(Value::String(self.string()?.into())),
            Some('-' | '0'..='9') => self.number(),
            Some('t') => self.word("true", Value::Bool(true)),
            Some('f') => self.word("false", Value::Bool(false)),
            Some('n') => self.word("null", Value::Null),
            _ => self.unexpected("looking for beginning of value"),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Read<Value> {
        for (n, letter) in word.char_indices() {
            if self.peek() != Some(letter) {
                let expected = &word[n..=n];
                return self.unexpected(&format!("in literal {word} (expecting '{expected}')"));
            }
            self.next();
        }
        Ok(value)
    }

    fn number(&mut self) -> Read<Value> {
        let start = self.place;
        let digits = |reader: &mut Self| {
            let from = reader.place;
            while matches!(reader.peek(), Some('0'..='9')) {
                reader.place += 1;
            }
            reader.place > from
        };
        if self.peek() == Some('-') {
            self.place += 1;
        }
        if self.peek() == Some('0') {
            self.place += 1;
        } else if !digits(self) {
            return self.unexpected("in numeric literal");
        }
        if self.peek() == Some('.') {
            self.place += 1;
            if !digits(self) {
                return self.unexpected("after decimal point in numeric literal");
            }
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            self.place += 1;
            if matches!(self.peek(), Some('+' | '-')) {
                self.place += 1;
            }
            if !digits(self) {
                return self.unexpected("in exponent of numeric literal");
            }
        }
        Ok(Value::Number(self.text[start..self.place].into()))
    }

    fn string(&mut self) -> Read<String> {
        self.next();
        let mut string = String::new();
        loop {
            match self.peek() {
                Some('"') => {
                    self.next();
                    return Ok(string);
                }
                Some('\\') => {
                    self.next();
                    string.push(self.escape()?);
                }
                None | Some('\0'..='\x1f') => return self.unexpected("in string literal"),
                Some(letter) => {
                    self.next();
                    string.push(letter);
                }
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        let letter = match self.peek() {
            Some(letter @ ('"' | '\\' | '/')) => letter,
            Some('b') => '\x08',
            Some('f') => '\x0c',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                self.next();
                let unit = self.hex()?;
                return self.pair(unit);
            }
            _ => return self.unexpected("in string escape code"),
        };
        self.next();
        Ok(letter)
    }

    fn hex(&mut self) -> Read<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            match self.peek().and_then(|letter| letter.to_digit(16)) {
                Some(digit) => unit = unit * 16 + digit,
                None => return self.unexpected("in \\u hexadecimal character escape"),
            }
            self.next();
        }
        Ok(unit)
    }

    /// A letter from a unit, or from it and the one after it. Half a pair is no letter.
    fn pair(&mut self, unit: u32) -> Read<char> {
        const UNKNOWN: char = char::REPLACEMENT_CHARACTER;
        let rest = &self.text[self.place..];
        if (0xd800..0xdc00).contains(&unit) && rest.starts_with("\\u") {
            let place = self.place;
            self.place += 2;
            let low = self.hex()?;
            if (0xdc00..0xe000).contains(&low) {
                let letter = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(letter).unwrap_or(UNKNOWN));
            }
            self.place = place;
        }
        Ok(char::from_u32(unit).unwrap_or(UNKNOWN))
    }

    fn array(&mut self, depth: usize) -> Read<Value> {
        self.next();
        let mut values = Vec::new();
        self.blanks();
        if self.peek() == Some(']') {
            self.next();
            return Ok(Value::Array(values));
        }
        loop {
            self.blanks();
            values.push(self.value(depth + 1)?);
            self.blanks();
            match self.peek() {
                Some(',') => drop(self.next()),
                Some(']') => {
                    self.next();
                    return Ok(Value::Array(values));
                }
                _ => return self.unexpected("after array element"),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Read<Value> {
        self.next();
        let mut members = Members::new();
        self.blanks();
        if self.peek() == Some('}') {
            self.next();
            return Ok(Value::Object(members));
        }
        loop {
            self.blanks();
            if self.peek() != Some('"') {
                return self.unexpected("looking for beginning of object key string");
            }
            let name = self.string()?;
            self.blanks();
            if self.peek() != Some(':') {
                return self.unexpected("after object key");
            }
            self.next();
            self.blanks();
            members.insert(name.into(), self.value(depth + 1)?);
            self.blanks();
            match self.peek() {
                Some(',') => drop(self.next()),
                Some('}') => {
                    self.next();
                    return Ok(Value::Object(members));
                }
                _ => return self.unexpected("after object key:value pair"),
            }
        }
    }
}

/// What the worker that reads YAML answered: documents, or what kubectl would print.
///
/// # Errors
/// The text that is to be printed.
pub fn documents(answer: &str) -> Result<Vec<Value>, String> {
    match parse(answer)? {
        Value::Object(mut members) => match members.remove("documents") {
            Some(Value::Array(documents)) => Ok(documents),
            _ => Err(match members.get("error").and_then(Value::as_str) {
                Some(why) => why.to_owned(),
                None => "error: the manifest could not be read".to_owned(),
            }),
        },
        _ => Err("error: the manifest could not be read".to_owned()),
    }
}
