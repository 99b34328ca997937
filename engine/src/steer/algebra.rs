//! The operations that primitives are written in, so that one body can be read in several ways.
//!
//! [`Me`] reads a body as plain numbers: that is what Rust callers and the interpreter of scripts do. The
//! lowering of scripts reads the same body as operations on columns of agents.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use crate::math::random::{Use, noise};
use crate::math::{self, Binary, Compare, Unary, Vec2};
use crate::world::{Agent, Me, Neighborhood, PathId};

/// One way to read a body: what numbers, vectors and the rest are.
///
/// A body has no branches on what it reads: it computes both sides and chooses, or says where a vector is
/// needed at all.
pub trait Algebra {
    /// A number.
    type Number: Number<Truth = Self::Truth>;
    /// A vector of two numbers.
    type Vector: Vector<Number = Self::Number, Truth = Self::Truth>;
    /// Whether something holds.
    type Truth: Truth;
    /// Another agent.
    type Agent: Copy;
    /// Others near the agent.
    type Neighbors: Copy;
    /// A path.
    type Path: Copy;

    /// A constant.
    fn number(&self, x: f32) -> Self::Number;

    /// The zero vector.
    fn zero(&self) -> Self::Vector {
        Self::Vector::new(self.number(0.0), self.number(0.0))
    }

    /// A vector where a truth holds, else zero. A reading need not compute it where it holds for is_empty.
    fn where_true(
        &self,
        which: Self::Truth,
        vector: impl FnOnce() -> Self::Vector,
    ) -> Self::Vector {
        choose(which, vector(), self.zero())
    }

    /// What always holds.
    fn always(&self) -> Self::Truth {
        self.number(0.0).eq(self.number(0.0))
    }
}

/// How the agent perceives itself and its world, in a reading. Where an answer would cost much, the question
/// takes a truth that says whether the answer counts.
pub trait Perception: Algebra {
    /// Position, in world units.
    fn pos(&self) -> Self::Vector;
    /// Velocity, in world units per second.
    fn vel(&self) -> Self::Vector;
    /// The unit vector it looks along.
    fn heading(&self) -> Self::Vector;
    /// Radius of the body, in world units.
    fn radius(&self) -> Self::Number;
    /// The shortest way to a point.
    fn to(&self, point: Self::Vector) -> Self::Vector;

    /// Where another agent is.
    fn pos_of(&self, other: Self::Agent) -> Self::Vector;
    /// How another agent moves.
    fn vel_of(&self, other: Self::Agent) -> Self::Vector;
    /// Where another agent looks.
    fn heading_of(&self, other: Self::Agent) -> Self::Vector;

    /// Seconds since the start.
    fn time(&self) -> Self::Number;
    /// The lower corner of the world's rectangle, and its size.
    fn space(&self) -> (Self::Vector, Self::Vector);
    /// The agent's own smooth noise between -1 and 1, at a moment of it.
    fn noise(&self, moment: Self::Number) -> Self::Number;

    /// What neighbors sum up to of which a mean is taken.
    fn means(&self, neighbors: Self::Neighbors) -> NeighborSums<Self>;
    /// The sum of `(pos - q) / |pos - q|^2` over all neighbors.
    fn push(&self, neighbors: Self::Neighbors) -> Self::Vector;
    /// Whether another agent that is not faster stands within a radius of the point so far ahead.
    fn is_blocked(&self, ahead: Self::Number, radius: Self::Number) -> Self::Truth;
    /// The first obstacle that a disc of a radius touches on a way of a length, where `asked`.
    fn first_hit(
        &self,
        asked: Self::Truth,
        direction: Self::Vector,
        length: Self::Number,
        radius: Self::Number,
    ) -> FirstHit<Self>;

    /// The radius of a path.
    fn radius_of(&self, path: Self::Path) -> Self::Number;
    /// The point of a path nearest to a point, and the distance between the two.
    fn nearest_on(&self, path: Self::Path, point: Self::Vector) -> (Self::Vector, Self::Number);
    /// The agent's current waypoint on a path.
    fn waypoint(&self, path: Self::Path) -> Self::Vector;
    /// Whether nothing follows the agent's current waypoint.
    fn is_at_last_waypoint(&self, path: Self::Path) -> Self::Truth;
    /// Moves the agent on to the next waypoint, where it has `reached` the current one.
    fn advance(&self, path: Self::Path, reached: Self::Truth);

    /// The force to a velocity: of a direction at a speed.
    fn steer(&self, along: Self::Vector, speed: Self::Number) -> Self::Vector {
        along * speed - self.vel()
    }
}

/// A truth of a reading.
pub trait Truth: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {}

/// What can be chosen by a truth.
pub trait Choose: Copy {
    /// What it is chosen by.
    type Truth: Truth;

    /// `yes` where the truth holds, else `no`.
    fn choose(which: Self::Truth, yes: Self, no: Self) -> Self;
}

/// `yes` where a truth holds, else `no`.
pub fn choose<T: Choose>(which: T::Truth, yes: T, no: T) -> T {
    T::choose(which, yes, no)
}

/// A number of a reading.
pub trait Number:
    Choose
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A function of it.
    fn unary(self, function: Unary) -> Self;
    /// A function of it and another number.
    fn binary(self, function: Binary, other: Self) -> Self;
    /// How it compares with another number.
    fn compare(self, how: Compare, other: Self) -> Self::Truth;

    /// The smaller of two numbers, see [`math::min`].
    fn least(self, other: Self) -> Self {
        self.binary(Binary::Min, other)
    }

    /// Whether it equals another number.
    fn eq(self, other: Self) -> Self::Truth {
        self.compare(Compare::Eq, other)
    }

    /// Whether it is less than another number.
    fn lt(self, other: Self) -> Self::Truth {
        self.compare(Compare::Lt, other)
    }

    /// Whether it is at most another number.
    fn le(self, other: Self) -> Self::Truth {
        self.compare(Compare::Le, other)
    }

    /// Whether it is greater than another number.
    fn gt(self, other: Self) -> Self::Truth {
        self.compare(Compare::Gt, other)
    }

    /// Whether it is at least another number.
    fn ge(self, other: Self) -> Self::Truth {
        self.compare(Compare::Ge, other)
    }
}

/// A vector of a reading.
pub trait Vector:
    Choose
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Self::Number, Output = Self>
    + Neg<Output = Self>
{
    /// What its parts are.
    type Number: Number<Truth = Self::Truth>;

    /// The vector of two parts.
    fn new(x: Self::Number, y: Self::Number) -> Self;
    /// Its two parts.
    fn parts(self) -> (Self::Number, Self::Number);
    /// Its length, see [`math::length`].
    fn norm(self) -> Self::Number;
    /// The vector of length 1 along it, see [`math::unit`].
    fn unit(self) -> Self;
    /// It, cut to a length that is not negative, see [`math::limit`].
    fn limit(self, longest: Self::Number) -> Self;

    /// The dot product.
    fn dot(self, other: Self) -> Self::Number {
        let ((ax, ay), (bx, by)) = (self.parts(), other.parts());
        ax * bx + ay * by
    }

    /// It, turned by a quarter, see [`math::perp`].
    fn perp(self) -> Self {
        let (x, y) = self.parts();
        Self::new(-y, x)
    }

    /// It, turned by radians, see [`math::rotated`].
    fn rotated(self, radians: Self::Number) -> Self {
        let (x, y) = self.parts();
        let (s, c) = (radians.unary(Unary::Sin), radians.unary(Unary::Cos));
        Self::new(x * c - y * s, x * s + y * c)
    }

    /// Whether it equals another vector.
    fn same(self, other: Self) -> Self::Truth {
        let ((ax, ay), (bx, by)) = (self.parts(), other.parts());
        ax.eq(bx) & ay.eq(by)
    }
}

/// What neighbors sum up to of which a mean is taken.
pub struct NeighborSums<A: Algebra + ?Sized> {
    /// Whether there are none.
    pub is_empty: A::Truth,
    /// Sum of the ways to them.
    pub offsets: A::Vector,
    /// Sum of their velocities.
    pub velocities: A::Vector,
}

/// The first obstacle on a way. Where there is none, all numbers are 0.
pub struct FirstHit<A: Algebra + ?Sized> {
    /// Whether there is one.
    pub found: A::Truth,
    /// How far the way goes until the disc touches it.
    pub distance: A::Number,
    /// The unit vector out of the obstacle there.
    pub normal: A::Vector,
}

/// An argument of a primitive, see [`super::ParamKind`].
pub enum Value<'a, A: Algebra> {
    /// For [`super::ParamKind::Number`].
    Number(A::Number),
    /// For [`super::ParamKind::Point`] and [`super::ParamKind::Vector`].
    Vector(A::Vector),
    /// For [`super::ParamKind::Agent`].
    Agent(A::Agent),
    /// For [`super::ParamKind::Neighbors`].
    Neighbors(A::Neighbors),
    /// For [`super::ParamKind::Path`].
    Path(A::Path),
    /// For [`super::ParamKind::Forces`].
    Forces(&'a [A::Vector]),
}

impl<A: Algebra> Clone for Value<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Algebra> Copy for Value<'_, A> {}

impl std::fmt::Debug for Value<'_, Me<'_>> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(x) => x.fmt(f),
            Self::Vector(v) => v.fmt(f),
            Self::Agent(agent) => agent.fmt(f),
            Self::Neighbors(which) => which.fmt(f),
            Self::Path(path) => path.fmt(f),
            Self::Forces(forces) => forces.fmt(f),
        }
    }
}

impl Truth for bool {}

impl Choose for f32 {
    type Truth = bool;

    #[inline(always)]
    fn choose(which: bool, yes: Self, no: Self) -> Self {
        if which { yes } else { no }
    }
}

impl Number for f32 {
    #[inline(always)]
    fn unary(self, function: Unary) -> Self {
        function.of(self)
    }

    #[inline(always)]
    fn binary(self, function: Binary, other: Self) -> Self {
        function.of(self, other)
    }

    #[inline(always)]
    fn compare(self, how: Compare, other: Self) -> bool {
        how.of(self, other)
    }
}

impl Choose for Vec2 {
    type Truth = bool;

    #[inline(always)]
    fn choose(which: bool, yes: Self, no: Self) -> Self {
        if which { yes } else { no }
    }
}

impl Vector for Vec2 {
    type Number = f32;

    #[inline(always)]
    fn new(x: f32, y: f32) -> Self {
        Self::new(x, y)
    }

    #[inline(always)]
    fn parts(self) -> (f32, f32) {
        (self.x, self.y)
    }

    #[inline(always)]
    fn norm(self) -> f32 {
        math::length(self)
    }

    #[inline(always)]
    fn unit(self) -> Self {
        math::unit(self)
    }

    #[inline(always)]
    fn limit(self, longest: f32) -> Self {
        math::limit(self, longest)
    }
}

impl<'w> Algebra for Me<'w> {
    type Number = f32;
    type Vector = Vec2;
    type Truth = bool;
    type Agent = Agent<'w>;
    type Neighbors = Neighborhood;
    type Path = PathId;

    #[inline(always)]
    fn number(&self, x: f32) -> f32 {
        x
    }

    #[inline(always)]
    fn where_true(&self, which: bool, vector: impl FnOnce() -> Vec2) -> Vec2 {
        if which { vector() } else { Vec2::ZERO }
    }
}

impl<'w> Perception for Me<'w> {
    #[inline(always)]
    fn pos(&self) -> Vec2 {
        Me::pos(self)
    }

    #[inline(always)]
    fn vel(&self) -> Vec2 {
        Me::vel(self)
    }

    #[inline(always)]
    fn heading(&self) -> Vec2 {
        Me::heading(self)
    }

    #[inline(always)]
    fn radius(&self) -> f32 {
        self.body().radius
    }

    #[inline(always)]
    fn to(&self, point: Vec2) -> Vec2 {
        Me::to(self, point)
    }

    #[inline(always)]
    fn pos_of(&self, other: Agent<'w>) -> Vec2 {
        other.pos()
    }

    #[inline(always)]
    fn vel_of(&self, other: Agent<'w>) -> Vec2 {
        other.vel()
    }

    #[inline(always)]
    fn heading_of(&self, other: Agent<'w>) -> Vec2 {
        other.heading()
    }

    fn time(&self) -> f32 {
        self.world().time()
    }

    fn space(&self) -> (Vec2, Vec2) {
        let space = &self.world().space;
        (space.min, space.size)
    }

    fn noise(&self, moment: f32) -> f32 {
        noise(self.random(Use::Wander), moment)
    }

    fn means(&self, neighbors: Neighborhood) -> NeighborSums<Self> {
        let sums = Me::means(self, &neighbors);
        NeighborSums {
            is_empty: sums.count == 0,
            offsets: sums.offsets,
            velocities: sums.velocities,
        }
    }

    fn push(&self, neighbors: Neighborhood) -> Vec2 {
        Me::push(self, &neighbors)
    }

    fn is_blocked(&self, ahead: f32, radius: f32) -> bool {
        Me::is_blocked(self, ahead, radius)
    }

    fn first_hit(&self, asked: bool, direction: Vec2, length: f32, radius: f32) -> FirstHit<Self> {
        let hit = || self.world().first_hit(self.pos(), direction, length, radius);
        match asked.then(hit).flatten() {
            Some((_, hit)) => FirstHit { found: true, distance: hit.distance, normal: hit.normal },
            None => FirstHit { found: false, distance: 0.0, normal: Vec2::ZERO },
        }
    }

    fn radius_of(&self, path: PathId) -> f32 {
        self.world().path(path).radius
    }

    fn nearest_on(&self, path: PathId, point: Vec2) -> (Vec2, f32) {
        let nearest = self.world().path(path).nearest(point);
        (nearest.point, nearest.distance)
    }

    fn waypoint(&self, path: PathId) -> Vec2 {
        self.world().path(path).waypoint(self.progress(path))
    }

    fn is_at_last_waypoint(&self, path: PathId) -> bool {
        self.world().path(path).is_last(self.progress(path))
    }

    fn advance(&self, path: PathId, reached: bool) {
        if reached {
            self.set_progress(path, self.world().path(path).next(self.progress(path)));
        }
    }
}
