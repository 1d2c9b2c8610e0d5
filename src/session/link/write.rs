//! From a visit to its link's text.

use super::word::{cursor_text, limiter_text, placed_text};
use super::{FORMAT, Link};
use crate::engine::knob::{Dial, KNOBS, Knob};
use crate::engine::knobs::{Knobs, Preset};
use crate::scene::DEFAULT_SEED;
use crate::session::run::Placed;
use crate::session::story::Telling;
use std::fmt;

/// A knob's setting as a word.
fn setting(knob: &Knob, knobs: &mut Knobs) -> String {
    match &knob.dial {
        Dial::Queue => Knobs::queue_name(knobs.queue).to_owned(),
        Dial::Limiter => limiter_text(&knobs.limiter),
        Dial::Duration(at, _) => at(knobs).to_string(),
        Dial::Count(at, _) => at(knobs).to_string(),
        Dial::Workers(_) => knobs.workers.to_string(),
        Dial::Permille(at) => at(knobs).to_string(),
        Dial::Flag(at) => if *at(knobs) { "yes" } else { "no" }.to_owned(),
        Dial::Attempts => match knobs.failing_upgrades.as_deref() {
            // As chance has it: has no word, for it is what is meant where nothing is said.
            None => String::new(),
            Some([]) => "none".to_owned(),
            Some(attempts) => list(attempts, u32::to_string),
        },
    }
}

fn list<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    let texts: Vec<String> = items.iter().map(text).collect();
    texts.join(",")
}

impl Link {
    /// Names and values, in the order in which they are written.
    fn settings(&self) -> Vec<(&'static str, String)> {
        let mut settings = Vec::new();
        let (mut knobs, mut usual) = (self.knobs.clone(), Preset::ClientGo.knobs());
        for knob in &KNOBS {
            let value = setting(knob, &mut knobs);
            if value != setting(knob, &mut usual) {
                settings.push((knob.name, value));
            }
        }
        if self.seed != DEFAULT_SEED {
            settings.push(("seed", self.seed.to_string()));
        }
        let done = |stimuli: &[Placed]| list(stimuli, placed_text);
        if !self.stimuli.is_empty() {
            settings.push(("do", done(&self.stimuli)));
        }
        if let Some(stimuli) = &self.variant_stimuli {
            settings.push(("variant-do", done(stimuli)));
        }
        if let Some(place) = self.cursor {
            let name = match self.telling {
                Telling::Main => "at",
                Telling::Variant => "variant-at",
            };
            settings.push((name, cursor_text(place)));
        }
        if let Some(step) = self.step {
            settings.push(("step", (step + 1).to_string()));
        }
        settings
    }
}

impl fmt::Display for Link {
    /// The fragment, without its `#`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{FORMAT}/{}/{}", self.chapter.id, self.scene + 1)?;
        for (number, (name, value)) in self.settings().into_iter().enumerate() {
            let before = if number == 0 { '?' } else { '&' };
            write!(f, "{before}{name}={value}")?;
        }
        Ok(())
    }
}
