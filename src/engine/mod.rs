//! The simulator: a Kubernetes control loop on a simulated clock.
//!
//! Pure Rust, single-threaded, no browser, no clock but the `now` it is handed. Each module is one
//! box of the diagram on the page, under its Kubernetes name.
//!
//! `#[inline(never)]` is about the page: what the first scene does not do stays out of its part of the
//! program (docs/performance.md, "Two parts").

pub mod actual;
pub mod agenda;
pub mod apiserver;
pub mod cluster;
pub mod controller;
pub mod decimal;
pub mod fixed;
pub mod informer;
pub mod json;
pub mod key;
pub mod knob;
pub mod knobs;
pub mod paged;
pub mod record;
pub mod rng;
pub mod sorted;
pub mod stimulus;
pub mod time;
pub mod workqueue;

pub use cluster::Cluster;
pub use key::{Key, Keys};
pub use knob::{KNOBS, Knob};
pub use knobs::{ControllerKind, Knobs, Preset, QueueKind};
pub use record::{Actual, Fact, Record, RecordId};
pub use stimulus::{Actor, Stimulus};
pub use time::{SimDuration, SimTime};
