//! The turns of agents in machines of all widths, for tests that compare them.

use super::Behavior;
use crate::math::Vec2;
use crate::program::{
    Block, CompiledWidth, Few, GroupLanes, Machine, Many, One, Program, optimize,
};
use crate::sim::{Moment, Simulation};
use crate::world::{GroupId, Mind};

impl Behavior {
    /// Returns the turns of agents, which are given by row and velocity, by the program as it was lowered in the widest
    /// machine, and then by it in the narrowest one and by the optimized program in machines of all widths. A turn is
    /// its result in text, with the bits of force and velocity; `None` if it is left to the interpreter. Returns `None`
    /// if no program was lowered.
    ///
    /// # Panics
    ///
    /// If optimizing has not made the program shorter.
    #[doc(hidden)]
    pub fn turns_of_machines(
        &self,
        simulation: &Simulation,
        group: GroupId,
        agents: &[(usize, Vec2)],
    ) -> Option<[Vec<Option<String>>; 5]> {
        let program = self.lowered(simulation.world(), group)?;
        let short = optimize(&program);
        assert!(short.body.len() < program.body.len(), "nothing was left out");
        Some([
            turns::<Many>(&program, simulation, group, agents),
            turns::<One>(&program, simulation, group, agents),
            turns::<One>(&short, simulation, group, agents),
            turns::<Few>(&short, simulation, group, agents),
            turns::<Many>(&short, simulation, group, agents),
        ])
    }
}

/// Runs a program for agents of a group, block by block.
fn turns<W: CompiledWidth>(
    program: &Program,
    simulation: &Simulation,
    group: GroupId,
    agents: &[(usize, Vec2)],
) -> Vec<Option<String>> {
    let (world, minds) = (&**simulation.world(), simulation.minds());
    let (mut machine, moment) = (Machine::<W>::default(), Moment::unique());
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
                let bits = [force.x, force.y, vel.x, vel.y].map(f32::to_bits);
                format!("{bits:?} {state:?} {progress:?}")
            }));
        }
    }
    all
}
