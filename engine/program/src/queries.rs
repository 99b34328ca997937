//! The result of each query of the world, for one agent. The interpreter and programs use the same functions.

use super::{
    AgentInteger, AgentNumber, AskObstacle, AskOther, AskPath, SharedInteger, SharedNumber, steps,
};
use crate::geom;
use crate::math::{self, Vec2};
use crate::world::{Agent, Body, GroupId, Me, ObstacleId, Path, World};

impl SharedNumber {
    /// Returns the number, for agents with a body.
    pub fn of(self, world: &World, body: &Body) -> f32 {
        let cursor = world.cursor.unwrap_or(Vec2::ZERO);
        match self {
            Self::Radius => body.radius,
            Self::Mass => body.mass,
            Self::MaxSpeed => body.max_speed,
            Self::MaxForce => body.max_force,
            Self::Time => world.time(),
            Self::Dt => world.dt,
            Self::SizeX => world.space.size.x,
            Self::SizeY => world.space.size.y,
            Self::MinX => world.space.min.x,
            Self::MinY => world.space.min.y,
            Self::MaxX => world.space.max().x,
            Self::MaxY => world.space.max().y,
            Self::CursorX => cursor.x,
            Self::CursorY => cursor.y,
        }
    }

    /// Returns whether it is the same in all worlds with the same space.
    pub(super) fn is_of_space(self) -> bool {
        matches!(
            self,
            Self::SizeX | Self::SizeY | Self::MinX | Self::MinY | Self::MaxX | Self::MaxY
        )
    }

    /// Returns the shared number for a number of an agent's body, for groups in which all agents have the same body.
    pub fn of_body(what: AgentNumber) -> Option<Self> {
        match what {
            AgentNumber::Radius => Some(Self::Radius),
            AgentNumber::Mass => Some(Self::Mass),
            AgentNumber::MaxSpeed => Some(Self::MaxSpeed),
            AgentNumber::MaxForce => Some(Self::MaxForce),
            _ => None,
        }
    }
}

impl SharedInteger {
    /// Returns the integer, for agents of a group.
    pub fn of(self, world: &World, group: GroupId) -> i64 {
        match self {
            Self::Tick => i64::try_from(world.tick).unwrap_or(i64::MAX),
            Self::Count(None) => world.agents.len() as i64,
            Self::Count(Some(group)) => world.count(group) as i64,
            Self::Round { steps, queries, ways } => {
                let each = steps::loop_query_steps(world.object_count());
                let steps = u64::from(steps) + u64::from(queries) * each;
                let each = if ways == 0 { 0 } else { loop_way_steps(world, group) };
                (steps + u64::from(ways) * each) as i64
            }
            Self::Ways => steps::max_ways(world.max_way_cells(world.group(group))) as i64,
            Self::Obstacles => world.obstacles.len() as i64,
            Self::Only(group) => match world.only_agent(group) {
                Ok(row) => row as i64,
                Err(_) => -1,
            },
            Self::Group => group.0.into(),
        }
    }
}

/// Returns the number of steps that a way of an agent of a group counts for in a loop.
fn loop_way_steps(world: &World, group: GroupId) -> u64 {
    steps::loop_way_steps(world.max_way_cells(world.group(group)))
}

impl AgentNumber {
    /// Returns the number of an agent, as others see it.
    pub fn of(self, agent: &Agent<'_>) -> f32 {
        match self {
            Self::PosX => agent.pos().x,
            Self::PosY => agent.pos().y,
            Self::VelX => agent.vel().x,
            Self::VelY => agent.vel().y,
            Self::HeadingX => agent.heading().x,
            Self::HeadingY => agent.heading().y,
            Self::Speed => math::length(agent.vel()),
            Self::Radius => agent.body().radius,
            Self::Mass => agent.body().mass,
            Self::MaxSpeed => agent.body().max_speed,
            Self::MaxForce => agent.body().max_force,
        }
    }
}

impl AgentInteger {
    /// Returns the integer of an agent.
    pub fn of(self, agent: &Agent<'_>) -> i64 {
        match self {
            Self::Id => agent.id().0.into(),
            Self::Index => agent.index().into(),
            Self::Row => agent.row() as i64,
            Self::Previous => agent.previous().map_or(-1, |before| before.row() as i64),
            Self::Group => agent.group_id().0.into(),
            Self::Path => agent.path().map_or(-1, |path| path.0.into()),
        }
    }
}

impl AskOther {
    /// Returns what an agent finds out about another one, if there is a result.
    pub fn of(self, me: &Me<'_>, other: Agent<'_>) -> Option<f32> {
        match self {
            Self::TimeToCollision => me.time_to_collision(other),
            Self::TimeToNearest => Some(me.nearest_approach(other).time),
            Self::DistanceAtNearest => Some(me.nearest_approach(other).distance),
        }
    }
}

impl AskObstacle {
    /// Returns the result of a query of an obstacle about a point; `None` if there is no such obstacle.
    pub fn of(self, world: &World, id: ObstacleId, point: Vec2) -> Option<Vec2> {
        let shape = &world.find_obstacle(usize::from(id.0))?.shape;
        let number = |x| Vec2::new(x, 0.0);
        Some(match self {
            Self::Contains => number(f32::from(u8::from(shape.contains(point)))),
            Self::Distance => number(shape.surface(point).distance),
            Self::Closest => shape.surface(point).point,
            Self::Normal => shape.surface(point).normal,
            Self::Center => shape.center(),
            Self::Radius => number(shape.radius()),
            Self::Vel => world.obstacle_velocity(id),
            Self::Present => number(f32::from(u8::from(world.is_present(id)))),
        })
    }
}

impl AskPath {
    /// Returns the result of a query of a path about a point; `None` for an index that is out of range.
    pub fn of(self, path: &Path, point: Vec2) -> Option<Vec2> {
        let number = |x| Vec2::new(x, 0.0);
        let nearest = || path.nearest(point);
        Some(match self {
            Self::Closest => nearest().point,
            Self::Distance => number(nearest().distance),
            Self::Along => number(nearest().along),
            Self::At => geom::point_along(&path.points, path.is_closed(), point.x),
            Self::Point => {
                // A negative index is out of range, but would become 0 as an unsigned integer.
                let index = (point.x >= 0.0).then_some(point.x as usize)?;
                *path.points.get(index)?
            }
            Self::Radius => number(path.radius),
            Self::Length => number(geom::polyline_length(&path.points, path.is_closed())),
        })
    }
}
