//! Spawns: the positions and velocities of new agents.

use std::sync::Arc;

use super::brain::{self, BrainCall, TurnAgents};
use super::{AgentError, Moment, Simulation, Turns};
use crate::math::random::Use;
use crate::math::{self, Vec2};
use crate::world::{GroupId, NewAgent, World};

/// The way in which the agents of a group are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Spawn {
    /// Where they are placed.
    pub shape: SpawnShape,
    /// Number of agents at the start.
    pub count: u32,
    /// Their first velocity, in world units per second, unless the shape gives each its own.
    pub vel: Vec2,
    /// Their first heading; the direction of their velocity if it is `None`.
    pub heading: Option<Vec2>,
}

/// The positions of the agents of a group. All lengths are in world units.
#[derive(Clone, Debug, PartialEq)]
pub enum SpawnShape {
    /// At the given points, at least one. If there are more agents than points, the list repeats.
    Points(Vec<Vec2>),
    /// As the list describes each agent; it has at least one. If there are more agents than entries, the list repeats.
    Agents(Vec<NewAgent>),
    /// On a grid, row by row.
    Grid {
        /// The position of the first agent.
        at: Vec2,
        /// Number of agents in a row, at least 1.
        columns: u32,
        /// The distance between columns and between rows.
        spacing: Vec2,
    },
    /// Evenly spaced on a circle, from the direction of the x axis toward the y axis.
    Ring {
        /// The middle of the circle.
        center: Vec2,
        /// Its radius.
        radius: f32,
    },
    /// At random in a circle, uniformly over its area.
    Disc {
        /// The middle of the circle.
        center: Vec2,
        /// Its radius.
        radius: f32,
    },
    /// At random in a rectangle, uniformly over its area.
    Rect {
        /// The corner with the smallest coordinates.
        min: Vec2,
        /// The corner with the largest coordinates.
        max: Vec2,
    },
}

impl SpawnShape {
    /// Returns whether positions are drawn at random.
    pub fn is_random(&self) -> bool {
        matches!(self, Self::Disc { .. } | Self::Rect { .. })
    }

    /// Returns whether it is an empty list, which has no place for an agent.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Points(points) => points.is_empty(),
            Self::Agents(agents) => agents.is_empty(),
            Self::Grid { .. } | Self::Ring { .. } | Self::Disc { .. } | Self::Rect { .. } => false,
        }
    }

    /// Returns whether all its numbers are finite and a grid has at least one column.
    pub(super) fn is_finite(&self) -> bool {
        match self {
            Self::Points(points) => points.iter().all(|point| point.is_finite()),
            Self::Agents(agents) => agents.iter().all(NewAgent::is_finite),
            Self::Grid { at, columns, spacing } => {
                at.is_finite() && spacing.is_finite() && *columns > 0
            }
            Self::Ring { center, radius } | Self::Disc { center, radius } => {
                center.is_finite() && radius.is_finite()
            }
            Self::Rect { min, max } => min.is_finite() && max.is_finite(),
        }
    }
}

/// Returns the position of an agent on a ring of `count` agents.
pub fn ring_point(center: Vec2, radius: f32, index: u32, count: u32) -> Vec2 {
    let turn = index as f32 / count.max(1) as f32;
    center + math::direction(turn * 2.0 * math::PI) * radius
}

impl Spawn {
    /// Returns the agent with an index in its group. It depends only on the seed of the world, the name of the
    /// group and that index.
    pub fn agent(&self, world: &World, group: GroupId, index: u32) -> NewAgent {
        let stream = world.stream(group, index, Use::Spawn);
        let (first, second) = (stream.with(0), stream.with(1));
        let pos = match &self.shape {
            SpawnShape::Points(points) => points[index as usize % points.len()],
            SpawnShape::Agents(agents) => return agents[index as usize % agents.len()],
            SpawnShape::Grid { at, columns, spacing } => {
                let (column, row) = (index % columns, index / columns);
                *at + *spacing * Vec2::new(column as f32, row as f32)
            }
            SpawnShape::Ring { center, radius } => ring_point(*center, *radius, index, self.count),
            SpawnShape::Disc { center, radius } => {
                let out = math::sqrt(first.unit()) * *radius;
                *center + math::direction(second.between(-math::PI, math::PI)) * out
            }
            SpawnShape::Rect { min, max } => {
                Vec2::new(first.between(min.x, max.x), second.between(min.y, max.y))
            }
        };
        NewAgent { pos, vel: self.vel, heading: self.heading, sequence: 0 }
    }
}

impl Simulation {
    /// Makes new agents of a group, as its spawn says.
    pub(super) fn spawn_agents(&mut self, group: GroupId, count: u32) {
        self.sort_forces_by_row();
        let world = Arc::make_mut(&mut self.world);
        for _ in 0..count {
            let index = world.group(group).made;
            let mut new = self.spawns[group.0 as usize].agent(world, group, index);
            if new.sequence as usize >= world.group(group).goals.len() {
                // An event has replaced the goals that it was described with.
                new.sequence = 0;
            }
            world.add(group, new);
        }
        self.grow_minds();
    }

    /// Calls [`Brain::begin`] for the agents from the row `first` on, which see the public state of all agents.
    pub(super) fn begin_agents(&mut self, first: usize) -> Result<(), AgentError> {
        self.publish();
        self.call_begin(first)?;
        self.publish();
        Ok(())
    }

    /// Calls [`Brain::begin`] for the agents from the row `first` on.
    pub(super) fn call_begin(&mut self, first: usize) -> Result<(), AgentError> {
        Arc::make_mut(&mut self.world).index();
        let rows: Vec<u32> = (first as u32..self.world.agents.len() as u32).collect();
        let slot = |&row: &u32| self.world.agents.motions.slot(row as usize) as u32;
        let slots: Vec<u32> = rows.iter().map(slot).collect();
        let agents = TurnAgents {
            moment: Moment::unique(),
            rows: &rows,
            slots: Some(&slots),
            first: 0,
            some_stopped: true,
        };
        let mut velocities = vec![Vec2::ZERO; rows.len()];
        let mut forces = vec![Vec2::ZERO; rows.len()];
        let (_, minds) = self.minds.all().split(first);
        let turns = Turns::new(agents, minds, &mut forces, &mut velocities);
        brain::call_brains(BrainCall::Begin, &self.brains, &self.world, turns, &mut self.output)?;
        let world = Arc::make_mut(&mut self.world);
        for (i, vel) in velocities.into_iter().enumerate() {
            if vel != world.agents.vel(first + i) {
                world.move_row(first + i, world.agents.pos(first + i), vel);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(shape: SpawnShape, count: u32) -> Vec<Vec2> {
        let world = World::example(&[]);
        let spawn = Spawn { shape, count, vel: Vec2::ZERO, heading: None };
        (0..count).map(|index| spawn.agent(&world, GroupId(0), index).pos).collect()
    }

    #[test]
    fn grids_and_rings_are_regular() {
        let grid = positions(
            SpawnShape::Grid { at: Vec2::ONE, columns: 2, spacing: Vec2::new(10.0, 5.0) },
            3,
        );
        assert_eq!(grid, [Vec2::ONE, Vec2::new(11.0, 1.0), Vec2::new(1.0, 6.0)]);
        let ring = positions(SpawnShape::Ring { center: Vec2::ZERO, radius: 2.0 }, 4);
        for (at, expected) in ring.iter().zip([Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y]) {
            assert!((*at - expected * 2.0).length() < 1e-6, "{at}");
        }
    }

    #[test]
    fn random_shapes_fill_their_area_evenly() {
        let disc = positions(SpawnShape::Disc { center: Vec2::ONE, radius: 2.0 }, 4000);
        assert!(disc.iter().all(|at| at.distance(Vec2::ONE) <= 2.000_001));
        // Half of the area lies within radius / sqrt(2).
        let inner = disc.iter().filter(|at| at.distance(Vec2::ONE) < 2.0f32.sqrt()).count();
        assert!((1850..2150).contains(&inner), "{inner}");
        let rect = positions(SpawnShape::Rect { min: Vec2::ZERO, max: Vec2::new(4.0, 1.0) }, 4000);
        let left = rect.iter().filter(|at| at.x < 1.0).count();
        assert!((880..1120).contains(&left), "{left}");
    }

    #[test]
    fn a_higher_count_does_not_move_the_first_agents() {
        let shape = SpawnShape::Rect { min: Vec2::ZERO, max: Vec2::ONE };
        assert_eq!(positions(shape.clone(), 5), positions(shape, 9)[..5]);
    }
}
