//! Social forces: pushes that fall with the distance, and contact.

use super::symmetry::is_mirrored;
use crate::math::wide::{Real, Single, Wide, dot};
use crate::math::{self, Vec2};
use crate::world::neighbor_lanes::{NeighborFunction, NeighborLanes};
use crate::world::{Me, Neighbor, Neighborhood};

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
        let along = math::unit(self.vel());
        let own = self.body().radius;
        let pushed = Pushed { social, own, along, vel: self.vel() };
        let mut sum = Vec2::ZERO;
        self.each_result(neighbors, &pushed, |pushes, lane, neighbor| {
            sum += if pushes.is_plain.0[lane] == 1.0 {
                Vec2::new(pushes.x.0[lane], pushes.y.0[lane])
            } else {
                pushed.by_odd(self, &neighbor())
            };
        });
        let world = self.world();
        let by_wall = Pushed { social: Social { sight: 1.0, ..social }, ..pushed };
        for obstacle in &world.obstacles {
            let surface = obstacle.shape.surface(self.pos());
            let depth = own - surface.distance;
            sum += Vec2::from(by_wall.push(surface.normal.into(), self.vel().into(), depth));
        }
        math::limit(sum, f32::MAX)
    }
}

/// An agent that neighbors push.
struct Pushed {
    social: Social,
    /// The radius of its body, in world units.
    own: f32,
    /// The unit vector along its velocity; zero if the agent stands.
    along: Vec2,
    /// Its velocity, in world units per second.
    vel: Vec2,
}

/// The pushes of some neighbors.
struct Pushes {
    x: Wide<f32>,
    y: Wide<f32>,
    /// 1 if the push is valid; 0 for neighbors at the same place and for mirror images.
    is_plain: Wide<f32>,
}

impl NeighborFunction for Pushed {
    type Results = Pushes;

    #[inline(always)]
    fn compute(&self, of: &NeighborLanes) -> Pushes {
        let (zero, one) = (Wide::of(0.0), Wide::of(1.0));
        let (vx, vy) = (Wide::of(self.vel.x) - of.vel_x, Wide::of(self.vel.y) - of.vel_y);
        let distance = (of.x * of.x + of.y * of.y).sqrt();
        let away = (-of.x / distance, -of.y / distance);
        let (x, y) = self.push(away, (vx, vy), Wide::of(self.own) + of.radius - distance);
        let own = (Wide::of(self.vel.x), Wide::of(self.vel.y));
        let is_plain = one - is_mirrored((of.x, of.y), own, (of.vel_x, of.vel_y));
        Pushes { x, y, is_plain: zero.if_less(distance, is_plain, zero) }
    }
}

impl Pushed {
    /// Returns the push of a neighbor at the same place, or of a mirror image.
    #[cold]
    fn by_odd(&self, me: &Me<'_>, other: &Neighbor<'_>) -> Vec2 {
        let distance = math::sqrt(other.distance_squared);
        let (away, relative) = (me.away_from(other), self.vel - other.vel);
        let depth = self.own + me.world().radius_of(other.row) - distance;
        self.push(away.into(), relative.into(), depth).into()
    }

    /// Returns the acceleration along `away` by something that the body would have to enter by `depth`, which is negative
    /// while there is a gap, and that it passes with the velocity `relative`.
    #[inline(always)]
    fn push<T: Single>(&self, away: (T, T), relative: (T, T), depth: T) -> (T, T) {
        let Social { strength, range, sight, stiffness, friction } = self.social;
        let (zero, one) = (T::of(0.0), T::of(1.0));
        let along = (T::of(self.along.x), T::of(self.along.y));
        let ahead = T::of(0.5) * (one - dot(along, away));
        let stands = self.along == Vec2::ZERO;
        let seen = if stands { one } else { T::of(sight) + T::of(1.0 - sight) * ahead };
        let most = T::of(MOST);
        let exponent = if range > 0.0 { depth / T::of(range) } else { zero };
        // Deep in each other, the push stays finite.
        let exponent = exponent.if_less(most, exponent, most);
        let push = T::of(strength) * math::power(exponent) * seen;
        let contact = zero.if_less(depth, depth, zero);
        let across = (-away.1, away.0);
        let pressed = push + T::of(stiffness) * contact;
        let rubbed = T::of(friction) * contact * dot(relative, across);
        let (x, y) = (away.0 * pressed - across.0 * rubbed, away.1 * pressed - across.1 * rubbed);
        let infinite = T::of(f32::INFINITY);
        let is_finite = x.abs().if_less(infinite, y.abs().if_less(infinite, one, zero), zero);
        let counts = if range > 0.0 { is_finite } else { zero.if_less(depth, is_finite, zero) };
        (zero.if_less(counts, x, zero), zero.if_less(counts, y, zero))
    }
}

/// The maximum exponent: the push at a depth of four ranges.
const MOST: f32 = 4.0;
