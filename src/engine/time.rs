//! Simulated time: whole nanoseconds in a signed 64-bit number, as Go's `time.Duration`.
//!
//! Nothing in the engine reads a real clock; every call that needs the time is handed `now`.
//! Sums saturate: upstream's longest delay (`i64::MAX`) added to any instant stays in the future.

use super::fixed::Fixed;
use serde::Serialize;
use std::fmt;
use std::ops::{Add, Sub};

const NANOS_PER_MILLI: i64 = 1_000_000;
const NANOS_PER_SECOND: i64 = 1_000_000_000;

/// An instant of simulated time, in nanoseconds since the run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct SimTime(pub i64);

/// A length of simulated time, in nanoseconds. May be negative, as Go's durations may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct SimDuration(pub i64);

impl SimTime {
    pub const ZERO: SimTime = SimTime(0);
    pub const MAX: SimTime = SimTime(i64::MAX);

    pub const fn from_millis(millis: i64) -> SimTime {
        SimTime(millis.saturating_mul(NANOS_PER_MILLI))
    }

    /// Seconds as a float, for display only.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / NANOS_PER_SECOND as f64
    }

    /// Milliseconds as a float, for display only.
    pub fn as_millis_f64(self) -> f64 {
        self.0 as f64 / NANOS_PER_MILLI as f64
    }
}

impl SimDuration {
    pub const ZERO: SimDuration = SimDuration(0);
    pub const MAX: SimDuration = SimDuration(i64::MAX);

    pub const fn from_nanos(nanos: i64) -> SimDuration {
        SimDuration(nanos)
    }

    pub const fn from_millis(millis: i64) -> SimDuration {
        SimDuration(millis.saturating_mul(NANOS_PER_MILLI))
    }

    pub const fn from_secs(secs: i64) -> SimDuration {
        SimDuration(secs.saturating_mul(NANOS_PER_SECOND))
    }

    /// Whole milliseconds.
    pub const fn as_millis(self) -> i64 {
        self.0 / NANOS_PER_MILLI
    }

    /// Milliseconds as a float, for display only.
    pub fn as_millis_f64(self) -> f64 {
        self.0 as f64 / NANOS_PER_MILLI as f64
    }

    /// Seconds as a float: for display, and for metrics, which upstream keeps in float seconds.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / NANOS_PER_SECOND as f64
    }
}

impl Add<SimDuration> for SimTime {
    type Output = SimTime;
    fn add(self, rhs: SimDuration) -> SimTime {
        SimTime(self.0.saturating_add(rhs.0))
    }
}

impl Sub for SimTime {
    type Output = SimDuration;
    fn sub(self, rhs: SimTime) -> SimDuration {
        SimDuration(self.0.saturating_sub(rhs.0))
    }
}

impl fmt::Display for SimDuration {
    /// The shortest exact form people read: `5ms`, `500ms`, `2s`, `1.5s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.0;
        if n != 0 && n % NANOS_PER_SECOND == 0 {
            write!(f, "{}s", n / NANOS_PER_SECOND)
        } else if n % NANOS_PER_MILLI == 0 && n.abs() < NANOS_PER_SECOND {
            write!(f, "{}ms", n / NANOS_PER_MILLI)
        } else if n.abs() >= NANOS_PER_SECOND {
            write!(f, "{}s", Fixed::new(n, 9).trimmed())
        } else {
            write!(f, "{}ms", Fixed::new(n, 6).trimmed())
        }
    }
}
