//! What the table of primitives is made of: an entry with its parameters, and how it is called with
//! arguments that are only known when it runs.

use super::{COMBINATORS, Cause, Value};
use crate::math::Vec2;
use crate::world::{Me, Neighborhood};

/// Says because of whom a primitive gives what it gives to these arguments, one for each parameter.
type Because = for<'w> fn(&Me<'w>, &[Arg<'w>]) -> Cause;

/// The unit of angles.
pub const RADIANS: &str = "rad";

/// A primitive as the table lists it.
#[derive(Debug)]
pub struct Primitive {
    /// What scripts call it.
    pub name: &'static str,
    /// What it means, line by line: the first is a summary; formula, source and edge cases follow.
    pub doc: &'static [&'static str],
    /// What it takes, in order; those with a default may be left out from the end.
    pub params: &'static [Param],
    /// How what it answers comes from a velocity.
    pub wants: Wants,
    /// Whether it moves the agent on along a path, see [`Me::progress`].
    pub moves_progress: bool,
    /// Applies it, for as many arguments as there are parameters, each of its parameter's kind. The
    /// agent's progress on paths is the one thing that a primitive may change.
    pub(super) run: for<'w> fn(&Me<'w>, &[Arg<'w>]) -> Vec2,
    /// Because of whom, where no argument of its own says it: see [`Cause::of`].
    pub(super) because: Option<Because>,
}

/// How a primitive's answer comes from a velocity that it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// It is the velocity wanted minus the agent's own.
    Always,
    /// It is that, or zero where there is nothing to do.
    Sometimes,
    /// It is no such difference, or not always.
    Never,
}

/// A parameter of a primitive.
#[derive(Debug)]
pub struct Param {
    /// Its name, for the reference and for messages.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Its unit; empty where the kind says it all.
    pub unit: &'static str,
    /// What stands in where it is left out.
    pub default: Default,
    /// What it means, in one line.
    pub doc: &'static str,
}

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number, not negative; infinity means no limit.
    Number,
    /// A point of the world, or an agent for where it is.
    Point,
    /// A direction, force or velocity, or an agent for its velocity.
    Vector,
    /// An agent.
    Agent,
    /// A neighborhood, or a number for everyone else within that radius.
    Neighbors,
    /// A path.
    Path,
    /// Several forces.
    Forces,
}

impl Kind {
    /// What to call it in a message.
    pub fn expected(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Point => "a point or an agent",
            Self::Vector => "a vector or an agent",
            Self::Agent => "an agent",
            Self::Neighbors => "a radius or a neighborhood",
            Self::Path => "a path or its name",
            Self::Forces => "an array of vectors",
        }
    }
}

/// What stands in for a parameter that is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    /// Nothing: it has to be given.
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

/// An argument of a primitive, as plain numbers.
pub type Arg<'w> = Value<'w, Me<'w>>;

/// Why a primitive could not be applied.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum CallError {
    #[error("{primitive} takes {expected}, and got {given}")]
    Count { primitive: &'static str, expected: String, given: usize },
    #[error("{primitive}: `{param}` must be {expected}, and is {given}")]
    Kind { primitive: &'static str, param: &'static str, expected: &'static str, given: String },
    #[error("{primitive}: `{param}` must be a number from 0, and is {given}")]
    Range { primitive: &'static str, param: &'static str, given: f32 },
    #[error("{primitive} needs a speed: group `{group}` has no max_speed, so give `{param}`")]
    NoSpeed { primitive: &'static str, param: &'static str, group: String },
    #[error("{primitive} needs a path: group `{group}` has none, so give `{param}`")]
    NoPath { primitive: &'static str, param: &'static str, group: String },
}

/// The most parameters a primitive has.
pub const MOST_PARAMS: usize = 6;

impl Primitive {
    /// How many arguments have to be given at least.
    pub fn required(&self) -> usize {
        self.params.iter().take_while(|param| param.default == Default::Required).count()
    }

    /// Whether this is one of [`COMBINATORS`], which scripts call without `me`.
    pub fn is_combinator(&self) -> bool {
        COMBINATORS.iter().any(|combinator| combinator.name == self.name)
    }

    /// How it is called, for messages and the reference: `seek(target, speed = max_speed)`.
    pub fn signature(&self) -> String {
        let params: Vec<String> = self
            .params
            .iter()
            .map(|param| match param.default {
                Default::Required => param.name.to_owned(),
                Default::Number(x) => format!("{} = {x}", param.name),
                Default::MaxSpeed => format!("{} = me.max_speed", param.name),
                Default::MaxForce => format!("{} = me.max_force", param.name),
                Default::OwnPath => format!("{} = me.path", param.name),
            })
            .collect();
        format!("{}({})", self.name, params.join(", "))
    }

    /// How scripts call it: the signature, on `me` unless it is a combinator.
    pub fn usage(&self) -> String {
        if self.is_combinator() { self.signature() } else { format!("me.{}", self.signature()) }
    }

    /// Applies it to arguments, each of its parameter's kind; those left out get their defaults. A primitive
    /// that follows a path changes the progress of `me`.
    pub fn call<'w>(&self, me: &Me<'w>, given: &[Arg<'w>]) -> Result<Vec2, CallError> {
        let args = self.complete(me, given)?;
        let force = (self.run)(me, &args[..self.params.len()]);
        debug_assert!(force.is_finite(), "{} gave {force}", self.name);
        Ok(force)
    }

    /// The velocity that an agent of a velocity is steered to by an answer; `None` where it goes by none.
    pub fn wanted(&self, answer: Vec2, vel: Vec2) -> Option<Vec2> {
        let acts = match self.wants {
            Wants::Always => true,
            Wants::Sometimes => answer != Vec2::ZERO,
            Wants::Never => false,
        };
        acts.then(|| answer + vel)
    }

    /// What it reacts to. Asked before the call, which may move the agent on along a path. None where it
    /// reacts to nobody, or does not take the arguments.
    pub fn because<'w>(&self, me: &Me<'w>, given: &[Arg<'w>]) -> Option<Cause> {
        let args = self.complete(me, given).ok()?;
        let args = &args[..self.params.len()];
        if let Some(because) = self.because {
            return Some(because(me, args));
        }
        let mut args = self.params.iter().zip(args);
        args.find_map(|(param, arg)| Cause::of(me, param.kind, *arg))
    }

    /// The arguments with the defaults of those left out.
    #[inline]
    fn complete<'w>(
        &self,
        me: &Me<'w>,
        given: &[Arg<'w>],
    ) -> Result<[Arg<'w>; MOST_PARAMS], CallError> {
        if given.len() < self.required() || given.len() > self.params.len() {
            return Err(self.wrong_count(given.len()));
        }
        let mut args = [Arg::Number(0.0); MOST_PARAMS];
        for (i, param) in self.params.iter().enumerate() {
            let arg = match given.get(i) {
                Some(&arg) => arg,
                None => self.default(me, param)?,
            };
            self.check(me, param, arg)?;
            args[i] = arg;
        }
        Ok(args)
    }

    /// The error for a number of arguments that it does not take.
    pub fn wrong_count(&self, given: usize) -> CallError {
        let (least, most) = (self.required(), self.params.len());
        let expected = match (least, most) {
            (1, 1) => "1 argument".to_owned(),
            _ if least == most => format!("{least} arguments"),
            _ => format!("{least} to {most} arguments"),
        };
        CallError::Count { primitive: self.name, expected, given }
    }

    fn default<'w>(&self, me: &Me<'w>, param: &Param) -> Result<Arg<'w>, CallError> {
        match param.default {
            Default::Required => Err(self.wrong_count(0)),
            Default::Number(x) if param.kind == Kind::Neighbors => {
                Ok(Arg::Neighbors(Neighborhood::within(x)))
            }
            Default::Number(x) => Ok(Arg::Number(x)),
            Default::MaxSpeed => Ok(Arg::Number(me.body().max_speed)),
            Default::MaxForce => Ok(Arg::Number(me.body().max_force)),
            Default::OwnPath => me.group().path.map(Arg::Path).ok_or_else(|| CallError::NoPath {
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
        if param.default == Default::MaxSpeed && x == f32::INFINITY {
            return Err(CallError::NoSpeed {
                primitive: self.name,
                param: param.name,
                group: me.group().name.to_string(),
            });
        }
        if x >= 0.0 {
            return Ok(());
        }
        Err(CallError::Range { primitive: self.name, param: param.name, given: x })
    }
}

impl Param {
    /// A speed to want, which is the body's greatest if left out. Always finite.
    pub(super) const SPEED: Self = Self {
        name: "speed",
        kind: Kind::Number,
        unit: "world units/s",
        default: Default::MaxSpeed,
        doc: "how fast to want to go",
    };

    /// A number that has to be given, or has the default that [`Param::or`] adds.
    pub(super) const fn number(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, kind: Kind::Number, unit, default: Default::Required, doc }
    }

    /// A point of the world.
    pub(super) const fn point(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: Kind::Point, unit: "world units", default: Default::Required, doc }
    }

    /// Others near the agent.
    pub(super) const fn neighbors(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: Kind::Neighbors, unit: "world units", default: Default::Required, doc }
    }

    /// The forces that a combinator makes one of.
    pub(super) const FORCES: Self = Self {
        name: "forces",
        kind: Kind::Forces,
        unit: "",
        default: Default::Required,
        doc: "a list of forces, the most important first",
    };

    /// The greatest length of the sum, which is the body's greatest force if left out.
    pub(super) const MOST: Self = Self {
        name: "most",
        kind: Kind::Number,
        unit: "",
        default: Default::MaxForce,
        doc: "how much force there is",
    };

    /// A direction, force or velocity.
    pub(super) const fn vector(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: Kind::Vector, unit: "", default: Default::Required, doc }
    }

    /// An agent.
    pub(super) const fn agent(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: Kind::Agent, unit: "", default: Default::Required, doc }
    }

    /// A path, which is the group's if left out.
    pub(super) const fn path(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: Kind::Path, unit: "", default: Default::OwnPath, doc }
    }

    /// The same with a number to stand in.
    pub(super) const fn or(self, number: f32) -> Self {
        Self { default: Default::Number(number), ..self }
    }
}

/// The type of a parameter in a reading.
macro_rules! argument {
    (Forces, $algebra:ident) => {
        &[<$algebra as $crate::steer::Algebra>::Vector]
    };
    ($type:ident, $algebra:ident) => {
        <$algebra as $crate::steer::Algebra>::$type
    };
}
pub(super) use argument;

/// Takes the next argument out, of a kind that is also the name of its type. The kinds of a table entry and
/// the types of its function agree, or the tests, which call every entry, fail.
macro_rules! take {
    ($args:ident, $type:ident) => {
        match $args.next() {
            Some($crate::steer::Value::$type(value)) => *value,
            _ => unreachable!("the types of a primitive are not those of its parameters"),
        }
    };
}
pub(super) use take;

/// Makes a primitive: the function over any [`Algebra`](super::Algebra), and its entry for the table. The
/// documentation becomes both the function's own and the reference. Each parameter stands with its type
/// and its description. What follows `wants` is one of [`Wants`], with `and moves` for a primitive that moves
/// the agent on along a path; what follows `because` says what the
/// primitive reacts to, from the same parameters, where no argument says it by itself. What `combines` needs no
/// perception of the world.
macro_rules! primitive {
    ($(#[doc = $doc:literal])* $name:ident($me:ident $(, $arg:ident: $type:ident = $param:expr)* $(,)?) wants $wants:ident $(and $moves:ident)? $body:block $(because $cause:block)?) => {
        $crate::steer::table::primitive!(
            @make Perception $(#[doc = $doc])* $name($me $(, $arg: $type = $param)*) $wants ($($moves)?)
            $body ($($cause)?)
        );
    };
    ($(#[doc = $doc:literal])* $name:ident($me:ident $(, $arg:ident: $type:ident = $param:expr)* $(,)?) combines $body:block) => {
        $crate::steer::table::primitive!(
            @make Algebra $(#[doc = $doc])* $name($me $(, $arg: $type = $param)*) Never () $body ()
        );
    };
    (@make $over:ident $(#[doc = $doc:literal])* $name:ident($me:ident $(, $arg:ident: $type:ident = $param:expr)*) $wants:ident ($($moves:ident)?) $body:block ($($cause:block)?)) => {
        $(#[doc = $doc])*
        #[inline]
        pub fn $name<A: $crate::steer::$over>(
            $me: &A $(, $arg: $crate::steer::table::argument!($type, A))*
        ) -> A::Vector $body

        pub(super) const ENTRY: $crate::steer::Primitive = $crate::steer::Primitive {
            name: stringify!($name),
            doc: &[$($doc),*],
            params: &[$($param),*],
            wants: $crate::steer::Wants::$wants,
            moves_progress: $crate::steer::table::moves!($($moves)?),
            run: |me, args| read(me, args),
            because: $crate::steer::table::because!(($me $(, $arg: $type)*) $($cause)?),
        };

        pub(super) fn read<A: $crate::steer::$over>(
            me: &A,
            args: &[$crate::steer::Value<'_, A>],
        ) -> A::Vector {
            let mut args = args.iter();
            $name(me $(, $crate::steer::table::take!(args, $type))*)
        }
    };
}
pub(super) use primitive;

/// Whether a primitive is said to move the agent on along a path.
macro_rules! moves {
    () => {
        false
    };
    (moves) => {
        true
    };
}
pub(super) use moves;

/// Makes the function of a table entry that says what a primitive reacts to.
macro_rules! because {
    (($me:ident $(, $arg:ident: $type:ident)*)) => {
        None
    };
    (($me:ident $(, $arg:ident: $type:ident)*) $cause:block) => {
        Some(|$me, args| {
            let mut args = args.iter();
            $(let $arg = $crate::steer::table::take!(args, $type);)*
            // Not every parameter matters.
            let _ = ($(&$arg),*);
            $cause
        })
    };
}
pub(super) use because;
