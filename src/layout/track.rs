//! The other kind of line: straight stretches with rounded corners, for what goes round the lanes
//! instead of across them.

use super::curve::{Curve, Point, Tenths};
use std::fmt::Write;

/// The radius of a corner, where there is room for it.
const RADIUS: f64 = 14.0;

/// A line of five straight stretches; any of them may have no length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Track(pub [Point; 6]);

impl Track {
    fn length(&self, stretch: usize) -> f64 {
        let (a, b) = (self.0[stretch], self.0[stretch + 1]);
        ((b.x - a.x).powi(2) + (b.y - a.y).powi(2)).sqrt()
    }

    /// The radius of the corner at this point.
    fn radius(&self, point: usize) -> f64 {
        if point == 0 || point + 1 == self.0.len() {
            return 0.0;
        }
        let room = self.length(point - 1).min(self.length(point));
        RADIUS.min(room / 2.0)
    }

    /// The point of a stretch at this distance from its beginning.
    fn along(&self, stretch: usize, distance: f64) -> Point {
        let (a, b) = (self.0[stretch], self.0[stretch + 1]);
        let length = self.length(stretch);
        let share = if length > 0.0 { distance / length } else { 0.0 };
        Point::new(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
    }

    /// The point of a corner's arc, at a share of it.
    fn corner(&self, point: usize, share: f64) -> Point {
        let radius = self.radius(point);
        let from = self.along(point - 1, self.length(point - 1) - radius);
        let to = self.along(point, radius);
        let (middle, rest) = (self.0[point], 1.0 - share);
        let mix =
            |a: f64, b: f64, c: f64| rest * rest * a + 2.0 * rest * share * b + share * share * c;
        Point::new(mix(from.x, middle.x, to.x), mix(from.y, middle.y, to.y))
    }

    /// The point at a share of the way, from 0 to 1.
    pub fn at(&self, t: f64) -> Point {
        let stretches = self.0.len() - 1;
        let whole: f64 = (0..stretches).map(|stretch| self.length(stretch)).sum();
        let mut left = whole * t;
        for stretch in 0..stretches {
            let length = self.length(stretch);
            if left > length && stretch + 1 < stretches {
                left -= length;
                continue;
            }
            let (first, second) = (self.radius(stretch), self.radius(stretch + 1));
            if left < first {
                return self.corner(stretch, 0.5 + 0.5 * left / first);
            }
            if length - left < second {
                return self.corner(stretch + 1, 0.5 - 0.5 * (length - left) / second);
            }
            return self.along(stretch, left.min(length));
        }
        self.0[stretches]
    }

    /// The same as the `d` of an SVG path.
    pub fn path_data(&self) -> String {
        let mut data = String::new();
        let mut add = |command: &str, point: Point| {
            let _ = write!(data, "{command}{} {}", Tenths(point.x), Tenths(point.y));
        };
        add("M", self.0[0]);
        for point in 1..self.0.len() - 1 {
            let (before, after) = (self.corner(point, 0.0), self.corner(point, 1.0));
            add("L", before);
            if before != after {
                add("Q", self.0[point]);
                add(" ", after);
            }
        }
        add("L", self.0[self.0.len() - 1]);
        data
    }
}

/// The line of a token: across the lanes, or round them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Line {
    Curve(Curve),
    Track(Track),
}

impl Line {
    /// The point at `t`, from 0 to 1.
    pub fn at(&self, t: f64) -> Point {
        match self {
            Line::Curve(curve) => curve.at(t),
            Line::Track(track) => track.at(t),
        }
    }

    /// The same as the `d` of an SVG path.
    pub fn path_data(&self) -> String {
        match self {
            Line::Curve(curve) => curve.path_data(),
            Line::Track(track) => track.path_data(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const U_TURN: Track = Track([
        Point::new(100.0, 0.0),
        Point::new(90.0, 0.0),
        Point::new(90.0, 100.0),
        Point::new(0.0, 100.0),
        Point::new(0.0, 20.0),
        Point::new(-10.0, 20.0),
    ]);

    #[test]
    fn a_track_begins_and_ends_at_its_ends() {
        assert_eq!(U_TURN.at(0.0), Point::new(100.0, 0.0));
        assert_eq!(U_TURN.at(1.0), Point::new(-10.0, 20.0));
        let data = U_TURN.path_data();
        assert!(
            data.starts_with("M100.0 0.0L95.0 0.0Q90.0 0.0 90.0 5.0"),
            "{data}"
        );
        assert!(data.ends_with("L-10.0 20.0"), "{data}");
    }

    #[test]
    fn on_a_track_a_token_never_jumps_and_never_cuts_a_corner_by_far() {
        let mut last = U_TURN.at(0.0);
        for step in 1..=1000 {
            let next = U_TURN.at(f64::from(step) / 1000.0);
            let moved = (next.x - last.x).abs() + (next.y - last.y).abs();
            assert!(moved < 1.0, "{last:?} to {next:?}");
            last = next;
        }
        let corner = U_TURN.corner(3, 0.5);
        assert!(corner.x > 0.0 && corner.x < 8.0 && corner.y < 100.0 && corner.y > 92.0);
    }

    #[test]
    fn stretches_without_length_do_no_harm() {
        let point = Point::new(5.0, 5.0);
        let track = Track([point; 6]);
        assert_eq!(track.at(0.5), point);
        assert_eq!(
            track.path_data(),
            "M5.0 5.0".to_owned() + &"L5.0 5.0".repeat(5)
        );
    }
}
