//! Points, rectangles, and the cubic curve that every path on the stage is.

use crate::engine::fixed::fixed;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    pub fn shifted(self, x: f64, y: f64) -> Point {
        Point::new(self.x + x, self.y + y)
    }
}

/// A box on the stage; the origin is the stage's upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    pub const fn new(x: f64, y: f64, width: f64, height: f64) -> Rect {
        Rect {
            x,
            y,
            width,
            height,
        }
    }

    pub fn right(self) -> f64 {
        self.x + self.width
    }

    pub fn bottom(self) -> f64 {
        self.y + self.height
    }

    pub fn center(self) -> Point {
        Point::new(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    pub fn left_middle(self) -> Point {
        Point::new(self.x, self.center().y)
    }

    pub fn right_middle(self) -> Point {
        Point::new(self.right(), self.center().y)
    }
}

/// A cubic Bézier curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve(pub [Point; 4]);

impl Curve {
    /// The point at parameter `t`, from 0 to 1.
    pub fn at(&self, t: f64) -> Point {
        let [a, b, c, d] = self.0;
        let s = 1.0 - t;
        let mix = |a: f64, b: f64, c: f64, d: f64| {
            s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
        };
        Point::new(mix(a.x, b.x, c.x, d.x), mix(a.y, b.y, c.y, d.y))
    }

    /// The same as the `d` of an SVG path.
    pub fn path_data(&self) -> String {
        let [a, b, c, d] = self.0.map(|point| {
            let (x, y) = (fixed(point.x, 1), fixed(point.y, 1));
            format!("{x} {y}")
        });
        format!("M{a}C{b} {c} {d}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_begins_and_ends_at_its_ends() {
        let ends = [Point::new(1.0, 2.0), Point::new(9.0, 4.0)];
        let curve = Curve([ends[0], Point::new(3.0, 3.0), Point::new(5.0, 0.0), ends[1]]);
        assert_eq!(curve.at(0.0), ends[0]);
        assert_eq!(curve.at(1.0), ends[1]);
        assert_eq!(curve.path_data(), "M1.0 2.0C3.0 3.0 5.0 0.0 9.0 4.0");
    }
}
