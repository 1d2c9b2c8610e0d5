//! Chapter two's lanes in words: what the API server holds, what the informer is at, and where its
//! cache differs.

use super::Names;
use super::answer::{answered, replied};
use super::words::{flying, hands, joined, queue};
use crate::engine::apiserver::Object;
use crate::engine::controller::configmap::is_labelled;
use crate::engine::key::Key;
use crate::frame::{Difference, Informing, Message, Parcel, View};
use crate::scene::{Skin, Station, Thing};

/// What each lane holds, and what is on its way between them.
pub fn informed(view: &View, names: &Names, skin: &Skin) -> Vec<(&'static str, String)> {
    let up = |state: String| match view.running {
        true => state,
        false => "the controller is down".to_owned(),
    };
    let lane = |lane: Station| skin.lane(lane).map_or(lane.name(), |words| words.title);
    vec![
        (lane(Station::Store), server(view, names, skin)),
        ("On the way", up(way(view, names))),
        (lane(Station::Informer), up(informer(view, names, skin))),
        (lane(Station::Queue), up(queue(view, names))),
        (lane(Station::Reconcile), up(hands(view, names))),
    ]
}

fn object(key: Key, object: &Object, revision: u64, names: &Names, skin: &Skin) -> String {
    let label = match is_labelled(object) {
        true => skin.word(Thing::Labelled),
        false => skin.word(Thing::Unlabelled),
    };
    format!("{}: revision {revision}, {label}", names.short(key))
}

fn server(view: &View, names: &Names, skin: &Skin) -> String {
    let cards = view.config_maps.values();
    let objects = cards.map(|card| object(card.key, &card.object, card.revision, names, skin));
    let objects = joined(objects, "no objects");
    let refuses = match view.faults.refuse_next {
        0 if view.refusing().is_some() => "refuses writes for a while",
        0 if view.faults.refuse_controller => "refuses the controller’s next write",
        0 => "takes writes",
        1 => "refuses the next write",
        _ => "refuses the next writes",
    };
    format!("{refuses}; {objects}")
}

fn way(view: &View, names: &Names) -> String {
    let sent = |message: &Message| match message.parcel {
        Parcel::List => "a list is asked for".to_owned(),
        Parcel::Watch => "a watch is asked for".to_owned(),
        Parcel::Answer(reply) => format!("answered to the informer: {}", answered(reply)),
        Parcel::Update { key, .. } => format!("update of {}", names.short(key)),
        Parcel::Reply { key, answer, .. } => {
            format!("answer about {}: {}", names.short(key), replied(answer))
        }
    };
    let messages = joined(view.messages.iter().map(sent), "no request");
    format!("events: {}; {messages}", flying(view, names))
}

fn informer(view: &View, names: &Names, skin: &Skin) -> String {
    let informer = view.informer.unwrap_or_default();
    let doing = match informer.doing {
        Informing::Listing => "listing",
        Informing::Asking => "asking for a watch",
        Informing::Watching => "watching",
        Informing::BackingOff { .. } => "backing off",
    };
    let synced = match informer.synced {
        true => "has synced",
        false => "has not synced yet",
    };
    let held = view.cache.values().map(|held| {
        let said = object(held.key, &held.object, held.revision, names, skin);
        let differs = match view.difference(held.key) {
            _ if held.scribbled => ", changed in memory and not in the store",
            Some(Difference::Gone) => ", gone from the store",
            Some(_) => ", not as in the store",
            None => "",
        };
        format!("{said}{differs}")
    });
    let missing = view
        .config_maps
        .keys()
        .filter(|key| view.difference(**key) == Some(Difference::Missing))
        .map(|key| format!("{}: missing", names.short(*key)));
    let cache = skin.word(Thing::Cache);
    let held = joined(held.chain(missing), "empty");
    format!("{doing}, {synced}; {cache}: {held}")
}
