//! How long the reflector waits after a failure.
//!
//! Mirrors `wait.Backoff` with `DelayWithReset` of `k8s.io/apimachinery/pkg/util/wait`, as the
//! reflector sets it up: 0.8 s doubling to 30 s, each with up to as much again of jitter.
//! One back-off serves all failures; no success resets it, only the clock does.

use crate::engine::time::{SimDuration, SimTime};

const INITIAL: SimDuration = SimDuration::from_millis(800);
const MAX: SimDuration = SimDuration::from_secs(30);
const STEPS: u32 = 38;
const RESET_AFTER: SimDuration = SimDuration::from_secs(120);

/// The state of a back-off.
#[derive(Clone, Debug, PartialEq)]
pub struct BackOff {
    base: SimDuration,
    steps: u32,
    last_reset: SimTime,
}

impl BackOff {
    pub fn new(now: SimTime) -> BackOff {
        BackOff {
            base: INITIAL,
            steps: STEPS,
            last_reset: now,
        }
    }

    /// The next delay, with the draw `u` as jitter.
    pub fn next(&mut self, now: SimTime, u: f64) -> SimDuration {
        if now - self.last_reset > RESET_AFTER {
            *self = BackOff::new(now);
        }
        let jitter = (u * self.base.0 as f64) as i64;
        let delay = SimDuration(self.base.0.saturating_add(jitter));
        if self.steps > 0 {
            self.steps -= 1;
            self.base = SimDuration(self.base.0 * 2);
            if self.base > MAX {
                self.base = MAX;
                self.steps = 0;
            }
        }
        delay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(backoff: &mut BackOff, at: i64, u: f64) -> i64 {
        backoff.next(SimTime::from_millis(at), u).as_millis()
    }

    #[test]
    fn delays_double_from_800_ms_to_30_s_and_stay() {
        let mut backoff = BackOff::new(SimTime::ZERO);
        let delays: Vec<i64> = (0..8).map(|_| millis(&mut backoff, 0, 0.0)).collect();
        assert_eq!(
            delays,
            [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]
        );
    }

    #[test]
    fn jitter_adds_up_to_as_much_again() {
        let mut backoff = BackOff::new(SimTime::ZERO);
        assert_eq!(millis(&mut backoff, 0, 0.5), 1200);
        assert_eq!(millis(&mut backoff, 0, 0.25), 2000);
    }

    #[test]
    fn only_a_draw_later_than_two_minutes_after_the_last_reset_starts_over() {
        let mut backoff = BackOff::new(SimTime::ZERO);
        millis(&mut backoff, 0, 0.0);
        assert_eq!(millis(&mut backoff, 120_000, 0.0), 1600);
        assert_eq!(millis(&mut backoff, 120_001, 0.0), 800);
        assert_eq!(millis(&mut backoff, 240_001, 0.0), 1600);
        assert_eq!(millis(&mut backoff, 240_002, 0.0), 800);
    }
}
