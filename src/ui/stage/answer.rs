//! The API server's answers in a word or two, as tokens and lanes show them.

use crate::engine::apiserver::{ApiError, RequestError};
use crate::engine::record::{Reply, WriteAnswer};

/// An answer to an update.
#[inline(never)]
pub fn replied(answer: WriteAnswer) -> String {
    match answer {
        WriteAnswer::Written { revision } => format!("200, rev {revision}"),
        WriteAnswer::Unchanged => "200, no change".to_owned(),
        WriteAnswer::Failed { error } => {
            let word = match error {
                ApiError::NotFound => "not found",
                ApiError::AlreadyExists | ApiError::Conflict => "conflict",
                ApiError::BadRequest | ApiError::Invalid => "invalid",
                ApiError::ServiceUnavailable => "refused",
            };
            format!("{} {word}", error.status())
        }
    }
}

/// An answer to a list or a watch, or the end of a watch.
#[inline(never)]
pub fn answered(reply: Reply) -> String {
    match reply {
        Reply::Page { objects: 1, .. } => "1 object".to_owned(),
        Reply::Page { objects, .. } => format!("{objects} objects"),
        Reply::Opened => "open".to_owned(),
        Reply::Refused { error } => failed(error),
        Reply::Closed { error } => error.map_or_else(|| "ended".to_owned(), failed),
    }
}

fn failed(error: RequestError) -> String {
    match error.status() {
        Some(410) => "410 gone".to_owned(),
        Some(status) => format!("{status} refused"),
        None => "no answer".to_owned(),
    }
}
