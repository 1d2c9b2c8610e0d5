//! Which of the reader's answers is waited for.
//!
//! The reader answers one text after another, in order, and cannot be told to stop. So texts are
//! counted when they are sent, answers when they come, and what is not the latest text's is not
//! heard.

/// The texts that were sent to a reader, and what is still to come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    sent: u32,
    answered: u32,
    /// The number of the text whose answer is waited for.
    wanted: Option<u32>,
}

impl Reading {
    /// A text was sent: from now on its answer is waited for, and no other's.
    pub fn send(&mut self) {
        self.sent += 1;
        self.wanted = Some(self.sent);
    }

    /// The text is no longer what it was, or has gone: its answer is not wanted any more.
    pub fn forget(&mut self) {
        self.wanted = None;
    }

    /// Is an answer waited for?
    pub fn is_waited_for(&self) -> bool {
        self.wanted.is_some()
    }

    /// An answer has come: is it the one that is waited for?
    pub fn answer(&mut self) -> bool {
        self.answered += 1;
        let wanted = self.wanted == Some(self.answered);
        if wanted {
            self.wanted = None;
        }
        wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_heard_if_it_is_the_latest_text_s() {
        let mut reading = Reading::default();
        reading.send();
        assert!(reading.is_waited_for());
        assert!(reading.answer());
        assert!(!reading.is_waited_for());
    }

    #[test]
    fn what_was_edited_or_closed_while_it_was_read_is_not_taken_for_what_was_sent_after_it() {
        let mut reading = Reading::default();
        reading.send();
        reading.forget();
        assert!(!reading.is_waited_for());
        reading.send();
        assert!(!reading.answer(), "the first text's");
        assert!(reading.is_waited_for());
        assert!(reading.answer(), "the second's");
        reading.send();
        reading.forget();
        assert!(!reading.answer(), "nobody waits");
    }
}
