//! Reciprocal avoidance: each of two agents takes half of the responsibility for not colliding.

use std::cell::RefCell;

use glam::DVec2;

use super::closest::Close;
use super::disc::{Disc, leave_circle, leave_cone};
use super::half_planes::{Line, nearest_allowed};
use super::walls::wall_lines;
use crate::math::{self, Vec2};
use crate::world::{Me, Neighborhood};

/// How long an agent must not collide if nobody changes its velocity, in seconds. Less than a tick counts as a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Horizons {
    /// With other agents.
    pub(crate) agents: f32,
    /// With obstacles.
    pub(crate) walls: f32,
}

/// The buffers that are reused from agent to agent, so that nothing is allocated.
#[derive(Default)]
struct Memory {
    lines: Vec<Line>,
    spare: Vec<Line>,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// The number of neighbors that an agent takes into account, as in the examples of RVO2.
const MAX_NEIGHBORS: f32 = 10.0;

/// If the result and the wanted velocity are parallel up to this sine, the agent is in front of a perfectly symmetric
/// conflict.
const SYMMETRIC: f64 = 1e-3;

/// The agent then wants a velocity turned to the right by 1 radian: cosine and sine of the angle.
const TURN: DVec2 = DVec2::new(0.540_302_305_868_139_8, -0.841_470_984_807_896_5);

impl Me<'_> {
    /// Returns the velocity nearest to `wanted`, at most `speed`, with which the agent collides neither with the closest
    /// neighbors, if each of them does the same, nor with obstacles. If there is none, the one that violates the
    /// constraints of other agents the least. In world units per second.
    ///
    /// Bodies of agents keep `margin` apart. At most 10 neighbors count, the closest. A perfectly symmetric conflict would only slow
    /// the agent down: then it takes the result for a wanted velocity turned to the right by 1 radian.
    ///
    /// Source: van den Berg, Guy, Lin, Manocha: "Reciprocal n-body collision avoidance" (2011).
    pub(crate) fn reciprocal_velocity(
        &self,
        neighbors: &Neighborhood,
        wanted: Vec2,
        horizons: Horizons,
        speed: f32,
        margin: f32,
    ) -> Vec2 {
        let tick = self.world().dt;
        let seconds = |horizon| f64::from(math::max(horizon, tick));
        let disc = Disc {
            pos: self.pos().as_dvec2(),
            vel: self.vel().as_dvec2(),
            radius: f64::from(self.body().radius),
            speed: f64::from(speed),
            margin: f64::from(margin),
        };
        MEMORY.with_borrow_mut(|Memory { lines, spare }| {
            lines.clear();
            wall_lines(&self.world().obstacles, &disc, seconds(horizons.walls), lines);
            let walls = lines.len();
            let (horizon, tick) = (seconds(horizons.agents), f64::from(tick));
            self.each_closest(neighbors, MAX_NEIGHBORS, |other| {
                lines.push(self.line_of(&disc, other, horizon, tick));
            });
            let mut best = |wanted| nearest_allowed(lines, walls, disc.speed, wanted, spare);
            let wanted = wanted.as_dvec2();
            let mut result = best(wanted);
            if is_symmetric(wanted, result, disc.speed) {
                result = best(TURN.rotate(wanted));
            }
            // Far lines meet only about where they should.
            math::limit(result.as_vec2(), speed)
        })
    }

    /// Returns the constraint that another agent gives.
    fn line_of(&self, disc: &Disc, other: &Close, horizon: f64, tick: f64) -> Line {
        let (offset, reach) = (other.offset(), other.reach() + disc.margin);
        let relative = disc.vel - other.vel();
        let far = offset.length_squared();
        let (change, direction) = if far > reach * reach {
            let (point, direction) = leave_cone(relative, offset, reach, horizon);
            (point - relative, direction)
        } else {
            // They overlap and part within a tick.
            let from_end = relative - offset / tick;
            let from_end = if from_end == DVec2::ZERO {
                // They are at the same place and move together.
                let agents = &self.world().agents;
                (agents.random_direction(self.row()) - agents.random_direction(other.row as usize))
                    .as_dvec2()
                    * f64::MIN_POSITIVE.sqrt()
            } else {
                from_end
            };
            leave_circle(from_end, reach / tick)
        };
        Line { point: disc.vel + change * 0.5, direction }
    }
}

/// Returns whether a result only slows down the wanted motion.
fn is_symmetric(wanted: DVec2, result: DVec2, speed: f64) -> bool {
    let length = wanted.length();
    let most = if length < speed { length } else { speed };
    length > 0.0
        && wanted.perp_dot(result).abs() <= SYMMETRIC * length * most
        && wanted.dot(result) < 0.99 * length * most
}
