//! Yew components.

mod demo;
pub mod el;
pub mod motion;
pub mod stage;

pub use demo::App;
