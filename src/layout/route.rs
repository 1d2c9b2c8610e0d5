//! Which line a token takes.
//!
//! What goes forward (store, watch, queue, worker, pods) takes a gentle S from edge to edge. What
//! comes back (dirty, requeue, retry, the end of a delay) swings out, so that it is seen to come
//! back and is never a jump.

use super::curve::{Curve, Point, Rect};
use super::track::{Line, Track};
use crate::frame::{Place, Shape, Token};

/// How the lanes stand: side by side, or as slim rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Wide,
    Compact,
}

/// Narrower stages are drawn as rows, in CSS pixels. The stylesheet says the same; a test compares.
const WIDE: f64 = 840.0;

impl Form {
    /// The form of a stage of this width.
    pub fn of(width: f64) -> Form {
        if width < WIDE {
            Form::Compact
        } else {
            Form::Wide
        }
    }
}

/// From the left edge of a slot to the middle of the swatch in it.
const SWATCH: f64 = 15.0;

/// How far inside their boxes requests and answers set out and arrive.
const DOOR: f64 = 26.0;

/// From the left edge of a card to where a request meets it.
const REQUEST: f64 = 34.0;

/// A token's line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Route {
    pub line: Line,
    /// The box it arrives at.
    pub target: Rect,
}

/// The name of a place in the markup's `data-place`.
pub fn place_name(place: Place) -> String {
    match place {
        Place::Outside => "outside".to_owned(),
        Place::Object(key) => format!("object-{}", key.0),
        Place::WatchIn => "watch-in".to_owned(),
        Place::WatchOut => "watch-out".to_owned(),
        Place::Ready(n) => format!("ready-{n}"),
        Place::Shelf(n) => format!("shelf-{n}"),
        Place::Worker(n) => format!("worker-{n}"),
        Place::DirtyMark(n) => format!("dirty-{n}"),
        Place::Pods(key) => format!("pods-{}", key.0),
        Place::Server => "server".to_owned(),
        Place::Informer => "informer".to_owned(),
        Place::Cached(key) => format!("cached-{}", key.0),
    }
}

/// What stands in for a place that is not drawn (there are more entries than slots, or the thing
/// is not there yet or no longer), in the order in which they are tried.
pub fn stand_ins(place: Place) -> &'static [&'static str] {
    match place {
        Place::Outside | Place::WatchIn | Place::WatchOut => &[],
        Place::Server => &["store"],
        Place::Informer => &["watch-out"],
        Place::Cached(_) => &["cached-next", "cache", "watch-out"],
        Place::Object(_) => &["object-next", "store"],
        Place::Ready(_) => &["ready-more", "ready-2", "ready-1", "ready-0"],
        Place::Shelf(_) => &["shelf-next", "shelf-more", "shelf-0"],
        Place::Worker(_) => &["worker-0"],
        Place::DirtyMark(_) => &["dirty-0", "worker-0"],
        Place::Pods(_) => &["pods-next", "actual"],
    }
}

/// The name of the road in the markup's `data-place`: where updates and their answers go, past
/// everything else.
pub const ROAD: &str = "road";

/// How far from the edge of a card's lane the card is.
const GUTTER: f64 = 12.0;

/// How far from the middle of the road an update keeps, and on the other side its answer.
const SIDE: f64 = 4.0;

/// The route of `token` between two boxes. `road`: the box of the road, where there is one.
pub fn route(token: &Token, from: Rect, to: Rect, road: Option<Rect>, form: Form) -> Route {
    let (a, b) = ends(token, from, to, form);
    let line = match (token.shape, road) {
        _ if token.from == Place::WatchIn => Line::Curve(wire(from, to)),
        (Shape::Update, Some(road)) => Line::Track(by_road(from, to, road, form, -SIDE)),
        (Shape::Reply(_), Some(road)) => {
            let Track(mut points) = by_road(to, from, road, form, SIDE);
            points.reverse();
            Line::Track(Track(points))
        }
        _ => Line::Curve(match form {
            Form::Wide => wide(token, a, b),
            Form::Compact => compact(token, a, b),
        }),
    };
    Route { line, target: to }
}

/// From a worker's hand to an object: down beside the lane, along the road, and up again. In rows,
/// the road runs upwards.
fn by_road(hand: Rect, object: Rect, road: Rect, form: Form, side: f64) -> Track {
    let way = road.center();
    match form {
        Form::Wide => {
            let (a, b) = (hand.left_middle(), object.right_middle());
            let (out, back) = (hand.x - GUTTER + side, object.right() + GUTTER + side);
            let (a, b, y) = (a.shifted(0.0, side), b.shifted(0.0, side), way.y + side);
            Track([
                a,
                Point::new(out, a.y),
                Point::new(out, y),
                Point::new(back, y),
                Point::new(back, b.y),
                b,
            ])
        }
        Form::Compact => {
            let (a, b) = (hand.center(), object.center());
            let x = way.x + side;
            let (out, back) = (Point::new(x, a.y), Point::new(x, b.y));
            Track([a, a, out, back, b, b])
        }
    }
}

/// The watch's wire, along which all events fly.
pub fn wire(from: Rect, to: Rect) -> Curve {
    let (a, b) = (from.center(), to.center());
    let reach = (b.x - a.x) * 0.7;
    Curve([a, a.shifted(reach, 0.0), b.shifted(-reach, 0.0), b])
}

fn ends(token: &Token, from: Rect, to: Rect, form: Form) -> (Point, Point) {
    let swatch = |place, rect: Rect| match place {
        Place::WatchOut | Place::Informer => rect.center(),
        Place::Cached(_) => Point::new(
            rect.x + SWATCH.min(rect.width / 2.0),
            rect.y + SWATCH.min(rect.height / 2.0),
        ),
        _ => rect.left_middle().shifted(SWATCH, 0.0),
    };
    match (token.shape, form) {
        (Shape::Key, _) => (swatch(token.from, from), swatch(token.to, to)),
        (Shape::Event(_) | Shape::Copy, _) if matches!(token.to, Place::Cached(_)) => {
            (from.center(), swatch(token.to, to))
        }
        (Shape::Ask { .. } | Shape::Answer(_), Form::Wide) => {
            let inside = |rect: Rect, other: Rect| match rect.x < other.x {
                true => rect.right_middle().shifted(-DOOR, 0.0),
                false => rect.left_middle().shifted(DOOR, 0.0),
            };
            (inside(from, to), inside(to, from))
        }
        (Shape::Request, Form::Wide) => (
            Point::new(to.x + REQUEST, from.center().y),
            Point::new(to.x + REQUEST, to.bottom() - 3.0),
        ),
        (Shape::Look | Shape::Act, Form::Wide) if from.x < to.x => {
            (from.right_middle(), to.left_middle())
        }
        (Shape::Look | Shape::Act, Form::Wide) => (from.left_middle(), to.right_middle()),
        (Shape::Look | Shape::Act, Form::Compact) => {
            let right = |rect: Rect| Point::new(rect.right() - 24.0, rect.center().y);
            (right(from), right(to))
        }
        (Shape::Lost, Form::Wide) => (from.left_middle(), to.center()),
        _ => (from.center(), to.center()),
    }
}

fn wide(token: &Token, a: Point, b: Point) -> Curve {
    let reach = ((b.x - a.x).abs() * 0.5).max(18.0);
    let (c, d) = match (token.from, token.to) {
        // Under the slots and back into the line.
        (Place::Worker(_), Place::Ready(_)) => (a.shifted(-40.0, 78.0), b.shifted(70.0, 64.0)),
        (Place::Worker(_), Place::Shelf(_)) => (a.shifted(-70.0, 6.0), b.shifted(120.0, -10.0)),
        (Place::Shelf(_), Place::Ready(_)) => (a.shifted(-48.0, 0.0), b.shifted(-48.0, 0.0)),
        (Place::Outside, _) => (a.shifted(14.0, -30.0), b.shifted(14.0, 30.0)),
        // Below everything, against the stream.
        (Place::Pods(_), Place::WatchOut) => (a.shifted(-120.0, 150.0), b.shifted(110.0, 190.0)),
        _ => {
            let sign = if b.x < a.x { -1.0 } else { 1.0 };
            (a.shifted(reach * sign, 0.0), b.shifted(-reach * sign, 0.0))
        }
    };
    Curve([a, c, d, b])
}

fn compact(token: &Token, a: Point, b: Point) -> Curve {
    let reach = (b.y - a.y) * 0.5;
    let (c, d) = match (token.from, token.to) {
        (Place::Worker(_), Place::Ready(_) | Place::Shelf(_)) => {
            (a.shifted(-30.0, 0.0), b.shifted(-30.0, 0.0))
        }
        (Place::Shelf(_), Place::Ready(_)) => (a.shifted(0.0, 30.0), b.shifted(0.0, 30.0)),
        (Place::Informer, Place::Server) | (Place::Server, Place::Informer) => {
            (a.shifted(18.0, reach), b.shifted(18.0, -reach))
        }
        (_, Place::DirtyMark(_)) | (Place::Pods(_) | Place::Object(_), _) => {
            (a.shifted(18.0, reach), b.shifted(18.0, -reach))
        }
        _ => (a.shifted(0.0, reach), b.shifted(0.0, -reach)),
    };
    Curve([a, c, d, b])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::key::Key;
    use crate::frame::{Ending, Travel};

    fn token(shape: Shape, from: Place, to: Place) -> Token {
        Token {
            record: 0,
            shape,
            key: Some(Key(0)),
            revision: None,
            from,
            to,
            travel: Travel::Dwell,
            ending: Ending::Settle,
        }
    }

    const SLOT: Rect = Rect::new(300.0, 60.0, 150.0, 30.0);
    const HAND: Rect = Rect::new(480.0, 60.0, 230.0, 32.0);

    #[test]
    fn a_key_travels_from_swatch_to_swatch() {
        let token = token(Shape::Key, Place::Ready(0), Place::Worker(0));
        let route = route(&token, SLOT, HAND, None, Form::Wide);
        assert_eq!(route.line.at(0.0), Point::new(315.0, 75.0));
        assert_eq!(route.line.at(1.0), Point::new(495.0, 76.0));
        assert_eq!(route.target, HAND);
    }

    #[test]
    fn what_comes_back_swings_out_below() {
        let token = token(Shape::Key, Place::Worker(0), Place::Ready(0));
        let middle = route(&token, HAND, SLOT, None, Form::Wide).line.at(0.5);
        assert!(middle.y > SLOT.bottom(), "{middle:?}");
    }

    #[test]
    fn every_path_stays_finite_in_both_forms() {
        let places = [
            Place::Outside,
            Place::Object(Key(0)),
            Place::WatchIn,
            Place::WatchOut,
            Place::Ready(1),
            Place::Shelf(0),
            Place::Worker(0),
            Place::DirtyMark(0),
            Place::Pods(Key(0)),
        ];
        for form in [Form::Wide, Form::Compact] {
            for from in places {
                for to in places {
                    for shape in [Shape::Key, Shape::Look, Shape::Act, Shape::Request] {
                        let route = route(&token(shape, from, to), SLOT, HAND, None, form);
                        for step in 0..=10 {
                            let point = route.line.at(f64::from(step) / 10.0);
                            assert!(point.x.is_finite() && point.y.is_finite());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_stylesheet_knows_the_same_width() {
        let css = include_str!("../../static/stage.css");
        let query = format!("@container lanes (max-width: {}px)", WIDE - 0.02);
        assert!(css.contains(&query), "{query}");
    }

    #[test]
    fn names_are_one_per_place() {
        assert_eq!(place_name(Place::Ready(2)), "ready-2");
        assert_eq!(place_name(Place::Object(Key(1))), "object-1");
        assert_eq!(place_name(Place::DirtyMark(0)), "dirty-0");
    }
}
