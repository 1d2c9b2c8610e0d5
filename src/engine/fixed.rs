//! Numbers with a point, as text.
//!
//! The standard library prints the shortest text that reads back as the same float, and exact
//! digits to any place; the tables and big numbers for that weigh several kilobytes on the page. A picture
//! needs a few places of a modest number, and whole numbers are enough for those.

use std::fmt;

/// A number with so many places after the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed {
    scaled: i64,
    places: u32,
    trim: bool,
}

/// `value` with exactly `places` places, ties to even: `{value:.places$}`.
pub fn fixed(value: f64, places: u32) -> Fixed {
    let scaled = value * 10_i64.pow(places) as f64;
    Fixed::new(scaled.round_ties_even() as i64, places)
}

/// Simulated nanoseconds, as seconds with three places. They are made whole microseconds first, as a link holds them: opened
/// again, it shows the same.
pub fn seconds(nanos: f64) -> Fixed {
    let micros = (nanos / 1000.0).round() as i64;
    Fixed::new((micros + 500).div_euclid(1000), 3)
}

/// `value` with at most `places` places, none of them a zero at the end.
pub fn short(value: f64, places: u32) -> Fixed {
    fixed(value, places).trimmed()
}

/// `value`, but not below `low` and not above `high`. (`f64::clamp` prints its bounds when they are
/// the wrong way round, and the library's way to print a float comes along for that.)
pub fn between(value: f64, low: f64, high: f64) -> f64 {
    value.max(low).min(high)
}

impl Fixed {
    /// `scaled` of the last place.
    pub const fn new(scaled: i64, places: u32) -> Fixed {
        Fixed {
            scaled,
            places,
            trim: false,
        }
    }

    /// Without zeros at the end.
    pub const fn trimmed(self) -> Fixed {
        Fixed { trim: true, ..self }
    }
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut digits, mut places) = (self.scaled.unsigned_abs(), self.places);
        while self.trim && places > 0 && digits.is_multiple_of(10) {
            digits /= 10;
            places -= 1;
        }
        let one = 10_u64.pow(places);
        let sign = if self.scaled < 0 { "-" } else { "" };
        write!(f, "{sign}{}", digits / one)?;
        if places > 0 {
            write!(f, ".{:0width$}", digits % one, width = places as usize)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_rounded_for_a_link_shows_the_same() {
        // Instants near the half of a millisecond, and what a link makes of them.
        for nanos in (0..5_000_000_i64)
            .step_by(77)
            .chain(3_141_499_000..3_141_501_000)
        {
            let nanos = nanos as f64;
            let micros = (nanos / 1000.0).round() * 1000.0;
            assert_eq!(seconds(nanos), seconds(micros), "{nanos}");
            assert!((nanos / 1e6 - seconds(nanos).scaled as f64).abs() < 0.501);
        }
        assert_eq!(seconds(5_262_000_000.0).to_string(), "5.262");
    }

    #[test]
    fn the_text_is_the_standard_library_s() {
        for n in (-400_000..400_000).step_by(37) {
            // Halves of the last place are exact in few floats only; 1/8 is one.
            let value = f64::from(n) / 512.0;
            for places in 0..=3 {
                let std = format!("{value:.*}", places as usize);
                let std = if fixed(value, places).scaled == 0 {
                    std.trim_start_matches('-').to_owned()
                } else {
                    std
                };
                let ours = fixed(value, places);
                let tie = (value * 10_i64.pow(places) as f64).fract().abs() == 0.5;
                assert!(tie || ours.to_string() == std, "{value}: {ours}, not {std}");
            }
        }
        for value in [0.1, 0.25, 0.5, 1.0, 2.0, 10.0, 0.0, -3.5, 100.0] {
            assert_eq!(short(value, 2).to_string(), value.to_string());
        }
    }

    #[test]
    fn what_is_no_number_is_text_as_well() {
        assert_eq!(fixed(f64::NAN, 1).to_string(), "0.0");
        assert_eq!(fixed(-0.01, 1).to_string(), "0.0");
        assert!(fixed(f64::INFINITY, 0).to_string().len() > 10);
    }
}
