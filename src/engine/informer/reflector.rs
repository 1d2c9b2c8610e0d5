//! List, then watch from there; when that ends, back off and begin again.
//!
//! Mirrors `k8s.io/client-go/tools/cache/reflector.go`. A cycle is a list (or a streaming list) and
//! then one watch after the other, each from the last version that was seen.
//!
//! Guarantees: at most one request is under way; an answer to any other is not taken. A stream that
//! ends cleanly is watched again at once, unless it was very short. What a watch may survive by
//! being asked again (connection refused, 429) is asked again after a back-off; anything else ends
//! the cycle. The resync timer runs from the list to the end of the cycle.
//!
//! Left out on purpose: a page size set by hand, retrying a 500 on the stream on the spot
//! (`MaxInternalErrorRetryDuration`, zero by default).

mod watch;

use super::backoff::BackOff;
use super::delta::{Cache, Delta};
use super::effect::{Context, Effect};
use super::notification::Cause;
use super::object::Object;
use super::pager::{Paged, Pager};
use crate::engine::apiserver::ResourceVersion;
use crate::engine::apiserver::{Answer, ListOptions, Page, Request, RequestError, RequestId, Verb};
use crate::engine::sorted::Map;
use crate::engine::time::{SimDuration, SimTime};
use std::rc::Rc;

/// Objects in a page.
const PAGE_SIZE: u32 = 500;

/// The objects of a streaming list, until it is complete.
type Snapshot<O> = Map<Rc<str>, Rc<O>>;

/// What the reflector is at.
#[derive(Clone, Debug)]
enum Phase<O> {
    Idle,
    List {
        request: RequestId,
        pager: Pager<O>,
        /// The version of the first request of this list.
        version: ResourceVersion,
        /// It is asked for a second time, without version.
        again: bool,
    },
    Watch {
        request: RequestId,
        since: SimTime,
        /// Events that came; none: the stream is not open yet.
        events: Option<u64>,
        snapshot: Option<Snapshot<O>>,
    },
    BackOff {
        until: SimTime,
        then: Next,
    },
    Stopped,
}

/// What follows a back-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Cycle,
    Watch,
}

/// What the reflector waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    NotStarted,
    /// The answer to a list.
    List,
    /// The answer to a watch.
    Watch,
    /// Events on an open stream.
    Stream,
    BackOff {
        until: SimTime,
    },
    Stopped,
}

#[derive(Clone, Debug)]
pub(super) struct Reflector<O> {
    /// Is the first list streamed?
    watch_list: bool,
    phase: Phase<O>,
    backoff: BackOff,
    last_version: ResourceVersion,
    /// The server did not have the last version, and no list has worked since.
    version_unavailable: bool,
    /// The first list came in pages, so all do.
    paginated: bool,
    resync_at: Option<SimTime>,
    next_request: u64,
}

impl<O: Object> Reflector<O> {
    pub fn new(watch_list: bool) -> Reflector<O> {
        Reflector {
            watch_list,
            phase: Phase::Idle,
            backoff: BackOff::new(SimTime::ZERO),
            last_version: ResourceVersion::default(),
            version_unavailable: false,
            paginated: false,
            resync_at: None,
            next_request: 0,
        }
    }

    pub fn last_version(&self) -> &ResourceVersion {
        &self.last_version
    }

    pub fn waiting(&self) -> Waiting {
        match self.phase {
            Phase::Idle => Waiting::NotStarted,
            Phase::List { .. } => Waiting::List,
            Phase::Watch { events: None, .. } => Waiting::Watch,
            Phase::Watch { .. } => Waiting::Stream,
            Phase::BackOff { until, .. } => Waiting::BackOff { until },
            Phase::Stopped => Waiting::Stopped,
        }
    }

    /// The request under way; an open stream is one.
    pub fn request(&self) -> Option<RequestId> {
        match self.phase {
            Phase::List { request, .. } | Phase::Watch { request, .. } => Some(request),
            Phase::Idle | Phase::BackOff { .. } | Phase::Stopped => None,
        }
    }

    pub fn start(&mut self, cx: &mut Context<O>) {
        self.backoff = BackOff::new(cx.now());
        self.begin_cycle(cx);
    }

    pub fn stop(&mut self) {
        self.phase = Phase::Stopped;
        self.resync_at = None;
    }

    pub fn next_deadline(&self) -> Option<SimTime> {
        let backoff = match self.phase {
            Phase::BackOff { until, .. } => Some(until),
            _ => None,
        };
        [backoff, self.resync_at].into_iter().flatten().min()
    }

    /// Time has come to `cx.now()`.
    pub fn advance(&mut self, cx: &mut Context<O>, cache: &mut Cache<O>) {
        if self.resync_at.is_some_and(|at| at <= cx.now()) {
            let due = cache.processor.check_resync(cx.now());
            cx.emit(Effect::ResyncChecked { due });
            if due > 0 {
                cache.apply(cx.out, Delta::Sync);
            }
            self.start_resync_timer(cx, cache);
        }
        if let Phase::BackOff { until, then } = self.phase
            && until <= cx.now()
        {
            match then {
                Next::Cycle => self.begin_cycle(cx),
                Next::Watch => self.begin_watch(cx),
            }
        }
    }

    /// The server answers. False: that request is not under way, or has no such answer.
    pub fn answer(
        &mut self,
        cx: &mut Context<O>,
        cache: &mut Cache<O>,
        request: RequestId,
        answer: Answer<O>,
    ) -> bool {
        if self.request() != Some(request) {
            return false;
        }
        match (&mut self.phase, answer) {
            (Phase::List { pager, .. }, Answer::Page(page)) => {
                let paged = pager.page(page);
                self.paged(cx, cache, paged);
            }
            (Phase::List { pager, .. }, Answer::Failed(error)) => {
                let paged = pager.error(error);
                self.paged(cx, cache, paged);
            }
            (Phase::Watch { events, .. }, Answer::Opened) if events.is_none() => *events = Some(0),
            (Phase::Watch { events: None, .. }, Answer::Failed(error)) => {
                self.watch_refused(cx, error);
            }
            (
                Phase::Watch {
                    events: Some(_), ..
                },
                Answer::Event(event),
            ) => {
                self.event(cx, cache, event);
            }
            (
                Phase::Watch {
                    events: Some(_), ..
                },
                Answer::Closed,
            ) => self.closed(cx),
            _ => return false,
        }
        true
    }

    fn ask(&mut self, cx: &mut Context<O>, verb: Verb) -> RequestId {
        let id = RequestId(self.next_request);
        self.next_request += 1;
        cx.emit(Effect::Requested(Request { id, verb }));
        id
    }

    fn back_off(&mut self, cx: &mut Context<O>, then: Next) {
        let jitter = cx.draws.jitter();
        let until = cx.now() + self.backoff.next(cx.now(), jitter);
        self.phase = Phase::BackOff { until, then };
        cx.emit(Effect::BackedOff { jitter, until });
    }

    fn begin_cycle(&mut self, cx: &mut Context<O>) {
        if self.watch_list {
            self.begin_watch_list(cx);
        } else {
            self.begin_list(cx);
        }
    }

    fn end_cycle(&mut self, cx: &mut Context<O>) {
        self.resync_at = None;
        self.back_off(cx, Next::Cycle);
    }

    fn start_resync_timer(&mut self, cx: &Context<O>, cache: &Cache<O>) {
        let period = cache.processor.check_period();
        self.resync_at = (period > SimDuration::ZERO).then(|| cx.now() + period);
    }
}

/// The list.
impl<O: Object> Reflector<O> {
    fn begin_list(&mut self, cx: &mut Context<O>) {
        let version = if self.version_unavailable {
            ResourceVersion::default()
        } else if self.last_version.is_empty() {
            ResourceVersion::any()
        } else {
            self.last_version.clone()
        };
        // A list at a given version comes out of the server's cache, which knows no pages.
        let given = !version.is_empty() && version != ResourceVersion::any();
        let limit = if given && !self.paginated {
            0
        } else {
            PAGE_SIZE
        };
        self.ask_list(cx, version.clone(), version, limit, false);
    }

    fn ask_list(
        &mut self,
        cx: &mut Context<O>,
        version: ResourceVersion,
        asked: ResourceVersion,
        limit: u32,
        again: bool,
    ) {
        let (pager, options) = Pager::new(asked, limit);
        let request = self.ask(cx, Verb::List(options));
        self.phase = Phase::List {
            request,
            pager,
            version,
            again,
        };
    }

    fn paged(&mut self, cx: &mut Context<O>, cache: &mut Cache<O>, paged: Paged<O>) {
        match paged {
            Paged::Ask(options) => self.ask_page(cx, options),
            Paged::Done { list, paginated } => self.listed(cx, cache, list, paginated),
            Paged::Failed(error) => self.list_failed(cx, error),
        }
    }

    fn ask_page(&mut self, cx: &mut Context<O>, options: ListOptions) {
        let next = self.ask(cx, Verb::List(options));
        if let Phase::List { request, .. } = &mut self.phase {
            *request = next;
        }
    }

    fn listed(
        &mut self,
        cx: &mut Context<O>,
        cache: &mut Cache<O>,
        list: Page<O>,
        paginated: bool,
    ) {
        if let Phase::List { version, .. } = &self.phase
            && *version == ResourceVersion::any()
            && paginated
        {
            self.paginated = true;
        }
        self.replace(cx, cache, list.items, list.resource_version, Cause::List);
        self.begin_watch(cx);
    }

    /// The whole state has come: into the cache with it, and the resync timer starts.
    fn replace(
        &mut self,
        cx: &mut Context<O>,
        cache: &mut Cache<O>,
        items: Vec<Rc<O>>,
        version: ResourceVersion,
        cause: Cause,
    ) {
        self.version_unavailable = false;
        self.last_version = version.clone();
        let replaced = Delta::Replaced {
            items,
            version,
            cause,
        };
        cache.apply(cx.out, replaced);
        self.start_resync_timer(cx, cache);
    }

    fn list_failed(&mut self, cx: &mut Context<O>, error: RequestError) {
        if error.is_version_unavailable() {
            self.version_unavailable = true;
            if let Phase::List {
                again: false,
                pager,
                version,
                ..
            } = &self.phase
            {
                let (version, limit) = (version.clone(), pager.limit());
                self.ask_list(cx, version, ResourceVersion::default(), limit, true);
                return;
            }
        }
        cx.emit(Effect::WatchFailed(error));
        self.end_cycle(cx);
    }
}
