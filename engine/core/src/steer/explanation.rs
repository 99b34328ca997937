//! The explanation of one agent's force, and what follows from it.

use super::{Cause, ExplainedChoice, Primitive};
use crate::diag::Place;
use crate::math::{self, Vec2};
use crate::world::{AgentId, Me, Neighborhood};

/// Why one agent decided on its force. The shares of all calls and `rest` add up to `force`, except for
/// rounding.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The calls of primitives, in the order in which the script made them.
    pub calls: Vec<ExplainedCall>,
    /// The variables that `rest`, and what the script itself changes of the velocity, consist of, as far as they are known; in
    /// the order in which the script set them.
    pub variables: Vec<ExplainedVariable>,
    /// The part of the force that does not come from any primitive.
    pub rest: Vec2,
    /// The causes of `rest`, as far as they are known: what the script computed it from, and the conditions that
    /// it was chosen by. Empty if the rest is only rounding.
    pub rest_causes: Vec<Cause>,
    /// The force.
    pub force: Vec2,
    /// The velocity that the force is added to, in world units per second.
    pub vel: Vec2,
    /// By how much the script itself changed the velocity before the force is added, in world units per second. Zero if it
    /// did not.
    pub vel_change: Vec2,
    /// The causes of the part of that change that comes from no primitive, like `rest_causes`.
    pub vel_causes: Vec<Cause>,
    /// The choices that the script made or kept, in the order of its calls.
    pub choices: Vec<ExplainedChoice>,
}

/// A call of a primitive, and how its result went into the force.
#[derive(Clone, Debug)]
pub struct ExplainedCall {
    /// The primitive.
    pub primitive: &'static Primitive,
    /// Where the script makes the call.
    pub place: Option<Place>,
    /// The cause that the primitive reacted to; `None` if it depends on nothing outside of the agent.
    pub cause: Option<Cause>,
    /// The causes that its first argument depends on, if that is a point or velocity that the script computed.
    pub depends_on: Vec<Cause>,
    /// The neighbors that it took into account, if it was given a neighborhood.
    pub seen: Option<SeenNeighbors>,
    /// The force that it returned.
    pub raw: Vec2,
    /// The velocity that it steers to, if its force comes from one; in world units per second.
    pub desired_velocity: Option<Vec2>,
    /// Whether its shares are known. They are not if only the interpreter can run the turn: then they are zero, and the
    /// rest is the whole force.
    pub has_share: bool,
    /// The part of the agent's force that comes from this call.
    pub share: Vec2,
    /// The part of the velocity that the script sets itself that comes from this call, in world units per second: that of
    /// `me.vel += me.orca(..)` for example.
    pub vel_share: Vec2,
    /// The part of the velocity that the agent steers to that comes from this call: its desired velocity, with
    /// the weight of its force. If it has no desired velocity, the same as `share`.
    pub pull: Vec2,
    /// The number that `raw` is multiplied with to get the share, if one number does it.
    pub weight: Option<f32>,
    /// Whether it is added to the force or the velocity, also if its weight is 0. False if the script takes another force instead.
    pub is_added: bool,
}

/// A vector that a script computes itself and keeps in a variable, and how it went into the force.
#[derive(Clone, Debug)]
pub struct ExplainedVariable {
    /// Its name.
    pub name: String,
    /// Where the script sets it.
    pub place: Place,
    /// What it depends on.
    pub causes: Vec<Cause>,
    /// Its value, without what comes from calls of primitives and from other variables.
    pub value: Vec2,
    /// The part of the agent's force that comes from it.
    pub share: Vec2,
    /// The part of the velocity that the script sets itself that comes from it, in world units per second.
    pub vel_share: Vec2,
    /// The number that `value` is multiplied with to get the share, if one number does it.
    pub weight: Option<f32>,
}

impl ExplainedVariable {
    /// Returns the share and its weight, for a person: `(1, 2) = 0.5 x (2, 4)`.
    pub fn product(&self) -> String {
        product(self.share, self.weight, self.value)
    }
}

/// Returns a share and its weight, for a person.
fn product(share: Vec2, weight: Option<f32>, value: Vec2) -> String {
    let share = math::short_vector(share);
    match weight {
        None | Some(1.0) => share,
        Some(weight) => {
            let value = math::short_vector(value);
            format!("{share} = {} x {value}", math::short(weight))
        }
    }
}

impl ExplainedCall {
    /// Creates a call of a primitive that returned `raw` when the agent had the velocity `vel`. Its share is not known.
    pub fn without_share(
        primitive: &'static Primitive,
        cause: Option<Cause>,
        seen: Option<SeenNeighbors>,
        vel: Vec2,
        raw: Vec2,
    ) -> Self {
        Self {
            primitive,
            place: None,
            cause,
            depends_on: Vec::new(),
            seen,
            raw,
            desired_velocity: primitive.desired_velocity(raw, vel),
            has_share: false,
            share: Vec2::ZERO,
            vel_share: Vec2::ZERO,
            pull: Vec2::ZERO,
            weight: None,
            is_added: false,
        }
    }

    /// Returns where the script makes the call, as file:line:column; empty if that is not known.
    pub fn position(&self) -> String {
        self.place.as_ref().map_or_else(String::new, Place::to_string)
    }

    /// Returns the share and its weight, for a person: `(1, 2) = 0.5 x (2, 4)`. If the share is not known, what the primitive
    /// returned.
    pub fn product(&self) -> String {
        if !self.has_share {
            return format!("returned {}", math::short_vector(self.raw));
        }
        product(self.share, self.weight, self.raw)
    }
}

/// The neighbors in a neighborhood.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenNeighbors {
    /// The neighborhood.
    pub neighborhood: Neighborhood,
    /// The number of agents in it.
    pub count: u32,
    /// The ids of the nearest ones, at most [`SeenNeighbors::MAX`], from near to far; the lower id first if two are
    /// equally near.
    pub nearest: Vec<AgentId>,
}

impl SeenNeighbors {
    /// The maximum number of ids in `nearest`.
    pub const MAX: usize = 64;

    /// Returns the neighbors that an agent has in a neighborhood.
    pub fn new(me: &Me<'_>, which: &Neighborhood) -> Self {
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

/// If vectors are together this many times as long as their sum, they cancel each other out: the sum then says
/// nothing about any one of them.
const CANCELED: f32 = 10.0;

/// A rest of at most this fraction of all shares is rounding.
const ROUNDING: f32 = 1e-5;

/// A force of less than this fraction of the velocity that the agent steers to only keeps it on its way.
const STEADY: f32 = 0.5;

/// A call keeps the agent on its way if its share is shorter than this part of the velocity that it asks for.
const ON_ITS_WAY: f32 = 0.5;

impl Explanation {
    /// Returns whether a call searches a way around obstacles.
    pub(crate) fn searches_way(&self) -> bool {
        self.calls.iter().any(|call| call.primitive.searches_way)
    }

    /// Returns whether the shares of all calls are known.
    pub fn has_shares(&self) -> bool {
        self.calls.iter().all(|call| call.has_share)
    }

    /// Returns the fraction of the force that a share makes up, measured along the force.
    ///
    /// The fractions of all shares and of `rest` add up to 1, except for rounding. A share against the force has a
    /// negative fraction, and then another one may be above 1. `None` if the force is zero, or if the shares cancel
    /// each other out almost completely.
    pub fn fraction(&self, share: Vec2) -> Option<f32> {
        self.along().map(|along| along.fraction(share))
    }

    /// Returns the call whose share is most against the force; `None` if none is, or if the rest is more against it.
    pub fn opposing(&self) -> Option<&ExplainedCall> {
        let along = self.along()?;
        let all = self.calls.iter().map(|call| (along.fraction(call.share), call));
        let least = all.min_by(|a, b| a.0.total_cmp(&b.0));
        let bound = math::min(along.fraction(self.rest), 0.0);
        least.filter(|(fraction, _)| *fraction < bound).map(|(_, call)| call)
    }

    /// Returns the projection that gives the fractions of the force.
    fn along(&self) -> Option<Projection> {
        let shares = self.calls.iter().map(|call| call.share);
        Projection::new(self.force, shares.chain([self.rest]))
    }

    /// Returns the fraction of the velocity change that the script itself makes, like [`Self::fraction`].
    pub fn velocity_fraction(&self, share: Vec2) -> Option<f32> {
        self.along_velocity().map(|along| along.fraction(share))
    }

    /// Returns the part of the velocity change that comes from no primitive.
    fn vel_rest(&self) -> Vec2 {
        self.vel_change - self.calls.iter().map(|call| call.vel_share).sum::<Vec2>()
    }

    /// Returns the projection that gives the fractions of the velocity change.
    fn along_velocity(&self) -> Option<Projection> {
        let shares = self.calls.iter().map(|call| call.vel_share);
        Projection::new(self.vel_change, shares.chain([self.vel_rest()]))
    }

    /// Returns whether the script itself changes the velocity by more than what comes from calls of primitives.
    pub fn has_vel_rest(&self) -> bool {
        let calls = self.calls.iter().map(|call| math::length(call.vel_share));
        let all = calls.sum::<f32>() + math::length(self.vel_change) + math::length(self.vel);
        self.has_shares() && math::length(self.vel_rest()) > ROUNDING * all
    }

    /// Returns whether the script lets its decision act on the velocity only.
    pub(crate) fn acts_on_velocity(&self) -> bool {
        self.force == Vec2::ZERO && self.vel_change != Vec2::ZERO
    }

    /// Returns whether there is a rest that is more than rounding. False if the shares are not known.
    pub fn has_rest(&self) -> bool {
        self.has_shares() && math::length(self.rest) > ROUNDING * self.call_lengths()
    }

    /// Returns the part of `rest` that comes from none of the variables either; `None` if that is only rounding.
    pub fn unnamed_rest(&self) -> Option<Vec2> {
        let unnamed = self.rest - self.variables.iter().map(|one| one.share).sum::<Vec2>();
        let named = self.variables.iter().map(|one| math::length(one.share)).sum::<f32>();
        let is_more = math::length(unnamed) > ROUNDING * (self.call_lengths() + named);
        (self.has_shares() && is_more).then_some(unnamed)
    }

    /// Returns the sum of the lengths of the force and of the shares of all calls.
    fn call_lengths(&self) -> f32 {
        let calls = self.calls.iter().map(|call| math::length(call.share));
        calls.sum::<f32>() + math::length(self.force)
    }

    /// Returns the variable that contributes most to the force, or without a force to the velocity change, if the agent mostly
    /// follows what its script computes itself.
    pub fn dominant_variable(&self) -> Option<&ExplainedVariable> {
        if self.dominant().is_some() {
            return None;
        }
        type ShareOf = fn(&ExplainedVariable) -> Vec2;
        let (along, rest, share): (_, _, ShareOf) = if self.acts_on_velocity() {
            (self.along_velocity(), self.vel_rest(), |one| one.vel_share)
        } else {
            (self.along(), self.rest, |one| one.share)
        };
        let size =
            |share: Vec2| along.map_or_else(|| math::length(share), |along| along.fraction(share));
        let unnamed = size(rest - self.variables.iter().map(share).sum::<Vec2>());
        let largest = self.variables.iter().fold(None, |most: Option<&ExplainedVariable>, one| {
            let is_more = most.is_none_or(|most| size(share(one)) > size(share(most)));
            if is_more { Some(one) } else { most }
        });
        largest.filter(|one| size(share(one)) > math::max(unnamed, 0.0))
    }

    /// Returns the call that the agent mostly follows. If its force only keeps it on its way, that is the call that
    /// contributes most to the velocity that it steers to; otherwise [`Self::strongest`]. If there is no force, but the
    /// script changes the velocity itself, it is the call that contributes most to that change.
    pub fn dominant(&self) -> Option<&ExplainedCall> {
        self.steers_to().map_or_else(
            || self.strongest(),
            |velocity| {
                let size = |call: &ExplainedCall| call.pull.dot(velocity);
                let call = self.largest_call(size).filter(|call| size(call) > 0.0)?;
                let is_on_its_way = math::length(call.share) < ON_ITS_WAY * math::length(call.pull);
                if is_on_its_way { Some(call) } else { self.strongest() }
            },
        )
    }

    /// Returns the call that contributes most to the force, or without a force to the velocity change: the one with the largest fraction or, if the shares
    /// cancel each other out, the one with the longest share; the first of equal ones. `None` if no call
    /// contributes, or if `rest` contributes more.
    pub fn strongest(&self) -> Option<&ExplainedCall> {
        type ShareOf = fn(&ExplainedCall) -> Vec2;
        let (along, rest, share): (_, _, ShareOf) = if self.acts_on_velocity() {
            (self.along_velocity(), self.vel_rest(), |call| call.vel_share)
        } else {
            (self.along(), self.rest, |call| call.share)
        };
        let size =
            |share: Vec2| along.map_or_else(|| math::length(share), |along| along.fraction(share));
        self.largest_call(|call| size(share(call)))
            .filter(|call| size(share(call)) > math::max(size(rest), 0.0))
    }

    /// Returns the weighted sum of the desired velocities of all calls, if the whole force comes from these calls
    /// and the agent already moves about as they demand.
    ///
    /// A force is desired velocity minus velocity. Once the agent has the velocity that the most important call
    /// demands, the force of that call is almost zero. The forces of the other calls are not: they show what the
    /// agent is kept from, not where it goes.
    fn steers_to(&self) -> Option<Vec2> {
        if self.acts_on_velocity() {
            return None;
        }
        let in_force = |call: &&ExplainedCall| call.share != Vec2::ZERO;
        let all_want =
            self.calls.iter().filter(in_force).all(|call| call.desired_velocity.is_some());
        if self.has_rest() || !all_want {
            return None;
        }
        let pulls = || self.calls.iter().map(|call| call.pull);
        let velocity: Vec2 = pulls().sum();
        Projection::new(velocity, pulls())?;
        let is_steady = math::length(self.force) < STEADY * math::length(velocity);
        // With negative weights, it may steer away from the desired velocities.
        (is_steady && velocity.dot(self.vel) > 0.0).then_some(velocity)
    }

    /// Returns the call with the largest size; the first of equal ones.
    fn largest_call(&self, size: impl Fn(&ExplainedCall) -> f32) -> Option<&ExplainedCall> {
        self.calls.iter().fold(None, |most, call| {
            let is_more = most.is_none_or(|most| size(call) > size(most));
            if is_more { Some(call) } else { most }
        })
    }
}

/// Projects vectors on their sum. Uses double precision, since the square of a short vector may be too small for
/// single precision: the tiny force at the end of braking still has a direction.
#[derive(Clone, Copy)]
struct Projection {
    sum: (f64, f64),
    squared: f64,
}

impl Projection {
    /// Makes the projection on the sum of several vectors. `None` if the sum is zero or they cancel each other out.
    fn new(sum: Vec2, all: impl Iterator<Item = Vec2>) -> Option<Self> {
        let length = math::length(sum);
        let lengths = all.map(math::length).sum::<f32>();
        let sum = (f64::from(sum.x), f64::from(sum.y));
        let squared = sum.0 * sum.0 + sum.1 * sum.1;
        (squared > 0.0 && length * CANCELED > lengths).then_some(Self { sum, squared })
    }

    /// Returns how far a vector goes along the sum, as a fraction of the length of the sum.
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
        fn fractions_are_finite_and_add_up_to_one(
            shares in prop::collection::vec((-1e3_f32..1e3, -1e3_f32..1e3), 1..6),
            // Forces can be this small and this large.
            exponent in -45_i32..34,
        ) {
            let by = 10_f64.powi(exponent) as f32;
            let shares: Vec<Vec2> = shares.iter().map(|&(x, y)| Vec2::new(x, y) * by).collect();
            let sum: Vec2 = shares.iter().copied().sum();
            if let Some(along) = Projection::new(sum, shares.iter().copied()) {
                let fractions: Vec<f32> = shares.iter().map(|&share| along.fraction(share)).collect();
                prop_assert!(fractions.iter().all(|fraction| fraction.is_finite()), "{:?}", fractions);
                let all: f32 = fractions.iter().sum();
                prop_assert!((all - 1.0).abs() < 1e-3, "{:?}", fractions);
            }
        }
    }

    #[test]
    fn even_the_shortest_force_has_a_fraction() {
        let least = Vec2::new(f32::from_bits(1), f32::from_bits(1));
        let along = Projection::new(least, [least].into_iter());
        assert_eq!(along.map(|along| along.fraction(least)), Some(1.0));
    }
}
