//! The companion of a run: the same run after a [`Law`], for comparing the two.

use std::fmt;
use std::sync::Arc;

use super::schedule::Schedule;
use super::transform::Transform;
use super::{Action, AgentError, Law, Simulation, Spawn, SpawnShape};
use crate::math::{self, Vec2};
use crate::world::{
    AgentId, GroupId, LateListeners, NewAgent, Value, Values, WaitingMessage, World,
};

/// A run that began as the state of another run after a law.
#[derive(Clone)]
pub(crate) struct Companion {
    simulation: Simulation,
    transform: Transform,
    /// The id here of each agent of the other run that was there at the beginning, in the order of the ids there.
    ids: Vec<(AgentId, AgentId)>,
}

impl fmt::Debug for Companion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Companion").field("transform", &self.transform).finish_non_exhaustive()
    }
}

impl Simulation {
    /// Returns the companions of this run from now on, for a number of ticks: one for each way in which the law is applied. There
    /// are none for a translation if an agent keeps a vector in its state, or the world in a shared value or a message that is not heard yet:
    /// it could be a point or a direction. There are none for other laws if two agents are at the same place: they are pushed in random directions, which depend on their ids.
    pub(crate) fn companions(&self, law: Law, ticks: u64) -> Vec<Companion> {
        let mut minds = (0..self.minds.len()).map(|row| self.minds.state(row));
        let keeps_vector = minds.any(|state| state.iter().any(|(_, value)| has_vector(value)))
            || self.world.shared.iter().any(|one| has_vector(&one.value))
            || self.world.waiting.iter().any(|one| has_vector(&one.message.value));
        if law == Law::Translated && keeps_vector {
            return Vec::new();
        }
        if law != Law::Translated && self.has_coincident_agents() {
            return Vec::new();
        }
        let transforms = Transform::all(law, &self.world.space).into_iter();
        transforms.map(|transform| self.companion(law, transform, ticks)).collect()
    }

    fn has_coincident_agents(&self) -> bool {
        let points = self.world.agents.positions().map(|pos| (pos.x.to_bits(), pos.y.to_bits()));
        let mut points: Vec<(u32, u32)> = points.collect();
        points.sort_unstable();
        points.windows(2).any(|pair| pair[0] == pair[1])
    }

    fn companion(&self, law: Law, transform: Transform, ticks: u64) -> Companion {
        let mut it = self.clone();
        it.output.messages.clear();
        it.prepared.clear();
        let ids = if law == Law::Reordered { it.reorder() } else { Vec::new() };
        it.transform(&transform, self, ticks);
        it.publish();
        it.reset_forces();
        Companion { simulation: it, transform, ids }
    }

    /// Puts the agents into the opposite order of the groups. Returns the old and the new id of each.
    fn reorder(&mut self) -> Vec<(AgentId, AgentId)> {
        let world = Arc::make_mut(&mut self.world);
        let mut rows: Vec<usize> = (0..world.agents.len()).collect();
        rows.sort_by_key(|&row| (std::cmp::Reverse(world.agents.group[row]), row));
        let ids = &world.agents.id;
        let mut new: Vec<(AgentId, AgentId)> =
            rows.iter().zip(ids).map(|(&row, &id)| (ids[row], id)).collect();
        new.sort_unstable();
        world.agents = world.agents.in_order(&rows);
        for shared in &mut world.shared {
            shared.value = with_ids(&shared.value, &new);
        }
        for WaitingMessage { to, message, .. } in &mut world.waiting {
            message.teller = with_id(message.teller, &new);
            message.value = with_ids(&message.value, &new);
            if let LateListeners::Agents(ids) = to {
                *ids = ids.iter().map(|&id| with_id(id, &new)).collect();
            }
        }
        self.minds = self.minds.in_order(&rows);
        for row in 0..rows.len() {
            if self.minds.state(row).iter().any(|(_, value)| has_agent(value)) {
                let state = self.minds.state(row).iter();
                let state = state.map(|(name, value)| (name.into(), with_ids(value, &new)));
                *self.minds.mind(row).state = state.collect();
            }
        }
        new
    }

    /// Applies a law to everything except the order of agents. `before` is the same run without it.
    fn transform(&mut self, to: &Transform, before: &Self, ticks: u64) {
        let spawns = (0..).map(GroupId).zip(&before.spawns);
        self.spawns =
            spawns.map(|(group, spawn)| before.coming_agents(group, spawn, to, ticks)).collect();
        self.events = Arc::new(Schedule::new(
            before.events.all().iter().map(|event| to.event(event)).collect(),
        ));
        self.pending = before.pending.iter().map(|action| to.action(action)).collect();
        for row in 0..self.minds.len() {
            if self.minds.state(row).iter().any(|(_, value)| has_vector(value)) {
                let state: Values = to.values(self.minds.state(row));
                *self.minds.mind(row).state = state;
            }
        }
        let world = Arc::make_mut(&mut self.world);
        world.space = to.space(&world.space);
        world.cursor = world.cursor.map(|at| to.point(at));
        let moving: Vec<_> =
            world.moving_obstacles().iter().map(|state| to.obstacle_state(state)).collect();
        world.set_moving_obstacles(&[]);
        let absent = world.absent.iter_mut().map(|(_, obstacle)| obstacle);
        for obstacle in world.obstacles.iter_mut().chain(absent) {
            obstacle.shape = to.shape(&obstacle.shape);
        }
        world.set_moving_obstacles(&moving);
        for point in world.paths.iter_mut().flat_map(|path| &mut path.points) {
            *point = to.point(*point);
        }
        for field in &mut world.fields {
            *field = to.field(field);
        }
        for shared in &mut world.shared {
            shared.start = to.value(&shared.start);
            shared.value = to.value(&shared.value);
        }
        for WaitingMessage { message, .. } in &mut world.waiting {
            message.value = to.value(&message.value);
        }
        for group in &mut world.groups {
            group.params = to.values(&group.params);
            group.public = to.values(&group.public);
            group.formation = group.formation.as_ref().map(|formation| to.formation(formation));
            for goals in &mut group.goals {
                *goals = goals.iter().map(|goal| to.goal(goal)).collect();
            }
        }
        world.agents.change_own_goals(|goal| to.goal(goal));
        for row in 0..world.agents.len() {
            let agents = &mut world.agents;
            let (pos, vel) = (to.point(agents.pos(row)), to.direction(agents.vel(row)));
            let heading = to.direction(agents.heading(row));
            let pos = world.space.inside(pos);
            agents.set_motion(row, pos, vel, heading);
        }
        world.index();
    }

    /// Returns a spawn for the agents of a group that events may make in the coming ticks, after a law.
    fn coming_agents(&self, group: GroupId, spawn: &Spawn, to: &Transform, ticks: u64) -> Spawn {
        let now = self.world.tick;
        let events = (now..now.saturating_add(ticks)).flat_map(|tick| self.events.at(tick));
        let actions = events.map(|(event, _)| &event.action).chain(&self.pending);
        let count = actions.map(|action| match action {
            Action::Spawn { group: of, count } if *of == group => *count,
            _ => 0,
        });
        let count = count.fold(0, u32::saturating_add);
        let made = self.world.group(group).made;
        // The agent with the index i is taken from the place i % count.
        let mut agents = vec![NewAgent::at(Vec2::ZERO, Vec2::ZERO); count.max(1) as usize];
        for index in made..made.saturating_add(count) {
            let new = spawn.agent(&self.world, group, index);
            let along = math::unit(new.heading.unwrap_or(new.vel));
            let heading = if along == Vec2::ZERO { Vec2::X } else { along };
            let (pos, _) = self.world.space.apply_edge(new.pos, Vec2::ZERO);
            agents[(index % count) as usize] = NewAgent {
                pos: to.point(pos),
                vel: to.direction(new.vel),
                heading: Some(to.direction(heading)),
                ..new
            };
        }
        Spawn { shape: SpawnShape::Agents(agents), ..spawn.clone() }
    }
}

impl Companion {
    /// Returns the current tick.
    pub(crate) fn tick(&self) -> u64 {
        self.simulation.world.tick
    }

    /// Runs one tick.
    ///
    /// # Errors
    ///
    /// As [`Simulation::step`].
    pub(crate) fn step(&mut self) -> Result<(), AgentError> {
        self.simulation.step()?;
        self.simulation.output.messages.clear();
        Ok(())
    }

    /// Returns how far the agent in a row of the other run is from its place here, in world units. `None` if it is not here.
    pub(crate) fn distance(&self, other: &World, row: usize) -> Option<f32> {
        let id = other.agents.id[row];
        let id = with_id(id, &self.ids);
        let agents = &self.simulation.world.agents;
        let here = self.transform.point_before(agents.pos(agents.row(id)?));
        Some(math::length(other.space.offset(other.agents.pos(row), here)))
    }
}

/// Returns whether a value contains a vector.
fn has_vector(value: &Value) -> bool {
    contains(value, &|value| matches!(value, Value::Vector(_)))
}

/// Returns whether a value contains an agent.
fn has_agent(value: &Value) -> bool {
    contains(value, &|value| matches!(value, Value::Agent(_)))
}

fn contains(value: &Value, is_it: &dyn Fn(&Value) -> bool) -> bool {
    match value {
        Value::List(items) => items.iter().any(|item| contains(item, is_it)),
        Value::Map(items) => items.iter().any(|(_, item)| contains(item, is_it)),
        other => is_it(other),
    }
}

/// Returns the other id of an agent.
fn with_id(id: AgentId, ids: &[(AgentId, AgentId)]) -> AgentId {
    let known = ids.binary_search_by_key(&id, |(old, _)| *old);
    known.map_or(id, |index| ids[index].1)
}

/// Returns a value with other ids of agents.
fn with_ids(value: &Value, ids: &[(AgentId, AgentId)]) -> Value {
    match value {
        Value::Agent(id) => Value::Agent(with_id(*id, ids)),
        Value::List(items) => Value::List(items.iter().map(|item| with_ids(item, ids)).collect()),
        Value::Map(items) => {
            let items = items.iter();
            Value::Map(items.map(|(name, item)| (name.clone(), with_ids(item, ids))).collect())
        }
        other => other.clone(),
    }
}
