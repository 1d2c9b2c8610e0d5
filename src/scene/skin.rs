//! The same loop in other words: Kubernetes' own, or a hotel with a housekeeper and a checklist.
//!
//! A skin changes what lanes and things are called and which sign they bear, nothing else: the
//! records are the same, and it can be put on in every scene of its chapter.

use super::Station;
use crate::engine::controller::Section;

/// A lane in the words of a skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneWords {
    pub lane: Station,
    pub title: &'static str,
    /// One line below it.
    pub note: &'static str,
    /// The sign's name.
    pub icon: &'static str,
}

/// Things that are drawn, and what a skin calls them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    Object,
    Label,
    /// The object as it shall be.
    Labelled,
    /// The object as it shall not be.
    Unlabelled,
    Cache,
    Event,
    Key,
    Worker,
    Reconcile,
    Write,
    Retry,
    Resync,
    Relist,
}

impl Thing {
    pub const ALL: [Thing; 13] = [
        Thing::Object,
        Thing::Label,
        Thing::Labelled,
        Thing::Unlabelled,
        Thing::Cache,
        Thing::Event,
        Thing::Key,
        Thing::Worker,
        Thing::Reconcile,
        Thing::Write,
        Thing::Retry,
        Thing::Resync,
        Thing::Relist,
    ];
}

/// A way to tell the loop.
#[derive(Debug, PartialEq, Eq)]
pub struct Skin {
    /// Its name in a setting.
    pub id: &'static str,
    /// Its name on the switch.
    pub name: &'static str,
    /// What the switch does.
    pub says: &'static str,
    pub lanes: &'static [LaneWords],
    /// The six steps of reconcile, in a word and in a line; none: they are shown as code.
    steps: Option<[[&'static str; 2]; Section::CONFIG_MAP.len()]>,
    /// The fifth where no deep copy is made.
    without_copy: [&'static str; 2],
    words: [&'static str; Thing::ALL.len()],
}

impl Skin {
    /// What this thing is called.
    pub fn word(&self, thing: Thing) -> &'static str {
        self.words[thing as usize]
    }

    /// A step of reconcile: a word, and a line.
    pub fn step(&self, section: Section, deep_copy: bool) -> Option<[&'static str; 2]> {
        if section == Section::DeepCopy && !deep_copy {
            return self.steps.map(|_| self.without_copy);
        }
        let place = Section::CONFIG_MAP.iter().position(|&it| it == section)?;
        self.steps.map(|steps| steps[place])
    }

    /// The words for a lane; a skin may not know one.
    pub fn lane(&self, lane: Station) -> Option<&LaneWords> {
        self.lanes.iter().find(|words| words.lane == lane)
    }
}

const fn lane(
    lane: Station,
    title: &'static str,
    note: &'static str,
    icon: &'static str,
) -> LaneWords {
    LaneWords {
        lane,
        title,
        note,
        icon,
    }
}

/// Kubernetes' own words.
pub static KUBERNETES: Skin = Skin {
    id: "kubernetes",
    name: "Kubernetes",
    says: "Lanes and things under their Kubernetes names",
    lanes: &[
        lane(Station::Store, "API server", "what is stored", "store"),
        lane(
            Station::Informer,
            "Informer and cache",
            "list, watch, a local copy",
            "watch",
        ),
        lane(
            Station::Queue,
            "Work queue",
            "names, each once at most",
            "queue",
        ),
        lane(
            Station::Reconcile,
            "Reconcile()",
            "read the cache, write to the API server",
            "reconcile",
        ),
    ],
    steps: None,
    without_copy: ["", ""],
    words: [
        "config map",
        "label",
        "managed-by",
        "no label",
        "cache",
        "event",
        "key",
        "worker",
        "reconcile",
        "update",
        "retry",
        "resync",
        "relist",
    ],
};

/// A hotel that keeps its rooms in order without asking who made the mess.
pub static HOUSEKEEPER: Skin = Skin {
    id: "housekeeper",
    name: "Housekeeper",
    says: "The same loop as a hotel: rooms, a floor plan, a clipboard, a housekeeper. Nothing that happens is different.",
    lanes: &[
        lane(Station::Store, "Rooms", "as they really are", "room"),
        lane(
            Station::Informer,
            "Floor plan",
            "what the desk believes about each room",
            "plan",
        ),
        lane(
            Station::Queue,
            "Clipboard",
            "room numbers, each once at most",
            "clipboard",
        ),
        lane(
            Station::Reconcile,
            "Housekeeper",
            "compares with the checklist, and does what is missing",
            "housekeeper",
        ),
    ],
    steps: Some([
        ["number", "read the room number"],
        ["plan", "look at the floor plan"],
        ["gone?", "no such room? done"],
        ["done?", "made up? done"],
        ["note", "note it on own paper"],
        ["make", "make up the room"],
    ]),
    without_copy: ["note", "note it on the plan"],
    words: [
        "room",
        "“made up” sign",
        "made up",
        "not made up",
        "floor plan",
        "bell",
        "room number",
        "housekeeper",
        "visit",
        "making up the room",
        "coming back later",
        "round of all rooms",
        "new floor plan",
    ],
};

/// All skins, the usual one first.
pub static SKINS: [&Skin; 2] = [&KUBERNETES, &HOUSEKEEPER];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::CONFIG_MAP;

    #[test]
    fn every_skin_has_words_for_every_lane_and_thing() {
        for skin in SKINS {
            for lane in CONFIG_MAP.lanes {
                assert!(skin.lane(*lane).is_some(), "{}: {lane:?}", skin.id);
            }
            for section in Section::CONFIG_MAP {
                let steps = [true, false].map(|copy| skin.step(section, copy));
                assert_eq!(steps[0].is_some(), skin != &KUBERNETES);
                for [short, long] in steps.into_iter().flatten() {
                    assert!(short.len() <= 6 && long.len() <= 24, "{long}");
                }
            }
            for (place, thing) in Thing::ALL.into_iter().enumerate() {
                assert_eq!(thing as usize, place);
                assert!(!skin.word(thing).is_empty());
            }
        }
    }
}
