//! From a visit to its link's text.

use super::word::{cursor_text, limiter_text, placed_text};
use super::{BESIDE, FORMAT, Link, YES};
use crate::engine::knob::{Dial, KNOBS, Knob};
use crate::engine::knobs::Knobs;
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
        Dial::Flag(at) => if *at(knobs) { YES } else { "no" }.to_owned(),
        Dial::Attempts => match knobs.failing_upgrades.as_deref() {
            None => "chance".to_owned(),
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
    fn settings(&self) -> Vec<(String, String)> {
        let mut settings = Vec::new();
        let turned = |knobs: &Knobs, usual: &Knobs| -> Vec<_> {
            let (mut knobs, mut usual) = (knobs.clone(), usual.clone());
            let settings = KNOBS.iter().map(|knob| {
                let value = setting(knob, &mut knobs);
                (value != setting(knob, &mut usual)).then_some((knob.name, value))
            });
            settings.flatten().collect()
        };
        for (name, value) in turned(&self.knobs, &self.chapter.knobs(self.scene)) {
            settings.push((name.to_owned(), value));
        }
        if let Some(beside) = &self.beside {
            let turned = turned(beside, &self.knobs);
            if turned.is_empty() {
                settings.push((BESIDE.to_owned(), YES.to_owned()));
            }
            for (name, value) in turned {
                settings.push((format!("{BESIDE}-{name}"), value));
            }
        }
        if self.seed != DEFAULT_SEED {
            settings.push(("seed".to_owned(), self.seed.to_string()));
        }
        let controller = self.chapter.controller;
        let done = |stimuli: &[Placed]| list(stimuli, |placed| placed_text(placed, controller));
        if !self.stimuli.is_empty() {
            settings.push(("do".to_owned(), done(&self.stimuli)));
        }
        if let Some(stimuli) = &self.variant_stimuli {
            settings.push(("variant-do".to_owned(), done(stimuli)));
        }
        if let Some(place) = self.cursor {
            let name = match self.telling {
                Telling::Main => "at",
                Telling::Variant => "variant-at",
            };
            settings.push((name.to_owned(), cursor_text(place, self.beside.is_some())));
        }
        if let Some(step) = self.step {
            settings.push(("step".to_owned(), (step + 1).to_string()));
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
