//! What the scripts of agents compute in the next turns, step by step.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{AgentError, Brain, Moment, Order, Simulation, TurnValue};
use crate::diag::Place;
use crate::world::{AgentId, Progress, Values};

impl Simulation {
    /// Returns the values that the next turn of the agent with this id gives to the variables and calls of its script, in the order in which it
    /// computes them. Empty if there is no such agent in the next tick, if it has stopped, or if its brain cannot say.
    ///
    /// # Errors
    ///
    /// If the next tick fails before the turn of this agent.
    pub fn steps(&self, id: AgentId) -> Result<Vec<TurnValue>, AgentError> {
        let turn = self.advance_to_turn(id)?;
        Ok(turn.map_or_else(Vec::new, |(next, row)| next.steps_of_row(row)))
    }

    /// Returns the same, but for each part of the script only its last value, with their number.
    ///
    /// # Errors
    ///
    /// As [`steps`](Self::steps).
    pub fn values(&self, id: AgentId) -> Result<Vec<TurnValue>, AgentError> {
        Ok(TurnValue::last_of_each(self.steps(id)?))
    }

    /// Calls a function with the [`steps`](Self::steps) of the next turns of some agents, in the order of their ids, until it says to stop.
    /// In the first turn of an agent, the steps in which it begins come before. Turns that come to no part of a script that is wanted may
    /// be left out.
    ///
    /// # Errors
    ///
    /// If the next tick fails before one of these turns.
    pub fn each_steps(
        &self,
        is_wanted: impl Fn(AgentId) -> bool,
        comes_to: impl Fn(&Place) -> bool,
        mut with: impl FnMut(AgentId, Vec<TurnValue>) -> ControlFlow<()>,
    ) -> Result<(), AgentError> {
        let mut next = self.advance_to_turns()?;
        let moment = Moment::unique();
        for row in 0..next.world.agents.len() {
            let id = next.world.agents.id[row];
            if is_wanted(id) {
                let mut steps = self.steps_of_beginning(&next, row);
                if !steps.is_empty() || next.may_come_to(row, &comes_to) {
                    steps.extend(next.steps_of_row(row));
                }
                if with(id, steps).is_break() {
                    break;
                }
            }
            if next.order == Order::Sequential {
                next.take_turn(moment, row)?;
            }
        }
        Ok(())
    }

    /// Returns the values that another brain would compute in the place of the agent with this id, in the world as it is. Empty if there is no
    /// such agent.
    pub fn steps_of(&self, brain: &Arc<dyn Brain>, id: AgentId) -> Vec<TurnValue> {
        let Some(row) = self.world.agents.row(id) else {
            return Vec::new();
        };
        let mut world = Arc::clone(&self.world);
        Arc::make_mut(&mut world).index();
        brain.steps(&world, row, (self.minds.state(row), self.minds.progress(row)))
    }

    /// Returns the steps in which an agent begins; none if it began in an earlier tick. It stands where it does in its first turn, and
    /// the others are as they are then.
    fn steps_of_beginning(&self, next: &Self, row: usize) -> Vec<TurnValue> {
        let is_new =
            self.world.tick == 0 || self.world.agents.row(next.world.agents.id[row]).is_none();
        if !is_new || next.world.agents.stopped[row] {
            return Vec::new();
        }
        let progress = vec![Progress::default(); next.minds.progress(row).len()];
        let brain = &next.brains[usize::from(next.world.agents.group[row].0)];
        brain.begin_steps(&next.world, row, (&Values::default(), &progress))
    }

    /// Returns whether an agent that is about to decide may come to a part of a script.
    fn may_come_to(&self, row: usize, is_wanted: &dyn Fn(&Place) -> bool) -> bool {
        let mind = (self.minds.state(row), self.minds.progress(row));
        let brain = &self.brains[usize::from(self.world.agents.group[row].0)];
        brain.may_come_to(&self.world, row, mind, is_wanted)
    }

    /// Returns the steps of an agent that is about to decide.
    fn steps_of_row(&self, row: usize) -> Vec<TurnValue> {
        if self.world.agents.stopped[row] {
            return Vec::new();
        }
        let mind = (self.minds.state(row), self.minds.progress(row));
        let brain = &self.brains[usize::from(self.world.agents.group[row].0)];
        brain.steps(&self.world, row, mind)
    }
}
