//! A command line into words, as a shell does it.
//!
//! Single quotes keep everything; double quotes keep everything but `\` before `"`, `\`, `$` and a
//! backquote; a backslash keeps the next character. Variables are not expanded: a `$` is a `$`.
//! Whatever would make a shell do more than run one program is refused.

/// The words of `line`.
///
/// # Errors
/// A quote that is never closed, or a character that would make a shell do something else.
pub fn split(line: &str) -> Result<Vec<String>, String> {
    let scan = scan(line)?;
    match scan.open {
        Some(Open::Quote(quote)) => Err(format!(
            "-bash: unexpected EOF while looking for matching `{quote}'"
        )),
        Some(Open::Escape) | None => Ok(scan.words.into_iter().map(|word| word.text).collect()),
    }
}

/// A word and where it begins in the line.
#[derive(Debug)]
pub(super) struct Word {
    pub text: String,
    pub start: usize,
}

/// What is still open where the line ends.
#[derive(Debug, PartialEq)]
pub(super) enum Open {
    Quote(char),
    Escape,
}

/// A line in words.
#[derive(Debug)]
pub(super) struct Scan {
    pub words: Vec<Word>,
    pub open: Option<Open>,
    /// The line ends within its last word.
    pub in_word: bool,
}

pub(super) fn scan(line: &str) -> Result<Scan, String> {
    let mut words: Vec<Word> = Vec::new();
    let mut word: Option<Word> = None;
    let mut quote: Option<char> = None;
    let mut letters = line.char_indices().peekable();
    let mut open = None;
    while let Some((place, letter)) = letters.next() {
        let new = || Word {
            text: String::new(),
            start: place,
        };
        match (quote, letter) {
            (Some(end), _) if letter == end => quote = None,
            (Some('"'), '\\') => {
                let text = &mut word.get_or_insert_with(new).text;
                match letters.peek() {
                    Some(&(_, next @ ('"' | '\\' | '$' | '`'))) => {
                        text.push(next);
                        letters.next();
                    }
                    Some((_, '\n')) => drop(letters.next()),
                    _ => text.push('\\'),
                }
            }
            (Some(_), _) => word.get_or_insert_with(new).text.push(letter),
            (None, '\'' | '"') => {
                word.get_or_insert_with(new);
                quote = Some(letter);
            }
            (None, '\\') => match letters.next() {
                Some((_, '\n')) => {}
                Some((_, next)) => word.get_or_insert_with(new).text.push(next),
                None => open = Some(Open::Escape),
            },
            (None, '\n') if !line[place..].trim().is_empty() => {
                return Err("One command at a time, please.".into());
            }
            (None, _) if letter.is_ascii_whitespace() => words.extend(word.take()),
            (None, '#') if word.is_none() => break,
            (None, '|' | '&' | ';' | '<' | '>' | '(' | ')' | '`') => {
                return Err(format!(
                    "This is not a shell: `{letter}` does nothing here. Put it in quotes if you mean it."
                ));
            }
            (None, _) => word.get_or_insert_with(new).text.push(letter),
        }
    }
    let in_word = word.is_some();
    words.extend(word);
    Ok(Scan {
        words,
        open: quote.map(Open::Quote).or(open),
        in_word,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_splits_them() {
        let table: [(&str, &[&str]); 12] = [
            ("", &[]),
            ("  get   cm ", &["get", "cm"]),
            ("a 'b c' d", &["a", "b c", "d"]),
            ("a'b 'c\" d\"", &["ab c d"]),
            (r#"-p '{"a":"b"}'"#, &["-p", r#"{"a":"b"}"#]),
            (r#"-p "{\"a\":\"\n\"}""#, &["-p", r#"{"a":"\n"}"#]),
            (r"a\ b \'c", &["a b", "'c"]),
            ("a '' \"\"", &["a", "", ""]),
            ("get cm # all of them", &["get", "cm"]),
            ("a#b", &["a#b"]),
            ("get \\\n cm\n", &["get", "cm"]),
            ("'|' $x", &["|", "$x"]),
        ];
        for (line, words) in table {
            assert_eq!(split(line).unwrap(), words, "{line:?}");
        }
    }

    #[test]
    fn a_quote_that_is_never_closed_is_told() {
        let message = "-bash: unexpected EOF while looking for matching `''";
        assert_eq!(split("annotate cm x a='b").unwrap_err(), message);
        assert!(split("a \"b").unwrap_err().ends_with("`\"'"));
        assert_eq!(split("a\\").unwrap(), ["a"]);
    }

    #[test]
    fn what_only_a_shell_can_do_is_refused() {
        for line in ["get cm | wc", "a;b", "a &", "a > b", "a\nb", "`a`", "$(a)"] {
            assert!(split(line).is_err(), "{line:?}");
        }
    }
}
