//! What an explanation of a force says, and what can be read off it.

use super::{Cause, Primitive};
use crate::diag::Place;
use crate::math::{self, Vec2};
use crate::world::{Me, Neighborhood};

/// How the force of one agent came about: the shares of all calls and `rest` add up to `force`, up to
/// rounding.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The calls of primitives, in the order in which they were made.
    pub calls: Vec<ExplainedCall>,
    /// What no primitive has a share in.
    pub rest: Vec2,
    /// Because of whom or what there is a rest, as far as it can be made out: what the script computed it
    /// from, and what it was chosen by. Empty where there is none but for rounding.
    pub rest_causes: Vec<Cause>,
    /// The force.
    pub force: Vec2,
    /// The velocity that the force is added to, in world units per second.
    pub vel: Vec2,
    /// The velocity that the script has set before the force, if it is not the one the agent had; in world
    /// units per second.
    pub set_vel: Option<Vec2>,
    /// The same as `rest_causes` of that velocity.
    pub vel_causes: Vec<Cause>,
}

/// A call of a primitive, and what became of its result.
#[derive(Clone, Debug)]
pub struct ExplainedCall {
    /// Which primitive.
    pub primitive: &'static Primitive,
    /// Where the call is written.
    pub place: Option<Place>,
    /// Because of whom or what; none where it depends on nothing outside of the agent.
    pub cause: Option<Cause>,
    /// Whom the point or velocity that it is given depends on, if the script has computed it.
    pub depends_on: Vec<Cause>,
    /// Whom it takes into account, where it is given a neighborhood.
    pub seen: Option<SeenNeighbors>,
    /// What it answered.
    pub raw: Vec2,
    /// The velocity that it steers to, if it does; in world units per second.
    pub desired_velocity: Option<Vec2>,
    /// What of the force comes from it.
    pub share: Vec2,
    /// What of the velocity that the agent steers to comes from it: the one it wants, weighted as its
    /// answer is; the share where it wants none.
    pub pull: Vec2,
    /// The share as a multiple of the answer, where it is one number that does it.
    pub weight: Option<f32>,
}

impl ExplainedCall {
    /// Where the call is written: file:line:column; empty where that is not known.
    pub fn position(&self) -> String {
        self.place.as_ref().map_or_else(String::new, Place::to_string)
    }

    /// What of the force it makes, and by which weight, for a person.
    pub fn product(&self) -> String {
        let share = math::short_vector(self.share);
        match self.weight {
            None | Some(1.0) => share,
            Some(weight) => {
                let raw = math::short_vector(self.raw);
                format!("{share} = {} x {raw}", math::short(weight))
            }
        }
    }
}

/// The others in a neighborhood.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenNeighbors {
    /// The neighborhood.
    pub neighborhood: Neighborhood,
    /// How many are in it.
    pub count: u32,
    /// The ids of the nearest of them, at most [`SeenNeighbors::MAX`], from near to far; of two that are equally
    /// near the lower id first.
    pub nearest: Vec<u32>,
}

impl SeenNeighbors {
    /// No more ids are told.
    pub const MAX: usize = 64;

    /// Whom an agent sees in a neighborhood.
    pub(crate) fn of(me: &Me<'_>, which: &Neighborhood) -> Self {
        let mut all = Vec::new();
        me.each_neighbor(which, |other| all.push((other.distance_squared, other.row)));
        let by_distance =
            |a: &(f32, usize), b: &(f32, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let count = all.len();
        if count > Self::MAX {
            all.select_nth_unstable_by(Self::MAX, by_distance);
            all.truncate(Self::MAX);
        }
        all.sort_unstable_by(by_distance);
        let ids = &me.world().agents.id;
        Self {
            neighborhood: *which,
            count: count as u32,
            nearest: all.into_iter().map(|(_, row)| ids[row]).collect(),
        }
    }
}

/// Vectors so much longer in all than their sum cancel each other out: what is left of them says nothing
/// about any of them.
const CANCELED: f32 = 10.0;

/// A rest that is no more than this part of all shares is rounding.
const ROUNDING: f32 = 1e-5;

/// A force of less than this part of what the agent steers to only keeps it on its way.
const STEADY: f32 = 0.5;

impl Explanation {
    /// Which part of the force a share is: how far it goes along the force, as a part of the force's
    /// length. The parts of all shares and of `rest` add up to 1, up to rounding; one that goes against
    /// the force is negative, and another then may be above 1. `None` where there is no force, or all but
    /// none: where shares cancel each other out.
    pub fn fraction(&self, share: Vec2) -> Option<f32> {
        self.along().map(|along| along.fraction(share))
    }

    /// What says which part of the force a share is.
    fn along(&self) -> Option<Projection> {
        let shares = self.calls.iter().map(|call| call.share);
        Projection::of(self.force, shares.chain([self.rest]))
    }

    /// Whether there is a rest that is more than rounding.
    pub fn has_rest(&self) -> bool {
        let calls = self.calls.iter().map(|call| math::length(call.share));
        let all = calls.sum::<f32>() + math::length(self.force);
        math::length(self.rest) > ROUNDING * all
    }

    /// The call that the agent mostly goes by: where its force only keeps it on its way, the one that most
    /// of the velocity comes from that it steers to; else [`Self::strongest`].
    pub fn dominant(&self) -> Option<&ExplainedCall> {
        self.steers_to().map_or_else(
            || self.strongest(),
            |velocity| {
                let size = |call: &ExplainedCall| call.pull.dot(velocity);
                self.most(size).filter(|call| size(call) > 0.0)
            },
        )
    }

    /// The call that the force mostly comes from: the one whose share goes farthest along the force, or,
    /// where they cancel each other out, the one whose share is longest; of several the first. `None`
    /// where no call has such a share, or more of it comes from `rest`.
    pub fn strongest(&self) -> Option<&ExplainedCall> {
        let along = self.along();
        let size =
            |share: Vec2| along.map_or_else(|| math::length(share), |along| along.fraction(share));
        self.most(|call| size(call.share))
            .filter(|call| size(call.share) > math::max(size(self.rest), 0.0))
    }

    /// The velocity that all calls steer to together, times their weights, if that is all there is to the
    /// force, and the agent already goes about as they want.
    ///
    /// A force is wanted velocity minus velocity. Once the agent has the velocity that it wants most,
    /// that call's force is next to nothing, and those of the others that would lead it elsewhere are
    /// not: they then say what the agent is kept from, not where it goes.
    fn steers_to(&self) -> Option<Vec2> {
        let in_force = |call: &&ExplainedCall| call.share != Vec2::ZERO;
        let all_want =
            self.calls.iter().filter(in_force).all(|call| call.desired_velocity.is_some());
        if self.has_rest() || !all_want {
            return None;
        }
        let pulls = || self.calls.iter().map(|call| call.pull);
        let velocity: Vec2 = pulls().sum();
        Projection::of(velocity, pulls())?;
        let is_steady = math::length(self.force) < STEADY * math::length(velocity);
        // By negative weights it may steer away from what is wanted.
        (is_steady && velocity.dot(self.vel) > 0.0).then_some(velocity)
    }

    /// The call of the greatest size; of several the first.
    fn most(&self, size: impl Fn(&ExplainedCall) -> f32) -> Option<&ExplainedCall> {
        self.calls.iter().fold(None, |most, call| {
            let is_more = most.is_none_or(|most| size(call) > size(most));
            if is_more { Some(call) } else { most }
        })
    }
}

/// A sum of vectors, to say how far each goes along it. In double precision, since the square of a short
/// vector may be too small for single precision: one that is left of braking has a direction, too.
#[derive(Clone, Copy)]
struct Projection {
    sum: (f64, f64),
    squared: f64,
}

impl Projection {
    /// Of the sum of several vectors. `None` where there is no sum, or they cancel each other out.
    fn of(sum: Vec2, all: impl Iterator<Item = Vec2>) -> Option<Self> {
        let length = math::length(sum);
        let lengths = all.map(math::length).sum::<f32>();
        let sum = (f64::from(sum.x), f64::from(sum.y));
        let squared = sum.0 * sum.0 + sum.1 * sum.1;
        (squared > 0.0 && length * CANCELED > lengths).then_some(Self { sum, squared })
    }

    /// How far a vector goes along the sum, as a part of its length.
    fn fraction(self, of: Vec2) -> f32 {
        let product = f64::from(of.x) * self.sum.0 + f64::from(of.y) * self.sum.1;
        (product / self.squared) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_are_finite_and_make_one_in_all(
            shares in prop::collection::vec((-1e3_f32..1e3, -1e3_f32..1e3), 1..6),
            // As small and as large as forces can be.
            exponent in -45_i32..34,
        ) {
            let by = 10_f64.powi(exponent) as f32;
            let shares: Vec<Vec2> = shares.iter().map(|&(x, y)| Vec2::new(x, y) * by).collect();
            let sum: Vec2 = shares.iter().copied().sum();
            if let Some(along) = Projection::of(sum, shares.iter().copied()) {
                let parts: Vec<f32> = shares.iter().map(|&share| along.fraction(share)).collect();
                prop_assert!(parts.iter().all(|part| part.is_finite()), "{:?}", parts);
                let all: f32 = parts.iter().sum();
                prop_assert!((all - 1.0).abs() < 1e-3, "{:?}", parts);
            }
        }
    }

    #[test]
    fn the_shortest_force_has_a_part() {
        let least = Vec2::new(f32::from_bits(1), f32::from_bits(1));
        let along = Projection::of(least, [least].into_iter());
        assert_eq!(along.map(|along| along.fraction(least)), Some(1.0));
    }
}
