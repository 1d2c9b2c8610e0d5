//! The scenes of both chapters in a terminal.
//!
//! Plays the chapter on a simulated clock and prints what happened in the shape of the article's
//! program, or as JSON Lines. It is a function of its flags: the same flags print the same bytes.

use clap::error::ErrorKind as ErrorKindOfFlags;
use clap::{CommandFactory, Parser, ValueEnum};
use loopscope::engine::apiserver::DatabaseSpec;
use loopscope::engine::{Actual, Knobs, Preset, SimTime};
use loopscope::scene::asked::{self, Asked, read_failing, read_seed};
use loopscope::scene::{
    CONFIG_MAP, CONTROL_LOOP, Chapter, DEFAULT_SEED, PLAY_MAX, Played, Scene, fill,
};
use loopscope::session::{Link, LinkError, Session, Telling};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

// In a folder of its own: Cargo takes every file beside this one for a program.
#[path = "control-loop/config_map.rs"]
mod config_map;

/// The control loop of a Kubernetes controller in six scenes, on a simulated clock
#[derive(Parser)]
#[command(name = "control-loop", version)]
struct Flags {
    /// Which chapter to play. The one about config maps has settings of its own, scene by scene
    #[arg(long, value_enum, default_value_t = Course::ControlLoop)]
    chapter: Course,

    /// The simulated world: the article's program as published, or client-go's work queue and
    /// work that takes time
    #[arg(long, value_enum, default_value_t = World::ClientGo)]
    preset: World,

    /// Where chance starts from: the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, value_parser = read_seed, allow_negative_numbers = true)]
    seed: u64,

    /// The upgrade attempts that fail, instead of chance: numbers from 1 over the whole run, such
    /// as 2,3; or none
    #[arg(long, value_name = "ATTEMPTS", value_parser = Failing::read)]
    fail: Option<Failing>,

    /// Print this scene only, after the earlier ones have been played unseen
    #[arg(long, value_name = "N", value_parser = read_scene)]
    scene: Option<usize>,

    /// Print the run that a link tells of, up to its cursor: a fragment, with or without #, or a
    /// whole address. It says itself what world, seed and failures it has
    #[arg(long, value_name = "FRAGMENT", value_parser = read_link, conflicts_with_all = ["chapter", "preset", "seed", "fail", "scene"])]
    link: Option<Link>,

    /// Print the records as JSON Lines
    #[arg(long)]
    json: bool,
}

/// The chapters by the names they have on a command line and in a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Course {
    ControlLoop,
    #[value(name = "configmap")]
    ConfigMap,
}

/// The presets by the names they have on a command line.
#[derive(Clone, Copy, ValueEnum)]
enum World {
    Article,
    ClientGo,
}

impl World {
    fn preset(self) -> Preset {
        match self {
            World::Article => Preset::Article,
            World::ClientGo => Preset::ClientGo,
        }
    }
}

/// The upgrade attempts that fail.
#[derive(Clone)]
struct Failing(Vec<u32>);

impl Failing {
    fn read(text: &str) -> Result<Failing, String> {
        read_failing(text).map(Failing)
    }
}

/// A scene by its number; inside, scenes are counted from 0. How many there are depends on the
/// chapter.
fn read_scene(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(number @ 1..) => Ok(number - 1),
        _ => asked::read_scene(text),
    }
}

fn wrong_scene(chapter: &Chapter) -> String {
    format!("scenes have the numbers 1 to {}", chapter.scenes.len())
}

/// What the flags say together and none of them can know alone.
fn check(flags: &Flags) -> Result<(), String> {
    let chapter = match flags.chapter {
        Course::ControlLoop => &CONTROL_LOOP,
        Course::ConfigMap => &CONFIG_MAP,
    };
    if flags
        .scene
        .is_some_and(|scene| scene >= chapter.scenes.len())
    {
        return Err(wrong_scene(chapter));
    }
    let of_chapter_one = flags.fail.is_some() || matches!(flags.preset, World::Article);
    if flags.chapter == Course::ConfigMap && of_chapter_one {
        return Err("--preset and --fail are about the control loop's six scenes".to_owned());
    }
    Ok(())
}

fn read_link(text: &str) -> Result<Link, LinkError> {
    Link::parse(text)
}

fn main() -> ExitCode {
    let flags = Flags::parse();
    if let Err(wrong) = check(&flags) {
        Flags::command()
            .error(ErrorKindOfFlags::ValueValidation, wrong)
            .exit();
    }
    match print(&flags, &mut BufWriter::new(io::stdout().lock())) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print(flags: &Flags, out: &mut impl Write) -> io::Result<()> {
    if let Some(link) = &flags.link {
        print_link(link, flags.json, out)?;
        return out.flush();
    }
    if flags.chapter == Course::ConfigMap {
        config_map::print(flags.scene, flags.seed, flags.json, out)?;
        return out.flush();
    }
    let asked = Asked {
        preset: flags.preset.preset(),
        seed: flags.seed,
        failing: flags.fail.clone().map(|Failing(attempts)| attempts),
    };
    let (knobs, played) = (asked.knobs(), asked.play());
    match (flags.json, flags.scene) {
        (true, scene) => write!(out, "{}", played.json_lines(scene))?,
        (false, None) => print_all(flags, &played, &knobs, out)?,
        (false, Some(scene)) => print_one(&played, &knobs, scene, out)?,
    }
    out.flush()
}

fn print_link(link: &Link, json: bool, out: &mut impl Write) -> io::Result<()> {
    let session = Session::open(link.clone());
    if json {
        return write!(out, "{}", session.json_lines());
    }
    let (past, keys) = (session.past(), session.run().keys());
    let chapter = session.chapter();
    writeln!(out, "{}, as a link tells it", chapter.title)?;
    writeln!(out, "#{link}")?;
    let variant = chapter.scenes[session.scene()].variant.as_ref();
    if let (Telling::Variant, Some(variant)) = (session.telling(), variant) {
        writeln!(
            out,
            "the variant of scene {}: {}",
            session.scene() + 1,
            variant.title
        )?;
    }
    writeln!(out)?;
    let count = past.len();
    let mut past = past.peekable();
    while let Some(record) = past.next() {
        if let Some(line) = record.log_line(keys, past.peek()) {
            writeln!(out, "{line}")?;
        }
    }
    let counters = session.picture().view.counters;
    let now = session.run().instant(session.playhead()) - SimTime::ZERO;
    writeln!(
        out,
        "\nat {now}: facts {}, revisions {}, reconciles {}",
        count, counters.revision, counters.reconciles
    )
}

fn print_all(
    flags: &Flags,
    played: &Played,
    knobs: &Knobs,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(
        out,
        "{} in {} scenes",
        CONTROL_LOOP.title,
        CONTROL_LOOP.scenes.len()
    )?;
    let chance = match &flags.fail {
        Some(Failing(attempts)) if attempts.is_empty() => "no upgrade fails".to_owned(),
        Some(Failing(attempts)) => format!("failing upgrade attempts: {}", list(attempts, ", ")),
        None => format!("seed {}", flags.seed),
    };
    let preset = flags.preset.preset().name();
    writeln!(
        out,
        "preset {preset}, {chance}; the clock is simulated, nothing waits\n"
    )?;
    print_log(played, 0..played.window(0).start, out)?;
    for scene in 0..CONTROL_LOOP.scenes.len() {
        print_scene(played, knobs, scene, out)?;
    }
    print_summary(played, out)
}

fn print_one(played: &Played, knobs: &Knobs, scene: usize, out: &mut impl Write) -> io::Result<()> {
    print_scene(played, knobs, scene, out)?;
    print_cut(played, out)?;
    let by_scene = played.reconciles_by_scene();
    let so_far: usize = by_scene[..=scene].iter().sum();
    writeln!(
        out,
        "\nreconciles in this scene: {}, so far: {so_far}",
        by_scene[scene]
    )
}

fn print_scene(
    played: &Played,
    knobs: &Knobs,
    number: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let scene: &Scene = CONTROL_LOOP.scenes[number];
    let title = fill(scene.title, knobs);
    writeln!(out, "\n=== Scene {}: {title} ===", number + 1)?;
    writeln!(out, "$ {}", scene.command)?;
    if let Some(note) = scene.note {
        writeln!(out, "  ({})", fill(note, knobs))?;
    }
    writeln!(out)?;
    print_log(played, played.window(number), out)
}

fn print_log(
    played: &Played,
    window: std::ops::Range<usize>,
    out: &mut impl Write,
) -> io::Result<()> {
    for place in window {
        let next = played.records.get(place + 1);
        if let Some(line) = played.records[place].log_line(played.cluster.keys(), next) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// Says so where the run was not followed to its end.
fn print_cut(played: &Played, out: &mut impl Write) -> io::Result<()> {
    if played.is_over() {
        return Ok(());
    }
    writeln!(
        out,
        "\nThe loop had not come to rest after {PLAY_MAX} of simulated time; it was left there."
    )
}

fn print_summary(played: &Played, out: &mut impl Write) -> io::Result<()> {
    let cluster = &played.cluster;
    print_cut(played, out)?;
    writeln!(out, "\n=== Summary ===\n")?;
    writeln!(out, "Final states")?;
    for index in 0..cluster.keys().len() as u32 {
        let key = loopscope::engine::Key(index);
        let desired = cluster
            .store()
            .get(key)
            .map(|object| object.database_spec());
        writeln!(out, "  {}", cluster.keys().text(key))?;
        writeln!(out, "    desired: {}", desired_text(desired))?;
        writeln!(out, "    actual:  {}", actual_text(cluster.actual(key)))?;
    }
    writeln!(
        out,
        "
What this showed
  Idempotent: looking again at what is in order changes nothing, however often it is done.
  Level-triggered: each look starts from the states as they are, so it does not matter which
    events came, how many, or whether some were merged.
  An error is a requeue: what failed is left as it was, and the key comes back later."
    )?;
    let by_scene = played.reconciles_by_scene();
    writeln!(out, "\nrevisions: {}", cluster.store().revision())?;
    writeln!(out, "reconciles by scene: {}", list(&by_scene, " + "))?;
    writeln!(out, "total reconciles: {}", cluster.controller().reconciles)
}

fn desired_text(desired: Option<DatabaseSpec>) -> String {
    desired.map_or("nothing, the object is gone".to_owned(), |spec| {
        format!("replicas={} version={}", spec.replicas, spec.version)
    })
}

fn actual_text(actual: Option<Actual>) -> String {
    actual.map_or("nothing runs".to_owned(), |actual| {
        let version = actual.version.map_or(String::new(), |v| v.to_string());
        format!(
            "replicas={} version={version} healthy={}",
            actual.replicas, actual.healthy
        )
    })
}

fn list<T: ToString>(items: &[T], between: &str) -> String {
    let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
    texts.join(between)
}
