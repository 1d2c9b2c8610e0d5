//! Records as trace events, in the Chrome trace-event format.
//!
//! The lanes are tracks. Writes, deliveries, losses and what people do are instants; flights, waits,
//! delays, reconciles, and the sections and actions in them are stretches (`"ph":"X"`); arrows go
//! along causes from stretch to stretch. Stretches of one track contain one another or do not
//! overlap: where two flights or delays would, the later one is on another track of the lane. What
//! is not over at the cursor ends there.
//!
//! Events are in order of time, and at one instant in the order in which they happened, with what
//! encloses before what it encloses. Times are microseconds, with nanoseconds behind the dot.

use super::words::{deed, section_name};
use crate::engine::fixed::Fixed;
use crate::engine::json::Object;
use crate::engine::key::Keys;
use crate::engine::record::{Fact, Record, RecordId};
use crate::engine::sorted::{Map, in_order_of};
use crate::engine::stimulus::Actor;
use crate::engine::time::SimTime;
use crate::engine::workqueue::Added;
use crate::frame::{Bar, Look, Timeline};
use std::mem::take;

/// To the trace, everything is one process.
const PROCESS: u32 = 1;
/// Causes that an arrow may skip until it comes to a stretch: a whole reconcile has fewer.
const SKIPPED_MAX: usize = 24;

/// A lane, from top to bottom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lane {
    People,
    Store,
    Watch,
    Ready,
    Delayed,
    Reconcile,
    Actual,
    Controller,
}

impl Lane {
    fn name(self) -> &'static str {
        match self {
            Lane::People => "What people do",
            Lane::Store => "Store",
            Lane::Watch => "Watch",
            Lane::Ready => "Work queue: ready",
            Lane::Delayed => "Work queue: delayed",
            Lane::Reconcile => "Reconcile(): worker",
            Lane::Actual => "Actual state",
            Lane::Controller => "Controller",
        }
    }
}

/// A track: a lane, and which of its tracks, from 0.
type Track = (Lane, u32);

fn thread(track: Track) -> u32 {
    (track.0 as u32 + 1) * 10_000 + track.1
}

/// Microseconds.
fn micros(nanos: i64) -> Fixed {
    Fixed::new(nanos, 3)
}

/// What all events have.
fn event(phase: &str, name: &str, thread: u32, at: SimTime) -> Object {
    Object::new()
        .text("ph", phase)
        .text("name", name)
        .number("pid", PROCESS)
        .number("tid", thread)
        .number("ts", micros(at.0))
}

/// A stretch of simulated time.
struct Stretch {
    from: SimTime,
    to: SimTime,
    name: String,
    args: Object,
}

/// A reconcile that is under way, with its sections, and the actions in each.
struct Pass {
    whole: Stretch,
    sections: Vec<(Stretch, Vec<Stretch>)>,
    /// The action under way.
    action: Option<Stretch>,
    failed: bool,
    record: RecordId,
}

/// A trace under construction.
pub(super) struct Trace<'a> {
    records: &'a [Record],
    keys: &'a Keys,
    now: SimTime,
    /// When the last outermost stretch of each track ends.
    tracks: Map<Track, SimTime>,
    events: Vec<(SimTime, Object)>,
    /// By the record that a stretch began with: its track, beginning and end.
    begun: Map<RecordId, (Track, SimTime, SimTime)>,
}

impl<'a> Trace<'a> {
    /// The events of these records, which are all that happened until `now`.
    pub fn of(records: &'a [Record], keys: &'a Keys, now: SimTime) -> Vec<Object> {
        let mut trace = Trace {
            records,
            keys,
            now,
            tracks: Map::new(),
            events: Vec::new(),
            begun: Map::new(),
        };
        for bar in Timeline::new(records).bars.iter() {
            trace.bar(bar);
        }
        trace.reconciles();
        for record in records {
            trace.instant(record);
        }
        trace.arrows();
        trace.finish()
    }

    fn finish(self) -> Vec<Object> {
        let meta = |name: &str, id: u32, args: Object| {
            event("M", name, id, SimTime::ZERO).object("args", args)
        };
        let named = |name: &str| Object::new().text("name", name);
        let mut all = vec![meta("process_name", 0, named("control loop"))];
        for &track in self.tracks.keys() {
            let id = thread(track);
            let number = match track {
                (Lane::Reconcile, worker) => format!(" {}", worker + 1),
                (_, 0) => String::new(),
                (_, more) => format!(" ({})", more + 1),
            };
            let name = format!("{}{number}", track.0.name());
            all.push(meta("thread_name", id, named(&name)));
            let index = Object::new().number("sort_index", id);
            all.push(meta("thread_sort_index", id, index));
        }
        // What was put down first at an instant stays first.
        let events = in_order_of(self.events, |(at, _)| *at);
        all.extend(events.into_iter().map(|(_, event)| event));
        all
    }

    fn stretch(&mut self, track: Track, stretch: &Stretch) {
        let end = self.tracks.get_or_insert_with(track, || stretch.to);
        *end = (*end).max(stretch.to);
        let event = event("X", &stretch.name, thread(track), stretch.from)
            .text("cat", track.0.name())
            .number("dur", micros((stretch.to - stretch.from).0))
            .object("args", stretch.args.clone());
        self.events.push((stretch.from, event));
    }

    /// A flight, a wait or a delay, on the first track of its lane that is free.
    fn bar(&mut self, bar: &Bar) {
        let (lane, what) = match bar.look {
            Look::Flight => (Lane::Watch, "event of"),
            Look::Wait => (Lane::Ready, "waits:"),
            Look::Delay => (Lane::Delayed, "delayed:"),
            // Writes and losses are instants; reconciles are made with all that is in them.
            Look::Write | Look::Lost | Look::Success | Look::Failure => return,
        };
        let key = self.keys.text(bar.key);
        let from = self.records[bar.from as usize].at;
        let to = bar.to.map_or(self.now, |to| self.records[to as usize].at);
        let is_free = |number: &u32| {
            self.tracks
                .get(&(lane, *number))
                .is_none_or(|end| *end <= from)
        };
        let track = (
            lane,
            (0..).find(is_free).expect("there is no end of tracks"),
        );
        let stretch = Stretch {
            from,
            to,
            name: format!("{what} {key}"),
            args: Object::new().text("key", key).number("record", bar.from),
        };
        self.begun.insert(bar.from, (track, from, to));
        self.stretch(track, &stretch);
    }

    fn reconciles(&mut self) {
        let mut passes: Map<u8, Pass> = Map::new();
        for record in self.records {
            let at = record.at;
            let stretch = |name: String| Stretch {
                from: at,
                to: self.now,
                name,
                args: Object::new().number("record", record.id),
            };
            match record.fact {
                Fact::Started { worker, n, key } => {
                    let key = self.keys.text(key);
                    let mut whole = stretch(format!("reconcile #{n} {key}"));
                    whole.args = whole.args.text("key", key).number("n", n);
                    let pass = Pass {
                        whole,
                        sections: Vec::new(),
                        action: None,
                        failed: false,
                        record: record.id,
                    };
                    passes.insert(worker, pass);
                }
                Fact::SectionStarted {
                    worker, section, ..
                } => {
                    if let Some(pass) = passes.get_mut(&worker) {
                        pass.end_section(at);
                        pass.sections
                            .push((stretch(section_name(section).to_owned()), Vec::new()));
                    }
                }
                Fact::ActionStarted { worker, action, .. } => {
                    if let Some(pass) = passes.get_mut(&worker) {
                        pass.action = Some(stretch(action.to_string()));
                    }
                }
                Fact::ActionDone { worker, action, .. }
                | Fact::ActionFailed { worker, action, .. } => {
                    if let Some(pass) = passes.get_mut(&worker) {
                        // One that takes no time was never begun.
                        let begun = pass.action.take();
                        pass.action = Some(begun.unwrap_or_else(|| stretch(action.to_string())));
                        if let (Fact::ActionFailed { attempt, .. }, Some(action)) =
                            (&record.fact, &mut pass.action)
                        {
                            action.args = take(&mut action.args).number("failed attempt", attempt);
                            pass.failed = true;
                        }
                        pass.end_action(at);
                    }
                }
                Fact::Done { worker, .. } => {
                    if let Some(pass) = passes.remove(&worker) {
                        self.pass(worker, pass, at);
                    }
                }
                Fact::ControllerStopped { .. } => {
                    for (worker, pass) in take(&mut passes) {
                        self.pass(worker, pass, at);
                    }
                }
                _ => {}
            }
        }
        for (worker, pass) in passes {
            self.pass(worker, pass, self.now);
        }
    }

    /// A reconcile is over, or left where it is.
    fn pass(&mut self, worker: u8, mut pass: Pass, at: SimTime) {
        pass.end_section(at);
        pass.whole.to = at;
        if pass.failed {
            pass.whole.args = pass.whole.args.number("failed", true);
        }
        let track = (Lane::Reconcile, u32::from(worker));
        self.begun.insert(pass.record, (track, pass.whole.from, at));
        self.stretch(track, &pass.whole);
        for (section, actions) in &pass.sections {
            self.stretch(track, section);
            actions
                .iter()
                .for_each(|action| self.stretch(track, action));
        }
    }

    fn instant(&mut self, record: &Record) {
        let keyed = |what: &str| match record.fact.key() {
            Some(key) => format!("{what} {}", self.keys.text(key)),
            None => what.to_owned(),
        };
        let (lane, name) = match &record.fact {
            Fact::Acted { actor, stimulus } => {
                let who = match actor {
                    Actor::Script => "script",
                    Actor::Visitor => "visitor",
                };
                (Lane::People, format!("{who}: {}", deed(stimulus)))
            }
            Fact::Written {
                event, revision, ..
            } => (Lane::Store, keyed(&format!("{event} revision {revision}"))),
            Fact::Unchanged { .. } => (Lane::Store, keyed("unchanged")),
            Fact::Refused { error, .. } => (Lane::Store, keyed(&format!("{error}"))),
            Fact::Delivered { event, .. } => (Lane::Watch, keyed(&format!("{event} delivered"))),
            Fact::Dropped { event, .. } => (Lane::Watch, keyed(&format!("{event} dropped"))),
            Fact::ReplicaLost { .. } => (Lane::Actual, keyed("replica lost")),
            Fact::ActionDone { action, .. } => (Lane::Actual, keyed(&action.to_string())),
            Fact::ControllerStarted => (Lane::Controller, "started".to_owned()),
            Fact::ControllerStopped { .. } => (Lane::Controller, "stopped".to_owned()),
            Fact::Rested => (Lane::Controller, "at rest".to_owned()),
            Fact::Enqueued {
                added: Added::Full, ..
            } => (Lane::Ready, keyed("no room for")),
            _ => return,
        };
        let track = (lane, 0);
        self.tracks.get_or_insert_with(track, || SimTime::ZERO);
        let event = event("i", &name, thread(track), record.at)
            .text("s", "t")
            .text("cat", lane.name())
            .object("args", Object::new().number("record", record.id));
        self.events.push((record.at, event));
    }

    /// From every stretch to those that it caused.
    fn arrows(&mut self) {
        let mut arrows = Vec::new();
        for (&record, &(track, from, _)) in self.begun.iter() {
            let mut cause = record;
            let source = (0..SKIPPED_MAX).find_map(|_| {
                cause = self.records[cause as usize].causes.iter().next()?;
                self.begun.get(&cause)
            });
            let Some(&(source, begin, end)) = source else {
                continue;
            };
            // Inside the stretch that it leaves from.
            let leaves = SimTime((end.0 - 1).max(begin.0)).min(from);
            for (phase, track, at) in [("s", source, leaves), ("f", track, from)] {
                let event = event(phase, "cause", thread(track), at)
                    .text("bp", "e")
                    .number("id", record)
                    .text("cat", "cause");
                arrows.push((at, event));
            }
        }
        self.events.append(&mut arrows);
    }
}

impl Pass {
    fn end_action(&mut self, at: SimTime) {
        let (Some(mut action), Some((_, actions))) = (self.action.take(), self.sections.last_mut())
        else {
            return;
        };
        action.to = at;
        actions.push(action);
    }

    fn end_section(&mut self, at: SimTime) {
        self.end_action(at);
        if let Some((section, _)) = self.sections.last_mut() {
            section.to = at;
        }
    }
}
