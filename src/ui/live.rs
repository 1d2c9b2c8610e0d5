//! What a screen reader hears: each beat once, and each important fact once.

use crate::engine::controller::Conclusion;
use crate::engine::key::Keys;
use crate::engine::record::{Fact, Record};

/// A fact in a few words, if it is worth an interruption.
pub fn announcement(record: &Record, keys: &Keys) -> Option<String> {
    let name = |key| {
        let text: &str = keys.text(key);
        text.split_once('/')
            .map_or(text, |(_, name)| name)
            .to_owned()
    };
    Some(match record.fact {
        Fact::Started { n, key, .. } => format!("Reconcile {n} begins for {}.", name(key)),
        Fact::Finished { n, conclusion, .. } => match conclusion {
            Conclusion::RequeueAfter { after } => {
                format!("Reconcile {n} acted; look again in {after}.")
            }
            Conclusion::InDesiredState => format!("Reconcile {n} found nothing to do."),
            Conclusion::NotFound => format!("Reconcile {n} found the object gone."),
            Conclusion::Error { error } => format!("Reconcile {n}: {error}."),
            Conclusion::Labelled => format!("Reconcile {n} wrote the label."),
            Conclusion::AwaitEvent => format!("Reconcile {n} waits for an event."),
            Conclusion::Swallowed => format!("Reconcile {n} claimed success and did nothing."),
        },
        Fact::ControllerStopped { .. } => "The controller is down.".to_owned(),
        Fact::ControllerStarted => "The controller is up.".to_owned(),
        Fact::ReplicaLost { key, .. } => format!("A replica of {} died.", name(key)),
        Fact::Rested => "The loop is at rest.".to_owned(),
        _ => return None,
    })
}
