//! Errors in kubectl's words.
//!
//! Mirrors `k8s.io/kubectl/pkg/cmd/util/helpers.go` (`checkErr`, `StandardErrorMessage`) and the
//! messages of `k8s.io/apimachinery/pkg/api/errors`.

use super::reply::is_hidden;
use super::resource;
use crate::engine::apiserver::{ApiError, Kind};

/// `error: …`, for what is wrong with a command.
pub fn error<T>(message: impl AsRef<str>) -> Result<T, String> {
    Err(format!("error: {}", message.as_ref()))
}

/// With the hint that `UsageErrorf` adds.
pub fn usage<T>(message: &str, command: &str) -> Result<T, String> {
    error(format!(
        "{message}\nSee 'kubectl {command} -h' for help and examples"
    ))
}

/// `Error from server (Reason): …`.
pub fn from_server(reason: &str, message: &str) -> String {
    format!("Error from server ({reason}): {message}")
}

pub fn not_found(kind: Kind, name: &str) -> String {
    let message = format!(
        "{} {} not found",
        resource::qualified_plural(kind),
        quote(name)
    );
    from_server(ApiError::NotFound.reason(), &message)
}

pub fn conflict(kind: Kind, name: &str) -> String {
    let message = format!(
        "Operation cannot be fulfilled on {} {}: the object has been modified; please apply your changes to the latest version and try again",
        resource::qualified_plural(kind),
        quote(name)
    );
    from_server(ApiError::Conflict.reason(), &message)
}

/// `The ConfigMap "x" is invalid: …`, with each reason on a line of its own if there are several.
pub fn invalid(kind: Kind, name: &str, causes: &[String]) -> String {
    let head = format!("The {} {} is invalid", kind.word(), quote(name));
    if causes.is_empty() {
        return head;
    }
    let head = head + ": ";
    match causes {
        [cause] => head + cause,
        _ => causes
            .iter()
            .fold(head, |text, cause| format!("{text}\n* {cause}")),
    }
}

/// What kubectl prints where the API server has refused a request about an object. A patch carries no
/// `resourceVersion` and what is created was looked through before, so a conflict and a bad request
/// are others' only: controllers', and those of who speaks to the API without this console.
pub fn refused(error: ApiError, kind: Kind, name: &str) -> String {
    match error {
        ApiError::NotFound => not_found(kind, name),
        ApiError::Conflict => conflict(kind, name),
        ApiError::Invalid => invalid(kind, name, &[]),
        ApiError::AlreadyExists => {
            let plural = resource::qualified_plural(kind);
            from_server(
                error.reason(),
                &format!("{plural} {} already exists", quote(name)),
            )
        }
        ApiError::BadRequest => from_server(
            error.reason(),
            "the server rejected our request for an unknown reason",
        ),
        ApiError::ServiceUnavailable => from_server(
            error.reason(),
            "the server is currently unable to handle the request",
        ),
    }
}

/// What there is no type for.
pub fn no_type<T>(word: &str) -> Result<T, String> {
    error(format!(
        "the server doesn't have a resource type {}",
        quote(word)
    ))
}

/// Printed where a command needs an object and gets no word at all.
pub const NO_RESOURCE: &str = "You must provide one or more resources by argument or filename.\n\
Example resource specifications include:\n   '-f rsrc.yaml'\n   '--filename=rsrc.json'\n   '<resource> <name>'\n   '<resource>'";

/// In double quotes, as Go's `%q` writes it.
pub fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\x07' => quoted.push_str("\\a"),
            '\x08' => quoted.push_str("\\b"),
            '\x0b' => quoted.push_str("\\v"),
            '\x0c' => quoted.push_str("\\f"),
            '\0'..='\x1f' | '\x7f' => quoted.push_str(&format!("\\x{:02x}", letter as u32)),
            '\u{10000}'.. if is_hidden(letter) => {
                quoted.push_str(&format!("\\U{:08x}", letter as u32));
            }
            _ if is_hidden(letter) => quoted.push_str(&format!("\\u{:04x}", letter as u32)),
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
