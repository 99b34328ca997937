//! Social forces: pushes that fall with the distance, and contact.

use crate::math::{self, Vec2};
use crate::world::{Me, Neighborhood};

/// How hard neighbors and walls push.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Social {
    /// The push of a body that just touches, in world units per second squared.
    pub(crate) strength: f32,
    /// The distance over which the push falls to 1 / e, in world units.
    pub(crate) range: f32,
    /// The share of the push of a neighbor behind, from 0 to 1.
    pub(crate) sight: f32,
    /// How hard bodies that overlap push each other apart, per second squared.
    pub(crate) stiffness: f32,
    /// How much bodies that overlap slow each other down, per world unit and second.
    pub(crate) friction: f32,
}

impl Me<'_> {
    /// Returns the acceleration by neighbors and obstacles, after Helbing, Farkas, Vicsek (2000).
    pub(crate) fn social_acceleration(&self, neighbors: &Neighborhood, social: Social) -> Vec2 {
        let own = self.body().radius;
        let along = math::unit(self.vel());
        let mut sum = Vec2::ZERO;
        self.each_neighbor(neighbors, |other| {
            let radius = self.world().radius_of(other.row);
            let distance = math::sqrt(other.distance_squared);
            let away = if distance > 0.0 {
                -other.offset / distance
            } else {
                math::unit(other.push_at_same_place())
            };
            let relative = self.vel() - other.vel;
            let away = off_the_line(away, along, relative);
            sum += social.push(away, along, own + radius - distance, relative);
        });
        let world = self.world();
        for obstacle in &world.obstacles {
            let surface = obstacle.shape.surface(self.pos());
            sum += Social { sight: 1.0, ..social }.push(
                surface.normal,
                along,
                own - surface.distance,
                self.vel(),
            );
        }
        math::limit(sum, f32::MAX)
    }
}

impl Social {
    /// Returns the acceleration along `away` by something that the body would have to enter by `depth`, which is negative
    /// while there is a gap, and that it passes with the velocity `relative`.
    fn push(&self, away: Vec2, along: Vec2, depth: f32, relative: Vec2) -> Vec2 {
        if !(self.range > 0.0 || depth > 0.0) {
            return Vec2::ZERO;
        }
        let ahead = 0.5 * (1.0 - along.dot(away));
        let seen = if along == Vec2::ZERO { 1.0 } else { self.sight + (1.0 - self.sight) * ahead };
        let exponent = if self.range > 0.0 { depth / self.range } else { 0.0 };
        // Deep in each other, the push stays finite.
        let push = self.strength * math::exp(math::min(exponent, MOST)) * seen;
        let contact = math::max(depth, 0.0);
        let across = math::perp(away);
        let sum = away * (push + self.stiffness * contact)
            - across * (self.friction * contact * relative.dot(across));
        if sum.is_finite() { sum } else { Vec2::ZERO }
    }
}

/// The maximum exponent: the push at a depth of four ranges.
const MOST: f32 = 4.0;

/// Returns the direction away from a neighbor. If both approach each other exactly on one line, it is turned to the right
/// by 0.3 radians, so that they pass.
fn off_the_line(away: Vec2, along: Vec2, relative: Vec2) -> Vec2 {
    let is_straight = |v: Vec2| away.perp_dot(v).abs() <= 1e-3 * math::length(v);
    let approach = along.dot(away) < 0.0 && relative.dot(away) < 0.0;
    if approach && is_straight(along) && is_straight(relative) {
        // To the right of the motion, which is to the left of the direction back.
        let (cos, sin) = (0.955_336_5, 0.295_520_2);
        return Vec2::new(away.x * cos - away.y * sin, away.x * sin + away.y * cos);
    }
    away
}
