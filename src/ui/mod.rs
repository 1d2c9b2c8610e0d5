//! The page: Yew components, props in and commands out.
//!
//! Nothing here knows how a run goes on. A component draws what the session says and hands every
//! wish to `Callback<Command>`; its own state is for hover, focus and open drawers.

mod acts;
mod address;
mod app;
mod ask;
mod browser;
mod compare;
mod console;
mod dock;
pub mod el;
mod export;
mod fall;
mod header;
mod icon;
mod keys;
mod live;
mod log;
pub mod motion;
mod own;
mod panel;
mod share;
mod sight;
pub mod stage;
mod style;
mod tale;
mod timeline;
mod transport;
mod typed;

pub use app::Root;
pub use fall::watch as watch_for_a_fall;
