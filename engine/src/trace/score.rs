//! The score of a run, as SteerBench defines it: collisions, time and effort of its agents.

use crate::geom::Shape;
use crate::math::{self, Vec2};
use crate::sim::Simulation;
use crate::world::{Agents, Grid, GroupId, Motions, World};

/// Overlaps up to this depth are no collision, in world units.
const TOLERANCE: f32 = 0.001;

/// The number of frames per second of SteerBench. Its sums over frames depend on it; here they are converted to it.
const FRAMES_PER_S: f64 = 20.0;

/// What one collision counts in a composite.
const COLLISION_WEIGHT: f64 = 50.0;

/// The score of a run. All values but the counts are means over the agents. Lower is better, except for the speed.
///
/// Effort is a sum over frames of 1/20 s, as in SteerBench. Runs with other ticks are converted, so the length of a tick
/// does not matter.
///
/// Source: Singh, Kapadia, Faloutsos, Reinman, "SteerBench: a benchmark suite for evaluating steering behaviors", Computer
/// Animation and Virtual Worlds 20, 2009.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Score {
    /// Number of agents.
    pub agents: u64,
    /// How many of them have no goals. Their time and effort are those of the whole run.
    pub without_goals: u64,
    /// How many of them have goals and did not reach the last one.
    pub unfinished: u64,
    /// The number of collisions of an agent: of the times in which its body overlapped that of one other agent, or one
    /// obstacle, by more than 0.001 world units.
    pub collisions: f64,
    /// The time until an agent has reached its last goal, or until it is removed, or until the run ends, in seconds.
    pub time_s: f64,
    /// The distance that an agent travels divided by that time, in world units per second.
    pub mean_speed: f64,
    /// The sum of v^2/2 over frames, where v is the speed of an agent. The mass counts as 1.
    pub kinetic_energy: f64,
    /// The sum of |dv|/dt over frames, where dv is the change of the velocity of an agent, from its second tick on.
    pub acceleration: f64,
}

impl Score {
    /// Returns SteerBench's first composite: 50 for each collision, plus the time in seconds, plus the kinetic energy.
    ///
    /// It rewards slowness: half the speed takes twice the time, but a quarter of the energy in each frame. Agents
    /// that are stuck cost little as well. Compare it between runs with the same mean speed and no unfinished agents.
    pub fn composite01(&self) -> f64 {
        COLLISION_WEIGHT * self.collisions + self.time_s + self.kinetic_energy
    }

    /// Returns SteerBench's second composite: the first one plus the acceleration.
    pub fn composite02(&self) -> f64 {
        self.composite01() + self.acceleration
    }
}

/// Watches a run and computes its score.
///
/// An agent counts until it has reached its last goal, even if it stays in the world: from then on it is only something
/// that others can collide with. A run that begins in the middle is scored from there.
pub struct Scorer {
    /// Seconds per tick.
    dt: f64,
    /// The agents in the world, in the order of rows.
    present: Vec<ScoredAgent>,
    gone: Totals,
    /// For each group, how many of its agents had been removed too early at the last tick.
    lost: Vec<u64>,
    /// The overlaps at the last tick, in order.
    overlaps: Vec<Overlap>,
    new_overlaps: Vec<Overlap>,
    /// The motions of the agents, in the order of the grid.
    motions: Motions,
    grid: Grid,
}

/// An agent, or rather its body, that overlaps another agent or an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Overlap {
    /// The id of the agent.
    agent: u32,
    with: Contact,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Contact {
    /// The id of another agent, which is higher.
    Agent(u32),
    /// The index of an obstacle.
    Obstacle(usize),
}

#[derive(Clone, Copy, Debug)]
struct ScoredAgent {
    id: u32,
    group: GroupId,
    /// Whether it counts: it had not reached its last goal when it was first seen.
    counts: bool,
    has_goals: bool,
    /// Whether it has reached its last goal. Nothing counts from then on.
    is_done: bool,
    /// The velocity after its last tick.
    vel: Option<Vec2>,
    sums: Sums,
}

/// What is counted for one agent, or for several.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    collisions: u64,
    /// Sum of the time, in seconds.
    time: f64,
    /// Sum of speed times time, in world units.
    distance: f64,
    /// Sum of v^2/2 times time.
    energy: f64,
    /// Sum of |dv|.
    change: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    agents: u64,
    without_goals: u64,
    unfinished: u64,
    sums: Sums,
}

impl Totals {
    fn add(&mut self, agent: &ScoredAgent) {
        if !agent.counts {
            return;
        }
        self.agents += 1;
        self.without_goals += u64::from(!agent.has_goals);
        self.sums.collisions += agent.sums.collisions;
        self.sums.time += agent.sums.time;
        self.sums.distance += agent.sums.distance;
        self.sums.energy += agent.sums.energy;
        self.sums.change += agent.sums.change;
    }
}

impl Scorer {
    /// Begins with the current state of a simulation. Call it before the first step.
    pub fn new(simulation: &Simulation) -> Self {
        let dt = simulation.world().dt;
        let mut this = Self {
            // A length such as 0.05 is not exact in single precision. Its shortest text says what is meant.
            dt: dt.to_string().parse().unwrap_or(f64::from(dt)),
            present: Vec::new(),
            gone: Totals::default(),
            lost: Vec::new(),
            overlaps: Vec::new(),
            new_overlaps: Vec::new(),
            motions: Motions::default(),
            grid: Grid::default(),
        };
        this.take_groups(simulation);
        this.take_agents(simulation.world());
        this
    }

    /// Counts the tick that was just simulated. Call it after each step.
    pub fn add_tick(&mut self, simulation: &Simulation) {
        let world = simulation.world();
        self.drop_removed(simulation);
        self.take_groups(simulation);
        self.take_agents(world);
        let dt = self.dt;
        for (row, agent) in self.present.iter_mut().enumerate() {
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
            agent.vel = Some(vel);
        }
        self.count_collisions(world);
    }

    /// Returns the score of the ticks so far; `None` if there were no agents.
    pub fn score(&self) -> Option<Score> {
        let mut all = self.gone;
        for agent in &self.present {
            all.add(agent);
            all.unfinished += u64::from(agent.has_goals && !agent.is_done);
        }
        let Totals { agents, without_goals, unfinished, sums } = all;
        let mean = |sum: f64| sum / agents as f64;
        (agents > 0).then(|| Score {
            agents,
            without_goals,
            unfinished,
            collisions: mean(sums.collisions as f64),
            time_s: mean(sums.time),
            mean_speed: if sums.time > 0.0 { sums.distance / sums.time } else { 0.0 },
            kinetic_energy: mean(sums.energy * FRAMES_PER_S),
            acceleration: mean(sums.change * FRAMES_PER_S),
        })
    }

    /// Adds the agents that are no longer in the world to those that are gone.
    fn drop_removed(&mut self, simulation: &Simulation) {
        let mut ids = simulation.world().agents.id.iter().peekable();
        let gone = &mut self.gone;
        // For each group, how many of its agents went without having been seen at their last goal.
        let mut went = vec![0; self.lost.len()];
        self.present.retain(|agent| {
            let stays = ids.next_if(|id| **id == agent.id).is_some();
            if !stays {
                gone.add(agent);
                went[usize::from(agent.group.0)] += u64::from(agent.has_goals && !agent.is_done);
            }
            stays
        });
        for ((group, lost), went) in (0..).map(GroupId).zip(&self.lost).zip(went) {
            // The others were removed because they reached their last goal.
            gone.unfinished += went.min(simulation.goal_counts(group).lost.saturating_sub(*lost));
        }
    }

    fn take_groups(&mut self, simulation: &Simulation) {
        let groups = (0..simulation.world().groups.len() as u16).map(GroupId);
        self.lost.clear();
        self.lost.extend(groups.map(|group| simulation.goal_counts(group).lost));
    }

    /// Adds the agents that are new, and notes which agents have reached their last goals.
    fn take_agents(&mut self, world: &World) {
        let agents = &world.agents;
        for row in 0..agents.len() {
            let has_goals = has_goals(world, row);
            let is_done = has_goals && agents.goal(row, &world.groups).is_none();
            if let Some(agent) = self.present.get_mut(row) {
                agent.has_goals = has_goals;
                agent.is_done |= is_done;
            } else {
                self.present.push(ScoredAgent {
                    id: agents.id[row],
                    group: agents.group[row],
                    counts: !is_done,
                    has_goals,
                    is_done,
                    vel: None,
                    sums: Sums::default(),
                });
            }
        }
    }

    fn count_collisions(&mut self, world: &World) {
        self.find_overlaps(world);
        let agents = &world.agents;
        for overlap in &self.new_overlaps {
            if self.overlaps.binary_search(overlap).is_ok() {
                continue;
            }
            let other = match overlap.with {
                Contact::Agent(other) => Some(other),
                Contact::Obstacle(_) => None,
            };
            for id in [Some(overlap.agent), other].into_iter().flatten() {
                if let Some(row) = agents.row(id)
                    && !self.present[row].is_done
                {
                    self.present[row].sums.collisions += 1;
                }
            }
        }
        std::mem::swap(&mut self.overlaps, &mut self.new_overlaps);
    }

    /// Finds the overlaps at this tick.
    fn find_overlaps(&mut self, world: &World) {
        self.new_overlaps.clear();
        let radii = world.groups.iter().map(|group| group.largest_radius());
        let largest = radii.fold(0.0, math::max);
        if largest > 0.0 {
            self.find_overlapping_agents(world, largest);
            self.find_agents_in_obstacles(world);
        }
        self.new_overlaps.sort_unstable();
    }

    fn find_overlapping_agents(&mut self, world: &World, largest: f32) {
        self.motions.clone_from(&world.agents.motions);
        self.grid.sort(&world.space, &mut self.motions);
        let (rows, positions) = (self.motions.rows(), self.motions.positions());
        for (slot, &pos) in positions.iter().enumerate() {
            let row = rows[slot] as usize;
            let radius = body_radius(world, row);
            // Rounding up misses nothing; each pair is then checked exactly.
            let reach = (radius + largest) * 1.000_01;
            self.grid.each_later(slot, pos, reach, |run, _| {
                for other in run {
                    let distance = world.space.offset_inside(pos, positions[other]).length();
                    let other = rows[other] as usize;
                    if radius + body_radius(world, other) - distance > TOLERANCE {
                        let id = |row: usize| world.agents.id[row];
                        let with = Contact::Agent(id(row.max(other)));
                        self.new_overlaps.push(Overlap { agent: id(row.min(other)), with });
                    }
                }
            });
        }
    }

    fn find_agents_in_obstacles(&mut self, world: &World) {
        for (index, obstacle) in world.obstacles.iter().enumerate() {
            let is_solid_outside = matches!(obstacle.shape, Shape::Room { .. });
            let (low, high) = obstacle.shape.bounds();
            for (row, pos) in world.agents.positions().enumerate() {
                let radius = body_radius(world, row);
                let gap = (low - pos).max(pos - high).max_element();
                if (is_solid_outside || gap <= radius)
                    && radius - obstacle.shape.surface(pos).distance > TOLERANCE
                {
                    let with = Contact::Obstacle(index);
                    self.new_overlaps.push(Overlap { agent: world.agents.id[row], with });
                }
            }
        }
    }
}

fn body_radius(world: &World, row: usize) -> f32 {
    let Agents { group, index, .. } = &world.agents;
    world.group(group[row]).body_of(index[row]).radius
}

/// Returns whether an agent has goals, reached or not.
fn has_goals(world: &World, row: usize) -> bool {
    let Agents { group, goal_progress, .. } = &world.agents;
    let sequences = &world.group(group[row]).goals;
    let goals = sequences.get(goal_progress[row].sequence as usize);
    goals.is_some_and(|goals| !goals.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Action, Builder, Event, EventTime, GroupBuilder, PushTime};
    use crate::world::{AfterGoals, Body, Edge, Goal, NewAgent, Space};
    use proptest::prelude::*;

    fn space(edge: Edge) -> Space {
        Space { edge, min: Vec2::splat(-10.0), size: Vec2::splat(20.0) }
    }

    /// A group of agents with the radius 0.5 that keep their velocity; each is a position and a velocity on the x axis.
    fn group(name: &str, agents: &[(f32, f32)]) -> GroupBuilder {
        let agents = agents.iter().map(|&(x, v)| NewAgent::at(Vec2::new(x, 0.0), Vec2::X * v));
        let body = Body { radius: 0.5, ..Body::default() };
        GroupBuilder::new(name).agents(agents.collect::<Vec<_>>()).body(body)
    }

    fn goal(x: f32) -> [Goal; 1] {
        [Goal { at: Vec2::new(x, 0.0), radius: 0.25 }]
    }

    fn score(of: Builder, ticks: u64) -> Score {
        let mut simulation = of.build().unwrap();
        let mut scorer = Scorer::new(&simulation);
        for _ in 0..ticks {
            simulation.step().unwrap();
            scorer.add_tick(&simulation);
        }
        scorer.score().unwrap()
    }

    fn world(dt: f32) -> Builder {
        Simulation::builder(space(Edge::Open)).dt(dt)
    }

    #[test]
    fn two_agents_that_walk_through_each_other_collide_once() {
        // They touch when their distance is 1, and are at 3 and 1 after 4 s.
        let pair = group("all", &[(0.0, 1.0), (4.0, -0.5)]);
        let found = score(world(0.125).group(pair), 32);
        assert_eq!((found.agents, found.without_goals, found.unfinished), (2, 2, 0));
        assert_eq!((found.collisions, found.time_s, found.mean_speed), (1.0, 4.0, 0.75));
        // 80 frames with 1/2 and with 1/8.
        assert_eq!((found.kinetic_energy, found.acceleration), (25.0, 0.0));
        assert_eq!((found.composite01(), found.composite02()), (79.0, 79.0));
    }

    #[test]
    fn a_touch_is_no_collision() {
        let found = score(world(0.5).group(group("all", &[(0.0, 0.0), (1.0, 0.0)])), 4);
        assert_eq!(found.collisions, 0.0);
        let found = score(world(0.5).group(group("all", &[(0.0, 0.0), (0.99, 0.0)])), 4);
        assert_eq!(found.collisions, 1.0);
    }

    #[test]
    fn every_episode_counts_and_so_does_every_partner() {
        let obstacle = Shape::Circle { center: Vec2::ZERO, radius: 1.0 };
        let bounces = |agents: &[(f32, f32)]| {
            Simulation::builder(space(Edge::Bounce))
                .dt(0.25)
                .obstacle("rock", obstacle.clone())
                .group(group("all", agents))
        };
        // From -5 through the rock, back from 10 at 15 s, and through the rock again.
        assert_eq!(score(bounces(&[(-5.0, 1.0)]), 50).collisions, 1.0);
        assert_eq!(score(bounces(&[(-5.0, 1.0)]), 120).collisions, 2.0);
        // Two at the same place: each collides with the rock and with the other.
        assert_eq!(score(bounces(&[(-5.0, 1.0), (-5.0, 1.0)]), 50).collisions, 2.0);
        // One stands in the rock; the other meets the rock and the first one.
        assert_eq!(score(bounces(&[(-5.0, 1.0), (0.0, 0.0)]), 50).collisions, 2.0);
    }

    #[test]
    fn a_room_is_solid_outside() {
        let room = Shape::Room { min: Vec2::splat(-3.0), max: Vec2::splat(3.0) };
        let one = world(0.5).obstacle("room", room).group(group("all", &[(0.0, 1.0)]));
        assert_eq!(score(one.clone(), 5).collisions, 0.0, "it touches the wall after 2.5 s");
        assert_eq!(score(one.clone(), 6).collisions, 1.0);
        assert_eq!(score(one, 40).collisions, 1.0);
    }

    #[test]
    fn nothing_counts_after_the_last_goal() {
        for after in [AfterGoals::Remove, AfterGoals::Stop, AfterGoals::Stay] {
            let one = group("all", &[(0.0, 1.0)]).goals(goal(2.0)).after_goals(after);
            let found = score(world(0.5).group(one), 20);
            assert_eq!((found.agents, found.unfinished, found.without_goals), (1, 0, 0));
            // It is at the goal at tick 4, which is noticed in the next step.
            assert_eq!((found.time_s, found.kinetic_energy), (2.0, 20.0), "{after:?}");
        }
    }

    #[test]
    fn an_agent_that_has_finished_can_still_be_hit() {
        // The first reaches its goal at once and stays there; the second one walks through it.
        let score = |after| {
            let waiting = group("waiting", &[(2.0, 0.0)]).goals(goal(2.0)).after_goals(after);
            score(world(0.5).group(waiting).group(group("walking", &[(0.0, 1.0)])), 8)
        };
        assert_eq!(score(AfterGoals::Stop).collisions, 0.5, "only the second one is blamed");
        assert_eq!(score(AfterGoals::Remove).collisions, 0.0);
        assert_eq!(score(AfterGoals::Remove).time_s, 2.0, "0 s and 4 s");
    }

    #[test]
    fn agents_are_unfinished_if_they_are_removed_or_the_run_ends() {
        let at = |tick, action| Event { when: EventTime::At(tick), action };
        let removed = |count| Action::Remove { group: GroupId(0), count: Some(count) };
        let walkers = group("walkers", &[(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (-9.0, 1.0)])
            .goals(goal(2.0))
            .after_goals(AfterGoals::Remove);
        // The oldest one is removed at tick 3, when the third one has finished and the second one has not.
        let found = score(world(0.5).group(walkers).event(at(3, removed(1))), 10);
        assert_eq!((found.agents, found.unfinished, found.without_goals), (4, 2, 0));
        assert_eq!(found.time_s, (1.5 + 2.0 + 1.0 + 5.0) / 4.0);
        // Agents that events add count from then on.
        let spawned = at(6, Action::Spawn { group: GroupId(0), count: 1 });
        let found = score(world(0.5).group(group("all", &[(0.0, 1.0)])).event(spawned), 10);
        assert_eq!((found.agents, found.without_goals), (2, 2));
        assert_eq!((found.time_s, found.collisions), (3.5, 0.0));
    }

    #[test]
    fn the_length_of_a_tick_does_not_matter() {
        let score = |dt: f32| {
            let second = |seconds: f32| EventTime::At((seconds / dt) as u64);
            let push = |seconds, velocity| {
                let push =
                    Action::Push { group: GroupId(0), velocity, when: PushTime::AfterDecision };
                Event { when: second(seconds), action: push }
            };
            let one = group("all", &[(0.0, 1.0)]);
            let of = world(dt).group(one).event(push(1.0, Vec2::Y)).event(push(2.0, -Vec2::X));
            score(of, (4.0 / dt) as u64)
        };
        let found = score(0.25);
        assert_eq!((found.time_s, found.acceleration), (4.0, 40.0));
        // 20 frames with 1/2, 20 with 1 and 40 with 1/2.
        assert_eq!(found.kinetic_energy, 50.0);
        for dt in [0.0625, 0.5] {
            let other = score(dt);
            assert!((other.mean_speed - found.mean_speed).abs() < 1e-9, "up to rounding");
            assert_eq!(Score { mean_speed: found.mean_speed, ..other }, found);
        }
    }

    proptest! {
        #[test]
        fn collisions_equal_those_of_a_search_over_all_pairs(
            points in prop::collection::vec((-10.0f32..10.0, -10.0f32..10.0, 0.1f32..1.5), 1..80),
            wrap in any::<bool>(),
        ) {
            let agents = points.iter().map(|&(x, y, _)| NewAgent::at(Vec2::new(x, y), Vec2::ZERO));
            let bodies = points.iter().map(|&(.., radius)| Body { radius, ..Body::default() });
            let group = GroupBuilder::new("all")
                .agents(agents.collect::<Vec<_>>())
                .bodies(bodies.collect::<Vec<_>>());
            let space = space(if wrap { Edge::Wrap } else { Edge::Open });
            let found = score(Simulation::builder(space).group(group), 1);
            let mut expected = 0;
            for (i, a) in points.iter().enumerate() {
                for b in &points[..i] {
                    let offset = space.offset(Vec2::new(a.0, a.1), Vec2::new(b.0, b.1));
                    expected += 2 * u64::from(a.2 + b.2 - offset.length() > TOLERANCE);
                }
            }
            prop_assert_eq!(found.collisions, expected as f64 / points.len() as f64);
        }
    }
}
