//! A token on the stage, as the painter handles it.

use super::brush::Brush;
use crate::frame::{Ending, Shape, Token};
use crate::layout::{Line, Pose, Route, pose};

/// A token and its element.
pub struct Actor {
    pub token: Token,
    pub brush: Brush,
    pub route: Option<Route>,
}

impl Actor {
    pub fn take(&mut self, pose: &Pose) {
        self.brush.put(pose.x, pose.y, pose.scale);
        self.brush.fade(pose.opacity);
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
