//! The store's objects as `kubectl get -o yaml` would show them, and what really runs.

use crate::engine::apiserver::Object;
use crate::engine::key::{Key, Keys};
use crate::engine::record::{Actual, Fact, Record};
use crate::engine::sorted::Set;
use crate::frame::View;
use std::fmt::Write;
use yew::prelude::*;

/// One key: what the store has, and what runs.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectCard {
    pub name: String,
    /// None: it is not in the store.
    pub yaml: Option<String>,
    pub actual: String,
}

/// What is known about every key that has an object or runs.
pub fn cards(view: &View, records: &[Record], keys: &Keys) -> Vec<ObjectCard> {
    let known = view.objects.keys().chain(view.actual.keys());
    let known: Set<Key> = known.copied().collect();
    let object = |key| {
        let card = view.objects.get(&key)?;
        match &records.get(card.record as usize)?.fact {
            Fact::Written { object, .. } => Some(object),
            _ => None,
        }
    };
    let card = |key| ObjectCard {
        name: keys.text(key).to_owned(),
        yaml: object(key).map(|object| yaml(keys.text(key), object)),
        actual: view
            .actual
            .get(&key)
            .map_or("nothing runs".to_owned(), |pods| runs(pods.actual)),
    };
    known.into_vec().into_iter().map(card).collect()
}

fn yaml(key: &str, object: &Object) -> String {
    let (namespace, name) = key.split_once('/').unwrap_or(("", key));
    let (meta, spec) = (&object.meta, object.database_spec());
    let mut text = format!(
        "apiVersion: demo.loopscope.dev/v1\nkind: DatabaseCluster\nmetadata:\n  name: {name}\n  namespace: {namespace}\n  generation: {}\n  resourceVersion: \"{}\"\n",
        meta.generation, meta.resource_version
    );
    if !meta.annotations.is_empty() {
        text.push_str("  annotations:\n");
    }
    for (name, value) in meta.annotations.iter() {
        let _ = writeln!(text, "    {name}: {value:?}");
    }
    let _ = write!(
        text,
        "spec:\n  replicas: {}\n  version: \"{}\"",
        spec.replicas, spec.version
    );
    text
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

#[derive(PartialEq, Properties)]
pub struct ObjectsProps {
    pub cards: Vec<ObjectCard>,
}

#[component]
pub fn Objects(props: &ObjectsProps) -> Html {
    if props.cards.is_empty() {
        return html! { <p class="empty">{ "The store holds no object yet." }</p> };
    }
    let cards = props.cards.iter().map(|card| {
        html! {
            <li key={card.name.clone()}>
                <h3 class="mono">{ &card.name }</h3>
                <pre class="mono">{ card.yaml.as_deref().unwrap_or("# not in the store") }</pre>
                <p><b>{ "Actual: " }</b>{ &card.actual }</p>
            </li>
        }
    });
    html! { <ul class="inventory" data-testid="objects">{ for cards }</ul> }
}
