//! Every knob as data: its name, what kind of setting it is, and its bounds.
//!
//! One table for whoever lets somebody turn a knob: the panel, a link, a test. A world whose knobs
//! are within bounds always gets on: no loop can go round without simulated time passing, and no
//! buffer grows without end. The engine itself does not ask; it is asserted where a world comes
//! from outside.

use super::fixed::short;
use super::knobs::{Knobs, QueueKind};
use super::stimulus::{Patch, Stimulus};
use super::time::SimDuration;
use super::workqueue::LimiterConfig;
use std::ops::RangeInclusive;

/// Most replicas of one object.
pub const REPLICAS_MAX: u32 = 1000;
/// Most writes in one burst.
pub const BURST_MAX: u32 = 500;
/// Most config maps made at once, and most writes that are to be refused.
pub const MANY_MAX: u32 = 500;
/// Most names and values in one request, and the length of each in bytes.
pub const ENTRIES_MAX: usize = 32;
pub const TEXT_MAX: usize = 1024;
/// Most attempts that can be named as failing, and the highest number among them.
pub const ATTEMPTS_MAX: usize = 100;
pub const ATTEMPT_MAX: u32 = 10_000;
/// Longest of the times that a piece of work or a journey takes.
pub const TIME_MAX: SimDuration = SimDuration::from_secs(60);
/// A retry's wait. At least a millisecond: with nothing else taking time, a failure that is tried
/// again at once and fails again would go round for ever at one instant.
pub const RETRY_MIN: SimDuration = SimDuration::from_millis(1);
pub const RETRY_MAX: SimDuration = SimDuration::from_secs(3600);
/// Tokens a second of a bucket, and tokens saved up.
pub const QPS: RangeInclusive<f64> = 0.01..=1000.0;
pub const BUCKET_BURST: RangeInclusive<i64> = 1..=1000;
/// Fast attempts of the limiter that has two waits.
pub const FAST_ATTEMPTS: RangeInclusive<i64> = 0..=1000;
/// Limiters of which the longest wait is taken.
pub const LIMITERS: RangeInclusive<usize> = 2..=4;

type At<T> = fn(&mut Knobs) -> &mut T;

/// What kind of setting a knob is, where it is in [`Knobs`], and its bounds.
#[derive(Clone, Debug)]
pub enum Dial {
    Queue,
    Limiter,
    Duration(At<SimDuration>, RangeInclusive<SimDuration>),
    Count(At<u32>, RangeInclusive<u32>),
    Workers(RangeInclusive<u8>),
    Permille(At<u16>),
    Flag(At<bool>),
    Attempts,
}

/// One setting of the simulated world.
#[derive(Clone, Debug)]
pub struct Knob {
    /// One short word, as links and messages have it.
    pub name: &'static str,
    pub dial: Dial,
}

const fn knob(name: &'static str, dial: Dial) -> Knob {
    Knob { name, dial }
}

const fn time(name: &'static str, at: At<SimDuration>) -> Knob {
    knob(name, Dial::Duration(at, SimDuration::ZERO..=TIME_MAX))
}

/// All knobs, in the order in which they are read out.
pub static KNOBS: [Knob; 24] = [
    knob("queue", Dial::Queue),
    knob(
        "capacity",
        Dial::Count(|k| &mut k.channel_capacity, 1..=1000),
    ),
    knob(
        "retry",
        Dial::Duration(|k| &mut k.channel_retry, RETRY_MIN..=RETRY_MAX),
    ),
    knob("limiter", Dial::Limiter),
    knob("buffer", Dial::Count(|k| &mut k.watch_buffer, 0..=1000)),
    time("watch", |k| &mut k.watch_delay),
    time("fetch", |k| &mut k.fetch_time),
    time("observe", |k| &mut k.observe_time),
    time("act", |k| &mut k.act_time),
    time("result", |k| &mut k.result_time),
    time("upgrade", |k| &mut k.upgrade_time),
    knob(
        "chance",
        Dial::Permille(|k| &mut k.upgrade_failure_permille),
    ),
    knob("fail", Dial::Attempts),
    time("requeue", |k| &mut k.requeue_after),
    knob("workers", Dial::Workers(1..=8)),
    knob("owns", Dial::Flag(|k| &mut k.owned_watched)),
    time("restart", |k| &mut k.restart_time),
    knob("count", Dial::Count(|k| &mut k.burst_count, 0..=BURST_MAX)),
    time("gap", |k| &mut k.burst_gap),
    time("latency", |k| &mut k.request_latency),
    knob(
        "resync",
        Dial::Duration(|k| &mut k.resync, SimDuration::ZERO..=RETRY_MAX),
    ),
    knob("deletes", Dial::Flag(|k| &mut k.delete_handler)),
    knob("copy", Dial::Flag(|k| &mut k.deep_copy)),
    knob("calm", Dial::Flag(|k| &mut k.wait_on_conflict)),
];

/// A setting that is out of bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    /// The knob's name, or what the stimulus does.
    pub what: &'static str,
    /// What would be within bounds.
    pub wanted: String,
}

fn from_to<T: std::fmt::Display>(range: &RangeInclusive<T>) -> String {
    format!("from {} to {}", range.start(), range.end())
}

impl Knob {
    /// Is the setting within bounds?
    ///
    /// # Errors
    /// What would be.
    pub fn check(&self, knobs: &Knobs) -> Result<(), OutOfBounds> {
        // The table's places are for changing; looking needs a copy.
        let mut copy = knobs.clone();
        let wanted = match &self.dial {
            Dial::Queue | Dial::Flag(_) => None,
            Dial::Limiter => limiter_wants(&knobs.limiter),
            Dial::Duration(at, range) => within(at(&mut copy), range),
            Dial::Count(at, range) => within(at(&mut copy), range),
            Dial::Workers(range) => within(&knobs.workers, range),
            Dial::Permille(at) => within(at(&mut copy), &(0..=1000)),
            Dial::Attempts => knobs.failing_upgrades.as_deref().and_then(attempts_want),
        };
        match wanted {
            None => Ok(()),
            Some(wanted) => Err(OutOfBounds {
                what: self.name,
                wanted,
            }),
        }
    }
}

/// What is wanted instead, if anything.
fn within<T: PartialOrd + std::fmt::Display>(
    value: &T,
    range: &RangeInclusive<T>,
) -> Option<String> {
    (!range.contains(value)).then(|| from_to(range))
}

fn attempts_want(attempts: &[u32]) -> Option<String> {
    let fine =
        attempts.len() <= ATTEMPTS_MAX && attempts.iter().all(|n| (1..=ATTEMPT_MAX).contains(n));
    (!fine).then(|| format!("at most {ATTEMPTS_MAX} numbers from 1 to {ATTEMPT_MAX}"))
}

/// One limiter, or the longest wait of several, or either with a most wait: nothing deeper.
fn limiter_wants(limiter: &LimiterConfig) -> Option<String> {
    match limiter {
        LimiterConfig::WithMaxWait { limiter, max } => {
            longest_wants(limiter).or_else(|| retry_wants(*max))
        }
        limiter => longest_wants(limiter),
    }
}

fn longest_wants(limiter: &LimiterConfig) -> Option<String> {
    match limiter {
        LimiterConfig::MaxOf(limiters) if LIMITERS.contains(&limiters.len()) => {
            limiters.iter().find_map(simple_wants)
        }
        LimiterConfig::MaxOf(_) => Some(format!("{} limiters", from_to(&LIMITERS))),
        limiter => simple_wants(limiter),
    }
}

fn simple_wants(limiter: &LimiterConfig) -> Option<String> {
    match limiter {
        LimiterConfig::Exponential { base, max } => {
            retry_wants(*base).or_else(|| retry_wants(*max))
        }
        LimiterConfig::FastSlow {
            fast,
            slow,
            max_fast_attempts,
        } => retry_wants(*fast)
            .or_else(|| retry_wants(*slow))
            .or_else(|| within(max_fast_attempts, &FAST_ATTEMPTS)),
        LimiterConfig::Bucket { qps, burst } => {
            let (min, max) = (short(*QPS.start(), 2), short(*QPS.end(), 2));
            let wrong = !QPS.contains(qps);
            let wanted = wrong.then(|| format!("from {min} to {max}"));
            wanted.or_else(|| within(burst, &BUCKET_BURST))
        }
        LimiterConfig::MaxOf(_) | LimiterConfig::WithMaxWait { .. } => {
            Some("a limiter that is not made of others".to_owned())
        }
    }
}

fn retry_wants(wait: SimDuration) -> Option<String> {
    within(&wait, &(RETRY_MIN..=RETRY_MAX)).map(|wanted| format!("a wait {wanted}"))
}

/// How many entries a patch has, and how long its words are.
fn patch_wants(patch: &Patch) -> Option<String> {
    [&patch.labels, &patch.annotations, &patch.data]
        .into_iter()
        .find_map(|changes| {
            let texts = changes
                .iter()
                .flat_map(|(name, value)| [Some(name), value.as_ref()]);
            let longest = texts.flatten().map(|text| text.len()).max().unwrap_or(0);
            let long = within(&longest, &(0..=TEXT_MAX)).map(|wanted| format!("{wanted} letters"));
            let many = within(&changes.len(), &(0..=ENTRIES_MAX));
            many.map(|wanted| format!("{wanted} entries")).or(long)
        })
}

impl Knobs {
    /// Are all settings within bounds?
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), OutOfBounds> {
        KNOBS.iter().try_for_each(|knob| knob.check(self))
    }

    /// The work queue's name in links and messages.
    pub fn queue_name(queue: QueueKind) -> &'static str {
        match queue {
            QueueKind::Channel => "channel",
            QueueKind::ClientGo => "client-go",
        }
    }
}

impl Stimulus {
    /// Are the numbers within bounds?
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), OutOfBounds> {
        let wanted = match self {
            Stimulus::Create { replicas, .. } | Stimulus::Scale { replicas, .. } => {
                within(replicas, &(0..=REPLICAS_MAX)).map(|wanted| ("replicas", wanted))
            }
            Stimulus::Burst { count, gap, .. } => within(count, &(0..=BURST_MAX))
                .map(|wanted| ("writes of a burst", wanted))
                .or_else(|| {
                    let wanted = within(gap, &(SimDuration::ZERO..=TIME_MAX))?;
                    Some(("gap of a burst", wanted))
                }),
            Stimulus::CreateConfigMap { manifest, .. }
            | Stimulus::ApplyConfigMap { manifest, .. } => {
                patch_wants(&manifest.patch()).map(|wanted| ("a config map", wanted))
            }
            Stimulus::Patch { patch, .. } => patch_wants(patch).map(|wanted| ("a patch", wanted)),
            Stimulus::CreateMany { name, count } => within(count, &(1..=MANY_MAX))
                .or_else(|| within(&name.len(), &(1..=TEXT_MAX)))
                .map(|wanted| ("objects at once", wanted)),
            Stimulus::RefuseNext { writes } => {
                within(writes, &(0..=MANY_MAX)).map(|wanted| ("writes to refuse", wanted))
            }
            Stimulus::RefuseWrites { span } => within(span, &(SimDuration::ZERO..=TIME_MAX))
                .map(|wanted| ("time of refusing", wanted)),
            Stimulus::Upgrade { .. }
            | Stimulus::Delete { .. }
            | Stimulus::KillReplica { .. }
            | Stimulus::RestartController
            | Stimulus::FailNextUpgrade
            | Stimulus::RefuseController
            | Stimulus::SwallowReconcile
            | Stimulus::LoseEvent
            | Stimulus::CloseWatch
            | Stimulus::ExpireWatch => None,
        };
        match wanted {
            None => Ok(()),
            Some((what, wanted)) => Err(OutOfBounds { what, wanted }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::knobs::Preset;

    #[test]
    fn the_presets_are_within_bounds_and_no_two_knobs_share_a_name() {
        for preset in Preset::ALL {
            assert_eq!(preset.knobs().check(), Ok(()));
        }
        let mut names: Vec<&str> = KNOBS.iter().map(|knob| knob.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KNOBS.len());
    }

    #[test]
    fn what_could_go_round_at_one_instant_or_grow_without_end_is_out_of_bounds() {
        let zero = SimDuration::ZERO;
        let bad: [fn(&mut Knobs); 8] = [
            |k| k.channel_retry = SimDuration::ZERO,
            |k| k.observe_time = SimDuration::from_nanos(-1),
            |k| k.watch_delay = SimDuration::MAX,
            |k| k.workers = 0,
            |k| k.burst_count = BURST_MAX + 1,
            |k| k.upgrade_failure_permille = 1001,
            |k| k.failing_upgrades = Some(vec![0]),
            |k| k.limiter = LimiterConfig::MaxOf(Vec::new()),
        ];
        for turn in bad {
            let mut knobs = Preset::ClientGo.knobs();
            turn(&mut knobs);
            assert!(knobs.check().is_err(), "{knobs:?}");
        }
        let limiters = [
            LimiterConfig::Exponential {
                base: zero,
                max: RETRY_MAX,
            },
            LimiterConfig::FastSlow {
                fast: zero,
                slow: RETRY_MAX,
                max_fast_attempts: 9,
            },
            LimiterConfig::Bucket {
                qps: f64::NAN,
                burst: 1,
            },
            LimiterConfig::Bucket { qps: 0.0, burst: 1 },
        ];
        for limiter in limiters {
            let knobs = Knobs {
                limiter,
                ..Preset::ClientGo.knobs()
            };
            assert_eq!(knobs.check().map_err(|error| error.what), Err("limiter"));
        }
    }
}
