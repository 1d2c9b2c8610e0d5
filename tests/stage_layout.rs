//! The stage of chapter two, without a browser: over all scenes and their variants, at every fact,
//! what travels has places to travel between.

use loopscope::engine::Key;
use loopscope::engine::record::{Fact, Record, Reply, WriteAnswer};
use loopscope::frame::{Ending, Picture, Place, Shape, Travel, View};
use loopscope::layout::{Form, ROWS, Rect, Rows, place_name, pose, route, stand_ins};
use loopscope::scene::{CONFIG_MAP, DEFAULT_SEED};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Calls `look` at every fact of every scene and variant.
fn everywhere(mut look: impl FnMut(&str, &Record, &Picture)) {
    for (number, scene) in CONFIG_MAP.scenes.iter().enumerate() {
        for variant in [false, true] {
            if variant && scene.variant.is_none() {
                continue;
            }
            let played = CONFIG_MAP.play_scene(number, variant, DEFAULT_SEED);
            let workers = CONFIG_MAP.knobs(number).workers;
            let mut view = Rc::new(View::new(workers));
            for record in &played.records {
                let mut after = (*view).clone();
                after.apply(record);
                let after = Rc::new(after);
                let picture = Picture::new(record, view, after.clone());
                let place = format!(
                    "scene {}, variant {variant}, fact {}",
                    number + 1,
                    record.id
                );
                look(&place, record, &picture);
                view = after;
            }
        }
    }
}

/// The names of all places that the stage draws for this picture.
fn drawn(view: &View) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = [
        "server",
        "informer",
        "watch-in",
        "watch-out",
        "outside",
        "store",
        "cache",
        "ready-more",
    ]
    .map(str::to_owned)
    .into();
    let Rows { shown, rest } = Rows::of(view);
    for &key in &shown {
        names.extend([Place::Object(key), Place::Cached(key)].map(place_name));
    }
    if shown.len() < ROWS || !rest.is_empty() {
        names.extend(["object-next", "cached-next"].map(str::to_owned));
    }
    for n in 0..3 {
        names.insert(place_name(Place::Ready(n)));
    }
    let rows = view
        .delayed
        .len()
        .min(if view.delayed.len() > 3 { 2 } else { 3 });
    for n in 0..rows as u8 {
        names.insert(place_name(Place::Shelf(n)));
    }
    if view.delayed.len() < 3 {
        names.insert("shelf-next".to_owned());
    } else if view.delayed.len() > 3 {
        names.insert("shelf-more".to_owned());
    }
    for n in 0..view.hands.len() as u8 {
        names.extend([Place::Worker(n), Place::DirtyMark(n)].map(place_name));
    }
    names
}

#[test]
fn no_token_is_without_a_place_to_set_out_from_and_to_arrive_at() {
    everywhere(|place, _, picture| {
        for landed in [false, true] {
            let names = drawn(picture.shown(landed));
            for token in &picture.tokens {
                for end in [token.from, token.to] {
                    let own = place_name(end);
                    let known = names.contains(&own)
                        || stand_ins(end).iter().any(|name| names.contains(*name));
                    assert!(known, "{place}: {own} of {token:?}");
                }
            }
        }
    });
}

#[test]
fn every_kind_of_token_goes_between_its_own_places() {
    let mut seen = BTreeSet::new();
    everywhere(|place, _, picture| {
        for token in &picture.tokens {
            let right = match (token.shape, token.from, token.to) {
                (Shape::Event(_), Place::WatchIn, Place::WatchOut) => true,
                (Shape::Event(_), Place::WatchOut, Place::Cached(key)) => token.key == Some(key),
                (Shape::Ask { .. }, Place::Informer, Place::Server) => token.key.is_none(),
                (Shape::Answer(_), Place::Server, Place::Informer) => token.key.is_none(),
                (Shape::Copy, Place::Informer, Place::Cached(key)) => token.key == Some(key),
                (Shape::Update, Place::Worker(_), Place::Object(key)) => token.key == Some(key),
                (Shape::Reply(_), Place::Object(key), Place::Worker(_)) => token.key == Some(key),
                (Shape::Look, Place::Cached(key), Place::Worker(_)) => token.key == Some(key),
                (Shape::Act, Place::Worker(_), Place::Cached(key)) => token.key == Some(key),
                (Shape::Request, Place::Outside, Place::Object(_)) => true,
                (Shape::Key, Place::Cached(key), Place::Ready(_) | Place::DirtyMark(_)) => {
                    token.key == Some(key)
                }
                (Shape::Key, Place::Ready(_), Place::Worker(_)) => true,
                (Shape::Key, Place::Worker(_), Place::Ready(_) | Place::Shelf(_)) => true,
                (Shape::Key, Place::Shelf(_), Place::Ready(_) | Place::DirtyMark(_)) => true,
                _ => false,
            };
            assert!(right, "{place}: {token:?}");
            seen.insert(token.shape.word());
        }
    });
    let all = [
        "act", "answer", "ask", "copy", "event", "key", "look", "reply", "request", "update",
    ];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), all);
}

#[test]
fn a_key_comes_out_of_the_cache_where_its_event_went_in() {
    let mut arrivals = 0;
    everywhere(|place, record, picture| {
        if let Fact::Delivered { key, .. } = record.fact {
            let token = picture.moving().expect("a delivery is seen");
            assert_eq!(
                (token.to, token.ending),
                (Place::Cached(key), Ending::Settle),
                "{place}"
            );
            arrivals += 1;
        }
    });
    assert!(arrivals > 300, "{arrivals}");
}

#[test]
fn a_request_that_takes_no_time_is_seen_all_the_same() {
    let mut sent = 0;
    everywhere(|place, record, picture| {
        if let Fact::WriteSent { arrives, .. } = record.fact {
            let token = picture
                .tokens
                .iter()
                .find(|token| token.record == record.id);
            let token = token.unwrap_or_else(|| panic!("{place}: no update"));
            let timeless = arrives == record.at;
            assert_eq!(
                token.travel == Travel::Dwell,
                timeless,
                "{place}: {token:?}"
            );
            assert!(
                !timeless || picture.moving() == Some(token),
                "{place}: {token:?}"
            );
            sent += u32::from(timeless);
        }
    });
    assert!(sent >= 300, "{sent}");
}

#[test]
fn refusals_are_drawn_as_refusals() {
    let mut refused = BTreeSet::new();
    everywhere(|_, _, picture| {
        for token in &picture.tokens {
            let bad = match token.shape {
                Shape::Reply(WriteAnswer::Failed { error }) => Some(error.status()),
                Shape::Answer(Reply::Refused { error }) => error.status(),
                Shape::Answer(Reply::Closed { error: Some(error) }) => error.status(),
                _ => None,
            };
            assert_eq!(token.shape.is_refusal(), bad.is_some(), "{token:?}");
            refused.extend(bad);
        }
    });
    assert_eq!(
        refused.into_iter().collect::<Vec<_>>(),
        [404, 409, 410, 503]
    );
}

/// Boxes as a stage of 896 px has them.
fn place_box(place: Place) -> Rect {
    match place {
        Place::Object(Key(n)) => Rect::new(12.0, 130.0 + f64::from(n.min(2)) * 53.0, 166.0, 47.0),
        Place::Cached(Key(n)) => Rect::new(280.0, 130.0 + f64::from(n.min(2)) * 53.0, 185.0, 47.0),
        Place::Server => Rect::new(12.0, 61.0, 166.0, 44.0),
        Place::Informer => Rect::new(280.0, 61.0, 185.0, 44.0),
        Place::WatchIn => Rect::new(180.0, 190.0, 22.0, 22.0),
        Place::WatchOut => Rect::new(260.0, 144.0, 22.0, 22.0),
        Place::Ready(n) => Rect::new(490.0, 61.0 + f64::from(n.min(2)) * 36.0, 159.0, 30.0),
        Place::Shelf(n) => Rect::new(486.0, 250.0 + f64::from(n.min(2)) * 32.0, 167.0, 29.0),
        Place::Worker(_) => Rect::new(661.0, 61.0, 221.0, 32.0),
        Place::DirtyMark(_) => Rect::new(666.0, 93.0, 211.0, 23.0),
        Place::Outside | Place::Pods(_) => Rect::new(12.0, 305.0, 150.0, 36.0),
    }
}

#[test]
fn every_token_stays_within_the_stage_all_the_way() {
    let (width, height) = (894.0, 374.0);
    let road = Some(Rect::new(0.0, 344.0, width, 30.0));
    everywhere(|place, _, picture| {
        for token in &picture.tokens {
            let (from, to) = (place_box(token.from), place_box(token.to));
            let route = route(token, from, to, road, Form::Wide);
            for step in 0..=20 {
                let pose = pose(token, &route.line, f64::from(step) / 20.0);
                let inside = pose.x > 0.0 && pose.x < width && pose.y > 0.0 && pose.y < height;
                assert!(inside, "{place}: {token:?} at {pose:?}");
            }
        }
    });
}

#[test]
fn an_update_takes_the_road_and_its_answer_comes_back_along_it() {
    let road = Rect::new(0.0, 344.0, 894.0, 30.0);
    let (mut updates, mut replies) = (0, 0);
    everywhere(|place, _, picture| {
        for token in &picture.tokens {
            let count = match token.shape {
                Shape::Update => &mut updates,
                Shape::Reply(_) => &mut replies,
                _ => continue,
            };
            *count += 1;
            let (from, to) = (place_box(token.from), place_box(token.to));
            let route = route(token, from, to, Some(road), Form::Wide);
            let middle = route.line.at(0.5);
            assert!(
                middle.y > road.y && middle.y < road.bottom(),
                "{place}: {middle:?}"
            );
        }
    });
    assert!(updates > 300 && replies > 300, "{updates} {replies}");
}

#[test]
fn the_shelf_can_tell_a_key_s_own_back_off_from_the_bucket_s() {
    let (mut own, mut bucket) = (0, 0);
    everywhere(|place, record, picture| {
        if !place.starts_with("scene 5") || !matches!(record.fact, Fact::Enqueued { .. }) {
            return;
        }
        let limiter = CONFIG_MAP.knobs(4).limiter;
        for delay in picture.view.delayed.iter() {
            if delay.record == record.id {
                let wait = limiter.own_wait(delay.failures);
                assert!(delay.until - delay.from >= wait, "{place}: {delay:?}");
                match delay.until - delay.from == wait {
                    true => own += 1,
                    false => bucket += 1,
                }
            }
        }
    });
    // Ten of one key, then 150 keys with 100 tokens.
    assert_eq!((own, bucket), (110, 50));
}
