//! Takes the first turn of an agent of each group, as a run does: what fails there is sure to fail.

use std::sync::Arc;

use super::start::brain;
use crate::diag::Diagnostic;
use crate::script::Behavior;
use crate::sim::{AgentError, Brain, Message, Order, Setup, Simulation, Turns};
use crate::world::World;

/// The most agents of a scenario whose first turns are tried. All of them begin before, since one may read the state of others.
const MAX_AGENTS: u32 = 200;

/// Returns the error with which a run of a scenario stops at once, if an agent that is the first of its group causes it. Nothing is
/// tried in a scenario with many agents.
pub(super) fn error(setup: Setup, behaviors: &[Option<Arc<Behavior>>]) -> Option<Diagnostic> {
    let agents = match &setup.start {
        Some(_) => return None,
        None => setup.groups.iter().map(|(_, spawn)| spawn.count),
    };
    if agents.fold(0, u32::saturating_add) > MAX_AGENTS {
        return None;
    }
    // If agents decide one after another, the first one of all is the only one before which none acts.
    let tried = if setup.order == Order::Synchronous { behaviors.len() } else { 1 };
    let brains = behaviors.iter().enumerate().map(|(group, behavior)| {
        let brain = brain(behavior.clone());
        Arc::new(FirstTurn { brain, is_tried: group < tried }) as Arc<dyn Brain>
    });
    let step = |mut simulation: Simulation| simulation.step();
    let failed = Simulation::new(setup, brains.collect()).and_then(step);
    failed.err().map(|error| error.diagnostic())
}

/// Decides only for the first agent of a group. The others keep their velocity.
struct FirstTurn {
    brain: Arc<dyn Brain>,
    is_tried: bool,
}

impl Brain for FirstTurn {
    fn begin(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        messages: &mut Vec<Message>,
    ) -> Result<(), AgentError> {
        self.brain.begin(world, turns, messages)
    }

    fn decide(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        messages: &mut Vec<Message>,
    ) -> Result<(), AgentError> {
        let is_first = |row: &u32| world.agents.index[*row as usize] == 0;
        match turns.rows().iter().position(is_first) {
            Some(first) if self.is_tried => {
                self.brain.decide(world, turns.within(first..first + 1), messages)
            }
            _ => Ok(()),
        }
    }
}
