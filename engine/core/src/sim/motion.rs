//! Moving all agents by their forces.
//!
//! Agents that move in blocks get exactly the bits that [`advance`] gives for each of them.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::locomotion::{Motion, advance};
use crate::math::{self, Vec2};
use crate::world::{Body, Edge, Group, GroupId, MotionColumns, Space, World};
use crate::{simd, threads};

/// Number of agents that one thread moves at a time.
pub(super) const CHUNK: usize = 4096;

/// Number of agents that are moved in one loop.
const BLOCK: usize = 64;

/// The same in a small world, where preparing a large block would take longer than moving the agents.
const SMALL_BLOCK: usize = 8;

/// The forces and velocities that the agents have decided on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decided<'d> {
    /// Their forces.
    pub(super) forces: &'d [Vec2],
    /// Their velocities before these forces.
    pub(super) velocities: &'d [Vec2],
    /// The index of each slot in these columns; `None` if the columns are in the order of slots.
    pub(super) indices: Option<&'d [u32]>,
}

/// The agents in consecutive slots, and what moving them reads and changes.
struct MoveChunk<'c> {
    world: &'c Bodies<'c>,
    decided: Decided<'c>,
    first: usize,
    motions: MotionColumns<'c>,
}

/// The parts of the world that moving any agent reads.
struct Bodies<'c> {
    space: &'c Space,
    dt: f32,
    groups: &'c [Group],
    group: &'c [GroupId],
    index: &'c [u32],
    stopped: &'c [bool],
    /// Whether any agent has stopped.
    some_stopped: bool,
    /// The body of all agents, if they have the same one.
    same: Option<Body>,
    /// Whether the heading matters for how some body moves. These agents move one by one.
    some_have_heading: bool,
    /// The corners between which the edge changes nothing.
    low: Vec2,
    high: Vec2,
}

impl Bodies<'_> {
    fn body(&self, row: usize) -> &Body {
        self.groups[usize::from(self.group[row].0)].body_of(self.index[row])
    }

    /// Returns position, velocity and heading after a move without branches, and a number that is not 0 if the case is
    /// unusual, so that they are not right.
    #[inline(always)]
    fn usual_move(
        &self,
        body: &Body,
        pos: Vec2,
        own: Vec2,
        force: Vec2,
    ) -> (Vec2, Vec2, Vec2, u32) {
        let (low, high) = (self.low, self.high);
        let (force, unusual_force) = math::quick_limit(force, body.max_force);
        let (vel, unusual_vel) =
            math::quick_limit(own + force / body.mass * self.dt, body.max_speed);
        let (unit, unusual_unit) = math::quick_unit(vel);
        let at = pos + vel * self.dt;
        let inside = (at.x >= low.x) & (at.x < high.x) & (at.y >= low.y) & (at.y < high.y);
        (at, vel, unit, u32::from(unusual_force | unusual_vel | unusual_unit | !inside))
    }
}

/// Moves all agents that have not stopped.
///
/// # Errors
///
/// The lowest row whose position or velocity becomes infinite. The world must not be used further.
pub(super) fn move_all(world: &mut World, decided: Decided<'_>) -> Result<(), usize> {
    let World { space, groups, agents, dt, .. } = world;
    let same = match groups.as_slice() {
        [group] if group.bodies.is_empty() => Some(group.body),
        _ => None,
    };
    let (low, high) = match space.edge {
        Edge::Open => (Vec2::NEG_INFINITY, Vec2::INFINITY),
        _ => (space.min, space.max()),
    };
    let bodies = Bodies {
        space,
        dt: *dt,
        groups,
        group: &agents.group,
        index: &agents.index,
        stopped: &agents.stopped,
        some_stopped: agents.stopped.contains(&true),
        same,
        some_have_heading: groups.iter().flat_map(Group::all_bodies).any(Body::depends_on_heading),
        low,
        high,
    };
    let count = agents.group.len();
    let (mut rest, mut first) = (agents.motions.columns_mut(), 0);
    if count <= CHUNK {
        let part = MoveChunk { world: &bodies, decided, first, motions: rest };
        return simd::dispatch(part).map_or(Ok(()), Err);
    }
    let mut parts = Vec::with_capacity(count.div_ceil(CHUNK));
    while rest.len() > 0 {
        let slots = CHUNK.min(rest.len());
        let (motions, others) = rest.split(slots);
        parts.push(MoveChunk { world: &bodies, decided, first, motions });
        (rest, first) = (others, first + CHUNK);
    }
    let out_of_range = threads::map(parts, simd::dispatch);
    out_of_range.into_iter().flatten().min().map_or(Ok(()), Err)
}

impl WithSimd for MoveChunk<'_> {
    /// The lowest row whose position or velocity becomes infinite.
    type Output = Option<usize>;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> Option<usize> {
        if self.motions.len() <= SMALL_BLOCK {
            return self.move_block::<SMALL_BLOCK>(0..self.motions.len());
        }
        let mut lowest = None;
        for from in (0..self.motions.len()).step_by(BLOCK) {
            let to = self.motions.len().min(from + BLOCK);
            let found = self.move_block::<BLOCK>(from..to);
            lowest = lowest.into_iter().chain(found).min();
        }
        lowest
    }
}

impl MoveChunk<'_> {
    /// Moves a block of agents. A loop without branches handles the usual case for all of them; the agents for which it
    /// does not hold are then moved again, one by one.
    #[inline(always)]
    fn move_block<const BLOCK: usize>(&mut self, slots: Range<usize>) -> Option<usize> {
        let world = self.world;
        let all = slots.len();
        let first = self.first + slots.start;
        let mut to = [Vec2::ZERO; BLOCK];
        let mut new = [Vec2::ZERO; BLOCK];
        let mut along = [Vec2::ZERO; BLOCK];
        let mut unusual = [0u32; BLOCK];
        let (mut lent_forces, mut lent_own) = ([Vec2::ZERO; BLOCK], [Vec2::ZERO; BLOCK]);
        let (forces, own) = if let Some(indices) = self.decided.indices {
            for (i, &index) in indices[first..first + all].iter().enumerate().take(BLOCK) {
                lent_forces[i] = self.decided.forces[index as usize];
                lent_own[i] = self.decided.velocities[index as usize];
            }
            (&lent_forces[..all], &lent_own[..all])
        } else {
            let slots = first..first + all;
            (&self.decided.forces[slots.clone()], &self.decided.velocities[slots])
        };
        let MotionColumns { rows, pos, .. } = &self.motions;
        let (rows, pos) = (&rows[slots.clone()][..all], &pos[slots.clone()][..all]);
        if let Some(body) = &world.same {
            for i in 0..all.min(BLOCK) {
                (to[i], new[i], along[i], unusual[i]) =
                    world.usual_move(body, pos[i], own[i], forces[i]);
            }
        } else {
            for (i, &row) in rows.iter().enumerate().take(BLOCK) {
                let body = world.body(row as usize);
                (to[i], new[i], along[i], unusual[i]) =
                    world.usual_move(body, pos[i], own[i], forces[i]);
            }
        }
        let any = world.some_stopped | world.some_have_heading;
        let any = unusual.iter().fold(any, |any, &unusual| any | (unusual != 0));
        let mut out_of_range: Option<usize> = None;
        if any {
            for i in 0..all {
                let (slot, row) = (slots.start + i, rows[i] as usize);
                if world.stopped[row] {
                    (to[i], new[i], along[i]) =
                        (pos[i], self.motions.vel[slot], self.motions.headings[slot]);
                    continue;
                }
                let body = world.body(row);
                if unusual[i] != 0 || world.some_have_heading && body.depends_on_heading() {
                    let heading = self.motions.headings[slot];
                    let before = Motion { pos: pos[i], vel: own[i], heading };
                    let after = advance(world.space, body, world.dt, before, forces[i]);
                    if !after.is_finite() {
                        // The agent keeps its old position, which the error message shows.
                        out_of_range = out_of_range.into_iter().chain([row]).min();
                        (to[i], new[i], along[i]) =
                            (pos[i], self.motions.vel[slot], self.motions.headings[slot]);
                        continue;
                    }
                    let Motion { pos, vel, heading } = after.motion;
                    (to[i], new[i], along[i]) = (pos, vel, heading);
                }
            }
        }
        self.motions.pos[slots.clone()].copy_from_slice(&to[..all]);
        self.motions.vel[slots.clone()].copy_from_slice(&new[..all]);
        self.motions.headings[slots].copy_from_slice(&along[..all]);
        out_of_range
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Drive;
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
            some_have_heading in prop::bool::ANY,
        ) {
            let mut world = World::example(&[]);
            world.space = Space { edge, min: Vec2::splat(-50.0), size: Vec2::splat(100.0) };
            let body = Body { max_force, max_speed, mass: 3.0, ..world.groups[0].body };
            world.groups[0].body = body;
            let other = Body { max_force: 1.0, ..body };
            let mut bodies = vec![other, body, Body { mass: 0.5, max_speed: 3.0, ..body }];
            if some_have_heading {
                let drive = Drive::Car { turning_radius: 2.0, reverse: true };
                bodies.push(Body { drive, ..body });
                bodies.push(Body { max_sideways_force: 1.0, ..body });
            }
            world.groups.push(Group { bodies, ..world.groups[0].clone() });
            world.populate(&agents.iter().map(|a| (a.0, a.1)).collect::<Vec<_>>());
            for (row, agent) in agents.iter().enumerate() {
                world.agents.group[row] = GroupId(u16::from(agent.3));
                world.agents.stopped[row] = agent.4;
            }
            let forces: Vec<Vec2> = agents.iter().map(|a| a.2).collect();
            let own: Vec<Vec2> = agents.iter().map(|a| a.1 * 0.5).collect();
            let before = world.agents.clone();
            // The forces are in the order of rows.
            let indices = world.agents.motions.rows().to_vec();
            let decided = Decided { forces: &forces, velocities: &own, indices: Some(&indices) };
            let done = move_all(&mut world, decided);
            let mut out_of_range = None;
            let bits = |v: Vec2| (v.x.to_bits(), v.y.to_bits());
            for row in 0..agents.len() {
                let group = world.group(before.group[row]);
                let (mut pos, mut vel) = (before.pos(row), before.vel(row));
                let mut heading = before.heading(row);
                if !before.stopped[row] {
                    let body = group.body_of(before.index[row]);
                    let start = Motion { pos, vel: own[row], heading };
                    let after = advance(&world.space, body, world.dt, start, forces[row]);
                    if !after.is_finite() {
                        out_of_range = out_of_range.or(Some(row));
                    }
                    Motion { pos, vel, heading } = after.motion;
                }
                if out_of_range.is_none() {
                    prop_assert_eq!(bits(world.agents.pos(row)), bits(pos), "row {}", row);
                    prop_assert_eq!(bits(world.agents.vel(row)), bits(vel), "row {}", row);
                    prop_assert_eq!(bits(world.agents.heading(row)), bits(heading), "row {}", row);
                }
            }
            prop_assert_eq!(done, out_of_range.map_or(Ok(()), Err));
        }
    }
}
