//! Totals: what has happened to the agents of a run since it is watched.

use super::Measure;
use super::collisions::Collisions;
use crate::math::{self, Vec2};
use crate::sim::Simulation;
use crate::world::{AfterGoals, AgentId, GroupId, World};

/// Watches a run and sums up what happens to its agents: collisions, ways, arrivals.
///
/// An agent counts until it has reached its last goal, even if it stays in the world: from then on it is only something
/// that others can collide with. Agents that are added count from then on, and those that are removed still count. Agents
/// that had reached their last goal when they were first seen do not count.
#[derive(Clone)]
pub struct Totals {
    /// Seconds per tick.
    dt: f64,
    first_tick: u64,
    tick: u64,
    /// The agents in the world, in the order of rows.
    present: Vec<WatchedAgent>,
    /// The sums of the agents that are gone, for each group.
    gone: Vec<RunTotals>,
    /// For each group, how many of its agents had been removed too early at the last tick.
    lost: Vec<u64>,
    /// For each group, how many agents it had made when it was first seen, and how many it had.
    first: Vec<(u32, u64)>,
    /// For each group, how many agents it has made by now.
    made: Vec<u32>,
    /// `None` if collisions are not requested.
    collisions: Option<Collisions>,
}

#[derive(Clone, Copy, Debug)]
struct WatchedAgent {
    id: AgentId,
    group: GroupId,
    /// Whether it counts: it had not reached its last goal when it was first seen.
    counts: bool,
    has_goals: bool,
    /// Whether it has reached its last goal. Nothing counts from then on.
    is_done: bool,
    /// Whether it will have reached its last goal when the next tick begins, and be removed.
    is_leaving: bool,
    /// The velocity after its last tick.
    vel: Option<Vec2>,
    /// The heading at the last tick.
    heading: Vec2,
    sums: Sums,
}

/// The totals of one agent, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sums {
    pub(super) collisions: u64,
    /// Sum of the time, in seconds.
    pub(super) time: f64,
    /// Sum of speed times time, in world units.
    pub(super) distance: f64,
    /// Sum of v^2/2 times time.
    pub(super) energy: f64,
    /// Sum of |dv|.
    pub(super) change: f64,
    /// Sum of the angles between headings, in radians.
    pub(super) turning: f64,
}

/// The totals of some agents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RunTotals {
    pub(super) agents: u64,
    pub(super) without_goals: u64,
    pub(super) unfinished: u64,
    /// How many have reached their last goal.
    pub(super) arrived: u64,
    /// The sum of the times that these needed, in seconds.
    pub(super) time_of_arrived: f64,
    /// How many agents have come since the beginning.
    pub(super) births: u64,
    /// How many agents have left since the beginning.
    pub(super) deaths: u64,
    pub(super) sums: Sums,
}

impl RunTotals {
    fn add(&mut self, agent: &WatchedAgent, has_arrived: bool) {
        if !agent.counts {
            return;
        }
        self.agents += 1;
        self.without_goals += u64::from(!agent.has_goals);
        if has_arrived {
            self.arrived += 1;
            self.time_of_arrived += agent.sums.time;
        }
        self.add_sums(&agent.sums);
    }

    fn add_present(&mut self, agent: &WatchedAgent) {
        self.add(agent, agent.is_done);
        self.unfinished += u64::from(agent.has_goals && !agent.is_done);
    }

    fn add_sums(&mut self, sums: &Sums) {
        self.sums.collisions += sums.collisions;
        self.sums.time += sums.time;
        self.sums.distance += sums.distance;
        self.sums.energy += sums.energy;
        self.sums.change += sums.change;
        self.sums.turning += sums.turning;
    }

    fn join(&mut self, other: &Self) {
        self.agents += other.agents;
        self.without_goals += other.without_goals;
        self.unfinished += other.unfinished;
        self.arrived += other.arrived;
        self.time_of_arrived += other.time_of_arrived;
        self.births += other.births;
        self.deaths += other.deaths;
        self.add_sums(&other.sums);
    }

    /// Returns the mean over the agents; `None` if there were none.
    pub(super) fn mean(&self, sum: f64) -> Option<f64> {
        (self.agents > 0).then(|| sum / self.agents as f64)
    }
}

impl Totals {
    /// Begins with the current state of a simulation. Call it before the first step.
    pub fn new(simulation: &Simulation) -> Self {
        let dt = simulation.world().dt;
        let mut this = Self {
            // A length such as 0.05 is not exact in single precision. Its shortest text says what is meant.
            dt: dt.to_string().parse().unwrap_or(f64::from(dt)),
            first_tick: simulation.world().tick,
            tick: simulation.world().tick,
            present: Vec::new(),
            gone: Vec::new(),
            lost: Vec::new(),
            first: Vec::new(),
            made: Vec::new(),
            collisions: Some(Collisions::default()),
        };
        this.take_groups(simulation);
        this.take_agents(simulation.world());
        this
    }

    /// Does the same for some measures: returns `None` if none of them needs totals, and searches for collisions only
    /// if one of them counts these.
    pub fn needed(
        simulation: &Simulation,
        measures: impl IntoIterator<Item = Measure>,
    ) -> Option<Self> {
        let mut found: Option<Self> = None;
        let mut with_collisions = false;
        for measure in measures.into_iter().filter(|measure| measure.needs_totals()) {
            found.get_or_insert_with(|| Self::new(simulation));
            with_collisions |= measure == Measure::Collisions;
        }
        if !with_collisions && let Some(found) = &mut found {
            found.collisions = None;
        }
        found
    }

    /// Counts the tick that was just simulated. Call it after each step.
    pub fn add_tick(&mut self, simulation: &Simulation) {
        let world = simulation.world();
        self.tick = world.tick;
        self.drop_removed(simulation);
        self.take_groups(simulation);
        self.take_agents(world);
        let dt = self.dt;
        for (row, agent) in self.present.iter_mut().enumerate() {
            let heading = world.agents.heading(row);
            let before = std::mem::replace(&mut agent.heading, heading);
            if agent.is_done {
                continue;
            }
            let vel = world.agents.vel(row);
            let length = |v: Vec2| {
                let (x, y) = (f64::from(v.x), f64::from(v.y));
                (x * x + y * y).sqrt()
            };
            let speed = length(vel);
            let sums = &mut agent.sums;
            sums.time += dt;
            sums.distance += speed * dt;
            sums.energy += speed * speed / 2.0 * dt;
            sums.change += agent.vel.map_or(0.0, |before| length(vel - before));
            if heading != before {
                let angle = math::atan2(before.perp_dot(heading).abs(), before.dot(heading));
                sums.turning += f64::from(angle);
            }
            agent.vel = Some(vel);
        }
        if let Some(collisions) = &mut self.collisions {
            let present = &mut self.present;
            collisions.each_new(world, |row| {
                if !present[row].is_done {
                    present[row].sums.collisions += 1;
                }
            });
        }
    }

    /// Returns whether collisions are counted.
    pub(super) fn counts_collisions(&self) -> bool {
        self.collisions.is_some()
    }

    /// Returns how long the run has been watched, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        (self.tick - self.first_tick) as f64 * self.dt
    }

    /// Returns the totals of all agents.
    pub(super) fn sum(&self) -> RunTotals {
        let mut all = RunTotals::default();
        self.gone.iter().for_each(|gone| all.join(gone));
        self.present.iter().for_each(|agent| all.add_present(agent));
        for (births, deaths) in self.births_and_deaths() {
            all.births += births;
            all.deaths += deaths;
        }
        all
    }

    /// Returns the totals of the agents of each group.
    pub(super) fn sum_by_group(&self) -> Vec<RunTotals> {
        let mut all = self.gone.clone();
        for agent in &self.present {
            all[usize::from(agent.group.0)].add_present(agent);
        }
        for (totals, (births, deaths)) in all.iter_mut().zip(self.births_and_deaths()) {
            (totals.births, totals.deaths) = (births, deaths);
        }
        all
    }

    /// Returns how many agents of each group have come, and how many have left.
    fn births_and_deaths(&self) -> Vec<(u64, u64)> {
        let mut present = vec![0u64; self.made.len()];
        self.present.iter().for_each(|agent| present[usize::from(agent.group.0)] += 1);
        let groups = self.made.iter().zip(&self.first).zip(present);
        let each = groups.map(|((&made, &(first_made, first)), present)| {
            let births = u64::from(made.saturating_sub(first_made));
            (births, (first + births).saturating_sub(present))
        });
        each.collect()
    }

    /// Adds the agents that are no longer in the world to those that are gone.
    fn drop_removed(&mut self, simulation: &Simulation) {
        let mut ids = simulation.world().agents.id.iter().peekable();
        let gone = &mut self.gone;
        // The agents that went without having been seen at their last goal.
        let mut went: Vec<WatchedAgent> = Vec::new();
        self.present.retain(|agent| {
            let stays = ids.next_if(|id| **id == agent.id).is_some();
            if !stays {
                if agent.has_goals && !agent.is_done {
                    went.push(*agent);
                } else {
                    gone[usize::from(agent.group.0)].add(agent, agent.is_done);
                }
            }
            stays
        });
        // Those who were about to arrive come first: as many as were not lost have been removed because they arrived.
        went.sort_by_key(|agent| (agent.group, !agent.is_leaving));
        for of_group in went.chunk_by(|a, b| a.group == b.group) {
            let group = of_group[0].group;
            let (gone, lost) = (&mut gone[usize::from(group.0)], self.lost[usize::from(group.0)]);
            let count = of_group.len() as u64;
            let lost = simulation.goal_counts(group).lost.saturating_sub(lost).min(count);
            gone.unfinished += lost;
            for (agent, index) in of_group.iter().zip(0..) {
                gone.add(agent, index < count - lost);
            }
        }
    }

    fn take_groups(&mut self, simulation: &Simulation) {
        let groups = (0..simulation.world().groups.len() as u16).map(GroupId);
        self.lost.clear();
        self.lost.extend(groups.map(|group| simulation.goal_counts(group).lost));
        self.gone.resize(self.lost.len(), RunTotals::default());
        let world = simulation.world();
        for index in self.first.len()..world.groups.len() {
            let group = GroupId(index as u16);
            self.first.push((world.group(group).made, world.count(group) as u64));
        }
        self.made.clear();
        self.made.extend(world.groups.iter().map(|group| group.made));
    }

    /// Adds the agents that are new, and notes which agents have reached their last goals.
    fn take_agents(&mut self, world: &World) {
        let agents = &world.agents;
        for row in 0..agents.len() {
            let has_goals = has_goals(world, row);
            let left = agents.goals_left(row, &world.groups);
            let is_done = has_goals && left.is_empty();
            let is_leaving = match left {
                [last] if world.group(agents.group[row]).after_goals == AfterGoals::Remove => {
                    world.space.offset(agents.pos(row), last.at).length() < last.radius
                }
                _ => false,
            };
            if let Some(agent) = self.present.get_mut(row) {
                agent.has_goals = has_goals;
                agent.is_done |= is_done;
                agent.is_leaving = is_leaving;
            } else {
                self.present.push(WatchedAgent {
                    id: agents.id[row],
                    group: agents.group[row],
                    counts: !is_done,
                    has_goals,
                    is_done,
                    is_leaving,
                    vel: None,
                    heading: agents.heading(row),
                    sums: Sums::default(),
                });
            }
        }
    }
}

/// Returns whether an agent has goals, reached or not.
fn has_goals(world: &World, row: usize) -> bool {
    !world.agents.goals(row, &world.groups).is_empty()
}
