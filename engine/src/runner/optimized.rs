//! Tests that programs compute the same after they have been made shorter, in machines of all widths, for everything
//! that is shipped.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::{Options, Run};
use crate::math::Vec2;
use crate::math::random::Mix;
use crate::world::GroupId;

/// Returns the velocity of an agent, or another one that may be infinite or not a number.
fn velocity(own: Vec2, random: Mix) -> Vec2 {
    const ODD: [f32; 8] =
        [0.0, -0.0, 1e-30, 1e30, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    let odd = |word: u64| ODD[(random.with(word).value() % 8) as usize];
    match random.value() % 8 {
        0 => Vec2::new(odd(1), odd(2)),
        1 => Vec2::new(own.x, odd(1)),
        _ => own,
    }
}

fn scenarios() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let all: Vec<PathBuf> = crate::load::find(&[folder]).unwrap().scenarios.into_iter().collect();
    assert!(all.len() > 10, "the shipped scenarios");
    all
}

/// Compares at some ticks of a run, in their order.
fn compare_run(path: &Path, ticks: &[u32], seed: u64) -> Result<(), TestCaseError> {
    let options = Options::default().seed(seed);
    let mut run = Run::open(path, &options).unwrap_or_else(|all| panic!("{}", all[0]));
    let mut now = 0;
    for &tick in ticks {
        while now < tick {
            run.step().unwrap_or_else(|error| panic!("{error}"));
            now += 1;
        }
        compare(path, &run, now, seed)?;
    }
    Ok(())
}

/// Compares the program of each group, as it was lowered, with the shorter one in machines of all widths.
fn compare(path: &Path, run: &Run, tick: u32, seed: u64) -> Result<(), TestCaseError> {
    let simulation = &run.simulation;
    let world = simulation.world();
    for (group, behavior) in (0..).map(GroupId).zip(&run.behaviors) {
        let Some(behavior) = behavior else { continue };
        let rows = (0..world.agents.len()).filter(|&row| world.agents.group[row] == group);
        let random = Mix::new(seed).with(u64::from(tick));
        let vel = |row| velocity(world.agents.vel(row), random.with(row as u64));
        let agents: Vec<(usize, Vec2)> = rows.map(|row| (row, vel(row))).collect();
        let Some(all) = behavior.turns_of_machines(simulation, group, &agents) else { continue };
        for (machine, outcomes) in all.iter().enumerate().skip(1) {
            for (agent, (outcome, expected)) in outcomes.iter().zip(&all[0]).enumerate() {
                prop_assert_eq!(
                    outcome,
                    expected,
                    "{} {:?} at tick {}, machine {}, {:?}",
                    path.display(),
                    group,
                    tick,
                    machine,
                    agents[agent]
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1, ..ProptestConfig::default() })]

    #[test]
    fn shorter_programs_compute_the_same_bits_in_machines_of_all_widths(
        mut ticks in [0u32..150, 0..150, 0..150, 0..150],
        seed in any::<u64>(),
    ) {
        ticks.sort_unstable();
        for path in scenarios() {
            compare_run(&path, &ticks, seed)?;
        }
    }
}
