//! Events and their actions: what a scenario does to its agents and its obstacles, at given ticks or under conditions.

use std::sync::Arc;

use super::Condition;
use crate::math::Vec2;
use crate::world::{Goal, GroupId, ObstacleMotion, Value, World};

/// An action that happens at the beginning of some ticks, before the agents decide.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When it happens.
    pub when: EventTime,
    /// The action.
    pub action: Action,
}

/// When an event happens.
#[derive(Clone, Debug, PartialEq)]
pub enum EventTime {
    /// Once, at the beginning of the step from this tick to the next.
    At(u64),
    /// Repeatedly.
    Every {
        /// Number of ticks from one time to the next, at least 1.
        ticks: u64,
        /// The first tick.
        from: u64,
        /// The tick before which it ends.
        until: u64,
    },
    /// At the beginning of the first step at which a condition holds.
    When {
        /// The condition. It is tested in the world that the events before this one have left.
        condition: Condition,
        /// Whether it happens again each time the condition becomes true after it was false.
        again: bool,
    },
}

impl EventTime {
    /// Returns whether the event happens at a tick, or may happen if it has a condition.
    pub fn includes(&self, tick: u64) -> bool {
        match *self {
            Self::At(at) => tick == at,
            Self::Every { ticks, from, until } => {
                tick >= from && tick < until && (tick - from).is_multiple_of(ticks)
            }
            Self::When { .. } => true,
        }
    }

    /// Returns whether its condition tests a shared value.
    #[doc(hidden)]
    pub fn tests_shared(&self, name: &str) -> bool {
        matches!(self, Self::When { condition: Condition::Shared { name: tested, .. }, .. } if **tested == *name)
    }

    /// Returns whether the event happens, or may happen, at a tick or later.
    #[doc(hidden)]
    pub fn happens_since(&self, tick: u64) -> bool {
        match *self {
            Self::At(at) => at >= tick,
            Self::Every { ticks, from, until } => {
                let passed = tick.saturating_sub(from).div_ceil(ticks).saturating_mul(ticks);
                from.saturating_add(passed) < until
            }
            Self::When { .. } => true,
        }
    }
}

/// Whether a push acts before or after the agents decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename = "push time")]
pub enum PushTime {
    /// With the other events, before the agents decide. They see their new velocity and can steer against it in
    /// the same tick.
    #[default]
    BeforeDecision,
    /// After the agents have decided and before they move. The push is added to the velocity that the force is
    /// added to. The maximum force does not limit it; the maximum speed does. In [`super::Order::Sequential`]
    /// each agent is pushed in its own turn.
    AfterDecision,
}

/// The action of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Adds to the velocity of each agent of a group.
    Push {
        /// The group.
        group: GroupId,
        /// The added velocity, in world units per second.
        velocity: Vec2,
        /// Before or after the agents decide.
        when: PushTime,
    },
    /// Sets a param of a group.
    Set {
        /// The group.
        group: GroupId,
        /// The name of the param.
        param: Arc<str>,
        /// The new value.
        value: Value,
    },
    /// Makes more agents, as the spawn of the group says.
    Spawn {
        /// The group.
        group: GroupId,
        /// Number of new agents.
        count: u32,
    },
    /// Removes agents, the oldest first.
    Remove {
        /// The group.
        group: GroupId,
        /// Number of agents; all agents of the group if it is `None`.
        count: Option<u32>,
    },
    /// Gives all agents of a group new goals. Agents that had stopped move again.
    SetGoals {
        /// The group.
        group: GroupId,
        /// The new goals, in order.
        goals: Arc<[Goal]>,
    },
    /// Puts an obstacle there, or takes it away.
    SetObstacle {
        /// The name of the obstacle.
        obstacle: Arc<str>,
        /// Whether it is there from now on.
        present: bool,
    },
    /// Lets an obstacle move in another way, from where it is. It moves in this tick already, also while it is absent.
    MoveObstacle {
        /// The name of the obstacle.
        obstacle: Arc<str>,
        /// How it moves from now on.
        motion: ObstacleMotion,
    },
    /// Sets a shared value, whatever its rule is.
    SetShared {
        /// Its name.
        name: Arc<str>,
        /// The new value.
        value: Value,
    },
    /// Moves the pointer to a place, where it stays until the next such action, or takes it away.
    Cursor {
        /// The place in world units; `None` takes the pointer away.
        at: Option<Vec2>,
    },
    /// Sets an input, until the next such action.
    Input {
        /// The name of the input.
        name: Arc<str>,
        /// Whether it is true from now on: whether its key is down.
        down: bool,
    },
    /// Pushes agents away from a place. The added speed falls linearly from `speed` at the place to 0 at the
    /// radius. In a world that wraps, directions go the shortest way. An agent exactly at the place is pushed
    /// along its heading.
    Scatter {
        /// The place in world units.
        at: Vec2,
        /// The radius in world units, above 0.
        radius: f32,
        /// The added speed at the place, in world units per second.
        speed: f32,
        /// The group; all agents if it is `None`.
        group: Option<GroupId>,
    },
}

impl Action {
    /// Returns whether the group, the param, the obstacle, the path and the input of this action exist in a world.
    #[doc(hidden)]
    pub fn is_possible_in(&self, world: &World) -> bool {
        let there = |group: &GroupId| usize::from(group.0) < world.groups.len();
        match self {
            Self::Set { group, param, .. } => {
                there(group) && world.group(*group).params.get(param).is_some()
            }
            Self::Push { group, .. }
            | Self::Spawn { group, .. }
            | Self::Remove { group, .. }
            | Self::SetGoals { group, .. } => there(group),
            Self::Scatter { group, .. } => group.as_ref().is_none_or(there),
            Self::SetObstacle { obstacle, .. } => world.obstacle_named(obstacle).is_some(),
            Self::MoveObstacle { obstacle, motion } => {
                let is_known = match motion {
                    ObstacleMotion::Along { path, .. } => world.path_named(path).is_some(),
                    _ => true,
                };
                is_known && world.obstacle_named(obstacle).is_some()
            }
            Self::Input { name, .. } => world.input_named(name).is_some(),
            Self::SetShared { name, value } => {
                let of = world.shared_named(name).map(|index| world.shared[index].ty());
                of.is_some_and(|ty| ty.fit(value.clone()).is_some())
            }
            Self::Cursor { .. } => true,
        }
    }

    /// Returns this action for a world in which groups have other ids. `None` if its group is not in that world.
    #[doc(hidden)]
    pub fn with_mapped_groups(&self, to: &dyn Fn(GroupId) -> Option<GroupId>) -> Option<Self> {
        let mut same = self.clone();
        match &mut same {
            Self::Push { group, .. }
            | Self::Set { group, .. }
            | Self::Spawn { group, .. }
            | Self::Remove { group, .. }
            | Self::SetGoals { group, .. }
            | Self::Scatter { group: Some(group), .. } => *group = to(*group)?,
            Self::Cursor { .. }
            | Self::Input { .. }
            | Self::Scatter { group: None, .. }
            | Self::SetObstacle { .. }
            | Self::MoveObstacle { .. }
            | Self::SetShared { .. } => {}
        }
        Some(same)
    }
}

impl Event {
    /// Returns this event for a world in which groups have other ids. `None` if one of its groups is not in that world.
    pub(super) fn with_mapped_groups(
        &self,
        to: &dyn Fn(GroupId) -> Option<GroupId>,
    ) -> Option<Self> {
        let mut when = self.when.clone();
        if let EventTime::When { condition, .. } = &mut when {
            for group in condition.groups_mut() {
                *group = to(*group)?;
            }
        }
        Some(Self { when, action: self.action.with_mapped_groups(to)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_happen_at_their_ticks() {
        let when = EventTime::Every { ticks: 3, from: 2, until: 9 };
        let ticks: Vec<u64> = (0..12).filter(|&tick| when.includes(tick)).collect();
        assert_eq!(ticks, [2, 5, 8]);
        for tick in 0..12 {
            assert_eq!(when.happens_since(tick), tick <= 8, "{tick}");
        }
        assert!(EventTime::At(4).includes(4) && !EventTime::At(4).includes(5));
    }
}
