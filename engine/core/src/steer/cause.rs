//! The things that primitives reacted to.

use std::fmt;
use std::sync::Arc;

use super::{Arg, ParamKind};
use crate::math::{self, Vec2, short};
use crate::world::{
    Agent, AgentId, FieldId, Me, NeighborSummary, Neighborhood, News, NewsSource, ObstacleId,
};

/// Something that a primitive reacted to. Distances are in world units, measured from the agent, across the edge of a
/// world that wraps if that is shorter. Its display is a few words for a person.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// Another agent.
    Agent {
        /// Its id.
        id: AgentId,
        /// The name of its group.
        group: Arc<str>,
        /// The distance to it.
        distance: f32,
    },
    /// A value of another agent's public state.
    State {
        /// The id of the agent.
        id: AgentId,
        /// The name of its group.
        group: Arc<str>,
        /// The name of the value.
        name: Arc<str>,
        /// The distance to the agent.
        distance: f32,
    },
    /// A value of the agent's own state that another agent has set, with `me.tell`.
    Told {
        /// The name of the value.
        name: Arc<str>,
        /// The id of the agent that told it.
        id: AgentId,
        /// The name of that agent's group.
        group: Arc<str>,
        /// The tick in which it told it.
        tick: u64,
    },
    /// A value of the agent's own state that has grown by what the agent took from a layer, with `me.take`.
    Taken {
        /// The name of the value.
        name: Arc<str>,
        /// The name of the layer.
        layer: Arc<str>,
        /// The tick in which it took it.
        tick: u64,
    },
    /// A value of the agent's own state that has grown since the agent captured another one, with `me.capture`.
    Captured {
        /// The name of the value.
        name: Arc<str>,
        /// The id of the other agent.
        id: AgentId,
        /// The name of that agent's group.
        group: Arc<str>,
        /// The tick in which it was captured.
        tick: u64,
    },
    /// A shared value of the world.
    Shared {
        /// Its name.
        name: Arc<str>,
    },
    /// Several other agents together.
    Neighbors {
        /// The number of them, at least one.
        count: u32,
        /// The id of the nearest one.
        nearest: AgentId,
        /// The distance to that one.
        distance: f32,
    },
    /// The primitive looked for neighbors, but there are none.
    NoNeighbors,
    /// An obstacle in the way.
    Obstacle {
        /// Its id.
        id: ObstacleId,
        /// Its name.
        name: Arc<str>,
        /// The point at which the agent would touch it, in world units.
        at: Vec2,
        /// How far the agent would move until then; 0 if it touches the obstacle already.
        distance: f32,
    },
    /// An obstacle that the script itself asked about, in the way or not.
    QueriedObstacle {
        /// Its id.
        id: ObstacleId,
        /// Its name.
        name: Arc<str>,
        /// The nearest point of its surface, in world units.
        at: Vec2,
        /// The distance to that point; 0 inside the obstacle.
        distance: f32,
    },
    /// The primitive looked for neighbors, but there are none, so it reacted to the agent's own direction.
    OwnDirection,
    /// The primitive looked for obstacles or the edge of the world, but none is in the way.
    NothingAhead,
    /// The edge of the world.
    Edge {
        /// The x coordinate, if it is the left or the right edge.
        x: Option<f32>,
        /// The y coordinate, if it is the lower or the upper edge.
        y: Option<f32>,
    },
    /// A waypoint of a path.
    Waypoint {
        /// The name of the path.
        path: Arc<str>,
        /// Its index among the points of the path, from 0.
        number: u32,
        /// Its position, in world units.
        at: Vec2,
        /// The distance to it.
        distance: f32,
    },
    /// A point on a path.
    Path {
        /// The name of the path.
        path: Arc<str>,
        /// The point, in world units.
        at: Vec2,
        /// The distance to it.
        distance: f32,
    },
    /// The flow of a field.
    Field {
        /// The name of the field.
        field: Arc<str>,
        /// The point whose flow counts, in world units.
        at: Vec2,
        /// The flow there.
        flow: Vec2,
    },
    /// A corner on the way to a point of the world.
    Corner {
        /// The id of the nearest obstacle, which the way leads around.
        id: ObstacleId,
        /// Its name.
        name: Arc<str>,
        /// The position of the corner, in world units.
        at: Vec2,
        /// The distance to it.
        distance: f32,
    },
    /// A point of the world that no way leads to.
    NoWay {
        /// The point, in world units.
        to: Vec2,
        /// The nearest point that can be reached, in world units.
        at: Vec2,
        /// The distance to that one.
        distance: f32,
    },
    /// A point of the world.
    Point {
        /// Its position, in world units.
        at: Vec2,
        /// The distance to it.
        distance: f32,
    },
}

impl Cause {
    /// Returns the cause for another agent.
    pub fn agent(me: &Me<'_>, other: Agent<'_>) -> Self {
        Self::Agent {
            id: other.id(),
            group: Arc::clone(&other.group().name),
            distance: math::length(me.to(other.pos())),
        }
    }

    /// Returns the cause for a value of another agent's public state.
    pub fn state(me: &Me<'_>, other: Agent<'_>, name: &Arc<str>) -> Self {
        Self::State {
            id: other.id(),
            group: Arc::clone(&other.group().name),
            name: Arc::clone(name),
            distance: math::length(me.to(other.pos())),
        }
    }

    /// Returns the causes for a value of the agent's own state that has changed since its last turn.
    pub fn news(me: &Me<'_>, name: &str) -> Vec<Self> {
        let news = me.world().news(me.agent().id(), name).into_iter().cloned();
        news.map(|News { name, source, tick, .. }| match source {
            NewsSource::Told { id, group } => Self::Told { name, id, group, tick },
            NewsSource::Taken(layer) => Self::Taken { name, layer, tick },
            NewsSource::Captured { id, group } => Self::Captured { name, id, group, tick },
        })
        .collect()
    }

    /// Returns whether it is a change of the agent's own state since its last turn.
    pub fn is_news(&self) -> bool {
        matches!(self, Self::Told { .. } | Self::Taken { .. } | Self::Captured { .. })
    }

    /// Returns the cause for the neighbors in a summary.
    pub fn neighbors(me: &Me<'_>, others: &NeighborSummary) -> Self {
        others.nearest.map_or(Self::NoNeighbors, |(row, distance_squared)| Self::Neighbors {
            count: others.count,
            nearest: me.world().agent(row).id(),
            distance: math::sqrt(distance_squared),
        })
    }

    /// Returns the cause for neighbors, or for the nearest obstacle if there are none.
    pub(super) fn neighbors_or_obstacle(me: &Me<'_>, neighbors: &Neighborhood) -> Self {
        match Self::neighbors(me, &me.summary(neighbors)) {
            Self::NoNeighbors => Self::nearest_obstacle(me),
            cause => cause,
        }
    }

    /// Returns the cause for the obstacle whose surface is nearest.
    fn nearest_obstacle(me: &Me<'_>) -> Self {
        let surfaces = me.world().obstacles.iter().map(|obstacle| obstacle.shape.surface(me.pos()));
        let nearest =
            surfaces.enumerate().min_by(|(_, a), (_, b)| a.distance.total_cmp(&b.distance));
        nearest.map_or(Self::NothingAhead, |(number, surface)| {
            let id = me.world().obstacle_id(number);
            Self::QueriedObstacle {
                id,
                name: Arc::clone(&me.world().obstacle(id).name),
                at: surface.point,
                distance: math::max(surface.distance, 0.0),
            }
        })
    }

    /// Returns the cause for a field at a point; `None` if there is no such field.
    pub fn field(me: &Me<'_>, field: FieldId, at: Vec2) -> Option<Self> {
        let found = me.world().fields.get(usize::from(field.0))?;
        Some(Self::Field { field: Arc::clone(&found.name), at, flow: me.world().flow(field, at) })
    }

    /// Returns the cause for a point of the world.
    pub fn point(me: &Me<'_>, at: Vec2) -> Self {
        let distance = math::length(me.to(at));
        Self::Point { at, distance }
    }

    /// Returns the cause for the way to a point of the world: the next corner, or the point if it is in sight, or that no
    /// way leads there.
    pub(super) fn next_on_way(me: &Me<'_>, to: Vec2) -> Self {
        let way = me.way(to);
        if !way.reaches {
            return Self::NoWay { to, at: way.end, distance: math::length(me.to(way.end)) };
        }
        let obstacles = me.world().obstacles.iter().enumerate();
        let distances =
            obstacles.map(|(index, one)| (one.shape.surface(way.next).distance, one, index));
        let nearest = distances.reduce(|a, b| if b.0 < a.0 { b } else { a });
        match nearest.filter(|_| way.next != way.end) {
            Some((_, one, index)) => Self::Corner {
                id: me.world().obstacle_id(index),
                name: one.name.clone(),
                at: way.next,
                distance: math::length(me.to(way.next)),
            },
            None => Self::point(me, way.end),
        }
    }

    /// Returns the cause that an argument alone states, if any.
    pub(super) fn from_arg(me: &Me<'_>, kind: ParamKind, arg: Arg<'_>) -> Option<Self> {
        match arg {
            Arg::Agent(other) => Some(Self::agent(me, other)),
            Arg::Neighbors(which) => Some(Self::neighbors(me, &me.summary(&which))),
            Arg::Vector(at) if kind == ParamKind::Point => Some(Self::point(me, at)),
            Arg::Vector(_)
            | Arg::Number(_)
            | Arg::Path(_)
            | Arg::Flow(_)
            | Arg::Forces(_)
            | Arg::Numbers(_)
            | Arg::Slots(_) => None,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let point = |at: &Vec2| math::short_vector(*at);
        match self {
            Self::Agent { id, group, distance } => {
                write!(f, "agent {id} ({group}), {} away", short(*distance))
            }
            Self::State { id, group, name, distance } => {
                let distance = short(*distance);
                write!(f, "the state `{name}` of agent {id} ({group}), {distance} away")
            }
            Self::Told { name, id, group, tick } => {
                write!(f, "the message `{name}` of agent {id} ({group}) at tick {tick}")
            }
            Self::Taken { layer, tick, .. } => {
                write!(f, "what it took from layer `{layer}` at tick {tick}")
            }
            Self::Captured { id, group, tick, .. } => {
                write!(f, "agent {id} ({group}), which it captured at tick {tick}")
            }
            Self::Shared { name } => write!(f, "the shared value `{name}`"),
            Self::Neighbors { count: 1, nearest, distance } => {
                write!(f, "1 neighbor, agent {nearest}, {} away", short(*distance))
            }
            Self::Neighbors { count, nearest, distance } => {
                let distance = short(*distance);
                write!(f, "{count} neighbors, nearest agent {nearest}, {distance} away")
            }
            Self::NoNeighbors => f.write_str("no neighbors"),
            Self::OwnDirection => f.write_str("its own direction: no neighbors"),
            Self::Obstacle { name, distance, .. } if *distance <= 0.0 => {
                write!(f, "obstacle `{name}`, which it touches")
            }
            Self::Obstacle { name, distance, .. } => {
                write!(f, "obstacle `{name}`, {} ahead", short(*distance))
            }
            Self::QueriedObstacle { name, distance, .. } => {
                write!(f, "obstacle `{name}`, {} away", short(*distance))
            }
            Self::NothingAhead => f.write_str("nothing ahead"),
            Self::Edge { x, y } => {
                let place = |name, at: &Option<f32>| at.map(|at| format!("{name} = {}", short(at)));
                let places: Vec<String> =
                    [place("x", x), place("y", y)].into_iter().flatten().collect();
                write!(f, "the edge of the world at {}", places.join(" and "))
            }
            Self::Waypoint { path, number, distance, .. } => {
                let distance = short(*distance);
                write!(f, "waypoint {number} of path `{path}`, {distance} away")
            }
            Self::Path { path, at, distance } => {
                let (at, distance) = (point(at), short(*distance));
                write!(f, "path `{path}` at {at}, {distance} away")
            }
            Self::Field { field, at, flow } => {
                write!(f, "field `{field}` at {}, {}", point(at), point(flow))
            }
            Self::Corner { name, at, distance, .. } => {
                let (at, distance) = (point(at), short(*distance));
                write!(f, "the corner {at} at obstacle `{name}`, {distance} away")
            }
            Self::NoWay { to, at, distance } => {
                let (to, at, distance) = (point(to), point(at), short(*distance));
                write!(
                    f,
                    "the point {to}, which no way leads to: the nearest it can reach is {at}, {distance} away"
                )
            }
            Self::Point { at, distance } => {
                write!(f, "the point {}, {} away", point(at), short(*distance))
            }
        }
    }
}
