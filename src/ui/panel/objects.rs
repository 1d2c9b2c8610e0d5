//! The objects as `kubectl get -o yaml` would show them: what the store has, and beside it what really
//! runs, or what the informer's cache believes.

use crate::console::{WorldView, as_yaml};
use crate::engine::apiserver::{Kind, Object};
use crate::engine::key::{Key, Keys};
use crate::engine::record::Actual;
use crate::engine::sorted::Set;
use crate::frame::{Difference, View};
use crate::ui::el::{classes, el, el_of};
use yew::prelude::*;

/// A manifest, line by line; each with whether the other side has no such line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Side {
    pub title: &'static str,
    pub lines: Vec<(String, bool)>,
}

/// One key: what is known of its object.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectCard {
    pub name: String,
    pub sides: Vec<Side>,
    /// What the line below is about.
    pub about: &'static str,
    pub says: String,
    /// Is there a difference to be pointed at?
    pub differs: bool,
}

/// What is known about every key that has an object, runs, or is in the cache. `world` is the console's.
pub fn cards(view: &View, world: &WorldView, keys: &Keys) -> Vec<ObjectCard> {
    let databases: Set<Key> = view
        .objects
        .keys()
        .chain(view.actual.keys())
        .copied()
        .collect();
    let config_maps = view.config_maps.keys().chain(view.cache.keys());
    let config_maps: Set<Key> = config_maps.copied().collect();
    let databases = databases.into_vec().into_iter();
    let databases = databases.map(|key| database(key, view, world, keys));
    let config_maps = config_maps.into_vec().into_iter();
    databases
        .chain(config_maps.map(|key| config_map(key, view, keys)))
        .collect()
}

fn database(key: Key, view: &View, world: &WorldView, keys: &Keys) -> ObjectCard {
    // Chapter one's store keeps names beside its objects: the console knows them whole.
    let lines = match world.find(Kind::DatabaseCluster, keys.text(key)) {
        Some(object) => manifest(object),
        None => vec!["# not in the store".to_owned()],
    };
    let actual = view.actual.get(&key);
    ObjectCard {
        name: keys.text(key).to_owned(),
        sides: vec![Side {
            title: "",
            lines: lines.into_iter().map(|line| (line, false)).collect(),
        }],
        about: "Actual",
        says: actual.map_or("nothing runs".to_owned(), |pods| runs(pods.actual)),
        differs: false,
    }
}

fn config_map(key: Key, view: &View, keys: &Keys) -> ObjectCard {
    let name = keys.text(key);
    let (stored, cached) = (view.config_maps.get(&key), view.cache.get(&key));
    let stored = stored.map(|card| manifest(&card.object));
    let in_cache = cached.map(|cached| manifest(&cached.object));
    let says = match view.difference(key) {
        None => "the same as the store",
        Some(_) if cached.is_some_and(|cached| cached.scribbled) => {
            "changed in memory; the store knows nothing of it"
        }
        Some(Difference::Missing) => "has not heard of it yet",
        Some(Difference::Gone) => "has not heard that it is gone",
        Some(Difference::Other) => "is behind the store",
    };
    ObjectCard {
        name: name.to_owned(),
        sides: vec![
            side("Store", stored.as_deref(), in_cache.as_deref()),
            side("Cache", in_cache.as_deref(), stored.as_deref()),
        ],
        about: "Cache",
        says: says.to_owned(),
        differs: view.difference(key).is_some(),
    }
}

/// One side, held against the other.
fn side(title: &'static str, lines: Option<&[String]>, other: Option<&[String]>) -> Side {
    let Some(lines) = lines else {
        let gone = other.is_some();
        return Side {
            title,
            lines: vec![("# nothing".to_owned(), gone)],
        };
    };
    let differs = |line: &String| other.is_some_and(|other| !other.contains(line));
    Side {
        title,
        lines: lines
            .iter()
            .map(|line| (line.clone(), differs(line)))
            .collect(),
    }
}

/// The object as the console prints it, line by line.
fn manifest(object: &Object) -> Vec<String> {
    as_yaml(object).split('\n').map(str::to_owned).collect()
}

fn runs(actual: Actual) -> String {
    let version = actual.version.map_or("no version".to_owned(), |version| {
        format!("version {version}")
    });
    let health = if actual.healthy {
        "healthy"
    } else {
        "unhealthy"
    };
    format!("{} replicas, {version}, {health}", actual.replicas)
}

/// The panel.
pub fn objects(cards: &[ObjectCard]) -> Html {
    if cards.is_empty() {
        return el_of("p", "empty")
            .text("The store holds no object yet.")
            .into();
    }
    el_of("ul", "inventory")
        .attr("data-testid", "objects")
        .list(cards.iter().map(card))
        .into()
}

fn card(card: &ObjectCard) -> Html {
    let wide = card.sides.len() > 1;
    el_of("li", classes(&[if wide { "wide" } else { "" }]))
        .child(el_of("h3", "mono").text(card.name.clone()))
        .child(el_of("div", "sides").list(card.sides.iter().map(manifest_of)))
        .child(
            el_of("p", if card.differs { "differs" } else { "" })
                .child(el("b").text(format!("{}: ", card.about)))
                .text(card.says.clone()),
        )
        .into()
}

fn manifest_of(side: &Side) -> Html {
    let line = |(text, differs): &(String, bool)| -> Html {
        let mark = if *differs { "≠ " } else { "  " };
        el_of("span", if *differs { "other" } else { "" })
            .text(format!("{mark}{text}\n"))
            .into()
    };
    let compared = !side.title.is_empty();
    let plain =
        |(text, _): &(String, bool)| -> Html { el("span").text(format!("{text}\n")).into() };
    let lines = side.lines.iter();
    el("div")
        .when(compared, || el("h4").text(side.title))
        .child(
            el_of("pre", "mono")
                .list(lines.map(|one| if compared { line(one) } else { plain(one) })),
        )
        .into()
}
