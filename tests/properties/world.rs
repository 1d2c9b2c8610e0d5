//! Random worlds: knobs, a seed, and things that people do at random times.

#[path = "../drive/mod.rs"]
mod drive;

use drive::Drive;
pub use drive::World;
use loopscope::engine::apiserver::Version;
use loopscope::engine::record::Fact;
use loopscope::engine::workqueue::{Added, LimiterConfig};
use loopscope::engine::{
    Cluster, Key, Knobs, Preset, QueueKind, Record, SimDuration, SimTime, Stimulus,
};
use loopscope::scene::{CONTROL_LOOP, PRODUCTION, STAGING};
use proptest::prelude::*;
use std::borrow::Cow;

/// The last is none of the chapter's.
const NAMES: [&str; 3] = [PRODUCTION, STAGING, "other/c"];
/// More cues than any of these worlds needs to come to rest.
const CUES_MAX: usize = 100_000;

pub const DRIVE: Drive<BoxedStrategy<World>> = Drive {
    test: "properties",
    worlds: world,
};

impl World {
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
            fast: SimDuration::from_millis(1),
            slow: SimDuration::from_millis(50),
            max_fast_attempts: 2,
        }),
    ]
}

fn knobs(kind: QueueKind) -> impl Strategy<Value = Knobs> {
    let queue = (
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
    (queue, times, upgrades, rest).prop_map(move |(queue, times, upgrades, rest)| {
        let [fetch_time, observe_time, act_time, result_time] = times.1;
        Knobs {
            queue: kind,
            channel_capacity: queue.0,
            channel_retry: queue.1,
            limiter: queue.2,
            watch_buffer: queue.3,
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
        1 => key().prop_map(|key| Stimulus::annotate(key, "note", Some("seen".into()))),
    ]
}

fn world(kind: QueueKind) -> BoxedStrategy<World> {
    // Coarse instants, so that many things fall together; and fine ones; and while the script is
    // played.
    let instant = prop_oneof![
        3 => (0..8_i64).prop_map(|step| step * 100),
        3 => (0..60_i64).prop_map(|step| step * 5),
        3 => 0..1500_i64,
        1 => 0..12_000_i64,
    ];
    let placed = (instant.prop_map(SimTime::from_millis), stimulus());
    let stimuli = prop::collection::vec(placed, 1..20);
    let scripted = prop::sample::select(&[true, false][..]);
    let parts = (knobs(kind), any::<u64>(), stimuli, scripted);
    parts
        .prop_map(|(knobs, seed, mut stimuli, scripted)| {
            if scripted {
                // What is in a link is about the chapter's objects.
                stimuli.retain(|(_, stimulus)| CONTROL_LOOP.offers(stimulus));
            }
            World {
                chapter: CONTROL_LOOP.id,
                scene: scripted.then_some(0),
                knobs,
                seed,
                stimuli,
            }
        })
        .boxed()
}
