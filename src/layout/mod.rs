//! Pure geometry of the stage: from where tokens set out, where they arrive, and along which line.
//!
//! Where a *box* stands is the stylesheet's business (fonts, zoom, a phone's narrow rows, a reader's
//! own text size all move it), so the page measures the boxes that tokens travel between once per
//! re-render or resize and hands the rectangles in. Everything that follows from them is worked out
//! here: the anchor points, the drawn path, a token's pose at a share of the way. There is no
//! browser in this module, and the same rectangles always give the same picture.
//!
//! Left out on purpose: computing the boxes themselves. A second implementation of the browser's
//! text layout would be wrong on every machine but ours.

mod curve;
mod pose;
mod route;
mod rows;
mod still;
mod track;

pub use curve::{Curve, Point, Rect, Tenths, Thousandths};
pub use pose::{LANDED, Pose, pose};
pub use route::{Form, ROAD, Route, place_name, route, stand_ins, wire};
pub use rows::{ROWS, Rows};
pub use still::still;
pub use track::{Line, Track};
