//! A run asked for in words, as the terminal's flags and a script on the page name it.

use super::{CONTROL_LOOP, Played};
use crate::engine::knobs::{Knobs, Preset};
use std::rc::Rc;

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub preset: Preset,
    pub seed: u64,
    /// The upgrade attempts that fail, counted from 1, instead of chance.
    pub failing: Option<Vec<u32>>,
}

impl Asked {
    pub fn knobs(&self) -> Rc<Knobs> {
        Rc::new(Knobs {
            failing_upgrades: self.failing.clone(),
            ..self.preset.knobs()
        })
    }

    /// Play the chapter so.
    pub fn play(&self) -> Played {
        CONTROL_LOOP.play(&self.knobs(), self.seed)
    }
}

/// A preset by its name.
///
/// # Errors
/// What may be written instead.
pub fn read_preset(text: &str) -> Result<Preset, String> {
    let named = |preset: &Preset| preset.name() == text;
    Preset::ALL.into_iter().find(named).ok_or_else(|| {
        let names = Preset::ALL.map(Preset::name).join(" and ");
        format!("the presets are {names}")
    })
}

/// # Errors
/// What may be written instead.
pub fn read_seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

/// A scene by its number; inside, scenes are counted from 0.
///
/// # Errors
/// What may be written instead.
pub fn read_scene(text: &str) -> Result<usize, String> {
    let last = CONTROL_LOOP.scenes.len();
    match text.parse::<usize>() {
        Ok(number) if (1..=last).contains(&number) => Ok(number - 1),
        _ => Err(format!("scenes have the numbers 1 to {last}")),
    }
}

/// Upgrade attempts, such as `2,3`, or `none`.
///
/// # Errors
/// What may be written instead.
pub fn read_failing(text: &str) -> Result<Vec<u32>, String> {
    if text == "none" {
        return Ok(Vec::new());
    }
    let attempt = |word: &str| match word.trim().parse() {
        Ok(0) => Err("attempts are counted from 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err(format!(
            "{word:?} is no number; write attempts such as 2,3, or none"
        )),
    };
    text.split(',').map(attempt).collect()
}
