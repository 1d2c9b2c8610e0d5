//! How a token stands at a share of its way: where, how large, how visible.
//!
//! A fact's dwell has two parts. Until [`LANDED`] its token travels, and the picture behind it is
//! still the one before the fact; then the token has arrived, the picture becomes the one after,
//! and the place of impact is marked. All of it is a function of the share alone, so it plays
//! backwards just as well, and a pause shows exactly where things are.

use super::track::Line;
use crate::frame::{Ending, Token, Travel};

/// The share of a dwell at which what travelled has arrived.
pub const LANDED: f64 = 0.7;

/// A token, and the mark at its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    pub x: f64,
    pub y: f64,
    pub scale: f64,
    pub opacity: f64,
    /// The outline around the goal: 0 before it is reached.
    pub halo: f64,
    /// How far the word at the goal (`merged`, `lost`) has risen, 0–1; it is seen from above 0.
    pub word: f64,
}

/// The pose of `token` on `line` at `progress` (0–1).
pub fn pose(token: &Token, line: &Line, progress: f64) -> Pose {
    match token.travel {
        Travel::Flight { .. } => {
            let point = line.at(progress);
            Pose {
                x: point.x,
                y: point.y,
                scale: 1.0,
                opacity: (progress * 12.0).clamp(0.0, 1.0),
                halo: 0.0,
                word: 0.0,
            }
        }
        Travel::Dwell => dwell(token, line, progress),
    }
}

fn dwell(token: &Token, line: &Line, progress: f64) -> Pose {
    let way = (progress / LANDED).clamp(0.0, 1.0);
    let after = ((progress - LANDED) / (1.0 - LANDED)).clamp(0.0, 1.0);
    let mut point = line.at(ease(way));
    let begin = (way * 8.0).clamp(0.0, 1.0);
    let (mut scale, mut opacity) = (0.7 + 0.3 * begin, begin);
    match token.ending {
        Ending::Settle => opacity *= 1.0 - (after * 4.0).min(1.0),
        Ending::Dissolve => {
            scale *= 1.0 - 0.75 * after;
            opacity *= 1.0 - after;
        }
        Ending::Lost => {
            let fall = ((way - 0.6) / 0.4).clamp(0.0, 1.0);
            point = line.at(ease(way.min(0.6)));
            point.y += 64.0 * fall * fall;
            // The word says where it was lost; what is left of it would be too faint to be read.
            opacity *= (1.0 - 0.85 * fall) * (1.0 - after);
        }
    }
    Pose {
        x: point.x,
        y: point.y,
        scale,
        opacity,
        halo: if way < 1.0 { 0.0 } else { 1.0 - 0.5 * after },
        word: if way < 1.0 { 0.0 } else { after.max(0.01) },
    }
}

/// Sets out gently and arrives gently.
fn ease(t: f64) -> f64 {
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::super::curve::{Curve, Point};
    use super::*;
    use crate::engine::key::Key;
    use crate::frame::{Place, Shape};

    fn line() -> Line {
        let (a, b) = (Point::new(0.0, 0.0), Point::new(90.0, 0.0));
        Line::Curve(Curve([a, Point::new(30.0, 0.0), Point::new(60.0, 0.0), b]))
    }

    fn token(ending: Ending) -> Token {
        Token {
            record: 0,
            shape: Shape::Key,
            key: Some(Key(0)),
            revision: None,
            from: Place::WatchOut,
            to: Place::Ready(0),
            travel: Travel::Dwell,
            ending,
        }
    }

    #[test]
    fn what_settles_is_gone_when_the_thing_itself_is_drawn() {
        let pose = pose(&token(Ending::Settle), &line(), 1.0);
        assert_eq!((pose.x, pose.opacity), (90.0, 0.0));
        assert!(pose.halo > 0.0);
    }

    #[test]
    fn the_goal_is_marked_only_after_the_landing() {
        for ending in [Ending::Settle, Ending::Dissolve] {
            let before = pose(&token(ending), &line(), LANDED - 0.01);
            assert_eq!((before.halo, before.word), (0.0, 0.0));
            let after = pose(&token(ending), &line(), LANDED);
            assert!(after.halo > 0.9 && after.word > 0.0);
        }
    }

    #[test]
    fn what_is_lost_never_arrives() {
        let pose = pose(&token(Ending::Lost), &line(), 1.0);
        assert!(pose.x < 60.0 && pose.y > 50.0);
        assert_eq!(pose.opacity, 0.0);
        assert!(pose.word > 0.9, "but it is said");
    }
}
