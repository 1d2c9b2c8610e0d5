//! A visit: a run (and its variant), a cursor in it, and everything that can be done to both.
//!
//! The page hands every wish to [`Session::apply`] and every frame's wall time to
//! [`Session::advance`], and draws what it is told. Nothing else changes a session.

mod breakpoint;
mod command;
mod deed;
mod edit;
mod export;
mod kubectl;
mod link;
mod motion;
mod past;
mod run;
mod story;
mod teller;
mod tempo;

pub use breakpoint::Breakpoints;
pub use command::{Command, Direction, Stride};
pub use deed::{Deed, Place as DeedPlace, REPLICAS_MAX};
pub use kubectl::command_line;
pub use link::{LINK_MAX, Link, LinkError};
pub use run::{FACTS_MAX, Facts, OUTLOOK_MAX, Origin, Outlook, Placed, RUN_MAX, Run};
pub use story::{Step, Stop, Telling};
pub use tempo::{Pace, Playhead, Tempo};

use crate::engine::knobs::Knobs;
use crate::engine::time::SimTime;
use crate::engine::workqueue::MetricsView;
use crate::frame::Picture;
use crate::scene::{Answers, Chapter, DEFAULT_SEED, Question};
use past::{Past, Stimuli};
use std::cell::OnceCell;
use std::rc::Rc;

/// Slowest and fastest multiple of normal speed.
pub const SPEED_MIN: f64 = 0.1;
pub const SPEED_MAX: f64 = 10.0;

/// Most stimuli of the visitor in one run.
pub const STIMULI_MAX: usize = 200;
/// Why nothing more can be done to a run that is full.
pub const FULL: &str =
    "This run has come to its limit. Take something back, go back in time, or start again.";

/// What moves the cursor.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Motion {
    Paused,
    /// To a stop in story time, or on and on.
    Forward {
        stop: Option<f64>,
    },
    /// To the stop of the step that is told.
    Step {
        stop: f64,
    },
    Back,
}

/// The state that undo goes back to.
#[derive(Clone, Debug)]
struct Saved {
    knobs: Rc<Knobs>,
    seed: u64,
    stimuli: Stimuli,
    /// What the visitor did in the variant's run, where it is not what they did in the main run.
    variant_stimuli: Option<Stimuli>,
    playhead: Playhead,
    scene: usize,
    step: usize,
    telling: Telling,
}

/// A visit to a chapter.
#[derive(Debug)]
pub struct Session {
    chapter: &'static Chapter,
    knobs: Rc<Knobs>,
    seed: u64,
    main: Run,
    variant: Option<Run>,
    telling: Telling,
    /// The run beside, where two are compared: the same but for its knobs.
    beside: Option<Run>,
    compared: Option<Rc<Knobs>>,
    tempo: Tempo,
    /// Where the cursor is, in story milliseconds.
    story: f64,
    motion: Motion,
    speed: f64,
    scene: usize,
    /// Which of the scene's steps is told.
    step: usize,
    steps: Vec<Step>,
    /// The scene's question, and the answers that the run gives.
    answers: OnceCell<Option<(Question, Answers)>>,
    picture: Rc<Picture>,
    picture_beside: Option<Rc<Picture>>,
    undo: Past,
    redo: Past,
    breakpoints: Breakpoints,
    /// The stop of the step that a breakpoint interrupted: *Next step* goes on to it.
    interrupted: Option<f64>,
    /// What the run came to before its knobs were changed last.
    before: Option<Outlook>,
}

impl Session {
    /// A visit that stands at the first beat of the first scene, paused.
    pub fn new(chapter: &'static Chapter, knobs: Knobs, seed: u64) -> Session {
        let knobs = Rc::new(knobs);
        let origin = Origin::of(chapter, 0, Telling::Main, knobs.clone(), seed);
        let main = Run::new(origin, Vec::new());
        let blank = Rc::new(Picture::empty(Rc::new(main.view_at(0))));
        let mut session = Session {
            chapter,
            knobs,
            seed,
            main,
            variant: None,
            telling: Telling::Main,
            beside: None,
            compared: None,
            tempo: Tempo::new(Pace::default()),
            story: 0.0,
            motion: Motion::Paused,
            speed: 1.0,
            scene: 0,
            step: 0,
            steps: Vec::new(),
            answers: OnceCell::new(),
            picture: blank,
            picture_beside: None,
            undo: Past::default(),
            redo: Past::default(),
            breakpoints: Breakpoints::default(),
            interrupted: None,
            before: None,
        };
        session.go_to_scene(0);
        session
    }

    /// The visit that a bare address opens.
    pub fn opening(chapter: &'static Chapter) -> Session {
        Session::new(chapter, chapter.knobs(0), DEFAULT_SEED)
    }

    pub fn chapter(&self) -> &'static Chapter {
        self.chapter
    }

    pub fn knobs(&self) -> &Rc<Knobs> {
        &self.knobs
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The run that is looked at.
    pub fn run(&self) -> &Run {
        match (&self.variant, self.telling) {
            (Some(variant), Telling::Variant) => variant,
            _ => &self.main,
        }
    }

    pub fn telling(&self) -> Telling {
        self.telling
    }

    pub fn scene(&self) -> usize {
        self.scene
    }

    pub fn step(&self) -> usize {
        self.step
    }

    /// The beats of the scene, looked up in the run.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// When the scene begins, and when the next one does. A variant goes on to its end.
    pub fn scene_bounds(&self) -> (SimTime, Option<SimTime>) {
        let (begin, end) = story::bounds(self.chapter, &self.main, self.scene);
        (begin, end.filter(|_| self.telling == Telling::Main))
    }

    pub fn story(&self) -> f64 {
        self.story
    }

    pub fn playhead(&self) -> Playhead {
        self.tempo.playhead(self.story)
    }

    pub fn tempo(&self) -> &Tempo {
        &self.tempo
    }

    pub fn picture(&self) -> &Rc<Picture> {
        &self.picture
    }

    /// The queue's metrics at the cursor; none if the queue keeps none.
    pub fn metrics(&self) -> Option<MetricsView> {
        let playhead = self.playhead();
        self.run()
            .metrics_at(playhead.applied, SimTime(playhead.time as i64))
    }

    /// What the run of all scenes comes to.
    pub fn outlook(&self) -> Outlook {
        self.main.outlook()
    }

    /// What it came to before its knobs were changed last; none if something else was changed since.
    pub fn before(&self) -> Option<Outlook> {
        self.before
    }

    /// The run beside and its picture, where two are compared.
    pub fn beside(&self) -> Option<(&Run, &Rc<Picture>)> {
        self.beside.as_ref().zip(self.picture_beside.as_ref())
    }

    pub fn speed(&self) -> f64 {
        self.speed
    }

    pub fn pace(&self) -> Pace {
        self.tempo.pace()
    }

    pub fn is_playing(&self) -> bool {
        self.motion != Motion::Paused
    }

    pub fn plays_backwards(&self) -> bool {
        self.motion == Motion::Back
    }

    /// Has everything happened that will ever happen in this run, and in the one beside?
    pub fn is_at_end(&self) -> bool {
        self.is_played_out() && self.story >= self.tempo.end()
    }

    fn is_played_out(&self) -> bool {
        self.run().is_over() && self.beside.as_ref().is_none_or(Run::is_over)
    }

    /// The visitor's later acts, which acting now would drop.
    pub fn would_drop(&self) -> usize {
        self.run().stimuli_after(self.playhead())
    }

    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Is there a step after, or before, the one that is told?
    pub fn has_step(&self, direction: Direction) -> bool {
        match direction {
            Direction::Back => self.scene > 0 || self.step > 0,
            Direction::Forward => {
                self.scene + 1 < self.chapter.scenes.len() || self.step + 1 < self.steps.len()
            }
        }
    }

    /// Stand at one of the scene's steps.
    pub fn tell_step(&mut self, step: usize) {
        if step < self.steps.len() {
            self.motion = Motion::Paused;
            self.interrupted = None;
            self.show_step(step);
        }
    }

    /// Do what a visitor asks for. What is out of bounds is not done: acting on a run that is full
    /// or on an object that the chapter does not have, a number beyond [`KNOBS`](crate::engine::KNOBS).
    pub fn apply(&mut self, command: Command) {
        if !command.leaves_the_cursor() {
            self.interrupted = None;
        }
        match command {
            Command::Breakpoint(section, set) => self.breakpoints.set(section, set),
            Command::Do(stimulus) => self.act(stimulus),
            Command::DoAll(stimuli) => self.act_all(stimuli, true),
            Command::Undo => self.take_back(),
            Command::Redo => self.do_again(),
            Command::Play(direction) => self.play(direction),
            Command::Pause => self.motion = Motion::Paused,
            Command::Step(Stride::Beat, Direction::Forward) => self.next_step(),
            Command::Step(Stride::Beat, Direction::Back) => self.previous_step(),
            Command::Step(stride, direction) => self.stride(stride, direction),
            Command::Scene(scene) => {
                if scene < self.chapter.scenes.len() {
                    self.go_to_scene(scene);
                }
            }
            Command::Restart => {
                self.save();
                self.before = None;
                self.rebuild(Vec::new(), None);
                self.go_to_scene(0);
            }
            Command::Seek(story) => {
                self.motion = Motion::Paused;
                self.seek(story);
            }
            Command::Speed(speed) => {
                if speed.is_finite() {
                    self.speed = speed.clamp(SPEED_MIN, SPEED_MAX);
                }
            }
            Command::Pace(pace) => self.set_pace(pace),
            Command::Compare(knobs) => {
                if knobs.as_ref().is_none_or(|knobs| knobs.check().is_ok()) {
                    self.compare(knobs.map(|knobs| Rc::new(*knobs)));
                }
            }
            Command::Queue(queue) => {
                let knobs = Knobs::clone(&self.knobs);
                self.change_knobs(Knobs { queue, ..knobs });
            }
            Command::Knobs(knobs) => self.change_knobs(*knobs),
            Command::Seed(seed) => {
                if seed != self.seed {
                    self.save();
                    self.before = None;
                    self.seed = seed;
                    self.replay_to_scene();
                }
            }
        }
    }

    /// Let `wall` milliseconds of the visitor's time pass: the only place where real time enters.
    /// True if the cursor moved or the motion ended.
    pub fn advance(&mut self, wall: f64) -> bool {
        let way = wall * self.speed;
        let target = match self.motion {
            Motion::Paused => return false,
            Motion::Forward { stop } => self.towards(stop.unwrap_or(f64::INFINITY), way),
            Motion::Step { stop } => self.towards(stop, way),
            Motion::Back => self.backwards(way),
        };
        let told = matches!(self.motion, Motion::Step { .. });
        self.move_to(target);
        if !told {
            self.follow_cursor();
        }
        true
    }

    /// The way back, to the beginning of the run, or of the scene where its variant is told and the
    /// cursor is not before that already; there the motion ends.
    fn backwards(&mut self, way: f64) -> f64 {
        let begin = match self.telling {
            Telling::Main => 0.0,
            Telling::Variant => self.tempo.story_at(self.scene_bounds().0.0 as f64),
        };
        let begin = if begin > self.story { 0.0 } else { begin };
        if self.story - way <= begin {
            self.motion = Motion::Paused;
        }
        (self.story - way).max(begin)
    }

    /// The way forward, to `stop` or the end of the run at most; there the motion ends.
    fn towards(&mut self, stop: f64, way: f64) -> f64 {
        self.play_ahead();
        // Short of both there is only the end of what is played so far.
        let breakpoint = self.breakpoint_before(stop.min(self.story + way));
        let halt = breakpoint.unwrap_or(stop);
        let end = halt.min(self.tempo.end());
        if self.story + way >= end && (self.is_played_out() || halt <= end) {
            if let Motion::Step { stop } = self.motion
                && end < stop
            {
                self.interrupted = Some(stop);
            }
            self.motion = Motion::Paused;
        }
        (self.story + way).min(end)
    }
}
