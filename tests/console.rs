//! The console against recordings of kubectl, its table of commands and errors, and hostile input.

#[path = "console/hostile.rs"]
mod hostile;
#[cfg(feature = "yaml")]
#[path = "console/manifest.rs"]
mod manifest;
#[path = "console/recording.rs"]
mod recording;
#[path = "console/table.rs"]
mod table;

use loopscope::console::{Line, Reply, Request, Stream, Value, WorldView, evaluate};
use loopscope::engine::apiserver::{ObjectId, Store, WriteVerb};
use loopscope::engine::{Keys, SimTime};
use std::rc::Rc;

/// An API server and a person who types.
#[derive(Default)]
struct Session {
    store: Store,
    keys: Keys,
    stdin: Vec<Value>,
}

impl Session {
    /// 2m5s after the beginning, at which everything is created.
    fn world(&self) -> WorldView {
        let mut world = WorldView::of_store(SimTime::from_millis(125_000), &self.store);
        world.namespaces = vec!["elsewhere".into(), "other".into()];
        Rc::make_mut(&mut world.files).insert("-".into(), self.stdin.clone());
        world
    }

    fn ask(&mut self, line: &str) -> Reply {
        let reply = evaluate(line, &self.world());
        for request in &reply.requests {
            self.send(request);
        }
        reply
    }

    fn send(&mut self, request: &Request) {
        let key = self.keys.intern(&request.key());
        let id = ObjectId {
            kind: request.kind(),
            key,
        };
        let verb = request.verb();
        let written = self.store.write(SimTime::ZERO, id, &verb);
        assert!(written.is_ok(), "{request:?} → {written:?}");
        assert!(!matches!(verb, WriteVerb::Update(_)));
    }
}

/// With `! ` before what goes to the standard error.
fn shown(output: &[Line]) -> Vec<String> {
    let line = |line: &Line| match line.stream {
        Stream::Out => line.text.clone(),
        Stream::Err if line.text.is_empty() => "!".to_owned(),
        Stream::Err => format!("! {}", line.text),
    };
    output.iter().map(line).collect()
}
