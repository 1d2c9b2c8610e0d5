//! Chapter two in the terminal: each scene is a run of its own, and so is each variant.

use super::print_log;
use loopscope::engine::Fact;
use loopscope::engine::controller::Conclusion;
use loopscope::engine::{SimDuration, SimTime};
use loopscope::scene::{CONFIG_MAP, Played, Setting, fill, polls};
use std::io::{self, Write};

/// Print one scene or all of them. In JSON, the scene's own run alone: records of several runs would
/// have the same numbers.
pub fn print(scene: Option<usize>, seed: u64, json: bool, out: &mut impl Write) -> io::Result<()> {
    let scenes = match scene {
        Some(scene) => scene..scene + 1,
        None => 0..CONFIG_MAP.scenes.len(),
    };
    if !json && scene.is_none() {
        writeln!(out, "{} in {} scenes", CONFIG_MAP.title, scenes.len())?;
        writeln!(
            out,
            "seed {seed}; each scene is a run of its own; the clock is simulated, nothing waits"
        )?;
    }
    for scene in scenes {
        let played = CONFIG_MAP.play_scene(scene, false, seed);
        if json {
            write!(out, "{}", played.json_lines(None))?;
        } else {
            print_scene(scene, &played, seed, out)?;
        }
    }
    Ok(())
}

fn print_scene(number: usize, played: &Played, seed: u64, out: &mut impl Write) -> io::Result<()> {
    let scene = CONFIG_MAP.scenes[number];
    let knobs = CONFIG_MAP.knobs(number);
    let title = fill(scene.title, &knobs);
    writeln!(out, "\n=== Scene {}: {title} ===", number + 1)?;
    writeln!(out, "$ {}", scene.command)?;
    if let Some(note) = scene.note {
        writeln!(out, "  ({})", fill(note, &knobs))?;
    }
    let own = scene.own.as_ref();
    print_settings(own.map_or(&[], |own| own.settings), out)?;
    print_run(played, out)?;
    let Some(variant) = &scene.variant else {
        return Ok(());
    };
    writeln!(out, "\n--- The same, but: {} ---", variant.title)?;
    let own = variant.own.as_ref();
    print_settings(own.map_or(&[], |own| own.settings), out)?;
    print_run(&CONFIG_MAP.play_scene(number, true, seed), out)
}

fn print_settings(settings: &[Setting], out: &mut impl Write) -> io::Result<()> {
    let texts: Vec<String> = settings.iter().map(Setting::to_string).collect();
    if texts.is_empty() {
        return Ok(());
    }
    writeln!(out, "  [{}]", texts.join(", "))
}

fn print_run(played: &Played, out: &mut impl Write) -> io::Result<()> {
    let window = played.window(0);
    if window.start > 0 {
        writeln!(out, "\nBefore")?;
        print_log(played, 0..window.start, out)?;
    }
    writeln!(out)?;
    print_log(played, window.clone(), out)?;
    let facts = || {
        played.records[window.clone()]
            .iter()
            .map(|record| &record.fact)
    };
    let count = |wanted: fn(&Fact) -> bool| facts().filter(|fact| wanted(fact)).count();
    let reconciles = count(|fact| matches!(fact, Fact::Started { .. }));
    let errors = count(|fact| {
        let error = |conclusion: &Conclusion| matches!(conclusion, Conclusion::Error { .. });
        matches!(fact, Fact::Finished { conclusion, .. } if error(conclusion))
    });
    let writes =
        count(|fact| matches!(fact, Fact::WriteAnswered { answer, .. } if answer.result().is_ok()));
    writeln!(
        out,
        "\nreconciles: {reconciles}, of them with an error: {errors}; the controller's writes: {writes}"
    )?;
    let requests = played.records.iter().map(|record| &record.fact);
    let requests = requests.filter(|fact| matches!(fact, Fact::Requested { .. }));
    let (span, second) = (played.starts[1] - SimTime::ZERO, SimDuration::from_secs(1));
    writeln!(
        out,
        "in {span} the informer asked {} times; once a second would be {}",
        requests.count(),
        polls(span, second),
    )?;
    let verdict = match played.cluster.differing().is_empty() {
        true => "cache and store agree",
        false => "cache and store differ",
    };
    writeln!(out, "at the end {verdict}")
}
