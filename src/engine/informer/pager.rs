//! Fetches one list in pages.
//!
//! Mirrors `k8s.io/client-go/tools/pager`: further pages are asked for by token alone; where the
//! token has expired meanwhile, the whole list is asked for again in one piece.

use crate::engine::apiserver::ResourceVersion;
use crate::engine::apiserver::{ListOptions, Page, RequestError};
use std::rc::Rc;

/// One list under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Pager<O> {
    resource_version: ResourceVersion,
    limit: u32,
    state: State<O>,
}

#[derive(Clone, Debug, PartialEq)]
enum State<O> {
    /// The first page is under way.
    First,
    /// These came; the next page is under way.
    Further(Page<O>),
    /// The whole list is under way, after an expired token.
    Full,
}

/// What follows an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Paged<O> {
    /// Ask for this.
    Ask(ListOptions),
    /// The list is complete; `paginated`: there was more than one page.
    Done {
        list: Page<O>,
        paginated: bool,
    },
    Failed(RequestError),
}

impl<O> Pager<O> {
    /// A list at this version, in pages of `limit` (0: in one), and the first request of it.
    pub fn new(resource_version: ResourceVersion, limit: u32) -> (Pager<O>, ListOptions) {
        let first = ListOptions {
            resource_version: resource_version.clone(),
            limit,
            continue_token: None,
        };
        let pager = Pager {
            resource_version,
            limit,
            state: State::First,
        };
        (pager, first)
    }

    /// A page has come.
    pub fn page(&mut self, mut page: Page<O>) -> Paged<O> {
        let token = page.continue_token.take();
        let paginated = !matches!(self.state, State::First);
        let list = match std::mem::replace(&mut self.state, State::First) {
            State::First => page,
            // Whatever came in pages is thrown away, and a token here is not followed.
            State::Full => {
                return Paged::Done {
                    list: page,
                    paginated,
                };
            }
            State::Further(mut list) => {
                // The version of the list is that of its first page.
                list.items.append(&mut page.items);
                list
            }
        };
        match token {
            None => Paged::Done { list, paginated },
            Some(token) => {
                self.state = State::Further(list);
                Paged::Ask(self.further(token))
            }
        }
    }

    /// An error has come.
    pub fn error(&mut self, error: RequestError) -> Paged<O> {
        match self.state {
            // Reason `Expired` alone: `Gone` is not enough here.
            State::Further(_) if error == RequestError::Expired => {
                self.state = State::Full;
                Paged::Ask(ListOptions {
                    resource_version: self.resource_version.clone(),
                    limit: 0,
                    continue_token: None,
                })
            }
            _ => Paged::Failed(error),
        }
    }

    /// The limit of the pages.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    fn further(&self, token: Rc<str>) -> ListOptions {
        ListOptions {
            resource_version: ResourceVersion::default(),
            limit: self.limit,
            continue_token: Some(token),
        }
    }
}
