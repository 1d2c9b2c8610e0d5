//! What a script on the page can call: `window.wasmBindings.records(…)`, once the page is ready.

use crate::scene::asked::{Asked, read_failing, read_preset, read_scene, read_seed};
use wasm_bindgen::prelude::wasm_bindgen;

/// The records of a run as JSON Lines: byte for byte what the terminal prints for
/// `--json --preset PRESET --seed SEED --fail FAIL --scene SCENE`. All are the flags' words; without
/// `fail` upgrades fail by chance, without `scene` all records are given.
///
/// # Errors
/// A sentence that says which word is wrong, and what may be written instead.
#[wasm_bindgen]
pub fn records(
    preset: &str,
    seed: &str,
    fail: Option<String>,
    scene: Option<String>,
) -> Result<String, String> {
    let named = |name: &'static str| move |why: String| format!("{name}: {why}");
    let asked = Asked {
        preset: read_preset(preset).map_err(named("preset"))?,
        seed: read_seed(seed).map_err(named("seed"))?,
        failing: fail
            .as_deref()
            .map(read_failing)
            .transpose()
            .map_err(named("fail"))?,
    };
    let scene = scene
        .as_deref()
        .map(read_scene)
        .transpose()
        .map_err(named("scene"))?;
    Ok(asked.play().json_lines(scene))
}
