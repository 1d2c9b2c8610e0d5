//! Metadata that every object has, whatever its kind.
//!
//! Mirrors `ObjectMeta` and `OwnerReference` of `k8s.io/apimachinery/pkg/apis/meta/v1`.

use super::Kind;
use crate::engine::sorted::Map;
use crate::engine::time::SimTime;
use serde::Serialize;
use std::fmt;
use std::rc::Rc;

/// Labels, annotations, a config map's data: names and values.
pub type Pairs = Map<Rc<str>, Rc<str>>;

/// Tells two objects of the same name apart, one of which was deleted before the other was made.
/// Upstream it is random; here it follows from the revision that made the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Uid(pub u64);

impl Uid {
    /// Not given yet; in a request: whichever.
    pub const NONE: Uid = Uid(0);
}

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00000000-0000-4000-8000-{:012x}", self.0)
    }
}

impl Serialize for Uid {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Metadata that every object has.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct ObjectMeta {
    pub namespace: Rc<str>,
    pub name: Rc<str>,
    pub uid: Uid,
    /// The store's revision at this object's last write; 0: not written yet, or, in a request,
    /// whichever is the newest.
    pub resource_version: u64,
    /// Grows with every change of the spec, not with metadata. Stays 0 for kinds that do not count.
    pub generation: u64,
    pub creation_timestamp: Option<SimTime>,
    /// Somebody has deleted it, but finalizers keep it.
    pub deletion_timestamp: Option<SimTime>,
    pub labels: Pairs,
    pub annotations: Pairs,
    /// Who must let go before a deleted object is gone.
    pub finalizers: Vec<Rc<str>>,
    pub owner_references: Vec<OwnerReference>,
}

impl ObjectMeta {
    /// Metadata of an object that is still to be created.
    pub fn named(namespace: &str, name: &str) -> ObjectMeta {
        ObjectMeta {
            namespace: namespace.into(),
            name: name.into(),
            ..ObjectMeta::default()
        }
    }

    /// `namespace/name`, or `name` alone where there is no namespace.
    pub fn key(&self) -> Rc<str> {
        if self.namespace.is_empty() {
            return self.name.clone();
        }
        format!("{}/{}", self.namespace, self.name).into()
    }
}

/// Whom an object belongs to: it goes when its owners are gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OwnerReference {
    pub kind: Kind,
    pub name: Rc<str>,
    pub uid: Uid,
    /// The owner is the one controller that manages it.
    pub controller: bool,
    pub block_owner_deletion: bool,
}

/// May an object be called so? A DNS subdomain, as RFC 1123 has it.
pub fn is_valid_name(name: &str) -> bool {
    let edge = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let label = |label: &str| {
        let bytes = label.as_bytes();
        edge(bytes.first())
            && edge(bytes.last())
            && bytes.iter().all(|&byte| byte == b'-' || edge(Some(&byte)))
    };
    name.len() <= 253 && name.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_dns_subdomain() {
        for right in ["hello", "a", "kube-root-ca.crt", "0", "a--b"] {
            assert!(is_valid_name(right), "{right:?}");
        }
        let long = "a".repeat(254);
        for wrong in [
            "", "Hello", "-a", "a-", "a..b", ".", "a_b", "ä", "a b", &long,
        ] {
            assert!(!is_valid_name(wrong), "{wrong:?}");
        }
    }
}
