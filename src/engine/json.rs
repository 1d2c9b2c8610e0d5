//! JSON objects, written one name after the other.
//!
//! What is written here is text, whole numbers and numbers with a point. A tree of values, as
//! `serde_json` has it, would weigh the page ten kilobytes.

use std::fmt::{Display, Write};

/// An object that is being written.
#[derive(Clone, Debug, Default)]
pub struct Object(String);

impl Object {
    pub fn new() -> Object {
        Object::default()
    }

    fn name(&mut self, name: &str) {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        quote(&mut self.0, name);
        self.0.push(':');
    }

    pub fn text(mut self, name: &str, value: &str) -> Object {
        self.name(name);
        quote(&mut self.0, value);
        self
    }

    /// `value` prints as JSON: a number, `true` or `false`.
    pub fn number(mut self, name: &str, value: impl Display) -> Object {
        self.name(name);
        // A string takes all that is written to it.
        let _ = write!(self.0, "{value}");
        self
    }

    pub fn object(mut self, name: &str, value: Object) -> Object {
        self.name(name);
        self.0.push_str(&value.finish());
        self
    }

    pub fn list(mut self, name: &str, items: impl Iterator<Item = Object>) -> Object {
        self.name(name);
        self.0.push('[');
        for (number, item) in items.enumerate() {
            if number > 0 {
                self.0.push(',');
            }
            self.0.push_str(&item.finish());
        }
        self.0.push(']');
        self
    }

    /// The whole text.
    pub fn finish(mut self) -> String {
        if self.0.is_empty() {
            self.0.push('{');
        }
        self.0.push('}');
        self.0
    }
}

/// Write `text` as a JSON string, as `serde_json` does.
fn quote(out: &mut String, text: &str) {
    out.push('"');
    for sign in text.chars() {
        let short = match sign {
            '"' | '\\' => sign,
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            '\u{8}' => 'b',
            '\u{c}' => 'f',
            '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", sign as u32);
                continue;
            }
            _ => {
                out.push(sign);
                continue;
            }
        };
        out.push('\\');
        out.push(short);
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_quoted_as_serde_json_does() {
        let all: String = ('\0'..'\u{180}')
            .chain("→✓\u{1f600}\u{2028}".chars())
            .collect();
        let mut text = String::new();
        quote(&mut text, &all);
        assert_eq!(text, serde_json::to_string(&all).unwrap());
    }

    #[test]
    fn an_object_is_read_back() {
        let inner = || Object::new().number("n", 3);
        let text = Object::new()
            .text("a \"name\"", "→")
            .object("none", Object::new())
            .list("list", [inner(), inner()].into_iter())
            .finish();
        let expected = serde_json::json!({
            "a \"name\"": "→", "none": {}, "list": [{ "n": 3 }, { "n": 3 }],
        });
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read, expected);
    }
}
