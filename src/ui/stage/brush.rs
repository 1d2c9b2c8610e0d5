//! Writes where an element is and how much of it is to be seen: with each frame, so that what is written already is not
//! written again.

use crate::layout::{Tenths, Thousandths};
use crate::ui::style::Style;
use wasm_bindgen::JsCast;
use web_sys::CssStyleDeclaration;

/// One element, as it is painted.
pub struct Brush {
    style: Style,
    /// Where, in tenths of a pixel, and the scale, in thousandths.
    place: Option<[i32; 3]>,
    /// In hundredths.
    opacity: Option<i32>,
    shown: bool,
}

impl Brush {
    pub fn new(style: CssStyleDeclaration) -> Brush {
        Brush {
            style: style.unchecked_into(),
            place: None,
            opacity: None,
            shown: true,
        }
    }

    /// Put it there, `scale` times its size.
    pub fn put(&mut self, x: f64, y: f64, scale: f64) {
        let place = [x * 10.0, y * 10.0, scale * 1000.0].map(|value| value.round() as i32);
        if self.place.replace(place) != Some(place) {
            let (x, y, scale) = (Tenths(x), Tenths(y), Thousandths(scale));
            self.style
                .set_transform(&format!("translate({x}px,{y}px)scale({scale})"));
        }
    }

    /// Let so much of it be seen, 0 to 1.
    pub fn fade(&mut self, opacity: f64) {
        let hundredths = (opacity * 100.0).round() as i32;
        if self.opacity.replace(hundredths) != Some(hundredths) {
            self.style.set_opacity(f64::from(hundredths) / 100.0);
        }
    }

    /// Let it be seen at all, or not.
    pub fn show(&mut self, shown: bool) {
        self.shown = shown;
        let visibility = if shown { "visible" } else { "hidden" };
        let _ = self.style.set_property("visibility", visibility);
    }

    pub fn is_shown(&self) -> bool {
        self.shown
    }

    pub fn size(&self, width: f64, height: f64) {
        for (name, length) in [("width", width), ("height", height)] {
            let _ = self
                .style
                .set_property(name, &format!("{}px", Tenths(length)));
        }
    }
}
