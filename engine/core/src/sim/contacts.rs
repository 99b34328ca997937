//! Contacts of solid bodies: at the end of a tick they are moved apart, and never into an obstacle.
//!
//! After all agents have moved, in any order of decisions, this happens to those with a solid body:
//!
//! 1. The way of each agent in this tick is swept as a disc. Where it first touches an obstacle, the agent slides on along
//!    the surface. So an agent cannot jump through a thin wall, however fast it is.
//! 2. [`ROUNDS`] times, each pair of bodies that overlap is moved apart along the line between their centers, each by the
//!    other's part of both masses. All pairs are computed from the same positions. An agent in several pairs moves by the
//!    sum of its corrections, divided by the square root of their number and a little lengthened: so a pile comes apart
//!    in fewer rounds. Each of these moves is swept and slides like the first one, so it never ends in an obstacle.
//! 3. The velocity of an agent that has been moved becomes its way in this tick divided by the time, but not faster than it
//!    was, and without the part against the correction: it loses what goes into the contact. A wheeled body keeps only the
//!    part along its heading.
//!
//! An agent that stands in an obstacle from the start is pushed out, to the nearest side. One that has stopped after its
//! goals is not moved by others. Agents at the same place are moved apart along the difference of two random directions,
//! one for each. At the edge of a world, only the center counts, as always.
//!
//! The corrections need no order of the agents: sums run over their pairs in the order of rows, so that neither the number
//! of threads nor the order of slots matters.
//!
//! Source: M. Macklin et al., "Unified particle physics for real-time applications", 2014, sections 4.2 and 4.5 (averaged
//! Jacobi iterations with over-relaxation), with the square root instead of the mean.

use std::fmt;
use std::sync::Arc;

use crate::geom::{Hit, Shape};
use crate::math::{self, Vec2};
use crate::threads;
use crate::world::{AgentId, Body, Grid, Group, Obstacle, ObstacleId, Space, World};

/// The number of rounds in which overlapping bodies are moved apart. 200 agents that all push into one corner then overlap
/// by a few hundredths of a radius; a loose crowd by less than a hundredth.
const ROUNDS: usize = 16;

/// By how much the corrections of an agent in several pairs are lengthened.
const OVER_RELAXATION: f32 = 1.4;

/// Pairs are found once in a tick. Those whose distance is above the sum of their radii by less than this part of it may
/// touch in a later round.
const MARGIN: f32 = 0.5;

/// How often an agent can be turned along another surface in one move.
const MAX_SLIDES: usize = 4;

/// The gap that a body keeps to an obstacle it has touched, as a part of its radius.
const GAP: f32 = 1e-3;

/// The part of the gap that makes up for rounding, as a part of the largest coordinate.
const ROUNDING: f32 = 4e-6;

/// Number of agents that one thread moves at a time.
const CHUNK: usize = 512;

/// Returns whether there are solid bodies.
pub(super) fn are_possible(world: &World) -> bool {
    world.groups.iter().flat_map(Group::all_bodies).any(|body| body.solid)
}

/// Something that a body touches after a tick.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Contact {
    /// An obstacle.
    Obstacle {
        /// Its id.
        id: ObstacleId,
        /// Its name.
        name: Arc<str>,
    },
    /// Another solid agent.
    Agent {
        /// Its id.
        id: AgentId,
        /// The name of its group.
        group: Arc<str>,
    },
    /// The edge of the world.
    Edge,
}

impl fmt::Display for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Obstacle { name, .. } => write!(f, "obstacle `{name}`"),
            Self::Agent { id, group } => write!(f, "agent {id} ({group})"),
            Self::Edge => f.write_str("the edge of the world"),
        }
    }
}

/// Returns what the solid body of an agent touches: obstacles, then other solid agents, in the order of rows.
pub(super) fn contacts_of(world: &World, row: usize) -> Vec<Contact> {
    let (at, radius) = (world.agents.pos(row), world.agent(row).body().radius);
    // A body that has slid along a surface keeps a gap of this size to it.
    let reach = radius + 2.0 * gap(at, radius);
    let mut all = Vec::new();
    for (index, obstacle) in world.obstacles.iter().enumerate() {
        if obstacle.shape.surface(at).distance <= reach {
            let id = world.obstacle_id(index);
            all.push(Contact::Obstacle { id, name: Arc::clone(&obstacle.name) });
        }
    }
    for other in (0..world.agents.len()).filter(|other| *other != row) {
        let agent = world.agent(other);
        let distance = math::length(world.space.offset_inside(at, world.agents.pos(other)));
        if agent.body().solid && distance <= (radius + agent.body().radius) * (1.0 + 2.0 * GAP) {
            all.push(Contact::Agent { id: agent.id(), group: Arc::clone(&agent.group().name) });
        }
    }
    all
}

/// Moves solid bodies apart and out of obstacles. `starts` has the positions of all rows before the tick moved them.
pub(super) fn resolve(world: &mut World, starts: &[Vec2]) {
    let (space, obstacles) = (world.space, std::mem::take(&mut world.obstacles));
    move_apart(world, starts, &Walls::new(&space, &obstacles));
    world.obstacles = obstacles;
}

fn move_apart(world: &mut World, starts: &[Vec2], walls: &Walls<'_>) {
    let solids = Solid::all(world);
    let moved: Vec<Vec2> = solids.iter().map(|one| world.agents.pos(one.row)).collect();
    let mut at = each(&solids, |i, one| walls.slide(starts[one.row], moved[i], one.radius));
    for (one, &at) in solids.iter().zip(&at) {
        *world.agents.pos_mut(one.row) = at;
    }
    let pairs = Pairs::find(world, &solids, &at);
    if !pairs.all.is_empty() {
        for _ in 0..ROUNDS {
            let next = each(&solids, |i, one| {
                let correction = pairs.correction(world, &solids, &at, i);
                if correction == Vec2::ZERO {
                    at[i]
                } else {
                    walls.slide(at[i], at[i] + correction, one.radius)
                }
            });
            if next == at {
                break;
            }
            at = next;
        }
    }
    for ((one, &at), moved) in solids.iter().zip(&at).zip(moved) {
        if at != moved {
            let way = world.space.offset(starts[one.row], at);
            let correction = math::unit(world.space.offset(moved, at));
            let vel = math::limit(way / world.dt, math::length(world.agents.vel(one.row)));
            let against = math::min(vel.dot(correction), 0.0);
            give_velocity(world, one.row, at, vel - correction * against);
        }
    }
}

/// Returns a result for each solid body, computed on several threads if there are many.
fn each(solids: &[Solid], work: impl Fn(usize, &Solid) -> Vec2 + Send + Sync) -> Vec<Vec2> {
    let parts = threads::map_parts(solids.len(), CHUNK, |part| {
        part.map(|i| work(i, &solids[i])).collect::<Vec<_>>()
    });
    parts.into_iter().flatten().collect()
}

/// Puts an agent where it is after its contacts, and gives it as much of a velocity as its body can have.
fn give_velocity(world: &mut World, row: usize, at: Vec2, vel: Vec2) {
    let body = *world.agent(row).body();
    if body.steers_its_heading() {
        let heading = world.agents.heading(row);
        let ahead = vel.dot(heading);
        let speed = if body.drive.can_reverse() { ahead } else { math::max(ahead, 0.0) };
        world.agents.set_motion(row, at, heading * speed, heading);
    } else {
        world.move_row(row, at, vel);
    }
}

/// An agent with a solid body.
struct Solid {
    row: usize,
    radius: f32,
    mass: f32,
    /// Whether it has stopped, so that others do not move it.
    is_fixed: bool,
}

impl Solid {
    /// Returns all agents with solid bodies, in the order of rows.
    fn all(world: &World) -> Vec<Self> {
        let solid = |row: usize| {
            let Body { radius, mass, solid, .. } = *world.agent(row).body();
            solid.then(|| Self { row, radius, mass, is_fixed: world.agents.stopped[row] })
        };
        (0..world.agents.len()).filter_map(solid).collect()
    }
}

/// The pairs of solid bodies that overlap or may overlap soon.
struct Pairs {
    /// The other agents of all pairs, agent by agent, each in increasing order. Agents are indices of solid bodies.
    all: Vec<u32>,
    /// For each agent, where its others begin; and the number of all.
    starts: Vec<u32>,
}

impl Pairs {
    fn find(world: &World, solids: &[Solid], at: &[Vec2]) -> Self {
        let (space, motions) = (&world.space, &world.agents.motions);
        let (grid, order) = Grid::beside(space, motions);
        let mut index = vec![u32::MAX; world.agents.len()];
        for (i, one) in (0..).zip(solids) {
            index[one.row] = i;
        }
        let index: Vec<u32> =
            order.iter().map(|&slot| index[motions.rows()[slot as usize] as usize]).collect();
        let found = threads::map_parts(solids.len(), CHUNK, |part| {
            let mut found = Vec::new();
            for i in part {
                // Each pair is found from the larger body.
                let radius = solids[i].radius;
                grid.each_run(at[i], at[i], 2.0 * radius * (1.0 + MARGIN), |run, _| {
                    for &other in &index[run] {
                        let Some(one) = solids.get(other as usize) else { continue };
                        let j = other as usize;
                        if one.radius > radius || one.radius == radius && j <= i {
                            continue;
                        }
                        let reach = (radius + one.radius) * (1.0 + MARGIN);
                        let distance = math::length(space.offset_inside(at[i], at[j]));
                        if distance < reach && !(one.is_fixed && solids[i].is_fixed) {
                            found.extend([[i as u32, other], [other, i as u32]]);
                        }
                    }
                });
            }
            found
        });
        let mut found: Vec<[u32; 2]> = found.into_iter().flatten().collect();
        found.sort_unstable();
        let mut starts = vec![0; solids.len() + 1];
        for [one, _] in &found {
            starts[*one as usize + 1] += 1;
        }
        for i in 0..solids.len() {
            starts[i + 1] += starts[i];
        }
        Self { all: found.into_iter().map(|[_, other]| other).collect(), starts }
    }

    /// Returns by how much an agent is moved in a round.
    fn correction(&self, world: &World, solids: &[Solid], at: &[Vec2], i: usize) -> Vec2 {
        let own = &solids[i];
        if own.is_fixed {
            return Vec2::ZERO;
        }
        let (mut sum, mut count) = (Vec2::ZERO, 0.0);
        for &j in &self.all[self.starts[i] as usize..self.starts[i + 1] as usize] {
            let other = &solids[j as usize];
            let offset = world.space.offset_inside(at[j as usize], at[i]);
            let overlap = own.radius + other.radius - math::length(offset);
            if overlap > 0.0 {
                let mut away = math::unit(offset);
                if away == Vec2::ZERO {
                    away = apart(world, own.row, other.row);
                }
                let part = if other.is_fixed { 1.0 } else { 1.0 / (1.0 + own.mass / other.mass) };
                sum += away * (overlap * part);
                count += 1.0;
            }
        }
        if count > 1.0 { sum * (OVER_RELAXATION / math::sqrt(count)) } else { sum }
    }
}

/// Returns the direction in which an agent goes away from another one at the same place; the other one goes the opposite
/// way.
fn apart(world: &World, row: usize, other: usize) -> Vec2 {
    let direction = |row| world.agents.random_direction(row);
    let away = math::unit(direction(row) - direction(other));
    if away != Vec2::ZERO {
        away
    } else if row < other {
        Vec2::NEG_X
    } else {
        Vec2::X
    }
}

/// The obstacles of a world.
struct Walls<'w> {
    space: &'w Space,
    all: Vec<Wall<'w>>,
}

/// An obstacle with its bounds.
struct Wall<'w> {
    shape: &'w Shape,
    low: Vec2,
    high: Vec2,
}

impl Wall<'_> {
    /// Returns whether a disc may touch the obstacle somewhere between two points.
    fn is_near(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        let (low, high) = (from.min(to) - radius, from.max(to) + radius);
        match self.shape {
            Shape::Room { .. } => !(low.cmpgt(self.low).all() && high.cmplt(self.high).all()),
            _ => low.cmple(self.high).all() && high.cmpge(self.low).all(),
        }
    }
}

impl<'w> Walls<'w> {
    fn new(space: &'w Space, obstacles: &'w [Obstacle]) -> Self {
        let wall = |obstacle: &'w Obstacle| {
            let (low, high) = obstacle.shape.bounds();
            let slack = Vec2::splat(ROUNDING) * low.abs().max(high.abs()).max_element();
            match obstacle.shape {
                Shape::Room { .. } => {
                    Wall { shape: &obstacle.shape, low: low + slack, high: high - slack }
                }
                _ => Wall { shape: &obstacle.shape, low: low - slack, high: high + slack },
            }
        };
        Self { space, all: obstacles.iter().map(wall).collect() }
    }

    /// Returns where a disc comes to that should move from one point to another: there, or as far as it can slide. In a
    /// world that wraps, it moves the shorter way.
    fn slide(&self, from: Vec2, to: Vec2, radius: f32) -> Vec2 {
        let to = self.space.apply_edge(to, Vec2::ZERO).0;
        if self.all.is_empty() {
            return to;
        }
        let way = self.space.offset(from, to);
        let mut end = to;
        if let Some(stopped) = self.swept(from, way, radius) {
            end = self.space.inside(stopped);
        } else if self.space.inside(from + way) != from + way {
            // It crosses the edge: obstacles on the other side count from there.
            end =
                self.swept(to - way, way, radius).map_or(to, |stopped| self.space.inside(stopped));
        }
        self.pushed_out(end, radius)
    }

    /// Returns where a disc comes to that slides along the obstacles on a way; `None` if nothing is in its way.
    fn swept(&self, from: Vec2, way: Vec2, radius: f32) -> Option<Vec2> {
        let (mut at, mut left) = (from, way);
        for turns in 0..MAX_SLIDES {
            let Some(hit) = self.first_hit(at, left, radius) else {
                return (turns > 0).then_some(at + left);
            };
            let along = math::unit(left);
            let rest = left - along * hit.distance;
            at += along * hit.distance + hit.normal * gap(at, radius);
            left = rest - hit.normal * math::min(rest.dot(hit.normal), 0.0);
        }
        Some(at)
    }

    /// Returns the first touch of an obstacle by a disc on a way. An obstacle that it touches from the start counts only if
    /// it moves further into it.
    fn first_hit(&self, at: Vec2, way: Vec2, radius: f32) -> Option<Hit> {
        let mut first: Option<Hit> = None;
        for wall in self.all.iter().filter(|wall| wall.is_near(at, at + way, radius)) {
            let hit = wall.shape.cast(at, way, math::length(way), radius);
            let hit = hit.filter(|hit| hit.distance > 0.0 || way.dot(hit.normal) < 0.0);
            first = match (first, hit) {
                (Some(first), Some(hit)) if hit.distance >= first.distance => Some(first),
                (first, hit) => hit.or(first),
            };
        }
        first
    }

    /// Returns a disc's place, moved out of the obstacles that it overlaps: out of the deepest one, a few times.
    fn pushed_out(&self, mut at: Vec2, radius: f32) -> Vec2 {
        for _ in 0..MAX_SLIDES {
            let near = self.all.iter().filter(|wall| wall.is_near(at, at, radius));
            let deepest = near
                .map(|wall| wall.shape.surface(at))
                .reduce(|a, b| if b.distance < a.distance { b } else { a });
            match deepest {
                Some(surface) if surface.distance < radius => {
                    let depth = radius - surface.distance;
                    at = self.space.inside(at + surface.normal * (depth + gap(at, radius)));
                }
                _ => break,
            }
        }
        at
    }
}

/// Returns the gap that a body keeps to an obstacle.
fn gap(at: Vec2, radius: f32) -> f32 {
    radius * GAP + at.abs().max_element() * ROUNDING
}

#[cfg(test)]
mod tests;
