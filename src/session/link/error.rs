//! What is wrong with a link.

use std::fmt;

/// Letters that are quoted of a part that cannot be read.
const QUOTED_MAX: usize = 40;

/// Which part of a link cannot be read, and what would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError {
    part: String,
    /// What was found there, made short and harmless.
    found: Option<String>,
    wanted: String,
}

impl LinkError {
    /// `part` is a word of ours, or has been through [`quoted`].
    pub(super) fn new(
        part: impl Into<String>,
        found: &str,
        wanted: impl Into<String>,
    ) -> LinkError {
        LinkError {
            part: part.into(),
            found: Some(quoted(found)),
            wanted: wanted.into(),
        }
    }

    /// Nothing was found that could be quoted.
    pub(super) fn bare(part: impl Into<String>, wanted: impl Into<String>) -> LinkError {
        LinkError {
            part: part.into(),
            found: None,
            wanted: wanted.into(),
        }
    }

    /// The part that cannot be read, in a word or two.
    pub fn part(&self) -> &str {
        &self.part
    }
}

/// At most [`QUOTED_MAX`] letters, and only such as can do no harm wherever they are shown.
pub(super) fn quoted(text: &str) -> String {
    let mut letters = text.chars().flat_map(char::escape_default);
    let short: String = letters.by_ref().take(QUOTED_MAX).collect();
    if letters.next().is_some() {
        short + "…"
    } else {
        short
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.found {
            Some(found) => write!(
                f,
                "the link’s {} “{found}” cannot be read: {}",
                self.part, self.wanted
            ),
            None => write!(
                f,
                "the link’s {} cannot be read: {}",
                self.part, self.wanted
            ),
        }
    }
}

impl std::error::Error for LinkError {}
