//! What handlers are told.

use serde::Serialize;
use std::rc::Rc;

/// One thing that handlers are told, under a number that all its receivers share.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification<O> {
    pub number: u64,
    pub cause: Cause,
    pub change: Change<O>,
}

/// Where a notification comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// An item of a list.
    List,
    /// An object of a streaming list.
    Snapshot,
    /// An event of the watch.
    Watch,
    /// It was in the cache and not in the new list.
    Relist,
    /// The cache is redelivered.
    Resync,
    /// The handler came late and is told what is there.
    Late,
}

/// The handler's three methods.
#[derive(Clone, Debug, PartialEq)]
pub enum Change<O> {
    Add {
        new: Rc<O>,
        /// Part of what was there when the handler began.
        initial: bool,
    },
    Update {
        old: Rc<O>,
        new: Rc<O>,
    },
    Delete {
        old: Rc<O>,
        /// The deletion itself was missed: `old` is the last state that the cache knew
        /// (`DeletedFinalStateUnknown`).
        tombstone: bool,
    },
}

impl<O> Change<O> {
    /// The object it is about, in its newest known state.
    pub fn object(&self) -> &Rc<O> {
        match self {
            Change::Add { new, .. } | Change::Update { new, .. } => new,
            Change::Delete { old, .. } => old,
        }
    }

    /// Is it an initial add?
    pub fn is_initial(&self) -> bool {
        matches!(self, Change::Add { initial: true, .. })
    }

    /// Wherever `before` is meant, mean `after`.
    pub(super) fn swap(&mut self, before: &Rc<O>, after: &Rc<O>) {
        let swap = |object: &mut Rc<O>| {
            if Rc::ptr_eq(object, before) {
                *object = after.clone();
            }
        };
        match self {
            Change::Add { new, .. } => swap(new),
            Change::Update { old, new } => {
                swap(old);
                swap(new);
            }
            Change::Delete { old, .. } => swap(old),
        }
    }
}
