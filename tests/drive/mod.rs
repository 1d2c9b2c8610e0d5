//! Tries a property on many random worlds and says how to see a failing one again.

use loopscope::engine::{Actor, Cluster, Knobs, QueueKind, SimTime, Stimulus};
use loopscope::scene::{CHAPTERS, Chapter};
use loopscope::session::{Link, Origin, Telling};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use std::cell::Cell;
use std::rc::Rc;

/// Runs with faults on which each property is tried, per kind of queue.
const RUNS: u64 = 2000;

/// All that a run depends on.
#[derive(Clone, Debug)]
pub struct World {
    pub chapter: &'static str,
    /// The scene whose script is played too, from 0: only such a run is in a link.
    pub scene: Option<usize>,
    pub knobs: Knobs,
    pub seed: u64,
    pub stimuli: Vec<(SimTime, Stimulus)>,
}

impl World {
    fn chapter(&self) -> &'static Chapter {
        let named = |chapter: &&Chapter| chapter.id == self.chapter;
        CHAPTERS.into_iter().find(named).expect("a chapter")
    }

    /// The cluster at time zero, with all that will be done.
    pub fn stage(&self) -> Cluster {
        let knobs = Rc::new(self.knobs.clone());
        let mut cluster = Cluster::new(knobs.clone(), self.seed);
        if let Some(scene) = self.scene {
            let origin = Origin::of(self.chapter(), scene, Telling::Main, knobs, self.seed);
            for (due, stimulus) in origin.script {
                cluster.inject(due, Actor::Script, stimulus);
            }
        }
        for (due, stimulus) in &self.stimuli {
            cluster.inject(*due, Actor::Visitor, stimulus.clone());
        }
        cluster
    }

    /// Does anything go wrong here, or may it?
    fn has_faults(&self) -> bool {
        let knobs = &self.knobs;
        let failing = match &knobs.failing_upgrades {
            Some(attempts) => !attempts.is_empty(),
            None => knobs.upgrade_failure_permille > 0,
        };
        let is_fault = |stimulus: &Stimulus| match stimulus {
            Stimulus::Create { .. }
            | Stimulus::Scale { .. }
            | Stimulus::Upgrade { .. }
            | Stimulus::Burst { .. }
            | Stimulus::Delete { .. }
            | Stimulus::CreateConfigMap { .. }
            | Stimulus::ApplyConfigMap { .. }
            | Stimulus::Patch { .. }
            | Stimulus::CreateMany { .. } => false,
            Stimulus::KillReplica { .. }
            | Stimulus::RestartController
            | Stimulus::FailNextUpgrade
            | Stimulus::RefuseWrites { .. }
            | Stimulus::RefuseNext { .. }
            | Stimulus::RefuseController
            | Stimulus::SwallowReconcile
            | Stimulus::LoseEvent
            | Stimulus::CloseWatch
            | Stimulus::ExpireWatch => true,
        };
        let upgrades = |stimulus: &Stimulus| {
            matches!(stimulus, Stimulus::Create { .. } | Stimulus::Upgrade { .. })
        };
        let stimuli = || self.stimuli.iter().map(|(_, stimulus)| stimulus);
        stimuli().any(is_fault) || failing && stimuli().any(upgrades)
    }

    /// The run as a link, up to its end.
    ///
    /// # Errors
    /// What no link can say.
    pub fn link(&self) -> Result<Link, String> {
        let scene = self.scene.ok_or("the chapter's script is not in it")?;
        let mut stimuli = self.stimuli.clone();
        stimuli.sort_by_key(|(due, _)| *due);
        let link = Link::of_run(self.chapter(), scene, &self.knobs, self.seed, stimuli);
        link.map_err(|error| error.to_string())
    }

    fn in_terminal(&self) -> String {
        let seed = self.seed;
        match self.link() {
            Ok(link) => format!("seed {seed}; in the terminal: control-loop --link '{link}'"),
            Err(why) => format!("seed {seed}; no link can tell of this run: {why}"),
        }
    }
}

/// A number in an environment variable.
fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse::<u64>();
    Some(number.unwrap_or_else(|_| panic!("{variable}: a number, not {text:?}")))
}

/// Every other case has the plain channel.
fn queue_of(case: u64) -> QueueKind {
    match case % 2 {
        0 => QueueKind::ClientGo,
        _ => QueueKind::Channel,
    }
}

/// The test and what makes its worlds.
pub struct Drive<S> {
    pub test: &'static str,
    pub worlds: fn(QueueKind) -> S,
}

impl<S: Strategy<Value = World>> Drive<S> {
    /// Tries `property` on so many worlds that 2000 with faults are among them for each kind of
    /// queue: on `LOOPSCOPE_RUNS` times as many where that environment variable is set, or on the
    /// one that `LOOPSCOPE_CASE` names. A failing world is made small and printed, with its number
    /// and, where there is one, with its link.
    pub fn always(&self, name: &str, property: impl Fn(&World) -> Result<(), String>) {
        if let Some(case) = number("LOOPSCOPE_CASE") {
            self.run(case, name, &property);
            return;
        }
        let runs = RUNS * number("LOOPSCOPE_RUNS").unwrap_or(1);
        let (mut case, mut with_faults) = (0, [0, 0]);
        while with_faults.iter().any(|&count| count < runs) {
            let kind = (case % 2) as usize;
            with_faults[kind] += u64::from(self.run(case, name, &property));
            case += 1;
        }
    }

    /// Were there faults?
    fn run(&self, case: u64, name: &str, property: &impl Fn(&World) -> Result<(), String>) -> bool {
        let faults = Cell::new(false);
        let tried = runner(case).run(&(self.worlds)(queue_of(case)), |world| {
            faults.set(world.has_faults());
            property(&world).map_err(TestCaseError::fail)
        });
        let Err(failure) = tried else {
            return faults.get();
        };
        let link = match &failure {
            TestError::Fail(_, world) => world.in_terminal(),
            TestError::Abort(_) => String::new(),
        };
        let test = self.test;
        panic!(
            "{failure}\n{link}\nto see it again: LOOPSCOPE_CASE={case} cargo test --test {test} {name}"
        );
    }

    /// Calls `look` with `runs` worlds, until it says that it has seen enough.
    pub fn until_seen(&self, runs: u64, mut look: impl FnMut(World) -> bool) {
        for case in 0..runs {
            let tree = (self.worlds)(queue_of(case)).new_tree(&mut runner(case));
            if look(tree.expect("a world").current()) {
                return;
            }
        }
    }
}

fn runner(case: u64) -> TestRunner {
    TestRunner::new(Config {
        cases: 1,
        rng_seed: RngSeed::Fixed(case),
        failure_persistence: None,
        ..Config::default()
    })
}
