//! The terminal program, as somebody who runs it sees it: the built binary is spawned.

use loopscope::session::{Link, Session};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

const GOLDEN: &str = "tests/golden/control-loop.txt";

fn command(flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_control-loop"));
    command.args(flags);
    command
}

fn run(flags: &[&str]) -> Output {
    command(flags).output().expect("the binary runs")
}

fn text(flags: &[&str]) -> String {
    let output = run(flags);
    assert!(output.status.success(), "{flags:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn last_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().rev().take(3).collect();
    lines.reverse();
    lines
}

#[test]
fn the_article_preset_ends_with_19_reconciles() {
    let text = text(&["--preset", "article", "--fail", "none"]);
    let wanted = [
        "revisions: 15",
        "reconciles by scene: 2 + 2 + 2 + 10 + 2 + 1",
        "total reconciles: 19",
    ];
    assert_eq!(last_lines(&text), wanted);
}

#[test]
fn the_client_go_preset_ends_with_12_reconciles() {
    let text = text(&["--preset", "client-go", "--fail", "none"]);
    let wanted = [
        "revisions: 15",
        "reconciles by scene: 2 + 2 + 2 + 3 + 2 + 1",
        "total reconciles: 12",
    ];
    assert_eq!(last_lines(&text), wanted);
}

#[test]
fn without_flags_it_prints_the_known_clean_run() {
    let expected = std::fs::read_to_string(GOLDEN).expect("the golden file");
    let got = text(&[]);
    let place = got.lines().zip(expected.lines()).position(|(a, b)| a != b);
    assert!(
        got == expected,
        "differs from {GOLDEN} at line {:?}; if that is meant: cargo run > {GOLDEN}",
        place.map(|index| index + 1)
    );
}

#[test]
fn the_default_seed_is_clean_with_both_presets() {
    assert!(text(&[]).ends_with("total reconciles: 12\n"));
    assert!(text(&["--preset", "article"]).ends_with("total reconciles: 19\n"));
    assert!(!text(&[]).contains("ERROR"));
}

#[test]
fn the_same_flags_print_the_same_bytes_and_another_seed_prints_others() {
    let seeded = |seed| text(&["--json", "--seed", seed]);
    assert_eq!(seeded("1"), seeded("1"));
    assert_ne!(seeded("1"), seeded("3"));
}

#[test]
fn a_named_attempt_fails_and_is_tried_again() {
    let client_go = text(&["--fail", "2"]);
    assert!(client_go.contains("[reconcile] ERROR for \"default/production-postgres\""));
    assert!(client_go.contains("again in 5ms"));
    assert!(client_go.ends_with("total reconciles: 13\n"));
    let article = text(&["--preset", "article", "--fail", "2,3"]);
    assert_eq!(article.matches("again in 2s").count(), 2);
    assert!(article.ends_with("total reconciles: 21\n"));
}

#[test]
fn a_run_that_is_cut_off_says_so() {
    let attempts: Vec<String> = (1..=15_000).map(|attempt| attempt.to_string()).collect();
    let flags = ["--preset", "article", "--fail", &attempts.join(",")];
    let said = "The loop had not come to rest after 3600s of simulated time; it was left there.";
    assert!(text(&flags).contains(said));
    assert!(!text(&[]).contains("left there"));
}

#[test]
fn one_scene_is_that_part_of_the_whole() {
    let whole = text(&[]);
    for scene in 1..=6 {
        let part = text(&["--scene", &scene.to_string()]);
        assert_eq!(part.matches("=== ").count(), 1);
        let (shown, count) = part.rsplit_once("\n\n").expect("a closing line");
        assert!(whole.contains(shown), "scene {scene}");
        assert!(count.starts_with("reconciles in this scene: "), "{count}");
    }
    let burst = text(&["--scene", "4"]);
    assert!(burst.ends_with("reconciles in this scene: 3, so far: 9\n"));
}

#[test]
fn json_lines_all_parse_and_their_ids_ascend() {
    let ids = |flags: &[&str]| -> Vec<u64> {
        let id = |line: &str| {
            let record: Value = serde_json::from_str(line).expect("a line of JSON");
            assert!(
                record["at_ns"].is_i64() && record["fact"].is_string(),
                "{line}"
            );
            record["id"].as_u64().expect("an id")
        };
        text(flags).lines().map(id).collect()
    };
    let all = ids(&["--json"]);
    assert_eq!(all, (0..all.len() as u64).collect::<Vec<_>>());
    let scenes = ["1", "2", "3", "4", "5", "6"].map(|scene| ids(&["--json", "--scene", scene]));
    // Before the first scene there is only the controller's start.
    let joined: Vec<u64> = [vec![0]].into_iter().chain(scenes).flatten().collect();
    assert_eq!(joined, all);
}

#[test]
fn a_bad_flag_or_value_is_explained_and_the_exit_code_is_2() {
    let cases: [(&[&str], &str); 19] = [
        (&["--preset", "etcd"], "possible values: article, client-go"),
        (&["--seed", "x"], "a seed is a whole number"),
        (&["--seed", "-1"], "a seed is a whole number"),
        (
            &["--seed", "18446744073709551616"],
            "a seed is a whole number",
        ),
        (&["--fail", "0"], "attempts are counted from 1"),
        (&["--fail", "2,x"], "\"x\" is no number"),
        (&["--fail", ""], "write attempts such as 2,3, or none"),
        (&["--fail"], "a value is required"),
        (&["--scene", "0"], "scenes have the numbers 1 to 6"),
        (&["--scene", "7"], "scenes have the numbers 1 to 6"),
        (&["--faults"], "unexpected argument '--faults'"),
        (&["4"], "unexpected argument '4'"),
        (&["--link"], "a value is required"),
        (
            &["--link", ""],
            "the link’s format number “” cannot be read",
        ),
        (
            &["--link", "#1/control-loop/9"],
            "the link’s scene “9” cannot be read: write a number from 1 to 6",
        ),
        (
            &["--link", "#1/control-loop/1?observe=2h"],
            "the link’s observe “2h” cannot be read",
        ),
        (
            &["--link", "1/control-loop/1", "--preset", "article"],
            "cannot be used with '--preset",
        ),
        (
            &["--link", "1/control-loop/1", "--seed", "1"],
            "cannot be used with '--seed",
        ),
        (
            &["--link", "1/control-loop/1", "--fail", "none"],
            "cannot be used with '--fail",
        ),
    ];
    for (flags, message) in cases {
        let output = run(flags);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert!(said.contains(message), "{flags:?} said: {said}");
        assert!(output.stdout.is_empty(), "{flags:?}");
    }
}

#[test]
fn output_through_a_closed_pipe_ends_quietly() {
    for flags in [&[][..], &["--json"], &["--help"]] {
        let mut child = command(flags)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut first = String::new();
        let mut reader = BufReader::with_capacity(16, child.stdout.take().expect("a pipe"));
        reader.read_line(&mut first).expect("a first line");
        drop(reader);
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{flags:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{flags:?}: {output:?}");
    }
    // A reader that was gone before the first byte.
    let mut child = command(&[])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}

#[test]
fn a_link_prints_its_run_up_to_its_cursor_byte_for_byte_as_the_page_exports_it() {
    let texts = [
        "1/control-loop/1",
        "1/control-loop/4?queue=channel&at=6s.170",
        "1/control-loop/3?variant-do=3.505s.72:fail&variant-at=4s.110",
        "1/control-loop/2?observe=20ms&seed=7&do=1.5s:burst:production-postgres:50:1ms&at=3s.400",
    ];
    for text in texts {
        let session = Session::open(Link::parse(text).expect("a link"));
        for form in [
            text.to_owned(),
            format!("#{text}"),
            format!("https://page.example/#{text}"),
        ] {
            let output = run(&["--link", &form, "--json"]);
            assert!(output.status.success(), "{output:?}");
            assert_eq!(output.stdout, session.json_lines().into_bytes(), "{form}");
        }
        assert_eq!(
            session.json_lines().lines().count(),
            session.playhead().applied as usize
        );
    }
}

#[test]
fn a_link_without_json_prints_the_same_lines_as_the_scenes() {
    let linked = text(&["--link", "#1/control-loop/4?at=6s.170"]);
    let whole = text(&[]);
    assert!(
        linked.starts_with("The control loop, as a link tells it\n#1/control-loop/4?at=6s.170\n")
    );
    let log = linked.lines().filter(|line| line.starts_with('['));
    let all = whole.lines().filter(|line| line.starts_with('['));
    assert!(log.clone().count() > 50);
    assert!(log.zip(all).all(|(linked, whole)| linked == whole));
    let variant = text(&["--link", "1/control-loop/3?variant-at=4s.110"]);
    assert!(variant.contains("the variant of scene 3: the first attempt fails"));
    assert!(variant.contains("[reconcile] ERROR"));
}

const CONFIG_MAPS: [&str; 2] = ["--chapter", "configmap"];

#[test]
fn the_chapter_about_config_maps_is_printed_scene_by_scene() {
    let whole = text(&CONFIG_MAPS);
    assert_eq!(whole.matches("\n=== Scene ").count(), 9);
    assert_eq!(whole.matches("\n--- The same, but: ").count(), 5);
    assert_eq!(whole.matches("cache and store differ").count(), 0);
    for scene in ["1", "2", "3", "4", "5", "6", "7", "8", "9"] {
        let part = text(&[&CONFIG_MAPS[..], &["--scene", scene]].concat());
        assert!(whole.contains(&part), "scene {scene}");
    }
}

#[test]
fn its_counts_are_those_that_the_scenes_claim() {
    let scene = |number| text(&[&CONFIG_MAPS[..], &["--scene", number]].concat());
    let label = scene("2");
    let wanted = "reconciles: 2, of them with an error: 0; the controller's writes: 1";
    assert!(label.contains(wanted), "{label}");
    assert!(scene("1").contains("in 60s the informer asked 2 times; once a second would be 60"));
    let refused = scene("5");
    let wanted = "reconciles: 450, of them with an error: 150; the controller's writes: 150";
    assert!(refused.contains(wanted));
    assert!(refused.contains("\"default/hello\" again in 2.56s"));
    assert_eq!(scene("7").matches("API server: 409 Conflict").count(), 4);
}

#[test]
fn its_json_lines_parse_and_name_what_the_objects_hold() {
    let lines = text(&[&CONFIG_MAPS[..], &["--scene", "2", "--json"]].concat());
    let records: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    let fact = |name: &str| records.iter().find(|record| record["fact"] == name);
    let written = fact("written").expect("a write");
    assert_eq!(written["data"]["greeting"], "world");
    assert_eq!(written["key"], "default/hello");
    let last = records.iter().rfind(|record| record["fact"] == "cache_set");
    let labels = &last.expect("an object in the cache")["labels"];
    assert_eq!(labels["managed-by"], "configmap-controller");
    assert_eq!(fact("requested").expect("a request")["ask"], "list");
}

#[test]
fn flags_that_do_not_go_together_are_explained() {
    let cases: [(&[&str], &str); 4] = [
        (&["--scene", "10"], "scenes have the numbers 1 to 9"),
        (&["--fail", "2"], "about the control loop's six scenes"),
        (
            &["--preset", "article"],
            "about the control loop's six scenes",
        ),
        (&["--link", "1/control-loop/1"], "cannot be used with"),
    ];
    for (flags, message) in cases {
        let output = run(&[&CONFIG_MAPS[..], flags].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert!(said.contains(message), "{flags:?} said: {said}");
        assert!(output.stdout.is_empty(), "{flags:?}");
    }
}

#[test]
fn a_link_to_a_config_map_scene_prints_that_run() {
    let link = "1/configmap/8?copy=yes&do=3s:patch:hello:xl:managed-by&at=4s.0";
    let text = text(&["--link", link]);
    assert!(
        text.starts_with("The ConfigMap controller, as a link tells it"),
        "{text}"
    );
}
