//! What the API server refuses, with the HTTP status it answers.

use serde::Serialize;
use std::fmt;

/// A refused request. These are content, not failures of the engine: the simulated client handles
/// them and the visitor watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ApiError {
    /// 404: there is no such object.
    NotFound,
    /// 409: there is such an object already.
    AlreadyExists,
    /// 409: the object was written since the caller read it.
    Conflict,
    /// 400: the request makes no sense.
    BadRequest,
    /// 422: the object would not be a valid one.
    Invalid,
    /// 503: not now.
    ServiceUnavailable,
}

impl ApiError {
    /// The HTTP status code.
    pub fn status(self) -> u16 {
        match self {
            ApiError::NotFound => 404,
            ApiError::AlreadyExists | ApiError::Conflict => 409,
            ApiError::BadRequest => 400,
            ApiError::Invalid => 422,
            ApiError::ServiceUnavailable => 503,
        }
    }

    /// The reason word in the API's `Status` object.
    pub fn reason(self) -> &'static str {
        match self {
            ApiError::NotFound => "NotFound",
            ApiError::AlreadyExists => "AlreadyExists",
            ApiError::Conflict => "Conflict",
            ApiError::BadRequest => "BadRequest",
            ApiError::Invalid => "Invalid",
            ApiError::ServiceUnavailable => "ServiceUnavailable",
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused: {} {}", self.status(), self.reason())
    }
}
