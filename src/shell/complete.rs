//! What Tab makes of a line.

use crate::console::{Completion, WorldView, complete};

/// A line that is being typed, and what its last word may become.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typing {
    pub line: String,
    /// In bytes.
    pub cursor: usize,
    /// What is offered; empty where there is one way only.
    pub offers: Vec<String>,
}

/// What Tab makes of a line; nothing, where there is nothing to complete.
pub fn completed(line: &str, cursor: usize, world: &WorldView) -> Option<Typing> {
    if line.trim().is_empty() {
        return None;
    }
    let Completion { start, words } = complete(line, cursor, world);
    let (typed, after) = (line.get(start..cursor)?, line.get(cursor..)?);
    let (word, offers) = match &words[..] {
        [] => return None,
        [only] => (finished(only, after), Vec::new()),
        many => {
            let common = common(many);
            match common.len() > typed.len() && common.starts_with(typed) {
                true => (common.to_owned(), words),
                false => (typed.to_owned(), words),
            }
        }
    };
    Some(Typing {
        line: format!("{}{word}{after}", &line[..start]),
        cursor: start + word.len(),
        offers,
    })
}

/// The line with one of the words that are offered.
pub fn chosen(line: &str, cursor: usize, word: &str, world: &WorldView) -> Option<Typing> {
    let Completion { start, .. } = complete(line, cursor, world);
    let after = line.get(cursor..)?;
    let word = finished(word, after);
    Some(Typing {
        line: format!("{}{word}{after}", line.get(..start)?),
        cursor: start + word.len(),
        offers: Vec::new(),
    })
}

/// With a blank after it, where nothing belongs to it any more.
fn finished(word: &str, after: &str) -> String {
    let goes_on = word.ends_with(['=', '/']) || after.starts_with(' ');
    format!("{word}{}", if goes_on { "" } else { " " })
}

/// What all words begin with.
fn common(words: &[String]) -> &str {
    let Some((first, rest)) = words.split_first() else {
        return "";
    };
    let mut length = first.len();
    for word in rest {
        let same = first.bytes().zip(word.bytes()).take_while(|(a, b)| a == b);
        length = length.min(same.count());
    }
    while !first.is_char_boundary(length) {
        length -= 1;
    }
    &first[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tab(line: &str) -> Option<(String, usize)> {
        let typing = completed(line, line.len(), &WorldView::default())?;
        assert_eq!(typing.cursor, typing.line.len());
        Some((typing.line, typing.offers.len()))
    }

    #[test]
    fn tab_goes_as_far_as_there_is_one_way_and_then_says_which_ways_there_are() {
        assert_eq!(
            tab("kubectl des"),
            Some(("kubectl describe ".to_owned(), 0))
        );
        assert_eq!(tab("de"), Some(("de".to_owned(), 2)));
        assert_eq!(tab("get conf"), Some(("get configmaps ".to_owned(), 0)));
        assert_eq!(
            tab("get cm --sh"),
            Some(("get cm --show-labels ".to_owned(), 0))
        );
    }

    #[test]
    fn tab_does_nothing_where_there_is_nothing_to_complete() {
        for line in ["", "   ", "nonsense ", "get cm nobody", "get 'cm"] {
            assert_eq!(tab(line), None, "{line:?}");
        }
    }

    #[test]
    fn what_stands_after_the_cursor_stays() {
        let world = WorldView::default();
        let typing = completed("des cm x", 3, &world).expect("a command");
        assert_eq!((&*typing.line, typing.cursor), ("describe cm x", 8));
        let typing = chosen("de cm x", 2, "delete", &world).expect("a command");
        assert_eq!((&*typing.line, typing.cursor), ("delete cm x", 6));
    }
}
