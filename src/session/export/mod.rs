//! The run up to the cursor, to be kept or looked at elsewhere: as JSON Lines, and as a trace.

mod trace;
mod words;

use super::{Facts, Session};
use crate::engine::json::Object;
use trace::Trace;

impl Session {
    /// The records up to the cursor.
    pub fn past(&self) -> Facts<'_> {
        self.run().facts(..self.playhead().applied as usize)
    }

    /// The records up to the cursor as JSON Lines: what `control-loop --json` prints for this
    /// visit's link.
    pub fn json_lines(&self) -> String {
        let keys = self.run().keys();
        let lines = self.past().map(|record| record.to_json(keys) + "\n");
        lines.collect()
    }

    /// The run up to the cursor in the Chrome trace-event format, which Perfetto opens.
    pub fn trace(&self) -> String {
        let now = self.run().instant(self.playhead());
        let events = Trace::of(&self.past().collect::<Vec<_>>(), self.run().keys(), now);
        let other = Object::new()
            .text("made by", "Loopscope")
            .text("link", &self.link().to_string());
        Object::new()
            .text("displayTimeUnit", "ms")
            .object("otherData", other)
            .list("traceEvents", events.into_iter())
            .finish()
    }
}
