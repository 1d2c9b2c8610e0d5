//! The page: Yew components, props in and commands out.
//!
//! Nothing here knows how a run goes on. A component draws what the session says and hands every
//! wish to `Callback<Command>`; its own state is for hover, focus and open drawers.

mod acts;
mod app;
mod browser;
mod dock;
mod header;
mod icon;
mod log;
mod panel;
mod pulse;
mod tale;
mod timeline;
mod transport;

pub use app::App;
pub use panel::LaneNote;
