//! Flags.
//!
//! Mirrors `github.com/spf13/pflag`: flags and words in any order, `--name=value`, `--name value`,
//! `-n value`, `-nvalue`, `-n=value`, `-Aw`, and `--` before words that look like flags.

use super::error::quote;

/// What a flag takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing, or `=true` and `=false`.
    Bool,
    Text,
    Number,
}

/// A flag that a command knows.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    pub name: &'static str,
    pub short: Option<char>,
    pub takes: Takes,
    pub help: &'static str,
}

/// Every command takes these.
pub const GLOBAL: [Flag; 2] = [
    Flag::text("namespace", Some('n'), "The namespace of this request."),
    Flag::bool("help", Some('h'), "Say what the command does."),
];

impl Flag {
    pub const fn bool(name: &'static str, short: Option<char>, help: &'static str) -> Flag {
        Flag {
            name,
            short,
            takes: Takes::Bool,
            help,
        }
    }

    pub const fn text(name: &'static str, short: Option<char>, help: &'static str) -> Flag {
        Flag {
            name,
            short,
            takes: Takes::Text,
            help,
        }
    }

    pub const fn number(name: &'static str, help: &'static str) -> Flag {
        Flag {
            name,
            short: None,
            takes: Takes::Number,
            help,
        }
    }

    /// As messages call it.
    fn shown(&self) -> String {
        match self.short {
            Some(short) => format!("-{short}, --{}", self.name),
            None => format!("--{}", self.name),
        }
    }

    fn check(&self, value: &str) -> Result<(), String> {
        let why = match self.takes {
            Takes::Text => return Ok(()),
            Takes::Bool if truth(value).is_some() => return Ok(()),
            Takes::Bool => format!(
                "strconv.ParseBool: parsing {}: invalid syntax",
                quote(value)
            ),
            Takes::Number if value.parse::<i64>().is_ok() => return Ok(()),
            Takes::Number => {
                let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
                let digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                let why = if digits {
                    "value out of range"
                } else {
                    "invalid syntax"
                };
                format!("strconv.ParseInt: parsing {}: {why}", quote(value))
            }
        };
        Err(format!(
            "invalid argument {} for {} flag: {why}",
            quote(value),
            quote(&self.shown())
        ))
    }
}

fn truth(value: &str) -> Option<bool> {
    match value {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// The words of a command, sorted out.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    pub args: Vec<String>,
    values: Vec<(&'static str, String)>,
}

impl Flags {
    /// The value of a flag; the last one counts.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.all(name).last()
    }

    /// Every value of a flag.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let values = self.values.iter();
        values.filter_map(move |(flag, value)| (*flag == name).then_some(&**value))
    }

    pub fn is_set(&self, name: &str) -> bool {
        self.text(name).and_then(truth) == Some(true)
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        self.text(name)?.parse().ok()
    }
}

/// Sorts the words out.
///
/// # Errors
/// A flag that `known` and [`GLOBAL`] do not have, or one with a wrong value.
pub fn parse(words: &[String], known: &[Flag]) -> Result<Flags, String> {
    let mut flags = Flags::default();
    let mut words = words.iter();
    let find = |test: &dyn Fn(&Flag) -> bool| {
        let mut all = known.iter().chain(&GLOBAL);
        all.find(|flag| test(flag)).copied()
    };
    while let Some(word) = words.next() {
        if let Some(long) = word.strip_prefix("--") {
            if long.is_empty() {
                flags.args.extend(words.cloned());
                break;
            }
            if long.starts_with(['-', '=']) {
                return Err(format!("bad flag syntax: {word}"));
            }
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (long, None),
            };
            let Some(flag) = find(&|flag| flag.name == name) else {
                return Err(format!("unknown flag: --{name}"));
            };
            let value = match (value, flag.takes) {
                (Some(value), _) => value,
                (None, Takes::Bool) => "true".to_owned(),
                (None, _) => match words.next() {
                    Some(value) => value.clone(),
                    None => return Err(format!("flag needs an argument: --{name}")),
                },
            };
            flag.check(&value)?;
            flags.values.push((flag.name, value));
        } else if word.starts_with('-') && word.len() > 1 {
            let mut rest = &word[1..];
            while let Some(short) = rest.chars().next() {
                let tail = &rest[short.len_utf8()..];
                let Some(flag) = find(&|flag| flag.short == Some(short)) else {
                    return Err(format!("unknown shorthand flag: '{short}' in -{rest}"));
                };
                let value = match (flag.takes, tail.strip_prefix('=')) {
                    (_, Some(value)) => value.to_owned(),
                    (Takes::Bool, None) => {
                        flags.values.push((flag.name, "true".into()));
                        rest = tail;
                        continue;
                    }
                    (_, None) if !tail.is_empty() => tail.to_owned(),
                    (_, None) => match words.next() {
                        Some(value) => value.clone(),
                        None => {
                            return Err(format!("flag needs an argument: '{short}' in -{rest}"));
                        }
                    },
                };
                flag.check(&value)?;
                flags.values.push((flag.name, value));
                break;
            }
        } else {
            flags.args.push(word.clone());
        }
    }
    Ok(flags)
}
