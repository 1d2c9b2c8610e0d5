//! Finds recordings, reads them, and takes their fields with an error that says what is wrong.

use serde_json::{Map, Value};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What a replay says: nothing, or what differs.
pub type Verdict<T = ()> = Result<T, String>;

/// What was typed and what was printed.
pub const CONSOLE: &str = "console";
/// A text of which nothing here knows what it is.
const UNKNOWN: &str = "unknown";

/// One recording.
pub struct Recording {
    /// `file:line`.
    pub place: String,
    /// Which replayer it is for.
    pub kind: String,
    pub fields: Fields,
}

/// A JSON object whose fields are asked for by name.
#[derive(Clone, Debug)]
pub struct Fields(pub Map<String, Value>);

impl Fields {
    pub fn of(value: &Value) -> Verdict<Fields> {
        value
            .as_object()
            .cloned()
            .map(Fields)
            .ok_or_else(|| format!("not an object: {value}"))
    }

    pub fn get(&self, name: &str) -> Verdict<&Value> {
        self.0
            .get(name)
            .ok_or_else(|| format!("field `{name}` is missing"))
    }

    fn typed<T>(&self, name: &str, what: &str, value: Option<T>) -> Verdict<T> {
        value.ok_or_else(|| format!("field `{name}` is not {what}: {}", self.0[name]))
    }

    pub fn text(&self, name: &str) -> Verdict<&str> {
        self.typed(name, "a string", self.get(name)?.as_str())
    }

    pub fn int(&self, name: &str) -> Verdict<i64> {
        self.typed(name, "a 64-bit integer", self.get(name)?.as_i64())
    }

    pub fn float(&self, name: &str) -> Verdict<f64> {
        self.typed(name, "a number", self.get(name)?.as_f64())
    }

    pub fn list(&self, name: &str) -> Verdict<&Vec<Value>> {
        self.typed(name, "a list", self.get(name)?.as_array())
    }

    pub fn object(&self, name: &str) -> Verdict<Fields> {
        Fields::of(self.get(name)?)
    }

    /// Is `name` there?
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

/// Compares what a call was seen to do with what the recording expects of it.
pub struct Expect {
    fields: Fields,
    compared: Vec<&'static str>,
}

impl Expect {
    pub fn of(op: &Fields) -> Verdict<Expect> {
        let fields = op.object("expect")?;
        Ok(Expect {
            fields,
            compared: Vec::new(),
        })
    }

    /// Compares `name` if it is there.
    pub fn value(&mut self, name: &'static str, got: impl Into<Value>) -> Verdict {
        self.compared.push(name);
        let got = got.into();
        match self.fields.0.get(name) {
            Some(expected) if *expected != got => {
                Err(format!("{name}: expected {expected}, got {got}"))
            }
            _ => Ok(()),
        }
    }

    /// Compares a list; if `name` is absent, an empty one is expected.
    pub fn list(&mut self, name: &'static str, got: Vec<Value>) -> Verdict {
        self.value_or(name, Value::Array(Vec::new()), got)
    }

    /// Compares `name`; if it is absent, `absent` is expected.
    pub fn value_or(
        &mut self,
        name: &'static str,
        absent: Value,
        got: impl Into<Value>,
    ) -> Verdict {
        self.fields.0.entry(name).or_insert(absent);
        self.value(name, got)
    }

    /// Takes note that `name` says nothing about what is played.
    pub fn ignore(&mut self, name: &'static str) {
        self.compared.push(name);
    }

    /// Everything that was expected must have been compared.
    pub fn finish(self) -> Verdict {
        let missed = self
            .fields
            .0
            .keys()
            .find(|name| !self.compared.contains(&name.as_str()));
        missed.map_or(Ok(()), |name| {
            Err(format!("expectation `{name}` is not compared for this op"))
        })
    }
}

/// Calls `play` on each of the recording's `ops`; an error names the op.
pub fn each_op(fields: &Fields, mut play: impl FnMut(&Fields, &mut Expect) -> Verdict) -> Verdict {
    for (number, op) in fields.list("ops")?.iter().enumerate() {
        let played = Fields::of(op).and_then(|op| {
            let mut expect = Expect::of(&op)?;
            play(&op, &mut expect)?;
            expect.finish()
        });
        played.map_err(|fault| format!("op {number} {op}: {fault}"))?;
    }
    Ok(())
}

/// Says something past the test harness, which keeps what passing tests print to itself.
pub fn say(line: &str) {
    // A closed stderr is no reason to fail.
    let _ = writeln!(std::io::stderr(), "conformance: {line}");
}

fn folder() -> (PathBuf, bool) {
    match std::env::var_os("LOOPSCOPE_VECTORS") {
        Some(folder) => (PathBuf::from(folder), false),
        None => (
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors"),
            true,
        ),
    }
}

/// Replays every recording of `kind`, reports all that differ, and fails if there are any, or if
/// the project's own folder has no recording of the kind.
pub fn replay_kind(kind: &str, replay: fn(&Recording) -> Verdict) {
    let (recordings, _) = read_all();
    let recordings: Vec<_> = recordings.iter().filter(|r| r.kind == kind).collect();
    let faults: Vec<String> = recordings
        .iter()
        .filter_map(|recording| {
            let fault = replay(recording).err()?;
            let name = recording
                .fields
                .text("name")
                .or(recording.fields.text("outcome"));
            Some(format!(
                "{} {}: {fault}",
                recording.place,
                name.unwrap_or("(no name)")
            ))
        })
        .collect();
    say(&format!(
        "{kind}: {} replayed, {} differ",
        recordings.len(),
        faults.len()
    ));
    assert!(
        faults.is_empty(),
        "{} of {} differ:\n{}",
        faults.len(),
        recordings.len(),
        faults.join("\n")
    );
    let (folder, is_default) = folder();
    assert!(
        !(is_default && recordings.is_empty()),
        "no recording of kind {kind} under {}",
        folder.display()
    );
}

/// All recordings, and what could not be read.
pub fn read_all() -> (Vec<Recording>, Vec<String>) {
    let (folder, _) = folder();
    let (mut recordings, mut faults) = (Vec::new(), Vec::new());
    let mut files = Vec::new();
    list_files(&folder, &mut files, &mut faults);
    for file in files {
        // Prose about the recordings lies beside them.
        if file.extension().is_some_and(|extension| extension == "md") {
            continue;
        }
        let name = file
            .strip_prefix(&folder)
            .unwrap_or(&file)
            .display()
            .to_string();
        match fs::read_to_string(&file) {
            Ok(text) => read_file(&name, &text, &mut recordings, &mut faults),
            Err(error) => faults.push(format!("{name}: {error}")),
        }
    }
    (recordings, faults)
}

fn list_files(folder: &Path, files: &mut Vec<PathBuf>, faults: &mut Vec<String>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return faults.push(format!("{}: {error}", folder.display())),
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            list_files(&path, files, faults);
        } else {
            files.push(path);
        }
    }
}

/// A file is one JSON object, or JSON Lines, or else a text whose beginning says what it is.
pub fn read_file(
    name: &str,
    text: &str,
    recordings: &mut Vec<Recording>,
    faults: &mut Vec<String>,
) {
    let begin = text.trim_start();
    if !begin.starts_with('{') {
        let kind = if begin.starts_with("$ ") {
            CONSOLE
        } else {
            UNKNOWN
        };
        return recordings.push(Recording {
            place: name.to_owned(),
            kind: kind.to_owned(),
            fields: Fields(Map::new()),
        });
    }
    let whole = serde_json::from_str::<Value>(text);
    let values: Vec<(usize, Result<Value, _>)> = match whole {
        Ok(value) => vec![(1, Ok(value))],
        Err(_) => {
            let lines = text
                .lines()
                .enumerate()
                .filter(|(_, line)| !line.trim().is_empty());
            lines
                .map(|(number, line)| (number + 1, serde_json::from_str(line)))
                .collect()
        }
    };
    for (line, value) in values {
        let place = format!("{name}:{line}");
        let read = value
            .map_err(|error| format!("not JSON: {error}"))
            .and_then(|value| Fields::of(&value))
            .and_then(|fields| Ok((kind_of(&fields)?, fields)));
        match read {
            Ok((kind, fields)) => recordings.push(Recording {
                place,
                kind,
                fields,
            }),
            Err(fault) => faults.push(format!("{place}: {fault}")),
        }
    }
}

fn kind_of(fields: &Fields) -> Verdict<String> {
    if fields.has("kind") {
        fields.text("kind").map(str::to_owned)
    } else if fields.has("outcome") {
        Ok("outcome".to_owned())
    } else if fields.has("failing_upgrades") {
        Ok("article".to_owned())
    } else {
        Err("none of `kind`, `outcome`, `failing_upgrades` is there to say what this is".to_owned())
    }
}
