//! How a force moves an agent.

use rayon::prelude::*;

use crate::math::{self, Vec2};
use crate::world::{Body, Space, World};

/// Position and velocity after a tick: semi-implicit Euler. The force is cut to what the body can do and
/// divided by its mass, the new velocity cut to its speed, and the position moved by the new velocity.
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
    space.settle(pos + vel * dt, vel)
}

/// Agents at least this many are moved by one thread in one go.
const BLOCK: usize = 4096;

/// Moves all agents that have not stopped. If one is moved beyond the range of numbers, the error is the
/// lowest such row, and the world is not to be used further.
pub(super) fn move_all(
    world: &mut World,
    forces: &[Vec2],
    velocities: &[Vec2],
) -> Result<(), usize> {
    let World {
        space,
        groups,
        agents,
        dt,
        ..
    } = world;
    let columns = (
        &mut agents.pos,
        &mut agents.vel,
        &mut agents.heading,
        &agents.group,
        &agents.stopped,
    );
    let (pos, vel, heading, group, stopped) = columns;
    let lost = (
        pos.par_iter_mut(),
        vel.par_iter_mut(),
        heading.par_iter_mut(),
        group,
        stopped,
        forces,
        velocities,
    )
        .into_par_iter()
        .with_min_len(BLOCK)
        .enumerate()
        .filter_map(|(row, (pos, vel, heading, group, stopped, force, own))| {
            if *stopped {
                return None;
            }
            let (to, new) = moved(
                space,
                &groups[group.0 as usize].body,
                *dt,
                *pos,
                *own,
                *force,
            );
            // Where it was is what a person wants to know.
            if !(to.is_finite() && new.is_finite()) {
                return Some(row);
            }
            (*pos, *vel) = (to, new);
            let along = math::unit(new);
            if along != Vec2::ZERO {
                *heading = along;
            }
            None
        })
        .min();
    lost.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Edge;

    #[test]
    fn both_limits_cut_and_the_new_velocity_moves() {
        let space = Space {
            edge: Edge::Open,
            min: Vec2::ZERO,
            size: Vec2::ONE,
        };
        let body = Body {
            radius: 1.0,
            mass: 2.0,
            max_speed: 5.0,
            max_force: 8.0,
        };
        let (pos, vel) = moved(
            &space,
            &body,
            0.5,
            Vec2::ZERO,
            Vec2::new(1.0, 0.0),
            Vec2::new(100.0, 0.0),
        );
        assert_eq!((pos, vel), (Vec2::new(1.5, 0.0), Vec2::new(3.0, 0.0)));
        let (_, vel) = moved(
            &space,
            &body,
            9.0,
            Vec2::ZERO,
            Vec2::new(1.0, 0.0),
            Vec2::new(100.0, 0.0),
        );
        assert_eq!(vel, Vec2::new(5.0, 0.0));
    }
}
