//! Random errors: of what agents perceive, and of how they move.
//!
//! **Perception.** While agents decide, the position and velocity of each agent differ from the truth by a normally
//! distributed error, which is drawn again in each tick, for each axis. It is an error of the measurement, not of the one
//! who looks: all agents perceive the same wrong value in a tick, and the agent itself does too, as if all used the position
//! that it broadcasts. Everything that a behavior can ask is computed from these values; headings are not changed. The
//! true values move. Events, goals, contacts and expectations know the truth.
//!
//! **Motion.** Before an agent moves, its velocity changes by a normally distributed vector, as by a push after the
//! decision. Its standard deviation is `motion * sqrt(dt)` along each axis: then the velocities after one second have the
//! standard deviation `motion`, whatever the length of a tick is (a Wiener process).
//!
//! All numbers are pure functions of the seed, the purpose, the name of the group, the index in it, and the tick.

use std::sync::Arc;

use super::Simulation;
use super::motion::CHUNK;
use crate::math::random::{Mix, Use};
use crate::math::{self, Vec2};
use crate::threads;
use crate::world::{Group, World};

/// Where agents truly are, while the world shows what they perceive.
#[derive(Clone, Debug, Default)]
pub(super) struct Blur {
    /// Position and velocity of each row; empty while the world shows the truth.
    truth: Vec<(Vec2, Vec2)>,
}

impl Blur {
    /// Lets the world show what agents perceive, if any body has such an error.
    pub(super) fn begin(&mut self, world: &mut Arc<World>) {
        let bodies = world.groups.iter().flat_map(Group::all_bodies);
        let mut noises = bodies.map(|body| body.noise);
        if !noises.any(|noise| noise.position > 0.0 || noise.velocity > 0.0) {
            return;
        }
        let agents = &world.agents;
        self.truth = (0..agents.len()).map(|row| (agents.pos(row), agents.vel(row))).collect();
        let (truth, now): (_, &World) = (&self.truth, world);
        let shown = threads::map_parts(agents.len(), CHUNK, |part| {
            part.map(|row| perceived(now, row, truth[row])).collect::<Vec<_>>()
        });
        let world = Arc::make_mut(world);
        for (row, (pos, vel)) in shown.into_iter().flatten().enumerate() {
            *world.agents.pos_mut(row) = pos;
            *world.agents.vel_mut(row) = vel;
        }
    }

    /// Lets the world show the truth again.
    pub(super) fn end(&mut self, world: &mut Arc<World>) {
        if !self.truth.is_empty() {
            let world = Arc::make_mut(world);
            for (row, (pos, vel)) in self.truth.drain(..).enumerate() {
                *world.agents.pos_mut(row) = pos;
                *world.agents.vel_mut(row) = vel;
            }
        }
    }

    /// Returns whether the world shows something else than the truth.
    pub(super) fn is_active(&self) -> bool {
        !self.truth.is_empty()
    }

    /// Returns the true position of an agent.
    pub(super) fn true_pos(&self, world: &World, row: usize) -> Vec2 {
        self.truth.get(row).map_or_else(|| world.agents.pos(row), |(pos, _)| *pos)
    }

    /// Returns the true velocity of an agent that has decided: the one it had, unless its script has set another one.
    pub(super) fn true_vel(&self, world: &World, row: usize, decided: Vec2) -> Vec2 {
        match self.truth.get(row) {
            Some((_, vel)) if decided == world.agents.vel(row) => *vel,
            _ => decided,
        }
    }

    /// Takes over the truth about an agent that has just moved, and shows it to the others with its error.
    pub(super) fn hide(&mut self, world: &mut World, row: usize) {
        if let Some(truth) = self.truth.get_mut(row) {
            *truth = (world.agents.pos(row), world.agents.vel(row));
            let (pos, vel) = perceived(world, row, *truth);
            *world.agents.pos_mut(row) = pos;
            *world.agents.vel_mut(row) = vel;
        }
    }
}

/// Returns position and velocity of an agent as they are perceived in this tick.
fn perceived(world: &World, row: usize, (pos, vel): (Vec2, Vec2)) -> (Vec2, Vec2) {
    let noise = world.agent(row).body().noise;
    let error = |size: f32, purpose| match size {
        0.0 => Vec2::ZERO,
        size => stream(world, row, purpose).normal() * size,
    };
    let pos = pos + error(noise.position, Use::PositionNoise);
    (world.space.inside(pos), vel + error(noise.velocity, Use::VelocityNoise))
}

/// Returns the random change of an agent's velocity in this tick.
pub(super) fn of_motion(world: &World, row: usize) -> Vec2 {
    match world.agent(row).body().noise.motion {
        0.0 => Vec2::ZERO,
        size => stream(world, row, Use::MotionNoise).normal() * (size * math::sqrt(world.dt)),
    }
}

fn stream(world: &World, row: usize, purpose: Use) -> Mix {
    let agents = &world.agents;
    world.stream(agents.group[row], agents.index[row], purpose).with(world.tick)
}

impl Simulation {
    /// Returns whether something changes velocities between the decisions and the moves.
    pub(super) fn has_pushes(&self) -> bool {
        let mut bodies = self.world.groups.iter().flat_map(Group::all_bodies);
        !self.pushes.is_empty() || bodies.any(|body| body.noise.motion > 0.0)
    }
}

#[cfg(test)]
mod tests;
