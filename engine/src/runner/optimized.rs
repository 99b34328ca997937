//! Tests that programs compute the same after they have been made shorter, in machines of all widths, for everything
//! that is shipped.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::{Options, Run};
use crate::math::Vec2;
use crate::math::random::Mix;
use crate::program::{Block, Few, GroupLanes, Machine, Many, One, Program, Width, optimize};
use crate::sim::{Moment, Simulation};
use crate::world::{GroupId, Mind, Progress, Values};

/// What a turn gives, as bits; `None` for one that is left to the interpreter.
type Outcome = Option<([u32; 4], Values, Vec<Progress>)>;

/// Runs a program for agents of a group, block by block.
fn outcomes<W: Width>(
    program: &Program,
    simulation: &Simulation,
    group: GroupId,
    agents: &[(usize, Vec2)],
) -> Vec<Outcome> {
    let (world, minds) = (&**simulation.world(), simulation.minds());
    let (mut machine, moment) = (Machine::<W>::new(), Moment::new());
    let mut all = Vec::new();
    for block in agents.chunks(W::LANES) {
        let slot = |&(row, _): &(usize, Vec2)| world.agents.motions.slot(row) as u32;
        let slots: Vec<u32> = block.iter().map(slot).collect();
        let velocities: Vec<Vec2> = block.iter().map(|(_, vel)| *vel).collect();
        let mind = |lane: usize| (minds.state(block[lane].0), minds.progress(block[lane].0));
        let groups = [GroupLanes { moment, world, group, lanes: 0..block.len() }];
        let agents = Block { slots: &slots, velocities: &velocities, mind: &mind };
        machine.run(program, &groups, agents);
        for (lane, &(row, _)) in block.iter().enumerate() {
            all.push((!machine.is_faulted(lane)).then(|| {
                let (mut state, mut progress) =
                    (minds.state(row).clone(), minds.progress(row).to_vec());
                let mind = Mind { state: &mut state, progress: &mut progress };
                machine.store_mind(program, world, lane, mind);
                let (force, vel) = (machine.force(program, lane), machine.vel(program, lane));
                ([force.x, force.y, vel.x, vel.y].map(f32::to_bits), state, progress)
            }));
        }
    }
    all
}

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
        let program = behavior.as_ref().and_then(|behavior| behavior.lowered(world, group));
        let Some(program) = program else { continue };
        let short = optimize(&program);
        prop_assert!(short.body.len() < program.body.len(), "nothing was left out");
        let rows = (0..world.agents.len()).filter(|&row| world.agents.group[row] == group);
        let random = Mix::new(seed).with(u64::from(tick));
        let vel = |row| velocity(world.agents.vel(row), random.with(row as u64));
        let agents: Vec<(usize, Vec2)> = rows.map(|row| (row, vel(row))).collect();
        let expected = outcomes::<Many>(&program, simulation, group, &agents);
        let all = [
            outcomes::<One>(&program, simulation, group, &agents),
            outcomes::<One>(&short, simulation, group, &agents),
            outcomes::<Few>(&short, simulation, group, &agents),
            outcomes::<Many>(&short, simulation, group, &agents),
        ];
        for (machine, outcomes) in all.iter().enumerate() {
            for (agent, (outcome, expected)) in outcomes.iter().zip(&expected).enumerate() {
                prop_assert_eq!(
                    format!("{outcome:?}"),
                    format!("{expected:?}"),
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
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

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
