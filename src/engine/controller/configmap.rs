//! The reconciler of chapter two: every config map carries one label, in six sections.
//!
//! Plain data in, plain data out, as in `database.rs`. It reads the informer's cache and nothing
//! else, and writes to the API server and nowhere else. Between two passes it keeps nothing.
//!
//! Left out on purpose: a key that cannot be split; the event handlers make only good ones.

use super::Conclusion;
use super::Section;
use super::database::ReconcileError;
use crate::engine::apiserver::{ApiError, Object};
use std::rc::Rc;

/// The label that every config map of the namespace shall carry, and its value.
pub const LABEL: &str = "managed-by";
pub const LABEL_VALUE: &str = "configmap-controller";
/// The namespace that the controller is responsible for.
pub const NAMESPACE: &str = "default";

/// Does it carry the label as it should?
pub fn is_labelled(object: &Object) -> bool {
    object.meta.labels.get(LABEL).map(|value| &**value) == Some(LABEL_VALUE)
}

/// Make it carry the label.
pub fn put_label(object: &mut Object) {
    object.meta.labels.insert(LABEL.into(), LABEL_VALUE.into());
}

/// What one pass knows so far, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    pub section: Section,
    /// The object: as the cache has it, and then the copy with its label.
    pub object: Option<Rc<Object>>,
}

impl Default for Pass {
    fn default() -> Pass {
        Pass {
            section: Section::SplitKey,
            object: None,
        }
    }
}

/// What came of the last step.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    Begin,
    /// The section is over, and there is nothing to tell.
    Over,
    /// What the cache holds under the key.
    Cached(Option<Rc<Object>>),
    /// The label is missing, and the work is left undone.
    Swallowed,
    /// This is to be written.
    Copied(Rc<Object>),
    /// The API server's answer.
    Answered(Result<(), ApiError>),
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    Enter(Section),
    Done(Conclusion),
}

impl Pass {
    /// Is there something to do, as far as the pass knows?
    pub fn needs_label(&self) -> bool {
        self.object
            .as_ref()
            .is_some_and(|object| !is_labelled(object))
    }

    /// The next step. `wait_on_conflict`: a 409 is no error, for an event is on its way.
    pub fn next(&mut self, input: Input, wait_on_conflict: bool) -> Step {
        let step = match input {
            Input::Begin => Step::Enter(Section::SplitKey),
            Input::Cached(object) => {
                self.object = object;
                Step::Enter(Section::Exists)
            }
            Input::Swallowed => Step::Done(Conclusion::Swallowed),
            Input::Copied(object) => {
                self.object = Some(object);
                Step::Enter(Section::WriteBack)
            }
            Input::Answered(Ok(())) => Step::Done(Conclusion::Labelled),
            Input::Answered(Err(ApiError::Conflict)) if wait_on_conflict => {
                Step::Done(Conclusion::AwaitEvent)
            }
            Input::Answered(Err(error)) => Step::Done(Conclusion::Error {
                error: ReconcileError::Write(error),
            }),
            Input::Over => match self.section {
                Section::SplitKey => Step::Enter(Section::ReadCache),
                Section::Exists if self.object.is_none() => Step::Done(Conclusion::NotFound),
                Section::Exists => Step::Enter(Section::Labelled),
                Section::Labelled if self.needs_label() => Step::Enter(Section::DeepCopy),
                Section::Labelled => Step::Done(Conclusion::InDesiredState),
                section => unreachable!("{section:?} ends with something to tell"),
            },
        };
        if let Step::Enter(section) = step {
            self.section = section;
        }
        step
    }
}
