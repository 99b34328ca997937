//! What the table of primitives is made of: an entry with its parameters, and how it is called with
//! arguments that are only known when it runs.

use super::{COMBINATORS, Cause, Value};
use crate::math::Vec2;
use crate::world::{Me, Neighborhood};

/// Returns what a primitive reacts to, given one argument for each parameter.
type CauseFn = for<'w> fn(&Me<'w>, &[Arg<'w>]) -> Cause;

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
    /// How its force relates to a desired velocity.
    pub force_kind: ForceKind,
    /// Whether calling it advances the agent to the next waypoint of a path, see [`Me::progress`].
    pub advances_progress: bool,
    /// Applies it, for as many arguments as there are parameters, each of its parameter's kind. The
    /// agent's progress on paths is the one thing that a primitive may change.
    pub(super) run: for<'w> fn(&Me<'w>, &[Arg<'w>]) -> Vec2,
    /// What it reacts to, where none of its arguments says it: see [`Cause::from_arg`].
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
}

/// A parameter of a primitive.
#[derive(Debug)]
pub struct Param {
    /// Its name, for the reference and for messages.
    pub name: &'static str,
    /// What it takes.
    pub kind: ParamKind,
    /// Its unit; empty where the kind says it all.
    pub unit: &'static str,
    /// What stands in where it is left out.
    pub default: ParamDefault,
    /// What it means, in one line.
    pub doc: &'static str,
}

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
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

impl ParamKind {
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
pub enum ParamDefault {
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
    #[error("{primitive} takes {expected}, but got {given}")]
    Count { primitive: &'static str, expected: String, given: usize },
    #[error("{primitive}: `{param}` must be {expected}, but is {given}")]
    Kind { primitive: &'static str, param: &'static str, expected: &'static str, given: String },
    #[error("{primitive}: `{param}` must be at least 0, but is {given}")]
    Range { primitive: &'static str, param: &'static str, given: f32 },
    #[error("{primitive} needs a speed: group `{group}` has no max_speed, so give `{param}`")]
    NoSpeed { primitive: &'static str, param: &'static str, group: String },
    #[error("{primitive} needs a path: group `{group}` has none, so give `{param}`")]
    NoPath { primitive: &'static str, param: &'static str, group: String },
}

/// The most parameters a primitive has.
pub const MAX_PARAMS: usize = 6;

impl Primitive {
    /// How many arguments have to be given at least.
    pub fn required(&self) -> usize {
        self.params.iter().take_while(|param| param.default == ParamDefault::Required).count()
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
                ParamDefault::Required => param.name.to_owned(),
                ParamDefault::Number(x) => format!("{} = {x}", param.name),
                ParamDefault::MaxSpeed => format!("{} = me.max_speed", param.name),
                ParamDefault::MaxForce => format!("{} = me.max_force", param.name),
                ParamDefault::OwnPath => format!("{} = me.path", param.name),
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
    pub fn desired_velocity(&self, answer: Vec2, vel: Vec2) -> Option<Vec2> {
        let acts = match self.force_kind {
            ForceKind::ToDesiredVelocity => true,
            ForceKind::ToDesiredVelocityOrZero => answer != Vec2::ZERO,
            ForceKind::Raw => false,
        };
        acts.then(|| answer + vel)
    }

    /// What it reacts to. Asked before the call, which may move the agent on along a path. None where it
    /// reacts to nobody, or does not take the arguments.
    pub fn cause<'w>(&self, me: &Me<'w>, given: &[Arg<'w>]) -> Option<Cause> {
        let args = self.complete(me, given).ok()?;
        let args = &args[..self.params.len()];
        if let Some(cause) = self.cause {
            return Some(cause(me, args));
        }
        let mut args = self.params.iter().zip(args);
        args.find_map(|(param, arg)| Cause::from_arg(me, param.kind, *arg))
    }

    /// The arguments with the defaults of those left out.
    #[inline]
    fn complete<'w>(
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
            ParamDefault::Required => Err(self.wrong_count(0)),
            ParamDefault::Number(x) if param.kind == ParamKind::Neighbors => {
                Ok(Arg::Neighbors(Neighborhood::within(x)))
            }
            ParamDefault::Number(x) => Ok(Arg::Number(x)),
            ParamDefault::MaxSpeed => Ok(Arg::Number(me.body().max_speed)),
            ParamDefault::MaxForce => Ok(Arg::Number(me.body().max_force)),
            ParamDefault::OwnPath => {
                me.group().path.map(Arg::Path).ok_or_else(|| CallError::NoPath {
                    primitive: self.name,
                    param: param.name,
                    group: me.group().name.to_string(),
                })
            }
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
        kind: ParamKind::Number,
        unit: "world units/s",
        default: ParamDefault::MaxSpeed,
        doc: "the speed of the desired velocity",
    };

    /// A number that has to be given, or has the default that [`Param::or`] adds.
    pub(super) const fn number(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, kind: ParamKind::Number, unit, default: ParamDefault::Required, doc }
    }

    /// A point of the world.
    pub(super) const fn point(name: &'static str, doc: &'static str) -> Self {
        Self {
            name,
            kind: ParamKind::Point,
            unit: "world units",
            default: ParamDefault::Required,
            doc,
        }
    }

    /// Others near the agent.
    pub(super) const fn neighbors(name: &'static str, doc: &'static str) -> Self {
        Self {
            name,
            kind: ParamKind::Neighbors,
            unit: "world units",
            default: ParamDefault::Required,
            doc,
        }
    }

    /// The forces that a combinator makes one of.
    pub(super) const FORCES: Self = Self {
        name: "forces",
        kind: ParamKind::Forces,
        unit: "",
        default: ParamDefault::Required,
        doc: "the forces, most important first",
    };

    /// The greatest length of the sum, which is the body's greatest force if left out.
    pub(super) const MAX_FORCE: Self = Self {
        name: "max_force",
        kind: ParamKind::Number,
        unit: "",
        default: ParamDefault::MaxForce,
        doc: "the maximum length of the sum",
    };

    /// A direction, force or velocity.
    pub(super) const fn vector(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: ParamKind::Vector, unit: "", default: ParamDefault::Required, doc }
    }

    /// An agent.
    pub(super) const fn agent(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: ParamKind::Agent, unit: "", default: ParamDefault::Required, doc }
    }

    /// A path, which is the group's if left out.
    pub(super) const fn path(name: &'static str, doc: &'static str) -> Self {
        Self { name, kind: ParamKind::Path, unit: "", default: ParamDefault::OwnPath, doc }
    }

    /// The same with a number to stand in.
    pub(super) const fn or(self, number: f32) -> Self {
        Self { default: ParamDefault::Number(number), ..self }
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
/// and its description. What follows `wants` is one of [`ForceKind`], with `and moves` for a primitive that moves
/// the agent on along a path; what follows `because` says what the
/// primitive reacts to, from the same parameters, where no argument says it by itself. What `combines` needs no
/// perception of the world.
macro_rules! primitive {
    ($(#[doc = $doc:literal])* $name:ident($me:ident $(, $arg:ident: $type:ident = $param:expr)* $(,)?) returns $force_kind:ident $(and $advances:ident)? $body:block $(reacts_to $cause:block)?) => {
        $crate::steer::table::primitive!(
            @make Perception $(#[doc = $doc])* $name($me $(, $arg: $type = $param)*) $force_kind ($($advances)?)
            $body ($($cause)?)
        );
    };
    ($(#[doc = $doc:literal])* $name:ident($me:ident $(, $arg:ident: $type:ident = $param:expr)* $(,)?) combines $body:block) => {
        $crate::steer::table::primitive!(
            @make Algebra $(#[doc = $doc])* $name($me $(, $arg: $type = $param)*) Raw () $body ()
        );
    };
    (@make $over:ident $(#[doc = $doc:literal])* $name:ident($me:ident $(, $arg:ident: $type:ident = $param:expr)*) $force_kind:ident ($($advances:ident)?) $body:block ($($cause:block)?)) => {
        $(#[doc = $doc])*
        #[inline]
        pub fn $name<A: $crate::steer::$over>(
            $me: &A $(, $arg: $crate::steer::table::argument!($type, A))*
        ) -> A::Vector $body

        pub(super) const ENTRY: $crate::steer::Primitive = $crate::steer::Primitive {
            name: stringify!($name),
            doc: &[$($doc),*],
            params: &[$($param),*],
            force_kind: $crate::steer::ForceKind::$force_kind,
            advances_progress: $crate::steer::table::advances!($($advances)?),
            run: |me, args| read(me, args),
            cause: $crate::steer::table::cause_fn!(($me $(, $arg: $type)*) $($cause)?),
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
macro_rules! advances {
    () => {
        false
    };
    (advances) => {
        true
    };
}
pub(super) use advances;

/// Makes the function of a table entry that says what a primitive reacts to.
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
            $cause
        })
    };
}
pub(super) use cause_fn;
