//! Whatever stands in the address bar: it is read or refused, never a panic and never a hang. What
//! is read can be written and read again, and opens as a visit that tells the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loopscope::session::{Link, Session};

/// The longest message about a link that cannot be read.
const SAID_MAX: usize = 600;

fuzz_target!(|text: &str| {
    let link = match Link::parse(text) {
        Ok(link) => link,
        Err(error) => {
            assert!(error.to_string().len() < SAID_MAX, "{error}");
            return;
        }
    };
    let written = link.to_string();
    assert_eq!(Link::parse(&written).as_ref(), Ok(&link), "{written}");
    let session = Session::open(link);
    let again = Session::open(session.link());
    assert_eq!(again.picture(), session.picture());
    assert_eq!(
        (again.scene(), again.step()),
        (session.scene(), session.step())
    );
    assert_eq!(again.link(), session.link(), "{written}");
});
