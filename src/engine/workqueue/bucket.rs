//! The token bucket: so many adds a second, for all keys together.
//!
//! Mirrors client-go's `BucketRateLimiter` over golang.org/x/time `rate/rate.go` (`Limiter`,
//! `ReserveN`, `DelayFrom`).
//!
//! Guarantees: every call books one token, also those it has to wait for, so that the bucket goes
//! into debt without limit; floats are used exactly as upstream uses them, so that answers agree to
//! the last nanosecond (a bucket of 10/s says 23 999 999 ns where exact arithmetic says 24 ms).
//!
//! Left out on purpose: cancelling a reservation, several tokens a call, changing the limit.

use super::limiter::{TWO_TO_63, truncate};
use crate::engine::time::{SimDuration, SimTime};

const NANOS_PER_SECOND: i64 = 1_000_000_000;

/// A token bucket that is full at first.
#[derive(Clone, Debug)]
pub(super) struct Bucket {
    /// Tokens a second. `f64::MAX` means no limit.
    qps: f64,
    /// The most tokens that are saved up.
    burst: i64,
    /// Tokens at `last`; below zero: in debt.
    tokens: f64,
    last: Option<SimTime>,
}

impl Bucket {
    pub fn new(qps: f64, burst: i64) -> Bucket {
        Bucket {
            qps,
            burst,
            tokens: burst as f64,
            last: None,
        }
    }

    /// Books a token and says how long to wait for it.
    pub fn when(&mut self, now: SimTime) -> SimDuration {
        if self.qps == f64::MAX {
            return SimDuration::ZERO;
        }
        if self.burst < 1 {
            return SimDuration::MAX;
        }
        let earned = match self.last {
            None => f64::INFINITY,
            Some(last) => self.earned((now - last).max(SimDuration::ZERO)),
        };
        let tokens = (self.tokens + earned).min(self.burst as f64) - 1.0;
        self.last = Some(now);
        self.tokens = tokens;
        if tokens < 0.0 {
            self.time_for(-tokens)
        } else {
            SimDuration::ZERO
        }
    }

    fn earned(&self, elapsed: SimDuration) -> f64 {
        if self.qps <= 0.0 {
            return 0.0;
        }
        // Two terms, as Go's `Duration.Seconds`: a single division gives another last bit.
        let whole = (elapsed.0 / NANOS_PER_SECOND) as f64;
        let fraction = (elapsed.0 % NANOS_PER_SECOND) as f64 / 1e9;
        (whole + fraction) * self.qps
    }

    fn time_for(&self, tokens: f64) -> SimDuration {
        if self.qps <= 0.0 {
            return SimDuration::MAX;
        }
        let nanos = tokens / self.qps * 1e9;
        if nanos > TWO_TO_63 {
            return SimDuration::MAX;
        }
        SimDuration(truncate(nanos)).max(SimDuration::ZERO)
    }
}
