//! The article's program, recorded: six scenes with given upgrade attempts failing.
//!
//! The preset `article` has to tell the same story, event for event, in the order in which the
//! program printed it. A reconcile is listed where it starts, with what it saw, did and came to.

use crate::recording::{Fields, Recording, Verdict};
use loopscope::engine::controller::{Action, Conclusion};
use loopscope::engine::record::Source;
use loopscope::engine::{Actor, Cluster, Fact, Knobs, Preset, Record, SimTime};
use loopscope::scene::CONTROL_LOOP;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

pub fn replay(recording: &Recording) -> Verdict {
    let fields = &recording.fields;
    let failing = fields
        .list("failing_upgrades")?
        .iter()
        .map(|attempt| {
            let number = attempt
                .as_u64()
                .and_then(|number| u32::try_from(number).ok());
            number.ok_or_else(|| format!("`failing_upgrades`: {attempt} is not an attempt"))
        })
        .collect::<Verdict<Vec<u32>>>()?;
    let told = tell(failing, &Preset::Article.knobs());
    let expected = fields.list("events")?;
    for (number, (expected, got)) in expected.iter().zip(&told.events).enumerate() {
        // What had not ended when the program did has no outcome to compare.
        let (mut expected, mut got) = (Fields::of(expected)?, Fields::of(got)?);
        if expected.text("at")? == "reconcile" && !expected.has("outcome") {
            for Fields(side) in [&mut expected, &mut got] {
                side.remove("outcome");
                side.remove("actions");
            }
        }
        let (expected, got) = (Value::Object(expected.0), Value::Object(got.0));
        if expected != got {
            return Err(format!("event {number}: expected {expected}, got {got}"));
        }
    }
    if expected.len() != told.events.len() {
        return Err(format!(
            "{} events expected, got {}",
            expected.len(),
            told.events.len()
        ));
    }
    let total = fields.int("total_reconciles")?;
    if total != told.reconciles {
        return Err(format!(
            "{total} reconciles expected, got {}",
            told.reconciles
        ));
    }
    Ok(())
}

/// A run in the words of the recordings.
#[derive(Debug, PartialEq)]
struct Told {
    events: Vec<Value>,
    reconciles: i64,
}

/// Plays the six scenes to the end of the last one, where the program ends.
fn tell(failing: Vec<u32>, knobs: &Knobs) -> Told {
    let knobs = Rc::new(Knobs {
        failing_upgrades: Some(failing),
        ..knobs.clone()
    });
    let mut cluster = Cluster::new(knobs.clone(), 1);
    for (due, stimulus) in CONTROL_LOOP.script(&knobs) {
        cluster.inject(due, Actor::Script, stimulus);
    }
    let starts = CONTROL_LOOP.starts(&knobs);
    let end = *starts.last().expect("a chapter has an end");
    let mut records = Vec::new();
    cluster.advance_to(end, &mut records);
    let key = |record: &Record| json!(record.fact.key().map(|key| cluster.keys().text(key)));
    let scene = |at: SimTime| CONTROL_LOOP.scene_at(&knobs, at) + 1;
    let mut events: Vec<Value> = Vec::new();
    // Where the event of each reconcile stands.
    let mut places = BTreeMap::new();
    for record in &records {
        match &record.fact {
            Fact::Written {
                event, revision, ..
            } => events.push(json!({
                "scene": scene(record.at), "at": "store", "revision": revision,
                "type": event.word(), "key": key(record),
            })),
            Fact::Delivered {
                event,
                source: Source::Watch,
                ..
            } => events.push(json!({
                "scene": scene(record.at), "at": "watch", "type": event.word(), "key": key(record),
            })),
            Fact::Started { n, .. } => {
                places.insert(*n, events.len());
                events.push(json!({
                    "scene": scene(record.at), "at": "reconcile", "n": n, "key": key(record),
                    "actions": [],
                }));
            }
            Fact::Fetched {
                n,
                desired: Some(spec),
                ..
            } => {
                events[places[n]]["desired"] =
                    json!({"replicas": spec.replicas, "version": spec.version.to_string()});
            }
            Fact::Observed { n, actual, .. } => {
                let version = actual.version.map_or(String::new(), |v| v.to_string());
                events[places[n]]["actual"] = json!({
                    "replicas": actual.replicas, "version": version, "healthy": actual.healthy,
                });
            }
            Fact::ActionDone { n, action, .. } | Fact::ActionFailed { n, action, .. } => {
                let word = match action {
                    Action::Upgrade { .. } => "upgrade",
                    Action::Scale { .. } => "scale",
                    Action::Recover => "recover",
                    // The program does it, but does not call it an action.
                    Action::CleanUp => continue,
                };
                let actions = events[places[n]]["actions"].as_array_mut();
                actions.expect("a list").push(json!(word));
            }
            Fact::Finished { n, conclusion, .. } => {
                events[places[n]]["outcome"] = json!(match conclusion {
                    Conclusion::RequeueAfter { after } => format!("requeue-after-{after}"),
                    Conclusion::InDesiredState => "in-desired-state".to_owned(),
                    Conclusion::NotFound => "not-found".to_owned(),
                    Conclusion::Error { .. } => "error".to_owned(),
                    other => panic!("not of this chapter: {other:?}"),
                });
            }
            _ => {}
        }
    }
    Told {
        reconciles: i64::from(cluster.controller().reconciles),
        events,
    }
}

/// Every pattern over the first twelve attempts, told with sections of a millisecond and with the
/// few microseconds that the real program takes: what the preset's rounding must not change.
#[test]
fn the_article_preset_tells_every_failing_pattern_as_work_of_microseconds_would() {
    use loopscope::engine::SimDuration;
    let preset = Preset::Article.knobs();
    let micro = SimDuration::from_nanos(1_000);
    let quick = Knobs {
        fetch_time: micro,
        observe_time: micro,
        act_time: micro,
        result_time: micro,
        watch_delay: micro,
        ..preset.clone()
    };
    let mut differ = Vec::new();
    for bits in 0..1_u32 << 12 {
        let failing: Vec<u32> = (0..12)
            .filter(|bit| bits >> bit & 1 == 1)
            .map(|bit| bit + 1)
            .collect();
        let (told, wanted) = (
            tell(failing.clone(), &preset),
            tell(failing.clone(), &quick),
        );
        if told != wanted {
            let place = told
                .events
                .iter()
                .zip(&wanted.events)
                .position(|(a, b)| a != b);
            differ.push(format!(
                "{failing:?} {place:?}: {:?} {:?}",
                place.map(|p| &told.events[p]),
                place.map(|p| &wanted.events[p])
            ));
        }
    }
    assert!(
        differ.is_empty(),
        "{} differ:\n{}",
        differ.len(),
        differ.join("\n")
    );
}
