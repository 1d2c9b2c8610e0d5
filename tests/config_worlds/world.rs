//! Random worlds of the config map controller: knobs, a seed, and what people and mishaps do.

#[path = "../drive/mod.rs"]
mod drive;

use drive::Drive;
pub use drive::World;
use loopscope::engine::apiserver::ObjectId;
use loopscope::engine::controller::configmap::is_labelled;
use loopscope::engine::record::WriteAnswer;
use loopscope::engine::stimulus::{Manifest, Patch};
use loopscope::engine::workqueue::Added;
use loopscope::engine::{
    Cluster, Fact, Key, Knobs, QueueKind, Record, SimDuration, SimTime, Stimulus,
};
use loopscope::scene::CONFIG_MAP;
use proptest::prelude::*;
use std::borrow::Cow;

/// The controller is responsible for the first two.
const NAMES: [&str; 3] = ["default/a", "default/b", "other/c"];
/// All that people do is long over, the longest back-off of the informer included.
const LONG_AFTER: SimTime = SimTime::from_millis(150_000);
/// A cache that has missed an event can make every update a 409, again and again: such a run is left.
const TOO_LATE: SimTime = SimTime::from_millis(200_000);
/// More cues than any of these worlds plays until then.
const CUES_MAX: usize = 200_000;

pub const DRIVE: Drive<BoxedStrategy<World>> = Drive {
    test: "config_worlds",
    worlds: world,
};

impl World {
    /// Plays until long after, and on to the next rest; calls `look` wherever a cue ends.
    pub fn play(
        &self,
        mut look: impl FnMut(&Cluster, &[Record]) -> Result<(), String>,
    ) -> Result<(Cluster, Vec<Record>), String> {
        let (mut cluster, mut records) = (self.stage(), Vec::new());
        for _ in 0..CUES_MAX {
            let over = match cluster.next_due() {
                None => true,
                Some(due) => due > LONG_AFTER && cluster.controller().is_idle() || due > TOO_LATE,
            };
            if over {
                return Ok((cluster, records));
            }
            let known = records.len();
            cluster.play_next(&mut records);
            look(&cluster, &records[known..])?;
        }
        Err(format!("no rest after {CUES_MAX} cues"))
    }

    /// What permits a config map to stay wrong in this run, if anything does.
    pub fn exceptions(&self, records: &[Record]) -> Vec<Exception> {
        let is = |what: fn(&Fact) -> bool| records.iter().any(|record| what(&record.fact));
        let failed = |answer: &WriteAnswer| matches!(answer, WriteAnswer::Failed { .. });
        let write_failed = records.iter().any(
            |record| matches!(&record.fact, Fact::WriteAnswered { answer, .. } if failed(answer)),
        );
        let no_resync = self.knobs.resync == SimDuration::ZERO;
        let full = |fact: &Fact| {
            let added = Added::Full;
            matches!(fact, Fact::Enqueued { added: how, .. } if *how == added)
        };
        let found = [
            (is(full), Exception::ChannelFull),
            (
                is(|fact| matches!(fact, Fact::EventLost { .. })),
                Exception::EventLost,
            ),
            (
                no_resync && is(|fact| matches!(fact, Fact::Swallowed { .. })),
                Exception::Swallowed,
            ),
            (
                write_failed && is(|fact| matches!(fact, Fact::Scribbled { .. })),
                Exception::Scribbled,
            ),
        ];
        let found = found.into_iter().filter(|(happened, _)| *happened);
        found.map(|(_, exception)| exception).collect()
    }
}

/// What permits a config map to stay wrong: the named exceptions from convergence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exception {
    /// An event did not reach the cache.
    EventLost,
    /// A reconcile claimed success, and nothing is told of again.
    Swallowed,
    /// A cached object was changed and the write failed.
    Scribbled,
    /// The plain channel was full.
    ChannelFull,
}

/// Config maps that the controller is responsible for and that lack their label.
pub fn unlabelled(cluster: &Cluster) -> Vec<Key> {
    let ours = |key: &Key| cluster.keys().text(*key).starts_with("default/");
    let wrong = |key: &Key| {
        let object = cluster.store().get(ObjectId::config_map(*key));
        object.is_some_and(|object| !is_labelled(object))
    };
    let keys = (0..cluster.keys().len() as u32).map(Key);
    keys.filter(ours).filter(wrong).collect()
}

fn millis(choices: &'static [i64]) -> impl Strategy<Value = SimDuration> {
    prop::sample::select(choices).prop_map(SimDuration::from_millis)
}

fn knobs(kind: QueueKind) -> impl Strategy<Value = Knobs> {
    let times = (
        millis(&[0, 1, 5, 10, 40]),
        millis(&[0, 1, 5, 20]),
        millis(&[0, 7000, 30_000]),
        millis(&[0, 1, 400]),
    );
    let channel = (prop::sample::select(&[1, 64, 64][..]), millis(&[300, 2000]));
    let parts = (times, any::<[bool; 3]>(), 1..4_u8, channel);
    parts.prop_map(move |(times, flags, workers, channel)| Knobs {
        queue: kind,
        channel_capacity: channel.0,
        channel_retry: channel.1,
        watch_delay: times.0,
        request_latency: times.1,
        resync: times.2,
        restart_time: times.3,
        delete_handler: flags[0],
        deep_copy: flags[1],
        wait_on_conflict: flags[2],
        workers,
        ..Knobs::config_map()
    })
}

fn label(value: Option<&'static str>) -> Patch {
    Patch {
        labels: vec![("managed-by".into(), value.map(Cow::Borrowed))].into(),
        ..Patch::NONE
    }
}

fn manifest(labelled: bool) -> Manifest {
    let labels = vec![("managed-by".into(), "configmap-controller".into())];
    Manifest {
        labels: if labelled {
            labels.into()
        } else {
            Cow::Borrowed(&[])
        },
        ..Manifest::default()
    }
}

fn stimulus() -> impl Strategy<Value = Stimulus> {
    let key = || prop::sample::select(&NAMES[..]).prop_map(Cow::Borrowed);
    let value = prop::sample::select(&[None, Some("me"), Some("configmap-controller")][..]);
    let burst = (key(), 0..6_u32, millis(&[0, 1, 20]));
    prop_oneof![
        5 => (key(), any::<bool>()).prop_map(|(key, labelled)| Stimulus::CreateConfigMap {
            key,
            manifest: manifest(labelled),
        }),
        1 => (key(), any::<bool>()).prop_map(|(key, labelled)| Stimulus::ApplyConfigMap {
            key,
            manifest: manifest(labelled),
        }),
        5 => (key(), value).prop_map(|(key, value)| Stimulus::Patch { key, patch: label(value) }),
        2 => burst.prop_map(|(key, count, gap)| Stimulus::Burst { key, count, gap }),
        3 => key().prop_map(|key| Stimulus::Delete { key }),
        1 => (1..12_u32).prop_map(|count| Stimulus::CreateMany { name: "default/m".into(), count }),
        1 => millis(&[0, 30, 3000]).prop_map(|span| Stimulus::RefuseWrites { span }),
        1 => (0..3_u32).prop_map(|writes| Stimulus::RefuseNext { writes }),
        2 => Just(Stimulus::RefuseController),
        1 => Just(Stimulus::SwallowReconcile),
        1 => Just(Stimulus::LoseEvent),
        1 => Just(Stimulus::CloseWatch),
        1 => Just(Stimulus::ExpireWatch),
        1 => Just(Stimulus::RestartController),
    ]
}

fn world(kind: QueueKind) -> BoxedStrategy<World> {
    // Coarse instants, so that many things fall together; and fine ones.
    let instant = prop_oneof![
        (0..8_i64).prop_map(|step| step * 100),
        (0..60_i64).prop_map(|step| step * 5),
        0..2500_i64,
    ];
    let placed = (instant.prop_map(SimTime::from_millis), stimulus());
    let stimuli = prop::collection::vec(placed, 1..20);
    let scene = prop_oneof![(0..CONFIG_MAP.scenes.len()).prop_map(Some), Just(None),];
    let parts = (knobs(kind), any::<u64>(), stimuli, scene);
    parts
        .prop_map(|(knobs, seed, stimuli, scene)| World {
            chapter: CONFIG_MAP.id,
            scene,
            knobs,
            seed,
            stimuli,
        })
        .boxed()
}
