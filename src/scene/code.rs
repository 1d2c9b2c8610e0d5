//! The reconcile functions as one would write them, in Go and in Rust, cut into their sections.
//!
//! Names and signatures are those of controller-runtime, client-go and kube-rs. Each does what the
//! engine's reconciler does, in its order, and under the same knobs.

mod config_map;
mod database;

use crate::engine::controller::Section;
use crate::engine::knobs::{ControllerKind, Knobs};

/// A language to read it in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    Go,
    Rust,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::Go, Language::Rust];

    pub fn name(self) -> &'static str {
        match self {
            Language::Go => "Go",
            Language::Rust => "Rust",
        }
    }

    /// The function of a world's controller, in order.
    pub fn listing(self, knobs: &Knobs) -> Vec<Block> {
        match (knobs.controller, self) {
            (ControllerKind::Database, Language::Go) => database::GO.to_vec(),
            (ControllerKind::Database, Language::Rust) => database::RUST.to_vec(),
            (ControllerKind::ConfigMap, Language::Go) => config_map::go(knobs),
            (ControllerKind::ConfigMap, Language::Rust) => config_map::rust(knobs),
        }
    }

    /// What the reader should know besides.
    pub fn remark(self, controller: ControllerKind) -> &'static str {
        match (controller, self) {
            (ControllerKind::Database, Language::Go) => {
                "In the style of Kubebuilder. An error that is returned is a requeue: the work queue's limiter says when."
            }
            (ControllerKind::Database, Language::Rust) => {
                "In the style of kube-rs, which hands over the object itself and never calls reconcile for one that is gone: a finalizer holds the object until it is cleaned up. An error goes to your error_policy, which says when to try again."
            }
            (ControllerKind::ConfigMap, Language::Go) => {
                "On client-go: the lister reads the informer's cache, the client writes to the API server. The worker around it calls Forget where this returns nil, AddRateLimited where it returns an error, and Done in either case."
            }
            (ControllerKind::ConfigMap, Language::Rust) => {
                "On kube-rs's reflector store, with a work queue as in Go. The store hands out an Arc, so the cached object cannot be changed in place: the fault of scene 8 does not compile, and deep copy cannot be switched off here."
            }
        }
    }
}

/// Lines that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// None: around the sections.
    pub section: Option<Section>,
    pub code: &'static str,
}

/// What a section does, in words.
pub fn purpose(section: Section) -> &'static str {
    match section {
        Section::Fetch => "fetch desired state",
        Section::Observe => "observe actual state",
        Section::Act => "compare and act",
        Section::Result => "say what comes next",
        Section::SplitKey => "split the key",
        Section::ReadCache => "read the cache",
        Section::Exists => "gone? done",
        Section::Labelled => "labelled already? done",
        Section::DeepCopy => "deep copy",
        Section::WriteBack => "write back",
    }
}

const fn around(code: &'static str) -> Block {
    Block {
        section: None,
        code,
    }
}

const fn of(section: Section, code: &'static str) -> Block {
    Block {
        section: Some(section),
        code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::knobs::Preset;

    fn worlds() -> Vec<Knobs> {
        let config_map = Knobs::config_map();
        let other = |deep_copy, wait_on_conflict| Knobs {
            deep_copy,
            wait_on_conflict,
            ..config_map.clone()
        };
        vec![
            Preset::ClientGo.knobs(),
            other(true, false),
            other(false, false),
            other(true, true),
        ]
    }

    #[test]
    fn each_listing_has_every_section_once_and_in_order() {
        for (knobs, language) in worlds()
            .iter()
            .flat_map(|knobs| Language::ALL.map(|l| (knobs, l)))
        {
            let listing = language.listing(knobs);
            let sections: Vec<Section> = listing.iter().filter_map(|block| block.section).collect();
            assert_eq!(
                sections,
                Section::of(knobs.controller),
                "{}",
                language.name()
            );
            let lines: Vec<&str> = listing
                .iter()
                .flat_map(|block| block.code.lines())
                .collect();
            assert!(lines.len() <= 40 && lines.iter().all(|line| line.len() <= 90));
            let code = lines.join("\n");
            for (open, close) in [('{', '}'), ('(', ')'), ('[', ']')] {
                assert_eq!(code.matches(open).count(), code.matches(close).count());
            }
        }
    }

    #[test]
    fn the_listing_has_the_fault_that_the_world_has() {
        let [_, usual, scribbling, calm] = &worlds()[..] else {
            panic!("four worlds");
        };
        let go = |knobs: &Knobs| -> String {
            let blocks = Language::Go.listing(knobs);
            blocks.iter().map(|block| block.code).collect()
        };
        assert!(go(usual).contains("DeepCopy()") && !go(usual).contains("IsConflict"));
        assert!(!go(scribbling).contains("DeepCopy()"));
        assert!(go(calm).contains("IsConflict"));
    }
}
