//! What the store holds: objects with metadata and a body, one Rust type for every kind.
//!
//! A config map is `ConfigMap` of `k8s.io/api/core/v1`, without `binaryData` and `immutable`.
//! An object in the store is immutable and shared (`Rc`): a write replaces it, so whoever read it
//! before keeps what was read, as a client keeps its decoded copy.

use super::meta::{ObjectMeta, Pairs};
use serde::Serialize;
use std::fmt;
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

/// What a config map holds.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct ConfigMap {
    pub data: Pairs,
}

/// The part of an object that differs from kind to kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind")]
pub enum Body {
    DatabaseCluster(DatabaseSpec),
    ConfigMap(ConfigMap),
}

impl Body {
    pub fn kind(&self) -> Kind {
        match self {
            Body::DatabaseCluster(_) => Kind::DatabaseCluster,
            Body::ConfigMap(_) => Kind::ConfigMap,
        }
    }
}

/// The kinds of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Kind {
    DatabaseCluster,
    ConfigMap,
}

impl Kind {
    pub const ALL: [Kind; 2] = [Kind::DatabaseCluster, Kind::ConfigMap];

    /// The word in a manifest.
    pub fn word(self) -> &'static str {
        match self {
            Kind::DatabaseCluster => "DatabaseCluster",
            Kind::ConfigMap => "ConfigMap",
        }
    }

    /// The word in an address.
    pub fn plural(self) -> &'static str {
        match self {
            Kind::DatabaseCluster => "databaseclusters",
            Kind::ConfigMap => "configmaps",
        }
    }

    /// Has it a `generation`? A config map has none: it has no spec apart from its status.
    pub fn counts_generations(self) -> bool {
        self == Kind::DatabaseCluster
    }

    /// May an update leave out the version that it is based on? Not for custom resources.
    pub fn takes_unconditional_updates(self) -> bool {
        self == Kind::ConfigMap
    }
}

/// An object as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

    /// A config map that has not been written yet.
    pub fn config_map(namespace: &str, name: &str) -> Object {
        Object {
            meta: ObjectMeta::named(namespace, name),
            body: Body::ConfigMap(ConfigMap::default()),
        }
    }

    /// The desired state. Only for objects that are known to be database clusters.
    pub fn database_spec(&self) -> DatabaseSpec {
        match &self.body {
            Body::DatabaseCluster(spec) => *spec,
            other => panic!("a database cluster, not a {}", other.kind().word()),
        }
    }

    /// The same, to be changed.
    pub fn database_spec_mut(&mut self) -> &mut DatabaseSpec {
        match &mut self.body {
            Body::DatabaseCluster(spec) => spec,
            other => panic!("a database cluster, not a {}", other.kind().word()),
        }
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
