//! The state of a run, from which it can continue later.

use std::sync::Arc;

use super::{GoalCounts, Output, Simulation};
use crate::math::Vec2;
use crate::world::{Agents, Goal, Layer, Minds, ObstacleState, Values, WaitingMessage};

/// Everything that changes during a run. State, setup and brains together determine the future. Properties that only
/// the setup gives and no tick changes (bodies, shapes, the edge) are not part of the state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Number of ticks that have passed.
    pub tick: u64,
    /// The position of the pointer in world units, if there is one.
    pub cursor: Option<Vec2>,
    /// The names of the inputs that are true.
    pub inputs_down: Vec<Arc<str>>,
    /// The names of the obstacles that are absent.
    pub absent_obstacles: Vec<Arc<str>>,
    /// The obstacles that move or are not where the scenario puts them, in the order of the scenario.
    pub moving_obstacles: Vec<ObstacleState>,
    /// The events with conditions that do not happen at the next tick if their conditions hold, in order, by their numbers among the
    /// events with conditions: those that have happened, and those that happen again whose conditions held at the last tick.
    pub spent_events: Vec<u32>,
    /// What agents have told others that is not heard yet, in the order in which it will be heard.
    pub waiting: Vec<WaitingMessage>,
    /// The layers, in their order.
    pub layers: Vec<LayerState>,
    /// The shared values, by their names.
    pub shared: Values,
    /// The states of the groups, in their order.
    pub groups: Vec<GroupState>,
    /// All agents.
    pub agents: Agents,
    /// The minds of the agents, in the same rows.
    pub minds: Minds,
}

/// The part of a layer that can change during a run.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerState {
    /// The name of the layer.
    pub name: Arc<str>,
    /// Its amounts.
    pub amounts: Arc<Vec<f32>>,
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

impl Layer {
    /// Returns the part of it that can change during a run.
    pub fn state(&self) -> LayerState {
        LayerState { name: Arc::clone(&self.name), amounts: Arc::clone(&self.amounts) }
    }
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
            inputs_down: self.world.inputs_down(),
            absent_obstacles: self.world.absent_obstacles(),
            moving_obstacles: self.world.moving_obstacles(),
            spent_events: self.world.spent_events.clone(),
            waiting: self.world.waiting.clone(),
            layers: self.world.layers.iter().map(Layer::state).collect(),
            shared: self.world.shared_values(),
            groups: groups.collect(),
            agents: self.world.agents.clone(),
            minds: self.minds.clone(),
        }
    }

    /// Continues from a state of this run, or of another run with the same groups, paths, obstacles, inputs and events. Layers that the state does
    /// not have, or has with another number of cells, begin with their first amounts.
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
        if let Some(news) = &mut world.news {
            news.clear();
        }
        world.cursor = state.cursor;
        world.set_inputs_down(&state.inputs_down);
        world.set_absent_obstacles(&state.absent_obstacles);
        world.set_moving_obstacles(&state.moving_obstacles);
        world.spent_events = state.spent_events;
        world.waiting = state.waiting;
        for (layer, first) in world.layers.iter_mut().zip(&*self.initial_layers) {
            let is_same = |state: &&LayerState| {
                state.name == layer.name && state.amounts.len() == first.amounts.len()
            };
            let then = state.layers.iter().find(is_same).map(|state| &state.amounts);
            layer.amounts = Arc::clone(then.unwrap_or(&first.amounts));
        }
        world.set_shared_values(&state.shared);
        world.agents = state.agents;
        let groups = world.groups.iter_mut().zip(&mut self.reached);
        for ((group, reached), then) in groups.zip(state.groups) {
            *reached = then.reached;
            group.made = then.made;
            group.params = then.params;
            group.goals = then.goals;
        }
        world.draw_numbers();
        world.index();
        self.minds = state.minds;
        self.complete_minds(0);
        self.publish();
        self.reset_forces();
        self.output = Output::default();
        self.pending.clear();
    }
}
