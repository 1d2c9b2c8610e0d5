//! The six scenes in a terminal.
fn main() {}
