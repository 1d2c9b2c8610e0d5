//! What each lane is in real Kubernetes, and what the real one does besides.

/// A lane of the picture, in the order in which data flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Station {
    Store,
    Watch,
    /// With its cache; in the place of the plain watch.
    Informer,
    Queue,
    Reconcile,
    Actual,
}

impl Station {
    /// Chapter one's.
    pub const ALL: [Station; 5] = [
        Station::Store,
        Station::Watch,
        Station::Queue,
        Station::Reconcile,
        Station::Actual,
    ];

    /// Its heading.
    pub fn name(self) -> &'static str {
        match self {
            Station::Store => "Store",
            Station::Watch => "Watch",
            Station::Informer => "Informer and cache",
            Station::Queue => "Work queue",
            Station::Reconcile => "Reconcile()",
            Station::Actual => "Actual",
        }
    }

    /// What stands in its place in a real cluster.
    pub fn real(self) -> &'static str {
        match self {
            Station::Store => {
                "etcd and kube-apiserver, drawn as one. Nobody but the API server talks to etcd; every other part of Kubernetes reads, writes and watches through the API server."
            }
            Station::Watch => {
                "A shared informer: it lists, then watches (by default now in one streaming list), keeps a local cache of the objects, and its event handlers put keys into the queue."
            }
            Station::Informer => {
                "A SharedIndexInformer of client-go. It lists, watches, keeps the cache, and calls event handlers; all controllers in one process share one for each kind."
            }
            Station::Queue => {
                "client-go's rate-limiting work queue: the keys that wait, those marked dirty, and those in a worker's hand. It holds names, never objects."
            }
            Station::Reconcile => {
                "controller-runtime's workers, each with one key at a time, and your reconcile.Reconciler, which answers with a ctrl.Result or an error. MaxConcurrentReconciles is 1 unless you set it."
            }
            Station::Actual => {
                "Whatever the controller is there for: Pods, a database cluster, something in a cloud. The object's spec says what is wanted; what really runs, a controller has to go and look at."
            }
        }
    }

    /// What the real one has and this one leaves out.
    pub fn adds(self) -> &'static str {
        match self {
            Station::Store => {
                "It authenticates, checks, completes and admits each write, and refuses an update made from an old resourceVersion with 409 Conflict."
            }
            Station::Watch => {
                "Reconcile reads the cache, which may be behind the store. Of a watcher that is too slow the API server closes the stream; it watches again from the last resourceVersion, and only if that was compacted it gets 410 Gone and lists again."
            }
            Station::Informer => {
                "Its first list is streamed over the watch by default now. It has indexes, can shrink objects before it keeps them, and asks for pages where a list is long."
            }
            Station::Queue => {
                "controller-runtime by default now has a priority queue in its place, without the bucket of 10 a second: keys that changed go before keys of the first list."
            }
            Station::Reconcile => {
                "It recovers panics, counts results and errors as metrics of its own, and with leader election lets only one of several processes work."
            }
            Station::Actual => {
                "Most operators act by writing further objects (a StatefulSet, a Service) with owner references, so that garbage collection removes them along with their owner."
            }
        }
    }
}
