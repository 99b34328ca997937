//! The operations that primitives are written in, so that one definition can be evaluated in several ways.
//!
//! With [`Me`], a definition computes plain numbers: Rust callers and the interpreter of scripts do that. With the
//! algebra of the lowering, the same definition emits operations on columns of agents.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use crate::math::random::{Use, noise};
use crate::math::{self, Binary, Compare, Unary, Vec2};
use crate::world::{Agent, FieldId, Me, NeighborQuestion, Neighborhood, PathId, Question};

/// One way to evaluate a definition: the types of its numbers, vectors and so on.
///
/// A definition never branches on a value. It computes both sides and chooses between them, or states where a
/// vector is needed at all.
pub trait Algebra {
    /// A number.
    type Number: Number<Boolean = Self::Boolean>;
    /// A vector of two numbers.
    type Vector: Vector<Number = Self::Number, Boolean = Self::Boolean>;
    /// A boolean.
    type Boolean: Boolean;
    /// Another agent.
    type Agent: Copy;
    /// A neighborhood.
    type Neighbors: Copy;
    /// A path.
    type Path: Copy;
    /// A flow field.
    type Field: Copy;

    /// Returns a constant.
    fn number(&self, x: f32) -> Self::Number;

    /// Returns the zero vector.
    #[inline(always)]
    fn zero(&self) -> Self::Vector {
        Self::Vector::new(self.number(0.0), self.number(0.0))
    }

    /// Returns a vector where a condition holds, else zero. An algebra may skip the vector if the condition holds
    /// for no agent.
    #[inline(always)]
    fn where_true(
        &self,
        which: Self::Boolean,
        vector: impl FnOnce() -> Self::Vector,
    ) -> Self::Vector {
        choose(which, vector(), self.zero())
    }

    /// Returns a condition that always holds.
    #[inline(always)]
    fn always(&self) -> Self::Boolean {
        self.number(0.0).eq(self.number(0.0))
    }
}

/// The queries of an agent about itself and the world, in one algebra. An expensive query takes a condition that
/// says whether its result is needed.
pub trait Perception: Algebra {
    /// Returns the agent's position, in world units.
    fn pos(&self) -> Self::Vector;
    /// Returns the agent's velocity, in world units per second.
    fn vel(&self) -> Self::Vector;
    /// Returns the unit vector that the agent faces along.
    fn heading(&self) -> Self::Vector;
    /// Returns the radius of the agent's body, in world units.
    fn radius(&self) -> Self::Number;
    /// Returns the mass of the agent's body.
    fn mass(&self) -> Self::Number;
    /// Returns the shortest offset from the agent to a point, in world units.
    fn to(&self, point: Self::Vector) -> Self::Vector;

    /// Returns the position of another agent, in world units.
    fn pos_of(&self, other: Self::Agent) -> Self::Vector;
    /// Returns the velocity of another agent, in world units per second.
    fn vel_of(&self, other: Self::Agent) -> Self::Vector;
    /// Returns the unit vector that another agent faces along.
    fn heading_of(&self, other: Self::Agent) -> Self::Vector;

    /// Returns the row of another agent as a number, for questions. Rows beyond 2^24 are rounded.
    fn row_of(&self, other: Self::Agent) -> Self::Number;
    /// Returns the index of a field as a number, for questions.
    fn index_of(&self, field: Self::Field) -> Self::Number;

    /// Returns the seconds since the start of the run.
    fn time(&self) -> Self::Number;
    /// Returns the lower corner of the world's rectangle, and its size, in world units.
    fn space(&self) -> (Self::Vector, Self::Vector);
    /// Returns the agent's own smooth noise, between -1 and 1, at a moment on the noise curve.
    fn noise(&self, moment: Self::Number) -> Self::Number;

    /// Returns the sums over neighbors that means are computed from.
    fn means(&self, neighbors: Self::Neighbors) -> NeighborSums<Self>;
    /// Returns the sum of `(pos - q) / |pos - q|^2` over all neighbors at `q`.
    fn push(&self, neighbors: Self::Neighbors) -> Self::Vector;
    /// Returns whether another agent that is not faster is within `radius` of the point at the distance `ahead`
    /// along the heading.
    fn is_blocked(&self, ahead: Self::Number, radius: Self::Number) -> Self::Boolean;
    /// Returns the first obstacle that a disc touches when it moves along `direction` for `length` world units. The
    /// result is needed only where `asked` holds.
    fn first_hit(
        &self,
        asked: Self::Boolean,
        direction: Self::Vector,
        length: Self::Number,
        radius: Self::Number,
    ) -> FirstHit<Self>;

    /// Asks a question about the world. The answer is zero where `asked` does not hold.
    fn ask(
        &self,
        asked: Self::Boolean,
        question: Question,
        about: [Self::Vector; 3],
    ) -> (Self::Vector, Self::Number);
    /// Asks a question about neighbors.
    fn ask_neighbors(
        &self,
        question: NeighborQuestion,
        neighbors: Self::Neighbors,
        about: [Self::Vector; 4],
    ) -> Self::Vector;

    /// Returns the radius of a path, in world units.
    fn radius_of(&self, path: Self::Path) -> Self::Number;
    /// Returns the point of a path nearest to a given point, and the distance between the two.
    fn nearest_on(&self, path: Self::Path, point: Self::Vector) -> (Self::Vector, Self::Number);
    /// Returns the agent's current waypoint on a path.
    fn waypoint(&self, path: Self::Path) -> Self::Vector;
    /// Returns whether the agent's current waypoint is the last one.
    fn is_at_last_waypoint(&self, path: Self::Path) -> Self::Boolean;
    /// Advances the agent to the next waypoint if it has `reached` the current one.
    fn advance(&self, path: Self::Path, reached: Self::Boolean);

    /// Returns the force to the desired velocity `along * speed`.
    #[inline(always)]
    fn steer(&self, along: Self::Vector, speed: Self::Number) -> Self::Vector {
        along * speed - self.vel()
    }
}

/// A boolean of an algebra.
pub trait Boolean:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
}

/// A value that can be chosen by a condition.
pub trait Choose: Copy {
    /// The type of the condition.
    type Boolean: Boolean;

    /// Returns `yes` where the condition holds, else `no`.
    fn choose(which: Self::Boolean, yes: Self, no: Self) -> Self;
}

/// Returns `yes` where a condition holds, else `no`.
#[inline(always)]
pub fn choose<T: Choose>(which: T::Boolean, yes: T, no: T) -> T {
    T::choose(which, yes, no)
}

/// A number of an algebra.
pub trait Number:
    Choose
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Returns a function of the number.
    fn unary(self, function: Unary) -> Self;
    /// Returns a function of the number and another one.
    fn binary(self, function: Binary, other: Self) -> Self;
    /// Compares the number with another one.
    fn compare(self, how: Compare, other: Self) -> Self::Boolean;

    /// Returns the smaller of two numbers, see [`math::min`].
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        self.binary(Binary::Min, other)
    }

    /// Returns whether the number equals another one.
    #[inline(always)]
    fn eq(self, other: Self) -> Self::Boolean {
        self.compare(Compare::Eq, other)
    }

    /// Returns whether the number is less than another one.
    #[inline(always)]
    fn lt(self, other: Self) -> Self::Boolean {
        self.compare(Compare::Lt, other)
    }

    /// Returns whether the number is at most another one.
    #[inline(always)]
    fn le(self, other: Self) -> Self::Boolean {
        self.compare(Compare::Le, other)
    }

    /// Returns whether the number is greater than another one.
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Boolean {
        self.compare(Compare::Gt, other)
    }

    /// Returns whether the number is at least another one.
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Boolean {
        self.compare(Compare::Ge, other)
    }
}

/// A vector of an algebra.
pub trait Vector:
    Choose
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Self::Number, Output = Self>
    + Neg<Output = Self>
{
    /// The type of its coordinates.
    type Number: Number<Boolean = Self::Boolean>;

    /// Makes a vector of two coordinates.
    fn new(x: Self::Number, y: Self::Number) -> Self;
    /// Returns the two coordinates.
    fn parts(self) -> (Self::Number, Self::Number);
    /// Returns the length, see [`math::length`].
    fn norm(self) -> Self::Number;
    /// Returns the unit vector in the same direction, see [`math::unit`].
    fn unit(self) -> Self;
    /// Returns the vector, limited to a length that is not negative, see [`math::limit`].
    fn limit(self, longest: Self::Number) -> Self;

    /// Returns the dot product.
    #[inline(always)]
    fn dot(self, other: Self) -> Self::Number {
        let ((ax, ay), (bx, by)) = (self.parts(), other.parts());
        ax * bx + ay * by
    }

    /// Returns the vector turned by a quarter turn, see [`math::perp`].
    #[inline(always)]
    fn perp(self) -> Self {
        let (x, y) = self.parts();
        Self::new(-y, x)
    }

    /// Returns the vector turned by an angle in radians, see [`math::rotated`].
    #[inline(always)]
    fn rotated(self, radians: Self::Number) -> Self {
        let (x, y) = self.parts();
        let (s, c) = (radians.unary(Unary::Sin), radians.unary(Unary::Cos));
        Self::new(x * c - y * s, x * s + y * c)
    }

    /// Returns whether the vector equals another one.
    #[inline(always)]
    fn same(self, other: Self) -> Self::Boolean {
        let ((ax, ay), (bx, by)) = (self.parts(), other.parts());
        ax.eq(bx) & ay.eq(by)
    }
}

/// The sums over neighbors that means are computed from.
pub struct NeighborSums<A: Algebra + ?Sized> {
    /// Whether there are no neighbors.
    pub is_empty: A::Boolean,
    /// Sum of the offsets to them, in world units.
    pub offsets: A::Vector,
    /// Sum of their velocities, in world units per second.
    pub velocities: A::Vector,
}

/// The first obstacle that a moving disc touches. If there is none, all numbers are 0.
pub struct FirstHit<A: Algebra + ?Sized> {
    /// Whether there is one.
    pub found: A::Boolean,
    /// How far the disc moves until it touches the obstacle, in world units.
    pub distance: A::Number,
    /// The unit vector that points out of the obstacle there.
    pub normal: A::Vector,
}

/// An argument of a primitive, see [`super::ParamKind`].
pub enum Argument<'a, A: Algebra> {
    /// For [`super::ParamKind::Number`] and [`super::ParamKind::Signed`].
    Number(A::Number),
    /// For [`super::ParamKind::Point`] and [`super::ParamKind::Vector`].
    Vector(A::Vector),
    /// For [`super::ParamKind::Agent`].
    Agent(A::Agent),
    /// For [`super::ParamKind::Neighbors`].
    Neighbors(A::Neighbors),
    /// For [`super::ParamKind::Path`].
    Path(A::Path),
    /// For [`super::ParamKind::Flow`].
    Flow(Flow<A>),
    /// For [`super::ParamKind::Forces`].
    Forces(&'a [A::Vector]),
    /// For [`super::ParamKind::Numbers`].
    Numbers(&'a [A::Number]),
    /// For [`super::ParamKind::Slots`].
    Slots(usize),
}

/// A flow to move with.
pub enum Flow<A: Algebra + ?Sized> {
    /// The vectors of a field.
    Field(A::Field),
    /// The same vector everywhere.
    Vector(A::Vector),
}

impl<A: Algebra> Clone for Flow<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Algebra> Copy for Flow<A> {}

impl<A: Algebra> Clone for Argument<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Algebra> Copy for Argument<'_, A> {}

impl std::fmt::Debug for Argument<'_, Me<'_>> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(x) => x.fmt(f),
            Self::Vector(v) => v.fmt(f),
            Self::Agent(agent) => agent.fmt(f),
            Self::Neighbors(which) => which.fmt(f),
            Self::Path(path) => path.fmt(f),
            Self::Flow(Flow::Field(field)) => field.fmt(f),
            Self::Flow(Flow::Vector(vector)) => vector.fmt(f),
            Self::Forces(forces) => forces.fmt(f),
            Self::Numbers(numbers) => numbers.fmt(f),
            Self::Slots(slots) => slots.fmt(f),
        }
    }
}

impl Boolean for bool {}

impl Choose for f32 {
    type Boolean = bool;

    #[inline(always)]
    fn choose(which: bool, yes: Self, no: Self) -> Self {
        if which { yes } else { no }
    }
}

impl Number for f32 {
    #[inline(always)]
    fn unary(self, function: Unary) -> Self {
        function.apply(self)
    }

    #[inline(always)]
    fn binary(self, function: Binary, other: Self) -> Self {
        function.apply(self, other)
    }

    #[inline(always)]
    fn compare(self, how: Compare, other: Self) -> bool {
        how.holds(self, other)
    }
}

impl Choose for Vec2 {
    type Boolean = bool;

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
    type Boolean = bool;
    type Agent = Agent<'w>;
    type Neighbors = Neighborhood;
    type Path = PathId;
    type Field = FieldId;

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
    fn mass(&self) -> f32 {
        self.body().mass
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

    #[inline(always)]
    fn row_of(&self, other: Agent<'w>) -> f32 {
        other.row() as f32
    }

    #[inline(always)]
    fn index_of(&self, field: FieldId) -> f32 {
        f32::from(field.0)
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

    fn ask(&self, asked: bool, question: Question, about: [Vec2; 3]) -> (Vec2, f32) {
        if asked { question.answer(self, about) } else { (Vec2::ZERO, 0.0) }
    }

    fn ask_neighbors(
        &self,
        question: NeighborQuestion,
        neighbors: Neighborhood,
        about: [Vec2; 4],
    ) -> Vec2 {
        question.answer(self, &neighbors, about)
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
