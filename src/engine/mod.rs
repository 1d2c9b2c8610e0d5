//! The simulator.
pub mod key;
pub mod time;
