//! What happens when the page panics: the words of the panic are left in the page, and the boot
//! script (`static/boot.js`) stops the loop and the input and shows them.
//!
//! The script does it because nothing in here can be relied on after a panic: WebAssembly aborts,
//! and the browser would go on calling into it.

use super::browser::root;

/// From now on a panic is seen.
pub fn watch() {
    yew::set_custom_panic_hook(Box::new(|panic| {
        let _ = root().set_attribute("data-panic", &panic.to_string());
    }));
}
