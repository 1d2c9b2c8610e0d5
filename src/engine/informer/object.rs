//! What an informer asks of the objects it keeps.

use crate::engine::apiserver::{self, ResourceVersion};
use std::rc::Rc;

/// The name of the index by namespace.
pub const NAMESPACE_INDEX: &str = "namespace";

/// An object that can be cached. It is shared as `Rc<O>`; `Clone` is needed only to change one in
/// place ([`Informer::mutate_in_place`](super::Informer::mutate_in_place)).
pub trait Object: Clone {
    /// `namespace/name`, or `name` alone where there is no namespace.
    fn key(&self) -> Rc<str>;

    fn resource_version(&self) -> ResourceVersion;

    /// The values under which `index` lists this object: none, one or several.
    fn index_values(&self, _index: &str) -> Vec<Rc<str>> {
        Vec::new()
    }
}

impl Object for apiserver::Object {
    fn key(&self) -> Rc<str> {
        self.meta.key()
    }

    fn resource_version(&self) -> ResourceVersion {
        ResourceVersion::at(self.meta.resource_version)
    }

    fn index_values(&self, index: &str) -> Vec<Rc<str>> {
        match index {
            NAMESPACE_INDEX => vec![self.meta.namespace.clone()],
            _ => Vec::new(),
        }
    }
}
