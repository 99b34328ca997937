//! Definitions read as values of a script: what the interpreter calls.
//!
//! The same reading serves plain values and those of a turn that is traced, see [`Values`].

use std::marker::PhantomData;

use rhai::{Dynamic, INT, ImmutableString};

use super::define::{Function, Goal, Kind, Maybe, Perhaps, Reading, Readings, Value};
use super::neighbors::Sums;
use super::{Itself, Nearby, Other, Thing, Way, finite, others, surroundings};
use crate::math::{self, Compare, Vec2};
use crate::program::{
    AgentInteger, AgentNumber, AskObstacle, AskOther, AskPath, I2, SharedInteger, SharedNumber,
};
use crate::script::error::{self, Problem, Result};
use crate::script::turn::{self, Turn};
use crate::script::value;
use crate::steer::{self, Algebra};
use crate::world::{Agent, GroupId, MeanSums, Neighborhood, ObstacleId, PathId, View};

/// A body read for values of a script.
pub(in crate::script) type Read<W> = fn(&Plain<'_, W>) -> Result<Dynamic>;

/// Which numbers and vectors a script computes with.
pub(in crate::script) trait Values: Send + Sync + Sized + 'static {
    type Number: steer::Number<Truth = bool> + Held<f32>;
    type Vector: steer::Vector<Number = Self::Number, Truth = bool> + Held<Vec2>;

    /// The reading for these among all of a body.
    fn reading(of: &Readings) -> Read<Self>;
}

/// Plain ones.
pub(in crate::script) enum Floats {}

impl Values for Floats {
    type Number = f32;
    type Vector = Vec2;

    fn reading(of: &Readings) -> Read<Self> {
        of.plain
    }
}

/// A number or vector as a value of a script.
pub(in crate::script) trait Held<T>: Copy + Default + From<T> {
    /// The value itself.
    fn plain(self) -> T;
    /// The value of an argument, if it is one.
    fn of(argument: &Dynamic) -> Option<Self>;
    /// The value for the script.
    fn give(self) -> Dynamic;
}

impl Held<f32> for f32 {
    #[inline]
    fn plain(self) -> f32 {
        self
    }

    #[inline]
    fn of(argument: &Dynamic) -> Option<Self> {
        value::number(argument)
    }

    #[inline]
    fn give(self) -> Dynamic {
        self.into()
    }
}

impl Held<Vec2> for Vec2 {
    #[inline]
    fn plain(self) -> Vec2 {
        self
    }

    #[inline]
    fn of(argument: &Dynamic) -> Option<Self> {
        argument.read_lock::<Self>().map(|v| *v)
    }

    #[inline]
    fn give(self) -> Dynamic {
        Dynamic::from(self)
    }
}

/// A call of a definition.
pub(in crate::script) struct Plain<'t, W: Values = Floats> {
    pub(super) values: PhantomData<W>,
    pub(super) function: &'static Function,
    pub(super) arguments: &'t [&'t mut Dynamic],
    /// Whose turn it is, for what needs to know that.
    pub(super) turn: Option<&'t Turn>,
}

/// An agent as scripts have it.
#[derive(Clone, Copy)]
pub(in crate::script) enum Who {
    Me,
    /// By its id.
    Other(u32),
}

impl<W: Values> Plain<'_, W> {
    /// The name that the function is called by in messages.
    fn name(&self) -> &'static str {
        self.function.names[0]
    }

    /// What is wrong with an argument.
    #[cold]
    fn wrong(&self, place: usize, wanted: &str) -> Box<rhai::EvalAltResult> {
        let (what, found) = (self.function.what(place), value::kind(self.arguments[place]));
        Problem::new(format!("{what} must be {wanted}, and is {found}")).into()
    }
}

impl<W: Values> Plain<'_, W> {
    fn turn(&self) -> Result<&Turn> {
        self.turn.ok_or_else(turn::missing)
    }

    /// The agent that is meant.
    fn who(&self, agent: Who) -> Result<Agent<'_>> {
        let turn = self.turn()?;
        match agent {
            Who::Me => Ok(turn.me().agent()),
            Who::Other(id) => turn.agent(id),
        }
    }

    /// The agent of a row, if there is one.
    fn at(&self, row: Option<usize>) -> Perhaps<Self, Who> {
        let agents = &self.turn()?.world.agents;
        let id = row.map_or(0, |row| agents.id[row]);
        Ok(Maybe { is: row.is_some(), value: Who::Other(id) })
    }

    /// An argument of a type of our own.
    #[inline]
    fn own<T: rhai::Variant + Clone>(&self, place: usize, wanted: &str) -> Result<T> {
        match self.arguments[place].read_lock::<T>() {
            Some(own) => Ok(own.clone()),
            None => Err(self.wrong(place, wanted)),
        }
    }

    /// What the string of an argument names.
    fn named<T>(&self, place: usize, find: impl FnOnce(&Turn, &str) -> Result<T>) -> Result<T> {
        find(self.turn()?, &self.own::<ImmutableString>(place, "a string")?)
    }

    fn not_negative(&self, place: usize, x: f32) -> Result<f32> {
        if x >= 0.0 {
            return Ok(x);
        }
        let (function, param) = (self.name(), self.function.params[place].name);
        Err(Problem::new(format!("{function}: the {param} must be a number from 0, and is {x}"))
            .into())
    }
}

/// Something that may not be there, with anything in its place.
fn maybe<A: Reading<Truth = bool>, T: Default>(value: Option<T>) -> Maybe<A, T> {
    Maybe { is: value.is_some(), value: value.unwrap_or_default() }
}

impl<W: Values> Algebra for Plain<'_, W> {
    type Number = W::Number;
    type Vector = W::Vector;
    type Truth = bool;
    type Agent = Who;
    type Neighbors = Neighborhood;
    type Path = PathId;

    #[inline]
    fn number(&self, x: f32) -> W::Number {
        x.into()
    }
}

impl<W: Values> Reading for Plain<'_, W> {
    type Integer = INT;
    type Text = ImmutableString;
    type Obstacle = ObstacleId;
    type Fault = Box<rhai::EvalAltResult>;
    type Answer = Dynamic;

    #[inline(always)]
    fn take(&self, kind: Kind, place: usize) -> Result<Value<Self>> {
        let argument = &*self.arguments[place];
        let number = || match W::Number::of(argument) {
            Some(x) => Ok(x),
            None => super::number(self.name(), argument).map(W::Number::from),
        };
        Ok(match kind {
            Kind::Number | Kind::Float | Kind::MaybeNumber => Value::Number(number()?),
            Kind::NotNegative => {
                let x = number()?;
                self.not_negative(place, x.plain())?;
                Value::Number(x)
            }
            Kind::Integer => Value::Integer(
                argument
                    .as_int()
                    .map_err(|_| Problem::from(error::mismatch("a float", "an integer")))?,
            ),
            Kind::Truth => {
                Value::Truth(argument.as_bool().map_err(|_| self.wrong(place, "a boolean"))?)
            }
            Kind::Vector | Kind::Made | Kind::MaybeVector => {
                let vector = W::Vector::of(argument);
                Value::Vector(vector.ok_or_else(|| self.wrong(place, "a vector"))?)
            }
            Kind::Point => Value::Vector(match W::Vector::of(argument) {
                Some(v) => v,
                None => others::point(self.turn()?, self.name(), argument)?.into(),
            }),
            Kind::Text => Value::Text(self.own(place, "a string")?),
            Kind::Me | Kind::World => Value::OnlyOne(()),
            Kind::Someone if argument.is::<Itself>() => Value::Agent(Who::Me),
            Kind::Someone | Kind::Agent | Kind::MaybeAgent => {
                Value::Agent(Who::Other(self.own::<Other>(place, "an agent")?.0))
            }
            Kind::Neighbors => Value::Neighbors(self.own::<Nearby>(place, "a neighborhood")?.0),
            Kind::Obstacle => Value::Obstacle(self.own::<Thing>(place, "an obstacle")?.0),
            Kind::Path | Kind::MaybePath => Value::Path(self.own::<Way>(place, "a path")?.0),
            Kind::Group => Value::Group(
                self.named(place, |turn, name| others::group_named(&turn.world, name))?,
            ),
            Kind::ObstacleName => Value::Obstacle(self.named(place, surroundings::obstacle_named)?),
            Kind::PathName => Value::Path(self.named(place, surroundings::path_named)?),
        })
    }

    #[inline(always)]
    fn give(&self, kind: Kind, result: Value<Self>) -> Result<Dynamic> {
        Ok(match result {
            Value::Number(x) => x.give(),
            Value::Integer(x) => x.into(),
            Value::Truth(x) => x.into(),
            Value::Vector(v) if kind == Kind::Made => finite(v.plain()).map(|_| v.give())?,
            Value::Vector(v) => v.give(),
            Value::Text(text) => text.into(),
            Value::Agent(Who::Other(id)) => Dynamic::from(Other(id)),
            Value::Agent(Who::Me) | Value::OnlyOne(()) | Value::Group(_) => Dynamic::from(Itself),
            Value::Neighbors(near) => Dynamic::from(Nearby(near)),
            Value::Obstacle(obstacle) => Dynamic::from(Thing(obstacle)),
            Value::Path(path) => Dynamic::from(Way(path)),
        })
    }

    fn only_where(&self, is: bool, answer: Dynamic) -> Dynamic {
        if is { answer } else { Dynamic::UNIT }
    }

    fn integers(&self, function: I2, a: INT, b: INT) -> Result<INT> {
        let result = match function {
            I2::Add => a.checked_add(b),
            I2::Sub => a.checked_sub(b),
            I2::Mul => a.checked_mul(b),
            I2::Rem => a.checked_rem(b),
            I2::Pow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
            I2::Min => Some(a.min(b)),
            I2::Max => Some(a.max(b)),
        };
        result.ok_or_else(|| {
            Problem::new(format!("{a} ** {b} is not an integer in range"))
                .help("make one of them a float, such as 2.0")
                .into()
        })
    }

    fn negated(&self, a: INT) -> Result<INT> {
        self.integers(I2::Sub, 0, a)
    }

    fn absolute(&self, a: INT) -> Result<INT> {
        if a < 0 { self.negated(a) } else { Ok(a) }
    }

    fn to_integer(&self, x: W::Number) -> Result<INT> {
        let x = x.plain();
        if x.is_finite() {
            return Ok(x as INT);
        }
        Err(Problem::new(format!("{x} is not an integer")).into())
    }

    fn compare(&self, how: Compare, a: INT, b: INT) -> bool {
        how.of(a, b)
    }

    fn to_number(&self, x: INT) -> W::Number {
        (x as f32).into()
    }

    fn number_of(&self, agent: Who, what: AgentNumber) -> Result<W::Number> {
        match (agent, what) {
            (Who::Me, AgentNumber::Speed) => Ok(math::length(self.turn()?.vel).into()),
            _ => self.who(agent).map(|agent| what.of(&agent).into()),
        }
    }

    fn integer_of(&self, agent: Who, what: AgentInteger) -> Result<INT> {
        match (agent, what) {
            // Also of one that is gone.
            (Who::Other(id), AgentInteger::Id) => Ok(id.into()),
            _ => self.who(agent).map(|agent| what.of(&agent)),
        }
    }

    fn group_of(&self, agent: Who) -> Result<ImmutableString> {
        self.who(agent).map(|agent| agent.group().name.as_ref().into())
    }

    fn vector_of(&self, agent: Who, x: AgentNumber, y: AgentNumber) -> Result<W::Vector> {
        if matches!((agent, x), (Who::Me, AgentNumber::VelX)) {
            return Ok(self.turn()?.vel.into());
        }
        self.who(agent).map(|agent| Vec2::new(x.of(&agent), y.of(&agent)).into())
    }

    fn goal(&self) -> Result<Goal<Self>> {
        let goal = self.turn()?.me().goal();
        Ok((maybe(goal.map(|goal| goal.at.into())), maybe(goal.map(|goal| goal.radius.into()))))
    }

    fn own_path(&self) -> Perhaps<Self, PathId> {
        let path = self.turn()?.me().group().path;
        Ok(Maybe { is: path.is_some(), value: path.unwrap_or(PathId(0)) })
    }

    fn own_waypoint(&self) -> Perhaps<Self, W::Vector> {
        let turn = self.turn()?;
        let waypoint =
            |path: PathId| turn.world.path(path).waypoint(turn.progress[usize::from(path.0)]);
        Ok(maybe(turn.me().group().path.map(|path| waypoint(path).into())))
    }

    fn way_to(&self, point: W::Vector) -> Result<W::Vector> {
        Ok(self.turn()?.me().to(point.plain()).into())
    }

    fn draw(&self) -> Result<W::Number> {
        Ok(self.turn()?.draw().into())
    }

    fn encounter(&self, ask: AskOther, other: Who) -> Perhaps<Self, W::Number> {
        Ok(maybe(ask.of(&self.turn()?.me(), self.who(other)?).map(W::Number::from)))
    }

    fn free(&self, velocity: W::Vector, horizon: W::Number) -> Result<W::Number> {
        Ok(self.turn()?.me().free_distance(velocity.plain(), horizon.plain()).into())
    }

    fn near(&self, radius: W::Number) -> Neighborhood {
        Neighborhood::within(radius.plain())
    }

    fn of_group(&self, near: Neighborhood, group: GroupId) -> Neighborhood {
        near.of(group)
    }

    fn in_view(&self, near: Neighborhood, angle: W::Number) -> Neighborhood {
        near.seen(View::over(angle.plain()))
    }

    fn ahead(&self, near: Neighborhood) -> Neighborhood {
        near.seen(View::Ahead)
    }

    fn around(&self, near: Neighborhood, point: W::Vector) -> Neighborhood {
        near.around(point.plain())
    }

    fn middle(&self, near: Neighborhood) -> Result<W::Vector> {
        let me = self.turn()?.me();
        Ok(near.around.unwrap_or_else(|| me.pos()).into())
    }

    fn means(&self, near: Neighborhood) -> Result<Sums<Self>> {
        let MeanSums { count, offsets, velocities } = self.turn()?.me().means(&near);
        let (offsets, velocities) = (offsets.into(), velocities.into());
        Ok(Sums { count: count.into(), nobody: count == 0, offsets, velocities })
    }

    fn nearest(&self, near: Neighborhood) -> Perhaps<Self, Who> {
        self.at(self.turn()?.me().nearest(&near).map(|(row, _)| row))
    }

    fn first(&self, near: Neighborhood) -> Perhaps<Self, Who> {
        self.at(self.turn()?.me().first(&near))
    }

    fn common(&self, what: SharedNumber) -> Result<W::Number> {
        let turn = self.turn()?;
        Ok(what.of(&turn.world, turn.me().body()).into())
    }

    fn common_integer(&self, what: SharedInteger) -> Result<INT> {
        let turn = self.turn()?;
        Ok(what.of(&turn.world, turn.me().group_id()))
    }

    fn cursor(&self) -> Perhaps<Self, W::Vector> {
        Ok(maybe(self.turn()?.world.cursor.map(W::Vector::from)))
    }

    fn only(&self, group: GroupId) -> Result<Who> {
        let world = &self.turn()?.world;
        let name = &world.group(group).name;
        match world.only(group) {
            Ok(row) => Ok(Who::Other(world.agents.id[row])),
            Err(count) => Err(Problem::new(format!(
                "`world.agent` needs a group of one agent, and `{name}` has {count}"
            ))
            .help("for the nearest of a group, or `()`, use `me.nearest(\"group\")`")
            .into()),
        }
    }

    fn ray(&self, from: W::Vector, to: W::Vector) -> Perhaps<Self, W::Vector> {
        let hit = self.turn()?.world.ray(from.plain(), to.plain());
        Ok(maybe(hit.map(finite).transpose()?.map(W::Vector::from)))
    }

    fn obstacle(
        &self,
        ask: AskObstacle,
        obstacle: ObstacleId,
        point: W::Vector,
    ) -> Result<W::Vector> {
        Ok(ask.of(&self.turn()?.world.obstacle(obstacle).shape, point.plain()).into())
    }

    fn path(&self, ask: AskPath, path: PathId, point: W::Vector) -> Result<W::Vector> {
        // All but a point by its place, which is asked for in another way, have an answer.
        Ok(ask.of(self.turn()?.world.path(path), point.plain()).unwrap_or_default().into())
    }

    fn path_count(&self, path: PathId) -> Result<INT> {
        Ok(self.turn()?.world.path(path).points.len() as INT)
    }

    fn path_point(&self, path: PathId, place: INT) -> Result<W::Vector> {
        let points = &self.turn()?.world.path(path).points;
        let point = usize::try_from(place).ok().and_then(|place| points.get(place));
        point.copied().map(W::Vector::from).ok_or_else(|| {
            Problem::new(format!("the path has no point {place}"))
                .help(format!("its points are 0 to {}", points.len() - 1))
                .into()
        })
    }

    fn name_of_obstacle(&self, obstacle: ObstacleId) -> Result<ImmutableString> {
        Ok(self.turn()?.world.obstacle(obstacle).name.as_ref().into())
    }

    fn name_of_path(&self, path: PathId) -> Result<ImmutableString> {
        Ok(self.turn()?.world.path(path).name.as_ref().into())
    }
}
