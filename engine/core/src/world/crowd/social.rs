//! Social forces: pushes that fall with the distance, and contact.

use crate::math::wide::{Real, Single, Wide, dot};
use crate::math::{self, SQUARE_TOO_LARGE, SQUARE_TOO_SMALL, Vec2};
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
        let length = math::length(along);
        let pushed = Pushed { social, own, along, along_length: length, vel: self.vel() };
        let mut sum = Vec2::ZERO;
        self.each_result(neighbors, &pushed, |pushes, lane, neighbor| {
            sum += if pushes.is_precise.0[lane] == 1.0 {
                Vec2::new(pushes.x.0[lane], pushes.y.0[lane])
            } else {
                let neighbor = neighbor();
                pushed.by_odd(&neighbor, self.world().radius_of(neighbor.row))
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
    /// The unit vector along its velocity, and its length: about 1, or 0 if the agent stands.
    along: Vec2,
    along_length: f32,
    /// Its velocity, in world units per second.
    vel: Vec2,
}

/// The pushes of some neighbors.
struct Pushes {
    x: Wide<f32>,
    y: Wide<f32>,
    /// 1 if the push is valid; 0 for neighbors at the same place, and for those whose velocity has a square that is imprecise.
    is_precise: Wide<f32>,
}

impl NeighborFunction for Pushed {
    type Results = Pushes;

    #[inline(always)]
    fn compute(&self, of: &NeighborLanes) -> Pushes {
        let (zero, one) = (Wide::of(0.0), Wide::of(1.0));
        let (vx, vy) = (Wide::of(self.vel.x) - of.vel_x, Wide::of(self.vel.y) - of.vel_y);
        let distance = (of.x * of.x + of.y * of.y).sqrt();
        let squared = vx * vx + vy * vy;
        let away = (-of.x / distance, -of.y / distance);
        let (x, y) = self.by(away, (vx, vy), squared.sqrt(), distance, of.radius);
        let is_zero = zero.if_less(vx.abs() + vy.abs(), zero, one);
        let is_large = squared.if_less(Wide::of(SQUARE_TOO_SMALL), is_zero, one);
        let is_fine = squared.if_less(Wide::of(SQUARE_TOO_LARGE), is_large, zero);
        Pushes { x, y, is_precise: zero.if_less(distance, is_fine, zero) }
    }
}

impl Pushed {
    /// Returns the push of a neighbor. `speed` is the length of `relative`, the velocity relative to it.
    #[inline(always)]
    fn by<T: Single>(
        &self,
        away: (T, T),
        relative: (T, T),
        speed: T,
        distance: T,
        radius: T,
    ) -> (T, T) {
        let away = self.turned_if_on_line(away, relative, speed);
        self.push(away, relative, T::of(self.own) + radius - distance)
    }

    #[cold]
    fn by_odd(&self, other: &Neighbor<'_>, radius: f32) -> Vec2 {
        let distance = math::sqrt(other.distance_squared);
        let away = if distance > 0.0 {
            -other.offset / distance
        } else {
            math::unit(other.push_at_same_place())
        };
        let relative = self.vel - other.vel;
        let speed = math::length(relative);
        self.by(away.into(), relative.into(), speed, distance, radius).into()
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

    /// Returns the direction away from a neighbor. If both approach each other exactly on one line, it is turned to the right
    /// by 0.3 radians, so that they pass.
    #[inline(always)]
    fn turned_if_on_line<T: Real>(&self, away: (T, T), relative: (T, T), speed: T) -> (T, T) {
        let along = (T::of(self.along.x), T::of(self.along.y));
        let (zero, (x, y)) = (T::of(0.0), away);
        let own = off_the_line((x, y), along, T::of(self.along_length));
        let other = off_the_line((x, y), relative, speed);
        let is_on_line = zero.if_less(own, zero, zero.if_less(other, zero, T::of(1.0)));
        let approaches = dot(relative, away).if_less(zero, is_on_line, zero);
        let turns = dot(along, away).if_less(zero, approaches, zero);
        // To the right of the motion, which is to the left of the direction back.
        let (cos, sin) = (T::of(0.955_336_5), T::of(0.295_520_2));
        let turned = (x * cos - y * sin, x * sin + y * cos);
        (zero.if_less(turns, turned.0, x), zero.if_less(turns, turned.1, y))
    }
}

/// Returns how far a vector is from a line along a unit vector, minus what counts as being on it. `length` is that of the vector.
#[inline(always)]
fn off_the_line<T: Real>((x, y): (T, T), vector: (T, T), length: T) -> T {
    (x * vector.1 - y * vector.0).abs() - T::of(1e-3) * length
}

/// The maximum exponent: the push at a depth of four ranges.
const MOST: f32 = 4.0;
