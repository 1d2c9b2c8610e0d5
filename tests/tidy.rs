//! The style of the sources, as tests: the layers' arrows, what no engine may touch, and what no
//! source may hold.

use std::fs;
use std::path::{Path, PathBuf};

/// One source file.
struct Source {
    /// From the project's folder on.
    path: String,
    text: String,
}

impl Source {
    /// `engine`, `scene`, …: the folder under `src`, or the file's own name there.
    fn layer(&self) -> &str {
        let inner = self.path.strip_prefix("src/").unwrap_or(&self.path);
        let end = inner.find(['/', '.']).unwrap_or(inner.len());
        &inner[..end]
    }

    /// The lines with their numbers, without comments.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate();
        lines.map(|(number, line)| (number + 1, line.split("//").next().unwrap_or(line)))
    }
}

/// Every file under `folder` whose name ends so.
fn files(folder: &str, extensions: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut folders, mut found) = (vec![root.join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            let name = name.unwrap_or_default();
            let foreign = ["node_modules", "vectors", "shots", "target"].contains(&name.as_str());
            if path.is_dir() && !foreign {
                folders.push(path);
            } else if extensions.iter().any(|extension| name.ends_with(extension)) {
                let shown = path
                    .strip_prefix(root)
                    .unwrap_or(&path)
                    .display()
                    .to_string();
                // What is no text is no source.
                if let Ok(text) = fs::read_to_string(&path) {
                    found.push(Source { path: shown, text });
                }
            }
        }
    }
    found
}

fn sources() -> Vec<Source> {
    let found = files("src", &[".rs"]);
    assert!(found.len() > 30, "the sources are not where they should be");
    found
}

fn report(faults: Vec<String>) {
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// The layers that a layer may use, beside itself.
fn known(layer: &str) -> Option<&'static [&'static str]> {
    Some(match layer {
        "engine" => &[],
        "scene" | "frame" => &["engine"],
        "layout" => &["engine", "frame"],
        "session" => &["engine", "scene", "frame"],
        "console" => &["engine", "frame"],
        "shell" => &["engine", "scene", "session", "console"],
        "ui" => &[
            "engine", "scene", "frame", "layout", "session", "console", "shell",
        ],
        "bin" => &["engine", "scene", "session", "console"],
        "main" => &["ui"],
        "lib" => &[
            "engine", "scene", "frame", "layout", "session", "console", "shell", "ui",
        ],
        _ => return None,
    })
}

#[test]
fn every_layer_uses_only_what_lies_below_it() {
    let mut faults = Vec::new();
    for source in sources() {
        let layer = source.layer();
        let Some(below) = known(layer) else {
            faults.push(format!("{}: in none of the layers", source.path));
            continue;
        };
        // A unit test may take its example from another layer.
        let shipped = source
            .code()
            .take_while(|(_, line)| !line.contains("#[cfg(test)]"));
        for (number, line) in shipped {
            for crate_name in ["crate::", "loopscope::"] {
                for (place, _) in line.match_indices(crate_name) {
                    let path = &line[place + crate_name.len()..];
                    let used: Vec<&str> = match path.strip_prefix('{') {
                        Some(_) => {
                            faults.push(format!(
                                "{}:{number}: write one path for each layer",
                                source.path
                            ));
                            continue;
                        }
                        None => path
                            .split(|c: char| !c.is_alphanumeric() && c != '_')
                            .collect(),
                    };
                    let used = used[0];
                    if used != layer && !below.contains(&used) {
                        faults.push(format!("{}:{number}: {layer} uses {used}", source.path));
                    }
                }
            }
        }
    }
    report(faults);
}

#[test]
fn every_source_says_first_what_it_is_for() {
    let all = files("tests", &[".rs"])
        .into_iter()
        .chain(files("benches", &[".rs"]));
    let silent = sources()
        .into_iter()
        .chain(all)
        .filter(|s| !s.text.starts_with("//! "));
    report(silent.map(|source| source.path).collect());
}

#[test]
fn no_source_is_longer_than_400_lines() {
    let long = |source: Source| {
        let lines = source.text.lines().count();
        (lines > 400).then(|| format!("{}: {lines} lines", source.path))
    };
    report(sources().into_iter().filter_map(long).collect());
}

/// Reports each line of `sources` in which one of `words` stands. `allowed` is asked about the
/// line and the one before it, where a comment can say why the word is there.
fn forbid(
    sources: impl IntoIterator<Item = Source>,
    words: &[&str],
    allowed: impl Fn(&Source, &str) -> bool,
) {
    let mut faults = Vec::new();
    for source in sources {
        let mut before = "";
        for ((number, code), line) in source.code().zip(source.text.lines()) {
            for word in words.iter().filter(|word| code.contains(**word)) {
                if !allowed(&source, &format!("{before}\n{line}")) {
                    faults.push(format!("{}:{number}: {word}", source.path));
                }
            }
            before = line;
        }
    }
    report(faults);
}

fn engine() -> impl Iterator<Item = Source> {
    sources()
        .into_iter()
        .filter(|source| source.layer() == "engine" && !source.path.ends_with("/tests.rs"))
}

#[test]
fn no_order_of_hashing_reaches_the_engine() {
    // A comment that begins so says why a table cannot leak its order.
    forbid(
        engine(),
        &["HashMap", "HashSet", "RandomState"],
        |_, lines| lines.contains("// Hashed:"),
    );
}

#[test]
fn the_engine_has_no_clock_no_thread_no_global_and_no_generator_of_its_own() {
    let words = [
        "std::time",
        "Instant::",
        "SystemTime",
        "std::thread",
        "thread_local",
        "static mut",
        "OnceLock",
        "LazyLock",
        "Mutex",
        "sync::atomic",
        "rand::",
        "thread_rng",
        "getrandom",
        "usize::MAX",
        "wasm_bindgen",
        "web_sys",
        "yew",
        "unsafe",
    ];
    forbid(engine(), &words, |_, _| false);
}

#[test]
fn the_engine_s_floats_only_add_subtract_multiply_and_divide() {
    let words = [
        "powf", "powi", ".exp(", ".exp2(", ".ln(", ".log", ".sqrt", ".sin", ".cos", "mul_add",
    ];
    forbid(engine(), &words, |_, _| false);
}

#[test]
fn wall_time_is_read_in_one_file_alone() {
    let words = [
        "std::time",
        "performance()",
        "Date::now",
        "js_sys::Date",
        "request_animation_frame",
    ];
    forbid(sources(), &words, |source, _| {
        source.path == "src/ui/motion.rs"
    });
}

/// Everything that a person wrote here.
fn everything() -> Vec<Source> {
    let kinds = [
        ".rs", ".md", ".toml", ".css", ".html", ".js", ".mjs", ".sh", ".yml", ".svg",
    ];
    let folders = [
        "src", "tests", "benches", "docs", "script", "static", "fuzz", ".ci", ".github",
    ];
    let mut found: Vec<Source> = folders
        .iter()
        .flat_map(|folder| files(folder, &kinds))
        .collect();
    found.extend(files(
        "script",
        &[
            "bootstrap",
            "build",
            "server",
            "test",
            "bench",
            "audit",
            "finish.mjs",
        ],
    ));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in [
        "Cargo.toml",
        "README.md",
        "index.html",
        "Trunk.toml",
        "deny.toml",
    ] {
        if let Ok(text) = fs::read_to_string(root.join(name)) {
            let path = name.to_owned();
            found.push(Source { path, text });
        }
    }
    found
}

#[test]
fn nothing_is_marked_as_unfinished() {
    // Put together, so that they do not find themselves.
    let marks = [
        ["TO", "DO"],
        ["FIX", "ME"],
        ["XX", "X"],
        ["HA", "CK"],
        ["todo", "!("],
    ]
    .map(|mark| mark.concat());
    let marks: Vec<String> = marks
        .into_iter()
        .chain([["unimplemented", "!("].concat()])
        .collect();
    let mut faults = Vec::new();
    for source in everything() {
        for (number, line) in source.text.lines().enumerate() {
            for mark in marks.iter().filter(|mark| line.contains(*mark)) {
                faults.push(format!("{}:{}: {mark}", source.path, number + 1));
            }
        }
    }
    report(faults);
}

#[test]
fn there_are_no_emoji() {
    let pictured = |letter: char| {
        matches!(u32::from(letter),
            0x1F000..=0x1FAFF | 0xFE0F | 0x2705 | 0x274C | 0x274E | 0x2728 | 0x2B50 | 0x2B55
            | 0x26A0 | 0x26A1 | 0x2753..=0x2757 | 0x231A | 0x231B | 0x23E9..=0x23F3)
    };
    let mut faults = Vec::new();
    for source in everything() {
        for (number, line) in source.text.lines().enumerate() {
            if let Some(letter) = line.chars().find(|&letter| pictured(letter)) {
                faults.push(format!("{}:{}: {letter:?}", source.path, number + 1));
            }
        }
    }
    report(faults);
}

#[test]
fn no_path_of_a_machine_is_written_down() {
    let marks = [
        ["/ro", "ot/"],
        ["/ho", "me/"],
        ["/work", "/"],
        ["/Us", "ers/"],
    ]
    .map(|mark| mark.concat());
    let mut faults = Vec::new();
    for source in everything() {
        for (number, line) in source.text.lines().enumerate() {
            for mark in marks.iter().filter(|mark| line.contains(*mark)) {
                faults.push(format!("{}:{}: {mark}", source.path, number + 1));
            }
        }
    }
    report(faults);
}
