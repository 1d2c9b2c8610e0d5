//! Whatever happens to a cluster, in whatever world within bounds: it plays on, its picture tells no
//! other story, every cause came before, and neither a clone nor the slicing of time changes a record.

#![no_main]

#[path = "../../tests/laws/mod.rs"]
mod laws;

use laws::{Verdict, fold_equals, in_order, root, same};
use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use loopscope::engine::apiserver::Version;
use loopscope::engine::knob::{
    BUCKET_BURST, BURST_MAX, Dial, FAST_ATTEMPTS, MANY_MAX, REPLICAS_MAX, RETRY_MAX, RETRY_MIN,
    TIME_MAX,
};
use loopscope::engine::stimulus::{Changes, Entries, Manifest, Name, Patch};
use loopscope::engine::workqueue::LimiterConfig;
use loopscope::engine::{
    Actor, Cluster, ControllerKind, Fact, KNOBS, Knobs, Preset, QueueKind, Record, SimDuration,
    SimTime, Stimulus,
};
use loopscope::frame::View;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// Things done to one cluster.
const STIMULI_MAX: usize = 24;
/// Cues that a run is followed for; most come to rest before.
const CUES_MAX: usize = 1500;
/// No instant has more of them.
const CUES_AT_ONCE: usize = 100_000;
/// Everything is done before this.
const DONE: SimDuration = SimDuration::from_secs(10);

fuzz_target!(|bytes: &[u8]| {
    let Ok(world) = World::arbitrary(&mut Unstructured::new(bytes)) else {
        return;
    };
    if let Err(fault) = world.holds() {
        panic!("{fault}\n{world:?}");
    }
});

#[derive(Debug)]
struct World {
    knobs: Knobs,
    seed: u64,
    stimuli: Vec<(SimTime, Stimulus)>,
    /// Into so many slices time is cut.
    slices: i64,
}

impl World {
    fn arbitrary(bytes: &mut Unstructured) -> Result<World> {
        let kind = *bytes.choose(&[ControllerKind::Database, ControllerKind::ConfigMap])?;
        let knobs = knobs(kind, bytes)?;
        assert_eq!(knobs.check(), Ok(()), "{knobs:?}");
        let (seed, slices) = (u64::arbitrary(bytes)?, bytes.int_in_range(1..=200)?);
        let mut stimuli = Vec::new();
        while !bytes.is_empty() && stimuli.len() < STIMULI_MAX {
            let at = SimTime::ZERO + duration(bytes, &(SimDuration::ZERO..=DONE))?;
            let stimulus = match kind {
                ControllerKind::Database => to_databases(bytes)?,
                ControllerKind::ConfigMap => to_config_maps(bytes)?,
            };
            assert_eq!(stimulus.check(), Ok(()), "{stimulus:?}");
            stimuli.push((at, stimulus));
        }
        Ok(World {
            knobs,
            seed,
            stimuli,
            slices,
        })
    }

    fn stage(&self) -> Cluster {
        let mut cluster = Cluster::new(Rc::new(self.knobs.clone()), self.seed);
        for (due, stimulus) in &self.stimuli {
            cluster.inject(*due, Actor::Visitor, stimulus.clone());
        }
        cluster
    }

    fn holds(&self) -> Verdict {
        let (mut cluster, mut records) = (self.stage(), Vec::new());
        let mut view = View::new(self.knobs.workers);
        let (mut cues, mut copy) = (0, None);
        // On to where nothing is left to happen at the instant at which it is left.
        while cues < CUES_MAX || cluster.next_due() == Some(cluster.now()) {
            let known = records.len();
            if !cluster.play_next(&mut records) {
                break;
            }
            cues += 1;
            assert!(
                cues < CUES_AT_ONCE,
                "round and round at {:?}",
                cluster.now()
            );
            records[known..]
                .iter()
                .for_each(|record| view.apply(record));
            // The picture is compared ever more seldom.
            if (cues as u64).is_power_of_two() {
                fold_equals(self.knobs.controller, &view, &cluster)?;
                copy = Some((cluster.clone(), records.len()));
            }
        }
        fold_equals(self.knobs.controller, &view, &cluster)?;
        in_order(&records)?;
        self.goes_back_to_beginnings(&records)?;
        let end = cluster.now();
        if let Some((mut copy, known)) = copy {
            let mut copied = Vec::new();
            copy.advance_to(end, &mut copied);
            same("a clone", &copied[..], &records[known..])?;
        }
        let (mut sliced, mut again) = (self.stage(), Vec::new());
        for slice in 1..=self.slices {
            let until = i128::from(end.0) * i128::from(slice) / i128::from(self.slices);
            sliced.advance_to(SimTime(until as i64), &mut again);
        }
        same("in slices", &again, &records)
    }

    /// No reconcile comes from nowhere. The last one will do: the chain is long.
    fn goes_back_to_beginnings(&self, records: &[Record]) -> Verdict {
        let started = |record: &&Record| matches!(record.fact, Fact::Started { .. });
        let Some(last) = records.iter().rfind(started) else {
            return Ok(());
        };
        match root(records, last.causes) {
            Some(Fact::Acted { .. } | Fact::ControllerStarted) => Ok(()),
            root => Err(format!("{last:?} goes back to {root:?}")),
        }
    }
}

/// Often one of the bounds, or a round number.
fn duration(bytes: &mut Unstructured, range: &RangeInclusive<SimDuration>) -> Result<SimDuration> {
    let (least, most) = (*range.start(), *range.end());
    Ok(match bytes.int_in_range(0..=7)? {
        0 => least,
        1 => most,
        2 => SimDuration(bytes.int_in_range(least.0..=most.0)?),
        3 | 4 => SimDuration::from_millis(bytes.int_in_range(0..=50)?).clamp(least, most),
        _ => SimDuration::from_millis(bytes.int_in_range(0..=30)? * 100).clamp(least, most),
    })
}

fn count(bytes: &mut Unstructured, range: RangeInclusive<u32>) -> Result<u32> {
    let (least, most) = (*range.start(), *range.end());
    let few = most.min(least.saturating_add(8));
    match bytes.int_in_range(0..=7)? {
        0 => Ok(most),
        1 => bytes.int_in_range(least..=most),
        _ => bytes.int_in_range(least..=few),
    }
}

/// A world of this controller; of its knobs so many are turned.
fn knobs(kind: ControllerKind, bytes: &mut Unstructured) -> Result<Knobs> {
    let mut knobs = match kind {
        ControllerKind::Database => Preset::ClientGo.knobs(),
        ControllerKind::ConfigMap => Knobs::config_map(),
    };
    for _ in 0..bytes.int_in_range(0..=12)? {
        match &bytes.choose(&KNOBS)?.dial {
            Dial::Queue => {
                knobs.queue = *bytes.choose(&[QueueKind::ClientGo, QueueKind::Channel])?;
            }
            Dial::Limiter => knobs.limiter = limiter(bytes)?,
            Dial::Duration(at, range) => *at(&mut knobs) = duration(bytes, range)?,
            Dial::Count(at, range) => *at(&mut knobs) = count(bytes, range.clone())?,
            Dial::Workers(range) => knobs.workers = bytes.int_in_range(range.clone())?,
            Dial::Permille(at) => *at(&mut knobs) = bytes.int_in_range(0..=1000)?,
            Dial::Flag(at) => *at(&mut knobs) = bool::arbitrary(bytes)?,
            Dial::Attempts => {
                let attempts = (0..bytes.int_in_range(0..=4)?).map(|_| bytes.int_in_range(1..=20));
                knobs.failing_upgrades = Some(attempts.collect::<Result<_>>()?);
            }
        }
    }
    Ok(knobs)
}

fn limiter(bytes: &mut Unstructured) -> Result<LimiterConfig> {
    let limiter = match bytes.int_in_range(0..=3)? {
        0 => LimiterConfig::default_controller(),
        1 => {
            let both = [simple_limiter(bytes)?, simple_limiter(bytes)?];
            LimiterConfig::MaxOf(both.into())
        }
        _ => simple_limiter(bytes)?,
    };
    Ok(match bool::arbitrary(bytes)? {
        true => limiter,
        false => LimiterConfig::WithMaxWait {
            limiter: Box::new(limiter),
            max: duration(bytes, &(RETRY_MIN..=RETRY_MAX))?,
        },
    })
}

fn simple_limiter(bytes: &mut Unstructured) -> Result<LimiterConfig> {
    let mut wait = || duration(bytes, &(RETRY_MIN..=RETRY_MAX));
    let (one, other) = (wait()?, wait()?);
    Ok(match bytes.int_in_range(0..=2)? {
        0 => LimiterConfig::Exponential {
            base: one,
            max: other,
        },
        1 => LimiterConfig::FastSlow {
            fast: one,
            slow: other,
            max_fast_attempts: bytes.int_in_range(FAST_ATTEMPTS)?,
        },
        _ => LimiterConfig::Bucket {
            qps: f64::from(bytes.int_in_range(1..=100_000_u32)?) / 100.0,
            burst: bytes.int_in_range(BUCKET_BURST)?,
        },
    })
}

fn key(bytes: &mut Unstructured) -> Result<Name> {
    let names = ["default/a", "default/b", "other/c", "default/many-001"];
    Ok(Name::Borrowed(bytes.choose(&names)?))
}

fn burst(bytes: &mut Unstructured) -> Result<Stimulus> {
    Ok(Stimulus::Burst {
        key: key(bytes)?,
        count: count(bytes, 0..=BURST_MAX)?,
        gap: duration(bytes, &(SimDuration::ZERO..=TIME_MAX))?,
    })
}

fn to_databases(bytes: &mut Unstructured) -> Result<Stimulus> {
    let version = |bytes: &mut Unstructured| {
        Ok(Version::new(
            bytes.int_in_range(15..=16)?,
            bytes.int_in_range(0..=3)?,
        ))
    };
    Ok(match bytes.int_in_range(0..=8)? {
        0 | 1 => Stimulus::Create {
            key: key(bytes)?,
            replicas: count(bytes, 0..=REPLICAS_MAX)?,
            version: version(bytes)?,
        },
        2 => Stimulus::Scale {
            key: key(bytes)?,
            replicas: count(bytes, 0..=REPLICAS_MAX)?,
        },
        3 => Stimulus::Upgrade {
            key: key(bytes)?,
            version: version(bytes)?,
        },
        4 => burst(bytes)?,
        5 => Stimulus::Delete { key: key(bytes)? },
        6 => Stimulus::KillReplica { key: key(bytes)? },
        7 => Stimulus::RestartController,
        _ => Stimulus::FailNextUpgrade,
    })
}

fn word(bytes: &mut Unstructured) -> Result<Name> {
    let known = ["managed-by", "configmap-controller", "me", ""];
    Ok(match bytes.int_in_range(0..=4)? {
        0 => Name::Owned(String::arbitrary(bytes)?),
        _ => Name::Borrowed(bytes.choose(&known)?),
    })
}

fn entries(bytes: &mut Unstructured) -> Result<Entries> {
    let entries = (0..bytes.int_in_range(0..=2)?).map(|_| Ok((word(bytes)?, word(bytes)?)));
    Ok(Entries::Owned(entries.collect::<Result<_>>()?))
}

fn changes(bytes: &mut Unstructured) -> Result<Changes> {
    let changes = (0..bytes.int_in_range(0..=2)?).map(|_| {
        let name = word(bytes)?;
        let value = bool::arbitrary(bytes)?.then(|| word(bytes)).transpose()?;
        Ok((name, value))
    });
    Ok(Changes::Owned(changes.collect::<Result<_>>()?))
}

fn manifest(bytes: &mut Unstructured) -> Result<Manifest> {
    Ok(Manifest {
        data: entries(bytes)?,
        labels: entries(bytes)?,
        annotations: entries(bytes)?,
    })
}

fn to_config_maps(bytes: &mut Unstructured) -> Result<Stimulus> {
    Ok(match bytes.int_in_range(0..=15)? {
        0 | 1 => Stimulus::CreateConfigMap {
            key: key(bytes)?,
            manifest: manifest(bytes)?,
        },
        2 => Stimulus::ApplyConfigMap {
            key: key(bytes)?,
            manifest: manifest(bytes)?,
        },
        3 => Stimulus::Patch {
            key: key(bytes)?,
            patch: Patch {
                labels: changes(bytes)?,
                annotations: changes(bytes)?,
                data: changes(bytes)?,
            },
        },
        4 => {
            let value = bool::arbitrary(bytes)?.then(|| word(bytes)).transpose()?;
            Stimulus::label(key(bytes)?, "managed-by", value)
        }
        5 => burst(bytes)?,
        6 => Stimulus::Delete { key: key(bytes)? },
        7 => Stimulus::CreateMany {
            name: "default/many".into(),
            count: count(bytes, 1..=MANY_MAX)?,
        },
        8 => Stimulus::RefuseWrites {
            span: duration(bytes, &(SimDuration::ZERO..=TIME_MAX))?,
        },
        9 => Stimulus::RefuseNext {
            writes: count(bytes, 0..=MANY_MAX)?,
        },
        10 => Stimulus::RefuseController,
        11 => Stimulus::SwallowReconcile,
        12 => Stimulus::LoseEvent,
        13 => Stimulus::CloseWatch,
        14 => Stimulus::ExpireWatch,
        _ => Stimulus::RestartController,
    })
}
