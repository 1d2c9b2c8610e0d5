//! The work queue's Prometheus metrics, in simulated time.
//!
//! Mirrors client-go `util/workqueue/metrics.go` (`defaultQueueMetrics`, `retryMetrics`); names and
//! buckets are those of controller-runtime `pkg/metrics/workqueue.go`.
//!
//! Exact meanings that surprise people:
//! - `depth` goes up when a key becomes dirty and down when it is taken. So it counts a key that is
//!   dirty in a worker's hand, which `len` does not, and not a key that waits for a deadline.
//! - `adds_total` counts adds that made a key dirty. A merged add does not count.
//! - `queue_duration_seconds` runs from that add to the next take: for a key that is re-added in
//!   hand it includes the rest of the run it was added in.
//! - `retries_total` counts every `add_after` (so every `add_rate_limited` too), whatever its reason
//!   and delay, merged or not, unless the queue is shutting down.
//! - `unfinished_work_seconds` and `longest_running_processor_seconds` are written every 500 ms by
//!   an updater that lives from the queue's start until its shutdown; in between they are stale.
//!
//! The updater is no cue on the agenda: what it last saw is worked out when somebody looks or, just
//! before it would be forgotten, when a key changes hands. **At its own instant the updater goes
//! first**: a key taken exactly on the tick is not seen by it (its age would be 0), a key done
//! exactly on the tick is.
//!
//! Left out on purpose: native histograms, labels, and the last bit of upstream's float sums, which
//! depends on the order of additions (for gauges, of a Go map). Sums here are exact integers of
//! nanoseconds, made into seconds when shown.

use crate::engine::key::Key;
use crate::engine::time::{SimDuration, SimTime};

/// How often the two gauges of running work are refreshed: 500 ms.
pub const UNFINISHED_WORK_UPDATE_PERIOD: SimDuration = SimDuration::from_millis(500);

/// Upper bounds (`le`) of the histograms' buckets, in seconds, as Prometheus' float loop
/// `ExponentialBuckets(10e-9, 10, 12)` makes them, last bits and all. `+Inf` is not listed.
pub const BUCKET_BOUNDS: [f64; 12] = [
    1e-8,
    1e-7,
    1e-6,
    9.999999999999999e-6,
    9.999999999999999e-5,
    1e-3,
    1e-2,
    1e-1,
    1.0,
    10.0,
    100.0,
    1000.0,
];

/// The longest duration, in nanoseconds, that each bucket takes. Two bounds fell just short of
/// their power of ten, so 10 µs and 100 µs exactly count in the next bucket.
const BUCKET_NANOS: [i64; 12] = [
    10,
    100,
    1_000,
    9_999,
    99_999,
    1_000_000,
    10_000_000,
    100_000_000,
    1_000_000_000,
    10_000_000_000,
    100_000_000_000,
    1_000_000_000_000,
];

/// A histogram of durations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Observations by bucket, each counted once; the last is above every bound.
    buckets: [u64; BUCKET_BOUNDS.len() + 1],
    sum: SimDuration,
}

impl Histogram {
    fn observe(&mut self, duration: SimDuration) {
        let bucket = BUCKET_NANOS.partition_point(|&longest| longest < duration.0);
        self.buckets[bucket] += 1;
        self.sum = SimDuration(self.sum.0.saturating_add(duration.0));
    }

    /// `_count`: how many observations.
    pub fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// `_sum`: all observed durations together.
    pub fn sum(&self) -> SimDuration {
        self.sum
    }

    /// `_bucket`: (`le` in seconds, observations up to it), cumulative, `+Inf` last.
    pub fn cumulative(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        let bounds = BUCKET_BOUNDS.into_iter().chain([f64::INFINITY]);
        bounds.zip(self.buckets).scan(0, |total, (bound, count)| {
            *total += count;
            Some((bound, *total))
        })
    }
}

/// What a scrape of the queue's metrics shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MetricsView {
    /// `workqueue_depth`: keys dirty now, in hand or not.
    pub depth: i64,
    /// `workqueue_adds_total`.
    pub adds_total: u64,
    /// `workqueue_queue_duration_seconds`: from becoming dirty to being taken.
    pub queue_duration: Histogram,
    /// `workqueue_work_duration_seconds`: from being taken to `done`.
    pub work_duration: Histogram,
    /// `workqueue_retries_total`.
    pub retries_total: u64,
    /// `workqueue_unfinished_work_seconds`: ages of all runs in hand together, at the last refresh.
    pub unfinished_work: SimDuration,
    /// `workqueue_longest_running_processor_seconds`: age of the oldest of them, at the last refresh.
    pub longest_running_processor: SimDuration,
}

/// When things happened to one key.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    added: Option<SimTime>,
    taken: Option<SimTime>,
}

/// What the queue measures.
#[derive(Clone, Debug)]
pub(super) struct Metrics {
    /// By key.
    rows: Vec<Row>,
    view: MetricsView,
    /// When the two gauges are to be refreshed next; none after shutdown.
    next_update: Option<SimTime>,
}

impl Metrics {
    pub fn new(start: SimTime) -> Metrics {
        Metrics {
            rows: Vec::new(),
            view: MetricsView::default(),
            next_update: Some(start + UNFINISHED_WORK_UPDATE_PERIOD),
        }
    }

    /// `key` has become dirty.
    pub fn add(&mut self, now: SimTime, key: Key) {
        if self.rows.len() <= key.index() {
            self.rows.resize(key.index() + 1, Row::default());
        }
        self.view.adds_total += 1;
        self.view.depth += 1;
        self.rows[key.index()].added.get_or_insert(now);
    }

    /// `key` is about to be taken; `processing` is what is in hand before that.
    pub fn get(&mut self, now: SimTime, key: Key, processing: &[Key]) {
        self.update(now, processing);
        self.view.depth -= 1;
        let row = &mut self.rows[key.index()];
        row.taken = Some(now);
        if let Some(added) = row.added.take() {
            self.view.queue_duration.observe(now - added);
        }
    }

    /// `key` is about to be put down; `processing` is what is in hand before that.
    pub fn done(&mut self, now: SimTime, key: Key, processing: &[Key]) {
        self.update(now, processing);
        if let Some(taken) = self
            .rows
            .get_mut(key.index())
            .and_then(|row| row.taken.take())
        {
            self.view.work_duration.observe(now - taken);
        }
    }

    pub fn retry(&mut self) {
        self.view.retries_total += 1;
    }

    /// Shutdown: the updater ends.
    pub fn stop(&mut self, now: SimTime, processing: &[Key]) {
        self.update(now, processing);
        self.next_update = None;
    }

    pub fn view(&self, now: SimTime, processing: &[Key]) -> MetricsView {
        let mut view = self.view.clone();
        if let Some(tick) = self.last_due_update(now) {
            (view.unfinished_work, view.longest_running_processor) = self.running(tick, processing);
        }
        view
    }

    /// Catches up with the refreshes due by `now`. Nothing has changed hands since the last
    /// one that was played, so only the latest matters.
    fn update(&mut self, now: SimTime, processing: &[Key]) {
        if let Some(tick) = self.last_due_update(now) {
            let (total, oldest) = self.running(tick, processing);
            self.view.unfinished_work = total;
            self.view.longest_running_processor = oldest;
            self.next_update = Some(tick + UNFINISHED_WORK_UPDATE_PERIOD);
        }
    }

    /// The latest refresh that is due by `now` and has not been played.
    fn last_due_update(&self, now: SimTime) -> Option<SimTime> {
        let next = self.next_update.filter(|&next| next <= now)?;
        let late = (now - next).0;
        Some(next + SimDuration(late - late % UNFINISHED_WORK_UPDATE_PERIOD.0))
    }

    /// The ages at `tick` of all that is in hand: their sum, and the largest.
    fn running(&self, tick: SimTime, processing: &[Key]) -> (SimDuration, SimDuration) {
        let taken = processing
            .iter()
            .filter_map(|key| self.rows[key.index()].taken);
        taken.fold(
            (SimDuration::ZERO, SimDuration::ZERO),
            |(total, oldest), taken| {
                let age = tick - taken;
                (SimDuration(total.0.saturating_add(age.0)), oldest.max(age))
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds as Go's `Duration.Seconds` has them.
    fn go_seconds(nanos: i64) -> f64 {
        (nanos / 1_000_000_000) as f64 + (nanos % 1_000_000_000) as f64 / 1e9
    }

    #[test]
    fn bucket_bounds_are_those_of_prometheus_float_loop() {
        let mut bound = 10e-9;
        for (listed, longest) in BUCKET_BOUNDS.into_iter().zip(BUCKET_NANOS) {
            assert_eq!(bound, listed);
            assert!(
                go_seconds(longest) <= bound && go_seconds(longest + 1) > bound,
                "{bound}"
            );
            bound *= 10.0;
        }
    }

    #[test]
    fn the_updater_goes_first_at_its_own_instant_and_stops_at_shutdown() {
        let (a, ms) = (Key(0), SimTime::from_millis);
        let mut metrics = Metrics::new(ms(0));
        metrics.add(ms(100), a);
        metrics.get(ms(200), a, &[]);
        assert_eq!(
            metrics.view(ms(499), &[a]).unfinished_work,
            SimDuration::ZERO
        );
        assert_eq!(
            metrics.view(ms(500), &[a]).unfinished_work,
            SimDuration::from_millis(300)
        );
        assert_eq!(
            metrics.view(ms(1999), &[a]).unfinished_work,
            SimDuration::from_millis(1300)
        );
        metrics.done(ms(2000), a, &[a]);
        let seen = metrics.view(ms(2499), &[]);
        assert_eq!(
            seen.longest_running_processor,
            SimDuration::from_millis(1800)
        );
        assert_eq!(
            metrics.view(ms(2500), &[]).longest_running_processor,
            SimDuration::ZERO
        );
        metrics.stop(ms(2499), &[]);
        assert_eq!(metrics.view(ms(9000), &[]), seen);
    }
}
