//! The state of a run, from which it can continue later.

use std::sync::Arc;

use super::{GoalCounts, Output, Simulation};
use crate::math::Vec2;
use crate::world::{Agents, Goal, Minds, Values};

/// Everything that changes during a run. State, setup and brains together determine the future. Properties that only
/// the setup gives and no tick changes (bodies, shapes, the edge) are not part of the state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Number of ticks that have passed.
    pub tick: u64,
    /// The position of the pointer in world units, if there is one.
    pub cursor: Option<Vec2>,
    /// The names of the obstacles that are absent.
    pub absent_obstacles: Vec<Arc<str>>,
    /// The events with conditions that do not happen at the next tick if their conditions hold, in order, by their numbers among the
    /// events with conditions: those that have happened, and those that happen again whose conditions held at the last tick.
    pub spent_events: Vec<u32>,
    /// The states of the groups, in their order.
    pub groups: Vec<GroupState>,
    /// All agents.
    pub agents: Agents,
    /// The minds of the agents, in the same rows.
    pub minds: Minds,
}

/// The part of a group that can change during a run.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupState {
    /// Number of agents of the group that have ever been made.
    pub made: u32,
    /// The goals that they have reached so far.
    pub reached: GoalCounts,
    /// Its params.
    pub params: Values,
    /// Its sequences of goals.
    pub goals: Vec<Arc<[Goal]>>,
}

impl Simulation {
    /// Returns the current state.
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
            absent_obstacles: self.world.absent_obstacles(),
            spent_events: self.world.spent_events.clone(),
            groups: groups.collect(),
            agents: self.world.agents.clone(),
            minds: self.minds.clone(),
        }
    }

    /// Continues from a state of this run, or of another run with the same groups, paths, obstacles and events.
    ///
    /// # Panics
    ///
    /// If the state has another number of groups, or another number of minds than agents.
    pub fn restore(&mut self, state: State) {
        self.prepared.clear();
        let world = Arc::make_mut(&mut self.world);
        assert_eq!(world.groups.len(), state.groups.len(), "the same groups");
        assert_eq!(state.agents.len(), state.minds.len(), "a mind for each agent");
        world.tick = state.tick;
        world.cursor = state.cursor;
        world.set_absent_obstacles(&state.absent_obstacles);
        world.spent_events = state.spent_events;
        world.agents = state.agents;
        let groups = world.groups.iter_mut().zip(&mut self.reached);
        for ((group, reached), then) in groups.zip(state.groups) {
            *reached = then.reached;
            group.made = then.made;
            group.params = then.params;
            group.goals = then.goals;
        }
        world.index();
        self.minds = state.minds;
        self.complete_minds(0);
        self.publish();
        self.reset_forces();
        self.output = Output::default();
        self.pending.clear();
    }
}
