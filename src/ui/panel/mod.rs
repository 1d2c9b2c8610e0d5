//! The dock's panels beside the log. Each is given what it shows, and hands wishes on.

mod code;
mod hand;
mod lane_note;
mod metrics;
mod objects;
mod what_if;

pub use code::Code;
pub use hand::HandNow;
pub use lane_note::lane_note;
pub use metrics::Metrics;
pub use objects::{cards, objects};
pub use what_if::{KnobField, WhatIfs};
