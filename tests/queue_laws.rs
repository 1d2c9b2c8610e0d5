//! Laws of the work queue that hold for every run whose callers keep the contract: a worker takes
//! one key at a time and calls `done` for what it holds. Random runs, with delays, rate limits,
//! shutdowns and clock steps; a failing one is shrunk and printed as the list of its moves.
//!
//! Beside them a *sometimes* property: that the places where laws could break are reached.

use loopscope::engine::key::Key;
use loopscope::engine::time::{SimDuration, SimTime};
use loopscope::engine::workqueue::{AddOptions, Added, Get, LimiterConfig, QueueConfig, WorkQueue};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use std::collections::{BTreeMap, BTreeSet};

const KEYS: u32 = 5;
const WORKERS: usize = 3;
/// In ms.
const UPDATE_PERIOD: i64 = 500;

/// One thing that somebody does.
#[derive(Clone, Copy, Debug)]
enum Move {
    Add(Key),
    AddAfter(Key, i64),
    AddRateLimited(Key),
    Forget(Key),
    /// A worker's turn: it takes a key if its hand is empty, else it puts its key down.
    Turn(usize),
    /// So many ms pass; every deadline on the way is met at its own instant.
    Pass(i64),
    ShutDown,
}

fn some_move() -> impl Strategy<Value = Move> {
    let key = || (0..KEYS).prop_map(Key);
    prop_oneof![
        30 => key().prop_map(Move::Add),
        // Few different delays, so that deadlines often coincide.
        15 => (key(), -1_i64..12).prop_map(|(key, step)| Move::AddAfter(key, step * 50)),
        10 => key().prop_map(Move::AddRateLimited),
        5 => key().prop_map(Move::Forget),
        50 => (0..WORKERS).prop_map(Move::Turn),
        25 => (0_i64..30).prop_map(|step| Move::Pass(step * 25)),
        1 => Just(Move::ShutDown),
    ]
}

fn some_run() -> impl Strategy<Value = Vec<Move>> {
    prop::collection::vec(some_move(), 0..120)
}

fn limiter() -> LimiterConfig {
    // A small bucket, so that it is often empty.
    LimiterConfig::MaxOf(vec![
        LimiterConfig::default_exponential(),
        LimiterConfig::Bucket {
            qps: 10.0,
            burst: 3,
        },
    ])
}

fn client_go(metrics: bool) -> WorkQueue {
    WorkQueue::new(
        &QueueConfig::ClientGo {
            limiter: limiter(),
            metrics,
        },
        SimTime::ZERO,
    )
}

/// Interesting places; how often each was reached.
type Places = BTreeMap<&'static str, u64>;

/// A queue, its callers, and what a bystander has written down.
#[derive(Clone)]
struct Run {
    queue: WorkQueue,
    now: SimTime,
    hands: [Option<Key>; WORKERS],
    /// Keys marked dirty and not taken since.
    owed: BTreeSet<Key>,
    /// Adds that marked a key, and calls of `add_after`.
    marks: u64,
    retries: u64,
    taken_at: [SimTime; WORKERS],
    /// The updater of the two gauges, played eagerly: when it comes next, what it wrote last.
    next_update: Option<SimTime>,
    gauges: (i64, i64),
    log: Vec<String>,
    places: Places,
}

impl Run {
    fn new(queue: WorkQueue) -> Run {
        Run {
            queue,
            now: SimTime::ZERO,
            hands: [None; WORKERS],
            owed: BTreeSet::new(),
            marks: 0,
            retries: 0,
            taken_at: [SimTime::ZERO; WORKERS],
            next_update: Some(SimTime::from_millis(UPDATE_PERIOD)),
            gauges: (0, 0),
            log: Vec::new(),
            places: Places::new(),
        }
    }

    fn reach(&mut self, place: &'static str) {
        *self.places.entry(place).or_default() += 1;
    }

    /// Writes down what an add did.
    fn note(&mut self, key: Key, added: Added) {
        self.log.push(format!("{key:?} {added:?}"));
        if matches!(added, Added::Ready | Added::Dirty) {
            assert!(
                self.owed.insert(key),
                "{key:?} was owed already, yet was marked again"
            );
            self.marks += 1;
        }
        if let Added::DelayedEarlier { from, until } = added {
            assert!(until < from, "an equal deadline changes nothing");
        }
        self.reach(match added {
            Added::Ready => "ready",
            Added::Dirty => "dirty in hand",
            Added::MergedReady => "merged with a ready key",
            Added::MergedDirty => "merged with a dirty key in hand",
            Added::Delayed { .. } => "delayed",
            Added::DelayedEarlier { .. } => "a deadline moved forward",
            Added::DelayKept { .. } => "an earlier deadline kept",
            Added::Full => "full",
            Added::ShuttingDown => "dropped at shutdown",
        });
    }

    fn add(&mut self, key: Key, options: AddOptions) {
        let requeues = self.queue.num_requeues(key);
        let waits = self
            .queue
            .view()
            .delayed
            .iter()
            .any(|&(waiting, _)| waiting == key);
        let added = self.queue.add(self.now, key, options);
        let delayed = options.rate_limited || options.after > SimDuration::ZERO;
        if delayed && added != Added::ShuttingDown {
            self.retries += 1;
        }
        if options.rate_limited {
            assert_eq!(
                self.queue.num_requeues(key),
                requeues + 1,
                "the limiter is asked each time"
            );
            let first_failure = SimDuration::from_millis(5);
            let is_longer = |until: SimTime| until > self.now + first_failure;
            if requeues == 0 && matches!(added, Added::Delayed { until } if is_longer(until)) {
                self.reach("an empty bucket");
            }
        }
        if waits && added == Added::Ready {
            self.reach("a delayed key overtaken by an event");
        }
        self.note(key, added);
    }

    /// Lets time pass until `end`, in slices of at most `slice` ms. The updater goes first at its
    /// own instant.
    fn pass(&mut self, end: SimTime, slice: i64) {
        while self.now < end {
            self.now = end.min(self.now + SimDuration::from_millis(slice));
            loop {
                let update = self.next_update.filter(|&due| due <= self.now);
                let wake = self.queue.next_wake().filter(|&due| due <= self.now);
                match (update, wake) {
                    (Some(update), _) if wake.is_none_or(|wake| update <= wake) => {
                        self.update(update);
                    }
                    (_, Some(due)) => {
                        let (key, added) = self.queue.wake(due).expect("it is due");
                        self.reach("woken");
                        self.note(key, added);
                    }
                    _ => break,
                }
            }
        }
    }

    fn update(&mut self, now: SimTime) {
        let held = self
            .hands
            .iter()
            .zip(self.taken_at)
            .filter(|(hand, _)| hand.is_some());
        let ages: Vec<i64> = held.map(|(_, taken)| (now - taken).0).collect();
        self.gauges = (ages.iter().sum(), ages.iter().copied().max().unwrap_or(0));
        self.next_update = Some(now + SimDuration::from_millis(UPDATE_PERIOD));
    }

    fn turn(&mut self, worker: usize) {
        match self.hands[worker].take() {
            Some(key) => {
                let owed = self.owed.contains(&key);
                let requeued = self.queue.done(self.now, key);
                assert_eq!(
                    requeued, owed,
                    "it comes back if and only if it was marked in hand"
                );
                self.log.push(format!("{worker} done {key:?} {requeued}"));
                if requeued {
                    assert_eq!(self.queue.view().ready.last(), Some(&key), "at the back");
                    self.reach("requeued at done");
                }
            }
            None => {
                let expected = self.queue.view().ready.first().copied();
                let got = self.queue.get(self.now);
                self.log.push(format!("{worker} {got:?}"));
                match got {
                    Get::Item(key) => {
                        assert_eq!(Some(key), expected, "the one that waited longest");
                        assert!(self.owed.remove(&key), "only what is owed is handed out");
                        assert!(!self.hands.contains(&Some(key)), "two workers hold {key:?}");
                        self.hands[worker] = Some(key);
                        self.taken_at[worker] = self.now;
                    }
                    Get::Empty | Get::ShutDown => {
                        assert_eq!(expected, None);
                        assert_eq!(got == Get::ShutDown, self.queue.shutting_down());
                    }
                }
            }
        }
    }

    fn play(&mut self, step: Move, slice: i64) {
        match step {
            Move::Add(key) => self.add(key, AddOptions::default()),
            Move::AddAfter(key, ms) => {
                self.add(key, AddOptions::after(SimDuration::from_millis(ms)))
            }
            Move::AddRateLimited(key) => self.add(key, AddOptions::rate_limited()),
            Move::Forget(key) => {
                let before = self.queue.view();
                self.queue.forget(key);
                assert_eq!(self.queue.num_requeues(key), 0);
                assert_eq!(self.queue.view(), before, "forgetting moves no key");
            }
            Move::Turn(worker) => self.turn(worker),
            Move::Pass(ms) => self.pass(self.now + SimDuration::from_millis(ms), slice),
            Move::ShutDown => {
                self.queue.shut_down(self.now);
                self.next_update = None;
                assert_eq!(
                    self.queue.next_wake(),
                    None,
                    "nothing waits after a shutdown"
                );
            }
        }
        self.check();
    }

    /// Invariant 7, and what follows from it.
    fn check(&self) {
        let view = self.queue.view();
        let ready: BTreeSet<Key> = view.ready.iter().copied().collect();
        let held: BTreeSet<Key> = self.hands.iter().flatten().copied().collect();
        let dirty: BTreeSet<Key> = ready.iter().chain(&view.dirty).copied().collect();
        assert_eq!(
            ready.len(),
            view.ready.len(),
            "no key is twice in the queue"
        );
        assert_eq!(view.processing, held.iter().copied().collect::<Vec<_>>());
        assert_eq!(
            dirty, self.owed,
            "nothing that was marked is lost, nothing is made up"
        );
        assert_eq!(ready, &dirty - &held, "in the queue: dirty and not in hand");
        assert_eq!(self.queue.len(), ready.len());
        assert!(view.delayed.is_sorted_by_key(|&(_, until)| until));
        let waiting: BTreeSet<Key> = view.delayed.iter().map(|&(key, _)| key).collect();
        assert_eq!(waiting.len(), view.delayed.len(), "one deadline a key");
        assert_eq!(
            self.queue.next_wake(),
            view.delayed.first().map(|&(_, until)| until)
        );
        if let Some(metrics) = self.queue.metrics(self.now) {
            assert_eq!(metrics.depth, dirty.len() as i64);
            assert_eq!(metrics.adds_total, self.marks);
            assert_eq!(metrics.retries_total, self.retries);
            let seen = (
                metrics.unfinished_work.0,
                metrics.longest_running_processor.0,
            );
            assert_eq!(seen, self.gauges, "at {:?}", self.now);
            let (waits, runs) = (
                metrics.queue_duration.count(),
                metrics.work_duration.count(),
            );
            assert_eq!(
                waits + self.owed.len() as u64,
                self.marks,
                "each mark is one wait"
            );
            assert_eq!(runs + held.len() as u64, waits, "each wait is one run");
        }
    }

    /// No more is added; the workers go on until there is nothing to do.
    fn finish(&mut self) {
        while !self.queue.is_empty() || self.hands.iter().any(Option::is_some) {
            (0..WORKERS).for_each(|worker| self.turn(worker));
            self.check();
        }
        assert!(
            self.owed.is_empty(),
            "all that was owed has been handed out"
        );
    }
}

fn play(queue: WorkQueue, moves: &[Move], slice: i64) -> Run {
    let mut run = Run::new(queue);
    moves.iter().for_each(|&step| run.play(step, slice));
    run.finish();
    run
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_key_is_queued_iff_dirty_and_not_in_hand_and_nothing_marked_is_lost(moves in some_run()) {
        play(client_go(true), &moves, 1000);
    }

    #[test]
    fn how_time_is_sliced_changes_nothing(moves in some_run(), slice in prop::sample::select(vec![1_i64, 7, 16, 33])) {
        let (whole, sliced) = (play(client_go(true), &moves, 1000), play(client_go(true), &moves, slice));
        prop_assert_eq!(whole.log, sliced.log);
        prop_assert_eq!(whole.queue.metrics(whole.now), sliced.queue.metrics(sliced.now));
    }

    #[test]
    fn looking_and_measuring_change_nothing(moves in some_run()) {
        let (measured, plain) = (play(client_go(true), &moves, 1000), play(client_go(false), &moves, 1000));
        prop_assert_eq!(measured.log, plain.log);
        prop_assert_eq!(plain.queue.metrics(plain.now), None);
    }

    #[test]
    fn a_clone_has_the_same_future_and_leaves_the_original_alone(
        past in some_run(), future in some_run(),
    ) {
        // No `finish` in between: the clone is taken in the middle of things.
        let mut run = Run::new(client_go(true));
        past.iter().for_each(|&step| run.play(step, 1000));
        let seen = format!("{:?}", run.queue);
        let mut fork = run.clone();
        future.iter().for_each(|&step| fork.play(step, 1000));
        prop_assert_eq!(&seen, &format!("{:?}", run.queue));
        future.iter().for_each(|&step| run.play(step, 1000));
        prop_assert_eq!(format!("{:?}", fork.queue), format!("{:?}", run.queue));
        prop_assert_eq!(fork.log, run.log);
    }
}

/// Runs that proptest draws the same way each time, one after the other.
fn many_runs(mut play: impl FnMut(Vec<Move>)) {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..300 {
        let run = some_run()
            .new_tree(&mut runner)
            .expect("a run can always be drawn");
        play(run.current());
    }
}

#[test]
fn sometimes_every_interesting_place_is_reached() {
    let mut reached = Places::new();
    many_runs(|moves| {
        for (place, times) in play(client_go(true), &moves, 1000).places {
            *reached.entry(place).or_default() += times;
        }
    });
    for place in [
        "ready",
        "dirty in hand",
        "merged with a ready key",
        "merged with a dirty key in hand",
        "delayed",
        "a deadline moved forward",
        "an earlier deadline kept",
        "dropped at shutdown",
        "an empty bucket",
        "a delayed key overtaken by an event",
        "woken",
        "requeued at done",
    ] {
        assert!(
            reached.contains_key(place),
            "never reached: {place}; reached: {reached:?}"
        );
    }
}
