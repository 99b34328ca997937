//! What a run can be taken up again from.

use std::sync::Arc;

use super::{GoalCounts, Simulation};
use crate::math::Vec2;
use crate::world::{Agents, Goal, Minds, Values};

/// Everything that changes during a run. Together with the setup and the brains it makes the future: what
/// the setup alone says (bodies, obstacles, the edge) is not part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// How many ticks have passed.
    pub tick: u64,
    /// Where the pointer is, in world units, if there is one.
    pub cursor: Option<Vec2>,
    /// One for each group, in the order of the groups.
    pub groups: Vec<GroupState>,
    /// All agents there are.
    pub agents: Agents,
    /// What they know, in the rows of the agents.
    pub minds: Minds,
}

/// What can change about a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupState {
    /// How many agents of it there have ever been.
    pub made: u32,
    /// What they have reached so far.
    pub reached: GoalCounts,
    /// Its params.
    pub params: Values,
    /// Its sequences of goals.
    pub goals: Vec<Arc<[Goal]>>,
}

impl Simulation {
    /// What has become of it so far.
    pub fn state(&self) -> State {
        let groups = self.world.groups.iter().zip(&self.reached);
        let groups = groups.map(|(group, &reached)| GroupState {
            made: group.made,
            reached,
            params: group.params.clone(),
            goals: group.goals.clone(),
        });
        State {
            tick: self.world.tick,
            cursor: self.world.cursor,
            groups: groups.collect(),
            agents: self.world.agents.clone(),
            minds: self.minds.clone(),
        }
    }

    /// Goes on from a state: of this run, or of another with the same groups and paths.
    ///
    /// # Panics
    ///
    /// If the state is one of other groups, or its minds are not those of its agents.
    pub fn restore(&mut self, state: State) {
        let world = Arc::make_mut(&mut self.world);
        assert_eq!(world.groups.len(), state.groups.len(), "the same groups");
        assert_eq!(state.agents.len(), state.minds.len(), "a mind for each agent");
        world.tick = state.tick;
        world.cursor = state.cursor;
        world.agents = state.agents;
        let groups = world.groups.iter_mut().zip(&mut self.reached);
        for ((group, reached), then) in groups.zip(state.groups) {
            *reached = then.reached;
            group.made = then.made;
            group.params = then.params;
            group.goals = then.goals;
        }
        world.index();
        self.forces.clear();
        self.forces.resize(world.agents.len(), Vec2::ZERO);
        self.minds = state.minds;
        self.messages.clear();
        self.pending.clear();
    }
}
