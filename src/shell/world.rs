//! The world that a line is typed into: what the store holds at the cursor, and the files.

use crate::console::{Value, WorldView, tree};
use crate::engine::apiserver::{DatabaseSpec, Object};
use crate::engine::sorted::Map;
use crate::engine::stimulus::Stimulus;
use crate::engine::time::SimTime;
use crate::scene::Chapter;
use crate::session::Session;

/// Namespaces that every cluster has, beside `default`.
const NAMESPACES: [&str; 3] = ["kube-node-lease", "kube-public", "kube-system"];

/// The world at the cursor. `editor` are the documents in the editor.
pub fn world(session: &Session, editor: Option<Vec<Value>>) -> WorldView {
    let playhead = session.playhead();
    let run = session.run();
    let records = &run.records()[..playhead.applied as usize];
    let now = SimTime(playhead.time as i64);
    let mut world = WorldView::of_records(now, run.keys(), records);
    world.namespaces = NAMESPACES.map(str::to_owned).into();
    world.files = files(session.chapter());
    if let Some(documents) = editor {
        world.files.insert("-".to_owned(), documents);
    }
    world
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
