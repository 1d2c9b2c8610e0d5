//! Loopscope: see a Kubernetes control loop think.
pub mod console;
pub mod engine;
pub mod frame;
pub mod layout;
pub mod scene;
pub mod session;
#[cfg(feature = "ui")]
pub mod ui;
