//! Points, rectangles, and the cubic curve that every path on the stage is.

use std::fmt;

/// A number with one decimal, as coordinates are written. (Formatting an `f64` itself brings ten
/// kilobytes of code that this does not need.)
#[derive(Clone, Copy)]
pub struct Tenths(pub f64);

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() as i64;
        let sign = if tenths < 0 { "-" } else { "" };
        let tenths = tenths.unsigned_abs();
        write!(f, "{sign}{}.{}", tenths / 10, tenths % 10)
    }
}

/// A share with three decimals.
#[derive(Clone, Copy)]
pub struct Thousandths(pub f64);

impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thousandths = (self.0.max(0.0) * 1000.0).round() as u64;
        write!(f, "{}.{:03}", thousandths / 1000, thousandths % 1000)
    }
}

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
        let [a, b, c, d] = self.0;
        let at = |point: Point| format!("{} {}", Tenths(point.x), Tenths(point.y));
        format!("M{}C{} {} {}", at(a), at(b), at(c), at(d))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_short() {
        let tenths = |value| Tenths(value).to_string();
        assert_eq!(tenths(12.34), "12.3");
        assert_eq!(tenths(-0.26), "-0.3");
        assert_eq!(tenths(-0.01), "0.0");
        assert_eq!(Thousandths(0.0456).to_string(), "0.046");
        assert_eq!(Thousandths(1.0).to_string(), "1.000");
    }

    #[test]
    fn a_curve_begins_and_ends_at_its_ends() {
        let ends = [Point::new(1.0, 2.0), Point::new(9.0, 4.0)];
        let curve = Curve([ends[0], Point::new(3.0, 3.0), Point::new(5.0, 0.0), ends[1]]);
        assert_eq!(curve.at(0.0), ends[0]);
        assert_eq!(curve.at(1.0), ends[1]);
        assert_eq!(curve.path_data(), "M1.0 2.0C3.0 3.0 5.0 0.0 9.0 4.0");
    }
}
