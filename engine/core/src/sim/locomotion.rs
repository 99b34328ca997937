//! Moving one agent by its force, with all limits of its body.
//!
//! Each step is semi-implicit Euler: the force changes the velocity, and the new velocity moves the position. The limits
//! cut in this order, where *forward* and *left* are those of the heading before the move:
//!
//! 1. The force is cut to `max_force`. Its direction stays.
//! 2. Its part along the heading is cut to `max_forward_force` forward and `max_braking_force` backward, its part across
//!    the heading to `max_sideways_force`. Of a wheeled body that rolls backward, the part forward is the one that brakes.
//! 3. The rest, divided by the mass, changes the velocity. The body turns towards the new velocity as far as it can,
//!    and moves with the part of the velocity that is along its heading then.
//! 4. The speed is cut to `max_speed`.
//!
//! In step 3, a body without a limit of turning moves with the new velocity itself. The others are like this:
//!
//! - A point with `max_turn_deg_per_s` turns by at most that times the length of the tick, also while it stands. Exactly
//!   backward means to the left. So it brakes, turns around, and goes.
//! - A unicycle does the same, but has no velocity across its heading from which to start: of a velocity that is pushed or
//!   set by a script, only the part along the heading counts. It drives backward if it may and if its *desired velocity*,
//!   `velocity + force`, points at most 60 degrees to the side of its back; its back then turns like the front otherwise. With
//!   a wider angle, a script that multiplies its forces would make it go to and fro: a fast vehicle then seems to want backward.
//! - A car does the same, but turns by at most the distance that it moves in this tick divided by its turning radius: so the
//!   curvature of its way is never above 1 / turning radius, at any speed. Forces across the heading turn it and do not
//!   change its speed. A force that needs a sharper turn than the car can make must not let it stand: below a fifth of
//!   its desired speed, the whole force pushes it the way it drives. If its desired velocity is more backward than forward
//!   but it drives forward, it brakes down to that speed, and the whole force turns it, to the left if the force is exactly
//!   backward.
//! - A wheeled body stops before it drives the other way, and does not turn in the ticks until then.
//! - The heading of a body that stands stays, except if a point or a unicycle turns where it stands.
//!
//! The desired velocity is what most primitives mean: their forces are a desired velocity minus the velocity. It decides
//! only which way a wheeled body drives, and the fifth; the movement itself follows the force, as that of a point does.
//!
//! At an edge that bounces, the heading of these bodies is mirrored with the velocity. At one that clamps, the heading
//! stays, and the velocity loses what is not along it.
//!
//! Sources: C. Reynolds, "Steering behaviors for autonomous characters", 1999, section "Locomotion"; OpenSteer's
//! `SimpleVehicle::adjustRawSteeringForce` lets a vehicle push only forward below a fifth of its maximum speed; the
//! kinematic models of the unicycle and of the car: S. LaValle, "Planning Algorithms", 2006, section 13.1.2.

use crate::math::{self, PI, Vec2};
use crate::world::{Body, Drive, Edge, Space};

/// Position, velocity and heading of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Motion {
    pub(super) pos: Vec2,
    pub(super) vel: Vec2,
    pub(super) heading: Vec2,
}

/// A move of one tick, and what the limits of the body cut off on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    /// The agent after the tick.
    pub(super) motion: Motion,
    /// The force, cut to the maximum force.
    pub(super) force: Vec2,
    /// The new velocity before the maximum speed cuts it.
    pub(super) wanted_vel: Vec2,
    /// The new velocity before the edge changes it.
    pub(super) vel: Vec2,
    /// The part of the force along the heading: wanted, and what its limits leave.
    pub(super) forward: [f32; 2],
    /// Whether that part brakes.
    pub(super) is_braking: bool,
    /// The part of the force across the heading, to the left: wanted, and what its limit leaves.
    pub(super) sideways: [f32; 2],
    /// The turn in radians, to the left: wanted, and what the limits leave.
    pub(super) turn: [f32; 2],
    /// The largest turn in radians that the turning radius of a car allows; infinite for other bodies.
    pub(super) tightest: f32,
}

impl Moved {
    /// Returns whether position and velocity are finite.
    pub(super) fn is_finite(&self) -> bool {
        self.motion.pos.is_finite() && self.motion.vel.is_finite()
    }
}

/// The part of the desired speed below which the whole force pushes a car the way it drives.
const CREEP: f32 = 0.2;

/// The tangent of 30 degrees: a vector whose part backward is larger than this times its part aside points at most 60
/// degrees to the side of the back.
const TAN_30_DEG: f32 = 0.577_350_3;

/// A turn is this much smaller than its limit, in radians, so that the limit also holds for rounded headings.
const ROUNDING: f32 = 5e-7;

/// Below this speed, in world units per second, a velocity is not precise enough to give the heading.
const SLOW: f32 = 1e-6;

/// Moves an agent by a force.
pub(super) fn advance(space: &Space, body: &Body, dt: f32, before: Motion, wanted: Vec2) -> Moved {
    let force = math::limit(wanted, body.max_force);
    if body.drive.is_wheeled() {
        return Wheeled::new(body, dt, before, wanted, force).advance(space, before.pos, force);
    }
    let (acting, forward, sideways) = cut_parts(body, before.heading, force);
    let is_braking = forward[0] < 0.0;
    let vel = before.vel + acting / body.mass * dt;
    if !body.has_limited_turn() {
        let cut = math::limit(vel, body.max_speed);
        let (pos, new) = space.apply_edge(before.pos + cut * dt, cut);
        let unit = math::unit(new);
        let heading = if unit == Vec2::ZERO { before.heading } else { unit };
        let motion = Motion { pos, vel: new, heading };
        let (turn, tightest) = ([0.0; 2], f32::INFINITY);
        let wanted_vel = vel;
        return Moved {
            motion,
            force,
            wanted_vel,
            vel: cut,
            forward,
            is_braking,
            sideways,
            turn,
            tightest,
        };
    }
    let angle = angle_between(before.heading, vel);
    let most = largest_turn(body.max_turn_rad_per_s * dt);
    let turn = math::min(math::max(angle, -most), most);
    let (heading, wanted_vel) = if turn == angle {
        let unit = math::unit(vel);
        (if unit == Vec2::ZERO { before.heading } else { unit }, vel)
    } else {
        let heading = turned(before.heading, turn);
        (heading, heading * math::max(vel.dot(heading), 0.0))
    };
    let vel = math::limit(wanted_vel, body.max_speed);
    let motion = at_edge(space, before.pos + vel * dt, vel, heading);
    let (turn, tightest) = ([angle, turn], f32::INFINITY);
    Moved { motion, force, wanted_vel, vel, forward, is_braking, sideways, turn, tightest }
}

/// Cuts the parts of a force along and across a heading to the limits of a point. Returns the force and both parts,
/// before and after.
fn cut_parts(body: &Body, heading: Vec2, force: Vec2) -> (Vec2, [f32; 2], [f32; 2]) {
    if !body.has_limited_parts() {
        return (force, [0.0; 2], [0.0; 2]);
    }
    let left = math::perp(heading);
    let (ahead, aside) = (force.dot(heading), force.dot(left));
    let kept_ahead = clamp(ahead, body.max_braking_force, body.max_forward_force);
    let kept_aside = clamp(aside, body.max_sideways_force, body.max_sideways_force);
    let is_whole = kept_ahead == ahead && kept_aside == aside;
    let kept = if is_whole { force } else { heading * kept_ahead + left * kept_aside };
    (kept, [ahead, kept_ahead], [aside, kept_aside])
}

/// Returns a number, cut to the range from `-below` to `above`.
fn clamp(x: f32, below: f32, above: f32) -> f32 {
    math::min(math::max(x, -below), above)
}

/// Returns the angle from a heading to a vector in radians, counter-clockwise if y points up, from -PI to PI. It is PI if the
/// vector is exactly backward, and 0 for the zero vector.
fn angle_between(heading: Vec2, v: Vec2) -> f32 {
    let v = math::unit(v);
    angle_of(v.dot(heading), heading.perp_dot(v))
}

/// Returns the angle of a vector with a part ahead and a part to the left; PI if it is exactly backward.
fn angle_of(ahead: f32, aside: f32) -> f32 {
    if aside != 0.0 {
        math::atan2(aside, ahead)
    } else if ahead < 0.0 {
        PI
    } else {
        0.0
    }
}

/// Returns the angle by which a body turns at most, if its limit is an angle.
fn largest_turn(limit: f32) -> f32 {
    math::max(limit * (1.0 - 1e-6) - ROUNDING, 0.0)
}

/// Returns a unit vector turned by an angle in radians. It is the same vector for the angle 0.
fn turned(heading: Vec2, radians: f32) -> Vec2 {
    if radians == 0.0 { heading } else { math::unit(math::rotated(heading, radians)) }
}

/// Applies the edge to an agent whose heading does not follow its velocity.
fn at_edge(space: &Space, pos: Vec2, vel: Vec2, heading: Vec2) -> Motion {
    let (pos, new) = space.apply_edge(pos, vel);
    match space.edge {
        _ if new == vel => Motion { pos, vel, heading },
        Edge::Bounce => {
            let mirrored = |old: f32, new: f32, along: f32| if old == new { along } else { -along };
            let x = mirrored(vel.x, new.x, heading.x);
            let y = mirrored(vel.y, new.y, heading.y);
            Motion { pos, vel: new, heading: Vec2::new(x, y) }
        }
        Edge::Open | Edge::Wrap | Edge::Clamp => {
            Motion { pos, vel: heading * new.dot(heading), heading }
        }
    }
}

/// A wheeled body that is about to move. Seen in the way that it drives: the front of a body that drives backward is its back.
struct Wheeled<'b> {
    body: &'b Body,
    dt: f32,
    heading: Vec2,
    /// 1 if it drives forward, -1 if backward.
    way: f32,
    /// The speed; below 0 while it still rolls the other way.
    speed: f32,
    /// The length of the force.
    length: f32,
    /// The parts of the force ahead and to the left of the way it drives.
    ahead: f32,
    aside: f32,
    /// Whether it should go more backward than forward, but drives forward.
    must_turn_around: bool,
    /// Whether the force is to the right.
    is_right: bool,
    /// The speed below which the whole force pushes a car.
    creep: f32,
}

impl<'b> Wheeled<'b> {
    fn new(body: &'b Body, dt: f32, before: Motion, wanted: Vec2, force: Vec2) -> Self {
        let heading = before.heading;
        let left = math::perp(heading);
        let mut speed = before.vel.dot(heading);
        let (desired_ahead, desired_aside) = (speed + wanted.dot(heading), wanted.dot(left));
        let can_reverse = body.drive.can_reverse();
        let goes_back = can_reverse && -desired_ahead > TAN_30_DEG * desired_aside.abs();
        if !can_reverse {
            speed = math::max(speed, 0.0);
        }
        let way = if goes_back { -1.0 } else { 1.0 };
        let desired = math::length(heading * speed + wanted);
        Self {
            body,
            dt,
            heading,
            way,
            speed: speed * way,
            length: math::length(force),
            ahead: force.dot(heading) * way,
            aside: force.dot(left) * way,
            must_turn_around: desired_ahead < 0.0 && !goes_back,
            is_right: desired_aside < 0.0,
            creep: CREEP * math::min(desired, body.max_speed),
        }
    }

    /// Cuts a force ahead to its limits.
    fn cut_ahead(&self, force: f32) -> f32 {
        let Body { max_forward_force: forward, max_braking_force: braking, .. } = *self.body;
        if self.speed < 0.0 {
            clamp(force, forward, braking)
        } else {
            clamp(force, braking, forward)
        }
    }

    /// Returns the speed after a force ahead. The body stops before it drives the other way.
    fn speed_after(&self, force: f32) -> f32 {
        let speed = self.speed + force / self.body.mass * self.dt;
        if self.speed < 0.0 { math::min(speed, 0.0) } else { speed }
    }

    fn advance(&self, space: &Space, pos: Vec2, force: Vec2) -> Moved {
        let mut ahead = self.ahead;
        let mut kept_ahead = self.cut_ahead(ahead);
        let mut speed = self.speed_after(kept_ahead);
        let mut aside = self.aside;
        let mut tightest = f32::INFINITY;
        if let Drive::Car { turning_radius, .. } = self.body.drive {
            let pushed = self.cut_ahead(self.length);
            let creeping = math::min(self.speed_after(pushed), self.creep);
            if speed < creeping {
                if self.speed < self.creep {
                    (ahead, kept_ahead) = (self.length, pushed);
                }
                speed = creeping;
            }
            if self.must_turn_around {
                aside = if self.is_right { -self.length } else { self.length };
            }
            let distance = math::min(math::max(speed, 0.0), self.body.max_speed) * self.dt;
            tightest = largest_turn(distance / turning_radius);
        }
        let most = self.body.max_sideways_force;
        let kept_aside = clamp(aside, most, most);
        let change = kept_aside / self.body.mass * self.dt;
        let is_rolling_back = self.speed < 0.0;
        let angle = if is_rolling_back { 0.0 } else { angle_of(speed, change) };
        let most = math::min(largest_turn(self.body.max_turn_rad_per_s * self.dt), tightest);
        let turn = clamp(angle, most, most);
        if let Drive::Unicycle { .. } = self.body.drive
            && !is_rolling_back
        {
            // The part of the new velocity that is ahead after the turn.
            let (sin, cos) = (math::sin(turn), math::cos(turn));
            speed = math::max(speed * cos + change * sin, 0.0);
        }
        let heading = turned(self.heading, turn);
        let wanted_vel = heading * (speed * self.way);
        let most = self.body.max_speed;
        let vel = heading * (clamp(speed, most, most) * self.way);
        // The direction of the velocity, where it is precise: goldens then need not write the heading.
        let is_precise = self.way > 0.0 && speed > SLOW;
        let heading = if is_precise { math::unit(vel) } else { heading };
        let motion = at_edge(space, pos + vel * self.dt, vel, heading);
        let forward = [ahead * self.way, kept_ahead * self.way];
        let sideways = [aside * self.way, kept_aside * self.way];
        let is_braking = if is_rolling_back { ahead > 0.0 } else { ahead < 0.0 };
        let turn = [angle, turn];
        Moved { motion, force, wanted_vel, vel, forward, is_braking, sideways, turn, tightest }
    }
}

#[cfg(test)]
mod tests;
