//! Random worlds: knobs, a seed, and things that people do at random times; and the driver that
//! tries a property on many of them and says how to see a failing one again.

use loopscope::engine::apiserver::Version;
use loopscope::engine::record::Fact;
use loopscope::engine::workqueue::{Added, LimiterConfig};
use loopscope::engine::{
    Actor, Cluster, Key, Knobs, Preset, QueueKind, Record, SimDuration, SimTime, Stimulus,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use std::borrow::Cow;
use std::rc::Rc;

const NAMES: [&str; 3] = ["default/a", "default/b", "other/c"];
/// More cues than any of these worlds needs to come to rest.
const CUES_MAX: usize = 100_000;

/// All that a run depends on.
#[derive(Clone, Debug)]
pub struct World {
    pub knobs: Knobs,
    pub seed: u64,
    pub stimuli: Vec<(SimTime, Stimulus)>,
}

impl World {
    /// The cluster at time zero, with all that people will do.
    pub fn stage(&self) -> Cluster {
        let mut cluster = Cluster::new(Rc::new(self.knobs.clone()), self.seed);
        for (due, stimulus) in &self.stimuli {
            cluster.inject(*due, Actor::Visitor, stimulus.clone());
        }
        cluster
    }

    /// Plays until nothing is left to happen, and calls `look` wherever a cue ends, with the
    /// records made since.
    pub fn play(
        &self,
        mut look: impl FnMut(&Cluster, &[Record]) -> Result<(), String>,
    ) -> Result<(Cluster, Vec<Record>), String> {
        let (mut cluster, mut records) = (self.stage(), Vec::new());
        for _ in 0..CUES_MAX {
            let known = records.len();
            if !cluster.play_next(&mut records) {
                return Ok((cluster, records));
            }
            look(&cluster, &records[known..])?;
        }
        Err(format!("no rest after {CUES_MAX} cues"))
    }

    /// What permits work to be lost in this run, if anything does.
    pub fn exceptions(&self, records: &[Record]) -> Vec<Exception> {
        let is = |what: fn(&Fact) -> bool| records.iter().any(|record| what(&record.fact));
        let full = |fact: &Fact| {
            matches!(
                fact,
                Fact::Enqueued {
                    added: Added::Full,
                    ..
                }
            )
        };
        let plain = self.knobs.queue == QueueKind::Channel;
        let found = [
            (
                is(|fact| matches!(fact, Fact::Dropped { .. })),
                Exception::EventDropped,
            ),
            (is(full), Exception::ChannelFull),
            (plain && self.knobs.workers > 1, Exception::ChannelShared),
            (
                !self.knobs.owned_watched && is(|fact| matches!(fact, Fact::ReplicaLost { .. })),
                Exception::LossUnwatched,
            ),
            (
                is(|fact| matches!(fact, Fact::ControllerStopped { .. })),
                Exception::Restarted,
            ),
        ];
        let found = found.into_iter().filter(|(happened, _)| *happened);
        found.map(|(_, exception)| exception).collect()
    }
}

/// What permits work to be lost: the named exceptions from convergence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exception {
    /// A watcher's buffer was full.
    EventDropped,
    /// The plain channel was full.
    ChannelFull,
    /// Several workers on a plain channel: one key in two hands.
    ChannelShared,
    /// A replica was lost, and nobody watches replicas.
    LossUnwatched,
    /// A deletion that nobody saw leaves an orphan. Objects that exist are listed, so they do not
    /// suffer.
    Restarted,
}

/// Objects that exist and whose actual state is not as desired.
pub fn unfulfilled(cluster: &Cluster) -> Vec<Key> {
    let fulfilled = |key, spec| cluster.actual(key).unwrap_or_default().fulfils(spec);
    cluster
        .store()
        .iter()
        .filter(|(key, object)| !fulfilled(*key, object.database_spec()))
        .map(|(key, _)| key)
        .collect()
}

/// Keys without an object under which something still runs.
pub fn orphans(cluster: &Cluster) -> Vec<Key> {
    (0..cluster.keys().len() as u32)
        .map(Key)
        .filter(|&key| cluster.store().get(key).is_none() && cluster.actual(key).is_some())
        .collect()
}

fn millis(choices: &'static [i64]) -> impl Strategy<Value = SimDuration> {
    prop::sample::select(choices).prop_map(SimDuration::from_millis)
}

fn limiter() -> impl Strategy<Value = LimiterConfig> {
    let bucket = |qps, burst| LimiterConfig::Bucket { qps, burst };
    prop_oneof![
        Just(LimiterConfig::default_controller()),
        Just(LimiterConfig::default_exponential()),
        Just(LimiterConfig::MaxOf(vec![
            LimiterConfig::default_exponential(),
            bucket(10.0, 1)
        ])),
        Just(bucket(3.0, 2)),
        Just(LimiterConfig::FastSlow {
            fast: SimDuration::ZERO,
            slow: SimDuration::from_millis(50),
            max_fast_attempts: 2,
        }),
    ]
}

fn knobs() -> impl Strategy<Value = Knobs> {
    let queue = (
        prop_oneof![2 => Just(QueueKind::ClientGo), 1 => Just(QueueKind::Channel)],
        prop::sample::select(&[1, 2, 64, 64][..]),
        millis(&[1, 100, 2000]),
        limiter(),
        prop::sample::select(&[0, 1, 2, 32, 32, 32][..]),
    );
    let times = (
        millis(&[0, 1, 5, 5, 50]),
        [
            millis(&[0, 0, 1, 10]),
            millis(&[0, 1, 10, 100]),
            millis(&[0, 0, 1]),
            millis(&[0, 0, 7]),
        ],
        millis(&[0, 1, 300]),
        millis(&[0, 1, 100, 500]),
        millis(&[0, 1, 400]),
    );
    let upgrades = (
        prop::sample::select(&[0, 150, 500, 800][..]),
        prop::option::weighted(0.2, prop::collection::vec(1..8_u32, 0..4)),
    );
    let rest = (1..=4_u8, any::<bool>());
    (queue, times, upgrades, rest).prop_map(|(queue, times, upgrades, rest)| {
        let [fetch_time, observe_time, act_time, result_time] = times.1;
        Knobs {
            queue: queue.0,
            channel_capacity: queue.1,
            channel_retry: queue.2,
            limiter: queue.3,
            watch_buffer: queue.4,
            watch_delay: times.0,
            fetch_time,
            observe_time,
            act_time,
            result_time,
            upgrade_time: times.2,
            requeue_after: times.3,
            restart_time: times.4,
            upgrade_failure_permille: upgrades.0,
            failing_upgrades: upgrades.1,
            workers: rest.0,
            owned_watched: rest.1,
            ..Preset::ClientGo.knobs()
        }
    })
}

fn stimulus() -> impl Strategy<Value = Stimulus> {
    let key = || prop::sample::select(&NAMES[..]).prop_map(Cow::Borrowed);
    let version = || (4..7_u16).prop_map(|minor| Version::new(15, minor));
    let burst = (key(), 0..12_u32, millis(&[0, 1, 20]));
    prop_oneof![
        4 => (key(), 0..5_u32, version()).prop_map(|(key, replicas, version)| {
            Stimulus::Create { key, replicas, version }
        }),
        2 => (key(), 0..5_u32).prop_map(|(key, replicas)| Stimulus::Scale { key, replicas }),
        2 => (key(), version()).prop_map(|(key, version)| Stimulus::Upgrade { key, version }),
        3 => burst.prop_map(|(key, count, gap)| Stimulus::Burst { key, count, gap }),
        2 => key().prop_map(|key| Stimulus::Delete { key }),
        2 => key().prop_map(|key| Stimulus::KillReplica { key }),
        1 => Just(Stimulus::RestartController),
        1 => Just(Stimulus::FailNextUpgrade),
    ]
}

pub fn world() -> impl Strategy<Value = World> {
    // Coarse instants, so that many things fall together; and fine ones.
    let instant = prop_oneof![
        (0..8_i64).prop_map(|step| step * 100),
        (0..60_i64).prop_map(|step| step * 5),
        0..1500_i64,
    ];
    let placed = (instant.prop_map(SimTime::from_millis), stimulus());
    let stimuli = prop::collection::vec(placed, 1..20);
    (knobs(), any::<u64>(), stimuli).prop_map(|(knobs, seed, stimuli)| World {
        knobs,
        seed,
        stimuli,
    })
}

/// Tries `property` on `runs` worlds: on `LOOPSCOPE_RUNS` times as many where that environment
/// variable is set, or on the one that `LOOPSCOPE_CASE` names. A failing world is made small and
/// printed, with its number.
pub fn always(name: &str, runs: u64, property: impl Fn(&World) -> Result<(), String>) {
    let number = |variable: &str| {
        let text = std::env::var(variable).ok()?;
        Some(
            text.parse::<u64>()
                .unwrap_or_else(|_| panic!("{variable}: a number, not {text:?}")),
        )
    };
    let cases = match number("LOOPSCOPE_CASE") {
        Some(case) => case..case + 1,
        None => 0..runs * number("LOOPSCOPE_RUNS").unwrap_or(1),
    };
    for case in cases {
        let tried = runner(case).run(&world(), |world| {
            property(&world).map_err(TestCaseError::fail)
        });
        if let Err(failure) = tried {
            panic!(
                "{failure}\nto see it again: LOOPSCOPE_CASE={case} cargo test --test properties {name}"
            );
        }
    }
}

/// Calls `look` with `runs` worlds, until it says that it has seen enough.
pub fn until_seen(runs: u64, mut look: impl FnMut(World) -> bool) {
    for case in 0..runs {
        let tree = world().new_tree(&mut runner(case));
        if look(tree.expect("a world").current()) {
            return;
        }
    }
}

fn runner(case: u64) -> TestRunner {
    TestRunner::new(Config {
        cases: 1,
        rng_seed: RngSeed::Fixed(case),
        failure_persistence: None,
        ..Config::default()
    })
}
