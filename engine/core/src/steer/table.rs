//! An entry of the table of primitives: its parameters, and how it is called with arguments that are only known
//! at runtime.

use super::{Argument, COMBINATORS, Cause};
use crate::math::{self, Vec2};
use crate::world::{Me, Neighborhood, ScenarioPart};

/// Returns what a primitive reacts to, given one argument for each parameter.
type CauseFn = for<'w> fn(&Me<'w>, &[Arg<'w>]) -> Option<Cause>;

/// The unit of angles.
pub const RADIANS: &str = "rad";

/// A primitive or combinator, as the table lists it.
#[derive(Debug)]
pub struct Primitive {
    /// Its name in scripts.
    pub name: &'static str,
    /// Its documentation, line by line: the first line is a summary; formula, edge cases and source follow.
    pub doc: &'static [&'static str],
    /// Its parameters, in order. Those with a default come last and may be omitted.
    pub params: &'static [Param],
    /// How its force relates to a desired velocity.
    pub force_kind: ForceKind,
    /// Whether calling it advances the agent to the next waypoint of a path, see [`Me::progress`].
    pub advances_progress: bool,
    /// Whether its force depends on the obstacles of the world.
    pub sees_obstacles: bool,
    /// Whether it asks for a way around the obstacles.
    pub searches_way: bool,
    /// Whether it steers straight to a point, a waypoint or an agent, even if an obstacle is between.
    pub goes_straight: bool,
    /// Whether its force depends on the agent's own random numbers.
    pub is_random: bool,
    /// Whether it can do nothing useful in a scenario without obstacles.
    pub needs_obstacles: bool,
    /// Whether it can do nothing useful in a group without a formation.
    pub needs_formation: bool,
    /// Whether it depends on cells of the world, or chooses between directions so that rounding decides.
    pub knows_place: bool,
    /// Whether it depends on the axes or on cells of the world, or takes an offset in the frame of an agent.
    pub knows_direction: bool,
    /// Whether it turns to one side, swings at random to either, or passes on the right if it cannot tell the sides apart.
    pub prefers_a_side: bool,
    /// Whether it takes a side as an argument, or goes left on a line through its target or obstacle only.
    pub needs_a_side: bool,
    /// Calls it with one argument for each parameter, of the kind of that parameter. A primitive may change only
    /// the agent's progress on paths.
    pub(super) run: for<'w> fn(&Me<'w>, &[Arg<'w>]) -> Vec2,
    /// Returns the cause that it reacts to, where none of its arguments says it: see [`Cause::from_arg`].
    pub(super) cause: Option<CauseFn>,
}

/// How the force of a primitive relates to a desired velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceKind {
    /// Desired velocity minus velocity.
    ToDesiredVelocity,
    /// Desired velocity minus velocity, or zero if there is nothing to do.
    ToDesiredVelocityOrZero,
    /// A raw force, not desired velocity minus velocity.
    Raw,
    /// No force: the index of a force or a slot, as the x part of the vector. In scripts it is an integer.
    Index,
}

/// A parameter of a primitive.
#[derive(Debug)]
pub struct Param {
    /// Its name, for the reference and for messages.
    pub name: &'static str,
    /// The kind of argument that it takes.
    pub kind: ParamKind,
    /// Its unit; empty if the kind says enough.
    pub unit: &'static str,
    /// Its value if it is omitted.
    pub default: ParamDefault,
    /// Its meaning, in one line.
    pub doc: &'static str,
}

/// The kind of argument that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// A number, not negative; infinity means no limit.
    Number,
    /// A finite number of any sign.
    Signed,
    /// A point of the world, or an agent, whose position counts.
    Point,
    /// A direction, force or velocity, or an agent, whose velocity counts.
    Vector,
    /// An agent.
    Agent,
    /// A neighborhood, or a number, which is the radius of one.
    Neighbors,
    /// A path.
    Path,
    /// A flow field, or a vector that is the flow everywhere.
    Flow,
    /// Several forces, or directions with a strength.
    Forces,
    /// Several numbers, one for each force.
    Numbers,
    /// The number of slots of a context map: one of [`SLOTS`].
    Slots,
}

/// The numbers of slots that a context map can have.
pub const SLOTS: [usize; 3] = [8, 16, 32];

impl ParamKind {
    /// Returns the words for this kind in messages: "expected ...".
    pub fn expected(self) -> &'static str {
        match self {
            Self::Number | Self::Signed => "a number",
            Self::Point => "a point or an agent",
            Self::Vector => "a vector or an agent",
            Self::Agent => "an agent",
            Self::Neighbors => "a radius or a neighborhood",
            Self::Path => "a path or its name",
            Self::Flow => "a field, its name or a vector",
            Self::Forces => "an array of vectors",
            Self::Numbers => "an array of numbers",
            Self::Slots => "8, 16 or 32",
        }
    }
}

/// The value of a parameter that is omitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamDefault {
    /// None: the parameter is required.
    Required,
    /// A number; may be infinite.
    Number(f32),
    /// The body's `max_speed`.
    MaxSpeed,
    /// The body's `max_force`.
    MaxForce,
    /// The group's path.
    OwnPath,
}

impl ParamDefault {
    /// Returns how messages and the reference write it; `None` if the parameter is required.
    pub fn text(self) -> Option<String> {
        match self {
            Self::Required => None,
            Self::Number(number) if number == f32::INFINITY => Some("no limit".to_owned()),
            Self::Number(number) if number == std::f32::consts::FRAC_PI_4 => {
                Some("PI / 4".to_owned())
            }
            Self::Number(number) => Some(number.to_string()),
            Self::MaxSpeed => Some("me.max_speed".to_owned()),
            Self::MaxForce => Some("me.max_force".to_owned()),
            Self::OwnPath => Some("me.path".to_owned()),
        }
    }
}

/// An argument of a primitive, as plain numbers.
pub type Arg<'w> = Argument<'w, Me<'w>>;

/// Why a primitive cannot be called with these arguments.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum CallError {
    #[error("{primitive} takes {expected}, but got {given}")]
    Count { primitive: &'static str, expected: String, given: usize },
    #[error("{primitive} needs {missing}")]
    Missing { primitive: &'static str, missing: String },
    #[error("{primitive}: `{param}` must be {expected}, but is {given}")]
    Kind { primitive: &'static str, param: &'static str, expected: &'static str, given: String },
    #[error("{primitive}: `{param}` must be at least 0, but is {}", math::short(*.given))]
    Range { primitive: &'static str, param: &'static str, given: f32 },
    #[error("{primitive}: `{param}` must be a finite number, but is {given}")]
    Infinite { primitive: &'static str, param: &'static str, given: f32 },
    #[error(
        "{primitive}: `{param}` must have one number for each of {forces} forces, but has {given}"
    )]
    Length { primitive: &'static str, param: &'static str, forces: usize, given: usize },
    #[error("{primitive}: `{param}` must be 8, 16 or 32, but is {given}")]
    Slots { primitive: &'static str, param: &'static str, given: f32 },
    #[error("{primitive} needs a speed: group `{group}` has no max_speed, so pass `{param}`")]
    NoSpeed { primitive: &'static str, param: &'static str, group: String },
    #[error("{primitive} needs a path: group `{group}` has none, so pass `{param}`")]
    NoPath { primitive: &'static str, param: &'static str, group: String },
}

/// The maximum number of parameters of a primitive.
pub const MAX_PARAMS: usize = 9;

impl Primitive {
    /// Values of all fields that a definition may leave out.
    pub(super) const WITHOUT_ATTRIBUTES: Self = Self {
        name: "",
        doc: &[],
        params: &[],
        force_kind: ForceKind::Raw,
        advances_progress: false,
        sees_obstacles: false,
        searches_way: false,
        goes_straight: false,
        is_random: false,
        needs_obstacles: false,
        needs_formation: false,
        knows_place: false,
        knows_direction: false,
        prefers_a_side: false,
        needs_a_side: false,
        run: |_, _| Vec2::ZERO,
        cause: None,
    };

    /// Returns the part of a scenario without which it has nothing to work with.
    pub fn needs(&self) -> Option<ScenarioPart> {
        let obstacles = self.needs_obstacles.then_some(ScenarioPart::Obstacles);
        obstacles.or(self.needs_formation.then_some(ScenarioPart::Formation))
    }

    /// Returns the minimum number of arguments.
    pub fn required(&self) -> usize {
        self.params.iter().take_while(|param| param.default == ParamDefault::Required).count()
    }

    /// Returns whether this is one of [`COMBINATORS`], which scripts call without `me`.
    pub fn is_combinator(&self) -> bool {
        COMBINATORS.iter().any(|combinator| combinator.name == self.name)
    }

    /// Returns the signature, for messages and the reference: `seek(target, speed = me.max_speed)`.
    pub fn signature(&self) -> String {
        let params: Vec<String> = self
            .params
            .iter()
            .map(|param| match param.default.text() {
                None => param.name.to_owned(),
                Some(default) => format!("{} = {default}", param.name),
            })
            .collect();
        format!("{}({})", self.name, params.join(", "))
    }

    /// Returns how scripts call it: the signature, after `me.` unless it is a combinator.
    pub fn usage(&self) -> String {
        if self.is_combinator() { self.signature() } else { format!("me.{}", self.signature()) }
    }

    /// Returns how a message says to call it: "call it as `me.seek(target, speed?)`". A default would look like a named argument, which
    /// scripts do not have.
    #[doc(hidden)]
    pub fn how_to_call(&self) -> String {
        let optional =
            |param: &Param| if param.default == ParamDefault::Required { "" } else { "?" };
        let params = self.params.iter().map(|param| format!("{}{}", param.name, optional(param)));
        let me = if self.is_combinator() { "" } else { "me." };
        format!("call it as `{me}{}({})`", self.name, params.collect::<Vec<_>>().join(", "))
    }

    /// Returns the shortest call of a script, with the names of the parameters that have no default.
    pub fn shortest_usage(&self) -> String {
        let params: Vec<&str> =
            self.params[..self.required()].iter().map(|param| param.name).collect();
        let me = if self.is_combinator() { "" } else { "me." };
        format!("{me}{}({})", self.name, params.join(", "))
    }

    /// Calls it with arguments of the kinds of its parameters; omitted ones get their defaults. A primitive that
    /// follows a path changes the progress of `me`.
    ///
    /// # Errors
    ///
    /// If there are too few or too many arguments, if a number is negative or NaN, or if a default does not exist.
    pub fn call<'w>(&self, me: &Me<'w>, given: &[Arg<'w>]) -> Result<Vec2, CallError> {
        let args = self.with_defaults(me, given)?;
        let force = (self.run)(me, &args[..self.params.len()]);
        debug_assert!(force.is_finite(), "{} gave {force}", self.name);
        Ok(force)
    }

    /// Returns the desired velocity behind a force that this primitive returned to an agent with the velocity
    /// `vel`. `None` if the force does not come from a desired velocity.
    pub fn desired_velocity(&self, answer: Vec2, vel: Vec2) -> Option<Vec2> {
        let acts = match self.force_kind {
            ForceKind::ToDesiredVelocity => true,
            ForceKind::ToDesiredVelocityOrZero => answer != Vec2::ZERO,
            ForceKind::Raw | ForceKind::Index => false,
        };
        acts.then(|| answer + vel)
    }

    /// Returns what it reacts to. Ask before the call, which may advance the agent along a path. `None` if it
    /// reacts to nothing outside of the agent, or if the arguments are wrong.
    pub fn cause<'w>(&self, me: &Me<'w>, given: &[Arg<'w>]) -> Option<Cause> {
        let args = self.with_defaults(me, given).ok()?;
        let args = &args[..self.params.len()];
        if let Some(cause) = self.cause {
            return cause(me, args);
        }
        let mut args = self.params.iter().zip(args);
        args.find_map(|(param, arg)| Cause::from_arg(me, param.kind, *arg))
    }

    /// Returns the arguments, with defaults for the omitted ones; elements after the last one have no meaning.
    ///
    /// # Errors
    ///
    /// The same as those of [`Self::call`].
    #[doc(hidden)]
    #[inline]
    pub fn with_defaults<'w>(
        &self,
        me: &Me<'w>,
        given: &[Arg<'w>],
    ) -> Result<[Arg<'w>; MAX_PARAMS], CallError> {
        if given.len() < self.required() || given.len() > self.params.len() {
            return Err(self.wrong_count(given.len()));
        }
        let mut args = [Arg::Number(0.0); MAX_PARAMS];
        for (i, param) in self.params.iter().enumerate() {
            let arg = match given.get(i) {
                Some(&arg) => arg,
                None => self.default(me, param)?,
            };
            self.check(me, param, arg)?;
            args[i] = arg;
        }
        self.check_lengths(&args)?;
        Ok(args)
    }

    /// Checks that each list of numbers has one for each force.
    fn check_lengths(&self, args: &[Arg<'_>]) -> Result<(), CallError> {
        let Some(Arg::Forces(forces)) = args.first() else { return Ok(()) };
        for (param, arg) in self.params.iter().zip(args) {
            if let Arg::Numbers(numbers) = arg {
                self.check_length(param, forces.len(), numbers.len())?;
            }
        }
        Ok(())
    }

    /// Checks that a list of numbers has one for each force.
    #[doc(hidden)]
    pub fn check_length(
        &self,
        param: &Param,
        forces: usize,
        given: usize,
    ) -> Result<(), CallError> {
        if given == forces {
            return Ok(());
        }
        Err(CallError::Length { primitive: self.name, param: param.name, forces, given })
    }

    /// Returns a number of slots, if there can be so many.
    pub fn slots(&self, param: &Param, given: f32) -> Result<usize, CallError> {
        let slots = SLOTS.into_iter().find(|&slots| slots as f32 == given);
        slots.ok_or(CallError::Slots { primitive: self.name, param: param.name, given })
    }

    /// Returns the error for a wrong number of arguments.
    #[doc(hidden)]
    pub fn wrong_count(&self, given: usize) -> CallError {
        let (least, most) = (self.required(), self.params.len());
        if let Some(missing @ [_, ..]) = self.params[..least].get(given..) {
            let names: Vec<String> =
                missing.iter().map(|param| format!("`{}`", param.name)).collect();
            return CallError::Missing { primitive: self.name, missing: names.join(" and ") };
        }
        let expected = match (least, most) {
            (1, 1) => "1 argument".to_owned(),
            _ if least == most => format!("{least} arguments"),
            _ => format!("{least} to {most} arguments"),
        };
        CallError::Count { primitive: self.name, expected, given }
    }

    fn default<'w>(&self, me: &Me<'w>, param: &Param) -> Result<Arg<'w>, CallError> {
        match param.default {
            ParamDefault::Required => Err(self.wrong_count(0)),
            ParamDefault::Number(x) if param.kind == ParamKind::Neighbors => {
                Ok(Arg::Neighbors(Neighborhood::within(x)))
            }
            ParamDefault::Number(x) if param.kind == ParamKind::Slots => {
                self.slots(param, x).map(Arg::Slots)
            }
            ParamDefault::Number(x) => Ok(Arg::Number(x)),
            ParamDefault::MaxSpeed => Ok(Arg::Number(me.body().max_speed)),
            ParamDefault::MaxForce => Ok(Arg::Number(me.body().max_force)),
            ParamDefault::OwnPath => me.path().map(Arg::Path).ok_or_else(|| CallError::NoPath {
                primitive: self.name,
                param: param.name,
                group: me.group().name.to_string(),
            }),
        }
    }

    fn check(&self, me: &Me<'_>, param: &Param, arg: Arg<'_>) -> Result<(), CallError> {
        let x = match arg {
            Arg::Number(x) => x,
            Arg::Neighbors(which) => which.radius,
            _ => return Ok(()),
        };
        if param.default == ParamDefault::MaxSpeed && x == f32::INFINITY {
            return Err(CallError::NoSpeed {
                primitive: self.name,
                param: param.name,
                group: me.group().name.to_string(),
            });
        }
        if param.kind == ParamKind::Signed {
            let infinite =
                || CallError::Infinite { primitive: self.name, param: param.name, given: x };
            return if x.is_finite() { Ok(()) } else { Err(infinite()) };
        }
        if x >= 0.0 {
            return Ok(());
        }
        let name = if param.kind == ParamKind::Neighbors { Param::RADIUS } else { param.name };
        Err(CallError::Range { primitive: self.name, param: name, given: x })
    }
}

impl Param {
    /// What a number is called that is given in place of a neighborhood.
    pub const RADIUS: &str = "radius";

    /// The speed of the desired velocity; the body's maximum speed if omitted. Always finite.
    pub(super) const SPEED: Self = Self {
        name: "speed",
        kind: ParamKind::Number,
        unit: "world units/s",
        default: ParamDefault::MaxSpeed,
        doc: "the speed of the desired velocity",
    };

    /// Makes a number that is required unless [`Param::or`] adds a default.
    pub(super) const fn number(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, kind: ParamKind::Number, unit, default: ParamDefault::Required, doc }
    }

    /// Makes a number of any sign.
    pub(super) const fn signed(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, kind: ParamKind::Signed, unit, default: ParamDefault::Required, doc }
    }

    /// Makes a point of the world.
    pub(super) const fn point(name: &'static str, doc: &'static str) -> Self {
        Self {
            name,
            kind: ParamKind::Point,
            unit: "world units",
            default: ParamDefault::Required,
            doc,
        }
    }

    /// Makes a neighborhood.
    pub(super) const fn neighbors(name: &'static str, doc: &'static str) -> Self {
        Self {
            name,
            kind: ParamKind::Neighbors,
            unit: "world units",
            default: ParamDefault::Required,
            doc,
        }
    }

    /// The forces that a combinator combines.
    pub(super) const FORCES: Self = Self {
        name: "forces",
        kind: ParamKind::Forces,
        unit: "",
        default: ParamDefault::Required,
        doc: "the forces, most important first",
    };

    /// Makes a list of vectors.
    pub(super) const fn vectors(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: ParamKind::Forces, unit: "", default: ParamDefault::Required, doc }
    }

    /// Makes a list of numbers, one for each force.
    pub(super) const fn numbers(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: ParamKind::Numbers, unit: "", default: ParamDefault::Required, doc }
    }

    /// The number of slots of a context map.
    pub(super) const SLOTS: Self = Self {
        name: "slots",
        kind: ParamKind::Slots,
        unit: "",
        default: ParamDefault::Number(16.0),
        doc: "the number of directions: 8, 16 or 32",
    };

    /// The maximum length of the sum; the body's maximum force if omitted.
    pub(super) const MAX_FORCE: Self = Self {
        name: "max_force",
        kind: ParamKind::Number,
        unit: "",
        default: ParamDefault::MaxForce,
        doc: "the maximum length of the sum",
    };

    /// Makes a direction, force or velocity.
    pub(super) const fn vector(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: ParamKind::Vector, unit: "", default: ParamDefault::Required, doc }
    }

    /// Makes an agent.
    pub(super) const fn agent(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: ParamKind::Agent, unit: "", default: ParamDefault::Required, doc }
    }

    /// Makes a path; the group's path if omitted.
    pub(super) const fn path(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: ParamKind::Path, unit: "", default: ParamDefault::OwnPath, doc }
    }

    /// Makes a flow to move with.
    pub(super) const fn flow(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: ParamKind::Flow, unit: "", default: ParamDefault::Required, doc }
    }

    /// Returns the same parameter with a number as its default.
    pub(super) const fn or(self, number: f32) -> Self {
        Self { default: ParamDefault::Number(number), ..self }
    }
}

/// The type of a parameter in an algebra.
macro_rules! argument {
    (Forces, $algebra:ident) => {
        &[<$algebra as $crate::steer::Algebra>::Vector]
    };
    (Signed, $algebra:ident) => {
        <$algebra as $crate::steer::Algebra>::Number
    };
    (Numbers, $algebra:ident) => {
        &[<$algebra as $crate::steer::Algebra>::Number]
    };
    (Slots, $algebra:ident) => {
        usize
    };
    (Flow, $algebra:ident) => {
        $crate::steer::Flow<$algebra>
    };
    ($type:ident, $algebra:ident) => {
        <$algebra as $crate::steer::Algebra>::$type
    };
}
pub(super) use argument;

/// Takes the next argument, of a given type. If the kinds of a table entry and the types of its function do not
/// agree, the tests that call every entry fail.
macro_rules! take {
    ($args:ident, Signed) => {
        $crate::steer::table::take!($args, Number)
    };
    ($args:ident, $type:ident) => {
        match $args.next() {
            Some($crate::steer::Argument::$type(value)) => *value,
            _ => unreachable!("the types of a primitive are not those of its parameters"),
        }
    };
}
pub(super) use take;

/// Makes a primitive: the function over any [`Algebra`](super::Algebra), and its entry in the table.
///
/// The documentation becomes that of the function and the text of the reference. Each parameter has a type and a
/// description. After `returns` comes one of [`ForceKind`]. A primitive that `combines` needs no perception of the world;
/// one that `chooses` returns an index. Then come its attributes, each after `and`: any field of [`Primitive`] that is
/// true or false. The block after `reacts_to` returns what the primitive reacts to, where no argument says it, or `None`
/// if it reacts to nothing outside of the agent.
macro_rules! primitive {
    ($(#[doc = $doc:literal])* $name:ident($me:ident $(, $arg:ident: $type:ident = $param:expr)* $(,)?) returns $force_kind:ident $(and $attribute:ident)* $body:block $(reacts_to $cause:block)?) => {
        $crate::steer::table::primitive!(
            @make Perception Vector $(#[doc = $doc])* $name($me $(, $arg: $type = $param)*) $force_kind
            ($($attribute)*) $body ($($cause)?)
        );
    };
    ($(#[doc = $doc:literal])* $name:ident($me:ident $(, $arg:ident: $type:ident = $param:expr)* $(,)?) combines $(and $attribute:ident)* $body:block) => {
        $crate::steer::table::primitive!(
            @make Algebra Vector $(#[doc = $doc])* $name($me $(, $arg: $type = $param)*) Raw ($($attribute)*) $body ()
        );
    };
    ($(#[doc = $doc:literal])* $name:ident($me:ident $(, $arg:ident: $type:ident = $param:expr)* $(,)?) chooses $(and $attribute:ident)* $body:block) => {
        $crate::steer::table::primitive!(
            @make Algebra Number $(#[doc = $doc])* $name($me $(, $arg: $type = $param)*) Index ($($attribute)*) $body ()
        );
    };
    (@make $over:ident $result:ident $(#[doc = $doc:literal])* $name:ident($me:ident $(, $arg:ident: $type:ident = $param:expr)*) $force_kind:ident ($($attribute:ident)*) $body:block ($($cause:block)?)) => {
        $(#[doc = $doc])*
        #[inline]
        pub fn $name<A: $crate::steer::$over>(
            $me: &A $(, $arg: $crate::steer::table::argument!($type, A))*
        ) -> A::$result $body

        pub(super) const ENTRY: $crate::steer::Primitive = $crate::steer::Primitive {
            name: stringify!($name),
            doc: &[$($doc),*],
            params: &[$($param),*],
            force_kind: $crate::steer::ForceKind::$force_kind,
            run: |me, args| evaluate(me, args),
            cause: $crate::steer::table::cause_fn!(($me $(, $arg: $type)*) $($cause)?),
            $($attribute: true,)*
            ..$crate::steer::Primitive::WITHOUT_ATTRIBUTES
        };

        pub(super) fn evaluate<A: $crate::steer::$over>(
            me: &A,
            args: &[$crate::steer::Argument<'_, A>],
        ) -> A::Vector {
            let mut args = args.iter();
            let result = $name(me $(, $crate::steer::table::take!(args, $type))*);
            $crate::steer::table::as_vector!(me, $result, result)
        }
    };
}
pub(super) use primitive;

/// Returns the result of a primitive as a vector.
macro_rules! as_vector {
    ($me:ident, Vector, $result:ident) => {
        $result
    };
    ($me:ident, Number, $result:ident) => {
        $crate::steer::Vector::new($result, $me.number(0.0))
    };
}
pub(super) use as_vector;

/// Makes the function of a table entry that returns what a primitive reacts to.
macro_rules! cause_fn {
    (($me:ident $(, $arg:ident: $type:ident)*)) => {
        None
    };
    (($me:ident $(, $arg:ident: $type:ident)*) $cause:block) => {
        Some(|$me, args| {
            let mut args = args.iter();
            $(let $arg = $crate::steer::table::take!(args, $type);)*
            // Not every parameter matters.
            let _ = ($(&$arg),*);
            // A block may return early.
            let cause = || $cause;
            Option::from(cause())
        })
    };
}
pub(super) use cause_fn;
