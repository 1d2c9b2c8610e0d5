//! Tokens: the dots that travel.
//!
//! An event is on its way while simulated time flows, so its place is its share of that time. A
//! key goes from the watch into the queue, or from the queue to a worker, in no simulated time at
//! all; then it travels during the dwell of the fact that moved it.

use super::view::View;
use super::wire::{Message, Parcel};
use crate::engine::apiserver::EventType;
use crate::engine::key::Key;
use crate::engine::record::{RecordId, Reply, Source, WriteAnswer};
use crate::engine::time::SimTime;

/// What a token looks like; a shape each, so that nothing hangs on colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An event of this type.
    Event(EventType),
    /// A lost replica.
    Lost,
    /// A key, and nothing but a key.
    Key,
    /// A request of a person.
    Request,
    /// What reconcile does to the actual state.
    Act,
    /// What reconcile sees or reads.
    Look,
    /// The informer asks for a list, or for a watch.
    Ask { list: bool },
    /// The API server's answer to that.
    Answer(Reply),
    /// An object of a list, on its way into the cache.
    Copy,
    /// A worker's update, on its way to the API server.
    Update,
    /// The API server's answer to that.
    Reply(WriteAnswer),
}

impl Shape {
    /// The word in `data-token`.
    pub fn word(self) -> &'static str {
        match self {
            Shape::Event(_) => "event",
            Shape::Lost => "lost",
            Shape::Key => "key",
            Shape::Request => "request",
            Shape::Act => "act",
            Shape::Look => "look",
            Shape::Ask { .. } => "ask",
            Shape::Answer(_) => "answer",
            Shape::Copy => "copy",
            Shape::Update => "update",
            Shape::Reply(_) => "reply",
        }
    }

    /// Is it an answer that nobody wants?
    pub fn is_refusal(self) -> bool {
        match self {
            Shape::Answer(reply) => matches!(
                reply,
                Reply::Refused { .. } | Reply::Closed { error: Some(_) }
            ),
            Shape::Reply(answer) => answer.result().is_err(),
            _ => false,
        }
    }
}

/// A spot on the stage where a token can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Outside, where people are.
    Outside,
    /// The object's card in the store, or where it would be.
    Object(Key),
    /// Where the watch begins, beside the store.
    WatchIn,
    /// Where the watch ends, beside the queue.
    WatchOut,
    /// This place in the ready queue, from 0.
    Ready(u8),
    /// This place on the delayed shelf, from 0.
    Shelf(u8),
    /// A worker's hand.
    Worker(u8),
    /// The dirty mark of the key in a worker's hand.
    DirtyMark(u8),
    /// The pods of an object.
    Pods(Key),
    /// Where requests reach the API server, and its answers leave.
    Server,
    /// Where the informer sends requests and takes answers.
    Informer,
    /// The object's card in the informer's cache, or where it would be.
    Cached(Key),
}

/// How a token's place follows from the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Travel {
    /// By simulated time, between these instants.
    Flight { left: SimTime, arrives: SimTime },
    /// By the share of the latest fact's dwell.
    Dwell,
}

/// What becomes of a token where it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It becomes the thing that is drawn there.
    Settle,
    /// It finds that thing there already and dissolves into it.
    Dissolve,
    /// It is lost on the way.
    Lost,
}

/// A dot that travels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token {
    /// The record that set it going: a token is the same as long as this is the same.
    pub record: RecordId,
    pub shape: Shape,
    /// The object it is about; none for a list or a watch.
    pub key: Option<Key>,
    /// A revision, where it carries one.
    pub revision: Option<u64>,
    pub from: Place,
    pub to: Place,
    pub travel: Travel,
    pub ending: Ending,
}

impl Token {
    /// Is it a request or an answer that arrives in the instant in which it leaves?
    pub fn takes_no_time(&self) -> bool {
        let event = matches!(self.shape, Shape::Event(_) | Shape::Lost);
        matches!(self.travel, Travel::Flight { left, arrives } if left == arrives && !event)
    }

    /// How far it has come, from 0 to 1, at simulated `time` and at `share` (0–1) of the latest
    /// fact's dwell.
    pub fn progress(&self, time: f64, share: f64) -> f64 {
        match self.travel {
            Travel::Dwell => share.clamp(0.0, 1.0),
            Travel::Flight { left, arrives } => {
                let whole = (arrives - left).0 as f64;
                if whole <= 0.0 {
                    return 1.0;
                }
                ((time - left.0 as f64) / whole).clamp(0.0, 1.0)
            }
        }
    }
}

/// What is on its way, as tokens: requests and answers, then events.
pub fn flights(view: &View) -> impl Iterator<Item = Token> + '_ {
    let messages = view.messages.iter().map(message);
    messages.chain(events(view))
}

#[inline(never)]
fn message(message: &Message) -> Token {
    let (shape, key, from, to) = match message.parcel {
        Parcel::List | Parcel::Watch => {
            let list = message.parcel == Parcel::List;
            (Shape::Ask { list }, None, Place::Informer, Place::Server)
        }
        Parcel::Answer(reply) => (Shape::Answer(reply), None, Place::Server, Place::Informer),
        Parcel::Update { worker, key, .. } => {
            let (from, to) = (Place::Worker(worker), Place::Object(key));
            (Shape::Update, Some(key), from, to)
        }
        Parcel::Reply {
            worker,
            key,
            answer,
            ..
        } => {
            let (from, to) = (Place::Object(key), Place::Worker(worker));
            (Shape::Reply(answer), Some(key), from, to)
        }
    };
    Token {
        record: message.record,
        shape,
        key,
        revision: None,
        from,
        to,
        travel: Travel::Flight {
            left: message.left,
            arrives: message.arrives,
        },
        ending: Ending::Settle,
    }
}

fn events(view: &View) -> impl Iterator<Item = Token> + '_ {
    view.flights.iter().map(|flight| Token {
        record: flight.record,
        shape: match flight.source {
            Source::Owned => Shape::Lost,
            Source::Watch | Source::List | Source::Informer => Shape::Event(flight.event),
        },
        key: Some(flight.key),
        revision: matches!(flight.source, Source::Watch | Source::Informer)
            .then_some(flight.revision),
        from: match flight.source {
            Source::Owned => Place::Pods(flight.key),
            Source::Watch | Source::List | Source::Informer => Place::WatchIn,
        },
        to: Place::WatchOut,
        travel: Travel::Flight {
            left: flight.left,
            arrives: flight.arrives,
        },
        ending: Ending::Settle,
    })
}
