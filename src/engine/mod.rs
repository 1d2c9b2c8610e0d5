//! The simulator.
pub mod controller;
pub mod key;
pub mod time;
pub mod workqueue;
