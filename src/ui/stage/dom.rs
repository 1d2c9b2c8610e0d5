//! The few things that the painter asks of the browser.

use crate::frame::Place;
use crate::layout::{Rect, place_name, stand_ins};
use wasm_bindgen::JsCast;
use web_sys::{CssStyleDeclaration, DomRect, Element, HtmlElement};

/// The box of a place, relative to the stage.
pub fn locate(root: &Element, stage: &DomRect, place: Place) -> Option<Rect> {
    let own = place_name(place);
    let mut names = std::iter::once(own.as_str()).chain(stand_ins(place).iter().copied());
    names.find_map(|name| locate_name(root, stage, name))
}

/// The box of what bears this name, relative to the stage.
pub fn locate_name(root: &Element, stage: &DomRect, name: &str) -> Option<Rect> {
    let selector = format!("[data-place=\"{name}\"]");
    let rect = root
        .query_selector(&selector)
        .ok()??
        .get_bounding_client_rect();
    // What is not displayed has no box.
    let displayed = rect.width() > 0.0 || rect.height() > 0.0;
    displayed.then(|| {
        let (x, y) = (rect.x() - stage.x(), rect.y() - stage.y());
        Rect::new(x, y, rect.width(), rect.height())
    })
}

/// The style of the first element that `selector` finds.
pub fn style_of(root: &Element, selector: &str) -> Option<CssStyleDeclaration> {
    let element: HtmlElement = root.query_selector(selector).ok()??.dyn_into().ok()?;
    Some(element.style())
}

pub fn set(style: &CssStyleDeclaration, name: &str, value: &str) {
    let _ = style.set_property(name, value);
}
