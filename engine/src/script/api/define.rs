//! How what a script can call is defined: once, with a body that is read in several ways.
//!
//! A definition says what it is called, what it takes and gives, and what has to be known about it. The
//! interpreter's binding, the lowering, the checks and the reference are all made from that.

use super::neighbors::Sums;
use super::plain::{Floats, Read};
use crate::math::Compare;
use crate::program::{AskObstacle, AskOther, AskPath, Common, CommonI, I2, Of, OfI};
use crate::script::lower::{Answer, Called, Slow};
use crate::script::traced::Traced;
use crate::steer::Algebra;
use crate::world::GroupId;

/// A function, operator, property or method that scripts can use.
pub(in crate::script) struct Function {
    /// What scripts call it; all names mean the same.
    pub(in crate::script) names: &'static [&'static str],
    /// What it does, in one line.
    pub(in crate::script) doc: &'static str,
    pub(in crate::script) form: Form,
    /// What it takes: a method and a property first what they belong to.
    pub(in crate::script) params: &'static [Param],
    pub(in crate::script) result: Kind,
    /// The unit of the result; empty where the kind says it all.
    pub(in crate::script) unit: &'static str,
    pub(in crate::script) facts: &'static [Fact],
    pub(in crate::script) readings: Readings,
    /// The same for integers alone, where these stay integers.
    pub(in crate::script) integers: Option<Integers>,
}

/// A body in all readings.
pub(in crate::script) struct Readings {
    pub(in crate::script) plain: Read<Floats>,
    pub(in crate::script) traced: Read<Traced>,
    pub(in crate::script) columns: for<'s> fn(&Called<'s>) -> Result<Answer, Slow>,
}

/// What a definition does to integers alone.
pub(in crate::script) struct Integers {
    pub(in crate::script) readings: Readings,
    pub(in crate::script) result: Kind,
}

/// How a definition is bound and called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum Form {
    /// A function, method or operator, bound for exactly the types of its parameters.
    Fixed,
    /// The same, but what follows the first argument may be anything: the function says what is wrong.
    Open,
    /// A property of its one parameter.
    Property,
    /// A function that the language has already.
    Language,
}

/// What has to be known about a definition beside its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum Fact {
    /// It is a question about the surroundings, which costs more in a large world.
    Asks,
    /// It looks at obstacles.
    SeesObstacles,
    /// It looks at goals.
    SeesGoals,
    /// It is the same during a whole turn, so that what a condition says about it holds.
    Lasts,
}

/// A parameter of a definition.
#[derive(Debug)]
pub(in crate::script) struct Param {
    pub(in crate::script) name: &'static str,
    pub(in crate::script) kind: Kind,
    /// Its unit; empty where the kind says it all.
    pub(in crate::script) unit: &'static str,
}

impl Function {
    pub(in crate::script) fn has(&self, fact: Fact) -> bool {
        self.facts.contains(&fact)
    }

    /// Whether it belongs to what it is called on, and is not a function of several numbers alike.
    pub(in crate::script) fn is_method(&self) -> bool {
        !matches!(self.params[0].kind, Kind::Number | Kind::Float)
    }

    /// Whether it is written between or before its arguments.
    pub(in crate::script) fn is_operator(&self) -> bool {
        !self.names[0].starts_with(|c: char| c.is_alphabetic())
    }

    /// What to call an argument in a message.
    pub(in crate::script) fn what(&self, place: usize) -> String {
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
        match (&params[..], self.form) {
            ([of], Form::Property) => format!("{of}.{name}"),
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
pub(in crate::script) trait Reading: Algebra + Sized {
    type Integer: Copy;
    /// A string.
    type Text;
    type Obstacle: Copy;
    /// Why a call fails.
    type Fault;
    /// The result of a call.
    type Answer;

    /// The argument of a place, from 0, as a kind of thing.
    fn take(&self, kind: Kind, place: usize) -> Outcome<Self, Value<Self>>;
    /// A result of a kind. Fails where it is a vector that had to be finite.
    fn give(&self, kind: Kind, result: Value<Self>) -> Outcome<Self, Self::Answer>;
    /// The answer, or `()` where something does not hold.
    fn only_where(&self, is: Self::Truth, answer: Self::Answer) -> Self::Answer;

    /// A function of two integers; fails where the result is none.
    fn integers(
        &self,
        function: I2,
        a: Self::Integer,
        b: Self::Integer,
    ) -> Outcome<Self, Self::Integer>;
    /// The integer of the other sign; fails where there is none.
    fn negated(&self, a: Self::Integer) -> Outcome<Self, Self::Integer>;
    /// The integer without its sign; fails where there is none.
    fn absolute(&self, a: Self::Integer) -> Outcome<Self, Self::Integer>;
    /// A number cut to an integer; fails where it is not finite.
    fn to_integer(&self, x: Self::Number) -> Outcome<Self, Self::Integer>;
    fn compare(&self, how: Compare, a: Self::Integer, b: Self::Integer) -> Self::Truth;
    /// An integer as a number.
    fn to_number(&self, x: Self::Integer) -> Self::Number;

    /// A number of an agent, but none of its vectors'.
    fn number_of(&self, agent: Self::Agent, what: Of) -> Outcome<Self, Self::Number>;
    fn integer_of(&self, agent: Self::Agent, what: OfI) -> Outcome<Self, Self::Integer>;
    fn group_of(&self, agent: Self::Agent) -> Outcome<Self, Self::Text>;
    /// A vector of an agent by its parts.
    fn vector_of(&self, agent: Self::Agent, x: Of, y: Of) -> Outcome<Self, Self::Vector>;
    /// The goal of `me`, and how near it has to come.
    fn goal(&self) -> Outcome<Self, Goal<Self>>;
    /// The path of the group of `me`.
    fn own_path(&self) -> Perhaps<Self, Self::Path>;
    /// The current waypoint on it.
    fn own_waypoint(&self) -> Perhaps<Self, Self::Vector>;
    fn way_to(&self, point: Self::Vector) -> Outcome<Self, Self::Vector>;
    /// The next random number from 0 to 1.
    fn draw(&self) -> Outcome<Self, Self::Number>;
    fn encounter(&self, ask: AskOther, other: Self::Agent) -> Perhaps<Self, Self::Number>;
    /// How far the body of `me` could go with a velocity in so many seconds.
    fn free(&self, velocity: Self::Vector, horizon: Self::Number) -> Outcome<Self, Self::Number>;

    /// Everyone else within a radius.
    fn near(&self, radius: Self::Number) -> Self::Neighbors;
    fn of_group(&self, near: Self::Neighbors, group: GroupId) -> Self::Neighbors;
    fn in_view(&self, near: Self::Neighbors, angle: Self::Number) -> Self::Neighbors;
    fn ahead(&self, near: Self::Neighbors) -> Self::Neighbors;
    fn around(&self, near: Self::Neighbors, point: Self::Vector) -> Self::Neighbors;
    /// The point that is looked from.
    fn middle(&self, near: Self::Neighbors) -> Outcome<Self, Self::Vector>;
    fn means(&self, near: Self::Neighbors) -> Outcome<Self, Sums<Self>>;
    fn nearest(&self, near: Self::Neighbors) -> Perhaps<Self, Self::Agent>;
    /// The one of the lowest id.
    fn first(&self, near: Self::Neighbors) -> Perhaps<Self, Self::Agent>;

    fn common(&self, what: Common) -> Outcome<Self, Self::Number>;
    fn common_integer(&self, what: CommonI) -> Outcome<Self, Self::Integer>;
    fn cursor(&self) -> Perhaps<Self, Self::Vector>;
    /// The one agent of a group; fails if there is not exactly one.
    fn only(&self, group: GroupId) -> Outcome<Self, Self::Agent>;
    /// The first place of an obstacle between two points.
    fn ray(&self, from: Self::Vector, to: Self::Vector) -> Perhaps<Self, Self::Vector>;
    fn obstacle(
        &self,
        ask: AskObstacle,
        obstacle: Self::Obstacle,
        point: Self::Vector,
    ) -> Outcome<Self, Self::Vector>;
    fn path(
        &self,
        ask: AskPath,
        path: Self::Path,
        point: Self::Vector,
    ) -> Outcome<Self, Self::Vector>;
    fn path_count(&self, path: Self::Path) -> Outcome<Self, Self::Integer>;
    /// One of its points; fails where there is none.
    fn path_point(&self, path: Self::Path, place: Self::Integer) -> Outcome<Self, Self::Vector>;
    fn name_of_obstacle(&self, obstacle: Self::Obstacle) -> Outcome<Self, Self::Text>;
    fn name_of_path(&self, path: Self::Path) -> Outcome<Self, Self::Text>;
}

/// What a reading finds, or why it fails.
pub(in crate::script) type Outcome<A, T> = Result<T, <A as Reading>::Fault>;

/// The same of something that may not be there.
pub(in crate::script) type Perhaps<A, T> = Outcome<A, Maybe<A, T>>;

/// Something that may not be there.
pub(in crate::script) struct Maybe<A: Reading, T> {
    pub(in crate::script) is: A::Truth,
    /// Anything where it is not there.
    pub(in crate::script) value: T,
}

/// A goal, and how near an agent has to come to it.
pub(in crate::script) type Goal<A> =
    (Maybe<A, <A as Algebra>::Vector>, Maybe<A, <A as Algebra>::Number>);

/// An argument or a result.
pub(in crate::script) enum Value<A: Reading> {
    Number(A::Number),
    Integer(A::Integer),
    Truth(A::Truth),
    Vector(A::Vector),
    Text(A::Text),
    Agent(A::Agent),
    Neighbors(A::Neighbors),
    Obstacle(A::Obstacle),
    Path(A::Path),
    Group(GroupId),
    /// What there is but one of: `me`, and `world`.
    OnlyOne(()),
}

/// A kind of parameter: its type in a reading, and how an argument is taken as one.
pub(super) trait Takes<A: Reading> {
    type Is;
    fn take(on: &A, place: usize) -> Result<Self::Is, A::Fault>;
}

/// A kind of result: its type in a reading, and how it is given back.
pub(super) trait Gives<A: Reading> {
    type Is;
    fn give(on: &A, result: Self::Is) -> Result<A::Answer, A::Fault>;
}

/// Makes kinds, each with how it is passed.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident: $variant:ident($is:ty) $(or $nothing:ident)?;)*) => {
        /// What a parameter takes, or a definition gives.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::script) enum Kind {
            $($(#[doc = $doc])* $kind,)*
        }

        impl Kind {
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
        impl<A: Reading> Takes<A> for kind::$kind {
            type Is = $is;

            #[inline(always)]
            fn take(on: &A, place: usize) -> Result<Self::Is, A::Fault> {
                match on.take(Kind::$kind, place)? {
                    Value::$variant(argument) => Ok(argument),
                    _ => unreachable!("an argument is taken as what its kind says"),
                }
            }
        }

        impl<A: Reading> Gives<A> for kind::$kind {
            type Is = $is;

            #[inline(always)]
            fn give(on: &A, result: Self::Is) -> Result<A::Answer, A::Fault> {
                on.give(Kind::$kind, Value::$variant(result))
            }
        }
    };
    (@pass $kind:ident: $variant:ident($is:ty) nothing) => {
        impl<A: Reading> Gives<A> for kind::$kind {
            type Is = Maybe<A, $is>;

            fn give(on: &A, result: Self::Is) -> Result<A::Answer, A::Fault> {
                let answer = on.give(Kind::$kind, Value::$variant(result.value))?;
                Ok(on.only_where(result.is, answer))
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
    Truth: Truth(A::Truth);
    /// A vector.
    Vector: Vector(A::Vector);
    // The script has made it, so it must be finite.
    /// A vector.
    Made: Vector(A::Vector);
    /// A point, or an agent for its position.
    Point: Vector(A::Vector);
    /// A string.
    Text: Text(A::Text);
    /// `me`.
    Me: OnlyOne(());
    /// `world`.
    World: OnlyOne(());
    /// `me` or another agent.
    Someone: Agent(A::Agent);
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
/// documentation, its [`Form`], its names, its parameters with kinds and units, its result, facts in brackets,
/// and its body; then, where they differ, the body for integers alone.
macro_rules! define {
    (on $on:ident; $(
        $(#[doc = $doc:literal])+
        $form:ident $name:literal $(or $also:literal)* ($($params:tt)*) -> $result:ident $(in $unit:tt)?
        $([$($fact:ident),*])? $body:block
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
                    form: Form::$form,
                    params: define!(@params ($($params)*)),
                    result: Kind::$result,
                    unit: define!(@unit $($unit)?),
                    facts: &[$($(Fact::$fact),*)?],
                    readings: define!(@readings read),
                    integers: define!(@integers whole $($whole)?),
                }
            }),*]
        };
    };
    (@read $read:ident, $on:ident, $body:block, $result:ident, ($($arg:ident: $kind:ident $(in $unit:tt)?),*)) => {
        #[inline]
        fn $read<A: Reading>($on: &A) -> std::result::Result<A::Answer, A::Fault> {
            define!(@take $on, A $(, $arg: $kind)*);
            <kind::$result as Gives<A>>::give($on, $body)
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
            let $arg = <kind::$kind as Takes<$reading>>::take($on, place)?;
        )*
        // Not every body needs all of them.
        let _ = ($(&$arg),*);
    };
    (@params ($($arg:ident: $kind:ident $(in $unit:tt)?),*)) => {
        &[$(Param { name: stringify!($arg), kind: Kind::$kind, unit: define!(@unit $($unit)?) }),*]
    };
    (@unit) => {
        ""
    };
    (@unit $unit:tt) => {
        $unit
    };
    (@readings $read:ident) => {
        Readings { plain: |on| $read(on), traced: |on| $read(on), columns: |on| $read(on) }
    };
    (@integers $read:ident $result:ident) => {
        Some(Integers { readings: define!(@readings $read), result: Kind::$result })
    };
    (@integers $read:ident) => {
        None
    };
}
pub(super) use define;
