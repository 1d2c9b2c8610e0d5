//! One run, and the way back in it.
//!
//! A run is a function of chapter, knobs, seed and stimuli. Here it is played ahead of the cursor,
//! with snapshots by the way: going back to any fact is the nearest snapshot and a short replay,
//! and acting in the past drops what came after and goes on from there. What follows from the facts (pictures, the timeline's
//! bars) is made while they are played; the records themselves are a cache ([`pages`]).

mod facts;
mod outlook;
mod pages;

pub use facts::Facts;
pub use outlook::{OUTLOOK_MAX, Outlook};

use super::story::Telling;
use super::tempo::Playhead;
use crate::engine::cluster::Cluster;
use crate::engine::key::Keys;
use crate::engine::knobs::Knobs;
use crate::engine::record::{Fact, Record, RecordId};
use crate::engine::stimulus::{Actor, Stimulus};
use crate::engine::time::{SimDuration, SimTime};
use crate::engine::workqueue::MetricsView;
use crate::frame::{Bookmark, Meter, Timeline, View};
use crate::scene::Chapter;
use pages::{Pages, RECORDS};
use std::cell::OnceCell;
use std::rc::Rc;

/// Facts between two kept pictures; and as many as such a picture holds things, if that is more. Else a hundred thousand
/// events in flight would be kept again and again, and a link can bring them about.
const VIEW_EVERY: usize = 256;
/// Facts that a run is played ahead of the cursor, where it does not come to an end before.
const AHEAD: usize = 4096;
/// Facts of a scene in which its beats are looked up, counted from its beginning.
pub(super) const SCENE_MAX: usize = 16_384;

/// A run is left there, as if it were over: some never come to rest, and memory is not endless.
pub const FACTS_MAX: usize = 250_000;
/// The same in simulated time; every instant before it is exact in a float.
pub const RUN_MAX: SimTime = SimTime::from_millis(1_000_000_000);

/// How long a run that would go on for ever is played on after the visitor's last act: until a
/// resync has come.
const LINGER: SimDuration = SimDuration::from_secs(35);

/// Something the visitor did, and where in the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    pub at: SimTime,
    /// The facts that had happened; unknown where the run was replayed with other knobs and is not
    /// played that far yet.
    pub after: Option<RecordId>,
    pub stimulus: Stimulus,
}

/// All that a run depends on, but for what the visitor does.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    pub knobs: Rc<Knobs>,
    pub seed: u64,
    /// What the chapter does, and when.
    pub script: Vec<(SimTime, Stimulus)>,
    /// Where the run is left, if it would go on for ever.
    pub horizon: Option<SimTime>,
}

impl Origin {
    /// The run of a scene, or of its variant, in a world with these knobs.
    pub fn of(
        chapter: &Chapter,
        scene: usize,
        telling: Telling,
        knobs: Rc<Knobs>,
        seed: u64,
    ) -> Origin {
        let script = match telling {
            Telling::Main => chapter.script_of(scene, &knobs),
            Telling::Variant => chapter.variant_script(scene, &knobs),
        };
        Origin {
            knobs,
            seed,
            script,
            horizon: chapter.horizon(scene),
        }
    }
}

#[derive(Clone, Debug)]
struct Snapshot {
    records: usize,
    injected: usize,
    cluster: Cluster,
    timeline: Bookmark,
}

/// A run, played as far as anybody has looked and some way further.
#[derive(Clone, Debug)]
pub struct Run {
    origin: Origin,
    stimuli: Vec<Placed>,
    injected: usize,
    head: Cluster,
    snapshots: Vec<Snapshot>,
    /// The records between two snapshots.
    pages: Pages,
    /// Those since the last snapshot.
    last_page: Vec<Record>,
    views: Vec<View>,
    /// The picture after everything that was played.
    view: View,
    timeline: Timeline,
    /// Worked out when somebody asks.
    outlook: OnceCell<Outlook>,
}

impl Run {
    /// The run from the beginning, with these stimuli.
    pub fn new(origin: Origin, stimuli: Vec<Placed>) -> Run {
        let mut head = Cluster::new(origin.knobs.clone(), origin.seed);
        for (at, stimulus) in &origin.script {
            head.inject(*at, Actor::Script, stimulus.clone());
        }
        let view = View::new(origin.knobs.workers);
        let timeline = Timeline::default();
        let pages = Pages::default();
        let start = Snapshot {
            records: 0,
            injected: 0,
            cluster: head.clone(),
            timeline: timeline.bookmark(),
        };
        let mut run = Run {
            origin,
            stimuli,
            injected: 0,
            head,
            snapshots: vec![start],
            last_page: pages.blank(),
            pages,
            views: vec![view.clone()],
            view,
            timeline,
            outlook: OnceCell::new(),
        };
        run.play_ahead_of(0);
        run
    }

    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    pub fn stimuli(&self) -> &[Placed] {
        &self.stimuli
    }

    /// How many facts were played.
    pub fn played(&self) -> usize {
        self.view.applied as usize
    }

    /// When the latest of them happened.
    pub fn latest(&self) -> Option<SimTime> {
        (self.played() > 0).then_some(self.view.at)
    }

    /// What was played, as bars.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    pub fn keys(&self) -> &Keys {
        self.head.keys()
    }

    /// Is everything played that will ever happen, or that is ever played?
    pub fn is_over(&self) -> bool {
        let all_done = self.injected == self.stimuli.len();
        let due = self.head.next_due();
        self.is_cut() || all_done && due.is_none_or(|due| due > self.horizon())
    }

    /// Nothing is played after this: the end of what the chapter tells, or some time after what the
    /// visitor did last.
    fn horizon(&self) -> SimTime {
        let last = self.stimuli.last().map(|placed| placed.at + LINGER);
        let horizon = self.origin.horizon.unwrap_or(RUN_MAX);
        horizon.max(last.unwrap_or(horizon))
    }

    /// Was it left before its end?
    pub fn is_cut(&self) -> bool {
        let all_done = self.injected == self.stimuli.len();
        self.played() >= FACTS_MAX
            || all_done && self.head.next_due().is_some_and(|due| due > RUN_MAX)
    }

    /// Play on until `AHEAD` facts lie ahead of `applied`, or nothing is left.
    pub fn play_ahead_of(&mut self, applied: u32) {
        let count = (applied as usize).saturating_add(AHEAD);
        while self.played() < count && self.play_next() {}
    }

    /// Play on until all of the scene is played in which its beats are looked up.
    pub fn play_scene(&mut self, begin: SimTime, end: Option<SimTime>) {
        while self.head.now() < begin && self.play_next() {}
        let first = self.facts_before(begin);
        while self.played() < first + SCENE_MAX
            && end.is_none_or(|end| self.head.now() < end)
            && self.play_next()
        {}
    }

    /// Play on until everything at this instant and before has happened.
    pub fn play_past(&mut self, at: SimTime) {
        while self.head.now() <= at && self.play_next() {}
    }

    /// The picture after `applied` facts.
    pub fn view_at(&self, applied: u32) -> View {
        let applied = (applied as usize).min(self.played());
        let later = |view: &View| view.applied as usize <= applied;
        let nearest = self.views.partition_point(later) - 1;
        let mut view = self.views[nearest].clone();
        for record in self.facts(view.applied as usize..applied) {
            view.apply(&record);
        }
        view
    }

    /// The queue's metrics after `applied` facts, as a scrape at `now` would show them; none if
    /// the queue keeps none. The nearest snapshot holds a queue, the facts since are played to it.
    pub fn metrics_at(&self, applied: u32, now: SimTime) -> Option<MetricsView> {
        let applied = (applied as usize).min(self.played());
        let snapshot = &self.snapshots[self.page_of(applied)];
        let queue = &snapshot.cluster.controller().queue;
        let mut meter = Meter::resume(&self.origin.knobs, queue)?;
        for record in self.facts(snapshot.records..applied) {
            meter.apply(&record);
        }
        Some(meter.read(now))
    }

    /// What the run has come to when everything has happened, when the clock stands at
    /// [`PLAY_MAX`](crate::scene::PLAY_MAX), or after [`OUTLOOK_MAX`] facts.
    pub fn outlook(&self) -> Outlook {
        *self.outlook.get_or_init(|| Outlook::of(self))
    }

    /// The picture when everything that was played has happened.
    pub fn at_end(&self) -> &View {
        &self.view
    }

    /// The visitor's stimuli that lie after the cursor: acting there would drop them.
    pub fn stimuli_after(&self, playhead: Playhead) -> usize {
        self.stimuli.len() - self.stimuli_before(playhead)
    }

    /// The visitor's stimuli that have happened at the cursor.
    pub fn stimuli_before(&self, playhead: Playhead) -> usize {
        let happened =
            |placed: &&Placed| placed.after.is_some_and(|after| after < playhead.applied);
        let injected = self.stimuli[..self.injected].iter();
        injected.take_while(happened).count()
    }

    /// The instant of a cursor, in whole microseconds since the latest fact: coarse enough to come
    /// out the same whatever tempo and rounding the cursor has been through.
    pub fn instant(&self, playhead: Playhead) -> SimTime {
        let latest = self.record_before(playhead.applied);
        let latest = latest.map_or(SimTime::ZERO, |record| record.at);
        let micros = ((playhead.time - latest.0 as f64) / 1000.0).round() as i64;
        let at = latest + SimDuration(micros.max(0).saturating_mul(1000));
        let next = self.record(playhead.applied);
        next.map_or(at, |next| at.min(next.at))
    }

    /// The visitor acts at the cursor. What they did later is dropped. Returns the facts that have
    /// happened when it takes effect: a cue that the cursor stands in the middle of is finished.
    pub fn act(&mut self, playhead: Playhead, stimuli: Vec<Stimulus>) -> u32 {
        let at = self.instant(playhead);
        let before = self.stimuli_before(playhead);
        self.stimuli.truncate(before);
        self.outlook.take();
        self.rewind(playhead.applied as usize, before, at);
        while self.played() < playhead.applied as usize
            || self.head.next_due().is_some_and(|due| due < at)
        {
            if !self.play_next() {
                break;
            }
        }
        let after = self.view.applied;
        self.stimuli
            .extend(stimuli.into_iter().map(|stimulus| Placed {
                at,
                after: Some(after),
                stimulus,
            }));
        self.play_ahead_of(after);
        after
    }

    /// What became of the visitor's last `count` acts, as far as they were answered at once: the
    /// answers.
    pub fn answers(&self, count: usize) -> impl Iterator<Item = Record> {
        let first = self.stimuli.len().saturating_sub(count);
        self.stimuli[first..].iter().filter_map(move |placed| {
            let mut ahead = self.facts(placed.after? as usize..);
            let acted = ahead.find(|record| match &record.fact {
                Fact::Acted {
                    actor: Actor::Visitor,
                    stimulus,
                } => **stimulus == placed.stimulus,
                _ => false,
            })?;
            // What is answered at once comes next.
            ahead
                .next()
                .filter(|answer| answer.causes.contains(acted.id))
        })
    }

    /// Forget everything after the last snapshot that holds at most `records` facts, no stimulus
    /// after the first `injected`, and nothing later than `at`.
    fn rewind(&mut self, records: usize, injected: usize, at: SimTime) {
        self.snapshots.retain(|snapshot| {
            let early = snapshot.records <= records && snapshot.cluster.now() <= at;
            snapshot.records == 0 || early && snapshot.injected <= injected
        });
        let snapshot = &self.snapshots[self.snapshots.len() - 1];
        self.head = snapshot.cluster.clone();
        self.injected = snapshot.injected;
        self.timeline.go_back(&snapshot.timeline);
        let records = snapshot.records;
        self.view = self.view_at(records as u32);
        self.views.retain(|view| view.applied as usize <= records);
        self.pages.truncate(self.snapshots.len() - 1);
        self.last_page.clear();
    }

    /// Inject what the visitor does next, where it is its turn; then play one cue. False if nothing is left.
    fn play_next(&mut self) -> bool {
        if let Some(placed) = self.stimuli.get_mut(self.injected) {
            let applied = self.view.applied;
            if is_next(placed, &self.head, applied) {
                // It is the very next thing to happen; from now on it is known where that is.
                placed.after = Some(applied);
                self.head
                    .inject(placed.at, Actor::Visitor, placed.stimulus.clone());
                self.injected += 1;
            }
        }
        if self.is_over() {
            return false;
        }
        if self.last_page.len() >= RECORDS.max(self.head.weight()) {
            self.turn_the_page();
        }
        let known = self.last_page.len();
        let played = self.head.play_next(&mut self.last_page);
        for record in &self.last_page[known..] {
            self.timeline.take_in(record);
            self.view.apply(record);
            let since = self.view.applied - self.views[self.views.len() - 1].applied;
            if since as usize >= VIEW_EVERY.max(self.view.weight()) {
                self.views.push(self.view.clone());
            }
        }
        played
    }
}

/// Is it the visitor's turn, when so many facts have happened?
///
/// A place by facts that is not reached at its instant is given up at the next, and it is that count that is kept. Played
/// again, it is reached before those cues of the instant that leave no fact, instead of behind them: nothing differs, since
/// such a cue (a wake that was moved, a message to an ended controller) changes nothing that anybody could tell.
fn is_next(placed: &Placed, head: &Cluster, applied: u32) -> bool {
    let reached = applied >= placed.after.unwrap_or(0);
    match head.next_due() {
        Some(due) => due > placed.at || due == placed.at && reached,
        None => true,
    }
}
