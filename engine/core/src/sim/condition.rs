//! Conditions of events: what the world must be like so that an event happens.

use std::sync::Arc;

use super::{EventTime, Simulation};
use crate::geom::Shape;
use crate::math;
use crate::math::random::{Mix, Use};
use crate::world::{Grid, GroupId, Value, World};

/// A condition of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// The positions of agents are in an area, or on its edge.
    Inside {
        /// Their group.
        group: GroupId,
        /// The area. It does not wrap.
        area: Shape,
        /// How many must be inside.
        agents: HowMany,
    },
    /// The body of an agent comes near the body of another one.
    Near {
        /// The groups of the two agents; they may be the same.
        between: [GroupId; 2],
        /// The largest distance between the two bodies, in world units; 0 if they must touch.
        distance: f32,
    },
    /// Agents have reached all of their goals, and also those count that have been removed since.
    Reached {
        /// Their group.
        group: GroupId,
        /// How many must have reached them. All have if one has, and no agent of the group has a goal left.
        agents: HowMany,
    },
    /// A group has only few agents.
    AtMost {
        /// The group.
        group: GroupId,
        /// The largest number of agents.
        agents: u32,
    },
    /// A shared value is as a test demands.
    Shared {
        /// Its name.
        name: Arc<str>,
        /// The test.
        is: SharedTest,
    },
    /// Chance decides at each tick, independently of everything else.
    Chance {
        /// How often it holds on average, in times per second. It never holds more than once in a tick.
        per_second: f32,
    },
}

/// What a shared value must be. A value of another type is never right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SharedTest {
    /// This boolean.
    Equal(bool),
    /// At least this number.
    AtLeast(f32),
    /// At most this number.
    AtMost(f32),
}

impl SharedTest {
    fn holds(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Equal(test), Value::Bool(value)) => test == *value,
            (Self::AtLeast(least), Value::Float(value)) => *value >= least,
            (Self::AtMost(most), Value::Float(value)) => *value <= most,
            _ => false,
        }
    }
}

/// How many agents of a group a condition needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HowMany {
    /// All agents of the group, and at least one.
    All,
    /// At least this number of agents.
    AtLeast(u32),
}

impl HowMany {
    /// Returns whether a number of agents out of all is enough.
    fn is_met(self, count: usize, all: usize) -> bool {
        match self {
            Self::All => all > 0 && count == all,
            Self::AtLeast(least) => count >= least as usize,
        }
    }
}

impl Condition {
    /// Returns the groups of the condition, mutable.
    pub(super) fn groups_mut(&mut self) -> &mut [GroupId] {
        match self {
            Self::Inside { group, .. }
            | Self::Reached { group, .. }
            | Self::AtMost { group, .. } => std::slice::from_mut(group),
            Self::Near { between, .. } => between,
            Self::Shared { .. } | Self::Chance { .. } => &mut [],
        }
    }

    /// Returns whether the condition may hold at some ticks without having become true: each tick stands alone.
    fn is_momentary(&self) -> bool {
        matches!(self, Self::Chance { .. })
    }
}

impl Simulation {
    /// Returns whether an event with a condition happens now, and keeps what the next tick must know. `number` is its number among the
    /// events with conditions.
    pub(super) fn happens_now(&mut self, when: &EventTime, number: u32) -> bool {
        let EventTime::When { condition, again } = when else {
            return true;
        };
        let spent = self.world.spent_events.binary_search(&number);
        if spent.is_ok() && !again {
            return false;
        }
        let holds = self.holds(condition, number);
        let is_spent = holds && !(*again && condition.is_momentary());
        if is_spent != spent.is_ok() {
            let spent_events = &mut Arc::make_mut(&mut self.world).spent_events;
            match spent {
                Ok(index) => {
                    spent_events.remove(index);
                }
                Err(index) => spent_events.insert(index, number),
            }
        }
        holds && spent.is_err()
    }

    /// Returns whether a condition holds now.
    fn holds(&self, condition: &Condition, number: u32) -> bool {
        let world = &*self.world;
        match condition {
            Condition::Inside { group, area, agents } => {
                let all = world.members(*group);
                let (mut count, mut inside) = (0, 0);
                for agent in all {
                    count += 1;
                    inside += usize::from(area.surface(agent.pos()).distance <= 0.0);
                }
                agents.is_met(inside, count)
            }
            Condition::Near { between, distance } => are_near(world, *between, *distance),
            Condition::Reached { group, agents } => {
                let done = self.goal_counts(*group).agents as usize;
                match agents {
                    HowMany::AtLeast(_) => agents.is_met(done, done),
                    HowMany::All => {
                        let has_goal = |row| world.agents.goal(row, &world.groups).is_some();
                        let mut rows = (0..world.agents.len())
                            .filter(|&row| world.agents.group[row] == *group);
                        done > 0 && !rows.any(has_goal)
                    }
                }
            }
            Condition::AtMost { group, agents } => world.count(*group) <= *agents as usize,
            Condition::Shared { name, is } => {
                world.shared_value(name).is_some_and(|value| is.holds(value))
            }
            Condition::Chance { per_second } => {
                let mix = Mix::new(world.seed).with(Use::Event as u64);
                mix.with(u64::from(number)).with(world.tick).unit() < per_second * world.dt
            }
        }
    }
}

/// Returns whether a body of one group is at most a distance away from a body of the other one.
fn are_near(world: &World, [a, b]: [GroupId; 2], distance: f32) -> bool {
    let agents = &world.agents;
    let mut motions = agents.motions.clone();
    let mut grid = Grid::default();
    grid.sort(&world.space, &mut motions);
    let (rows, positions) = (motions.rows(), motions.positions());
    let radius = |row: usize| world.radius_of(row);
    let largest = world.group(b).largest_radius();
    for (slot, &pos) in positions.iter().enumerate() {
        let row = rows[slot] as usize;
        if agents.group[row] != a {
            continue;
        }
        // Rounding up misses nothing; each pair is then checked exactly.
        let reach = (radius(row) + largest + distance) * 1.000_01;
        let mut is_found = false;
        grid.each_run(pos, pos, reach, |run, _| {
            for other in run {
                let is_other = agents.group[rows[other] as usize] == b && other != slot;
                if is_other && !is_found {
                    let between = math::length(world.space.offset_inside(pos, positions[other]));
                    let radii = radius(row) + radius(rows[other] as usize);
                    is_found = between - radii <= distance;
                }
            }
        });
        if is_found {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
