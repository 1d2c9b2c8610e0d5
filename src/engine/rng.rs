//! Seeded randomness: one stream for each purpose and controller, so that drawing for one thing
//! never changes what another draws.
//!
//! `rand_pcg` gives the same numbers on every machine, 32 bits wide or 64; chances are whole
//! numbers of a thousand, so no float decides anything.

use rand_core::{Rng as _, SeedableRng};
use rand_pcg::Pcg32;

/// What is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Does this upgrade attempt fail?
    Upgrade,
    /// How much longer does an informer back off?
    BackOff,
    /// How long may a watch last?
    WatchTimeout,
}

/// One stream of draws.
#[derive(Clone, Debug)]
pub struct Stream(Pcg32);

impl Stream {
    /// The stream of a run's `seed` for one purpose of one controller.
    pub fn new(seed: u64, purpose: Purpose, controller: u8) -> Stream {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        // The generator's own stream number sets the purposes apart.
        bytes[8] = purpose as u8;
        bytes[9] = controller;
        Stream(Pcg32::from_seed(bytes))
    }

    /// True with a chance of `permille` in a thousand. Draws once, whatever the chance.
    pub fn chance(&mut self, permille: u16) -> bool {
        let thousandth = (u64::from(self.0.next_u32()) * 1000) >> 32;
        thousandth < u64::from(permille)
    }

    /// A number from 0 up to, not including, 1; exact, so the same on every machine.
    pub fn fraction(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / 4_294_967_296.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_is_what_it_says_over_many_draws() {
        let mut stream = Stream::new(7, Purpose::Upgrade, 0);
        let hits = (0..100_000).filter(|_| stream.chance(150)).count();
        assert!((14_500..15_500).contains(&hits), "{hits}");
    }

    #[test]
    fn never_and_always_are_certain() {
        let mut stream = Stream::new(7, Purpose::Upgrade, 0);
        assert!((0..1000).all(|_| !stream.chance(0) && stream.chance(1000)));
    }

    #[test]
    fn two_controllers_draw_apart() {
        let draws = |controller| {
            let mut stream = Stream::new(7, Purpose::Upgrade, controller);
            (0..64).map(|_| stream.chance(500)).collect::<Vec<_>>()
        };
        assert_ne!(draws(0), draws(1));
        assert_eq!(draws(0), draws(0));
    }
}
