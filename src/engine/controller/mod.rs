//! The controller: what it does with the keys it takes from its work queue.
pub mod outcome;
