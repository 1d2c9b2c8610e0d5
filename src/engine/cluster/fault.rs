//! What goes wrong because somebody asked for it.

use crate::engine::apiserver::ApiError;
use crate::engine::time::{SimDuration, SimTime};

/// Who writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    Person,
    Controller,
}

/// Faults that wait for their occasion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Writes are refused before this instant.
    pub refuse_until: SimTime,
    /// The next so many writes are refused.
    pub refuse_next: u32,
    /// So many of the controller's next writes are refused.
    pub refuse_controller: u32,
    /// So many of the next reconciles with something to do leave it undone.
    pub swallow: u32,
    /// So many of the next events are lost.
    pub lose: u32,
}

impl Faults {
    /// From now on, writes are refused for so long.
    pub fn refuse_for(&mut self, now: SimTime, span: SimDuration) {
        self.refuse_until = self.refuse_until.max(now + span);
    }

    /// May somebody write now? A fault that waited for this write is used up.
    ///
    /// # Errors
    /// 503, and nothing was written.
    pub fn admit(&mut self, now: SimTime, writer: Writer) -> Result<(), ApiError> {
        let refused = now < self.refuse_until
            || take(&mut self.refuse_next)
            || writer == Writer::Controller && take(&mut self.refuse_controller);
        if refused {
            Err(ApiError::ServiceUnavailable)
        } else {
            Ok(())
        }
    }
}

/// Use one up, if there is one.
pub fn take(count: &mut u32) -> bool {
    let some = *count > 0;
    *count = count.saturating_sub(1);
    some
}
