//! What single facts change in the picture; `View::apply` says which fact goes where.

use super::view::{Delay, DelayKind, HandView, Pods, ReadyEntry, View};
use crate::engine::controller::{Action, Section};
use crate::engine::key::Key;
use crate::engine::record::{Actual, Fact, Record, Why};
use crate::engine::sorted::Map;
use crate::engine::time::SimTime;
use crate::engine::workqueue::Added;

impl View {
    #[inline(never)]
    pub(super) fn stop(&mut self) {
        self.running = false;
        self.flights.clear();
        self.unplug();
        self.ready.clear();
        self.delayed.clear();
        self.failures = Map::new();
        for hand in &mut self.hands {
            if let Some(hand) = hand.take()
                && let Some(pods) = self.actual.get_mut(&hand.key)
            {
                pods.upgrading = None;
            }
        }
    }

    pub(super) fn hand(&mut self, worker: u8, change: impl FnOnce(&mut HandView)) {
        if let Some(hand) = &mut self.hands[usize::from(worker)] {
            change(hand);
        }
    }

    pub(super) fn enqueued(&mut self, record: &Record, why: Why, key: Key, added: Added) {
        if why == Why::Retry {
            self.counters.retries += 1;
            *self.failures.get_or_default(key) += 1;
        }
        if why == Why::DelayOver {
            // Its deadline is now: only equal deadlines are looked through.
            let first = self
                .delayed
                .partition_point(|delay| delay.until < record.at);
            let found = self
                .delayed
                .range(first..)
                .position(|delay| record.causes.contains(delay.record));
            found.and_then(|place| self.delayed.remove(first + place));
        }
        match added {
            Added::Ready => self.ready.push_back(ReadyEntry {
                key,
                since: record.at,
                merged: 0,
                record: record.id,
            }),
            Added::Dirty | Added::MergedDirty => {
                let merged = u32::from(added == Added::MergedDirty);
                self.counters.merged += merged;
                for hand in self
                    .hands
                    .iter_mut()
                    .flatten()
                    .filter(|hand| hand.key == key)
                {
                    hand.dirty = Some(hand.dirty.unwrap_or(0) + merged);
                }
            }
            Added::MergedReady => {
                self.counters.merged += 1;
                // Entries stand in the order of their records, and the merge names its entry.
                for cause in record.causes.iter() {
                    let found = self
                        .ready
                        .binary_search_by_key(&cause, |entry| entry.record);
                    if let Ok(place) = found {
                        self.ready[place].merged += 1;
                    }
                }
            }
            Added::Delayed { until } => self.delay(record, why, key, until),
            Added::DelayedEarlier { from, until } => {
                self.delayed
                    .retain(|delay| delay.key != key || delay.until != from);
                self.delay(record, why, key, until);
            }
            Added::Full => self.counters.dropped += 1,
            Added::DelayKept { .. } | Added::ShuttingDown => {}
        }
    }

    fn delay(&mut self, record: &Record, why: Why, key: Key, until: SimTime) {
        let kind = match why {
            Why::Retry => DelayKind::Retry,
            _ => DelayKind::Requeue,
        };
        let place = self.delayed.partition_point(|delay| delay.until <= until);
        let delay = Delay {
            key,
            kind,
            from: record.at,
            until,
            failures: self.failures.get(&key).copied().unwrap_or(0),
            record: record.id,
        };
        self.delayed.insert(place, delay);
    }

    pub(super) fn started(&mut self, record: &Record, worker: u8, n: u32, key: Key) {
        self.counters.reconciles = n;
        self.ready.pop_front();
        self.hands[usize::from(worker)] = Some(HandView {
            key,
            n,
            section: match self.informer {
                Some(_) => Section::SplitKey,
                None => Section::Fetch,
            },
            since: record.at,
            until: record.at,
            fetched: false,
            desired: None,
            observed: None,
            action: None,
            done: Vec::new(),
            conclusion: None,
            cached: None,
            answer: None,
            dirty: None,
            record: record.id,
        });
    }

    pub(super) fn progressed(&mut self, record: &Record) {
        match record.fact {
            Fact::SectionStarted {
                worker,
                section,
                until,
                ..
            } => self.hand(worker, |hand| {
                hand.section = section;
                hand.since = record.at;
                hand.until = until;
            }),
            Fact::Fetched {
                worker, desired, ..
            } => self.hand(worker, |hand| {
                hand.fetched = true;
                hand.desired = desired;
            }),
            Fact::Finished {
                worker, conclusion, ..
            } => self.hand(worker, |hand| hand.conclusion = Some(conclusion)),
            _ => {}
        }
    }

    #[inline(never)]
    pub(super) fn acted(&mut self, record: &Record) {
        let upgrading = |action, until| match action {
            Action::Upgrade { version } => Some((version, record.at, until)),
            _ => None,
        };
        match record.fact {
            Fact::ActionStarted {
                worker,
                key,
                action,
                until,
                ..
            } => {
                self.hand(worker, |hand| {
                    hand.action = Some(action);
                    hand.since = record.at;
                    hand.until = until;
                });
                let pods = self.actual.get_or_insert_with(key, || Pods {
                    key,
                    actual: Actual::default(),
                    upgrading: None,
                    failed: false,
                });
                pods.upgrading = upgrading(action, until);
                pods.failed = false;
            }
            Fact::ActionDone {
                worker,
                key,
                action,
                actual,
                ..
            } => {
                self.hand(worker, |hand| {
                    hand.action = None;
                    hand.done.push(action);
                    hand.observed = actual;
                });
                self.fail_next &= !matches!(action, Action::Upgrade { .. });
                match actual {
                    Some(actual) => {
                        let pods = Pods {
                            key,
                            actual,
                            upgrading: None,
                            failed: false,
                        };
                        self.actual.insert(key, pods);
                    }
                    None => {
                        self.actual.remove(&key);
                    }
                }
            }
            Fact::ActionFailed { worker, key, .. } => {
                self.fail_next = false;
                self.hand(worker, |hand| hand.action = None);
                if let Some(pods) = self.actual.get_mut(&key) {
                    pods.upgrading = None;
                    pods.failed = true;
                }
            }
            _ => {}
        }
    }
}
