//! What the API server promises to those who write; those who list and watch are in `reading`.

mod reading;

use super::*;
use crate::engine::key::{Key, Keys};
use crate::engine::time::SimTime;
use std::rc::Rc;

/// A server with the texts of its keys, as a client meets it.
#[derive(Clone, Default)]
struct Server {
    store: Store,
    keys: Keys,
}

impl Server {
    fn id(&mut self, name: &str) -> ObjectId {
        ObjectId::config_map(self.keys.intern(&format!("default/{name}")))
    }

    fn write(&mut self, name: &str, verb: WriteVerb) -> Result<Write, ApiError> {
        let id = self.id(name);
        self.store.write(SimTime::from_millis(7), id, &verb)
    }

    fn create(&mut self, name: &str) -> Rc<Object> {
        let object = Object::config_map("default", name);
        self.write(name, WriteVerb::Create(Rc::new(object)))
            .expect("created");
        self.get(name)
    }

    fn label(&mut self, name: &str, value: Option<&str>) -> Result<Write, ApiError> {
        self.write(name, WriteVerb::Patch(MergePatch::label("colour", value)))
    }

    fn delete(&mut self, name: &str) -> Result<Write, ApiError> {
        self.write(name, WriteVerb::Delete(Preconditions::default()))
    }

    fn get(&mut self, name: &str) -> Rc<Object> {
        let id = self.id(name);
        self.store.get(id).expect("there").clone()
    }

    fn list(&self, version: &str, limit: u32, token: Option<&str>) -> Listed {
        let options = ListOptions {
            resource_version: ResourceVersion::new(version),
            limit,
            continue_token: token.map(Rc::from),
        };
        let page = self
            .store
            .list(Kind::ConfigMap, Some("default"), &options)?;
        let names = page.items.iter().map(|object| object.meta.name.to_string());
        Ok((
            page.resource_version.to_string(),
            names.collect::<Vec<_>>().join(" "),
            page.continue_token.map(|token| token.to_string()),
        ))
    }

    fn watch(&self, version: &str, send_initial_events: bool) -> WatchStream {
        let options = WatchOptions {
            resource_version: ResourceVersion::new(version),
            timeout: crate::engine::time::SimDuration::from_secs(300),
            send_initial_events,
        };
        WatchStream::open(&self.store, Kind::ConfigMap, None, &options).expect("a number")
    }
}

type Listed = Result<(String, String, Option<String>), RequestError>;

/// Events in short: `+a@1 ~a@2 -a@3 ^4 !Expired`, `^$4` where the initial events end.
fn told(events: &[WatchEvent<Object>]) -> String {
    let object = |sign, object: &Rc<Object>| {
        let meta = &object.meta;
        format!("{sign}{}@{}", meta.name, meta.resource_version)
    };
    let words = events.iter().map(|event| match event {
        WatchEvent::Added(added) => object('+', added),
        WatchEvent::Modified(modified) => object('~', modified),
        WatchEvent::Deleted(deleted) => object('-', deleted),
        WatchEvent::Bookmark {
            resource_version,
            initial_events_end,
        } => format!(
            "^{}{resource_version}",
            if *initial_events_end { "$" } else { "" }
        ),
        WatchEvent::Error(error) => format!("!{error:?}"),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_new_object_gets_uid_version_and_time_from_the_server() {
    let mut server = Server::default();
    let object = server.create("hello");
    assert_eq!(object.meta.resource_version, 1);
    assert_eq!(
        object.meta.creation_timestamp,
        Some(SimTime::from_millis(7))
    );
    assert_eq!(object.meta.generation, 0, "a config map counts none");
    let again = Object::config_map("default", "hello");
    let create = WriteVerb::Create(Rc::new(again));
    assert_eq!(server.write("hello", create), Err(ApiError::AlreadyExists));
    server.delete("hello").unwrap();
    assert_ne!(server.create("hello").meta.uid, object.meta.uid);
    let used = WriteVerb::Create(object);
    assert_eq!(server.write("other", used), Err(ApiError::BadRequest));
    let unnamed = WriteVerb::Create(Rc::new(Object::config_map("default", "No")));
    assert_eq!(server.write("No", unnamed), Err(ApiError::Invalid));
}

#[test]
fn an_update_from_a_stale_copy_is_refused_and_nothing_is_lost() {
    let mut server = Server::default();
    let stale = server.create("hello");
    server.label("hello", Some("red")).unwrap();
    let mut mine = Object::clone(&stale);
    mine.meta.labels.insert("mine".into(), "1".into());
    let update = WriteVerb::Update(Rc::new(mine));
    assert_eq!(server.write("hello", update), Err(ApiError::Conflict));
    let fresh = server.get("hello");
    let mut mine = Object::clone(&fresh);
    mine.meta.labels.insert("mine".into(), "1".into());
    server
        .write("hello", WriteVerb::Update(Rc::new(mine)))
        .unwrap();
    let labels = &server.get("hello").meta.labels;
    assert_eq!(
        labels.keys().map(|name| &**name).collect::<Vec<_>>(),
        ["colour", "mine"]
    );
}

#[test]
fn a_config_map_takes_an_update_without_version_and_a_custom_resource_does_not() {
    let mut server = Server::default();
    server.create("hello");
    let mut mine = Object::config_map("default", "hello");
    mine.meta.labels.insert("mine".into(), "1".into());
    let update = WriteVerb::Update(Rc::new(mine));
    assert!(matches!(
        server.write("hello", update),
        Ok(Write::Revision { .. })
    ));

    let mut database = Object::database(DatabaseSpec {
        replicas: 3,
        version: Version::new(15, 4),
    });
    database.meta = ObjectMeta::named("default", "db");
    let id = ObjectId::from(Key(9));
    let mut write = |verb| server.store.write(SimTime::ZERO, id, &verb);
    write(WriteVerb::Create(Rc::new(database.clone()))).unwrap();
    assert_eq!(
        write(WriteVerb::Update(Rc::new(database))),
        Err(ApiError::Invalid)
    );
    let data = MergePatch {
        data: [("greeting".into(), Some("world".into()))].into(),
        ..MergePatch::default()
    };
    assert_eq!(write(WriteVerb::Patch(data)), Err(ApiError::Invalid));
}

#[test]
fn what_is_not_there_cannot_be_written_to() {
    let mut server = Server::default();
    let object = Rc::new(Object::config_map("default", "hello"));
    assert_eq!(
        server.write("hello", WriteVerb::Update(object)),
        Err(ApiError::NotFound)
    );
    assert_eq!(server.label("hello", None), Err(ApiError::NotFound));
    assert_eq!(server.delete("hello"), Err(ApiError::NotFound));
    assert_eq!(server.store.revision(), 0);
}

#[test]
fn a_merge_patch_changes_what_it_names_and_keeps_the_rest() {
    let mut server = Server::default();
    server.create("hello");
    let patch = |pairs: &[(&str, Option<&str>)]| MergePatch {
        data: pairs
            .iter()
            .map(|&(name, value)| (name.into(), value.map(Rc::from)))
            .collect(),
        ..MergePatch::default()
    };
    let first = patch(&[("a", Some("1")), ("b", Some("2"))]);
    server.write("hello", WriteVerb::Patch(first)).unwrap();
    let second = patch(&[("b", None), ("c", Some("3")), ("d", None)]);
    server
        .write("hello", WriteVerb::Patch(second.clone()))
        .unwrap();
    let Body::ConfigMap(config) = &server.get("hello").body else {
        panic!("a config map")
    };
    let data: Vec<_> = config
        .data
        .iter()
        .map(|(k, v)| format!("{k}={v}"))
        .collect();
    assert_eq!(data, ["a=1", "c=3"]);
    let again = server.write("hello", WriteVerb::Patch(second));
    assert_eq!(again, Ok(Write::Unchanged), "no revision for no change");
    assert_eq!(server.store.revision(), 3);
    let stale = MergePatch {
        resource_version: 1,
        ..patch(&[("a", Some("9"))])
    };
    assert_eq!(
        server.write("hello", WriteVerb::Patch(stale)),
        Err(ApiError::Conflict)
    );
}

#[test]
fn a_writer_cannot_change_what_the_system_keeps() {
    let mut server = Server::default();
    let created = server.create("hello");
    let mut mine = Object::clone(&created);
    mine.meta.creation_timestamp = None;
    mine.meta.deletion_timestamp = Some(SimTime::ZERO);
    mine.meta.generation = 40;
    let update = server.write("hello", WriteVerb::Update(Rc::new(mine)));
    assert_eq!(update, Ok(Write::Unchanged));
    let mut other = Object::clone(&created);
    other.meta.uid = Uid(77);
    let update = server.write("hello", WriteVerb::Update(Rc::new(other)));
    assert_eq!(update, Err(ApiError::Conflict), "another object is meant");
}

#[test]
fn a_finalizer_keeps_a_deleted_object_until_it_is_taken_away() {
    let mut server = Server::default();
    server.create("hello");
    let finalizers = |names: &[&str]| {
        WriteVerb::Patch(MergePatch {
            finalizers: Some(names.iter().map(|&name| name.into()).collect()),
            ..MergePatch::default()
        })
    };
    server.write("hello", finalizers(&["a", "b"])).unwrap();
    let mut stream = server.watch("2", false);
    server.delete("hello").unwrap();
    assert!(server.get("hello").meta.deletion_timestamp.is_some());
    assert_eq!(server.delete("hello"), Ok(Write::Unchanged), "asked again");
    let more = finalizers(&["a", "b", "c"]);
    assert_eq!(server.write("hello", more), Err(ApiError::Invalid));
    server.write("hello", finalizers(&["b"])).unwrap();
    server.write("hello", finalizers(&[])).unwrap();
    let id = server.id("hello");
    assert_eq!(server.store.get(id), None);
    assert_eq!(
        told(&stream.pull(&server.store)),
        "~hello@3 ~hello@4 -hello@5"
    );
}

#[test]
fn a_delete_with_preconditions_spares_another_object_of_the_same_name() {
    let mut server = Server::default();
    let first = server.create("hello");
    server.delete("hello").unwrap();
    server.create("hello");
    let only = Preconditions {
        uid: first.meta.uid,
        ..Preconditions::default()
    };
    let delete = server.write("hello", WriteVerb::Delete(only));
    assert_eq!(delete, Err(ApiError::Conflict));
    let only = Preconditions {
        resource_version: 3,
        ..Preconditions::default()
    };
    assert!(server.write("hello", WriteVerb::Delete(only)).is_ok());
}

#[test]
fn two_kinds_of_one_name_are_two_objects_under_one_revision() {
    let mut server = Server::default();
    server.create("hello");
    let key = server.id("hello").key;
    let database = Object::database(DatabaseSpec {
        replicas: 1,
        version: Version::new(15, 4),
    });
    server.store.create(key, database).unwrap();
    assert_eq!(server.store.iter().count(), 2);
    assert_eq!(server.store.get(key).unwrap().meta.resource_version, 2);
    assert_eq!(server.get("hello").meta.resource_version, 1);
}
