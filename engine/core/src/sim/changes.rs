//! Changes that a program can make to agents between two ticks: it can move, add and remove them.
//!
//! Each change takes effect at once, and the next tick starts from the result. A change that a scenario can make with
//! an event is an [`Action`]; it waits for the next tick, see [`Simulation::act`].

use std::sync::Arc;

use super::{Action, AgentError, Brain, Simulation};
use crate::diag::{Diagnostic, Diagnostics};
use crate::math::Vec2;
use crate::world::{AgentId, GroupId, NewAgent};

/// Why a change of a simulation is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// No agent has this id, or it was removed.
    #[error("there is no agent {id}")]
    NoAgent {
        /// The id.
        id: AgentId,
    },
    /// The world has fewer groups.
    #[error("there is no group with the index {}", .group.0)]
    NoGroup {
        /// The index.
        group: GroupId,
    },
    /// The world does not have the group, the param, the obstacle, the input or the shared value of an action.
    #[error("there is no such group, param, obstacle, input or shared value: {action:?}")]
    NoTarget {
        /// The refused action.
        action: Box<Action>,
    },
    /// A position, a velocity or a heading is infinite or not a number.
    #[error("the position, velocity and heading of an agent must be finite")]
    NotFinite,
    /// The behavior failed to prepare a new agent.
    #[error(transparent)]
    Begin(#[from] AgentError),
}

impl From<ChangeError> for Diagnostics {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Begin(fault) => fault.into(),
            other => Diagnostic::error(other.to_string()).into(),
        }
    }
}

impl Simulation {
    /// Moves an agent to a position and gives it a velocity in world units per second. Its heading becomes the
    /// direction of that velocity, and stays as it was if the velocity is zero. A position outside the world
    /// is moved to where the edge puts it.
    ///
    /// # Errors
    ///
    /// If there is no such agent, or a number is not finite.
    pub fn move_agent(&mut self, id: AgentId, pos: Vec2, vel: Vec2) -> Result<(), ChangeError> {
        let row = self.world.agents.row(id).ok_or(ChangeError::NoAgent { id })?;
        if !(pos.is_finite() && vel.is_finite()) {
            return Err(ChangeError::NotFinite);
        }
        let (pos, vel) = self.world.space.apply_edge(pos, vel);
        Arc::make_mut(&mut self.world).move_row(row, pos, vel);
        Ok(())
    }

    /// Adds agents to a group, lets its behavior prepare them, and returns their ids. One call for many agents
    /// is much faster than many calls.
    ///
    /// # Errors
    ///
    /// If there is no such group, if a number is not finite, or if the behavior fails. Then no agent is added.
    pub fn add(&mut self, group: GroupId, new: &[NewAgent]) -> Result<Vec<AgentId>, ChangeError> {
        let Some(of) = self.world.groups.get(usize::from(group.0)) else {
            return Err(ChangeError::NoGroup { group });
        };
        let sequences = of.goals.len();
        if !new.iter().all(NewAgent::is_finite) {
            return Err(ChangeError::NotFinite);
        }
        self.sort_forces_by_row();
        let first = self.world.agents.len();
        let world = Arc::make_mut(&mut self.world);
        let first_id = world.agents.made();
        for one in new {
            let is_there = (one.sequence as usize) < sequences;
            world
                .add(group, NewAgent { sequence: if is_there { one.sequence } else { 0 }, ..*one });
        }
        self.grow_minds();
        self.forces.resize(first + new.len(), Vec2::ZERO);
        if let Err(fault) = self.begin_agents(first) {
            self.keep.clear();
            self.keep.extend((0..first + new.len()).map(|row| row < first));
            self.remove_unmarked();
            return Err(fault.into());
        }
        Ok((first_id..self.world.agents.made()).map(AgentId).collect())
    }

    /// Removes the agents with these ids and returns how many were removed. Ids that do not exist any more are
    /// ignored.
    pub fn remove(&mut self, ids: &[AgentId]) -> usize {
        let before = self.world.agents.len();
        self.keep.clear();
        self.keep.resize(before, true);
        for row in ids.iter().filter_map(|&id| self.world.agents.row(id)) {
            if std::mem::replace(&mut self.keep[row], false) {
                let group = self.world.agents.group[row];
                let has_goal = self.world.agents.goal(row, &self.world.groups).is_some();
                self.reached[usize::from(group.0)].lost += u64::from(has_goal);
            }
        }
        self.remove_unmarked();
        // A search for neighbors before the next tick must not find removed agents.
        Arc::make_mut(&mut self.world).index();
        before - self.world.agents.len()
    }

    /// Lets another brain decide for the agents of a group from now on.
    ///
    /// # Errors
    ///
    /// If there is no such group.
    pub fn set_brain(&mut self, group: GroupId, brain: Arc<dyn Brain>) -> Result<(), ChangeError> {
        let of_group = self.brains.get_mut(usize::from(group.0));
        *of_group.ok_or(ChangeError::NoGroup { group })? = brain;
        self.prepared.clear();
        Ok(())
    }

    /// Returns the force that each agent decided on in the last tick, in the rows of the world's agents, before
    /// it was cut to the limits of its body. Zero for agents that have not decided yet or have stopped.
    pub fn last_forces(&self) -> Vec<Vec2> {
        if self.forces_are_by_row {
            return self.forces.clone();
        }
        let motions = &self.world.agents.motions;
        let turns = self.decision_order.turns();
        let force = |row| {
            let slot = motions.slot(row);
            self.forces[turns.map_or(slot, |turns| turns[slot] as usize)]
        };
        (0..motions.len()).map(force).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{coast, setup};
    use super::*;
    use crate::sim::{Order, Setup};
    use crate::world::{AfterGoals, Me, Mind};

    const ALL: GroupId = GroupId(0);

    fn at(x: f32, y: f32) -> NewAgent {
        NewAgent::at(Vec2::new(x, y), Vec2::Y)
    }

    fn two(order: Order) -> Simulation {
        let setup = Setup { order, ..setup(&[(0.0, 0.0), (3.0, 1.0)], &[], AfterGoals::Stay) };
        let pull = |me: &Me<'_>, _: Mind<'_>| Vec2::new(me.agent().id().0 as f32, 1.0);
        Simulation::new(setup, vec![Arc::new(pull)]).unwrap()
    }

    #[test]
    fn agents_are_moved_added_and_removed_between_ticks() {
        let mut simulation = two(Order::Synchronous);
        simulation.move_agent(AgentId(1), Vec2::new(7.0, 8.0), Vec2::ZERO).unwrap();
        assert_eq!(simulation.world().agents.pos(1), Vec2::new(7.0, 8.0));
        assert_eq!(simulation.world().agents.heading(1), Vec2::X, "its heading stays");
        assert_eq!(simulation.add(ALL, &[at(1.0, 1.0), at(2.0, 2.0)]).unwrap(), [2, 3]);
        assert_eq!(simulation.remove(&[0, 2, 2, 99].map(AgentId)), 2);
        assert_eq!(simulation.world().agents.id, [1, 3]);
        simulation.step().unwrap();
        assert_eq!(simulation.add(ALL, &[]).unwrap(), Vec::<AgentId>::new());
        assert_eq!(simulation.minds().len(), 2);
    }

    #[test]
    fn forces_stay_in_the_rows_of_their_agents() {
        for order in [Order::Synchronous, Order::Sequential] {
            let mut simulation = two(order);
            assert_eq!(simulation.last_forces(), [Vec2::ZERO; 2]);
            simulation.step().unwrap();
            simulation.remove(&[AgentId(0)]);
            simulation.add(ALL, &[at(1.0, 1.0)]).unwrap();
            assert_eq!(simulation.last_forces(), [Vec2::new(1.0, 1.0), Vec2::ZERO], "{order:?}");
            simulation.restore(simulation.state());
            assert_eq!(simulation.last_forces(), [Vec2::ZERO; 2]);
        }
    }

    #[test]
    fn impossible_changes_are_refused_and_change_nothing() {
        let mut simulation =
            Simulation::new(setup(&[(0.0, 0.0)], &[], AfterGoals::Stay), vec![Arc::new(coast)])
                .unwrap();
        let before = simulation.state();
        let bad = Vec2::new(f32::NAN, 0.0);
        let spawn = Action::Spawn { group: GroupId(7), count: 1 };
        let errors = [
            simulation.move_agent(AgentId(9), Vec2::ZERO, Vec2::ZERO).unwrap_err(),
            simulation.move_agent(AgentId(0), bad, Vec2::ZERO).unwrap_err(),
            simulation.add(GroupId(7), &[at(0.0, 0.0)]).unwrap_err(),
            simulation.add(ALL, &[NewAgent { vel: bad, ..at(0.0, 0.0) }]).unwrap_err(),
            simulation.act(spawn).unwrap_err(),
        ];
        let messages = errors.map(|error| error.to_string());
        assert_eq!(messages[0], "there is no agent 9");
        assert_eq!(messages[2], "there is no group with the index 7");
        assert!(messages[1] == messages[3] && messages[1].contains("finite"), "{messages:?}");
        assert!(messages[4].contains("Spawn"), "{messages:?}");
        assert_eq!(simulation.state(), before);
    }
}
