//! The knobs that a visitor may turn: names, units, bounds, and what Kubernetes has by default.
//!
//! As data, so that a panel needs no knowledge of any of them. The bounds keep a run within what
//! can be looked at; they are narrower than what the engine stands.

mod table;
mod what_if;

pub use table::KNOBS;
pub use what_if::WhatIf;

use crate::engine::decimal::decimal;
use crate::engine::fixed::short;
use crate::engine::knobs::{ControllerKind, Knobs, QueueKind};

/// One setting of the simulated world.
#[derive(Debug)]
pub struct Knob {
    pub name: &'static str,
    /// What it is, in a sentence.
    pub says: &'static str,
    /// What Kubernetes has by default, if it has the like.
    pub default: &'static str,
    /// It matters only with this queue.
    pub only: Option<QueueKind>,
    /// It matters only with this controller.
    pub of: Option<ControllerKind>,
    pub field: Field,
}

impl Knob {
    /// Does it change anything in such a world?
    pub fn matters(&self, knobs: &Knobs) -> bool {
        self.only.is_none_or(|only| only == knobs.queue)
            && self.of.is_none_or(|of| of == knobs.controller)
    }

    /// Is it set alike in both?
    pub fn is_same(&self, a: &Knobs, b: &Knobs) -> bool {
        match &self.field {
            Field::Number(number) => (number.get)(a) == (number.get)(b),
            Field::Choice(choices) => choices
                .iter()
                .all(|choice| (choice.is)(a) == (choice.is)(b)),
        }
    }

    /// Set it in `to` as it is in `from`.
    pub fn copy(&self, from: &Knobs, to: &mut Knobs) {
        match &self.field {
            Field::Number(number) => (number.set)(to, (number.get)(from)),
            Field::Choice(choices) => {
                if let Some(choice) = choices.iter().find(|choice| (choice.is)(from)) {
                    (choice.set)(to);
                }
            }
        }
    }

    /// The same knobs but for this one: a fifth of the number, or four times as much where it is
    /// smallest already; another choice where there are several.
    pub fn turned(&self, knobs: &Knobs) -> Knobs {
        let mut turned = knobs.clone();
        match &self.field {
            Field::Number(number) => {
                let (now, per) = ((number.get)(knobs), number.per);
                let (min, max) = (number.min * per, number.max * per);
                let less = (now / 5).clamp(min, max);
                let more = now.max(per).saturating_mul(4).clamp(min, max);
                (number.set)(&mut turned, if less == now { more } else { less });
            }
            Field::Choice(choices) => {
                if let Some(choice) = choices.iter().find(|choice| !(choice.is)(knobs)) {
                    (choice.set)(&mut turned);
                }
            }
        }
        turned
    }

    /// Its value in words.
    pub fn value(&self, knobs: &Knobs) -> String {
        match &self.field {
            Field::Number(number) => format!("{} {}", number.text(knobs), number.unit),
            Field::Choice(choices) => {
                let chosen = choices.iter().find(|choice| (choice.is)(knobs));
                chosen
                    .map_or("something else", |choice| choice.label)
                    .to_owned()
            }
        }
    }
}

/// The knobs of the run beside when those of the leading run change from `old` to `new`: what was
/// different stays different. Where the change makes both alike, they change places.
pub fn carry(old: &Knobs, beside: &Knobs, new: &Knobs) -> Knobs {
    let mut carried = new.clone();
    for knob in KNOBS.iter().filter(|knob| !knob.is_same(old, beside)) {
        knob.copy(beside, &mut carried);
        if knob.is_same(new, &carried) {
            knob.copy(old, &mut carried);
        }
    }
    carried
}

/// How it is set.
#[derive(Debug)]
pub enum Field {
    Number(Number),
    Choice(&'static [Choice]),
}

/// A number within bounds, in units of which `per` make one that is shown.
#[derive(Debug)]
pub struct Number {
    pub unit: &'static str,
    per: i64,
    pub min: i64,
    pub max: i64,
    get: fn(&Knobs) -> i64,
    set: fn(&mut Knobs, i64),
}

impl Number {
    /// As it is shown, without its unit.
    pub fn text(&self, knobs: &Knobs) -> String {
        short((self.get)(knobs) as f64 / self.per as f64, 3).to_string()
    }

    /// What to set, or a sentence that says why not.
    pub fn parse(&self, text: &str, knobs: &Knobs) -> Result<Knobs, String> {
        let wrong = || {
            let Number { min, max, unit, .. } = self;
            format!("from {min} to {max} {unit}")
        };
        let number = decimal(text.trim()).ok_or_else(wrong)?;
        if !(self.min as f64..=self.max as f64).contains(&number) {
            return Err(wrong());
        }
        let mut knobs = knobs.clone();
        (self.set)(&mut knobs, (number * self.per as f64).round() as i64);
        Ok(knobs)
    }
}

/// One of several.
#[derive(Debug)]
pub struct Choice {
    pub label: &'static str,
    is: fn(&Knobs) -> bool,
    set: fn(&mut Knobs),
}

impl Choice {
    pub fn is_chosen(&self, knobs: &Knobs) -> bool {
        (self.is)(knobs)
    }

    pub fn choose(&self, knobs: &Knobs) -> Knobs {
        let mut knobs = knobs.clone();
        (self.set)(&mut knobs);
        knobs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::knobs::Preset;

    #[test]
    fn every_number_reads_back_what_it_shows_and_refuses_what_is_out_of_bounds() {
        let worlds = Preset::ALL.map(Preset::knobs).into_iter();
        for knobs in worlds.chain([Knobs::config_map()]) {
            for knob in &KNOBS {
                let Field::Number(number) = &knob.field else {
                    continue;
                };
                let text = number.text(&knobs);
                assert_eq!(
                    number.parse(&text, &knobs).as_ref(),
                    Ok(&knobs),
                    "{}",
                    knob.name
                );
                for bound in [number.min, number.max] {
                    let set = number.parse(&bound.to_string(), &knobs).unwrap();
                    assert_eq!(number.text(&set), bound.to_string(), "{}", knob.name);
                    assert_eq!(set.check(), Ok(()), "{}", knob.name);
                }
                for wrong in ["", "x", "NaN", "1e99", "-1", "inf"] {
                    assert!(
                        number.parse(wrong, &knobs).is_err(),
                        "{}: {wrong}",
                        knob.name
                    );
                }
            }
        }
    }

    #[test]
    fn a_choice_that_was_made_is_the_chosen_one() {
        for opening in [Preset::ClientGo.knobs(), Knobs::config_map()] {
            for what_if in WhatIf::of(opening.controller) {
                let mut knobs = opening.clone();
                for chosen in [true, false] {
                    knobs = what_if.toggle(&knobs);
                    assert_eq!(what_if.is_chosen(&knobs), chosen, "{}", what_if.label());
                }
                assert_eq!(knobs, opening, "taken back");
            }
        }
        let choices = KNOBS.iter().filter_map(|knob| match &knob.field {
            Field::Choice(choices) => Some(choices.iter()),
            Field::Number(_) => None,
        });
        for choice in choices.flatten() {
            let chosen = choice.choose(&Preset::Article.knobs());
            assert_eq!(chosen.check(), Ok(()), "{}", choice.label);
            assert!(choice.is_chosen(&chosen), "{}", choice.label);
        }
    }
}
