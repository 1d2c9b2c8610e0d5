//! An element's style by its properties: setting one takes no name that would have to be decoded in each frame.

use wasm_bindgen::prelude::*;
use web_sys::CssStyleDeclaration;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = CssStyleDeclaration)]
    pub type Style;

    #[wasm_bindgen(method, setter)]
    pub fn set_transform(this: &Style, value: &str);

    /// 0 to 1.
    #[wasm_bindgen(method, setter)]
    pub fn set_opacity(this: &Style, value: f64);
}
