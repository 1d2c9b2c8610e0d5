//! Replays recordings of the real Kubernetes code on the engine and compares every answer.
//!
//! Recordings are read from every file under `tests/vectors`, or under the folder that the
//! environment variable `LOOPSCOPE_VECTORS` names, and go to the replayer of their `kind`, whatever
//! their file is called: what a file holds says what kind it is of. What is skipped is counted and said.

#[path = "conformance/article.rs"]
mod article;
#[path = "conformance/blocking.rs"]
mod blocking;
#[path = "conformance/burst.rs"]
mod burst;
#[path = "conformance/informer.rs"]
mod informer;
#[path = "conformance/limiter.rs"]
mod limiter;
#[path = "conformance/outcomes.rs"]
mod outcomes;
#[path = "conformance/queue.rs"]
mod queue;
#[path = "conformance/recording.rs"]
mod recording;
#[path = "conformance/subject.rs"]
mod subject;

/// The kinds that have a replayer here.
const REPLAYED: [&str; 9] = [
    "article",
    "basic",
    "basic_blocking",
    "delaying",
    "rate_limiter",
    "rate_limiting_queue",
    "burst",
    "burst_schedule",
    "outcome",
];

/// The kinds that another test replays, and that test.
const ELSEWHERE: [(&str, &str); 1] = [(recording::CONSOLE, "tests/console.rs")];

#[test]
fn every_recording_can_be_read_and_what_is_skipped_is_said() {
    let (recordings, faults) = recording::read_all();
    assert!(
        faults.is_empty(),
        "unreadable recordings:\n{}",
        faults.join("\n")
    );
    assert!(!recordings.is_empty(), "no recordings at all");
    let mut skipped = std::collections::BTreeMap::new();
    for recording in recordings
        .iter()
        .filter(|r| !REPLAYED.contains(&r.kind.as_str()))
        .filter(|r| !informer::KINDS.contains(&r.kind.as_str()))
    {
        *skipped.entry(recording.kind.as_str()).or_insert(0) += 1;
    }
    for (kind, count) in skipped {
        let elsewhere = ELSEWHERE.iter().find(|(known, _)| *known == kind);
        let said = match elsewhere {
            Some((_, test)) => format!("{count} of kind {kind} are replayed by {test}"),
            None => format!("skipped {count} of kind {kind}: no replayer for it here"),
        };
        recording::say(&said);
    }
}

#[test]
fn what_a_file_holds_says_how_it_is_read() {
    let read = |text| {
        let (mut recordings, mut faults) = (Vec::new(), Vec::new());
        recording::read_file("a", text, &mut recordings, &mut faults);
        let kinds: Vec<String> = recordings.into_iter().map(|r| r.kind).collect();
        (kinds.join(" "), faults.len())
    };
    assert_eq!(read("{\n\"kind\": \"basic\"\n}"), ("basic".into(), 0));
    assert_eq!(
        read("\n{\"kind\":\"a\"}\n{\"kind\":\"b\"}"),
        ("a b".into(), 0)
    );
    assert_eq!(read("{\"kind\":\"a\"}\n{\"kind"), ("a".into(), 1));
    assert_eq!(read("{\"what\":\"a\"}"), (String::new(), 1));
    assert_eq!(read("$ kubectl get cm\n%\n"), ("console".into(), 0));
    assert_eq!(read("of yesterday"), ("unknown".into(), 0));
}

#[test]
fn the_basic_queue_answers_as_client_go_does() {
    recording::replay_kind("basic", queue::basic);
}

#[test]
fn blocked_gets_and_drains_return_when_client_go_lets_them() {
    recording::replay_kind("basic_blocking", blocking::replay);
}

#[test]
fn the_delaying_queue_answers_as_client_go_does() {
    recording::replay_kind("delaying", queue::delaying);
}

#[test]
fn limiters_answer_as_client_go_does_to_the_nanosecond() {
    recording::replay_kind("rate_limiter", limiter::replay);
}

#[test]
fn the_rate_limiting_queue_answers_as_client_go_does() {
    recording::replay_kind("rate_limiting_queue", queue::rate_limiting);
}

#[test]
fn a_burst_of_updates_to_one_key_runs_as_often_as_on_client_go() {
    recording::replay_kind("burst", burst::replay);
}

#[test]
fn a_schedule_of_updates_runs_as_on_client_go() {
    recording::replay_kind("burst_schedule", burst::replay);
}

#[test]
fn an_outcome_makes_the_calls_that_controller_runtime_makes() {
    recording::replay_kind("outcome", outcomes::replay);
}

#[test]
fn the_article_preset_tells_what_the_article_program_printed() {
    recording::replay_kind("article", article::replay);
}

#[test]
fn an_informer_takes_in_lists_and_events_as_client_go_does() {
    recording::replay_kind("sync", informer::replay);
}

#[test]
fn an_informer_lists_again_when_client_go_does() {
    recording::replay_kind("relist", informer::replay);
}

#[test]
fn an_informer_backs_off_as_client_go_does_to_the_nanosecond() {
    recording::replay_kind("backoff", informer::replay);
}

#[test]
fn an_informer_resyncs_whom_and_when_client_go_does() {
    recording::replay_kind("resync", informer::replay);
}

#[test]
fn late_slow_blocked_and_removed_handlers_hear_what_they_hear_from_client_go() {
    recording::replay_kind("handlers", informer::replay);
}

#[test]
fn the_cache_and_its_indexes_are_those_of_client_go() {
    recording::replay_kind("store", informer::replay);
}

#[test]
fn an_informer_streams_its_first_list_as_client_go_does() {
    recording::replay_kind("watchlist", informer::replay);
}

#[test]
fn an_informer_over_an_older_queue_does_as_client_go_did() {
    recording::replay_kind("classic", informer::replay);
}

#[test]
fn an_informer_does_as_client_go_does_on_random_sequences() {
    recording::replay_kind("random", informer::replay);
}
