//! Rate limiters: how long a key that failed has to wait.
//!
//! Mirrors client-go `util/workqueue/default_rate_limiters.go`; the token bucket has a file of its
//! own ([`bucket`](super::bucket)).
//!
//! Guarantees: answers are bit for bit those of upstream on amd64, natively and in WebAssembly. Floating point is
//! used only where upstream uses it, and only + − × ÷ and truncation; a power of two is built from
//! its bits.
//!
//! Left out on purpose: the deprecated untyped constructors.

use super::bucket::Bucket;
use crate::engine::key::Key;
use crate::engine::time::{SimDuration, SimTime};

/// A limiter to build, as plain data.
#[derive(Clone, Debug, PartialEq)]
pub enum LimiterConfig {
    /// `base` × 2^(earlier failures of the key), at most `max`.
    Exponential { base: SimDuration, max: SimDuration },
    /// `fast` for the key's first `max_fast_attempts` failures, `slow` from then on.
    FastSlow {
        fast: SimDuration,
        slow: SimDuration,
        max_fast_attempts: i64,
    },
    /// One token a call, for all keys together: `qps` tokens a second, at most `burst` saved up.
    Bucket { qps: f64, burst: i64 },
    /// The longest wait of several limiters, each of which is asked every time.
    MaxOf(Vec<LimiterConfig>),
    /// The answer of another limiter, at most `max`.
    WithMaxWait {
        limiter: Box<LimiterConfig>,
        max: SimDuration,
    },
}

impl LimiterConfig {
    /// The failures of one key alone: 5 ms, doubling, up to 1000 s.
    pub fn default_exponential() -> LimiterConfig {
        LimiterConfig::Exponential {
            base: SimDuration::from_millis(5),
            max: SimDuration::from_secs(1000),
        }
    }

    /// `DefaultTypedControllerRateLimiter`: the longer of [`default_exponential`](Self::default_exponential)
    /// and a bucket of 10 tokens a second, burst 100.
    pub fn default_controller() -> LimiterConfig {
        LimiterConfig::MaxOf(vec![
            LimiterConfig::default_exponential(),
            LimiterConfig::Bucket {
                qps: 10.0,
                burst: 100,
            },
        ])
    }

    /// How long a key waits after this many failures, counted from 1, by its own failures alone:
    /// what a bucket makes of it is left out.
    pub fn own_wait(&self, failures: u32) -> SimDuration {
        match self {
            LimiterConfig::Exponential { base, max } => {
                let doubled = failures.saturating_sub(1).min(62);
                let wait = base.0.saturating_mul(1 << doubled);
                SimDuration(wait.min(max.0))
            }
            LimiterConfig::FastSlow {
                fast,
                slow,
                max_fast_attempts,
            } => match i64::from(failures) <= *max_fast_attempts {
                true => *fast,
                false => *slow,
            },
            LimiterConfig::Bucket { .. } => SimDuration::ZERO,
            LimiterConfig::MaxOf(limiters) => {
                let waits = limiters.iter().map(|limiter| limiter.own_wait(failures));
                waits.max().unwrap_or(SimDuration::ZERO)
            }
            LimiterConfig::WithMaxWait { limiter, max } => limiter.own_wait(failures).min(*max),
        }
    }
}

/// Failures by key, counted without limit.
#[derive(Clone, Debug, Default)]
struct Failures(Vec<u64>);

impl Failures {
    /// Counts one more and says how many there were before.
    fn count(&mut self, key: Key) -> u64 {
        if self.0.len() <= key.index() {
            self.0.resize(key.index() + 1, 0);
        }
        let failures = &mut self.0[key.index()];
        *failures += 1;
        *failures - 1
    }

    fn get(&self, key: Key) -> u64 {
        self.0.get(key.index()).copied().unwrap_or(0)
    }

    fn forget(&mut self, key: Key) {
        if let Some(failures) = self.0.get_mut(key.index()) {
            *failures = 0;
        }
    }
}

/// A limiter at work.
#[derive(Clone, Debug)]
pub struct Limiter(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Exponential {
        base: SimDuration,
        max: SimDuration,
        failures: Failures,
    },
    FastSlow {
        fast: SimDuration,
        slow: SimDuration,
        max_fast_attempts: i64,
        failures: Failures,
    },
    Bucket(Bucket),
    MaxOf(Vec<Limiter>),
    WithMaxWait {
        limiter: Box<Limiter>,
        max: SimDuration,
    },
}

impl Limiter {
    /// A limiter that has been asked nothing yet.
    pub fn new(config: &LimiterConfig) -> Limiter {
        let failures = Failures::default();
        Limiter(match config {
            &LimiterConfig::Exponential { base, max } => Kind::Exponential {
                base,
                max,
                failures,
            },
            &LimiterConfig::FastSlow {
                fast,
                slow,
                max_fast_attempts,
            } => Kind::FastSlow {
                fast,
                slow,
                max_fast_attempts,
                failures,
            },
            &LimiterConfig::Bucket { qps, burst } => Kind::Bucket(Bucket::new(qps, burst)),
            LimiterConfig::MaxOf(configs) => {
                Kind::MaxOf(configs.iter().map(Limiter::new).collect())
            }
            LimiterConfig::WithMaxWait { limiter, max } => Kind::WithMaxWait {
                limiter: Box::new(Limiter::new(limiter)),
                max: *max,
            },
        })
    }

    /// How long `key` has to wait. Counts a failure, books a token.
    pub fn when(&mut self, now: SimTime, key: Key) -> SimDuration {
        match &mut self.0 {
            Kind::Exponential {
                base,
                max,
                failures,
            } => exponential(*base, failures.count(key), *max),
            Kind::FastSlow {
                fast,
                slow,
                max_fast_attempts,
                failures,
            } => {
                // Counts first: `max_fast_attempts` of 3 gives exactly three fast answers.
                let attempts = i64::try_from(failures.count(key) + 1).unwrap_or(i64::MAX);
                if attempts <= *max_fast_attempts {
                    *fast
                } else {
                    *slow
                }
            }
            Kind::Bucket(bucket) => bucket.when(now),
            Kind::MaxOf(limiters) => limiters
                .iter_mut()
                .map(|limiter| limiter.when(now, key))
                .fold(SimDuration::ZERO, SimDuration::max),
            Kind::WithMaxWait { limiter, max } => limiter.when(now, key).min(*max),
        }
    }

    /// Forgets the failures of `key`. Buckets do not care.
    pub fn forget(&mut self, key: Key) {
        match &mut self.0 {
            Kind::Exponential { failures, .. } | Kind::FastSlow { failures, .. } => {
                failures.forget(key)
            }
            Kind::Bucket(_) => {}
            Kind::MaxOf(limiters) => limiters.iter_mut().for_each(|limiter| limiter.forget(key)),
            Kind::WithMaxWait { limiter, .. } => limiter.forget(key),
        }
    }

    /// How many failures of `key` are counted.
    pub fn num_requeues(&self, key: Key) -> u64 {
        match &self.0 {
            Kind::Exponential { failures, .. } | Kind::FastSlow { failures, .. } => {
                failures.get(key)
            }
            Kind::Bucket(_) => 0,
            Kind::MaxOf(limiters) => limiters
                .iter()
                .map(|limiter| limiter.num_requeues(key))
                .max()
                .unwrap_or(0),
            Kind::WithMaxWait { limiter, .. } => limiter.num_requeues(key),
        }
    }
}

/// `base` × 2^`failures` in floats, `max` where that is out of range or greater.
fn exponential(base: SimDuration, failures: u64, max: SimDuration) -> SimDuration {
    let backoff = base.0 as f64 * power_of_two(failures);
    if backoff > TWO_TO_63 {
        return max;
    }
    SimDuration(truncate(backoff)).min(max)
}

/// 2^63, the float nearest to `i64::MAX`.
pub(super) const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

/// 2^`exponent`; infinite past the largest float. Bits 52 and up of a float are its exponent + 1023.
fn power_of_two(exponent: u64) -> f64 {
    if exponent > 1023 {
        f64::INFINITY
    } else {
        f64::from_bits((exponent + 1023) << 52)
    }
}

/// Drops the fraction, as a Go conversion on amd64 does: what does not fit into 64 bits, or is no
/// number, becomes `i64::MIN` (Rust's `as` would saturate).
pub(super) fn truncate(value: f64) -> i64 {
    if (-TWO_TO_63..TWO_TO_63).contains(&value) {
        value as i64
    } else {
        i64::MIN
    }
}
