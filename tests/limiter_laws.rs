//! Laws of the rate limiters, on random sequences of failures.

use loopscope::engine::key::Key;
use loopscope::engine::time::{SimDuration, SimTime};
use loopscope::engine::workqueue::{Limiter, LimiterConfig};
use proptest::prelude::*;

const KEYS: u32 = 5;

/// The default controller limiter with a small bucket, so that it is often empty.
fn limiter() -> LimiterConfig {
    LimiterConfig::MaxOf(vec![
        LimiterConfig::default_exponential(),
        LimiterConfig::Bucket {
            qps: 10.0,
            burst: 3,
        },
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn limiters_keep_their_bounds(
        steps in prop::collection::vec((0..KEYS, 0_i64..300, any::<bool>()), 1..200),
        cap in 0_i64..500,
    ) {
        let cap = SimDuration::from_millis(cap);
        let config = LimiterConfig::WithMaxWait { limiter: Box::new(limiter()), max: cap };
        let (mut free, mut capped) = (Limiter::new(&limiter()), Limiter::new(&config));
        let mut exponential = Limiter::new(&LimiterConfig::default_exponential());
        let mut now = SimTime::ZERO;
        let mut failures = [0_u64; KEYS as usize];
        let mut last = [SimDuration::ZERO; KEYS as usize];
        for (key, pass, forget) in steps {
            now = now + SimDuration::from_millis(pass);
            let row = key as usize;
            if forget {
                for limiter in [&mut free, &mut capped, &mut exponential] {
                    limiter.forget(Key(key));
                }
                (failures[row], last[row]) = (0, SimDuration::ZERO);
            }
            let delay = exponential.when(now, Key(key));
            prop_assert!(delay > last[row] || delay == SimDuration::from_secs(1000), "it doubles");
            let told = LimiterConfig::default_exponential().own_wait(failures[row] as u32 + 1);
            prop_assert_eq!(told, delay, "the wait is told as it is");
            last[row] = delay;
            let wait = free.when(now, Key(key));
            prop_assert!(wait >= delay, "the longest of several");
            prop_assert_eq!(capped.when(now, Key(key)), wait.min(cap), "the cap changes only the answer");
            failures[row] += 1;
            for limiter in [&free, &capped, &exponential] {
                prop_assert_eq!(limiter.num_requeues(Key(key)), failures[row]);
            }
        }
    }
}
