//! Agents as columns: one row each, in the order of their ids.

use super::{Goal, Group, GroupId};
use crate::math::{self, Vec2};

/// Where an agent stands in its sequence of goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoalProgress {
    /// Which of its group's sequences.
    pub sequence: u32,
    /// How many goals of it are reached.
    pub reached: u32,
}

/// All agents there are. Ids count up in the order of creation and are never used again; rows are in
/// the order of ids, and close up when an agent is removed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agents {
    /// Names of the agents: rising numbers.
    pub id: Vec<u32>,
    /// Whose body, parameters and behavior.
    pub group: Vec<GroupId>,
    /// The how-manieth of its group, from 0, counted over all ever made.
    pub index: Vec<u32>,
    /// World units.
    pub pos: Vec<Vec2>,
    /// World units per second.
    pub vel: Vec<Vec2>,
    /// Unit vectors: where the velocity last pointed.
    pub heading: Vec<Vec2>,
    /// Progress through the goals.
    pub goal_progress: Vec<GoalProgress>,
    /// Whether an agent stands still for good.
    pub stopped: Vec<bool>,
    next_id: u32,
}

/// A new agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewAgent {
    /// World units.
    pub pos: Vec2,
    /// World units per second.
    pub vel: Vec2,
    /// Where it looks, if not along its velocity.
    pub heading: Option<Vec2>,
    /// Which of its group's sequences of goals it follows.
    pub sequence: u32,
}

impl NewAgent {
    /// An agent at a place, with a velocity in world units per second.
    pub fn at(pos: Vec2, vel: Vec2) -> Self {
        Self { pos, vel, heading: None, sequence: 0 }
    }

    /// Whether all its numbers are finite.
    pub(crate) fn is_finite(&self) -> bool {
        let heading = self.heading.unwrap_or_default();
        self.pos.is_finite() && self.vel.is_finite() && heading.is_finite()
    }
}

impl Agents {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// How many there have ever been.
    pub fn made(&self) -> u32 {
        self.next_id
    }

    /// Says how many there have ever been, where some of them are gone.
    pub(crate) fn set_made(&mut self, made: u32) {
        self.next_id = made;
    }

    /// The row of an id, if that agent is still there.
    pub fn row(&self, id: u32) -> Option<usize> {
        // Until the first removal rows and ids are the same.
        if self.id.get(id as usize) == Some(&id) {
            return Some(id as usize);
        }
        self.id.binary_search(&id).ok()
    }

    /// Adds an agent as the last row.
    pub(crate) fn push(&mut self, group: GroupId, index: u32, new: NewAgent) {
        let along = math::unit(new.heading.unwrap_or(new.vel));
        self.id.push(self.next_id);
        self.next_id += 1;
        self.group.push(group);
        self.index.push(index);
        self.pos.push(new.pos);
        self.vel.push(new.vel);
        self.heading.push(if along == Vec2::ZERO { Vec2::X } else { along });
        self.goal_progress.push(GoalProgress { sequence: new.sequence, reached: 0 });
        self.stopped.push(false);
    }

    /// Gives back memory that is kept for more of them.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.id.shrink_to_fit();
        self.group.shrink_to_fit();
        self.index.shrink_to_fit();
        self.pos.shrink_to_fit();
        self.vel.shrink_to_fit();
        self.heading.shrink_to_fit();
        self.goal_progress.shrink_to_fit();
        self.stopped.shrink_to_fit();
    }

    /// Keeps the rows marked `true`, in their order.
    pub(crate) fn retain(&mut self, keep: &[bool]) {
        retain_rows(&mut self.id, keep);
        retain_rows(&mut self.group, keep);
        retain_rows(&mut self.index, keep);
        retain_rows(&mut self.pos, keep);
        retain_rows(&mut self.vel, keep);
        retain_rows(&mut self.heading, keep);
        retain_rows(&mut self.goal_progress, keep);
        retain_rows(&mut self.stopped, keep);
    }

    /// The goal an agent is after, if it has one left.
    pub fn goal(&self, row: usize, groups: &[Group]) -> Option<Goal> {
        let plan = self.goal_progress[row];
        let sequence = groups[self.group[row].0 as usize].goals.get(plan.sequence as usize)?;
        sequence.get(plan.reached as usize).copied()
    }
}

/// Keeps the items of a column whose row is marked `true`.
pub(crate) fn retain_rows<T>(column: &mut Vec<T>, keep: &[bool]) {
    let mut row = 0;
    column.retain(|_| {
        row += 1;
        keep[row - 1]
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_agent(x: f32) -> NewAgent {
        NewAgent { pos: Vec2::new(x, 0.0), vel: Vec2::ZERO, heading: None, sequence: 0 }
    }

    #[test]
    fn ids_stay_with_their_agents() {
        let mut agents = Agents::default();
        for i in 0..4 {
            agents.push(GroupId(0), i, new_agent(i as f32));
        }
        agents.retain(&[true, false, true, true]);
        agents.push(GroupId(0), 4, new_agent(4.0));
        assert_eq!(agents.id, [0, 2, 3, 4]);
        assert_eq!(agents.row(1), None);
        let row = agents.row(3).unwrap();
        assert_eq!(agents.pos[row].x, 3.0);
    }
}
