//! A token on the stage, as the painter handles it: what was written last is not written again.

use super::dom::set;
use crate::frame::{Ending, Shape, Token};
use crate::layout::{Line, Pose, Route, Tenths, Thousandths, pose};
use web_sys::CssStyleDeclaration;

/// A token and its element.
pub struct Actor {
    pub token: Token,
    pub style: CssStyleDeclaration,
    pub route: Option<Route>,
    /// What was written last: transform and opacity, as whole numbers.
    pub written: Option<[i32; 4]>,
}

impl Actor {
    /// Write a pose, as far as it would look different.
    pub fn show(&mut self, pose: &Pose) {
        let tenth = |value: f64| (value * 10.0).round() as i32;
        let hundredth = |value: f64| (value * 100.0).round() as i32;
        let next = [
            tenth(pose.x),
            tenth(pose.y),
            hundredth(pose.scale),
            hundredth(pose.opacity),
        ];
        let last = self.written.replace(next);
        if last.map(|last| [last[0], last[1], last[2]]) != Some([next[0], next[1], next[2]]) {
            set(
                &self.style,
                "transform",
                &format!(
                    "translate({}px,{}px)scale({})",
                    Tenths(pose.x),
                    Tenths(pose.y),
                    Thousandths(pose.scale)
                ),
            );
        }
        if last.map(|last| last[3]) != Some(next[3]) {
            set(
                &self.style,
                "opacity",
                &Thousandths(pose.opacity).to_string(),
            );
        }
    }

    /// Nothing is to be seen of it.
    pub fn hide(&mut self) {
        if let Some(written) = &mut self.written
            && written[3] == 0
        {
            return;
        }
        self.written = Some([i32::MIN, 0, 0, 0]);
        set(&self.style, "opacity", "0");
    }
}

/// Without travelling: a trace of the token where it set out, and the mark at its goal.
pub fn at_rest(token: &Token, line: &Line) -> Pose {
    let end = pose(token, line, 1.0);
    if token.ending == Ending::Lost {
        return Pose {
            opacity: 0.6,
            ..end
        };
    }
    let from = line.at(0.0);
    Pose {
        x: from.x,
        y: from.y,
        scale: 1.0,
        opacity: if token.shape == Shape::Key { 0.55 } else { 0.8 },
        halo: 1.0,
        word: 1.0,
    }
}

pub fn spread(line: &Line, t: f64) -> Pose {
    let point = line.at(t);
    Pose {
        x: point.x,
        y: point.y,
        scale: 1.0,
        opacity: 1.0,
        halo: 0.0,
        word: 0.0,
    }
}
