//! Throughput of the whole simulation: how many facts a second the engine plays.
//!
//! Every key is created, scaled and upgraded, and worked on by four workers with client-go's queue
//! and the preset's numbers, chance included; the run is played until nothing is left to happen.
//! The watcher's buffer is large enough for all events. Facts are handed over in batches and
//! dropped, so that this measures the engine and not the growth of one list.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use loopscope::engine::apiserver::Version;
use loopscope::engine::{Actor, Cluster, Knobs, Preset, Record, SimTime, Stimulus};
use loopscope::frame::View;
use std::rc::Rc;

/// Facts that are taken from the engine at a time.
const BATCH: usize = 4096;

fn main() {
    divan::main();
}

/// A cluster to which `keys` objects will be created, scaled and upgraded, a millisecond apart.
fn stage(keys: u32) -> Cluster {
    let knobs = Knobs {
        workers: 4,
        watch_buffer: u32::MAX,
        ..Preset::ClientGo.knobs()
    };
    let mut cluster = Cluster::new(Rc::new(knobs), 1);
    let names: Vec<String> = (0..keys)
        .map(|number| format!("default/obj-{number:06}"))
        .collect();
    let mut due = 0;
    let mut inject = |stimulus| {
        due += 1;
        cluster.inject(SimTime::from_millis(due), Actor::Script, stimulus);
    };
    for name in &names {
        inject(Stimulus::Create {
            key: name.clone().into(),
            replicas: 3,
            version: Version::new(15, 4),
        });
    }
    for name in &names {
        inject(Stimulus::Scale {
            key: name.clone().into(),
            replicas: 5,
        });
    }
    for name in &names {
        inject(Stimulus::Upgrade {
            key: name.clone().into(),
            version: Version::new(15, 5),
        });
    }
    cluster
}

/// Plays to the end; how many facts there were.
fn play(cluster: &mut Cluster, batch: &mut Vec<Record>) -> u32 {
    while cluster.play_next(batch) {
        if batch.len() >= BATCH {
            black_box(&*batch);
            batch.clear();
        }
    }
    cluster.records_made()
}

#[divan::bench(args = [1, 100, 10_000, 100_000])]
fn facts(bencher: Bencher, keys: u32) {
    let staged = stage(keys);
    let facts = play(&mut staged.clone(), &mut Vec::new());
    // A run with one key is over in microseconds: enough of them to be measured.
    let runs = (10_000 / keys).max(1);
    bencher
        .counter(ItemsCount::new(facts * runs))
        .with_inputs(|| {
            let clusters: Vec<Cluster> = (0..runs).map(|_| staged.clone()).collect();
            (clusters, Vec::with_capacity(2 * BATCH))
        })
        .bench_local_values(|(clusters, mut batch)| {
            for mut cluster in clusters {
                black_box(play(&mut cluster, &mut batch));
            }
        });
}

/// Objects whose names come in no order; then the controller starts again and lists them all.
#[divan::bench(args = [1000, 10_000, 100_000])]
fn restart_of_shuffled(bencher: Bencher, keys: u32) {
    let knobs = Knobs {
        workers: 4,
        watch_buffer: u32::MAX,
        ..Preset::ClientGo.knobs()
    };
    let mut cluster = Cluster::new(Rc::new(knobs), 1);
    for number in 0..keys {
        let shuffled = u64::from(number) * 7919 % u64::from(keys);
        let create = Stimulus::Create {
            key: format!("default/obj-{shuffled:06}").into(),
            replicas: 3,
            version: Version::new(15, 4),
        };
        cluster.inject(SimTime::ZERO, Actor::Script, create);
    }
    while cluster.play_next(&mut Vec::new()) {}
    cluster.inject(cluster.now(), Actor::Script, Stimulus::RestartController);
    let mut again = cluster.clone();
    let before = again.records_made();
    let facts = play(&mut again, &mut Vec::new()) - before;
    bencher
        .counter(ItemsCount::new(facts))
        .with_inputs(|| (cluster.clone(), Vec::with_capacity(2 * BATCH)))
        .bench_local_values(|(mut cluster, mut batch)| black_box(play(&mut cluster, &mut batch)));
}

/// The picture's fold over the same facts.
#[divan::bench(args = [1, 100, 10_000, 100_000])]
fn fold(bencher: Bencher, keys: u32) {
    let (mut cluster, mut records) = (stage(keys), Vec::new());
    while cluster.play_next(&mut records) {}
    bencher
        .counter(ItemsCount::new(records.len()))
        .bench_local(|| {
            let mut view = View::new(4);
            records.iter().for_each(|record| view.apply(record));
            black_box(view)
        });
}

/// A snapshot in the middle of a run, as the session takes them.
#[divan::bench(args = [1, 100, 1000, 10_000])]
fn clone(bencher: Bencher, keys: u32) {
    let mut cluster = stage(keys);
    let middle = SimTime::from_millis(i64::from(keys) * 2);
    cluster.advance_to(middle, &mut Vec::new());
    bencher.bench_local(|| black_box(cluster.clone()));
}
