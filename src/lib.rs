//! Loopscope: see a Kubernetes control loop think.
//!
//! [`engine`] is the simulated cluster, a value; [`scene`] are the lessons, as data; [`frame`] says what is
//! visible after so many facts; [`session`] is one visit: a run, a cursor in it, and all that can be done to both.
//! [`console`] speaks a part of kubectl: a line, and what the store holds, into what is printed and asked.
//! [`shell`] does it: what is typed is done to a visit, and what came of it is printed.
//! [`layout`] knows where a token is between two boxes, and `ui`, which only the page is built with, draws.
//! The arrows between them, and why they are so, stand in `docs/architecture.md`.
pub mod console;
pub mod engine;
pub mod frame;
pub mod layout;
pub mod scene;
pub mod session;
pub mod shell;
#[cfg(feature = "ui")]
pub mod ui;
