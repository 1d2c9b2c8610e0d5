//! Loopscope: see a Kubernetes control loop think.
pub mod engine;
#[cfg(feature = "ui")]
pub mod ui;
