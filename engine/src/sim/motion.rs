//! Moving agents by their forces.
//!
//! Agents that move in blocks get exactly the bits that [`moved`] gives for each of them.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use crate::math::{self, Vec2};
use crate::threads;
use crate::world::{Body, Edge, Group, GroupId, Space, World};

/// Returns position and velocity after a tick, by semi-implicit Euler. The force is cut to the maximum force and
/// divided by the mass. The new velocity is cut to the maximum speed. The new velocity moves the position.
pub(super) fn moved(
    space: &Space,
    body: &Body,
    dt: f32,
    pos: Vec2,
    vel: Vec2,
    force: Vec2,
) -> (Vec2, Vec2) {
    let acceleration = math::limit(force, body.max_force) / body.mass;
    let vel = math::limit(vel + acceleration * dt, body.max_speed);
    space.apply_edge(pos + vel * dt, vel)
}

/// Number of agents that one thread moves at a time.
pub(super) const CHUNK: usize = 4096;

/// Number of agents that are moved in one loop.
const BLOCK: usize = 64;

/// Consecutive rows of agents: the columns that moving reads and those that it changes.
struct MoveChunk<'c> {
    space: &'c Space,
    dt: f32,
    groups: &'c [Group],
    group: &'c [GroupId],
    index: &'c [u32],
    stopped: &'c [bool],
    forces: &'c [Vec2],
    velocities: &'c [Vec2],
    pos: &'c mut [Vec2],
    vel: &'c mut [Vec2],
    heading: &'c mut [Vec2],
}

/// Moves all agents that have not stopped.
///
/// # Errors
///
/// The lowest row whose position or velocity becomes infinite. The world must not be used further.
pub(super) fn move_all(
    world: &mut World,
    forces: &[Vec2],
    velocities: &[Vec2],
) -> Result<(), usize> {
    let World { space, groups, agents, dt, .. } = world;
    let (space, groups, dt, arch) = (&*space, groups.as_slice(), *dt, Arch::new());
    let changed = agents.pos.chunks_mut(CHUNK).zip(agents.vel.chunks_mut(CHUNK));
    let parts = changed.zip(agents.heading.chunks_mut(CHUNK)).zip((0..).step_by(CHUNK));
    let parts = parts.map(|(((pos, vel), heading), first)| {
        let rows = first..first + pos.len();
        let part = MoveChunk {
            space,
            dt,
            groups,
            group: &agents.group[rows.clone()],
            index: &agents.index[rows.clone()],
            stopped: &agents.stopped[rows.clone()],
            forces: &forces[rows.clone()],
            velocities: &velocities[rows],
            pos,
            vel,
            heading,
        };
        (first, part)
    });
    let out_of_range =
        threads::map(parts.collect(), |(first, part)| arch.dispatch(part).map(|row| first + row));
    let out_of_range = out_of_range.into_iter().flatten().next();
    out_of_range.map_or(Ok(()), Err)
}

impl WithSimd for MoveChunk<'_> {
    /// The first row whose position or velocity becomes infinite.
    type Output = Option<usize>;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> Option<usize> {
        let mut from = 0;
        while from < self.pos.len() {
            let group = self.group[from];
            let others = self.group[from..].iter().take(BLOCK);
            let to = from + others.take_while(|&&other| other == group).count();
            if let Some(row) = self.move_block(from..to) {
                return Some(row);
            }
            from = to;
        }
        None
    }
}

impl MoveChunk<'_> {
    /// Moves a block of agents of one group. A loop without branches handles the usual case for all of them;
    /// the agents for which it does not hold are then moved again, one by one.
    #[inline(always)]
    fn move_block(&mut self, rows: Range<usize>) -> Option<usize> {
        let (space, dt) = (self.space, self.dt);
        let group = &self.groups[usize::from(self.group[rows.start].0)];
        let body = &group.body;
        let (low, high) = match space.edge {
            Edge::Open => (Vec2::NEG_INFINITY, Vec2::INFINITY),
            _ => (space.min, space.max()),
        };
        let mut to = [Vec2::ZERO; BLOCK];
        let mut new = [Vec2::ZERO; BLOCK];
        let mut along = [Vec2::ZERO; BLOCK];
        let mut unusual = [0u32; BLOCK];
        let all = rows.len();
        let (pos, own) = (&self.pos[rows.clone()][..all], &self.velocities[rows.clone()][..all]);
        let forces = &self.forces[rows.clone()][..all];
        for i in 0..all.min(BLOCK) {
            let (force, unusual_force) = math::quick_limit(forces[i], body.max_force);
            let (vel, unusual_vel) =
                math::quick_limit(own[i] + force / body.mass * dt, body.max_speed);
            let (unit, unusual_unit) = math::quick_unit(vel);
            let at = pos[i] + vel * dt;
            let inside = (at.x >= low.x) & (at.x < high.x) & (at.y >= low.y) & (at.y < high.y);
            (to[i], new[i], along[i]) = (at, vel, unit);
            unusual[i] = u32::from(unusual_force | unusual_vel | unusual_unit | !inside);
        }
        let stopped = &self.stopped[rows.clone()];
        // The loop above uses one body for all agents.
        let bodies_differ = !group.bodies.is_empty();
        let any = unusual
            .iter()
            .zip(stopped)
            .fold(bodies_differ, |any, (&unusual, &stopped)| any | (unusual != 0) | stopped);
        if any {
            for i in 0..all {
                let row = rows.start + i;
                if self.stopped[row] {
                    (to[i], new[i], along[i]) = (pos[i], self.vel[row], self.heading[row]);
                } else if unusual[i] != 0 || bodies_differ {
                    let body = group.body_of(self.index[row]);
                    (to[i], new[i]) = moved(space, body, dt, pos[i], own[i], forces[i]);
                    // The row keeps its old position, which the error message shows.
                    if !(to[i].is_finite() && new[i].is_finite()) {
                        return Some(row);
                    }
                    let unit = math::unit(new[i]);
                    along[i] = if unit == Vec2::ZERO { self.heading[row] } else { unit };
                }
            }
        }
        self.pos[rows.clone()].copy_from_slice(&to[..all]);
        self.vel[rows.clone()].copy_from_slice(&new[..all]);
        self.heading[rows].copy_from_slice(&along[..all]);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn part() -> impl Strategy<Value = f32> {
        prop_oneof![
            -100.0f32..100.0,
            -1.0f32..1.0,
            Just(0.0),
            Just(-0.0),
            -1e-18f32..1e-18,
            -1e18f32..1e18,
            prop_oneof![Just(3e38f32), Just(-3e38)],
        ]
    }

    fn vector() -> impl Strategy<Value = Vec2> {
        prop_oneof![
            3 => (-100.0f32..100.0, -100.0f32..100.0).prop_map(|(x, y)| Vec2::new(x, y)),
            1 => (part(), part()).prop_map(|(x, y)| Vec2::new(x, y)),
        ]
    }

    proptest! {
        #[test]
        fn agents_in_blocks_move_as_single_agents_do(
            agents in prop::collection::vec(
                (vector(), vector(), vector(), prop::bool::weighted(0.05), prop::bool::weighted(0.05)),
                0..300,
            ),
            edge in prop_oneof![Just(Edge::Open), Just(Edge::Wrap), Just(Edge::Bounce), Just(Edge::Clamp)],
            max_force in prop_oneof![0.0f32..100.0, Just(f32::INFINITY)],
            max_speed in prop_oneof![0.0f32..100.0, Just(f32::INFINITY)],
        ) {
            let mut world = World::example(&[]);
            world.space = Space { edge, min: Vec2::splat(-50.0), size: Vec2::splat(100.0) };
            let body = Body { max_force, max_speed, mass: 3.0, ..world.groups[0].body };
            world.groups[0].body = body;
            let other = Body { max_force: 1.0, ..body };
            let bodies = vec![other, body, Body { mass: 0.5, max_speed: 3.0, ..body }];
            world.groups.push(Group { bodies, ..world.groups[0].clone() });
            world.populate(&agents.iter().map(|a| (a.0, a.1)).collect::<Vec<_>>());
            for (row, agent) in agents.iter().enumerate() {
                world.agents.group[row] = GroupId(u16::from(agent.3));
                world.agents.stopped[row] = agent.4;
            }
            let forces: Vec<Vec2> = agents.iter().map(|a| a.2).collect();
            let own: Vec<Vec2> = agents.iter().map(|a| a.1 * 0.5).collect();
            let before = world.agents.clone();
            let done = move_all(&mut world, &forces, &own);
            let mut out_of_range = None;
            let bits = |v: Vec2| (v.x.to_bits(), v.y.to_bits());
            for row in 0..agents.len() {
                let group = world.group(before.group[row]);
                let (mut pos, mut vel) = (before.pos[row], before.vel[row]);
                let mut heading = before.heading[row];
                if !before.stopped[row] {
                    let body = group.body_of(before.index[row]);
                    (pos, vel) = moved(&world.space, body, world.dt, pos, own[row], forces[row]);
                    if !(pos.is_finite() && vel.is_finite()) {
                        out_of_range = out_of_range.or(Some(row));
                    }
                    let unit = math::unit(vel);
                    heading = if unit == Vec2::ZERO { heading } else { unit };
                }
                if out_of_range.is_none() {
                    prop_assert_eq!(bits(world.agents.pos[row]), bits(pos), "row {}", row);
                    prop_assert_eq!(bits(world.agents.vel[row]), bits(vel), "row {}", row);
                    prop_assert_eq!(bits(world.agents.heading[row]), bits(heading), "row {}", row);
                }
            }
            prop_assert_eq!(done, out_of_range.map_or(Ok(()), Err));
        }
    }

    #[test]
    fn both_limits_cut_and_the_new_velocity_moves() {
        let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::ONE };
        let body = Body { radius: 1.0, mass: 2.0, max_speed: 5.0, max_force: 8.0 };
        let (pos, vel) =
            moved(&space, &body, 0.5, Vec2::ZERO, Vec2::new(1.0, 0.0), Vec2::new(100.0, 0.0));
        assert_eq!((pos, vel), (Vec2::new(1.5, 0.0), Vec2::new(3.0, 0.0)));
        let (_, vel) =
            moved(&space, &body, 9.0, Vec2::ZERO, Vec2::new(1.0, 0.0), Vec2::new(100.0, 0.0));
        assert_eq!(vel, Vec2::new(5.0, 0.0));
    }
}
