//! Checks that every scenario that ships gives the same bytes: on one thread and on several, twice in one process, and,
//! with the hashes in `bits.txt`, in every build and on every machine.
//!
//! If a change is meant to change how agents move, `SNAPSHOTS=overwrite cargo test -p flockwork-engine --test it bits`
//! writes the new hashes.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use flockwork_engine::load::find;
use flockwork_engine::{Options, Recorder, Run, TrajectoryFormat, with_threads, world_hash};
use xxhash_rust::xxh3::xxh3_64;

/// The number of ticks that are compared in each scenario.
const TICKS: u64 = 100;

fn scenarios() -> Vec<PathBuf> {
    find(&[folder()]).unwrap().scenarios.into_iter().collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")
}

/// Returns the trajectory of a scenario as CSV, and the hash of its last state.
fn trajectory(path: &Path, threads: usize) -> (Vec<u8>, u64) {
    with_threads(threads, || {
        let mut run =
            Run::open(path, &Options::default()).unwrap_or_else(|errors| panic!("{}", errors[0]));
        let mut recorder = Recorder::new(TrajectoryFormat::Csv, Vec::new(), run.dt(), 1).unwrap();
        recorder.record(run.simulation().world()).unwrap();
        for _ in 0..TICKS.min(run.ticks()) {
            run.step().unwrap_or_else(|fault| panic!("{fault}"));
            recorder.record(run.simulation().world()).unwrap();
        }
        let hash = world_hash(run.simulation().world(), run.simulation().minds());
        (recorder.finish().unwrap(), hash)
    })
    .unwrap()
}

#[test]
fn every_scenario_gives_the_same_bits() {
    let mut table = String::new();
    for path in scenarios() {
        let name = path
            .strip_prefix(folder())
            .unwrap()
            .with_extension("")
            .to_string_lossy()
            .replace('\\', "/");
        let (bytes, hash) = trajectory(&path, 1);
        assert!(trajectory(&path, 1) == (bytes.clone(), hash), "{name}: two runs differ");
        for threads in [2, 5] {
            assert!(
                trajectory(&path, threads) == (bytes.clone(), hash),
                "{name}: {threads} threads differ from one"
            );
        }
        writeln!(table, "{name} {:016x} {hash:016x}", xxh3_64(&bytes)).unwrap();
    }
    snapbox::assert_data_eq!(table, snapbox::file!["bits.txt"]);
}
