//! Time travel in a run of 100 000 facts, such as nobody will ever make by hand: going to an instant,
//! stepping back, acting in the past, and opening a link to its end. A frame has 16 ms.

use divan::{Bencher, black_box};
use loopscope::engine::{QueueKind, SimDuration, Stimulus};
use loopscope::scene::{CONTROL_LOOP, PRODUCTION};
use loopscope::session::{Command, Direction, Link, Session, Stride};

const FACTS: usize = 100_000;
const QUEUES: [QueueKind; 2] = [QueueKind::ClientGo, QueueKind::Channel];

fn main() {
    divan::main();
}

/// Many bursts, one after the other.
fn visit(queue: QueueKind) -> Session {
    let mut session = Session::opening(&CONTROL_LOOP);
    session.apply(Command::Queue(queue));
    session.apply(Command::Seek(5_000.0));
    let key = PRODUCTION.into();
    let gap = SimDuration::from_millis(7);
    let burst = Stimulus::Burst {
        key,
        count: 500,
        gap,
    };
    while session.run().played() < FACTS {
        session.apply(Command::Do(burst.clone()));
        session.apply(Command::Seek(f64::MAX));
    }
    session
}

/// Shares of the run in no order that helps.
fn places() -> impl Iterator<Item = f64> {
    (1_u32..).map(|n| f64::from(n.wrapping_mul(2_654_435_769)) / f64::from(u32::MAX))
}

#[divan::bench(args = QUEUES)]
fn seek_anywhere(bencher: Bencher, queue: &QueueKind) {
    let mut session = visit(*queue);
    let (end, mut places) = (session.tempo().end(), places());
    bencher.bench_local(|| {
        let place = places.next().unwrap_or_default();
        session.apply(Command::Seek(end * place));
        black_box(session.picture().view.applied)
    });
}

#[divan::bench(args = QUEUES)]
fn step_back_by_one_fact(bencher: Bencher, queue: &QueueKind) {
    let mut session = visit(*queue);
    bencher.bench_local(|| {
        session.apply(Command::Step(Stride::Fact, Direction::Back));
        black_box(session.picture().view.applied)
    });
}

/// From the middle: what came after is dropped and played anew, and then restored.
#[divan::bench(args = QUEUES, sample_count = 20)]
fn act_in_the_middle_and_undo(bencher: Bencher, queue: &QueueKind) {
    let mut session = visit(*queue);
    let middle = session.tempo().end() / 2.0;
    bencher.bench_local(|| {
        session.apply(Command::Seek(middle));
        session.apply(Command::Do(Stimulus::FailNextUpgrade));
        session.apply(Command::Undo);
    });
}

#[divan::bench(args = QUEUES, sample_count = 20)]
fn open_a_link_to_the_end(bencher: Bencher, queue: &QueueKind) {
    let text = visit(*queue).link().to_string();
    bencher.bench_local(|| {
        let link = Link::parse(&text).expect("our own link");
        black_box(Session::open(link).picture().view.applied)
    });
}
