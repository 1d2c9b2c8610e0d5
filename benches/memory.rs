//! Memory of the whole simulation, in bytes a key; and of a visit to a long run, in bytes a fact.
//!
//! Counts what is allocated and not freed while the run of `benches/simulation.rs` is played, at
//! its fullest and when it is over; and while a visitor makes a run longer by bursts.

use loopscope::engine::apiserver::Version;
use loopscope::engine::{Actor, Cluster, Knobs, Preset, Record, SimDuration, SimTime, Stimulus};
use loopscope::scene::{CONTROL_LOOP, PRODUCTION};
use loopscope::session::{Command, Session};
use std::alloc::{GlobalAlloc, Layout, System};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn grown(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
    MOST.fetch_max(live, Relaxed);
}

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    // As the other benches: with names given, only what has one of them in its own.
    let mut names = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .peekable();
    if names.peek().is_some() && !names.any(|name| "memory".contains(&name)) {
        return;
    }
    println!("memory of a run in which every key is created, scaled and upgraded");
    println!("| keys | bytes a key, at the end | bytes a key, at most |");
    println!("| --- | --- | --- |");
    for keys in [100, 1000, 10_000, 100_000] {
        let before = LIVE.load(Relaxed);
        MOST.store(before, Relaxed);
        let (cluster, facts) = play(keys);
        let per_key = |bytes: usize| (bytes - before) / keys as usize;
        let (live, most) = (LIVE.load(Relaxed), MOST.load(Relaxed));
        println!("| {keys} | {} | {} |", per_key(live), per_key(most));
        assert!(facts > 0 && cluster.next_due().is_none());
    }
    println!("a record: {} bytes\n", size_of::<Record>());
    println!("memory of a visit to a run");
    println!("| facts | bytes a fact, of all | of those that came last |");
    println!("| --- | --- | --- |");
    let before = LIVE.load(Relaxed);
    let mut last = (0, 0);
    visit([10_000, 20_000, 50_000, 100_000], |facts| {
        let now = (facts, LIVE.load(Relaxed) - before);
        let more = (now.1 - last.1) / (now.0 - last.0);
        println!("| {facts} | {} | {more} |", now.1 / facts);
        last = now;
    });
}

/// Makes a run longer, burst by burst, and says when it has come to so many facts.
fn visit(facts: impl IntoIterator<Item = usize>, mut reached: impl FnMut(usize)) {
    let mut session = Session::opening(&CONTROL_LOOP);
    session.apply(Command::Seek(5_000.0));
    let burst = Stimulus::Burst {
        key: PRODUCTION.into(),
        count: 500,
        gap: SimDuration::from_millis(7),
    };
    for count in facts {
        while session.run().played() < count {
            session.apply(Command::Do(burst.clone()));
            session.apply(Command::Seek(f64::MAX));
        }
        reached(session.run().played());
    }
}

fn play(keys: u32) -> (Cluster, u32) {
    let knobs = Knobs {
        workers: 4,
        watch_buffer: u32::MAX,
        ..Preset::ClientGo.knobs()
    };
    let mut cluster = Cluster::new(Rc::new(knobs), 1);
    // Given one by one, as they come: the script of a chapter is short.
    let (mut due, mut batch) = (0, Vec::new());
    for round in 0..3 {
        for number in 0..keys {
            due += 1;
            let key = format!("default/obj-{number:06}").into();
            let stimulus = match round {
                0 => Stimulus::Create {
                    key,
                    replicas: 3,
                    version: Version::new(15, 4),
                },
                1 => Stimulus::Scale { key, replicas: 5 },
                _ => Stimulus::Upgrade {
                    key,
                    version: Version::new(15, 5),
                },
            };
            cluster.inject(SimTime::from_millis(due), Actor::Script, stimulus);
            cluster.advance_to(SimTime::from_millis(due), &mut batch);
            batch.clear();
        }
    }
    while cluster.play_next(&mut batch) {
        batch.clear();
    }
    let facts = cluster.records_made();
    (cluster, facts)
}
