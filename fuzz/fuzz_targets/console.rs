//! Whatever is typed, line after line: it is answered, never a panic; what is printed is bounded and
//! harmless; what is asked is taken by the API server. After a blank line: whatever stands in the
//! editor.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loopscope::console::{OUTPUT_MAX, WorldView, complete, evaluate, json, manifest};
use loopscope::engine::apiserver::{ObjectId, Store};
use loopscope::engine::{Keys, SimTime};
use std::rc::Rc;

fuzz_target!(|text: &str| {
    let (lines, yaml) = text.split_once("\n\n").unwrap_or((text, ""));
    let documents = json::documents(&manifest::answer(yaml)).unwrap_or_default();
    let (mut store, mut keys) = (Store::default(), Keys::default());
    for line in lines.lines().take(16) {
        let mut world = WorldView::of_store(SimTime::ZERO, &store);
        Rc::make_mut(&mut world.files).insert("-".into(), documents.clone());
        complete(line, line.len(), &world);
        let reply = evaluate(line, &world);
        assert!(reply.output.len() <= OUTPUT_MAX + 1);
        for line in &reply.output {
            let harmless = |letter: char| letter == '\t' || !letter.is_control();
            assert!(line.text.chars().all(harmless), "{line:?}");
        }
        for request in &reply.requests {
            let id = ObjectId {
                kind: request.kind(),
                key: keys.intern(&request.key()),
            };
            let written = store.write(SimTime::ZERO, id, &request.verb());
            assert!(written.is_ok(), "{request:?} → {written:?}");
        }
    }
});
