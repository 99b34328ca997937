//! Whether an agent reacts to another one.

use super::{AgentError, Simulation};
use crate::math::{self, Vec2};
use crate::sim::moment::Moment;
use crate::world::AgentId;

/// Decisions that differ by less than this part of their length are equal: the sum of the same numbers in another order.
const SAME: f32 = 1e-4;

impl Simulation {
    /// Returns whether an agent would decide otherwise in its next turn if another agent were not there. `None` if one of
    /// them is not there then, or has stopped.
    ///
    /// # Errors
    ///
    /// If the next tick fails before this agent decides.
    pub fn reacts_to(&self, agent: AgentId, other: AgentId) -> Result<Option<bool>, AgentError> {
        Ok(self.reaction_to(agent, other)?.map(|reaction| reaction != Vec2::ZERO))
    }

    /// Returns what another agent changes in the force that an agent decides on in its next turn; if it changes nothing there, in
    /// the velocity that the agent sets. Zero if the agent does not react. `None` if one of them is not there then, or has stopped.
    ///
    /// # Errors
    ///
    /// If the next tick fails before this agent decides.
    pub fn reaction_to(&self, agent: AgentId, other: AgentId) -> Result<Option<Vec2>, AgentError> {
        if agent == other || self.world.agents.row(other).is_none() {
            return Ok(None);
        }
        let mut without = self.clone();
        without.remove(&[other]);
        let with = self.next_decision(agent)?;
        Ok(with.zip(without.next_decision(agent)?).map(|(with, without)| {
            let change = |(with, without): (&Vec2, &Vec2)| {
                let size = math::max(math::length(*with), math::length(*without));
                let change = *with - *without;
                (math::length(change) > SAME * size).then_some(change)
            };
            with.iter().zip(&without).find_map(change).unwrap_or(Vec2::ZERO)
        }))
    }

    /// Returns the force and the velocity that an agent decides on in its next turn. `None` if there is no such agent then, or if
    /// it has stopped.
    fn next_decision(&self, agent: AgentId) -> Result<Option<[Vec2; 2]>, AgentError> {
        let Some((mut next, row)) = self.advance_to_turn(agent)? else { return Ok(None) };
        if next.world.agents.stopped[row] {
            return Ok(None);
        }
        let (force, vel) = next.decide_one(Moment::unique(), row)?;
        Ok(Some([force, vel]))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::tests::setup;
    use super::*;
    use crate::sim::{Order, Setup};
    use crate::world::{AfterGoals, Me, Mind};

    #[test]
    fn an_agent_reacts_to_another_if_it_would_decide_otherwise_without_it() {
        for order in [Order::Synchronous, Order::Sequential] {
            let setup = Setup {
                order,
                ..setup(&[(0.0, 0.0), (3.0, 1.0), (30.0, 1.0)], &[], AfterGoals::Stay)
            };
            // Agent 0 keeps away from what is near, the others only go east.
            let brain = |me: &Me<'_>, _: Mind<'_>| {
                let agents = &me.world().agents;
                let all = (0..agents.len()).map(|row| me.to(agents.pos(row)));
                match me.agent().id() {
                    AgentId(0) => all.filter(|to| math::length(*to) < 10.0).sum::<Vec2>() * -1.0,
                    _ => Vec2::X,
                }
            };
            let simulation = Simulation::new(setup, vec![Arc::new(brain)]).unwrap();
            let reacts = |one, other| simulation.reacts_to(AgentId(one), AgentId(other)).unwrap();
            assert_eq!(reacts(0, 1), Some(true));
            assert_eq!([reacts(0, 2), reacts(1, 0), reacts(2, 1)], [Some(false); 3]);
            assert_eq!([reacts(0, 0), reacts(0, 9), reacts(9, 0)], [None; 3]);
            // It turns away from where the other one is, at (3, 1).
            let reaction = simulation.reaction_to(AgentId(0), AgentId(1)).unwrap().unwrap();
            assert!(reaction.x < 0.0 && reaction.y < 0.0, "{reaction}");
            assert_eq!(simulation.world().agents.len(), 3);
        }
    }
}
