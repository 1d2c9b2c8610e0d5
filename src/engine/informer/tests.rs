//! What an informer promises whoever drives it; what it does is judged by recordings
//! (`tests/conformance/informer.rs`).

use super::*;
use crate::engine::apiserver::{Page, Request, RequestError, Verb, WatchEvent};

#[derive(Clone, Debug, PartialEq)]
struct Thing {
    name: &'static str,
    version: u32,
    colour: &'static str,
}

impl Object for Thing {
    fn key(&self) -> Rc<str> {
        self.name.into()
    }
    fn resource_version(&self) -> ResourceVersion {
        ResourceVersion::new(&self.version.to_string())
    }
    fn index_values(&self, _index: &str) -> Vec<Rc<str>> {
        vec![self.colour.into()]
    }
}

fn thing(name: &'static str, version: u32, colour: &'static str) -> Rc<Thing> {
    Rc::new(Thing {
        name,
        version,
        colour,
    })
}

#[derive(Clone, Debug)]
struct NoChance;

impl Draws for NoChance {
    fn jitter(&mut self) -> f64 {
        0.0
    }
    fn timeout(&mut self) -> f64 {
        0.0
    }
}

type Subject = Informer<Thing, NoChance>;

fn new(resync_secs: i64) -> Subject {
    let config = InformerConfig {
        resync: SimDuration::from_secs(resync_secs),
        indexers: vec!["colour".into()],
        ..InformerConfig::default()
    };
    Informer::new(&config, NoChance)
}

fn ms(millis: i64) -> SimTime {
    SimTime::from_millis(millis)
}

fn answer(informer: &mut Subject, now: SimTime, answer: Answer<Thing>) {
    let request = informer.request().expect("a request is under way");
    assert!(informer.answer(now, request, answer), "taken");
}

fn list(version: &str, items: &[Rc<Thing>]) -> Answer<Thing> {
    Answer::Page(Page {
        resource_version: ResourceVersion::new(version),
        items: items.to_vec(),
        continue_token: None,
    })
}

/// Runs an informer up to its open stream, with one handler and two objects.
fn watching(resync_secs: i64, options: HandlerOptions) -> (Subject, HandlerId) {
    let mut informer = new(resync_secs);
    let handler = informer.add_handler(ms(0), options).unwrap();
    informer.start(ms(0));
    let items = [thing("a", 1, "red"), thing("b", 2, "red")];
    answer(&mut informer, ms(0), list("2", &items));
    answer(&mut informer, ms(0), Answer::Opened);
    (informer, handler)
}

fn calls(informer: &mut Subject) -> Vec<(SimTime, Change<Thing>)> {
    let effects = informer.take_effects().into_iter();
    let call = |(at, effect)| match effect {
        Effect::Called { notification, .. } => Some((at, notification.change)),
        _ => None,
    };
    effects.filter_map(call).collect()
}

#[test]
fn an_answer_to_a_request_that_is_not_under_way_changes_nothing() {
    let (mut informer, _) = watching(0, HandlerOptions::default());
    let stream = informer.request().unwrap();
    answer(&mut informer, ms(2000), Answer::Closed);
    let before = format!("{informer:?}");
    let late = Answer::Event(WatchEvent::Added(thing("c", 3, "red")));
    assert!(!informer.answer(ms(2000), stream, late), "the old stream");
    let opening = informer.request().unwrap();
    assert!(
        !informer.answer(ms(2000), opening, list("9", &[])),
        "no list was asked for"
    );
    assert_eq!(format!("{informer:?}"), before);
}

#[test]
fn a_stopped_informer_takes_no_answer_and_keeps_its_cache() {
    let (mut informer, _) = watching(30, HandlerOptions::default());
    let stream = informer.request().unwrap();
    informer.stop();
    assert!(!informer.answer(ms(1), stream, Answer::Closed));
    assert_eq!(informer.store().len(), 2);
    assert_eq!(informer.next_deadline(), None);
    assert_eq!(informer.add_handler(ms(1), HandlerOptions::default()), None);
}

#[test]
fn how_time_is_sliced_never_changes_the_effects() {
    let run = |slice: i64| {
        let slow = HandlerOptions {
            resync: None,
            delay: SimDuration::from_millis(700),
        };
        let (mut informer, _) = watching(2, slow);
        let expired = Answer::Event(WatchEvent::Error(RequestError::Expired));
        let mut effects = Vec::new();
        for target in (0..20_000).step_by(1000) {
            let mut now = target;
            while now < target + 1000 {
                now = (now + slice).min(target + 1000);
                informer.advance(ms(now));
                effects.append(&mut informer.take_effects());
            }
            match target {
                9000 => answer(&mut informer, ms(now), expired.clone()),
                12_000 => answer(&mut informer, ms(now), list("7", &[thing("b", 2, "red")])),
                _ => {}
            }
        }
        effects
    };
    let whole = run(1000);
    assert!(whole.len() > 20, "something happens");
    for slice in [1, 7, 16, 33, 999] {
        assert_eq!(run(slice), whole, "slices of {slice} ms");
    }
}

#[test]
fn a_clone_goes_on_as_the_original_and_neither_touches_the_other() {
    let (mut informer, _) = watching(30, HandlerOptions::default());
    let _ = informer.take_effects();
    let mut fork = informer.clone();
    assert!(fork.mutate_in_place("a", |thing| thing.colour = "blue"));
    assert_eq!(informer.store().get("a").unwrap().colour, "red");
    assert_eq!(fork.store().get("a").unwrap().colour, "blue");
    informer.advance(ms(30_000));
    fork.advance(ms(30_000));
    let (here, there) = (calls(&mut informer), calls(&mut fork));
    assert_eq!(here.len(), 2);
    assert_eq!(here[1], there[1]);
}

#[test]
fn a_resync_redelivers_the_cache_and_repairs_nothing_that_the_cache_does_not_know() {
    let (mut informer, _) = watching(30, HandlerOptions::default());
    let _ = informer.take_effects();
    // The server's `b` is blue by now, but the event was lost on the way.
    informer.advance(ms(30_000));
    let told = calls(&mut informer);
    assert_eq!(told.len(), 2);
    for (at, change) in told {
        assert_eq!(at, ms(30_000));
        let Change::Update { old, new } = change else {
            panic!("an update")
        };
        assert!(Rc::ptr_eq(&old, &new));
        assert_eq!(new.colour, "red");
    }
    // A relist repairs it.
    let expired = Answer::Event(WatchEvent::Error(RequestError::Expired));
    answer(&mut informer, ms(30_000), expired);
    informer.advance(ms(30_800));
    answer(
        &mut informer,
        ms(30_800),
        list("9", &[thing("a", 1, "red"), thing("b", 8, "blue")]),
    );
    assert_eq!(informer.store().get("b").unwrap().colour, "blue");
}

#[test]
fn a_slow_handler_hears_everything_in_order_and_holds_up_nobody() {
    let slow = HandlerOptions {
        resync: None,
        delay: SimDuration::from_millis(10),
    };
    let (mut informer, _) = watching(0, slow);
    informer.add_handler(ms(0), HandlerOptions::default());
    let _ = informer.take_effects();
    for version in 3..6 {
        let event = WatchEvent::Modified(thing("a", version, "red"));
        answer(&mut informer, ms(1), Answer::Event(event));
    }
    assert_eq!(calls(&mut informer).len(), 3, "the quick one has heard all");
    assert_eq!(informer.next_deadline(), Some(ms(10)));
    informer.advance(ms(1000));
    let versions: Vec<_> = calls(&mut informer)
        .into_iter()
        .map(|(at, change)| (at, change.object().version))
        .collect();
    let expected = [(10, 2), (20, 3), (30, 4), (40, 5)];
    assert_eq!(versions, expected.map(|(at, version)| (ms(at), version)));
}

#[test]
fn an_index_is_corrected_from_what_the_old_object_says_now() {
    let (mut informer, _) = watching(0, HandlerOptions::default());
    let colours = |informer: &Subject| {
        let index = informer.store().index("colour").unwrap().iter();
        let row = |(value, keys): (&Rc<str>, &crate::engine::sorted::Set<Rc<str>>)| {
            let keys: Vec<_> = keys.iter().map(ToString::to_string).collect();
            format!("{value}: {}", keys.join(" "))
        };
        index.map(row).collect::<Vec<_>>()
    };
    let event = WatchEvent::Modified(thing("a", 3, "blue"));
    answer(&mut informer, ms(1), Answer::Event(event));
    assert_eq!(colours(&informer), ["blue: a", "red: b"]);
    informer.mutate_in_place("a", |thing| thing.colour = "red");
    assert_eq!(colours(&informer), ["blue: a", "red: b"], "no index hears");
    let event = WatchEvent::Deleted(thing("a", 4, "red"));
    answer(&mut informer, ms(1), Answer::Event(event));
    assert_eq!(colours(&informer), ["blue: a", "red: b"], "left behind");
}

#[test]
fn pages_are_one_list_with_the_version_of_the_first_and_an_expired_token_starts_over_unpaged() {
    let mut informer = new(0);
    informer.start(ms(0));
    let page = |version, name, token: Option<&str>| {
        Answer::Page(Page {
            resource_version: ResourceVersion::new(version),
            items: vec![thing(name, 1, "red")],
            continue_token: token.map(Rc::from),
        })
    };
    let asked = |informer: &mut Subject| {
        let effects = informer.take_effects();
        let lists = effects.into_iter().filter_map(|(_, effect)| match effect {
            Effect::Requested(Request {
                verb: Verb::List(options),
                ..
            }) => Some(options),
            _ => None,
        });
        let lists: Vec<_> = lists.collect();
        assert_eq!(lists.len(), 1);
        let options = lists[0].clone();
        let token = options.continue_token.unwrap_or_else(|| "-".into());
        format!(
            "{:?} {} {token}",
            options.resource_version.as_str(),
            options.limit
        )
    };
    assert_eq!(asked(&mut informer), "\"0\" 500 -");
    answer(&mut informer, ms(0), page("5", "a", Some("t1")));
    assert_eq!(asked(&mut informer), "\"\" 500 t1");
    answer(&mut informer, ms(0), Answer::Failed(RequestError::Expired));
    assert_eq!(asked(&mut informer), "\"0\" 0 -");
    answer(&mut informer, ms(0), page("6", "b", None));
    assert_eq!(informer.last_resource_version().as_str(), "6");
    assert_eq!(
        informer.store().len(),
        1,
        "the pages before are thrown away"
    );
}

#[test]
fn one_notification_has_one_number_for_all_handlers() {
    let (mut informer, _) = watching(0, HandlerOptions::default());
    informer.add_handler(ms(0), HandlerOptions::default());
    let _ = informer.take_effects();
    let event = WatchEvent::Modified(thing("a", 3, "red"));
    answer(&mut informer, ms(1), Answer::Event(event));
    let effects = informer.take_effects();
    let numbers: Vec<_> = effects
        .iter()
        .filter_map(|(_, effect)| match effect {
            Effect::Called { notification, .. } => Some(notification.number),
            _ => None,
        })
        .collect();
    assert_eq!(numbers.len(), 2);
    assert_eq!(numbers[0], numbers[1]);
}
