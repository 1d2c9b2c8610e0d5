//! What the scenes claim, each claim a test of its name, held against the engine's own records.

use loopscope::engine::apiserver::{EventType, Version};
use loopscope::engine::controller::{Action, Conclusion, Section};
use loopscope::engine::record::Why;
use loopscope::engine::workqueue::Added;
use loopscope::engine::{
    Actor, Cluster, Fact, Key, Knobs, Preset, QueueKind, Record, SimDuration, SimTime, Stimulus,
};
use loopscope::frame::View;
use loopscope::scene::{
    Anchor, CONTROL_LOOP, DEFAULT_SEED, PLAY_MAX, PRODUCTION, Played, STAGING, Scene, fill,
};
use std::rc::Rc;

fn clean(knobs: Knobs) -> Played {
    failing(knobs, &[])
}

fn failing(knobs: Knobs, attempts: &[u32]) -> Played {
    let failing_upgrades = Some(attempts.to_vec());
    let knobs = Knobs {
        failing_upgrades,
        ..knobs
    };
    CONTROL_LOOP.play(&Rc::new(knobs), DEFAULT_SEED)
}

fn facts(played: &Played, scene: usize) -> impl Iterator<Item = &Fact> {
    let window = played.window(scene - 1);
    played.records[window].iter().map(|record| &record.fact)
}

fn actions(played: &Played, scene: usize) -> Vec<Action> {
    let done = |fact: &Fact| match fact {
        Fact::ActionDone { action, .. } => Some(*action),
        _ => None,
    };
    facts(played, scene).filter_map(done).collect()
}

fn conclusions(played: &Played, scene: usize) -> Vec<Conclusion> {
    let finished = |fact: &Fact| match fact {
        Fact::Finished { conclusion, .. } => Some(*conclusion),
        _ => None,
    };
    facts(played, scene).filter_map(finished).collect()
}

fn requeued(knobs: &Knobs) -> Conclusion {
    Conclusion::RequeueAfter {
        after: knobs.requeue_after,
    }
}

fn key(played: &Played, text: &str) -> Key {
    played
        .cluster
        .keys()
        .get(text)
        .expect("a key of the chapter")
}

#[test]
fn a_clean_run_makes_12_reconciles_with_client_go_and_19_with_the_article() {
    let by_scene = |preset: Preset| clean(preset.knobs()).reconciles_by_scene();
    assert_eq!(by_scene(Preset::ClientGo), [2, 2, 2, 3, 2, 1]);
    assert_eq!(by_scene(Preset::Article), [2, 2, 2, 10, 2, 1]);
}

#[test]
fn a_clean_run_makes_15_revisions_and_ends_at_rest_with_either_preset() {
    for preset in Preset::ALL {
        let played = clean(preset.knobs());
        assert_eq!(played.cluster.store().revision(), 15);
        assert!(played.is_over() && played.cluster.controller().is_idle());
        assert_eq!(played.records.last().map(|r| &r.fact), Some(&Fact::Rested));
        let mut events: Vec<(EventType, u64)> = Vec::new();
        for record in &played.records {
            if let Fact::Written {
                event, revision, ..
            } = record.fact
            {
                events.push((event, revision));
            }
        }
        let wanted = (1..=15).map(|revision| match revision {
            1 | 14 => (EventType::Added, revision),
            15 => (EventType::Deleted, revision),
            _ => (EventType::Modified, revision),
        });
        assert_eq!(events, wanted.collect::<Vec<_>>());
    }
}

#[test]
fn the_default_seed_fails_no_upgrade_with_either_preset() {
    for preset in Preset::ALL {
        let by_chance = CONTROL_LOOP.play(&Rc::new(preset.knobs()), DEFAULT_SEED);
        assert_eq!(by_chance.records, clean(preset.knobs()).records);
    }
}

#[test]
fn scenes_begin_when_the_article_s_program_begins_them() {
    let starts = CONTROL_LOOP.starts(&Preset::Article.knobs());
    let millis = [100, 1600, 3100, 5100, 7300, 8800, 9800];
    assert_eq!(starts, millis.map(SimTime::from_millis));
}

#[test]
fn creating_an_object_provisions_it_from_zero_one_reconcile_acts_one_verifies() {
    for preset in Preset::ALL {
        let played = clean(preset.knobs());
        let version = Version::new(15, 4);
        let wanted = [
            Action::Upgrade { version },
            Action::Scale { from: 0, to: 3 },
        ];
        assert_eq!(actions(&played, 1), wanted);
        let ended = [requeued(&preset.knobs()), Conclusion::InDesiredState];
        assert_eq!(conclusions(&played, 1), ended);
    }
}

#[test]
fn a_change_of_one_field_is_closed_by_one_action_and_the_second_look_does_nothing() {
    for preset in Preset::ALL {
        let played = clean(preset.knobs());
        assert_eq!(actions(&played, 2), [Action::Scale { from: 3, to: 5 }]);
        let ended = [requeued(&preset.knobs()), Conclusion::InDesiredState];
        assert_eq!(conclusions(&played, 2), ended);
    }
}

#[test]
fn a_failed_upgrade_is_retried_within_its_scene_after_5_ms_with_client_go() {
    let played = failing(Preset::ClientGo.knobs(), &[2]);
    assert_eq!(played.reconciles_by_scene(), [2, 2, 3, 3, 2, 1]);
    assert_eq!(retry_wait(&played), SimDuration::from_millis(5));
    let version = Version::new(15, 5);
    assert_eq!(actions(&played, 3), [Action::Upgrade { version }]);
}

#[test]
fn a_failed_upgrade_is_retried_after_2_s_with_the_channel_and_the_burst_does_the_upgrade() {
    let played = failing(Preset::Article.knobs(), &[2]);
    assert_eq!(played.reconciles_by_scene(), [2, 2, 1, 12, 2, 1]);
    assert_eq!(retry_wait(&played), SimDuration::from_secs(2));
    assert_eq!(actions(&played, 3), []);
    let version = Version::new(15, 5);
    assert_eq!(actions(&played, 4), [Action::Upgrade { version }]);
}

/// How long the first retry waits.
fn retry_wait(played: &Played) -> SimDuration {
    let wait = |record: &Record| match record.fact {
        Fact::Enqueued {
            why: Why::Retry,
            added: Added::Delayed { until },
            ..
        } => Some(until - record.at),
        _ => None,
    };
    played.records.iter().find_map(wait).expect("a retry")
}

#[test]
fn ten_events_become_three_reconciles_or_ten_without_deduplication() {
    let knobs = || Preset::ClientGo.knobs();
    let channel = Knobs {
        queue: QueueKind::Channel,
        ..knobs()
    };
    let reconciles = |knobs| clean(knobs).reconciles_by_scene();
    assert_eq!(reconciles(knobs()), [2, 2, 2, 3, 2, 1]);
    // The fair comparison: nothing but the queue is different.
    assert_eq!(reconciles(channel), [2, 2, 2, 10, 2, 1]);
}

#[test]
fn deduplication_pays_only_where_work_is_slower_than_events_come() {
    let burst = |millis| {
        let knobs = Knobs {
            observe_time: SimDuration::from_millis(millis),
            ..Preset::ClientGo.knobs()
        };
        let played = clean(knobs);
        (
            played.reconciles_by_scene()[3],
            played.cluster.controller().reconciles,
        )
    };
    for millis in [0, 1, 5, 10, 19, 20] {
        assert_eq!(burst(millis), (10, 19), "observing takes {millis} ms");
    }
    // The first look, and one for each stretch of work in which events came: the last of the ten
    // comes 180 ms after the first.
    for millis in 21..=400 {
        let looks = 1 + 180_usize.div_ceil(millis as usize);
        assert_eq!(burst(millis).0, looks, "observing takes {millis} ms");
    }
}

#[test]
fn at_5_263_s_the_key_is_in_hand_while_events_merge() {
    let knobs = Rc::new(Preset::ClientGo.knobs());
    let mut cluster = CONTROL_LOOP.stage(&knobs, DEFAULT_SEED);
    let mut records = Vec::new();
    cluster.advance_to(SimTime::from_millis(5263), &mut records);
    let mut view = View::new(knobs.workers);
    records.iter().for_each(|record| view.apply(record));
    let counters = view.counters;
    assert_eq!(counters.revision, 12);
    assert_eq!((counters.events, counters.merged), (11, 5));
    assert_eq!(view.flights.len(), 1);
    assert!(view.ready.is_empty() && view.delayed.is_empty());
    let hand = view.hands[0].as_ref().expect("a key in hand");
    assert_eq!((hand.n, hand.section), (8, Section::Observe));
    assert_eq!(hand.dirty, Some(1));
    let spent = cluster.now() - hand.since;
    assert_eq!(spent, SimDuration::from_millis(58));
    assert_eq!(hand.until - hand.since, SimDuration::from_millis(100));
}

#[test]
fn a_second_object_runs_under_its_own_key_and_the_first_is_left_alone() {
    for preset in Preset::ALL {
        let played = clean(preset.knobs());
        let staging = key(&played, STAGING);
        assert!(
            facts(&played, 5)
                .filter_map(Fact::key)
                .all(|key| key == staging)
        );
        let version = Version::new(15, 5);
        let wanted = [
            Action::Upgrade { version },
            Action::Scale { from: 0, to: 1 },
        ];
        assert_eq!(actions(&played, 5), wanted);
    }
}

#[test]
fn a_deleted_object_is_found_missing_and_cleaned_up_in_one_reconcile() {
    for preset in Preset::ALL {
        let played = clean(preset.knobs());
        assert_eq!(actions(&played, 6), [Action::CleanUp]);
        assert_eq!(conclusions(&played, 6), [Conclusion::NotFound]);
        let (production, staging) = (key(&played, PRODUCTION), key(&played, STAGING));
        assert_eq!(played.cluster.actual(staging), None);
        assert!(played.cluster.store().get(staging).is_none());
        let left = played.cluster.actual(production).expect("untouched");
        assert_eq!(
            (left.replicas, left.version),
            (5, Some(Version::new(15, 5)))
        );
    }
}

#[test]
fn idempotent_looking_again_at_any_time_changes_nothing() {
    // Restarting the controller lists every object: each key is looked at once more.
    for preset in Preset::ALL {
        let played = clean(preset.knobs());
        let mut cluster = played.cluster.clone();
        for _ in 0..5 {
            let mut records = Vec::new();
            cluster.inject(cluster.now(), Actor::Visitor, Stimulus::RestartController);
            while cluster.play_next(&mut records) {}
            let looked = |record: &&Record| matches!(record.fact, Fact::Started { .. });
            assert_eq!(records.iter().filter(looked).count(), 1);
            let changed = |record: &Record| {
                matches!(
                    record.fact,
                    Fact::ActionStarted { .. } | Fact::ActionDone { .. }
                )
            };
            assert!(!records.iter().any(changed));
        }
        let production = key(&played, PRODUCTION);
        assert_eq!(
            cluster.actual(production),
            played.cluster.actual(production)
        );
    }
}

#[test]
fn level_triggered_a_restart_at_any_instant_ends_in_the_same_state() {
    for preset in Preset::ALL {
        let knobs = Rc::new(preset.knobs());
        let played = CONTROL_LOOP.play(&knobs, DEFAULT_SEED);
        let mut instants: Vec<SimTime> = played.records.iter().map(|record| record.at).collect();
        instants.dedup();
        // Between two instants nothing differs but what is under way: one moment stands for all.
        let between: Vec<SimTime> = instants
            .windows(2)
            .map(|pair| SimTime(pair[0].0 / 2 + pair[1].0 / 2))
            .collect();
        for at in instants.into_iter().chain(between) {
            let mut cluster = CONTROL_LOOP.stage(&knobs, DEFAULT_SEED);
            cluster.inject(at, Actor::Visitor, Stimulus::RestartController);
            let mut records = Vec::new();
            while cluster.play_next(&mut records) {}
            let production = key(&played, PRODUCTION);
            assert_eq!(cluster.store().revision(), 15);
            assert_eq!(
                cluster.actual(production),
                played.cluster.actual(production),
                "{} with a restart at {at:?}",
                preset.name()
            );
            let orphaned = cluster.actual(key(&played, STAGING)).is_some();
            assert_eq!(orphaned, lost_deletion(&records), "restart at {at:?}");
        }
    }
}

/// The one thing that a list cannot tell: an object that was deleted while nobody watched. Its
/// name is in no list and its event is gone, so that what ran of it stays. (Finalizers are what
/// Kubernetes has against that.)
fn lost_deletion(records: &[Record]) -> bool {
    let cleaned = records.iter().any(|record| {
        let Fact::ActionDone { action, .. } = record.fact else {
            return false;
        };
        action == Action::CleanUp
    });
    let provisioned = records.iter().any(|record| {
        matches!(
            record.fact,
            Fact::ActionDone {
                action: Action::Scale { to: 1, .. },
                ..
            }
        )
    });
    provisioned && !cleaned
}

#[test]
fn an_error_is_a_requeue_whatever_fails_it_comes_back_until_it_is_done() {
    for preset in Preset::ALL {
        let wanted = clean(preset.knobs());
        for bits in 0..1_u32 << 6 {
            let attempts: Vec<u32> = (1..=6).filter(|n| bits >> (n - 1) & 1 == 1).collect();
            let played = failing(preset.knobs(), &attempts);
            let mut errors = 0;
            for (place, record) in played.records.iter().enumerate() {
                let Fact::Finished { conclusion, .. } = record.fact else {
                    continue;
                };
                if let Conclusion::Error { .. } = conclusion {
                    errors += 1;
                    let next = &played.records[place + 1].fact;
                    let retried = matches!(
                        next,
                        Fact::Enqueued {
                            why: Why::Retry,
                            ..
                        }
                    );
                    assert!(retried, "{attempts:?}: an error was followed by {next:?}");
                }
            }
            assert!(errors > 0 || attempts.iter().all(|&attempt| attempt > 3));
            for name in CONTROL_LOOP.resources {
                let key = key(&wanted, name);
                assert_eq!(
                    played.cluster.actual(key),
                    wanted.cluster.actual(key),
                    "{attempts:?}"
                );
            }
        }
    }
}

#[test]
fn a_run_that_never_rests_is_left_after_an_hour_of_simulated_time() {
    for preset in Preset::ALL {
        let knobs = Knobs {
            upgrade_failure_permille: 1000,
            ..preset.knobs()
        };
        let played = CONTROL_LOOP.play(&Rc::new(knobs), DEFAULT_SEED);
        assert!(!played.is_over());
        let last = played.records.last().expect("records").at - SimTime::ZERO;
        assert!(last <= PLAY_MAX, "{last}");
    }
}

#[test]
fn a_failed_upgrade_leaves_the_actual_state_as_it_was() {
    for preset in Preset::ALL {
        let played = failing(preset.knobs(), &[2]);
        let mut view = View::new(1);
        for record in &played.records {
            let before = view.clone();
            view.apply(record);
            if let Fact::ActionFailed { key, .. } = record.fact {
                assert_eq!(before.actual[&key].actual, view.actual[&key].actual);
                assert_eq!(view.actual[&key].actual.version, Some(Version::new(15, 4)));
            }
        }
    }
}

#[test]
fn every_beat_s_fact_happens_in_a_clean_run_with_either_queue() {
    for queue in [QueueKind::ClientGo, QueueKind::Channel] {
        let mut worlds = vec![Knobs {
            queue,
            ..Preset::ClientGo.knobs()
        }];
        if queue == QueueKind::Channel {
            worlds.push(Preset::Article.knobs());
        }
        for knobs in worlds {
            let played = clean(knobs);
            for (number, scene) in CONTROL_LOOP.scenes.iter().enumerate() {
                let window = &played.records[played.window(number)];
                look_up(scene, queue, false, window);
            }
        }
    }
}

#[test]
fn every_beat_of_a_variant_happens_where_its_stimulus_comes_first() {
    for queue in [QueueKind::ClientGo, QueueKind::Channel] {
        let knobs = Rc::new(Knobs {
            queue,
            ..Preset::ClientGo.knobs()
        });
        let starts = CONTROL_LOOP.starts(&knobs);
        for (number, scene) in CONTROL_LOOP.scenes.iter().enumerate() {
            let Some(variant) = &scene.variant else {
                continue;
            };
            // The same stretch up to its rest, without the scenes that follow.
            let mut cluster = Cluster::new(knobs.clone(), DEFAULT_SEED);
            let script = CONTROL_LOOP.script(&knobs);
            for (due, stimulus) in script.into_iter().take(number + 1) {
                if due == starts[number] {
                    cluster.inject(due, Actor::Script, variant.stimulus.clone());
                }
                cluster.inject(due, Actor::Script, stimulus);
            }
            let mut records = Vec::new();
            while cluster.play_next(&mut records) {}
            let begin = records.partition_point(|record| record.at < starts[number]);
            look_up(scene, queue, true, &records[begin..]);
        }
    }
}

/// Finds the fact of every beat, each after the one before.
fn look_up(scene: &Scene, queue: QueueKind, variant: bool, records: &[Record]) {
    let mut from = 0;
    for beat in scene.beats(queue).filter(|beat| beat.variant == variant) {
        let mut found = |what: loopscope::scene::What, nth: Option<u16>| {
            let mut matching = (from..records.len()).filter(|&at| what.matches(&records[at].fact));
            let place = match nth {
                Some(nth) => matching.nth(usize::from(nth) - 1),
                None => matching.next_back(),
            };
            let place = place.unwrap_or_else(|| {
                panic!(
                    "{}: {queue:?}: no {what:?} for: {}",
                    scene.tab, beat.caption
                )
            });
            from = place + 1;
        };
        match beat.anchor {
            Anchor::Opening => {}
            Anchor::Next(what) => found(what, Some(1)),
            Anchor::Nth(what, nth) => found(what, Some(nth)),
            Anchor::Last(what) => found(what, None),
        }
    }
}

#[test]
fn every_caption_is_plain_and_short() {
    for preset in Preset::ALL {
        for scene in CONTROL_LOOP.scenes {
            for beat in scene.beats {
                let caption = fill(beat.caption, &preset.knobs());
                let words = caption.split_whitespace().count();
                assert!(words <= 40, "{words} words: {caption}");
                assert!(!caption.contains(['{', '}']), "{caption}");
            }
            assert!(!fill(scene.title, &preset.knobs()).contains(['{', '}']));
        }
    }
}
