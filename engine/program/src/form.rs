//! How a number depends on the forces that primitives returned: the weights with which they go into it.
//!
//! A limit and a unit vector are not linear: they count as a multiplication by the factor that they have for the present
//! values. If an operation is no such scaling, no primitive has a share in its result.

use crate::diag::Place;
use crate::math::{Binary, Unary, Vec2};
use crate::steer::{Cause, ExplainedCall, Primitive, SeenNeighbors};

/// The coordinates of vectors that a number consists of, each with its weight; in order, and each at most once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Form(Vec<(Coordinate, f32)>);

/// A coordinate of the force that a call returned, or of the value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Coordinate {
    /// The index of the call or of the variable.
    source: u32,
    axis: Axis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Axis {
    X,
    Y,
}

impl Form {
    /// Returns the forms of the two coordinates of the vector of a source.
    pub(crate) fn of_source(source: u32) -> (Self, Self) {
        let of = |axis| Self(vec![(Coordinate { source, axis }, 1.0)]);
        (of(Axis::X), of(Axis::Y))
    }

    /// Returns whether no source has a share.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the sources that have a share, in order; some of them twice.
    pub(crate) fn sources(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().map(|(coordinate, _)| coordinate.source)
    }

    /// Returns the form without a source.
    #[must_use]
    pub(crate) fn without(&self, source: u32) -> Self {
        Self(self.0.iter().filter(|(of, _)| of.source != source).copied().collect())
    }

    /// Returns the form of the number times another one, without weights that overflow.
    #[must_use]
    pub(crate) fn scaled(&self, by: f32) -> Self {
        let scaled = self.0.iter().map(|&(of, weight)| (of, weight * by));
        Self(scaled.filter(|(_, weight)| weight.is_finite()).collect())
    }

    /// Returns the form of the sum of two numbers.
    #[must_use]
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let mut sum = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some(&&(a, x)), Some(&&(b, y))) = (left.peek(), right.peek()) {
            sum.push(if a <= b { (a, if a == b { x + y } else { x }) } else { (b, y) });
            if a <= b {
                left.next();
            }
            if b <= a {
                right.next();
            }
        }
        sum.extend(left);
        sum.extend(right);
        Self(sum)
    }

    /// Returns the form of a function of a number.
    pub(crate) fn unary(function: Unary, of: &Self) -> Self {
        match function {
            Unary::Neg => of.scaled(-1.0),
            _ => Self::default(),
        }
    }

    /// Returns the form of a function of two numbers, each given with its form.
    pub(crate) fn binary(
        function: Binary,
        (a, left): (f32, &Self),
        (b, right): (f32, &Self),
    ) -> Self {
        match function {
            Binary::Add => left.plus(right),
            Binary::Sub => left.plus(&right.scaled(-1.0)),
            Binary::Mul if right.is_empty() => left.scaled(b),
            Binary::Mul if left.is_empty() => right.scaled(a),
            Binary::Div if right.is_empty() => left.scaled(1.0 / b),
            _ => Self::default(),
        }
    }

    fn weight(&self, source: u32, axis: Axis) -> f32 {
        let of = Coordinate { source, axis };
        self.0.iter().find(|(one, _)| *one == of).map_or(0.0, |&(_, weight)| weight)
    }
}

/// A call of a primitive in the turn that is explained.
#[derive(Clone, Debug)]
pub(crate) struct RecordedCall {
    pub primitive: &'static Primitive,
    /// Where the script makes the call.
    pub place: Option<Place>,
    pub cause: Option<Cause>,
    pub depends_on: Vec<Cause>,
    pub seen: Option<SeenNeighbors>,
    /// The agent's velocity at the time of the call, in world units per second.
    pub vel: Vec2,
    pub answer: Vec2,
}

/// Returns the calls with their shares in a force and in the velocity that the script sets, given with their forms. The
/// second result is the rest of the force, in which no call has a share.
pub(crate) fn split_into_shares(
    calls: Vec<RecordedCall>,
    force: Vec2,
    (x, y): (&Form, &Form),
    (vel_x, vel_y): (&Form, &Form),
) -> (Vec<ExplainedCall>, Vec2) {
    let mut rest = force;
    let explained = calls.into_iter().enumerate().map(|(place, made)| {
        let (weight, share) = weighed(place as u32, made.answer, x, y);
        let desired_velocity = made.primitive.desired_velocity(made.answer, made.vel);
        let pull = desired_velocity
            .map_or(share, |desired_velocity| weighed(place as u32, desired_velocity, x, y).1);
        rest -= share;
        let is_added = |form: &Form| form.sources().any(|source| source == place as u32);
        ExplainedCall {
            primitive: made.primitive,
            place: made.place,
            cause: made.cause,
            depends_on: made.depends_on,
            seen: made.seen,
            raw: made.answer,
            desired_velocity,
            has_share: true,
            share,
            vel_share: weighed(place as u32, made.answer, vel_x, vel_y).1,
            pull,
            weight,
            is_added: [x, y, vel_x, vel_y].into_iter().any(is_added),
        }
    });
    (explained.collect(), rest)
}

/// Two weights are the same, except for rounding, if they differ by at most this fraction of the larger.
const SAME_WEIGHT: f32 = 1e-5;

/// Returns the share of a source in a vector, and its weight, if it is the same for both coordinates. `force` is the vector of the
/// source.
pub(crate) fn weighed(source: u32, force: Vec2, x: &Form, y: &Form) -> (Option<f32>, Vec2) {
    let (xx, xy) = (x.weight(source, Axis::X), x.weight(source, Axis::Y));
    let (yx, yy) = (y.weight(source, Axis::X), y.weight(source, Axis::Y));
    let share = Vec2::new(xx * force.x + xy * force.y, yx * force.x + yy * force.y);
    if !share.is_finite() {
        // The product of a huge weight overflows and says nothing.
        return (None, Vec2::ZERO);
    }
    let same = (xx - yy).abs() <= SAME_WEIGHT * crate::math::max(xx.abs(), yy.abs());
    // A coordinate that is zero says nothing about the weight.
    let one = if xy * force.y != 0.0 || yx * force.x != 0.0 {
        None
    } else if force.y == 0.0 && force.x != 0.0 {
        Some(xx)
    } else if force.x == 0.0 && force.y != 0.0 {
        Some(yy)
    } else {
        same.then_some(xx)
    };
    (one, share)
}
