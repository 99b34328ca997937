//! Scenes that decide whether agents get past each other: everyone arrives, and nobody touches anybody.

use super::{AnticipationModel, Horizons, Lookout, Repulsion, Social, SpeedModel};
use crate::geom::Shape;
use crate::math::random::Mix;
use crate::math::{self, Vec2};
use crate::world::{Me, Neighborhood, Obstacle, World};

/// Agents with goals, and what they did.
struct Scene {
    world: World,
    goals: Vec<Vec2>,
    speed: f32,
    dt: f32,
    /// The x coordinate of an opening at y = 0 that all agents go through first, if there is one.
    gate: Option<f32>,
}

/// The outcome of a scene.
#[derive(Debug)]
struct Outcome {
    /// The deepest overlap of two agents, in world units.
    overlap: f32,
    /// The deepest overlap of an agent and an obstacle, in world units.
    in_walls: f32,
    /// The number of agents that are not at their goals.
    left: usize,
}

impl Scene {
    fn new(agents: Vec<(Vec2, Vec2)>, radius: f32, speed: f32, dt: f32) -> Self {
        let starts: Vec<_> = agents.iter().map(|agent| (agent.0, Vec2::ZERO)).collect();
        let mut world = World::example(&starts);
        world.groups[0].body.radius = radius;
        world.dt = dt;
        Self { world, goals: agents.iter().map(|agent| agent.1).collect(), speed, dt, gate: None }
    }

    /// Moves all starts a little, so that each seed is another scene.
    fn shaken(mut self, seed: u64, by: f32) -> Self {
        let random = Mix::new(seed);
        for row in 0..self.goals.len() {
            let [x, y] = [0, 1].map(|part| random.with(row as u64).with(part).unit() - 0.5);
            *self.world.agents.pos_mut(row) += Vec2::new(x, y) * by;
        }
        self
    }

    /// Runs the scene; agents at their goals are taken out.
    fn run(mut self, ticks: usize, rule: impl Fn(&Me<'_>, Vec2) -> Vec2) -> Outcome {
        let (mut overlap, mut in_walls) = (0.0f32, 0.0f32);
        let far_away = |row: usize| Vec2::new(1e4 + 100.0 * row as f32, -1e4);
        let mut done = vec![false; self.goals.len()];
        for _ in 0..ticks {
            self.world.index();
            let mut new = Vec::new();
            for (row, &goal) in self.goals.iter().enumerate() {
                if done[row] {
                    new.push(Vec2::ZERO);
                    continue;
                }
                let me = self.world.me(row);
                let aim = match self.gate {
                    Some(x) if me.pos().x < x => Vec2::new(x + 0.3, 0.0),
                    _ => goal,
                };
                let way = aim - me.pos();
                let wanted = math::limit(way / self.dt, self.speed);
                let v = rule(&me, wanted);
                assert!(v.is_finite());
                new.push(v);
                me.each_neighbor(&Neighborhood::within(2.0 * me.body().radius), |other| {
                    overlap = overlap.max(2.0 * me.body().radius - other.distance_squared.sqrt());
                });
                for obstacle in &self.world.obstacles {
                    let distance = obstacle.shape.surface(me.pos()).distance;
                    in_walls = in_walls.max(me.body().radius - distance);
                }
            }
            for (row, v) in new.into_iter().enumerate() {
                let pos = self.world.agents.pos(row) + v * self.dt;
                self.world.move_row(row, pos, v);
                if !done[row] && (pos - self.goals[row]).length() < self.world.groups[0].body.radius
                {
                    done[row] = true;
                    self.world.move_row(row, far_away(row), Vec2::ZERO);
                }
            }
            if done.iter().all(|&done| done) {
                return Outcome { overlap, in_walls, left: 0 };
            }
        }
        let left = done.iter().filter(|&&done| !done).count();
        Outcome { overlap, in_walls, left }
    }
}

fn direction(turns: f32) -> Vec2 {
    let angle = turns * 2.0 * math::PI;
    Vec2::new(math::cos(angle), math::sin(angle))
}

/// Agents on a circle, each with its goal on the opposite side.
fn circle(count: usize, around: f32, radius: f32, speed: f32, dt: f32) -> Scene {
    let at = |row: usize| direction(row as f32 / count as f32) * around;
    Scene::new((0..count).map(|row| (at(row), -at(row))).collect(), radius, speed, dt)
}

/// Two agents that walk toward each other on one line.
fn head_on() -> Scene {
    let ends = (Vec2::new(-8.0, 0.0), Vec2::new(8.0, 0.0));
    Scene::new(vec![ends, (ends.1, ends.0)], 0.3, 1.3, 0.05)
}

/// Four groups of 25 that meet in the middle of a crossing.
fn crossing() -> Scene {
    let mut agents = Vec::new();
    for side in 0..4 {
        let ahead = direction(side as f32 / 4.0);
        for number in 0..25 {
            let (row, column) = ((number / 5) as f32, (number % 5) as f32 - 2.0);
            let from = ahead * -(8.0 + row) + math::perp(ahead) * column;
            agents.push((from, from + ahead * (20.0 + 2.0 * row)));
        }
    }
    Scene::new(agents, 0.25, 1.3, 0.05)
}

/// A hundred agents in front of an opening of 1.2 in a wall.
fn bottleneck() -> Scene {
    let agents = (0..100).map(|number| {
        let (row, column) = ((number / 10) as f32, (number % 10) as f32 - 4.5);
        let from = Vec2::new(-2.0 - row * 0.8, column * 0.8);
        (from, Vec2::new(12.0, column))
    });
    let mut scene = Scene::new(agents.collect(), 0.2, 1.3, 0.05);
    for side in [-1.0, 1.0] {
        let (near, far) = (0.6 * side, 10.0 * side);
        let corners = [(-0.1, near), (0.1, near), (0.1, far), (-0.1, far)].map(Vec2::from);
        let shape = Shape::Polygon(crate::geom::Polygon::new(corners.to_vec()));
        scene.world.obstacles.push(Obstacle { name: "wall".into(), shape });
    }
    scene.gate = Some(0.0);
    scene
}

fn reciprocal(reach: f32, horizon: f32, walls: f32) -> impl Fn(&Me<'_>, Vec2) -> Vec2 {
    let (near, horizons) = (Neighborhood::within(reach), Horizons { agents: horizon, walls });
    move |me, wanted| me.reciprocal_velocity(&near, wanted, horizons, 1.3, 0.0, 10.0)
}

/// A rule for walking, and what it promises.
struct Rule {
    name: &'static str,
    velocity: fn(&Me<'_>, Vec2) -> Vec2,
    /// The deepest overlap of two agents, and of an agent and an obstacle, in parts of the radius.
    overlaps: [f32; 2],
    /// The scenes in which agents block each other for ever.
    blocked: &'static [&'static str],
}

/// Returns the velocity after a tick in which a force toward the wanted velocity and another one act.
fn pushed(me: &Me<'_>, wanted: Vec2, acceleration: Vec2) -> Vec2 {
    let acceleration = math::limit(acceleration + (wanted - me.vel()) / 0.5, 20.0);
    math::limit(me.vel() + acceleration * me.world().dt, 1.5)
}

const RULES: [Rule; 7] = [
    Rule {
        name: "orca",
        velocity: |me, wanted| reciprocal(5.0, 2.0, 0.5)(me, wanted),
        overlaps: [0.4, 0.4],
        blocked: &[],
    },
    Rule {
        name: "velocity_obstacles",
        velocity: |me, wanted| {
            me.sampled_velocity(&Neighborhood::within(5.0), wanted, 2.0, 0.4, 1.3, 10.0)
        },
        overlaps: [1.6, 1.6],
        blocked: &[],
    },
    Rule {
        name: "social_force",
        velocity: |me, wanted| {
            let social =
                Social { strength: 25.0, range: 0.08, sight: 1.0, stiffness: 0.0, friction: 0.0 };
            pushed(me, wanted, me.social_acceleration(&Neighborhood::within(3.0), social))
        },
        overlaps: [0.5, 0.5],
        blocked: &[],
    },
    Rule {
        name: "anticipate",
        velocity: |me, wanted| {
            pushed(me, wanted, me.anticipation(&Neighborhood::within(8.0), 1.5, 3.0))
        },
        // It knows no walls.
        overlaps: [2.0, 2.0],
        blocked: &[],
    },
    Rule {
        name: "collision_free_speed",
        velocity: |me, wanted| {
            let neighbors = Repulsion { strength: 8.0, range: 0.1 };
            let walls = Repulsion { strength: 5.0, range: 0.02 };
            let model = SpeedModel { time_gap: 1.0, neighbors, walls };
            me.collision_free_velocity(&Neighborhood::within(3.0), wanted, model)
        },
        // Others push it into walls.
        overlaps: [0.01, 0.4],
        blocked: &[],
    },
    Rule {
        name: "anticipation_velocity",
        velocity: |me, wanted| {
            let model = AnticipationModel {
                time_gap: 1.06,
                strength: 8.0,
                range: 0.1,
                anticipation: 1.0,
                reaction: 0.3,
                wall_distance: 0.1,
            };
            me.anticipating_velocity(&Neighborhood::within(3.0), wanted, model)
        },
        overlaps: [0.01, 0.01],
        // It never steps back. In JuPedSim 1.4.2, twenty on a circle stand for ever, too.
        blocked: &["twenty on a circle", "crossing", "bottleneck"],
    },
    Rule {
        name: "least_detour",
        velocity: |me, wanted| {
            let look = Lookout { horizon: 8.0, view: 150.0 / 180.0 * math::PI, time: 0.5 };
            let velocity = me.least_detour(&Neighborhood::within(9.0), wanted, look);
            // Bodies push each other as in the source, which has 5000 N/m for 80 kg.
            let contact =
                Social { strength: 0.0, range: 0.0, sight: 1.0, stiffness: 62.5, friction: 0.0 };
            let near = Neighborhood::within(1.0);
            let acceleration = (velocity - me.vel()) / 0.5 + me.social_acceleration(&near, contact);
            me.vel() + acceleration * me.world().dt
        },
        overlaps: [0.5, 0.5],
        blocked: &[],
    },
];

/// A scene by its name, and the number of ticks within which everyone arrives.
type NamedScene = (&'static str, fn() -> Scene, usize);

/// Runs all scenes with all rules, from a perfectly symmetric start (seed 0) and from others.
fn everyone_arrives(seeds: std::ops::Range<u64>) {
    let scenes: [NamedScene; 5] = [
        ("head on", head_on, 600),
        ("four on a circle", || circle(4, 10.0, 0.3, 1.3, 0.05), 800),
        ("twenty on a circle", || circle(20, 10.0, 0.3, 1.3, 0.05), 1500),
        ("crossing", crossing, 2500),
        ("bottleneck", bottleneck, 3000),
    ];
    let mut faults = Vec::new();
    for rule in RULES {
        for (scene, make, ticks) in scenes {
            if rule.blocked.contains(&scene) {
                continue;
            }
            for seed in seeds.clone() {
                let by = if seed == 0 { 0.0 } else { 0.02 };
                let scene_of_seed = make().shaken(seed, by);
                let radius = scene_of_seed.world.groups[0].body.radius;
                let Outcome { overlap, in_walls, left } = scene_of_seed.run(ticks, rule.velocity);
                let [agents, walls] = rule.overlaps.map(|most| most * radius);
                if left > 0 || overlap > agents || in_walls > walls {
                    let overlaps = format!("overlaps {overlap} and {in_walls}");
                    faults.push(format!("{}, {scene}, {seed}: {left} left, {overlaps}", rule.name));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn everyone_gets_past_the_others() {
    everyone_arrives(0..1);
}

#[test]
#[ignore = "takes a minute; for changes of these rules"]
fn everyone_gets_past_the_others_in_a_hundred_scenes() {
    everyone_arrives(0..100);
}

#[test]
fn two_hundred_and_fifty_agents_get_to_their_antipodes() {
    // The scene `Circle` of RVO2.
    let rule = |me: &Me<'_>, wanted: Vec2| {
        let horizons = Horizons { agents: 10.0, walls: 10.0 };
        me.reciprocal_velocity(&Neighborhood::within(15.0), wanted, horizons, 2.0, 0.0, 10.0)
    };
    let outcome = circle(250, 200.0, 1.5, 2.0, 0.25).run(3000, rule);
    assert_eq!(outcome.left, 0);
    assert!(outcome.overlap < 1.2, "{}", outcome.overlap);
}

mod definition {
    //! Reciprocal avoidance again, from its definition and without regard to speed: the nearest point on the border of a
    //! cone is searched among all its parts, and the best velocity among all corners of the allowed region.

    use super::*;

    #[derive(Clone, Copy)]
    struct V(f64, f64);

    impl V {
        fn plus(self, o: V, by: f64) -> V {
            V(self.0 + o.0 * by, self.1 + o.1 * by)
        }
        fn dot(self, o: V) -> f64 {
            self.0 * o.0 + self.1 * o.1
        }
        fn length(self) -> f64 {
            self.dot(self).sqrt()
        }
        fn times(self, by: f64) -> V {
            V(self.0 * by, self.1 * by)
        }
    }

    /// Allowed are the velocities `v` with `(v - point) . out >= 0`.
    #[derive(Clone, Copy)]
    struct Half {
        point: V,
        out: V,
    }

    /// Returns the half plane of an agent that moves relative to another one.
    fn half(own: V, relative: V, offset: V, reach: f64, horizon: f64, tick: f64) -> Half {
        let far = offset.length();
        let (horizon, overlap) = if far > reach { (horizon, false) } else { (tick, true) };
        // The end of the cone is an arc.
        let center = offset.times(1.0 / horizon);
        let from = relative.plus(center, -1.0);
        let out = from.times(1.0 / from.length());
        let mut parts = vec![(center.plus(out, reach / horizon), out)];
        if overlap {
            let (point, out) = parts[0];
            return Half { point: own.plus(point.plus(relative, -1.0), 0.5), out };
        }
        // Only the arc that faces the origin belongs to the border.
        let touch = (far * far - reach * reach).sqrt();
        if out.dot(offset) / far > -reach / far {
            parts.clear();
        }
        for side in [1.0, -1.0] {
            let (x, y) = (touch / far, side * reach / far);
            let unit = offset.times(1.0 / far);
            let leg = V(unit.0 * x - unit.1 * y, unit.0 * y + unit.1 * x);
            let out = V(-leg.1 * side, leg.0 * side);
            let along = relative.dot(leg);
            // The leg begins where it touches the arc.
            if along >= touch / horizon {
                parts.push((leg.times(along), out));
            }
        }
        let distance = |part: &(V, V)| part.0.plus(relative, -1.0).length();
        let (point, out) = parts
            .into_iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))
            .expect("the border has a nearest point");
        Half { point: own.plus(point.plus(relative, -1.0), 0.5), out }
    }

    /// Returns the best velocity, or `None` if the half planes have none in common.
    fn best(halves: &[Half], speed: f64, wanted: V) -> Option<V> {
        let length = wanted.length();
        let mut corners = vec![if length > speed { wanted.times(speed / length) } else { wanted }];
        for (i, a) in halves.iter().enumerate() {
            let along = V(-a.out.1, a.out.0);
            corners.push(a.point.plus(along, wanted.plus(a.point, -1.0).dot(along)));
            let middle = a.point.dot(along);
            let rest = middle * middle + speed * speed - a.point.dot(a.point);
            if rest >= 0.0 {
                corners.extend([1.0, -1.0].map(|s| a.point.plus(along, s * rest.sqrt() - middle)));
            }
            for b in &halves[..i] {
                let across = along.dot(b.out);
                if across.abs() > 1e-9 {
                    corners
                        .push(a.point.plus(along, b.point.plus(a.point, -1.0).dot(b.out) / across));
                }
            }
        }
        let allowed = |v: &V| {
            v.length() <= speed + 1e-9
                && halves.iter().all(|half| v.plus(half.point, -1.0).dot(half.out) >= -1e-9)
        };
        let distance = |v: &V| v.plus(wanted, -1.0).length();
        corners.into_iter().filter(allowed).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// Agents that cross each other's ways without a conflict that has no solution follow the definition.
    #[test]
    fn trajectories_are_those_of_the_definition() {
        let (radius, speed, tick, horizon) = (0.3, 1.3, 0.05, 2.0);
        let agents: Vec<(Vec2, Vec2)> = (0..7)
            .map(|n| {
                let from = direction(n as f32 * 0.1137) * (6.0 + 1.1 * n as f32);
                (from, -from + Vec2::new(0.3 * n as f32, -0.2))
            })
            .collect();
        let mut scene = Scene::new(agents.clone(), radius, speed, tick);
        let wide = |v: Vec2| V(v.x.into(), v.y.into());
        let mut own: Vec<(V, V)> = agents.iter().map(|a| (wide(a.0), V(0.0, 0.0))).collect();
        let (speed64, tick64, horizon64) = (f64::from(speed), f64::from(tick), horizon.into());
        let (mut avoided, mut farthest) = (0, 0.0f64);
        for _ in 0..250 {
            scene.world.index();
            let mut new = Vec::new();
            for (row, &(_, goal)) in agents.iter().enumerate() {
                let me = scene.world.me(row);
                let wanted = math::limit(goal - me.pos(), speed);
                let horizons = Horizons { agents: horizon, walls: 1.0 };
                let near = Neighborhood::within(5.0);
                new.push(me.reciprocal_velocity(&near, wanted, horizons, speed, 0.0, 10.0));
            }
            for (row, v) in new.into_iter().enumerate() {
                let pos = scene.world.agents.pos(row) + v * tick;
                scene.world.move_row(row, pos, v);
            }
            let before = own.clone();
            for (row, agent) in own.iter_mut().enumerate() {
                let (pos, vel) = before[row];
                let way = wide(agents[row].1).plus(pos, -1.0);
                let length = way.length();
                let wanted = if length > speed64 { way.times(speed64 / length) } else { way };
                let halves: Vec<Half> = (0..before.len())
                    .filter(|&other| other != row)
                    .map(|other| (before[other].0.plus(pos, -1.0), vel.plus(before[other].1, -1.0)))
                    .filter(|(offset, _)| offset.length() <= 5.0)
                    .map(|(offset, relative)| {
                        half(vel, relative, offset, f64::from(2.0 * radius), horizon64, tick64)
                    })
                    .collect();
                let v = best(&halves, speed64, wanted).expect("a velocity without a collision");
                avoided += usize::from(v.plus(wanted, -1.0).length() > 1e-3);
                *agent = (pos.plus(v, tick64), v);
            }
            for (row, agent) in own.iter().enumerate() {
                let off = wide(scene.world.agents.pos(row)).plus(agent.0, -1.0).length();
                farthest = if off > farthest { off } else { farthest };
            }
        }
        assert!(avoided > 100, "the agents are in each other's way: {avoided}");
        assert!(farthest < 1e-4, "{farthest}");
    }
}
