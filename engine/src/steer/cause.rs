//! Because of whom or what a primitive gives what it gives.

use std::fmt;
use std::sync::Arc;

use super::{Arg, ParamKind};
use crate::math::{self, Vec2, short};
use crate::world::{Agent, Me, NeighborSummary, ObstacleId};

/// Because of whom or what a primitive gives what it gives. Distances are in world units, from where the
/// agent is, the shortest way in a world that wraps. Shown, it is a few words for a person.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// Another agent.
    Agent {
        /// Who.
        id: u32,
        /// The name of its group.
        group: Arc<str>,
        /// How far it is.
        distance: f32,
    },
    /// Others, who count together.
    Neighbors {
        /// How many, at least one.
        count: u32,
        /// Who of them is nearest.
        nearest: u32,
        /// How far that one is.
        distance: f32,
    },
    /// Others would count, and none does.
    NoNeighbors,
    /// An obstacle in the way.
    Obstacle {
        /// Which.
        id: ObstacleId,
        /// Its name.
        name: Arc<str>,
        /// Where it would be touched, in world units.
        at: Vec2,
        /// How far the agent would go until then; 0 where it touches the obstacle now.
        distance: f32,
    },
    /// An obstacle that a script has asked about by itself, in the way or not.
    QueriedObstacle {
        /// Which.
        id: ObstacleId,
        /// Its name.
        name: Arc<str>,
        /// The nearest place of its surface, in world units.
        at: Vec2,
        /// How far that is; 0 inside of the obstacle.
        distance: f32,
    },
    /// Obstacles or the edge would count, and nothing of them does.
    NothingInTheWay,
    /// The edge of the world.
    Edge {
        /// Where it is, if it is the left or the right one.
        x: Option<f32>,
        /// Where it is, if it is one of the others.
        y: Option<f32>,
    },
    /// A waypoint of a path.
    Waypoint {
        /// The name of the path.
        path: Arc<str>,
        /// Its place among the points of the path, from 0.
        number: u32,
        /// Where it is, in world units.
        at: Vec2,
        /// How far it is.
        distance: f32,
    },
    /// A place on a path.
    Path {
        /// The name of the path.
        path: Arc<str>,
        /// The place, in world units.
        at: Vec2,
        /// How far it is.
        distance: f32,
    },
    /// A point of the world.
    Point {
        /// Where it is, in world units.
        at: Vec2,
        /// How far it is.
        distance: f32,
    },
}

impl Cause {
    /// Another agent.
    pub(crate) fn agent(me: &Me<'_>, other: Agent<'_>) -> Self {
        Self::Agent {
            id: other.id(),
            group: Arc::clone(&other.group().name),
            distance: math::length(me.to(other.pos())),
        }
    }

    /// The others that sum up to this.
    pub(crate) fn neighbors(me: &Me<'_>, others: &NeighborSummary) -> Self {
        others.nearest.map_or(Self::NoNeighbors, |(row, distance_squared)| Self::Neighbors {
            count: others.count,
            nearest: me.world().agent(row).id(),
            distance: math::sqrt(distance_squared),
        })
    }

    /// A point of the world.
    pub(crate) fn point(me: &Me<'_>, at: Vec2) -> Self {
        let distance = math::length(me.to(at));
        Self::Point { at, distance }
    }

    /// The one for which an argument says all; none where it names nobody.
    pub(super) fn from_arg(me: &Me<'_>, kind: ParamKind, arg: Arg<'_>) -> Option<Self> {
        match arg {
            Arg::Agent(other) => Some(Self::agent(me, other)),
            Arg::Neighbors(which) => Some(Self::neighbors(me, &me.summary(&which))),
            Arg::Vector(at) if kind == ParamKind::Point => Some(Self::point(me, at)),
            Arg::Vector(_) | Arg::Number(_) | Arg::Path(_) | Arg::Forces(_) => None,
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
            Self::Neighbors { count: 1, nearest, distance } => {
                write!(f, "1 neighbor, agent {nearest}, {} away", short(*distance))
            }
            Self::Neighbors { count, nearest, distance } => {
                let distance = short(*distance);
                write!(f, "{count} neighbors, nearest agent {nearest}, {distance} away")
            }
            Self::NoNeighbors => f.write_str("nobody near"),
            Self::Obstacle { name, distance, .. } if *distance <= 0.0 => {
                write!(f, "obstacle `{name}`, touched")
            }
            Self::Obstacle { name, distance, .. } => {
                write!(f, "obstacle `{name}`, {} ahead", short(*distance))
            }
            Self::QueriedObstacle { name, distance, .. } => {
                write!(f, "obstacle `{name}`, {} away", short(*distance))
            }
            Self::NothingInTheWay => f.write_str("nothing in the way"),
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
            Self::Point { at, distance } => {
                write!(f, "the point {}, {} away", point(at), short(*distance))
            }
        }
    }
}
