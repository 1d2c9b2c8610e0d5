//! What the API server promises to those who list and watch.

use super::*;

#[test]
fn a_list_and_the_events_after_it_miss_nothing() {
    let mut server = Server::default();
    server.create("b");
    server.create("a");
    let (version, names, _) = server.list("", 0, None).unwrap();
    assert_eq!((&*version, &*names), ("2", "a b"), "in the order of names");
    server.label("a", Some("red")).unwrap();
    let mut stream = server.watch(&version, false);
    server.delete("b").unwrap();
    server.create("c");
    assert_eq!(told(&stream.pull(&server.store)), "~a@3 -b@4 +c@5");
    assert_eq!(told(&stream.pull(&server.store)), "");
    assert_eq!(told(&[stream.bookmark()]), "^5");
    // Other kinds are no news, but they move the bookmark.
    let database = Object::database(DatabaseSpec {
        replicas: 1,
        version: Version::new(15, 4),
    });
    server.store.create(Key(7), database).unwrap();
    assert_eq!(told(&stream.pull(&server.store)), "");
    assert_eq!(told(&[stream.bookmark()]), "^6");
}

#[test]
fn a_watch_from_before_the_window_is_told_410_and_nothing_more() {
    let mut server = Server {
        store: Store::with_window(3),
        ..Server::default()
    };
    for name in ["a", "b", "c", "d", "e"] {
        server.create(name);
    }
    assert_eq!(server.store.compacted(), 2);
    assert_eq!(
        told(&server.watch("2", false).pull(&server.store)),
        "+c@3 +d@4 +e@5"
    );
    let mut stream = server.watch("1", false);
    assert_eq!(told(&stream.pull(&server.store)), "!Expired");
    assert!(stream.has_ended());
    server.create("f");
    assert_eq!(told(&stream.pull(&server.store)), "");
    server.store.compact();
    assert_eq!(
        told(&server.watch("5", false).pull(&server.store)),
        "!Expired"
    );
    assert_eq!(told(&server.watch("6", false).pull(&server.store)), "");
}

#[test]
fn a_streaming_list_ends_its_initial_events_with_a_bookmark() {
    let mut server = Server::default();
    server.create("b");
    server.create("a");
    let mut stream = server.watch("", true);
    server.label("b", Some("red")).unwrap();
    assert_eq!(told(&stream.pull(&server.store)), "+a@2 +b@1 ^$2 ~b@3");
    assert_eq!(
        told(&server.watch("0", false).pull(&server.store)),
        "+a@2 +b@3"
    );
    let mut early = server.watch("9", true);
    assert_eq!(told(&early.pull(&server.store)), "!TooLargeResourceVersion");
}

#[test]
fn pages_come_from_one_revision_whatever_is_written_between() {
    let mut server = Server::default();
    for name in ["a", "b", "c", "d", "e"] {
        server.create(name);
    }
    let page = |version: &str, names: &str, token: Option<&str>| {
        Ok((
            version.to_owned(),
            names.to_owned(),
            token.map(str::to_owned),
        ))
    };
    assert_eq!(
        server.list("", 2, None),
        page("5", "a b", Some("5 default/b"))
    );
    server.delete("c").unwrap();
    server.create("cc");
    assert_eq!(
        server.list("", 2, Some("5 default/b")),
        page("5", "c d", Some("5 default/d"))
    );
    assert_eq!(
        server.list("", 2, Some("5 default/d")),
        page("5", "e", None)
    );
    assert_eq!(
        server.list("6", 9, None),
        page("6", "a b d e", None),
        "exactly"
    );
    assert_eq!(
        server.list("6", 0, None),
        page("7", "a b cc d e", None),
        "not older"
    );
    assert_eq!(
        server.list("0", 2, None),
        page("7", "a b cc d e", None),
        "from the cache"
    );
    server.store.compact();
    let expired = server.list("", 2, Some("5 default/d"));
    assert_eq!(expired, Err(RequestError::Expired));
    assert_eq!(
        server.list("8", 0, None),
        Err(RequestError::TooLargeResourceVersion)
    );
    assert_eq!(server.list("x", 0, None), Err(RequestError::BadRequest));
    assert_eq!(server.list("", 2, Some("x")), Err(RequestError::BadRequest));
}
