//! The informer's side: it starts, it asks the API server, it calls event handlers.

use super::{Cluster, Cue};
use crate::engine::agenda::Class;
use crate::engine::apiserver::{Object, Request, ResourceVersion, Verb};
use crate::engine::controller::Subscription;
use crate::engine::informer::{Effect, Notification};
use crate::engine::key::Key;
use crate::engine::record::{Asked, Causes, Fact, Handler, RecordId, Why};
use crate::engine::workqueue::AddOptions;

/// What the informer does now happened because of these.
pub(super) struct Occasion<'a> {
    /// What it was told, or the deadline's cause.
    pub cause: RecordId,
    /// The change of the cache that a notification is about, by key.
    pub changes: &'a [(Key, RecordId)],
}

impl Cluster {
    pub(super) fn subscription(&mut self) -> &mut Subscription {
        let subscription = self.controller.subscription.as_deref_mut();
        subscription.expect("the controller is up and has an informer")
    }

    /// The informer starts.
    #[inline(never)]
    pub(super) fn subscribe(&mut self, started: RecordId) {
        let subscription = Subscription::new(&self.knobs, self.seed, self.now);
        self.controller.subscription = Some(Box::new(subscription));
        self.follow_informer(&Occasion {
            cause: started,
            changes: &[],
        });
    }

    /// A deadline of the informer: a resync, or the end of a back-off.
    #[inline(never)]
    pub(super) fn wake_informer(&mut self) {
        let now = self.now;
        let sub = self.subscription();
        // A deadline that was moved leaves a cue behind that nobody waits for.
        if sub.wake_at != Some(now) {
            return;
        }
        sub.wake_at = None;
        sub.informer.advance(now);
        let cause = sub.backoff_cause.or(sub.resync_cause);
        let cause = cause.expect("the informer waits for nothing that did not begin");
        self.follow_informer(&Occasion {
            cause,
            changes: &[],
        });
    }

    /// The informer's next deadline goes on the agenda.
    pub(super) fn keep_informer(&mut self) {
        let life = self.controller.life;
        let Some(sub) = self.controller.subscription.as_deref_mut() else {
            return;
        };
        if let Some(due) = sub.informer.next_deadline()
            && sub.wake_at != Some(due)
        {
            sub.wake_at = Some(due);
            self.agenda
                .push(due, Class::Deadline, Cue::WakeInformer { life });
        }
    }

    /// Let what the informer has just done take effect.
    #[inline(never)]
    pub(super) fn follow_informer(&mut self, occasion: &Occasion) {
        let mut cause = occasion.cause;
        for (_, effect) in self.subscription().informer.take_effects() {
            match effect {
                Effect::Requested(request) => self.ask(request, cause),
                Effect::BackedOff { until, .. } => {
                    let fact = Fact::BackedOff { until };
                    let record = self.record(Causes::one(cause), fact);
                    self.subscription().backoff_cause = Some(record);
                }
                Effect::Synced => {
                    self.record(Causes::one(cause), Fact::Synced);
                }
                Effect::ResyncChecked { due: 0 } => {}
                Effect::ResyncChecked { .. } => {
                    let sub = self.subscription();
                    let objects = sub.informer.store().len() as u32;
                    let since = sub.resync_cause.unwrap_or(cause);
                    cause = self.record(Causes::one(since), Fact::Resynced { objects });
                    self.subscription().resync_cause = Some(cause);
                }
                Effect::Called { notification, .. } => {
                    self.call_handler(&notification, cause, occasion.changes);
                }
                // The request's failure says so already; a call is over in no time.
                Effect::WatchFailed(_) | Effect::Queued { .. } | Effect::Returned { .. } => {}
            }
        }
    }

    /// An event handler does the one thing it does: it enqueues the key.
    fn call_handler(
        &mut self,
        notification: &Notification<Object>,
        cause: RecordId,
        changes: &[(Key, RecordId)],
    ) {
        let handler = Handler::of(&notification.change);
        if handler == Handler::Delete && !self.knobs.delete_handler {
            return;
        }
        let key = self.keys.intern(&notification.change.object().meta.key());
        let changed = changes.binary_search_by_key(&key, |change| change.0);
        let cause = changed.map_or(cause, |place| changes[place].1);
        let fact = Fact::HandlerCalled {
            handler,
            key,
            source: notification.cause,
        };
        let called = self.record(Causes::one(cause), fact);
        self.enqueue(Why::Event, key, AddOptions::default(), called);
    }

    fn ask(&mut self, request: Request, cause: RecordId) {
        let version = |version: &ResourceVersion| version.as_str().into();
        let asked = match &request.verb {
            Verb::List(options) => Asked::List {
                resource_version: version(&options.resource_version),
            },
            Verb::Watch(options) => Asked::Watch {
                resource_version: version(&options.resource_version),
            },
        };
        let arrives = self.now + self.knobs.request_latency;
        let cause = self.record(Causes::one(cause), Fact::Requested { asked, arrives });
        let sub = self.subscription();
        sub.messages += 1;
        sub.backoff_cause = None;
        let life = self.controller.life;
        let request = Box::new(request);
        let cue = Cue::Ask {
            life,
            request,
            cause,
        };
        self.agenda.push(arrives, Class::Delivery, cue);
    }
}
