//! The world that a line is typed into: what the store holds at the cursor, and the files.

use crate::console::{Files, Value, WorldView, tree};
use crate::engine::apiserver::{DatabaseSpec, Kind, Object};
use crate::engine::knobs::ControllerKind;
use crate::engine::sorted::Map;
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimTime;
use crate::scene::Chapter;
use crate::session::Session;
use std::rc::Rc;

/// Namespaces that every cluster has, beside `default`.
const NAMESPACES: [&str; 3] = ["kube-node-lease", "kube-public", "kube-system"];

/// The world at the cursor.
pub fn world(session: &Session) -> WorldView {
    let run = session.run();
    let world = WorldView::of_records(now(session), run.keys(), session.past());
    furnished(world, session, Rc::new(files(session.chapter())))
}

/// The instant of the cursor.
pub fn now(session: &Session) -> SimTime {
    SimTime(session.playhead().time as i64)
}

/// The world with what is in it beside its objects.
pub fn furnished(mut world: WorldView, session: &Session, files: Files) -> WorldView {
    world.namespaces = NAMESPACES.map(str::to_owned).into();
    world.files = files;
    world.served = served(session.chapter().controller).to_vec();
    world
}

/// The kinds that the API server knows. Config maps are everywhere; the other one wants its
/// definition, which is installed together with the controller that cares about it.
fn served(controller: ControllerKind) -> &'static [Kind] {
    match controller {
        ControllerKind::Database => &Kind::ALL,
        ControllerKind::ConfigMap => &[Kind::ConfigMap],
    }
}

/// The manifests that lie about: those of the objects that the chapter tells of.
pub fn files(chapter: &Chapter) -> Map<String, Vec<Value>> {
    let manifests = chapter.scenes.iter().filter_map(|scene| {
        let key = scene.stimulus.key()?;
        let (namespace, name) = key.split_once('/').unwrap_or(("default", key));
        let object = match &scene.stimulus {
            Stimulus::Create {
                replicas, version, ..
            } => {
                let (replicas, version) = (*replicas, *version);
                let mut object = Object::database(DatabaseSpec { replicas, version });
                object.meta.namespace = namespace.into();
                object.meta.name = name.into();
                object
            }
            // What the controller adds is in nobody's file.
            Stimulus::CreateConfigMap { manifest, .. }
            | Stimulus::ApplyConfigMap { manifest, .. }
                if manifest.labels.is_empty() =>
            {
                manifest.object(namespace, name)
            }
            _ => return None,
        };
        Some((format!("{name}.yaml"), vec![tree(&object)]))
    });
    let mut files = Map::new();
    for (name, documents) in manifests {
        // The first of a name: what the chapter begins with.
        files.get_or_insert_with(name, || documents);
    }
    files
}
