//! The exported trace, opened with a JSON reader: its stretches nest, its events are in order.

use loopscope::engine::{Knobs, Preset, QueueKind, SimDuration, Stimulus};
use loopscope::scene::{CONTROL_LOOP, PRODUCTION};
use loopscope::session::{Command, Session};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Nanoseconds from the microseconds of a trace.
fn nanos(value: &Value) -> i64 {
    (value.as_f64().expect("a number") * 1e3).round() as i64
}

/// Visits of many kinds, each with its cursor somewhere.
fn visits() -> Vec<Session> {
    let mut visits = Vec::new();
    for queue in [QueueKind::ClientGo, QueueKind::Channel] {
        for (workers, gap) in [(1, 20), (3, 1)] {
            for share in [0.0, 0.13, 0.4, 0.55, 1.0] {
                let knobs = Knobs {
                    queue,
                    workers,
                    burst_gap: SimDuration::from_millis(gap),
                    upgrade_failure_permille: 500,
                    ..Preset::ClientGo.knobs()
                };
                let mut session = Session::new(&CONTROL_LOOP, knobs, 2);
                session.apply(Command::Scene(3));
                session.apply(Command::Do(Stimulus::KillReplica {
                    key: PRODUCTION.into(),
                }));
                session.apply(Command::Seek(session.tempo().end() * 0.5));
                session.apply(Command::Do(Stimulus::RestartController));
                session.apply(Command::Seek(session.tempo().end() * share));
                visits.push(session);
            }
        }
    }
    visits
}

fn events(session: &Session) -> Vec<Value> {
    let document: Value = serde_json::from_str(&session.trace()).expect("JSON");
    assert!(document["otherData"]["link"].is_string());
    document["traceEvents"].as_array().expect("a list").clone()
}

#[test]
fn every_event_is_well_formed_and_on_a_named_track() {
    for session in visits() {
        let mut named = BTreeSet::new();
        let end = session.run().instant(session.playhead()).0;
        for event in events(&session) {
            let id = event["tid"].as_u64().expect("a track");
            assert!(event["name"].is_string() && event["pid"] == 1, "{event}");
            let at = nanos(&event["ts"]);
            assert!((0..=end).contains(&at), "{event}");
            match event["ph"].as_str().expect("a phase") {
                "M" => {
                    if event["name"] == "thread_name" {
                        assert!(event["args"]["name"].is_string());
                        assert!(named.insert(id), "named twice: {event}");
                    }
                    continue;
                }
                "X" => assert!(
                    nanos(&event["dur"]) >= 0 && at + nanos(&event["dur"]) <= end,
                    "{event}"
                ),
                "i" => assert_eq!(event["s"], "t"),
                "s" | "f" => assert!(event["id"].is_u64(), "{event}"),
                phase => panic!("what is {phase}?"),
            }
            assert!(named.contains(&id), "no name for the track of {event}");
        }
    }
}

#[test]
fn events_are_in_order_of_time() {
    for session in visits() {
        let times: Vec<i64> = events(&session)
            .iter()
            .filter(|event| event["ph"] != "M")
            .map(|event| nanos(&event["ts"]))
            .collect();
        assert!(times.is_sorted());
    }
}

#[test]
fn stretches_of_one_track_contain_one_another_or_do_not_overlap() {
    for session in visits() {
        let mut open: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
        let mut deepest = 0;
        for event in events(&session).iter().filter(|event| event["ph"] == "X") {
            let (from, to) = (
                nanos(&event["ts"]),
                nanos(&event["ts"]) + nanos(&event["dur"]),
            );
            let enclosing = open
                .entry(event["tid"].as_u64().expect("a track"))
                .or_default();
            enclosing.retain(|end| *end > from);
            assert!(
                enclosing.iter().all(|end| to <= *end),
                "{event} reaches out of {enclosing:?}"
            );
            enclosing.push(to);
            deepest = deepest.max(enclosing.len());
        }
        // Reconcile, section, action.
        assert!(session.past().len() < 30 || deepest == 3, "{deepest}");
    }
}

#[test]
fn it_holds_every_reconcile_with_its_sections_and_every_write() {
    for session in visits() {
        let events = events(&session);
        let count = |wanted: &dyn Fn(&Value) -> bool| {
            events.iter().filter(|event| wanted(event)).count() as u64
        };
        let counters = session.picture().view.counters;
        let named = |begin: &'static str| {
            move |event: &Value| {
                event["name"]
                    .as_str()
                    .is_some_and(|name| name.starts_with(begin))
            }
        };
        assert_eq!(count(&named("reconcile #")), u64::from(counters.reconciles));
        // The cursor may stand between a reconcile's beginning and its first section's.
        let fetched = count(&named("fetch"));
        assert!((0..=1).contains(&(u64::from(counters.reconciles) - fetched)));
        assert_eq!(
            count(&|event| event["ph"] == "i"
                && event["cat"] == "Store"
                && named("")(event)
                && event["name"]
                    .as_str()
                    .is_some_and(|name| name.contains("revision "))),
            counters.revision
        );
        // Every arrow has two ends.
        assert_eq!(
            count(&|event| event["ph"] == "s"),
            count(&|event| event["ph"] == "f")
        );
        assert!(counters.reconciles < 2 || count(&|event| event["ph"] == "s") > 1);
    }
}

#[test]
fn json_lines_end_at_the_cursor() {
    for session in visits() {
        let text = session.json_lines();
        assert_eq!(text.lines().count(), session.playhead().applied as usize);
        for (id, line) in text.lines().enumerate() {
            let record: Value = serde_json::from_str(line).expect("a line of JSON");
            assert_eq!(record["id"], id);
        }
    }
}
