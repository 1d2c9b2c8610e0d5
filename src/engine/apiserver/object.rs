//! What the store holds: objects with metadata and a body, one Rust type for every kind.
//!
//! Mirrors `k8s.io/apimachinery/pkg/apis/meta/v1` (`ObjectMeta`) as far as the chapters need it.
//! An object in the store is immutable and shared (`Rc`): a write replaces it, so whoever read it
//! before keeps what was read, as a client keeps its decoded copy.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

/// A database version, `major.minor`, such as `15.4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    pub major: u16,
    pub minor: u16,
}

impl Version {
    pub const fn new(major: u16, minor: u16) -> Version {
        Version { major, minor }
    }

    /// The next minor version: what the page's *Upgrade* asks for.
    pub fn next_minor(self) -> Version {
        Version {
            minor: self.minor.saturating_add(1),
            ..self
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Version, String> {
        let wrong = || format!("{text:?} is not a version: write it as major.minor, such as 15.5");
        let (major, minor) = text.split_once('.').ok_or_else(wrong)?;
        let number = |part: &str| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            digits
                .then(|| part.parse::<u16>().ok())
                .flatten()
                .ok_or_else(wrong)
        };
        Ok(Version {
            major: number(major)?,
            minor: number(minor)?,
        })
    }
}

impl Serialize for Version {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The desired state of a database cluster: the `spec` of the custom resource of chapter one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DatabaseSpec {
    pub replicas: u32,
    pub version: Version,
}

/// The part of an object that differs from kind to kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    DatabaseCluster(DatabaseSpec),
}

/// Metadata that every object has.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ObjectMeta {
    /// The store's revision at this object's last write.
    pub resource_version: u64,
    /// Grows with every change of the spec, not with metadata.
    pub generation: u64,
    pub annotations: BTreeMap<Rc<str>, Rc<str>>,
}

/// An object as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    pub meta: ObjectMeta,
    pub body: Body,
}

impl Object {
    /// A database cluster that has not been written yet.
    pub fn database(spec: DatabaseSpec) -> Object {
        Object {
            meta: ObjectMeta::default(),
            body: Body::DatabaseCluster(spec),
        }
    }

    /// The desired state, where the object is a database cluster.
    pub fn database_spec(&self) -> DatabaseSpec {
        let Body::DatabaseCluster(spec) = self.body;
        spec
    }

    /// The same, to be changed.
    pub fn database_spec_mut(&mut self) -> &mut DatabaseSpec {
        let Body::DatabaseCluster(spec) = &mut self.body;
        spec
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_two_numbers_and_nothing_else() {
        assert_eq!("15.4".parse(), Ok(Version::new(15, 4)));
        for wrong in [
            "", "15", "15.", ".4", "15.4.1", "v15.4", "+1.2", "15.99999", " 15.4",
        ] {
            assert!(wrong.parse::<Version>().is_err(), "{wrong:?}");
        }
    }
}
