//! Replays recordings of the informer: kinds `sync`, `relist`, `backoff`, `resync`, `handlers`,
//! `store`, `watchlist`, `classic` and `random`.
//!
//! Each recording is played in its own mode and in every mode in which, as it says, the same was
//! recorded. After every step everything that the recording expects is compared.

#[path = "informer_notation.rs"]
mod notation;

use crate::recording::{Expect, Fields, Recording, Verdict, each_op};
use loopscope::engine::apiserver::{Answer, Page, ResourceVersion};
use loopscope::engine::informer::{
    Draws, Effect, Fifo, HandlerId, HandlerOptions, Informer, InformerConfig,
};
use loopscope::engine::time::{SimDuration, SimTime};
use notation::{Thing, call, error, event, request, sorted, waiting, word};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The kinds that are replayed here.
pub const KINDS: [&str; 9] = [
    "sync",
    "relist",
    "backoff",
    "resync",
    "handlers",
    "store",
    "watchlist",
    "classic",
    "random",
];

pub fn replay(recording: &Recording) -> Verdict {
    let config = recording.fields.object("config")?;
    let mut modes = vec![config.text("mode")?];
    if config.has("same_in") {
        for mode in config.list("same_in")? {
            modes.push(mode.as_str().ok_or("`same_in`: not a word")?);
        }
    }
    for mode in modes {
        let played = Play::new(&config, mode).and_then(|mut play| {
            each_op(&recording.fields, |op, expect| {
                play.step(op)?;
                play.compare(expect)
            })
        });
        played.map_err(|fault| format!("in mode {mode}: {fault}"))?;
    }
    Ok(())
}

/// The recording's jitter, draw by draw.
#[derive(Clone)]
struct Jitter {
    values: Vec<f64>,
    drawn: usize,
}

impl Draws for Jitter {
    fn jitter(&mut self) -> f64 {
        let value = self.values[self.drawn % self.values.len()];
        self.drawn += 1;
        value
    }

    fn timeout(&mut self) -> f64 {
        0.5
    }
}

const INDEXES: [&str; 2] = ["namespace", "v"];

struct Play {
    informer: Informer<Thing, Jitter>,
    now: SimTime,
    /// Handlers by the recording's names.
    handlers: BTreeMap<String, HandlerId>,
    /// The names of all handlers that ever were.
    names: BTreeMap<HandlerId, String>,
    keeps_version: bool,
    refused: bool,
}

impl Play {
    fn new(config: &Fields, mode: &str) -> Verdict<Play> {
        let fifo = match mode {
            "watchlist" | "list" => Fifo::Atomic,
            "realfifo" | "realfifo_batch" => Fifo::Real,
            "delta" => Fifo::Delta,
            other => return Err(format!("unknown mode {other}")),
        };
        let values = config
            .list("jitter")?
            .iter()
            .map(|u| u.as_f64().ok_or("`jitter`: not a number"))
            .collect::<Result<_, _>>()?;
        let indexed = config.get("index")? == &Value::Bool(true);
        let config = InformerConfig {
            resync: SimDuration(config.int("resync_ns")?),
            watch_list: mode == "watchlist",
            fifo,
            indexers: if indexed {
                INDEXES.map(Rc::from).to_vec()
            } else {
                Vec::new()
            },
        };
        Ok(Play {
            informer: Informer::new(&config, Jitter { values, drawn: 0 }),
            now: SimTime::ZERO,
            handlers: BTreeMap::new(),
            names: BTreeMap::new(),
            keeps_version: fifo == Fifo::Atomic,
            refused: false,
        })
    }

    fn handler(&self, op: &Fields) -> Verdict<HandlerId> {
        let name = op.text("h")?;
        self.handlers
            .get(name)
            .copied()
            .ok_or_else(|| format!("no handler {name}"))
    }

    fn step(&mut self, op: &Fields) -> Verdict {
        self.refused = false;
        let now = self.now;
        match op.text("op")? {
            "add_handler" => self.add_handler(op)?,
            "remove_handler" => {
                self.informer.remove_handler(self.handler(op)?);
            }
            "block" => self.informer.block_handler(self.handler(op)?),
            "release" => {
                for _ in 0..op.int("n")? {
                    self.informer.release_handler(now, self.handler(op)?);
                }
            }
            "unblock" => self.informer.unblock_handler(now, self.handler(op)?),
            "start" => self.informer.start(now),
            "stop" => self.informer.stop(),
            "list_ok" => {
                let items = op.list("items")?.iter().map(Thing::read);
                let token = op.has("continue").then(|| op.text("continue"));
                self.answer(Answer::Page(Page {
                    resource_version: ResourceVersion::new(op.text("rv")?),
                    items: items.collect::<Verdict<_>>()?,
                    continue_token: token.transpose()?.map(Rc::from),
                }))?;
            }
            "list_error" | "watch_error" => {
                self.answer(Answer::Failed(error(op.text("error")?)?))?
            }
            "watch_ok" => self.answer(Answer::Opened)?,
            "event" => self.answer(Answer::Event(event(&op.object("event")?)?))?,
            "burst" => {
                for one in op.list("events")? {
                    self.answer(Answer::Event(event(&Fields::of(one)?)?))?;
                }
            }
            "close_stream" => self.answer(Answer::Closed)?,
            "step" => {
                self.now = now + SimDuration(op.int("ns")?);
                self.informer.advance(self.now);
            }
            "mutate" => {
                let value = op.text("v")?.to_owned();
                let edit = |thing: &mut Thing| thing.value = value;
                if !self.informer.mutate_in_place(op.text("key")?, edit) {
                    return Err("nothing to mutate".to_owned());
                }
            }
            other => return Err(format!("unknown op: {other}")),
        }
        Ok(())
    }

    fn add_handler(&mut self, op: &Fields) -> Verdict {
        let duration = |name| {
            let given = op.has(name).then(|| op.int(name).map(SimDuration));
            given.transpose()
        };
        let options = HandlerOptions {
            resync: duration("resync_ns")?,
            delay: duration("delay_ns")?.unwrap_or_default(),
        };
        match self.informer.add_handler(self.now, options) {
            Some(id) => {
                let name = op.text("h")?.to_owned();
                self.names.insert(id, name.clone());
                self.handlers.insert(name, id);
            }
            None => self.refused = true,
        }
        Ok(())
    }

    fn answer(&mut self, answer: Answer<Thing>) -> Verdict {
        let told = format!("{answer:?}");
        let taken = self
            .informer
            .request()
            .is_some_and(|request| self.informer.answer(self.now, request, answer));
        taken
            .then_some(())
            .ok_or_else(|| format!("while {:?}: not taken: {told}", self.informer.waiting()))
    }

    fn compare(&mut self, expect: &mut Expect) -> Verdict {
        let (mut requests, mut backoffs, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        let mut notes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for (at, effect) in self.informer.take_effects() {
            match effect {
                Effect::Requested(asked) => requests.push(request(at, &asked)),
                Effect::BackedOff { jitter, until } => {
                    // A jitter of 0 is recorded as a whole number.
                    let u = if jitter == 0.0 {
                        json!(0)
                    } else {
                        json!(jitter)
                    };
                    backoffs.push(json!({"t_ns": at, "u": u, "until_ns": until}));
                }
                Effect::WatchFailed(error) => {
                    errors.push(json!({"t_ns": at, "error": word(error)}));
                }
                Effect::Called {
                    handler,
                    notification,
                } => {
                    let calls = notes.entry(self.names[&handler].clone()).or_default();
                    calls.push(call(at, &notification));
                }
                Effect::Synced
                | Effect::ResyncChecked { .. }
                | Effect::Queued { .. }
                | Effect::Returned { .. } => {}
            }
        }
        expect.list("requests", requests)?;
        expect.list("backoffs", backoffs)?;
        expect.list("watch_errors", errors)?;
        let notes = notes
            .into_iter()
            .map(|(name, calls)| (name, json!(sorted(calls))));
        expect.value_or("notes", json!({}), notes.collect::<Map<_, _>>())?;
        expect.value_or("refused", json!(false), self.refused)?;
        expect.value("now_ns", self.now.0)?;
        expect.value("waiting", waiting(self.informer.waiting()))?;
        let row = |(key, thing): (&Rc<str>, &Rc<Thing>)| {
            json!([key, thing.version, thing.uid, thing.value])
        };
        let store: Vec<Value> = self.informer.store().iter().map(row).collect();
        expect.value("store", store)?;
        if self.keeps_version {
            expect.value("store_rv", self.informer.store_version().as_str())?;
        } else {
            // What was recorded in another mode says nothing here.
            expect.ignore("store_rv");
            if !self.informer.store_version().is_empty() {
                return Err("the store has a version".to_owned());
            }
        }
        let last = self.informer.last_resource_version();
        expect.value("last_rv", last.as_str())?;
        expect.value("synced", self.informer.has_synced())?;
        let synced = |(name, &id): (&String, _)| {
            // None: it has been removed, and is not listed any more.
            let synced = self.informer.handler_has_synced(id)?;
            Some((name.clone(), json!(synced)))
        };
        let handlers: Map<_, _> = self.handlers.iter().filter_map(synced).collect();
        expect.value("handler_synced", handlers)?;
        let index = INDEXES.iter().filter_map(|name| {
            let index = self.informer.store().index(name)?;
            Some(((*name).to_owned(), json!(index)))
        });
        expect.value_or("index", json!({}), index.collect::<Map<_, _>>())
    }
}
