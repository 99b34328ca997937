//! The definition of a function: written once, with a body that several evaluators can run.
//!
//! A definition has names, parameters, a result and attributes. The binding for the interpreter, the lowering, the
//! checks and the reference are all derived from it. No other place may repeat one of these.

use rhai::Dynamic;

use crate::math::Compare;
use crate::program::{
    AgentInteger, AgentNumber, AskObstacle, AskOther, AskPath, I2, SharedInteger, SharedNumber,
};
use crate::script::problem;
use crate::script::turn::ScriptTurn;
use crate::steer::Algebra;
use crate::world::{GroupId, LayerId, Question, Relation, ScenarioPart};

/// A function, operator, property or method that scripts can use.
pub(in crate::script) struct Function {
    /// The module whose list has it, and its index there.
    pub(super) list_index: (&'static str, usize),
    /// Its names in scripts, which all mean the same.
    pub(in crate::script) names: &'static [&'static str],
    /// Its description, in one sentence.
    pub(in crate::script) doc: &'static str,
    pub(in crate::script) binding: Binding,
    /// Its parameters; the first one of a method or a property is the value it belongs to.
    pub(in crate::script) params: &'static [FunctionParam],
    pub(in crate::script) result: ValueKind,
    /// The unit of the result; empty if it has none.
    pub(in crate::script) unit: &'static str,
    pub(in crate::script) attributes: &'static [Attribute],
    /// Its body for the interpreter; [`evaluate`](super::evaluate) has that for any evaluator.
    pub(in crate::script) body: BodyFn,
    /// The variant for integers only, if their result is an integer.
    pub(in crate::script) integers: Option<IntegerVariant>,
}

/// The body of a definition, compiled for the values of a script.
pub(in crate::script) type BodyFn = fn(&InterpretedCall<'_>) -> problem::Result<Dynamic>;

/// A call of a definition by the interpreter.
pub(in crate::script) struct InterpretedCall<'t> {
    pub(super) function: &'static Function,
    pub(super) arguments: &'t [&'t mut Dynamic],
    /// The current turn, if the definition needs it.
    pub(super) turn: Option<&'t ScriptTurn>,
}

/// The variant of a definition for integers only.
pub(in crate::script) struct IntegerVariant {
    pub(in crate::script) body: BodyFn,
    pub(in crate::script) result: ValueKind,
}

/// How a definition is bound and called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum Binding {
    /// A function, method or operator, bound for exactly the types of its parameters.
    Typed,
    /// A function or method whose arguments after the first can have any type: it reports wrong ones itself.
    Untyped,
    /// A property of its one parameter.
    Property,
    /// A function that the language already has. It is not bound, only lowered.
    BuiltIn,
}

/// An attribute of a definition, in addition to its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum Attribute {
    /// It is a query about the surroundings, which costs more in a large world.
    Queries,
    /// It reads obstacles.
    ReadsObstacles,
    /// It reads goals.
    ReadsGoals,
    /// It depends on the agent's own random numbers.
    IsRandom,
    /// It needs the formation of the group.
    NeedsFormation,
    /// It needs groups that are prey of the group.
    NeedsPrey,
    /// It needs groups that are predators of the group.
    NeedsPredators,
    /// It needs groups that are allies of the group.
    NeedsAllies,
    /// It depends on the order in which agents were created.
    KnowsOrder,
    /// It depends on a position in the world, or on cells of the world.
    KnowsPlace,
    /// It depends on the axes or on cells of the world.
    KnowsDirection,
    /// It tells left from right.
    KnowsSide,
    /// It has the same value during a whole turn, so that a tested condition on it stays true.
    StableInTurn,
}

impl Attribute {
    fn needs(self) -> Option<ScenarioPart> {
        Some(match self {
            Self::NeedsFormation => ScenarioPart::Formation,
            Self::NeedsPrey => ScenarioPart::Relation(Relation::Prey),
            Self::NeedsPredators => ScenarioPart::Relation(Relation::Predator),
            Self::NeedsAllies => ScenarioPart::Relation(Relation::Ally),
            Self::Queries
            | Self::ReadsObstacles
            | Self::ReadsGoals
            | Self::IsRandom
            | Self::KnowsOrder
            | Self::KnowsPlace
            | Self::KnowsDirection
            | Self::KnowsSide
            | Self::StableInTurn => return None,
        })
    }
}

/// Returns the definitions of a list, which know their indices.
pub(super) const fn numbered<const N: usize>(mut all: [Function; N]) -> [Function; N] {
    let mut index = 0;
    while index < N {
        all[index].list_index.1 = index;
        index += 1;
    }
    all
}

/// A parameter of a definition.
#[derive(Debug)]
pub(in crate::script) struct FunctionParam {
    pub(in crate::script) name: &'static str,
    pub(in crate::script) kind: ValueKind,
    /// Its unit; empty if it has none.
    pub(in crate::script) unit: &'static str,
}

impl Function {
    pub(in crate::script) fn has(&self, attribute: Attribute) -> bool {
        self.attributes.contains(&attribute)
    }

    /// Returns the part of a scenario without which it has nothing to work with.
    pub(in crate::script) fn needs(&self) -> Option<ScenarioPart> {
        self.attributes.iter().find_map(|attribute| attribute.needs())
    }

    /// Returns whether it is called on its first argument, `a.name(b)`, not as a function of numbers, `name(a, b)`.
    pub(in crate::script) fn is_method(&self) -> bool {
        !matches!(self.params[0].kind, ValueKind::Number | ValueKind::Float)
    }

    /// Returns whether it is an operator, written between or before its arguments.
    pub(in crate::script) fn is_operator(&self) -> bool {
        !self.names[0].starts_with(|c: char| c.is_alphabetic())
    }

    /// Returns the name of an argument for messages.
    pub(in crate::script) fn argument_name(&self, place: usize) -> String {
        let name = self.names[0];
        let on = usize::from(self.is_method());
        match (place.checked_sub(on), self.params.len() - on) {
            (None, _) => "this".to_owned(),
            (Some(0), 1) => {
                format!("the argument of `{name}`")
            }
            (Some(place), _) => {
                let ordinal = ["first", "second", "third", "fourth"][place.min(3)];
                format!("the {ordinal} argument of `{name}`")
            }
        }
    }

    /// Returns how it is called, for the reference and for messages.
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

/// The body of a definition for an evaluator.
pub(in crate::script) type EvaluatorBody<A> =
    fn(&A) -> Result<<A as Evaluator>::Output, <A as Evaluator>::Error>;

/// Evaluates the bodies of definitions: it provides the arguments, takes the result, and answers queries about the
/// world. There is one evaluator for plain values and one for columns of a lowered program.
pub(in crate::script) trait Evaluator: Algebra + Sized {
    type Integer: Copy;
    /// A string.
    type String;
    type Obstacle: Copy;
    /// The reason why a call fails.
    type Error;
    /// The result of a call for the caller.
    type Output;

    /// Returns the argument with an index, from 0, as a kind of value.
    fn argument(&self, kind: ValueKind, place: usize) -> EvalResult<Self, EvalValue<Self>>;
    /// Converts a result of a kind. Fails if a vector that must be finite is not.
    fn output(&self, kind: ValueKind, result: EvalValue<Self>) -> EvalResult<Self, Self::Output>;
    /// Returns the output, or `()` if a condition is false.
    fn output_if(&self, condition: Self::Boolean, output: Self::Output) -> Self::Output;

    /// Applies a function to two integers; fails if the result does not fit an integer.
    fn integers(
        &self,
        function: I2,
        a: Self::Integer,
        b: Self::Integer,
    ) -> EvalResult<Self, Self::Integer>;
    /// Negates an integer; fails if the result does not fit an integer.
    fn negated(&self, a: Self::Integer) -> EvalResult<Self, Self::Integer>;
    /// Returns the absolute value; fails if it does not fit an integer.
    fn absolute(&self, a: Self::Integer) -> EvalResult<Self, Self::Integer>;
    /// Truncates a number to an integer; fails if it is not finite.
    fn to_integer(&self, x: Self::Number) -> EvalResult<Self, Self::Integer>;
    fn compare(&self, how: Compare, a: Self::Integer, b: Self::Integer) -> Self::Boolean;
    /// Converts an integer to a number.
    fn to_number(&self, x: Self::Integer) -> Self::Number;

    /// Returns a number of an agent that is not part of a vector.
    fn number_of(&self, agent: Self::Agent, what: AgentNumber) -> EvalResult<Self, Self::Number>;
    fn integer_of(&self, agent: Self::Agent, what: AgentInteger)
    -> EvalResult<Self, Self::Integer>;
    fn group_of(&self, agent: Self::Agent) -> EvalResult<Self, Self::String>;
    /// Returns a vector of an agent by its parts.
    fn vector_of(
        &self,
        agent: Self::Agent,
        x: AgentNumber,
        y: AgentNumber,
    ) -> EvalResult<Self, Self::Vector>;
    /// Returns the position and the radius of the current goal of `me`.
    fn goal(&self) -> EvalResult<Self, EvalGoal<Self>>;
    /// Returns the path of the group of `me`.
    fn own_path(&self) -> EvalOption<Self, Self::Path>;
    /// Returns the current waypoint of `me` on the path of its group.
    fn own_waypoint(&self) -> EvalOption<Self, Self::Vector>;
    fn offset_to(&self, point: Self::Vector) -> EvalResult<Self, Self::Vector>;
    /// Returns the next random number in `[0, 1)`.
    fn random(&self) -> EvalResult<Self, Self::Number>;
    fn encounter(&self, ask: AskOther, other: Self::Agent) -> EvalOption<Self, Self::Number>;
    /// Returns how far the body of `me` could move with a velocity within a number of seconds.
    fn free_distance(
        &self,
        velocity: Self::Vector,
        horizon: Self::Number,
    ) -> EvalResult<Self, Self::Number>;

    /// Returns the agent before `me` in its group.
    fn previous(&self) -> EvalOption<Self, Self::Agent>;
    /// Asks a question about the world.
    fn ask(
        &self,
        question: Question,
        about: [Self::Vector; 3],
    ) -> EvalResult<Self, (Self::Vector, Self::Number)>;

    /// Returns all other agents within a radius.
    fn neighbors_within(&self, radius: Self::Number) -> Self::Neighbors;
    fn of_group(&self, near: Self::Neighbors, group: GroupId) -> Self::Neighbors;
    fn related(&self, near: Self::Neighbors, relation: Relation) -> Self::Neighbors;
    fn in_view(&self, near: Self::Neighbors, angle: Self::Number) -> Self::Neighbors;
    fn ahead(&self, near: Self::Neighbors) -> Self::Neighbors;
    fn around(&self, near: Self::Neighbors, point: Self::Vector) -> Self::Neighbors;
    /// Returns the nearest ones, at most so many.
    fn nearest_of(&self, near: Self::Neighbors, count: Self::Number) -> Self::Neighbors;
    /// Returns the point that the neighborhood is around.
    fn viewpoint(&self, near: Self::Neighbors) -> EvalResult<Self, Self::Vector>;
    fn means(&self, near: Self::Neighbors) -> EvalResult<Self, NeighborTotals<Self>>;
    fn nearest(&self, near: Self::Neighbors) -> EvalOption<Self, Self::Agent>;
    /// Returns the neighbor with the lowest id.
    fn first(&self, near: Self::Neighbors) -> EvalOption<Self, Self::Agent>;

    fn shared_number(&self, what: SharedNumber) -> EvalResult<Self, Self::Number>;
    fn shared_integer(&self, what: SharedInteger) -> EvalResult<Self, Self::Integer>;
    fn cursor(&self) -> EvalOption<Self, Self::Vector>;
    /// Returns the only agent of a group; fails if there is not exactly one.
    fn only_agent(&self, group: GroupId) -> EvalResult<Self, Self::Agent>;
    /// Returns the first point of an obstacle on the line between two points.
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
    /// Returns the vector of a field at a point.
    fn flow(&self, field: Self::Field, point: Self::Vector) -> EvalResult<Self, Self::Vector>;
    fn path_count(&self, path: Self::Path) -> EvalResult<Self, Self::Integer>;
    /// Returns the point of a path with an index; fails if there is none.
    fn path_point(&self, path: Self::Path, place: Self::Integer) -> EvalResult<Self, Self::Vector>;
    fn name_of_obstacle(&self, obstacle: Self::Obstacle) -> EvalResult<Self, Self::String>;
    fn name_of_path(&self, path: Self::Path) -> EvalResult<Self, Self::String>;
    fn name_of_field(&self, field: Self::Field) -> EvalResult<Self, Self::String>;
}

/// The count of neighbors, and the sums that their means are computed from.
pub(in crate::script) struct NeighborTotals<A: Evaluator> {
    pub(in crate::script) count: A::Integer,
    pub(in crate::script) is_empty: A::Boolean,
    pub(in crate::script) offsets: A::Vector,
    pub(in crate::script) velocities: A::Vector,
}

/// The result of an evaluator, or the reason why it fails.
pub(in crate::script) type EvalResult<A, T> = Result<T, <A as Evaluator>::Error>;

/// The result of an evaluator that may be nothing.
pub(in crate::script) type EvalOption<A, T> = EvalResult<A, Optional<A, T>>;

/// A value that may be nothing.
pub(in crate::script) struct Optional<A: Evaluator, T> {
    pub(in crate::script) is_some: A::Boolean,
    /// The value; it has no meaning if `is_some` is false.
    pub(in crate::script) value: T,
}

/// The position and the radius of a goal.
pub(in crate::script) type EvalGoal<A> =
    (Optional<A, <A as Algebra>::Vector>, Optional<A, <A as Algebra>::Number>);

/// An argument or a result of a body.
pub(in crate::script) enum EvalValue<A: Evaluator> {
    Number(A::Number),
    Integer(A::Integer),
    Boolean(A::Boolean),
    Vector(A::Vector),
    String(A::String),
    Agent(A::Agent),
    Neighbors(A::Neighbors),
    Obstacle(A::Obstacle),
    Path(A::Path),
    Field(A::Field),
    Group(GroupId),
    Layer(LayerId),
    /// `me` or `world`, which need no data.
    Singleton(()),
}

/// A kind of parameter: its type in an evaluator, and the conversion from an argument.
pub(super) trait FromArgument<A: Evaluator> {
    type Value;
    fn take(on: &A, place: usize) -> Result<Self::Value, A::Error>;
}

/// A kind of result: its type in an evaluator, and the conversion to the output.
pub(super) trait IntoOutput<A: Evaluator> {
    type Value;
    fn give(on: &A, result: Self::Value) -> Result<A::Output, A::Error>;
}

/// Declares the kinds of values, each with the variant of [`EvalValue`] that holds it.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident: $variant:ident($is:ty) $(or $nothing:ident)?;)*) => {
        /// The kind of a parameter or a result.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::script) enum ValueKind {
            $($(#[doc = $doc])* $kind,)*
        }

        impl ValueKind {
            /// Returns its description.
            pub(in crate::script) fn doc(self) -> &'static str {
                match self {
                    $(Self::$kind => concat!($($doc),*),)*
                }
            }
        }

        /// The kinds as types, for bodies.
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
                    _ => unreachable!("an argument has the variant of its kind"),
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
    /// A number of at least 0.
    NotNegative: Number(A::Number);
    /// A float, not an integer.
    Float: Number(A::Number);
    /// An integer.
    Integer: Integer(A::Integer);
    /// `true` or `false`.
    Boolean: Boolean(A::Boolean);
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
    /// A field.
    Field: Field(A::Field);
    /// The name of a group.
    Group: Group(GroupId);
    /// The name of a layer.
    LayerName: Layer(LayerId);
    /// The name of an obstacle.
    ObstacleName: Obstacle(A::Obstacle);
    /// The name of a path.
    PathName: Path(A::Path);
    /// The name of a field.
    FieldName: Field(A::Field);
    /// A number, or `()`.
    MaybeNumber: Number(A::Number) or nothing;
    /// A vector, or `()`.
    MaybeVector: Vector(A::Vector) or nothing;
    /// An agent, or `()`.
    MaybeAgent: Agent(A::Agent) or nothing;
    /// A path, or `()`.
    MaybePath: Path(A::Path) or nothing;
}

/// Lists definitions. The word after `on` is the name of the evaluator in the bodies. Each definition has its
/// documentation, its [`Binding`], its names, its parameters with kinds and units, its result, its attributes in
/// brackets, and its body; then the body for integers, if that differs.
macro_rules! define {
    (on $on:ident; $(
        $(#[doc = $doc:literal])+
        $binding:ident $name:literal $(or $also:literal)* ($($params:tt)*) -> $result:ident $(in $unit:tt)?
        $([$($attribute:ident),*])? $body:block
        $(integers -> $whole:ident $integers:block)?
    )*) => {
        pub(super) const ALL: &[$crate::script::api::define::Function] = {
            use $crate::script::api::define::*;
            &numbered([$({
                define!(@read read, $on, $body, $result, ($($params)*));
                define!(@whole whole, $on, ($($params)*) $($whole $integers)?);
                Function {
                    list_index: (module_path!(), 0),
                    names: &[$name $(, $also)*],
                    doc: concat!($($doc),+),
                    binding: Binding::$binding,
                    params: define!(@params ($($params)*)),
                    result: ValueKind::$result,
                    unit: define!(@unit $($unit)?),
                    attributes: &[$($(Attribute::$attribute),*)?],
                    body: |on| read(on),
                    integers: define!(@integers whole $($whole)?),
                }
            }),*])
        };

        /// Evaluates the body of a definition of this list; `None` if it is in another one.
        pub(super) fn evaluate<A: $crate::script::api::define::Evaluator>(
            function: &$crate::script::api::define::Function,
            are_integers: bool,
            on: &A,
        ) -> Option<std::result::Result<A::Output, A::Error>> {
            use $crate::script::api::define::*;
            let (module, index) = function.list_index;
            if module != module_path!() {
                return None;
            }
            let bodies: &[(EvaluatorBody<A>, Option<EvaluatorBody<A>>)] = &[$({
                define!(@read read, $on, $body, $result, ($($params)*));
                define!(@whole whole, $on, ($($params)*) $($whole $integers)?);
                (read::<A>, define!(@whole_body whole $($whole)?))
            }),*];
            let (body, integers) = bodies[index];
            Some(integers.filter(|_| are_integers).unwrap_or(body)(on))
        }
    };
    (@whole_body $read:ident $result:ident) => {
        Some($read::<A>)
    };
    (@whole_body $read:ident) => {
        None
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
        // Some bodies do not use all of their arguments.
        let _ = ($(&$arg),*);
    };
    (@params ($($arg:ident: $kind:ident $(in $unit:tt)?),*)) => {
        &[$(FunctionParam { name: stringify!($arg), kind: ValueKind::$kind, unit: define!(@unit $($unit)?) }),*]
    };
    (@unit) => {
        ""
    };
    (@unit $unit:tt) => {
        $unit
    };
    (@integers $read:ident $result:ident) => {
        Some(IntegerVariant { body: |on| $read(on), result: ValueKind::$result })
    };
    (@integers $read:ident) => {
        None
    };
}
pub(super) use define;
