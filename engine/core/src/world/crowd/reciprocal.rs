//! Reciprocal avoidance: each of two agents takes half of the responsibility for not colliding.

use std::cell::RefCell;

use glam::DVec2;

use super::closest::Close;
use super::disc::{Disc, leave_circle, leave_cone};
use super::half_planes::{Line, nearest_allowed};
use super::symmetry::Hold;
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

impl Me<'_> {
    /// Returns the velocity nearest to `wanted`, at most `speed`, with which the agent collides neither with the closest
    /// neighbors, if each of them does the same, nor with obstacles. If there is none, the one that violates the
    /// constraints of other agents the least. In world units per second.
    ///
    /// Bodies of agents keep `margin` apart. At most `most` neighbors count, the closest. Mirror images, and others that hold the agent
    /// from two sides alike, would only slow it down: then the rules of `symmetry` hold.
    ///
    /// Source: van den Berg, Guy, Lin, Manocha: "Reciprocal n-body collision avoidance" (2011).
    pub(crate) fn reciprocal_velocity(
        &self,
        neighbors: &Neighborhood,
        wanted: Vec2,
        horizons: Horizons,
        speed: f32,
        margin: f32,
        most: f32,
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
            let horizon = seconds(horizons.agents);
            let mut meets_image = false;
            self.each_closest(neighbors, most, |other| {
                meets_image |= self.is_mirror_image(other.offset(), other.vel());
                lines.push(self.line_of(&disc, other, other.offset(), horizon));
            });
            let wanted = wanted.as_dvec2();
            let mut result = nearest_allowed(lines, walls, disc.speed, wanted, spare);
            let hold = if lines.len() == walls {
                Hold::None
            } else {
                self.hold(neighbors, wanted, result, disc.speed)
            };
            if let Hold::Tight(wanted) = hold {
                result = nearest_allowed(lines, walls, disc.speed, wanted, spare);
            } else if meets_image && hold == Hold::None {
                lines.truncate(walls);
                self.each_closest(neighbors, most, |other| {
                    let (row, reach) = (other.row as usize, other.reach() + disc.margin);
                    let offset = self.seen_offset(row, other.offset(), other.vel(), reach);
                    lines.push(self.line_of(&disc, other, offset, horizon));
                });
                result = nearest_allowed(lines, walls, disc.speed, wanted, spare);
            }
            // Far lines meet only about where they should.
            math::limit(result.as_vec2(), speed)
        })
    }

    /// Returns the constraint that another agent gives, if it is at an offset.
    fn line_of(&self, disc: &Disc, other: &Close, offset: DVec2, horizon: f64) -> Line {
        let reach = other.reach() + disc.margin;
        let tick = f64::from(self.world().dt);
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
