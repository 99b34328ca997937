//! Events: what a scenario does to its agents from outside.

use std::sync::Arc;

use crate::math::Vec2;
use crate::world::{Goal, GroupId, Value, World};

/// Something that happens at given ticks, before anyone decides.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// At which ticks.
    pub when: EventTime,
    /// What.
    pub action: Action,
}

/// At which ticks an event happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventTime {
    /// Once, between this tick and the next.
    At(u64),
    /// Again and again.
    Every {
        /// Ticks from one time to the next, at least 1.
        ticks: u64,
        /// The first time.
        from: u64,
        /// No more from this tick on.
        until: u64,
    },
}

impl EventTime {
    /// Whether the event happens at a tick.
    pub fn includes(self, tick: u64) -> bool {
        match self {
            Self::At(at) => tick == at,
            Self::Every { ticks, from, until } => {
                tick >= from && tick < until && (tick - from).is_multiple_of(ticks)
            }
        }
    }
}

/// When in its tick a push acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename = "moment of a push")]
pub enum PushTime {
    /// With the other events, before anyone decides: agents see their new velocity and steer against it in
    /// the same tick.
    #[default]
    BeforeDecision,
    /// After the agents have decided and before they move: it is added to the velocity that the force is
    /// added to. The force limit does not cut it, the speed limit does. In [`super::Order::Sequential`]
    /// each agent is pushed in its own turn.
    AfterDecision,
}

/// What an event does.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Action {
    /// Adds to the velocity of each agent of a group.
    Push {
        /// Whom.
        group: GroupId,
        /// World units per second.
        velocity: Vec2,
        /// Before or after the agents decide.
        when: PushTime,
    },
    /// Sets a parameter of a group.
    Set {
        /// Whose.
        group: GroupId,
        /// Which.
        param: Arc<str>,
        /// To what.
        value: Value,
    },
    /// Makes more agents, as the group's spawn says.
    Spawn {
        /// Of which group.
        group: GroupId,
        /// How many.
        count: u32,
    },
    /// Takes agents out, the oldest first.
    Remove {
        /// Of which group.
        group: GroupId,
        /// How many; all where it is left out.
        count: Option<u32>,
    },
    /// Gives all agents of a group new goals; those that had stopped go on.
    SetGoals {
        /// Whom.
        group: GroupId,
        /// In this order.
        goals: Arc<[Goal]>,
    },
    /// Puts the pointer somewhere, until the next such action, or takes it away.
    Cursor {
        /// World units; away where it is left out.
        at: Option<Vec2>,
    },
    /// Adds to velocities, away from a place: the most at the place and nothing at the radius, linearly. In
    /// a world that wraps it goes the shortest way. An agent at the very place is pushed along its heading.
    Scatter {
        /// World units.
        at: Vec2,
        /// World units, above 0.
        radius: f32,
        /// At the place, in world units per second.
        speed: f32,
        /// Whom; everyone where it is left out.
        group: Option<GroupId>,
    },
}

impl Action {
    /// Whether there is in a world what it is about.
    pub(crate) fn is_possible_in(&self, world: &World) -> bool {
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
            Self::Cursor { .. } => true,
        }
    }

    /// The same for a world that numbers its groups otherwise; none if the group is not there.
    pub(crate) fn with_mapped_groups(
        &self,
        to: &dyn Fn(GroupId) -> Option<GroupId>,
    ) -> Option<Self> {
        let mut same = self.clone();
        match &mut same {
            Self::Push { group, .. }
            | Self::Set { group, .. }
            | Self::Spawn { group, .. }
            | Self::Remove { group, .. }
            | Self::SetGoals { group, .. }
            | Self::Scatter { group: Some(group), .. } => *group = to(*group)?,
            Self::Cursor { .. } | Self::Scatter { group: None, .. } => {}
        }
        Some(same)
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
        assert!(EventTime::At(4).includes(4) && !EventTime::At(4).includes(5));
    }
}
