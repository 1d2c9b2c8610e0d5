//! Reading: lists, whole and in pages.
//!
//! Mirrors the semantics of `resourceVersion` in lists (`k8s.io/apiserver/pkg/storage`): empty is
//! the newest, `0` is whatever is at hand (here the newest, and in one piece, as out of the watch
//! cache), a number without a limit is "not older than", a number with one is "exactly". Further
//! pages come from the revision of the first; if that was compacted, 410.
//!
//! Left out on purpose: selectors, `resourceVersionMatch`, `remainingItemCount`; a continue token is
//! readable here and opaque upstream.

use super::message::{ListOptions, Page, RequestError, ResourceVersion};
use super::store::Store;
use super::{Kind, Object};
use crate::engine::sorted::Map;
use std::rc::Rc;

/// Objects by `namespace/name`.
type Listing = Map<Rc<str>, Rc<Object>>;

impl Store {
    /// The objects of `kind` in `namespace` (none: in all), in the order of their names.
    ///
    /// # Errors
    /// 410 for a revision that was compacted, 504 for one that has not come, 400 for what is none.
    pub fn list(
        &self,
        kind: Kind,
        namespace: Option<&str>,
        options: &ListOptions,
    ) -> Result<Page<Object>, RequestError> {
        let asked = &options.resource_version;
        let (revision, after) = match &options.continue_token {
            Some(token) => {
                let (revision, after) = token.split_once(' ').ok_or(RequestError::BadRequest)?;
                (number(revision)?, Some(after))
            }
            None if asked.is_empty() || *asked == ResourceVersion::any() => (self.revision(), None),
            None => (number(asked.as_str())?, None),
        };
        if revision > self.revision() {
            return Err(RequestError::TooLargeResourceVersion);
        }
        let unlimited = options.limit == 0 || *asked == ResourceVersion::any();
        let whole = unlimited && after.is_none();
        let revision = if whole { self.revision() } else { revision };
        let listing = self.listing(kind, namespace, revision)?;
        let mut rest = listing.beyond(after);
        let limit = if unlimited { u32::MAX } else { options.limit };
        let page: Vec<_> = rest.by_ref().take(limit as usize).collect();
        let last = page.last().map(|(key, _)| (*key).clone());
        let continue_token = rest
            .next()
            .and(last)
            .map(|last| format!("{revision} {last}").into());
        Ok(Page {
            resource_version: ResourceVersion::at(revision),
            items: page.into_iter().map(|(_, object)| object.clone()).collect(),
            continue_token,
        })
    }

    /// What there was at `revision`: what there is, with every later event undone.
    pub(super) fn listing(
        &self,
        kind: Kind,
        namespace: Option<&str>,
        revision: u64,
    ) -> Result<Listing, RequestError> {
        if revision < self.compacted() {
            return Err(RequestError::Expired);
        }
        let wanted = |object: &Object| namespace.is_none_or(|name| *object.meta.namespace == *name);
        let mut listing: Listing = self
            .of_kind(kind)
            .map(|object| (object.meta.key(), object.clone()))
            .collect();
        let later = self.past_events().rev();
        for event in later.take_while(|event| event.revision > revision) {
            if event.id.kind == kind {
                let key = event.object.meta.key();
                match &event.previous {
                    Some(previous) => listing.insert(key, previous.clone()),
                    None => listing.remove(&key),
                };
            }
        }
        listing.retain(|_, object| wanted(object));
        Ok(listing)
    }
}

/// A resource version as the server reads it.
pub(super) fn number(text: &str) -> Result<u64, RequestError> {
    text.parse().map_err(|_| RequestError::BadRequest)
}
