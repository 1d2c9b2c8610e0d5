//! The settings of the simulated world. A preset is a named set of knobs.

use super::time::SimDuration;
use super::workqueue::LimiterConfig;

/// Which work queue a controller has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueKind {
    /// The article's plain buffered channel: no deduplication, a fixed delay before a retry.
    Channel,
    /// client-go's rate-limiting, deduplicating queue.
    ClientGo,
}

/// Which controller runs in the cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ControllerKind {
    /// Chapter one: database clusters are provisioned as they are desired.
    #[default]
    Database,
    /// Chapter two: every config map is labelled, out of an informer's cache.
    ConfigMap,
}

/// Everything about a run that is neither its seed nor what people do.
#[derive(Clone, Debug, PartialEq)]
pub struct Knobs {
    pub queue: QueueKind,
    /// Keys that fit into the plain channel.
    pub channel_capacity: u32,
    /// The plain channel's wait before a failed key is tried again.
    pub channel_retry: SimDuration,
    /// What decides a retry's wait in client-go's queue.
    pub limiter: LimiterConfig,
    /// Events that may be on their way to one watcher; more are dropped (deletions never).
    pub watch_buffer: u32,
    /// From a write to the controller's hearing of it.
    pub watch_delay: SimDuration,
    pub fetch_time: SimDuration,
    pub observe_time: SimDuration,
    pub act_time: SimDuration,
    pub result_time: SimDuration,
    /// One rolling upgrade, before it is known whether it failed.
    pub upgrade_time: SimDuration,
    /// The chance of an upgrade attempt to fail, in thousandths.
    pub upgrade_failure_permille: u16,
    /// The attempts that fail, counted from 1 over the whole run. Where given, chance is silent.
    pub failing_upgrades: Option<Vec<u32>>,
    /// The wait before the look that verifies an action.
    pub requeue_after: SimDuration,
    pub workers: u8,
    /// Is the loss of a replica an event that enqueues its owner (controller-runtime's `Owns`)?
    pub owned_watched: bool,
    /// From the end of the controller's process to the start of the next.
    pub restart_time: SimDuration,
    /// Writes in a burst.
    pub burst_count: u32,
    /// Between two writes of a burst.
    pub burst_gap: SimDuration,
    pub controller: ControllerKind,
    /// What follows is the config map controller's: one way of a request to the API server, and one
    /// way of its answer.
    pub request_latency: SimDuration,
    /// How often the informer redelivers its cache; zero: never.
    pub resync: SimDuration,
    /// Has the informer a handler for deletions?
    pub delete_handler: bool,
    /// Does reconcile change a copy of the cached object, and not the cached object itself?
    pub deep_copy: bool,
    /// After a 409: does reconcile return without an error, and wait for the event that is on its way?
    pub wait_on_conflict: bool,
}

impl Knobs {
    /// The world of the config map controller, on client-go's queue.
    pub fn config_map() -> Knobs {
        Knobs {
            controller: ControllerKind::ConfigMap,
            watch_delay: SimDuration::from_millis(10),
            ..Preset::ClientGo.knobs()
        }
    }
}

/// A named set of knobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// The article's program as published.
    Article,
    /// The same controller on client-go's queue, with work that takes time.
    ClientGo,
}

impl Preset {
    pub const ALL: [Preset; 2] = [Preset::Article, Preset::ClientGo];

    pub fn name(self) -> &'static str {
        match self {
            Preset::Article => "article",
            Preset::ClientGo => "client-go",
        }
    }

    pub fn knobs(self) -> Knobs {
        let millis = SimDuration::from_millis;
        let client_go = Knobs {
            controller: ControllerKind::Database,
            queue: QueueKind::ClientGo,
            channel_capacity: 64,
            channel_retry: SimDuration::from_secs(2),
            limiter: LimiterConfig::default_controller(),
            watch_buffer: 32,
            watch_delay: millis(5),
            fetch_time: SimDuration::ZERO,
            observe_time: millis(100),
            act_time: SimDuration::ZERO,
            result_time: SimDuration::ZERO,
            upgrade_time: millis(300),
            upgrade_failure_permille: 150,
            failing_upgrades: None,
            requeue_after: millis(500),
            workers: 1,
            owned_watched: true,
            restart_time: millis(400),
            burst_count: 10,
            burst_gap: millis(20),
            request_latency: millis(5),
            resync: SimDuration::from_secs(30),
            delete_handler: false,
            deep_copy: true,
            wait_on_conflict: false,
        };
        match self {
            Preset::ClientGo => client_go,
            // The program's own delays are microseconds; a millisecond each stands for them.
            Preset::Article => Knobs {
                queue: QueueKind::Channel,
                watch_delay: millis(1),
                fetch_time: millis(1),
                observe_time: millis(1),
                act_time: millis(1),
                result_time: millis(1),
                owned_watched: false,
                ..client_go
            },
        }
    }
}
