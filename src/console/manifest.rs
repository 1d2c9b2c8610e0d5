//! YAML into trees of values, for `apply -f -`.
//!
//! Mirrors `sigs.k8s.io/yaml`: YAML 1.1's plain words (`on` is a boolean), one tree for each
//! document, nothing for an empty one. Built with the feature `yaml` only: the page loads it in a
//! worker when the editor opens.
//!
//! Why `saphyr-parser` and not a library with a data model: its events are all that is needed here,
//! it is a state machine that nesting cannot overflow, and it is a third of the size of the
//! alternatives. Bounds: [`MANIFEST_MAX`](super::MANIFEST_MAX), [`DOCUMENTS_MAX`], `json::DEPTH_MAX`; aliases are refused, so
//! a short text stays a small tree.

use super::json::{DEPTH_MAX, Members, Value};
use super::{MANIFEST_MAX, scalar};
use saphyr_parser::{Event, Parser, ScalarStyle, Tag};
use std::borrow::Cow;
use std::rc::Rc;

/// The most documents in one text.
pub const DOCUMENTS_MAX: usize = 32;

/// What is open while it is being read.
enum Open {
    List(Vec<Value>),
    /// With the name whose value comes next.
    Map(Members, Option<Rc<str>>),
}

/// The documents of a text.
///
/// # Errors
/// What kubectl would print.
pub fn read(text: &str) -> Result<Vec<Value>, String> {
    if text.len() > MANIFEST_MAX {
        return Err(format!(
            "error: the manifest is longer than {} KiB",
            MANIFEST_MAX / 1024
        ));
    }
    let mut reader = Reader::default();
    let mut events = Parser::new_from_str(text);
    while let Some(event) = events.next_event() {
        let (event, place) = match event {
            Ok((event, span)) => (event, span.start.line()),
            Err(wrong) => return failed(wrong.marker().line(), wrong.info()),
        };
        if let Err(why) = reader.take(event) {
            return failed(place, &why);
        }
    }
    Ok(reader.documents)
}

fn failed<T>(line: usize, why: &str) -> Result<T, String> {
    Err(format!(
        "error: error parsing STDIN: error converting YAML to JSON: yaml: line {line}: {why}"
    ))
}

#[derive(Default)]
struct Reader {
    documents: Vec<Value>,
    open: Vec<Open>,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::Scalar(text, style, _, tag) => {
                // A name is its text, whatever it looks like.
                if let Some(Open::Map(members, name @ None)) = self.open.last_mut() {
                    if style == ScalarStyle::Plain && text == "<<" {
                        return Err("merge keys are not taken here".into());
                    }
                    if members.contains_key(&*text) {
                        return Err(format!("key \"{text}\" already set in map"));
                    }
                    *name = Some((&*text).into());
                    return Ok(());
                }
                let string = is_string(tag.as_ref())?;
                let value = match style {
                    ScalarStyle::Plain if !string => scalar::value(&text),
                    _ => Value::string(&text),
                };
                self.close(value)
            }
            Event::SequenceStart(_, tag) => {
                is_string(tag.as_ref())?;
                self.open(Open::List(Vec::new()))
            }
            Event::MappingStart(_, tag) => {
                is_string(tag.as_ref())?;
                self.open(Open::Map(Members::new(), None))
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List(values)) => self.close(Value::Array(values)),
                Some(Open::Map(members, _)) => self.close(Value::Object(members)),
                None => Ok(()),
            },
            Event::Alias(_) => Err("aliases are not taken here".into()),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    fn open(&mut self, open: Open) -> Result<(), String> {
        if let Some(Open::Map(_, None)) = self.open.last() {
            return Err("invalid map key".into());
        }
        if self.open.len() >= DEPTH_MAX {
            return Err("exceeded max depth".into());
        }
        self.open.push(open);
        Ok(())
    }

    fn close(&mut self, value: Value) -> Result<(), String> {
        match self.open.last_mut() {
            None if value == Value::Null => {}
            None if self.documents.len() == DOCUMENTS_MAX => {
                return Err(format!("more than {DOCUMENTS_MAX} documents"));
            }
            None => self.documents.push(value),
            Some(Open::List(values)) => values.push(value),
            Some(Open::Map(members, name)) => {
                let name = name.take().unwrap_or_else(|| "".into());
                members.insert(name, value);
            }
        }
        Ok(())
    }
}

/// Does a tag say that this is a string, whatever it looks like?
fn is_string(tag: Option<&Cow<'_, Tag>>) -> Result<bool, String> {
    match tag.map(|tag| &*tag.suffix) {
        None | Some("map" | "seq" | "int" | "float" | "bool" | "null" | "") => Ok(false),
        Some("str") => Ok(true),
        Some(other) => Err(format!("unknown tag {other}")),
    }
}

/// The answer of the worker to a text: `{"documents": […]}`, or `{"error": "…"}`.
pub fn answer(text: &str) -> String {
    let (name, value) = match read(text) {
        Ok(documents) => ("documents", Value::Array(documents)),
        Err(why) => ("error", Value::string(&why)),
    };
    super::tree::object_of([(name, value)]).compact()
}
