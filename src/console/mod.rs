//! A command line that speaks the part of kubectl which the page needs.
//!
//! `evaluate` is a function of a line and of what the store holds, and of nothing else: it answers
//! with what kubectl would print, and with what kubectl would ask of the API server. It changes
//! nothing itself. Whoever calls it makes a stimulus of each request.
//!
//! Mirrors `k8s.io/kubectl/pkg/cmd`, judged by recordings of the real tool (1.33) in
//! `tests/vectors/kubectl/`. Where a newer kubectl is known to speak differently, the newer text is
//! used, and the test says so.
//!
//! Left out on purpose: selectors, server-side apply, dry runs, patches in YAML, and every command
//! that reads files or talks to running containers. A ceiling on everything: [`LINE_MAX`],
//! [`OUTPUT_MAX`], `json::DEPTH_MAX`.

mod align;
mod annotate;
mod apply;
mod check;
mod command;
mod complete;
mod create;
mod delete;
mod describe;
mod duration;
mod error;
mod flag;
mod get;
pub mod history;
pub mod json;
mod label;
#[cfg(feature = "yaml")]
pub mod manifest;
mod merge;
mod parse;
mod patch;
mod reply;
mod request;
mod resource;
pub mod scalar;
mod scale;
mod tree;
mod watch;
mod world;
pub mod yaml;

pub use complete::{Completion, complete};
pub use error::{error, refused};
pub use history::History;
pub use json::Value;
pub use parse::split;
pub use reply::{Line, OUTPUT_MAX, Reply, Stream};
pub use request::Request;
pub use resource::GROUP;
pub use scale::REPLICAS_MAX;
pub use tree::{as_yaml, tree};
pub use watch::Watch;
pub use world::{Files, Stored, WorldView};

use command::Verb;

/// The longest line that is read, in bytes. A link carries what was done, so it is far below what a
/// shell would take.
pub const LINE_MAX: usize = 16 * 1024;

/// The longest manifest that is read, in bytes.
pub const MANIFEST_MAX: usize = 64 * 1024;

/// What kubectl would print, and what it would ask of the API server.
pub fn evaluate(line: &str, world: &WorldView) -> Reply {
    let mut reply = Reply::default();
    if line.len() > LINE_MAX {
        reply.err("-bash: kubectl: Argument list too long");
        return reply;
    }
    let words = match split(line) {
        Ok(words) => words,
        Err(why) => {
            reply.err(&why);
            return reply;
        }
    };
    if let Err(why) = command::run(without_prompt(&words), world, &mut reply) {
        reply.err(&why);
    }
    reply
}

/// The words after a prompt and the program's name.
fn without_prompt(words: &[String]) -> &[String] {
    let words = words.strip_prefix(&["$".to_owned()]).unwrap_or(words);
    match words.first().map(String::as_str) {
        Some("kubectl" | "k") => &words[1..],
        _ => words,
    }
}

/// What a command does with its words: an error is printed, and whatever was printed before stays.
type Outcome = Result<(), String>;

/// What a command is handed.
struct Call<'a> {
    verb: &'static Verb,
    flags: flag::Flags,
    world: &'a WorldView,
    reply: &'a mut Reply,
}

impl Call<'_> {
    /// The words that are no flags.
    fn args(&self) -> &[String] {
        &self.flags.args
    }

    fn namespace(&self) -> &str {
        self.flags.text("namespace").unwrap_or("default")
    }
}
