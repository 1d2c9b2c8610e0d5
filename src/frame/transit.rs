//! The token that one fact moves, in no simulated time at all.

use super::token::{Ending, Place, Shape, Token, Travel};
use super::view::View;
use super::wire::Message;
use crate::engine::apiserver::EventType;
use crate::engine::key::Key;
use crate::engine::record::{Fact, Record, Source, Why};
use crate::engine::workqueue::Added;

/// The token that moves during the dwell of `record`, if it moves one. `before` is the picture
/// without that fact, `after` with it.
pub fn transit(record: &Record, before: &View, after: &View) -> Option<Token> {
    let token = |shape, key, from, to, ending| {
        Some(Token {
            record: record.id,
            shape,
            key: Some(key),
            revision: None,
            from,
            to,
            travel: Travel::Dwell,
            ending,
        })
    };
    // What a worker sent has travelled already.
    let sent = |message: &Message| record.causes.contains(message.record);
    let by_controller = before.messages.iter().any(sent);
    match record.fact {
        Fact::Written { .. } | Fact::Unchanged { .. } | Fact::Refused { .. } if by_controller => {
            None
        }
        Fact::Written {
            event,
            key,
            revision,
            ..
        } => token(
            Shape::Request,
            key,
            Place::Outside,
            Place::Object(key),
            if event == EventType::Deleted {
                Ending::Dissolve
            } else {
                Ending::Settle
            },
        )
        .map(|token| Token {
            revision: Some(revision),
            ..token
        }),
        Fact::Unchanged { key } | Fact::Refused { key, .. } => token(
            Shape::Request,
            key,
            Place::Outside,
            Place::Object(key),
            Ending::Lost,
        ),
        Fact::Dropped { event, key, .. } => token(
            Shape::Event(event),
            key,
            Place::WatchIn,
            Place::WatchOut,
            Ending::Lost,
        ),
        Fact::EventLost { event, key, .. } => token(
            Shape::Event(event),
            key,
            Place::WatchIn,
            Place::WatchOut,
            Ending::Lost,
        ),
        // The event has arrived, and goes into the cache.
        Fact::Delivered {
            event,
            source: Source::Informer,
            key,
            revision,
        } => token(
            Shape::Event(event),
            key,
            Place::WatchOut,
            Place::Cached(key),
            Ending::Settle,
        )
        .map(|token| Token {
            record: record.causes.iter().next().unwrap_or(record.id),
            revision: Some(revision),
            ..token
        }),
        // The event has arrived. It stays what it was until the handler has taken the key out of it.
        Fact::Delivered {
            event,
            source,
            key,
            revision,
        } => token(
            match source {
                Source::Owned => Shape::Lost,
                Source::Watch | Source::List | Source::Informer => Shape::Event(event),
            },
            key,
            Place::WatchOut,
            Place::WatchOut,
            Ending::Dissolve,
        )
        .map(|token| Token {
            record: record.causes.iter().next().unwrap_or(record.id),
            revision: (source == Source::Watch).then_some(revision),
            ..token
        }),
        Fact::Enqueued { why, key, added } => enqueued(record, before, after, why, key, added)
            .and_then(|(from, to, ending)| token(Shape::Key, key, from, to, ending)),
        Fact::Started { worker, key, .. } => token(
            Shape::Key,
            key,
            Place::Ready(0),
            Place::Worker(worker),
            Ending::Settle,
        ),
        Fact::Fetched { worker, key, .. } => token(
            Shape::Look,
            key,
            Place::Object(key),
            Place::Worker(worker),
            Ending::Dissolve,
        ),
        // What a list brought goes into the cache, one object after the other.
        Fact::CacheSet { key, .. }
            if before
                .informer
                .and_then(|informer| informer.listed)
                .is_some_and(|listed| record.causes.contains(listed)) =>
        {
            token(
                Shape::Copy,
                key,
                Place::Informer,
                Place::Cached(key),
                Ending::Settle,
            )
        }
        Fact::CacheRead { worker, key, .. } => token(
            Shape::Look,
            key,
            Place::Cached(key),
            Place::Worker(worker),
            Ending::Dissolve,
        ),
        Fact::Scribbled { worker, key, .. } => token(
            Shape::Act,
            key,
            Place::Worker(worker),
            Place::Cached(key),
            Ending::Dissolve,
        ),
        Fact::Observed { worker, key, .. } => token(
            Shape::Look,
            key,
            Place::Pods(key),
            Place::Worker(worker),
            Ending::Dissolve,
        ),
        Fact::ActionStarted { worker, key, .. } => token(
            Shape::Act,
            key,
            Place::Worker(worker),
            Place::Pods(key),
            Ending::Dissolve,
        ),
        // What took time set out when it began.
        Fact::ActionDone {
            worker,
            key,
            action,
            ..
        } if action.takes_no_time() => token(
            Shape::Act,
            key,
            Place::Worker(worker),
            Place::Pods(key),
            Ending::Dissolve,
        ),
        _ => None,
    }
}

fn enqueued(
    record: &Record,
    before: &View,
    after: &View,
    why: Why,
    key: Key,
    added: Added,
) -> Option<(Place, Place, Ending)> {
    let in_hand = |view: &View| {
        view.hands
            .iter()
            .position(|hand| hand.as_ref().is_some_and(|hand| hand.key == key))
    };
    let from = match why {
        Why::Event if before.informer.is_some() => Place::Cached(key),
        Why::Event => Place::WatchOut,
        Why::Done => Place::Worker(before.emptied),
        Why::Requeue | Why::Retry => Place::Worker(in_hand(before)? as u8),
        Why::DelayOver => {
            let place = before
                .delayed
                .iter()
                .position(|delay| delay.key == key && record.causes.contains(delay.record));
            Place::Shelf(place.unwrap_or(0) as u8)
        }
    };
    Some(match added {
        Added::Ready => (from, last_ready(after), Ending::Settle),
        Added::Dirty => (
            from,
            Place::DirtyMark(in_hand(before)? as u8),
            Ending::Settle,
        ),
        Added::MergedDirty => (
            from,
            Place::DirtyMark(in_hand(before)? as u8),
            Ending::Dissolve,
        ),
        Added::MergedReady => {
            let place = before.ready.iter().position(|entry| entry.key == key)?;
            (from, Place::Ready(place as u8), Ending::Dissolve)
        }
        Added::Delayed { .. } | Added::DelayedEarlier { .. } | Added::DelayKept { .. } => {
            let place = after.delayed.iter().position(|delay| delay.key == key)?;
            let ending = match added {
                Added::DelayKept { .. } => Ending::Dissolve,
                _ => Ending::Settle,
            };
            (from, Place::Shelf(place as u8), ending)
        }
        Added::Full | Added::ShuttingDown => (from, last_ready(after), Ending::Lost),
    })
}

fn last_ready(after: &View) -> Place {
    Place::Ready(
        after
            .ready
            .len()
            .saturating_sub(1)
            .min(usize::from(u8::MAX)) as u8,
    )
}
