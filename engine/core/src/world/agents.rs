//! Agents as columns: one row for each agent, in the order of their ids.

use std::slice;

use super::motions::Motions;
use super::{AgentId, Goal, Group, GroupId};
use crate::math::random::Mix;
use crate::math::{self, Vec2};

/// The progress of an agent through its goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoalProgress {
    /// Index of the sequence in its group.
    pub sequence: u32,
    /// Number of these goals, or of its own goals, that the agent has reached.
    pub reached: u32,
}

/// All agents of a world. Ids count up in the order of creation and are never reused. Rows are in the order of ids;
/// when an agent is removed, the rows after it move up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agents {
    /// Ids, in increasing order.
    pub id: Vec<AgentId>,
    /// The group, which has the body, the params and the behavior.
    pub group: Vec<GroupId>,
    /// The index in the group, from 0, counted over all agents ever created in it.
    pub index: Vec<u32>,
    /// Progress through the goals.
    pub goal_progress: Vec<GoalProgress>,
    /// Whether the agent has stopped for the rest of the run.
    pub stopped: Vec<bool>,
    /// Positions, velocities and headings, by slot.
    pub motions: Motions,
    /// The goals that agents have set themselves. Empty as long as none of the agents has done so.
    own_goals: Vec<Option<Goal>>,
    next_id: u32,
}

/// A new agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewAgent {
    /// Position, in world units.
    pub pos: Vec2,
    /// Velocity, in world units per second.
    pub vel: Vec2,
    /// The heading, if it is not along the velocity.
    pub heading: Option<Vec2>,
    /// Index of the sequence of goals in its group.
    pub sequence: u32,
}

impl NewAgent {
    /// Returns a new agent with a position in world units and a velocity in world units per second.
    pub fn at(pos: Vec2, vel: Vec2) -> Self {
        Self { pos, vel, heading: None, sequence: 0 }
    }

    /// Returns whether all its numbers are finite.
    pub(crate) fn is_finite(&self) -> bool {
        let heading = self.heading.unwrap_or_default();
        self.pos.is_finite() && self.vel.is_finite() && heading.is_finite()
    }
}

impl Agents {
    /// Returns the number of agents.
    #[inline]
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Returns whether there are no agents.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Returns the position of the agent in a row, in world units.
    #[inline]
    pub fn pos(&self, row: usize) -> Vec2 {
        self.motions.pos(row)
    }

    /// Returns the velocity of the agent in a row, in world units per second.
    #[inline]
    pub fn vel(&self, row: usize) -> Vec2 {
        self.motions.vel(row)
    }

    /// Returns the heading of the agent in a row: a unit vector in the direction of its last velocity that was not zero.
    #[inline]
    pub fn heading(&self, row: usize) -> Vec2 {
        self.motions.heading(row)
    }

    /// Returns a random direction that depends only on the agent's id: a unit vector.
    pub(crate) fn random_direction(&self, row: usize) -> Vec2 {
        Mix::new(u64::from(self.id[row].0)).direction()
    }

    /// Returns the positions of all agents, in the order of rows, in world units.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = Vec2> + '_ {
        (0..self.len()).map(|row| self.pos(row))
    }

    /// Returns the row, the position in world units and the heading of each agent, in an order in which agents that are near
    /// each other usually follow each other: the fastest way to read those of very many. The order may change with each tick.
    #[doc(hidden)]
    pub fn by_place(&self) -> impl ExactSizeIterator<Item = (usize, Vec2, Vec2)> + '_ {
        let places = self.motions.positions().iter().zip(self.motions.headings());
        self.motions
            .rows()
            .iter()
            .zip(places)
            .map(|(row, (pos, heading))| (*row as usize, *pos, *heading))
    }

    /// Returns the velocities of all agents, in the order of rows, in world units per second.
    pub fn velocities(&self) -> impl ExactSizeIterator<Item = Vec2> + '_ {
        (0..self.len()).map(|row| self.vel(row))
    }

    /// Returns the headings of all agents, in the order of rows.
    pub fn headings(&self) -> impl ExactSizeIterator<Item = Vec2> + '_ {
        (0..self.len()).map(|row| self.heading(row))
    }

    /// Returns the position of the agent in a row, mutable.
    #[doc(hidden)]
    pub fn pos_mut(&mut self, row: usize) -> &mut Vec2 {
        self.motions.pos_mut(row)
    }

    /// Returns the velocity of the agent in a row, mutable.
    #[doc(hidden)]
    pub fn vel_mut(&mut self, row: usize) -> &mut Vec2 {
        self.motions.vel_mut(row)
    }

    /// Returns the heading of the agent in a row, mutable.
    #[doc(hidden)]
    pub fn heading_mut(&mut self, row: usize) -> &mut Vec2 {
        self.motions.heading_mut(row)
    }

    /// Sets position, velocity and heading of the agent in a row.
    pub(crate) fn set_motion(&mut self, row: usize, pos: Vec2, vel: Vec2, heading: Vec2) {
        *self.pos_mut(row) = pos;
        *self.vel_mut(row) = vel;
        *self.heading_mut(row) = heading;
    }

    /// Returns how many agents were ever created.
    pub fn made(&self) -> u32 {
        self.next_id
    }

    /// Sets how many agents were ever created, for a state in which some of them were removed.
    #[doc(hidden)]
    pub fn set_made(&mut self, made: u32) {
        self.next_id = made;
    }

    /// Returns the row of an id, or `None` if that agent was removed.
    #[inline]
    pub fn row(&self, id: AgentId) -> Option<usize> {
        // Until the first removal, rows and ids are the same.
        let row = id.0 as usize;
        if self.id.get(row) == Some(&id) {
            return Some(row);
        }
        self.id.binary_search(&id).ok()
    }

    /// Adds an agent as the last row.
    pub fn push(&mut self, group: GroupId, index: u32, new: NewAgent) {
        let along = math::unit(new.heading.unwrap_or(new.vel));
        self.id.push(AgentId(self.next_id));
        self.next_id += 1;
        self.group.push(group);
        self.index.push(index);
        let heading = if along == Vec2::ZERO { Vec2::X } else { along };
        self.motions.push(new.pos, new.vel, heading);
        self.goal_progress.push(GoalProgress { sequence: new.sequence, reached: 0 });
        self.stopped.push(false);
        if !self.own_goals.is_empty() {
            self.own_goals.push(None);
        }
    }

    /// Frees memory that is reserved for more agents.
    #[doc(hidden)]
    pub fn shrink_to_fit(&mut self) {
        self.id.shrink_to_fit();
        self.group.shrink_to_fit();
        self.index.shrink_to_fit();
        self.motions.shrink_to_fit();
        self.goal_progress.shrink_to_fit();
        self.stopped.shrink_to_fit();
        self.own_goals.shrink_to_fit();
    }

    /// Returns the same agents in another order of rows. The ids stay in their order, so agents get other ids.
    pub(crate) fn in_order(&self, rows: &[usize]) -> Self {
        let mut motions = Motions::default();
        for &row in rows {
            motions.push(self.pos(row), self.vel(row), self.heading(row));
        }
        Self {
            id: self.id.clone(),
            group: rows.iter().map(|&row| self.group[row]).collect(),
            index: rows.iter().map(|&row| self.index[row]).collect(),
            goal_progress: rows.iter().map(|&row| self.goal_progress[row]).collect(),
            stopped: rows.iter().map(|&row| self.stopped[row]).collect(),
            motions,
            own_goals: match &self.own_goals[..] {
                [] => Vec::new(),
                own => rows.iter().map(|&row| own[row]).collect(),
            },
            next_id: self.next_id,
        }
    }

    /// Keeps the rows that are marked `true`, in their order.
    pub fn retain(&mut self, keep: &[bool]) {
        retain_rows(&mut self.id, keep);
        retain_rows(&mut self.group, keep);
        retain_rows(&mut self.index, keep);
        self.motions.retain(keep);
        retain_rows(&mut self.goal_progress, keep);
        retain_rows(&mut self.stopped, keep);
        retain_rows(&mut self.own_goals, keep);
        self.forget_unused_own_goals();
    }

    /// Returns the goal that the agent in a row has set itself, reached or not.
    #[inline]
    pub fn own_goal(&self, row: usize) -> Option<Goal> {
        self.own_goals.get(row).copied().flatten()
    }

    /// Sets the goal that the agent in a row has instead of the goals of its sequence. Its progress is not changed.
    pub fn set_own_goal(&mut self, row: usize, goal: Goal) {
        if self.own_goals.is_empty() {
            self.own_goals.resize(self.len(), None);
        }
        self.own_goals[row] = Some(goal);
    }

    /// Lets the agents of a group have the goals of their sequences again.
    pub(crate) fn remove_own_goals(&mut self, group: GroupId) {
        for (own, _) in self.own_goals.iter_mut().zip(&self.group).filter(|(_, of)| **of == group) {
            *own = None;
        }
        self.forget_unused_own_goals();
    }

    /// Makes equal agents equal in memory.
    fn forget_unused_own_goals(&mut self) {
        if self.own_goals.iter().all(Option::is_none) {
            self.own_goals.clear();
        }
    }

    /// Returns whether any agent has set itself a goal.
    #[inline]
    pub(crate) fn have_own_goals(&self) -> bool {
        !self.own_goals.is_empty()
    }

    /// Changes the goals that agents have set themselves.
    pub(crate) fn change_own_goals(&mut self, change: impl Fn(&Goal) -> Goal) {
        for goal in self.own_goals.iter_mut().flatten() {
            *goal = change(goal);
        }
    }

    /// Returns the current goal of an agent, if it has one left.
    #[inline]
    pub fn goal(&self, row: usize, groups: &[Group]) -> Option<Goal> {
        self.goals_left(row, groups).first().copied()
    }

    /// Returns the goals that the agent in a row has not reached yet, in order.
    #[inline]
    pub fn goals_left<'g>(&'g self, row: usize, groups: &'g [Group]) -> &'g [Goal] {
        let reached = self.goal_progress[row].reached as usize;
        self.goals(row, groups).get(reached..).unwrap_or_default()
    }

    /// Returns all goals of the agent in a row, reached or not, in order: the one that it has set itself, or else those of its sequence.
    #[inline]
    pub fn goals<'g>(&'g self, row: usize, groups: &'g [Group]) -> &'g [Goal] {
        if let Some(Some(own)) = self.own_goals.get(row) {
            return slice::from_ref(own);
        }
        let sequence = self.goal_progress[row].sequence as usize;
        let all = groups[self.group[row].0 as usize].goals.get(sequence);
        all.map_or(&[], |all| all)
    }
}

/// Keeps the elements of a column whose row is marked `true`.
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
    fn own_goals_stay_with_their_agents() {
        let mut agents = Agents::default();
        (0..3).for_each(|i| agents.push(GroupId(0), i, new_agent(i as f32)));
        let goal = |x| Goal { at: Vec2::new(x, 0.0), radius: 1.0 };
        agents.set_own_goal(0, goal(10.0));
        agents.set_own_goal(2, goal(12.0));
        agents.push(GroupId(0), 3, new_agent(3.0));
        agents.retain(&[false, true, true, true]);
        assert_eq!([0, 1, 2].map(|row| agents.own_goal(row)), [None, Some(goal(12.0)), None]);
        assert_eq!(agents.in_order(&[1, 0, 2]).own_goal(0), Some(goal(12.0)));
        let groups = [Group { goals: vec![[goal(1.0)].into()], ..Group::default() }];
        assert_eq!([0, 1].map(|row| agents.goal(row, &groups)), [goal(1.0), goal(12.0)].map(Some));
        let mut without = agents.clone();
        without.remove_own_goals(GroupId(1));
        assert_eq!(without, agents, "those of another group");
        without.remove_own_goals(GroupId(0));
        agents.retain(&[true, false, true]);
        assert!(
            ![agents, without].iter().any(Agents::have_own_goals),
            "as if there had never been any"
        );
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
        assert_eq!(agents.row(AgentId(1)), None);
        let row = agents.row(AgentId(3)).unwrap();
        assert_eq!(agents.pos(row).x, 3.0);
    }
}
