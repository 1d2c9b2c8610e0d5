//! Builds limiters from recordings, and replays kind `rate_limiter`.

use crate::recording::{Fields, Recording, Verdict, each_op};
use loopscope::engine::key::Keys;
use loopscope::engine::time::{SimDuration, SimTime};
use loopscope::engine::workqueue::{Limiter, LimiterConfig};

/// The limiter that `fields` describe.
pub fn config(fields: &Fields) -> Verdict<LimiterConfig> {
    let duration = |name| fields.int(name).map(SimDuration);
    Ok(match fields.text("type")? {
        "exponential" => LimiterConfig::Exponential {
            base: duration("base_ns")?,
            max: duration("max_ns")?,
        },
        "fast_slow" => LimiterConfig::FastSlow {
            fast: duration("fast_ns")?,
            slow: duration("slow_ns")?,
            max_fast_attempts: fields.int("max_fast_attempts")?,
        },
        "bucket" => LimiterConfig::Bucket {
            qps: fields.float("qps")?,
            burst: fields.int("burst")?,
        },
        "max_of" if !fields.has("limiters") => LimiterConfig::MaxOf(Vec::new()),
        "max_of" => {
            let limiters = fields.list("limiters")?.iter();
            LimiterConfig::MaxOf(
                limiters
                    .map(|one| config(&Fields::of(one)?))
                    .collect::<Verdict<_>>()?,
            )
        }
        "with_max_wait" => LimiterConfig::WithMaxWait {
            limiter: Box::new(config(&fields.object("limiter")?)?),
            max: duration("max_ns")?,
        },
        other => return Err(format!("unknown type of limiter: {other}")),
    })
}

pub fn replay(recording: &Recording) -> Verdict {
    let mut limiter = Limiter::new(&config(
        &recording.fields.object("config")?.object("limiter")?,
    )?);
    let mut keys = Keys::default();
    let mut now = 0_i64;
    each_op(&recording.fields, |op, expect| match op.text("op")? {
        "when" => {
            let delay = limiter.when(SimTime(now), keys.intern(op.text("item")?));
            expect.value("delay_ns", delay.0)
        }
        "when_repeat" => {
            let key = keys.intern(op.text("item")?);
            let mut delay = SimDuration::ZERO;
            for _ in 0..op.int("count")? {
                delay = limiter.when(SimTime(now), key);
            }
            expect.value("delay_ns", delay.0)
        }
        "num_requeues" => {
            expect.value("value", limiter.num_requeues(keys.intern(op.text("item")?)))
        }
        "forget" => {
            limiter.forget(keys.intern(op.text("item")?));
            Ok(())
        }
        "step" => {
            now = now.saturating_add(op.int("ns")?);
            expect.value("now_ns", now)
        }
        other => Err(format!("unknown op: {other}")),
    })
}

#[test]
fn the_default_controller_limiter_is_the_recorded_one() {
    let described = serde_json::json!({"type": "max_of", "limiters": [
        {"type": "exponential", "base_ns": 5_000_000, "max_ns": 1_000_000_000_000_i64},
        {"type": "bucket", "qps": 10, "burst": 100},
    ]});
    let described = config(&Fields::of(&described).unwrap()).unwrap();
    assert_eq!(described, LimiterConfig::default_controller());
}
