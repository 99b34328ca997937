//! The score of a run, as SteerBench defines it: collisions, time and effort of its agents.

use super::totals::{RunTotals, Totals};

/// The number of frames per second of SteerBench. Its sums over frames depend on it; here they are converted to it.
const FRAMES_PER_S: f64 = 20.0;

/// The weight of one collision in a composite.
const COLLISION_WEIGHT: f64 = 50.0;

/// The score of a run. All values but the counts are means over the agents. Lower is better, except for the speed.
///
/// An agent counts until it has reached its last goal, even if it stays in the world: from then on it is only something
/// that others can collide with. A run that begins in the middle is scored from there.
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

impl Totals {
    /// Returns the score of the ticks so far; `None` if there were no agents.
    ///
    /// # Panics
    ///
    /// If collisions are not counted: see [`Totals::needed`].
    pub fn score(&self) -> Option<Score> {
        let RunTotals { agents, without_goals, unfinished, sums, .. } = self.sum();
        assert!(self.counts_collisions(), "a score contains collisions");
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Shape;
    use crate::math::Vec2;
    use crate::sim::{Action, Builder, Event, EventTime, GroupBuilder, PushTime, Simulation};
    use crate::trace::collisions::TOLERANCE;
    use crate::world::{AfterGoals, Body, Edge, Goal, GroupId, NewAgent, Space};
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
        let mut totals = Totals::new(&simulation);
        for _ in 0..ticks {
            simulation.step().unwrap();
            totals.add_tick(&simulation);
        }
        totals.score().unwrap()
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
