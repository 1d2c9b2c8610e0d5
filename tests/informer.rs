//! The informer on the API server: whatever is written, forgotten or cut off, once nothing more
//! happens the cache is the store.

use loopscope::engine::apiserver::{
    Answer, Kind, MergePatch, Object, ObjectId, Preconditions, RequestError, Store, Verb,
    WatchEvent, WatchStream, WriteVerb,
};
use loopscope::engine::informer::{
    Cause, Change, Effect, HandlerId, HandlerOptions, Informer, InformerConfig, SeededDraws,
    Waiting,
};
use loopscope::engine::key::Keys;
use loopscope::engine::time::{SimDuration, SimTime};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What may befall a server and its informer.
#[derive(Clone, Debug)]
enum Fate {
    Create(u8),
    Label(u8, u8),
    Delete(u8),
    /// The stream ends without an error.
    Close,
    /// The stream fails.
    Break(RequestError),
    /// Past events are forgotten.
    Compact,
    /// The next request is refused.
    Refuse(RequestError),
    Pass(u16),
}

fn fate() -> impl Strategy<Value = Fate> {
    let error = prop::sample::select(vec![
        RequestError::Expired,
        RequestError::TooManyRequests,
        RequestError::ConnectionRefused,
        RequestError::Internal,
    ]);
    let name = 0..4_u8;
    prop_oneof![
        4 => name.clone().prop_map(Fate::Create),
        6 => (name.clone(), 0..3_u8).prop_map(|(name, value)| Fate::Label(name, value)),
        3 => name.prop_map(Fate::Delete),
        1 => Just(Fate::Close),
        1 => error.clone().prop_map(Fate::Break),
        1 => Just(Fate::Compact),
        1 => error.prop_map(Fate::Refuse),
        6 => (0..5000_u16).prop_map(Fate::Pass),
    ]
}

/// A server and an informer with nothing between them: answers take no time.
struct World {
    now: SimTime,
    keys: Keys,
    store: Store,
    informer: Informer<Object, SeededDraws>,
    stream: Option<WatchStream>,
    refuse: Option<RequestError>,
    handler: HandlerId,
    /// What the handler was told, replayed: key → version.
    told: BTreeMap<Rc<str>, u64>,
}

impl World {
    fn new(watch_list: bool) -> World {
        let config = InformerConfig {
            watch_list,
            resync: SimDuration::from_secs(3),
            ..InformerConfig::default()
        };
        let mut informer = Informer::new(&config, SeededDraws::new(1, 0));
        let handler = informer
            .add_handler(SimTime::ZERO, HandlerOptions::default())
            .expect("not stopped");
        informer.start(SimTime::ZERO);
        let mut world = World {
            now: SimTime::ZERO,
            keys: Keys::default(),
            store: Store::with_window(5),
            informer,
            stream: None,
            refuse: None,
            handler,
            told: BTreeMap::new(),
        };
        // A real store is never at revision 0: a watch from "0" would mean "from anywhere", and what
        // comes from anywhere may come twice.
        world.play(Fate::Create(0));
        world.play(Fate::Delete(0));
        world
    }

    fn write(&mut self, name: u8, verb: &WriteVerb) {
        let key = self.keys.intern(&format!("default/n{name}"));
        // A refused write is as good as none.
        let _ = self.store.write(self.now, ObjectId::config_map(key), verb);
    }

    fn play(&mut self, fate: Fate) {
        match fate {
            Fate::Create(name) => {
                let object = Object::config_map("default", &format!("n{name}"));
                self.write(name, &WriteVerb::Create(Rc::new(object)));
            }
            Fate::Label(name, value) => {
                let value = value.to_string();
                let patch = MergePatch::label("colour", (value != "0").then_some(&value));
                self.write(name, &WriteVerb::Patch(patch));
            }
            Fate::Delete(name) => {
                self.write(name, &WriteVerb::Delete(Preconditions::default()));
            }
            Fate::Close => self.answer_stream(Answer::Closed),
            Fate::Break(error) => {
                let event = WatchEvent::Error(error);
                self.answer_stream(Answer::Event(event));
            }
            Fate::Compact => self.store.compact(),
            Fate::Refuse(error) => self.refuse = Some(error),
            Fate::Pass(millis) => {
                self.now = self.now + SimDuration::from_millis(millis.into());
                self.informer.advance(self.now);
            }
        }
    }

    fn answer_stream(&mut self, answer: Answer<Object>) {
        if let (Waiting::Stream, Some(request)) = (self.informer.waiting(), self.informer.request())
        {
            assert!(self.informer.answer(self.now, request, answer));
            self.stream = None;
        }
    }

    /// Carry requests and answers until both sides wait. `quiet`: the stream gives nothing out.
    fn settle(&mut self, quiet: bool) {
        loop {
            let mut asked = None;
            for (_, effect) in self.informer.take_effects() {
                match effect {
                    Effect::Requested(request) => asked = Some(request),
                    Effect::Called {
                        handler,
                        notification,
                    } => {
                        assert_eq!(handler, self.handler);
                        self.hear(notification.cause, notification.change);
                    }
                    _ => {}
                }
            }
            let Some(request) = asked else {
                if quiet || !self.drain() {
                    return;
                }
                continue;
            };
            let answer = match (self.refuse.take(), request.verb) {
                (Some(error), _) => Answer::Failed(error),
                (None, Verb::List(options)) => {
                    match self.store.list(Kind::ConfigMap, None, &options) {
                        Ok(page) => Answer::Page(page),
                        Err(error) => Answer::Failed(error),
                    }
                }
                (None, Verb::Watch(options)) => {
                    let opened = WatchStream::open(&self.store, Kind::ConfigMap, None, &options);
                    self.stream = Some(opened.expect("the informer asks with a number"));
                    Answer::Opened
                }
            };
            assert!(self.informer.answer(self.now, request.id, answer));
        }
    }

    /// Give out what is new. False: nothing was.
    fn drain(&mut self) -> bool {
        let Some(stream) = &mut self.stream else {
            return false;
        };
        let events = stream.pull(&self.store);
        let some = !events.is_empty();
        for event in events {
            let Some(request) = self.informer.request() else {
                break;
            };
            if !self
                .informer
                .answer(self.now, request, Answer::Event(event))
            {
                break;
            }
        }
        some
    }

    /// Each change must follow from what was told before.
    fn hear(&mut self, cause: Cause, change: Change<Object>) {
        let version = |object: &Rc<Object>| object.meta.resource_version;
        let key = change.object().meta.key();
        match change {
            Change::Add { new, .. } => {
                assert_eq!(self.told.insert(key, version(&new)), None);
            }
            Change::Update { old, new } => {
                assert_eq!(self.told.insert(key, version(&new)), Some(version(&old)));
                assert!(version(&old) <= version(&new));
                assert!(cause != Cause::Resync || Rc::ptr_eq(&old, &new));
            }
            Change::Delete { old, tombstone } => {
                let known = self.told.remove(&key).expect("it was there");
                assert_eq!(tombstone, known == version(&old));
            }
        }
    }

    fn stored(&self) -> BTreeMap<Rc<str>, u64> {
        let row = |object: &Rc<Object>| (object.meta.key(), object.meta.resource_version);
        self.store.of_kind(Kind::ConfigMap).map(row).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn once_nothing_more_happens_the_cache_is_the_store_and_handlers_have_heard_of_all(
        watch_list: bool,
        fates in prop::collection::vec((fate(), any::<bool>()), 1..60),
    ) {
        let mut world = World::new(watch_list);
        for (fate, quiet) in fates {
            world.settle(quiet);
            world.play(fate);
        }
        world.refuse = None;
        for _ in 0..20 {
            world.settle(false);
            world.play(Fate::Pass(5000));
        }
        world.settle(false);
        let cached: BTreeMap<_, _> = world
            .informer
            .store()
            .iter()
            .map(|(key, object)| (key.clone(), object.meta.resource_version))
            .collect();
        prop_assert_eq!(&cached, &world.stored());
        prop_assert_eq!(&world.told, &cached);
        prop_assert_eq!(world.informer.waiting(), Waiting::Stream);
        prop_assert!(world.informer.has_synced());
    }
}
