//! Agents reach their goals, and what they have reached is counted. The future of a run does not depend on these counts.

use std::ops::Range;
use std::sync::Arc;

use super::Simulation;
use super::motion::CHUNK;
use crate::math::Vec2;
use crate::threads;
use crate::world::AfterGoals;

/// Counts of one group, since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoalCounts {
    /// Goals that all agents of the group together have reached.
    pub goals: u64,
    /// Number of times that an agent has reached its last goal.
    pub agents: u64,
    /// Agents that an event or a program removed before they reached their last goal.
    pub lost: u64,
}

impl Simulation {
    /// Finds out which agents have reached their goal, and does with them what their group says.
    pub(super) fn check_goals(&mut self) {
        let some_group_has = self.world.groups.iter().any(|group| !group.goals.is_empty());
        if !some_group_has && !self.world.agents.have_own_goals() {
            return;
        }
        let world = &self.world;
        let is_there = |row: &usize| {
            let goal = world.agents.goal(*row, &world.groups);
            !world.agents.stopped[*row]
                && goal.is_some_and(|goal| world.me(*row).to(goal.at).length() < goal.radius)
        };
        let in_part = |part: Range<usize>| part.filter(is_there).collect::<Vec<usize>>();
        let join = |some, others| [some, others].concat();
        let there = threads::reduce_parts(world.agents.len(), CHUNK, in_part, join);
        let Some(there) = there.filter(|there| !there.is_empty()) else {
            return;
        };
        let world = Arc::make_mut(&mut self.world);
        self.keep.clear();
        for row in there {
            let reached = &mut self.reached[world.agents.group[row].0 as usize];
            reached.goals += 1;
            world.agents.goal_progress[row].reached += 1;
            if world.agents.goal(row, &world.groups).is_none() {
                reached.agents += 1;
                match world.group(world.agents.group[row]).after_goals {
                    AfterGoals::Stay => {}
                    AfterGoals::Stop => {
                        world.agents.stopped[row] = true;
                        *world.agents.vel_mut(row) = Vec2::ZERO;
                    }
                    AfterGoals::Remove => {
                        self.keep.resize(world.agents.len(), true);
                        self.keep[row] = false;
                    }
                }
            }
        }
        self.remove_unmarked();
    }
}
