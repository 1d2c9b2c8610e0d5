//! What goes between a reader and the API server, as data: requests for lists and watches, and the
//! answers to them.
//!
//! The shapes are those of `metav1.ListOptions`, of a list with its metadata, and of
//! `watch.Event`. Who carries them, and how long that takes, is neither side's business.

use crate::engine::time::SimDuration;
use serde::Serialize;
use std::fmt;
use std::rc::Rc;

/// A resource version as a client sees it: opaque, good for handing back and for comparing with
/// `==`, never for ordering. The empty one means "none".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceVersion(Rc<str>);

impl ResourceVersion {
    pub fn new(text: &str) -> ResourceVersion {
        ResourceVersion(text.into())
    }

    /// `"0"`: in a request, "any version you have at hand".
    pub fn any() -> ResourceVersion {
        ResourceVersion::new("0")
    }

    /// The version that a write of this revision gave.
    pub fn at(revision: u64) -> ResourceVersion {
        ResourceVersion::new(&revision.to_string())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Default for ResourceVersion {
    fn default() -> ResourceVersion {
        ResourceVersion::new("")
    }
}

impl fmt::Display for ResourceVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Tells the answers to one request from those to another: an answer to a request that is no
/// longer under way is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// A request to the API server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub id: RequestId,
    pub verb: Verb,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    List(ListOptions),
    Watch(WatchOptions),
}

/// The parameters of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListOptions {
    /// Empty: the newest. `0`: whatever is at hand. Else: not older than this.
    pub resource_version: ResourceVersion,
    /// At most so many objects in one page; 0: all in one.
    pub limit: u32,
    /// Which page; none: the first.
    pub continue_token: Option<Rc<str>>,
}

/// The parameters of a watch. Bookmarks are always allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchOptions {
    /// Events after this version.
    pub resource_version: ResourceVersion,
    /// The server ends the stream after this long: whole seconds.
    pub timeout: SimDuration,
    /// First the present state as `ADDED` events and a bookmark that ends them (a streaming list,
    /// with `resourceVersionMatch: NotOlderThan`).
    pub send_initial_events: bool,
}

/// What the API server answers; for a watch, what comes down the stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<O> {
    /// To a list: a page of it.
    Page(Page<O>),
    /// To a watch: the stream is open.
    Opened,
    /// To a list or a watch: nothing but an error.
    Failed(RequestError),
    /// On an open stream: an event.
    Event(WatchEvent<O>),
    /// The server ended the stream without an error.
    Closed,
}

/// A list, or one page of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<O> {
    pub resource_version: ResourceVersion,
    pub items: Vec<Rc<O>>,
    /// There is more: ask with this token.
    pub continue_token: Option<Rc<str>>,
}

/// An event on a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum WatchEvent<O> {
    Added(Rc<O>),
    Modified(Rc<O>),
    /// With the object as it was, and the version of the deletion.
    Deleted(Rc<O>),
    Bookmark {
        resource_version: ResourceVersion,
        /// The initial events of a streaming list end here.
        initial_events_end: bool,
    },
    Error(RequestError),
}

/// Why a request or a stream failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestError {
    /// 410, reason `Expired`: the version is too old, the window of past events has moved on.
    Expired,
    /// 410, reason `Gone`.
    Gone,
    /// 504: the server has not come to that version yet.
    TooLargeResourceVersion,
    /// 429.
    TooManyRequests,
    /// 500.
    Internal,
    /// 403.
    Forbidden,
    /// 400.
    BadRequest,
    /// No answer: nobody listens at the address.
    ConnectionRefused,
    /// No answer: the connection broke.
    UnexpectedEof,
}

impl RequestError {
    /// A watch that fails so is tried again as it is.
    pub fn is_watch_retriable(self) -> bool {
        matches!(
            self,
            RequestError::ConnectionRefused | RequestError::TooManyRequests
        )
    }

    /// The version that was asked for cannot be had: ask without one.
    pub fn is_version_unavailable(self) -> bool {
        matches!(
            self,
            RequestError::Expired | RequestError::Gone | RequestError::TooLargeResourceVersion
        )
    }

    /// The HTTP status code; none where no answer came.
    pub fn status(self) -> Option<u16> {
        match self {
            RequestError::Expired | RequestError::Gone => Some(410),
            RequestError::TooLargeResourceVersion => Some(504),
            RequestError::TooManyRequests => Some(429),
            RequestError::Internal => Some(500),
            RequestError::Forbidden => Some(403),
            RequestError::BadRequest => Some(400),
            RequestError::ConnectionRefused | RequestError::UnexpectedEof => None,
        }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RequestError::Expired => "410 Expired",
            RequestError::Gone => "410 Gone",
            RequestError::TooLargeResourceVersion => "504 Timeout: too large resource version",
            RequestError::TooManyRequests => "429 TooManyRequests",
            RequestError::Internal => "500 InternalError",
            RequestError::Forbidden => "403 Forbidden",
            RequestError::BadRequest => "400 BadRequest",
            RequestError::ConnectionRefused => "connection refused",
            RequestError::UnexpectedEof => "unexpected EOF",
        })
    }
}
