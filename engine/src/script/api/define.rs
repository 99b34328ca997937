//! How what a script can call is defined: once, with a body that is read in several ways.
//!
//! A definition says what it is called, what it takes and gives, and what has to be known about it. The
//! interpreter's binding, the lowering, the checks and the reference are all made from that.

use super::neighbors::NeighborSums;
use super::plain::{BodyFn, Floats};
use crate::math::Compare;
use crate::program::{
    AgentInteger, AgentNumber, AskObstacle, AskOther, AskPath, I2, SharedInteger, SharedNumber,
};
use crate::script::lower::{ColumnCall, ColumnResult, NotLowered};
use crate::script::traced::Traced;
use crate::steer::Algebra;
use crate::world::GroupId;

/// A function, operator, property or method that scripts can use.
pub(in crate::script) struct Function {
    /// What scripts call it; all names mean the same.
    pub(in crate::script) names: &'static [&'static str],
    /// What it does, in one line.
    pub(in crate::script) doc: &'static str,
    pub(in crate::script) binding: Binding,
    /// What it takes: a method and a property first what they belong to.
    pub(in crate::script) params: &'static [Param],
    pub(in crate::script) result: ValueKind,
    /// The unit of the result; empty where the kind says it all.
    pub(in crate::script) unit: &'static str,
    pub(in crate::script) attributes: &'static [Attribute],
    pub(in crate::script) bodies: Bodies,
    /// The same for integers alone, where these stay integers.
    pub(in crate::script) integers: Option<Integers>,
}

/// A body in all readings.
pub(in crate::script) struct Bodies {
    pub(in crate::script) plain: BodyFn<Floats>,
    pub(in crate::script) traced: BodyFn<Traced>,
    pub(in crate::script) columns: for<'s> fn(&ColumnCall<'s>) -> Result<ColumnResult, NotLowered>,
}

/// What a definition does to integers alone.
pub(in crate::script) struct Integers {
    pub(in crate::script) bodies: Bodies,
    pub(in crate::script) result: ValueKind,
}

/// How a definition is bound and called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum Binding {
    /// A function, method or operator, bound for exactly the types of its parameters.
    Typed,
    /// The same, but what follows the first argument may be anything: the function says what is wrong.
    Untyped,
    /// A property of its one parameter.
    Property,
    /// A function that the language has already.
    BuiltIn,
}

/// What has to be known about a definition beside its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum Attribute {
    /// It is a question about the surroundings, which costs more in a large world.
    Queries,
    /// It looks at obstacles.
    ReadsObstacles,
    /// It looks at goals.
    ReadsGoals,
    /// It is the same during a whole turn, so that what a condition says about it holds.
    StableInTurn,
}

/// A parameter of a definition.
#[derive(Debug)]
pub(in crate::script) struct Param {
    pub(in crate::script) name: &'static str,
    pub(in crate::script) kind: ValueKind,
    /// Its unit; empty where the kind says it all.
    pub(in crate::script) unit: &'static str,
}

impl Function {
    pub(in crate::script) fn has(&self, attribute: Attribute) -> bool {
        self.attributes.contains(&attribute)
    }

    /// Whether it belongs to what it is called on, and is not a function of several numbers alike.
    pub(in crate::script) fn is_method(&self) -> bool {
        !matches!(self.params[0].kind, ValueKind::Number | ValueKind::Float)
    }

    /// Whether it is written between or before its arguments.
    pub(in crate::script) fn is_operator(&self) -> bool {
        !self.names[0].starts_with(|c: char| c.is_alphabetic())
    }

    /// What to call an argument in a message.
    pub(in crate::script) fn argument_name(&self, place: usize) -> String {
        let name = self.names[0];
        let on = usize::from(self.is_method());
        match (place.checked_sub(on), self.params.len() - on) {
            (None, _) => "this".to_owned(),
            (Some(0), 1) => {
                format!("the argument of `{name}`")
            }
            (Some(place), _) => {
                let ordinal = ["first", "second", "third"][place.min(2)];
                format!("the {ordinal} argument of `{name}`")
            }
        }
    }

    /// How it is called, for the reference.
    pub(in crate::script) fn signature(&self) -> String {
        let name = self.names[0];
        let params: Vec<&str> = self.params.iter().map(|param| param.name).collect();
        let is_operator = self.is_operator();
        match (&params[..], self.binding) {
            ([of], Binding::Property) => format!("{of}.{name}"),
            ([a, b], _) if is_operator => format!("{a} {name} {b}"),
            ([a], _) if is_operator => format!("{name}{a}"),
            ([of, rest @ ..], _) if self.is_method() => {
                format!("{of}.{name}({})", rest.join(", "))
            }
            _ => format!("{name}({})", params.join(", ")),
        }
    }
}

/// One way to read the bodies of definitions: where arguments come from, what becomes of a result, and what
/// the world answers. An agent is `me` or another.
pub(in crate::script) trait Evaluator: Algebra + Sized {
    type Integer: Copy;
    /// A string.
    type String;
    type Obstacle: Copy;
    /// Why a call fails.
    type Error;
    /// The result of a call.
    type Output;

    /// The argument of a place, from 0, as a kind of thing.
    fn argument(&self, kind: ValueKind, place: usize) -> EvalResult<Self, EvalValue<Self>>;
    /// A result of a kind. Fails where it is a vector that had to be finite.
    fn output(&self, kind: ValueKind, result: EvalValue<Self>) -> EvalResult<Self, Self::Output>;
    /// The answer, or `()` where something does not hold.
    fn output_if(&self, is: Self::Truth, output: Self::Output) -> Self::Output;

    /// A function of two integers; fails where the result is none.
    fn integers(
        &self,
        function: I2,
        a: Self::Integer,
        b: Self::Integer,
    ) -> EvalResult<Self, Self::Integer>;
    /// The integer of the other sign; fails where there is none.
    fn negated(&self, a: Self::Integer) -> EvalResult<Self, Self::Integer>;
    /// The integer without its sign; fails where there is none.
    fn absolute(&self, a: Self::Integer) -> EvalResult<Self, Self::Integer>;
    /// A number cut to an integer; fails where it is not finite.
    fn to_integer(&self, x: Self::Number) -> EvalResult<Self, Self::Integer>;
    fn compare(&self, how: Compare, a: Self::Integer, b: Self::Integer) -> Self::Truth;
    /// An integer as a number.
    fn to_number(&self, x: Self::Integer) -> Self::Number;

    /// A number of an agent, but none of its vectors'.
    fn number_of(&self, agent: Self::Agent, what: AgentNumber) -> EvalResult<Self, Self::Number>;
    fn integer_of(&self, agent: Self::Agent, what: AgentInteger)
    -> EvalResult<Self, Self::Integer>;
    fn group_of(&self, agent: Self::Agent) -> EvalResult<Self, Self::String>;
    /// A vector of an agent by its parts.
    fn vector_of(
        &self,
        agent: Self::Agent,
        x: AgentNumber,
        y: AgentNumber,
    ) -> EvalResult<Self, Self::Vector>;
    /// The goal of `me`, and how near it has to come.
    fn goal(&self) -> EvalResult<Self, EvalGoal<Self>>;
    /// The path of the group of `me`.
    fn own_path(&self) -> EvalOption<Self, Self::Path>;
    /// The current waypoint on it.
    fn own_waypoint(&self) -> EvalOption<Self, Self::Vector>;
    fn way_to(&self, point: Self::Vector) -> EvalResult<Self, Self::Vector>;
    /// The next random number from 0 to 1.
    fn draw(&self) -> EvalResult<Self, Self::Number>;
    fn encounter(&self, ask: AskOther, other: Self::Agent) -> EvalOption<Self, Self::Number>;
    /// How far the body of `me` could go with a velocity in so many seconds.
    fn free(&self, velocity: Self::Vector, horizon: Self::Number)
    -> EvalResult<Self, Self::Number>;

    /// Everyone else within a radius.
    fn near(&self, radius: Self::Number) -> Self::Neighbors;
    fn of_group(&self, near: Self::Neighbors, group: GroupId) -> Self::Neighbors;
    fn in_view(&self, near: Self::Neighbors, angle: Self::Number) -> Self::Neighbors;
    fn ahead(&self, near: Self::Neighbors) -> Self::Neighbors;
    fn around(&self, near: Self::Neighbors, point: Self::Vector) -> Self::Neighbors;
    /// The point that is looked from.
    fn middle(&self, near: Self::Neighbors) -> EvalResult<Self, Self::Vector>;
    fn means(&self, near: Self::Neighbors) -> EvalResult<Self, NeighborSums<Self>>;
    fn nearest(&self, near: Self::Neighbors) -> EvalOption<Self, Self::Agent>;
    /// The one of the lowest id.
    fn first(&self, near: Self::Neighbors) -> EvalOption<Self, Self::Agent>;

    fn common(&self, what: SharedNumber) -> EvalResult<Self, Self::Number>;
    fn common_integer(&self, what: SharedInteger) -> EvalResult<Self, Self::Integer>;
    fn cursor(&self) -> EvalOption<Self, Self::Vector>;
    /// The one agent of a group; fails if there is not exactly one.
    fn only(&self, group: GroupId) -> EvalResult<Self, Self::Agent>;
    /// The first place of an obstacle between two points.
    fn ray(&self, from: Self::Vector, to: Self::Vector) -> EvalOption<Self, Self::Vector>;
    fn obstacle(
        &self,
        ask: AskObstacle,
        obstacle: Self::Obstacle,
        point: Self::Vector,
    ) -> EvalResult<Self, Self::Vector>;
    fn path(
        &self,
        ask: AskPath,
        path: Self::Path,
        point: Self::Vector,
    ) -> EvalResult<Self, Self::Vector>;
    fn path_count(&self, path: Self::Path) -> EvalResult<Self, Self::Integer>;
    /// One of its points; fails where there is none.
    fn path_point(&self, path: Self::Path, place: Self::Integer) -> EvalResult<Self, Self::Vector>;
    fn name_of_obstacle(&self, obstacle: Self::Obstacle) -> EvalResult<Self, Self::String>;
    fn name_of_path(&self, path: Self::Path) -> EvalResult<Self, Self::String>;
}

/// What a reading finds, or why it fails.
pub(in crate::script) type EvalResult<A, T> = Result<T, <A as Evaluator>::Error>;

/// The same of something that may not be there.
pub(in crate::script) type EvalOption<A, T> = EvalResult<A, Optional<A, T>>;

/// Something that may not be there.
pub(in crate::script) struct Optional<A: Evaluator, T> {
    pub(in crate::script) is_some: A::Truth,
    /// Anything where it is not there.
    pub(in crate::script) value: T,
}

/// A goal, and how near an agent has to come to it.
pub(in crate::script) type EvalGoal<A> =
    (Optional<A, <A as Algebra>::Vector>, Optional<A, <A as Algebra>::Number>);

/// An argument or a result.
pub(in crate::script) enum EvalValue<A: Evaluator> {
    Number(A::Number),
    Integer(A::Integer),
    Boolean(A::Truth),
    Vector(A::Vector),
    String(A::String),
    Agent(A::Agent),
    Neighbors(A::Neighbors),
    Obstacle(A::Obstacle),
    Path(A::Path),
    Group(GroupId),
    /// What there is but one of: `me`, and `world`.
    Singleton(()),
}

/// A kind of parameter: its type in a reading, and how an argument is taken as one.
pub(super) trait FromArgument<A: Evaluator> {
    type Value;
    fn take(on: &A, place: usize) -> Result<Self::Value, A::Error>;
}

/// A kind of result: its type in a reading, and how it is given back.
pub(super) trait IntoOutput<A: Evaluator> {
    type Value;
    fn give(on: &A, result: Self::Value) -> Result<A::Output, A::Error>;
}

/// Makes kinds, each with how it is passed.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident: $variant:ident($is:ty) $(or $nothing:ident)?;)*) => {
        /// What a parameter takes, or a definition gives.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::script) enum ValueKind {
            $($(#[doc = $doc])* $kind,)*
        }

        impl ValueKind {
            /// What it is.
            pub(in crate::script) fn doc(self) -> &'static str {
                match self {
                    $(Self::$kind => concat!($($doc),*),)*
                }
            }
        }

        /// The same kinds as types, for bodies.
        pub(super) mod kind {
            $(pub(in crate::script::api) enum $kind {})*
        }

        $(kinds!(@pass $kind: $variant($is) $($nothing)?);)*
    };
    (@pass $kind:ident: $variant:ident($is:ty)) => {
        impl<A: Evaluator> FromArgument<A> for kind::$kind {
            type Value = $is;

            #[inline(always)]
            fn take(on: &A, place: usize) -> Result<Self::Value, A::Error> {
                match on.argument(ValueKind::$kind, place)? {
                    EvalValue::$variant(argument) => Ok(argument),
                    _ => unreachable!("an argument is taken as what its kind says"),
                }
            }
        }

        impl<A: Evaluator> IntoOutput<A> for kind::$kind {
            type Value = $is;

            #[inline(always)]
            fn give(on: &A, result: Self::Value) -> Result<A::Output, A::Error> {
                on.output(ValueKind::$kind, EvalValue::$variant(result))
            }
        }
    };
    (@pass $kind:ident: $variant:ident($is:ty) nothing) => {
        impl<A: Evaluator> IntoOutput<A> for kind::$kind {
            type Value = Optional<A, $is>;

            fn give(on: &A, result: Self::Value) -> Result<A::Output, A::Error> {
                let output = on.output(ValueKind::$kind, EvalValue::$variant(result.value))?;
                Ok(on.output_if(result.is_some, output))
            }
        }
    };
}

kinds! {
    // An integer is taken as a float.
    /// A number.
    Number: Number(A::Number);
    /// A number from 0.
    NotNegative: Number(A::Number);
    /// A float, not an integer.
    Float: Number(A::Number);
    /// An integer.
    Integer: Integer(A::Integer);
    /// `true` or `false`.
    Boolean: Boolean(A::Truth);
    /// A vector.
    Vector: Vector(A::Vector);
    // The script has made it, so it must be finite.
    /// A vector.
    FiniteVector: Vector(A::Vector);
    /// A point, or an agent for its position.
    Point: Vector(A::Vector);
    /// A string.
    String: String(A::String);
    /// `me`.
    Me: Singleton(());
    /// `world`.
    World: Singleton(());
    /// `me` or another agent.
    AnyAgent: Agent(A::Agent);
    /// An agent.
    Agent: Agent(A::Agent);
    /// A neighborhood.
    Neighbors: Neighbors(A::Neighbors);
    /// An obstacle.
    Obstacle: Obstacle(A::Obstacle);
    /// A path.
    Path: Path(A::Path);
    /// The name of a group.
    Group: Group(GroupId);
    /// The name of an obstacle.
    ObstacleName: Obstacle(A::Obstacle);
    /// The name of a path.
    PathName: Path(A::Path);
    /// A number, or `()`.
    MaybeNumber: Number(A::Number) or nothing;
    /// A vector, or `()`.
    MaybeVector: Vector(A::Vector) or nothing;
    /// An agent, or `()`.
    MaybeAgent: Agent(A::Agent) or nothing;
    /// A path, or `()`.
    MaybePath: Path(A::Path) or nothing;
}

/// Lists definitions. The word that follows `on` is what bodies call their reading. Each has its
/// documentation, its [`Binding`], its names, its parameters with kinds and units, its result, facts in brackets,
/// and its body; then, where they differ, the body for integers alone.
macro_rules! define {
    (on $on:ident; $(
        $(#[doc = $doc:literal])+
        $binding:ident $name:literal $(or $also:literal)* ($($params:tt)*) -> $result:ident $(in $unit:tt)?
        $([$($attribute:ident),*])? $body:block
        $(integers -> $whole:ident $integers:block)?
    )*) => {
        pub(super) const ALL: &[$crate::script::api::define::Function] = {
            use $crate::script::api::define::*;
            &[$({
                define!(@read read, $on, $body, $result, ($($params)*));
                define!(@whole whole, $on, ($($params)*) $($whole $integers)?);
                Function {
                    names: &[$name $(, $also)*],
                    doc: concat!($($doc),+),
                    binding: Binding::$binding,
                    params: define!(@params ($($params)*)),
                    result: ValueKind::$result,
                    unit: define!(@unit $($unit)?),
                    attributes: &[$($(Attribute::$attribute),*)?],
                    bodies: define!(@bodies read),
                    integers: define!(@integers whole $($whole)?),
                }
            }),*]
        };
    };
    (@read $read:ident, $on:ident, $body:block, $result:ident, ($($arg:ident: $kind:ident $(in $unit:tt)?),*)) => {
        #[inline]
        fn $read<A: Evaluator>($on: &A) -> std::result::Result<A::Output, A::Error> {
            define!(@take $on, A $(, $arg: $kind)*);
            <kind::$result as IntoOutput<A>>::give($on, $body)
        }
    };
    (@whole $read:ident, $on:ident, ($($params:tt)*)) => {};
    (@whole $read:ident, $on:ident, ($($arg:ident: $kind:ident $(in $unit:tt)?),*) $result:ident $body:block) => {
        define!(@read $read, $on, $body, $result, ($($arg: Integer),*));
    };
    (@take $on:ident, $reading:ty $(, $arg:ident: $kind:ident)*) => {
        let mut places = 0..;
        $(
            let place = places.next().unwrap_or_default();
            let $arg = <kind::$kind as FromArgument<$reading>>::take($on, place)?;
        )*
        // Not every body needs all of them.
        let _ = ($(&$arg),*);
    };
    (@params ($($arg:ident: $kind:ident $(in $unit:tt)?),*)) => {
        &[$(Param { name: stringify!($arg), kind: ValueKind::$kind, unit: define!(@unit $($unit)?) }),*]
    };
    (@unit) => {
        ""
    };
    (@unit $unit:tt) => {
        $unit
    };
    (@bodies $read:ident) => {
        Bodies { plain: |on| $read(on), traced: |on| $read(on), columns: |on| $read(on) }
    };
    (@integers $read:ident $result:ident) => {
        Some(Integers { bodies: define!(@bodies $read), result: ValueKind::$result })
    };
    (@integers $read:ident) => {
        None
    };
}
pub(super) use define;
