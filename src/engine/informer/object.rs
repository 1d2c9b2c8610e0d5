//! What an informer asks of the objects it keeps, and the opaque version they carry.

use std::fmt;
use std::rc::Rc;

/// A resource version as a client sees it: opaque, good for handing back and for comparing with
/// `==`, never for ordering. The empty one means "none".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceVersion(Rc<str>);

impl ResourceVersion {
    pub fn new(text: &str) -> ResourceVersion {
        ResourceVersion(text.into())
    }

    /// `"0"`: in a request, "any version you have at hand".
    pub fn any() -> ResourceVersion {
        ResourceVersion::new("0")
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Default for ResourceVersion {
    fn default() -> ResourceVersion {
        ResourceVersion::new("")
    }
}

impl fmt::Display for ResourceVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

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
