//! What the scenes of the chapter about config maps claim, each claim a test of its name.

use loopscope::engine::apiserver::{ApiError, Object};
use loopscope::engine::controller::Conclusion;
use loopscope::engine::controller::configmap::is_labelled;
use loopscope::engine::informer::Cause;
use loopscope::engine::record::{Why, WriteAnswer};
use loopscope::engine::workqueue::Added;
use loopscope::engine::{Actor, Cluster, Fact, Key, Knobs, Record, SimDuration, SimTime, Stimulus};
use loopscope::frame::{Difference, View};
use loopscope::scene::{Anchor, CONFIG_MAP, DEFAULT_SEED, HELLO, Played, Setting, polls};
use std::rc::Rc;

const SUBSCRIBE: usize = 0;
const LABEL: usize = 1;
const PEEL: usize = 2;
const GRAVE: usize = 3;
const REFUSED: usize = 4;
const FIRE_DRILL: usize = 5;
const TWO_WRITERS: usize = 6;
const SCRIBBLE: usize = 7;
const HOUSEKEEPER: usize = 8;

fn played(scene: usize) -> Played {
    CONFIG_MAP.play_scene(scene, false, DEFAULT_SEED)
}

fn variant(scene: usize) -> Played {
    CONFIG_MAP.play_scene(scene, true, DEFAULT_SEED)
}

/// The records from the scene's beginning on.
fn told(played: &Played) -> &[Record] {
    &played.records[played.window(0)]
}

fn count(records: &[Record], wanted: impl Fn(&Fact) -> bool) -> usize {
    records.iter().filter(|record| wanted(&record.fact)).count()
}

fn reconciles(records: &[Record]) -> usize {
    count(records, |fact| matches!(fact, Fact::Started { .. }))
}

/// Writes of the controller that the API server took.
fn writes(records: &[Record]) -> usize {
    let written = |answer: &WriteAnswer| matches!(answer, WriteAnswer::Written { .. });
    count(
        records,
        |fact| matches!(fact, Fact::WriteAnswered { answer, .. } if written(answer)),
    )
}

fn failed(records: &[Record], error: ApiError) -> usize {
    count(
        records,
        |fact| matches!(fact, Fact::WriteAnswered { answer, .. } if *answer == WriteAnswer::Failed { error }),
    )
}

fn conclusions(records: &[Record]) -> Vec<Conclusion> {
    let finished = |record: &Record| match record.fact {
        Fact::Finished { conclusion, .. } => Some(conclusion),
        _ => None,
    };
    records.iter().filter_map(finished).collect()
}

fn requests(records: &[Record]) -> usize {
    count(records, |fact| matches!(fact, Fact::Requested { .. }))
}

/// How long keys had to wait after failures.
fn waits(records: &[Record]) -> Vec<SimDuration> {
    let wait = |record: &Record| match record.fact {
        Fact::Enqueued {
            why: Why::Retry,
            added: Added::Delayed { until },
            ..
        } => Some(until - record.at),
        _ => None,
    };
    records.iter().filter_map(wait).collect()
}

fn key(cluster: &Cluster, name: &str) -> Key {
    cluster.keys().get(name).expect("a key of the scene")
}

fn stored<'a>(cluster: &'a Cluster, name: &str) -> Option<&'a Rc<Object>> {
    let id = loopscope::engine::apiserver::ObjectId::config_map(key(cluster, name));
    cluster.store().get(id)
}

/// Is the label where it should be: in the store, and in the cache?
fn labelled(cluster: &Cluster, name: &str) -> (bool, bool) {
    let in_store = stored(cluster, name).is_some_and(|object| is_labelled(object));
    let cached = cluster.cached(key(cluster, name));
    (in_store, cached.is_some_and(|object| is_labelled(object)))
}

/// A world with these settings, and these things done in it.
fn world(settings: &[Setting], done: Vec<(i64, Stimulus)>) -> Cluster {
    let mut knobs = Knobs::config_map();
    settings
        .iter()
        .for_each(|setting| setting.apply(&mut knobs));
    let mut cluster = Cluster::new(Rc::new(knobs), DEFAULT_SEED);
    for (millis, stimulus) in done {
        cluster.inject(SimTime::from_millis(millis), Actor::Script, stimulus);
    }
    cluster
}

fn until(cluster: &mut Cluster, millis: i64) -> Vec<Record> {
    let mut records = Vec::new();
    cluster.advance_to(SimTime::from_millis(millis), &mut records);
    records
}

fn create(name: &'static str) -> Stimulus {
    Stimulus::CreateConfigMap {
        key: name.into(),
        manifest: Default::default(),
    }
}

fn peel(name: &'static str) -> Stimulus {
    Stimulus::label(name, "managed-by", None)
}

// Scene 1

#[test]
fn one_list_and_one_watch_keep_the_cache_in_step_where_a_poller_asks_60_times() {
    let played = played(SUBSCRIBE);
    assert_eq!(requests(&played.records), 2);
    let span = played.starts[1] - played.starts[0];
    assert_eq!(polls(span, SimDuration::from_secs(1)), 60);
    let caption = CONFIG_MAP.scenes[SUBSCRIBE].beats.last().unwrap().caption;
    assert!(caption.contains("asks 60 times"), "{caption}");
    assert!(played.cluster.differing().is_empty());
    assert_eq!(writes(&played.records), 0);
}

#[test]
fn the_cache_fills_from_the_list_then_has_synced_is_true_then_the_watch_begins_there() {
    let mut cluster = world(
        &[],
        vec![(0, create("default/a")), (0, create("default/b"))],
    );
    let records = until(&mut cluster, 20);
    let order: Vec<&str> = records
        .iter()
        .filter_map(|record| {
            Some(match &record.fact {
                Fact::Requested { .. } => "requested",
                Fact::Answered { .. } => "answered",
                Fact::Listed { .. } => "listed",
                Fact::CacheSet { .. } => "cache",
                Fact::HandlerCalled { .. } => "handler",
                Fact::Synced => "synced",
                Fact::WatchOpened => "watching",
                _ => return None,
            })
        })
        .collect();
    let wanted = [
        "requested",
        "answered",
        "listed",
        "cache",
        "cache",
        "handler",
        "handler",
        "synced",
        "requested",
        "answered",
        "watching",
    ];
    assert_eq!(order, wanted);
    until(&mut cluster, 1000);
    assert!(cluster.differing().is_empty());
}

#[test]
fn a_poll_at_the_end_of_the_span_is_not_in_it() {
    let (second, millis) = (SimDuration::from_secs(1), SimDuration::from_millis);
    let asked = [0, 1, 1000, 1001, 60_000].map(|span| polls(millis(span), second));
    assert_eq!(asked, [0, 1, 1, 2, 60]);
}

// Scene 2

#[test]
fn a_new_config_map_takes_two_reconciles_and_one_write() {
    let played = played(LABEL);
    assert_eq!((reconciles(told(&played)), writes(told(&played))), (2, 1));
    let ended = [Conclusion::Labelled, Conclusion::InDesiredState];
    assert_eq!(conclusions(told(&played)), ended);
    assert_eq!(labelled(&played.cluster, HELLO), (true, true));
    assert_eq!(played.records.last().map(|r| &r.fact), Some(&Fact::Rested));
}

#[test]
fn what_else_the_config_map_holds_is_left_alone() {
    let played = played(LABEL);
    let object = stored(&played.cluster, HELLO).expect("it is there");
    let json = serde_json::to_value(&object.body).unwrap();
    assert_eq!(json["data"]["greeting"], "world");
    assert_eq!(object.meta.labels.len(), 1);
}

// Scene 3

#[test]
fn the_controller_s_writes_are_the_peelings_and_the_first() {
    let played = played(PEEL);
    let peelings = count(
        &played.records,
        |fact| matches!(fact, Fact::Acted { stimulus, .. } if matches!(**stimulus, Stimulus::Patch { .. })),
    );
    assert_eq!(peelings, 3);
    assert_eq!(writes(&played.records), peelings + 1);
    assert_eq!(reconciles(&played.records), 2 * (peelings + 1));
    assert_eq!(labelled(&played.cluster, HELLO), (true, true));
}

#[test]
fn a_label_that_is_changed_and_not_removed_comes_back_as_well() {
    let change = Stimulus::label(HELLO, "managed-by", Some("somebody-else".into()));
    let mut cluster = world(&[], vec![(100, create(HELLO)), (1000, change)]);
    let records = until(&mut cluster, 2000);
    assert_eq!(writes(&records), 2);
    assert_eq!(labelled(&cluster, HELLO), (true, true));
}

// Scene 4

#[test]
fn without_a_delete_handler_a_deletion_takes_no_reconcile_with_one_exactly_one() {
    let delete = || Stimulus::Delete { key: HELLO.into() };
    for (handler, wanted) in [(false, vec![]), (true, vec![Conclusion::NotFound])] {
        let settings = [Setting::DeleteHandler(handler)];
        let mut cluster = world(&settings, vec![(100, create(HELLO)), (1000, delete())]);
        until(&mut cluster, 999);
        let records = until(&mut cluster, 20_000);
        assert_eq!(conclusions(&records), wanted);
        assert!(cluster.controller().is_idle());
    }
    assert_eq!(conclusions(told(&variant(GRAVE))), [Conclusion::NotFound]);
}

#[test]
fn a_key_whose_object_is_deleted_while_it_waits_finds_nothing_and_that_is_a_success() {
    let played = played(GRAVE);
    let second = key(&played.cluster, "default/second");
    let of_second: Vec<&Fact> = told(&played)
        .iter()
        .map(|record| &record.fact)
        .filter(|fact| fact.key() == Some(second))
        .collect();
    let ended = |fact: &&&Fact| matches!(fact, Fact::Finished { .. });
    let ends: Vec<_> = of_second.iter().filter(ended).collect();
    let not_found = Conclusion::NotFound;
    assert!(matches!(ends[..], [Fact::Finished { conclusion, .. }] if *conclusion == not_found));
    let deleted = of_second
        .iter()
        .position(|fact| matches!(fact, Fact::CacheDeleted { .. }));
    let started = of_second
        .iter()
        .position(|fact| matches!(fact, Fact::Started { .. }));
    assert!(
        deleted.is_some() && deleted < started,
        "it waited meanwhile"
    );
}

#[test]
fn a_deletion_that_the_cache_has_not_heard_of_makes_the_write_404_and_the_retry_finds_nothing() {
    let played = played(GRAVE);
    let third = key(&played.cluster, "default/third");
    let of_third: Vec<Record> = told(&played)
        .iter()
        .filter(|record| record.fact.key() == Some(third))
        .cloned()
        .collect();
    assert_eq!(failed(&of_third, ApiError::NotFound), 1);
    let error = Conclusion::Error {
        error: loopscope::engine::controller::ReconcileError::Write(ApiError::NotFound),
    };
    assert_eq!(conclusions(&of_third), [error, Conclusion::NotFound]);
    assert!(played.cluster.controller().is_idle());
}

// Scene 5

#[test]
fn a_key_that_fails_waits_5_10_20_ms_and_so_on_and_the_first_try_after_the_fault_works() {
    let played = played(REFUSED);
    let records = told(&played);
    let waits = waits(records);
    let doubled: Vec<SimDuration> = (0..10).map(|n| SimDuration::from_millis(5 << n)).collect();
    assert_eq!(waits, doubled);
    let over = played.starts[0] + SimDuration::from_millis(3001);
    let tried = |late: bool| {
        let sent = |record: &&Record| {
            matches!(record.fact, Fact::WriteSent { .. }) && (record.at >= over) == late
        };
        records.iter().filter(sent).count()
    };
    assert_eq!((tried(false), tried(true)), (10, 1));
    assert_eq!(writes(records), 1);
    let forgot = |fact: &Fact| matches!(fact, Fact::Forgot { failures: 10, .. });
    assert_eq!(count(records, forgot), 1);
}

#[test]
fn of_150_keys_that_fail_at_one_instant_the_last_waits_5_s_though_its_own_back_off_is_5_ms() {
    let played = variant(REFUSED);
    let records = told(&played);
    let waits = waits(records);
    assert_eq!(waits.len(), 150);
    let wait = |place: usize| waits[place].0;
    let millis = |millis| SimDuration::from_millis(millis).0;
    assert!((0..100).all(|place| wait(place) == millis(5)));
    assert_eq!((wait(100), wait(149)), (millis(100), millis(5000)));
    let failed_at: Vec<SimTime> = records
        .iter()
        .filter(|record| {
            matches!(
                record.fact,
                Fact::Finished {
                    conclusion: Conclusion::Error { .. },
                    ..
                }
            )
        })
        .map(|record| record.at)
        .collect();
    assert_eq!(failed_at.len(), 150);
    assert!(failed_at.iter().all(|at| *at == failed_at[0]));
    assert_eq!(writes(records), 150);
}

#[test]
fn first_tries_are_not_slowed_by_the_bucket() {
    let played = variant(REFUSED);
    let started: Vec<SimTime> = told(&played)
        .iter()
        .filter(|record| matches!(record.fact, Fact::Started { .. }))
        .map(|record| record.at)
        .collect();
    assert!(started[..150].iter().all(|at| *at == started[0]));
}

#[test]
fn reading_and_watching_go_on_while_writes_are_refused() {
    let span = SimDuration::from_secs(3);
    let done = vec![
        (100, create(HELLO)),
        (1000, Stimulus::RefuseWrites { span }),
        (1500, Stimulus::RestartController),
    ];
    let mut cluster = world(&[], done);
    until(&mut cluster, 2500);
    assert_eq!(labelled(&cluster, HELLO), (true, true));
    assert!(cluster.controller().is_idle());
}

// Scene 6

#[test]
fn a_swallowed_reconcile_is_made_good_at_the_next_resync_at_most_30_s_later() {
    let played = played(FIRE_DRILL);
    let records = told(&played);
    let swallowed = records
        .iter()
        .find(|record| matches!(record.fact, Fact::Swallowed { .. }))
        .expect("it is swallowed");
    let later = &records[(swallowed.id - records[0].id) as usize..];
    let right = later
        .iter()
        .find(|record| {
            matches!(
                record.fact,
                Fact::Finished {
                    conclusion: Conclusion::Labelled,
                    ..
                }
            )
        })
        .expect("it is made good");
    assert!(right.at - swallowed.at <= SimDuration::from_secs(30));
    let resyncs = count(&later[..(right.id - swallowed.id) as usize], |fact| {
        matches!(fact, Fact::Resynced { .. })
    });
    assert_eq!(resyncs, 1);
}

#[test]
fn with_resync_off_it_stays_wrong_until_touched_listed_again_or_restarted() {
    let annotate = Stimulus::annotate(HELLO, "note", Some("seen".into()));
    let cures = [
        None,
        Some(annotate),
        Some(Stimulus::ExpireWatch),
        Some(Stimulus::RestartController),
    ];
    for cure in cures {
        let cured = cure.is_some();
        let mut done = vec![
            (100, create(HELLO)),
            (1000, Stimulus::SwallowReconcile),
            (1001, peel(HELLO)),
        ];
        done.extend(cure.map(|cure| (200_000, cure)));
        let off = [Setting::Resync(SimDuration::ZERO)];
        let mut cluster = world(&off, done);
        until(&mut cluster, 199_999);
        assert_eq!(labelled(&cluster, HELLO), (false, false));
        until(&mut cluster, 240_000);
        assert_eq!(labelled(&cluster, HELLO), (cured, cured));
    }
}

/// The second object's write moves the version on from which a watch goes on.
fn with_a_lost_event(cure: Option<Stimulus>) -> (Cluster, Vec<Record>) {
    let mut done = vec![
        (100, create(HELLO)),
        (1000, Stimulus::LoseEvent),
        (1001, peel(HELLO)),
        (2000, create("default/other")),
    ];
    done.extend(cure.map(|cure| (100_000, cure)));
    let mut cluster = world(&[], done);
    let before = until(&mut cluster, 99_999);
    assert_eq!(labelled(&cluster, HELLO), (false, true));
    until(&mut cluster, 110_000);
    (cluster, before)
}

#[test]
fn an_event_lost_on_the_way_to_the_cache_is_not_repaired_by_resyncs() {
    let (cluster, before) = with_a_lost_event(None);
    assert_eq!(labelled(&cluster, HELLO), (false, true));
    let redelivered = count(&before, |fact| {
        matches!(
            fact,
            Fact::HandlerCalled {
                source: Cause::Resync,
                ..
            }
        )
    });
    assert_eq!(redelivered, 6, "three resyncs of two objects");
    assert_eq!(cluster.differing(), [key(&cluster, HELLO)]);
}

#[test]
fn nor_by_a_watch_that_is_opened_again_but_by_a_new_list() {
    let (cluster, _) = with_a_lost_event(Some(Stimulus::CloseWatch));
    assert_eq!(labelled(&cluster, HELLO), (false, true));
    for cure in [Stimulus::ExpireWatch, Stimulus::RestartController] {
        let (cluster, _) = with_a_lost_event(Some(cure));
        assert_eq!(labelled(&cluster, HELLO), (true, true));
    }
}

#[test]
fn the_scene_s_lost_event_is_repaired_by_its_410_and_by_no_resync_before() {
    let played = played(FIRE_DRILL);
    let records = told(&played);
    let place = |wanted: fn(&Fact) -> bool| records.iter().rposition(|r| wanted(&r.fact));
    let lost = place(|fact| matches!(fact, Fact::EventLost { .. })).unwrap();
    let relisted = place(|fact| matches!(fact, Fact::Listed { again: true, .. })).unwrap();
    assert_eq!(writes(&records[lost..relisted]), 0);
    let resyncs = |fact: &Fact| matches!(fact, Fact::Resynced { .. });
    assert_eq!(count(&records[lost..relisted], resyncs), 1);
    assert_eq!(writes(&records[relisted..]), 1);
    assert_eq!(labelled(&played.cluster, HELLO), (true, true));
}

#[test]
fn a_resync_asks_nothing_of_the_api_server() {
    let mut cluster = world(&[], vec![(0, create(HELLO))]);
    until(&mut cluster, 20_000);
    let records = until(&mut cluster, 280_000);
    assert_eq!(requests(&records), 0);
    let resyncs = |fact: &Fact| matches!(fact, Fact::Resynced { .. });
    assert_eq!(count(&records, resyncs), 9);
}

// Scene 7

#[test]
fn a_retry_quicker_than_the_watch_fails_on_the_same_stale_copy_and_is_right_in_the_end() {
    let played = played(TWO_WRITERS);
    let records = told(&played);
    let based_on: Vec<u64> = records
        .iter()
        .filter_map(|record| match record.fact {
            Fact::WriteSent { revision, .. } => Some(revision),
            _ => None,
        })
        .collect();
    assert_eq!(
        based_on,
        [4, 4, 5, 5],
        "twice on one stale copy, then twice on the next"
    );
    assert_eq!(failed(records, ApiError::Conflict), 3);
    assert_eq!(writes(records), 1);
    assert_eq!(labelled(&played.cluster, HELLO), (true, true));
}

#[test]
fn nothing_of_the_other_s_change_is_lost() {
    for played in [played(TWO_WRITERS), variant(TWO_WRITERS)] {
        let object = stored(&played.cluster, HELLO).expect("it is there");
        assert!(is_labelled(object));
        assert_eq!(
            object.meta.annotations.get("note").map(|v| &**v),
            Some("seen")
        );
        assert!(played.cluster.differing().is_empty());
    }
}

#[test]
fn to_return_and_wait_for_the_event_takes_one_refused_update() {
    let played = variant(TWO_WRITERS);
    let records = told(&played);
    assert_eq!(failed(records, ApiError::Conflict), 1);
    assert_eq!(writes(records), 1);
    let ended = [
        Conclusion::AwaitEvent,
        Conclusion::Labelled,
        Conclusion::InDesiredState,
    ];
    assert_eq!(conclusions(records), ended);
    assert!(waits(records).is_empty());
}

// Scene 8

#[test]
fn without_a_copy_one_refused_write_leaves_the_cache_labelled_and_the_store_not() {
    let done = vec![
        (100, create(HELLO)),
        (1000, Stimulus::RefuseController),
        (1001, peel(HELLO)),
    ];
    let mut cluster = world(&[Setting::DeepCopy(false)], done);
    until(&mut cluster, 999);
    let records = until(&mut cluster, 300_000);
    assert_eq!(labelled(&cluster, HELLO), (false, true));
    let ends = conclusions(&records);
    assert!(matches!(ends[0], Conclusion::Error { .. }));
    assert!(
        ends[1..]
            .iter()
            .all(|end| *end == Conclusion::InDesiredState)
    );
    assert_eq!(ends.len(), 11, "the failure, its retry, and nine resyncs");
}

#[test]
fn it_stays_wrong_until_the_next_event_or_list_for_that_object() {
    let annotate = Stimulus::annotate(HELLO, "note", Some("seen".into()));
    for cure in [annotate, Stimulus::ExpireWatch, Stimulus::RestartController] {
        let done = vec![
            (100, create(HELLO)),
            (1000, Stimulus::RefuseController),
            (1001, peel(HELLO)),
            (70_000, cure),
        ];
        let mut cluster = world(&[Setting::DeepCopy(false)], done);
        until(&mut cluster, 69_999);
        assert_eq!(labelled(&cluster, HELLO), (false, true));
        until(&mut cluster, 80_000);
        assert_eq!(labelled(&cluster, HELLO), (true, true));
    }
}

#[test]
fn with_a_copy_one_retry_makes_it_right() {
    let played = variant(SCRIBBLE);
    let records = told(&played);
    let ends = conclusions(records);
    assert!(matches!(ends[0], Conclusion::Error { .. }));
    assert_eq!(ends[1], Conclusion::Labelled);
    assert_eq!(waits(records), [SimDuration::from_millis(5)]);
    let scribbled = |fact: &Fact| matches!(fact, Fact::Scribbled { .. });
    assert_eq!(count(&played.records, scribbled), 0);
}

#[test]
fn while_writes_succeed_scribbling_does_no_visible_harm() {
    let done = || {
        vec![
            (100, create(HELLO)),
            (1000, peel(HELLO)),
            (2000, create("default/other")),
            (3000, Stimulus::Delete { key: HELLO.into() }),
        ]
    };
    let end = |copy: bool| {
        let mut cluster = world(&[Setting::DeepCopy(copy)], done());
        let records = until(&mut cluster, 10_000);
        let objects: Vec<Rc<Object>> = cluster.store().iter().map(|(_, o)| o.clone()).collect();
        assert!(cluster.differing().is_empty());
        (objects, writes(&records), reconciles(&records))
    };
    assert_eq!(end(true), end(false));
}

#[test]
fn the_picture_shows_where_cache_and_store_differ() {
    let played = played(SCRIBBLE);
    let hello = key(&played.cluster, HELLO);
    let mut view = View::new(1);
    let mut seen = Vec::new();
    for record in &played.records {
        view.apply(record);
        let scribbled = view
            .cache
            .get(&hello)
            .is_some_and(|cached| cached.scribbled);
        let now = (view.difference(hello), scribbled);
        if seen.last() != Some(&now) {
            seen.push(now);
        }
    }
    assert!(seen.contains(&(Some(Difference::Missing), false)));
    assert!(seen.contains(&(Some(Difference::Other), true)));
    assert_eq!(seen.last(), Some(&(None, false)));
}

// All scenes

#[test]
fn every_beat_happens_in_its_run_and_in_order() {
    for (number, scene) in CONFIG_MAP.scenes.iter().enumerate() {
        for in_variant in [false, true] {
            if in_variant && scene.variant.is_none() {
                continue;
            }
            let played = CONFIG_MAP.play_scene(number, in_variant, DEFAULT_SEED);
            let records = told(&played);
            let mut from = 0;
            for beat in scene.beats.iter().filter(|beat| beat.variant == in_variant) {
                let mut matching = (from..records.len()).filter(|&place| match beat.anchor {
                    Anchor::Opening => false,
                    Anchor::Next(what) | Anchor::Nth(what, _) | Anchor::Last(what) => {
                        what.matches(&records[place].fact)
                    }
                });
                let found = match beat.anchor {
                    Anchor::Opening => continue,
                    Anchor::Next(_) => matching.next(),
                    Anchor::Nth(_, nth) => matching.nth(usize::from(nth) - 1),
                    Anchor::Last(_) => matching.next_back(),
                };
                let tab = scene.tab;
                from = 1 + found.unwrap_or_else(|| panic!("{tab}: {:?}", beat.anchor));
            }
        }
    }
}

#[test]
fn captions_are_short_and_every_scene_is_whole() {
    for scene in CONFIG_MAP.scenes {
        assert!(scene.own.is_some(), "{}: a run of its own", scene.tab);
        assert_eq!(scene.beats[0].anchor, Anchor::Opening);
        assert!(scene.tab.split_whitespace().count() <= 2);
        assert!(scene.claim.ends_with('.'));
        for beat in scene.beats {
            let words = beat.caption.split_whitespace().count();
            assert!(words <= 40, "{words} words: {}", beat.caption);
        }
    }
}

#[test]
fn every_run_ends_at_rest_with_every_config_map_labelled_and_the_cache_in_step() {
    for (number, scene) in CONFIG_MAP.scenes.iter().enumerate() {
        for in_variant in [false, true] {
            if in_variant && scene.variant.is_none() {
                continue;
            }
            let played = CONFIG_MAP.play_scene(number, in_variant, DEFAULT_SEED);
            let cluster = &played.cluster;
            assert!(cluster.controller().is_idle(), "{}", scene.tab);
            assert!(
                cluster
                    .store()
                    .iter()
                    .all(|(_, object)| is_labelled(object))
            );
            assert!(cluster.differing().is_empty(), "{}", scene.tab);
        }
    }
}

#[test]
fn a_watch_lasts_5_to_10_minutes_and_is_asked_for_again_from_where_it_ended() {
    let mut cluster = world(
        &[Setting::Resync(SimDuration::ZERO)],
        vec![(0, create(HELLO))],
    );
    let records = until(&mut cluster, 3_600_000);
    let (mut lists, mut watches) = (0, 0);
    for record in &records {
        if let Fact::Requested { asked, .. } = &record.fact {
            match asked {
                loopscope::engine::record::Asked::List { .. } => lists += 1,
                loopscope::engine::record::Asked::Watch { .. } => watches += 1,
            }
        }
    }
    assert_eq!(lists, 1);
    assert!((7..=13).contains(&watches), "{watches} watches in an hour");
}

#[test]
fn an_update_that_is_under_way_when_the_controller_ends_is_taken_all_the_same() {
    // Created at 100 ms, heard of at 110, updated at 115: the process ends at 112.
    let done = vec![(100, create(HELLO)), (112, Stimulus::RestartController)];
    let mut cluster = world(&[], done);
    let records = until(&mut cluster, 200);
    assert!(labelled(&cluster, HELLO).0);
    assert_eq!(writes(&records), 0, "nobody is there to hear the answer");
    until(&mut cluster, 2000);
    assert_eq!(labelled(&cluster, HELLO), (true, true));
}

#[test]
fn config_maps_of_other_namespaces_are_none_of_its_business() {
    let mut cluster = world(&[], vec![(100, create("other/hello"))]);
    let records = until(&mut cluster, 40_000);
    assert_eq!(reconciles(&records), 0);
    assert!(cluster.differing().is_empty());
}

#[test]
fn a_write_of_a_person_is_refused_like_any_other() {
    let span = SimDuration::from_secs(1);
    let done = vec![
        (100, Stimulus::RefuseWrites { span }),
        (500, create(HELLO)),
        (1200, create(HELLO)),
        (1300, create(HELLO)),
        (1400, Stimulus::RefuseNext { writes: 1 }),
        (1500, Stimulus::Delete { key: HELLO.into() }),
    ];
    let mut cluster = world(&[], done);
    let records = until(&mut cluster, 3000);
    let refused: Vec<ApiError> = records
        .iter()
        .filter_map(|record| match record.fact {
            Fact::Refused { error, .. } => Some(error),
            _ => None,
        })
        .collect();
    let wanted = [
        ApiError::ServiceUnavailable,
        ApiError::AlreadyExists,
        ApiError::ServiceUnavailable,
    ];
    assert_eq!(refused, wanted);
    assert_eq!(labelled(&cluster, HELLO), (true, true));
}

// Scene 9

#[test]
fn every_fact_of_the_housekeepers_scene_is_a_fact_of_the_scene_it_retells() {
    let (hotel, peel) = (played(HOUSEKEEPER), played(PEEL));
    assert_eq!(hotel.json_lines(None), peel.json_lines(None));
    let scene = CONFIG_MAP.scenes[HOUSEKEEPER];
    assert_eq!(scene.skin.map(|skin| skin.id), Some("housekeeper"));
    assert!(scene.claim.contains(&format!("scene {}", PEEL + 1)));
    for beat in scene.beats {
        for word in [
            "cache",
            "config map",
            "API server",
            "queue",
            "reconcile",
            "event",
        ] {
            assert!(!beat.caption.contains(word), "{word}: {}", beat.caption);
        }
    }
}
