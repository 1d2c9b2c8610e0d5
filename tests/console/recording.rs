//! Recordings of kubectl, replayed: the same commands, the same lines.

use super::{Session, shown};
use loopscope::console::{Stream, json};
use std::fs;
use std::path::Path;

/// A command and what kubectl printed.
struct Exchange {
    command: String,
    output: Vec<String>,
}

fn read(text: &str) -> Vec<Exchange> {
    let mut exchanges: Vec<Exchange> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            exchanges.push(Exchange {
                command: command.to_owned(),
                output: Vec::new(),
            });
        } else if let (Some(more), [.., last]) = (line.strip_prefix("> "), &mut *exchanges)
            && last.output.is_empty()
        {
            last.command.push('\n');
            last.command.push_str(more);
        } else if let ([.., last], false) = (&mut *exchanges, line == "%") {
            last.output.push(line.to_owned());
        }
    }
    exchanges
}

/// What the console prints instead, on purpose.
fn meant(exchange: &Exchange) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in &exchange.output {
        // Since 1.34: from which namespace.
        if line.ends_with("\" deleted") {
            lines.push(format!("{line} from default namespace"));
        // Since 1.34: a plain error where nothing is found to be scaled.
        } else if let Some(missing) = line.strip_prefix("! error: no objects passed to scale ") {
            let missing = missing.trim_start_matches('[').trim_end_matches(']');
            for what in missing.split(", ") {
                lines.push(format!("! Error from server (NotFound): {what}"));
            }
        // Commands that this console has not cannot be meant.
        } else if !matches!(&**line, "! \ttop" | "! \tset") {
            lines.push(line.clone());
        }
    }
    if lines
        .last()
        .is_some_and(|line| line.ends_with("Did you mean this?"))
    {
        lines.truncate(lines.len() - 2);
    }
    lines
}

#[test]
fn the_console_prints_what_kubectl_printed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/kubectl");
    let mut faults = Vec::new();
    let mut count = 0;
    let entries = fs::read_dir(&folder).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        // Prose about the recordings lies beside them.
        if !text.starts_with("$ ") {
            continue;
        }
        let name = file.display();
        let mut session = Session::default();
        for exchange in read(&text) {
            let (command, stdin) = match exchange.command.split_once(" <<< ") {
                Some((command, stdin)) => (command, stdin.trim_matches('\'')),
                None => (&*exchange.command, ""),
            };
            session.stdin = match stdin {
                "" => Vec::new(),
                text => vec![json::parse(text).unwrap()],
            };
            // A recording has what went to the standard output first.
            let mut output = session.ask(command).output;
            output.sort_by_key(|line| line.stream == Stream::Err);
            let lines = shown(&output);
            let mut meant = meant(&exchange);
            let mut lines = lines;
            // kubectl shows data in an order that changes from time to time.
            if command.contains(" describe ") {
                lines.sort();
                meant.sort();
            }
            count += 1;
            if lines != meant {
                faults.push(format!(
                    "{name}: {}\n--- kubectl\n{}\n--- console\n{}\n",
                    exchange.command,
                    meant.join("\n"),
                    lines.join("\n")
                ));
            }
        }
    }
    assert!(count > 250, "{count} exchanges");
    assert!(
        faults.is_empty(),
        "{} of {count}\n{}",
        faults.len(),
        faults.join("\n")
    );
}
