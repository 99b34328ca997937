//! Definitions read as plain values: what the interpreter calls.

use rhai::{Dynamic, INT, ImmutableString};

use super::define::{Fact, Function, Goal, Kind, Maybe, Perhaps, Reading, Value};
use super::neighbors::Sums;
use super::{Itself, Nearby, Other, Thing, Way, finite, others, surroundings};
use crate::math::{self, Compare, Vec2};
use crate::program::{AskObstacle, AskOther, AskPath, Common, CommonI, I2, Of, OfI};
use crate::script::error::{self, Problem, Result};
use crate::script::turn::{self, Turn};
use crate::script::value;
use crate::steer::Algebra;
use crate::world::{Agent, GroupId, Means, Neighborhood, ObstacleId, PathId, View};

/// A call of a definition.
pub(in crate::script) struct Plain<'t> {
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

impl Plain<'_> {
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

impl Plain<'_> {
    /// A result as the notes of the turn have it, if it does not follow its vectors in proportion.
    pub(super) fn noted(&self, turn: &mut Turn, result: Dynamic) -> Result<Dynamic> {
        let Some(tape) = &mut turn.tape else {
            return Ok(result);
        };
        if let Some(scale) = self.function.scale {
            let (from, by) = (self.own::<Vec2>(0, "a vector")?, scale(self)?);
            return Ok(Dynamic::from(tape.sum(&[from], result.cast(), || vec![by])));
        }
        if !self.function.has(Fact::NotLinear) {
            return Ok(result);
        }
        let mut truth = |is: bool| tape.number(f32::from(u8::from(is))) != 0.0;
        Ok(match self.function.result {
            Kind::Number => tape.number(result.as_float().unwrap_or_default()).into(),
            Kind::Truth => truth(result.as_bool().unwrap_or_default()).into(),
            Kind::MaybeNumber if truth(!result.is_unit()) => {
                tape.number(result.as_float().unwrap_or_default()).into()
            }
            Kind::MaybeVector if truth(!result.is_unit()) => {
                Dynamic::from(result.try_cast::<Vec2>().unwrap_or_default())
            }
            Kind::MaybeNumber | Kind::MaybeVector => Dynamic::UNIT,
            _ => result,
        })
    }

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

impl Algebra for Plain<'_> {
    type Number = f32;
    type Vector = Vec2;
    type Truth = bool;
    type Agent = Who;
    type Neighbors = Neighborhood;
    type Path = PathId;

    #[inline]
    fn number(&self, x: f32) -> f32 {
        x
    }
}

impl Reading for Plain<'_> {
    type Integer = INT;
    type Text = ImmutableString;
    type Obstacle = ObstacleId;
    type Fault = Box<rhai::EvalAltResult>;
    type Answer = Dynamic;

    #[inline(always)]
    fn take(&self, kind: Kind, place: usize) -> Result<Value<Self>> {
        let argument = &*self.arguments[place];
        let number = || match value::number(argument) {
            Some(x) => Ok(x),
            None => super::number(self.name(), argument),
        };
        Ok(match kind {
            Kind::Number | Kind::Float | Kind::MaybeNumber => Value::Number(number()?),
            Kind::NotNegative => Value::Number(self.not_negative(place, number()?)?),
            Kind::Integer => Value::Integer(
                argument
                    .as_int()
                    .map_err(|_| Problem::from(error::mismatch("a float", "an integer")))?,
            ),
            Kind::Truth => {
                Value::Truth(argument.as_bool().map_err(|_| self.wrong(place, "a boolean"))?)
            }
            Kind::Vector | Kind::Made | Kind::MaybeVector => {
                Value::Vector(self.own(place, "a vector")?)
            }
            Kind::Point => Value::Vector(match argument.read_lock::<Vec2>() {
                Some(v) => *v,
                None => others::point(self.turn()?, self.name(), argument)?,
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
            Value::Number(x) => x.into(),
            Value::Integer(x) => x.into(),
            Value::Truth(x) => x.into(),
            Value::Vector(v) if kind == Kind::Made => Dynamic::from(finite(v)?),
            Value::Vector(v) => Dynamic::from(v),
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

    fn to_integer(&self, x: f32) -> Result<INT> {
        if x.is_finite() {
            return Ok(x as INT);
        }
        Err(Problem::new(format!("{x} is not an integer")).into())
    }

    fn compare(&self, how: Compare, a: INT, b: INT) -> bool {
        how.of(a, b)
    }

    fn to_number(&self, x: INT) -> f32 {
        x as f32
    }

    fn number_of(&self, agent: Who, what: Of) -> Result<f32> {
        match (agent, what) {
            (Who::Me, Of::Speed) => Ok(math::length(self.turn()?.vel)),
            _ => self.who(agent).map(|agent| what.of(&agent)),
        }
    }

    fn integer_of(&self, agent: Who, what: OfI) -> Result<INT> {
        match (agent, what) {
            // Also of one that is gone.
            (Who::Other(id), OfI::Id) => Ok(id.into()),
            _ => self.who(agent).map(|agent| what.of(&agent)),
        }
    }

    fn group_of(&self, agent: Who) -> Result<ImmutableString> {
        self.who(agent).map(|agent| agent.group().name.as_ref().into())
    }

    fn vector_of(&self, agent: Who, x: Of, y: Of) -> Result<Vec2> {
        if matches!((agent, x), (Who::Me, Of::VelX)) {
            return Ok(self.turn()?.vel);
        }
        self.who(agent).map(|agent| Vec2::new(x.of(&agent), y.of(&agent)))
    }

    fn goal(&self) -> Result<Goal<Self>> {
        let goal = self.turn()?.me().goal();
        Ok((maybe(goal.map(|goal| goal.at)), maybe(goal.map(|goal| goal.radius))))
    }

    fn own_path(&self) -> Perhaps<Self, PathId> {
        let path = self.turn()?.me().group().path;
        Ok(Maybe { is: path.is_some(), value: path.unwrap_or(PathId(0)) })
    }

    fn own_waypoint(&self) -> Perhaps<Self, Vec2> {
        let turn = self.turn()?;
        let waypoint =
            |path: PathId| turn.world.path(path).waypoint(turn.progress[usize::from(path.0)]);
        Ok(maybe(turn.me().group().path.map(waypoint)))
    }

    fn way_to(&self, point: Vec2) -> Result<Vec2> {
        Ok(self.turn()?.me().to(point))
    }

    fn draw(&self) -> Result<f32> {
        Ok(self.turn()?.draw())
    }

    fn encounter(&self, ask: AskOther, other: Who) -> Perhaps<Self, f32> {
        Ok(maybe(ask.of(&self.turn()?.me(), self.who(other)?)))
    }

    fn free(&self, velocity: Vec2, horizon: f32) -> Result<f32> {
        Ok(self.turn()?.me().free_distance(velocity, horizon))
    }

    fn near(&self, radius: f32) -> Neighborhood {
        Neighborhood::within(radius)
    }

    fn of_group(&self, near: Neighborhood, group: GroupId) -> Neighborhood {
        near.of(group)
    }

    fn in_view(&self, near: Neighborhood, angle: f32) -> Neighborhood {
        near.seen(View::over(angle))
    }

    fn ahead(&self, near: Neighborhood) -> Neighborhood {
        near.seen(View::Ahead)
    }

    fn around(&self, near: Neighborhood, point: Vec2) -> Neighborhood {
        near.around(point)
    }

    fn middle(&self, near: Neighborhood) -> Result<Vec2> {
        let me = self.turn()?.me();
        Ok(near.around.unwrap_or_else(|| me.pos()))
    }

    fn means(&self, near: Neighborhood) -> Result<Sums<Self>> {
        let Means { count, offsets, velocities } = self.turn()?.me().means(&near);
        Ok(Sums { count: count.into(), nobody: count == 0, offsets, velocities })
    }

    fn nearest(&self, near: Neighborhood) -> Perhaps<Self, Who> {
        self.at(self.turn()?.me().nearest(&near).map(|(row, _)| row))
    }

    fn first(&self, near: Neighborhood) -> Perhaps<Self, Who> {
        self.at(self.turn()?.me().first(&near))
    }

    fn common(&self, what: Common) -> Result<f32> {
        let turn = self.turn()?;
        Ok(what.of(&turn.world, turn.me().body()))
    }

    fn common_integer(&self, what: CommonI) -> Result<INT> {
        let turn = self.turn()?;
        Ok(what.of(&turn.world, turn.me().group_id()))
    }

    fn cursor(&self) -> Perhaps<Self, Vec2> {
        Ok(maybe(self.turn()?.world.cursor))
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

    fn ray(&self, from: Vec2, to: Vec2) -> Perhaps<Self, Vec2> {
        self.turn()?.world.ray(from, to).map(finite).transpose().map(maybe)
    }

    fn obstacle(&self, ask: AskObstacle, obstacle: ObstacleId, point: Vec2) -> Result<Vec2> {
        Ok(ask.of(&self.turn()?.world.obstacle(obstacle).shape, point))
    }

    fn path(&self, ask: AskPath, path: PathId, point: Vec2) -> Result<Vec2> {
        // All but a point by its place, which is asked for in another way, have an answer.
        Ok(ask.of(self.turn()?.world.path(path), point).unwrap_or_default())
    }

    fn path_count(&self, path: PathId) -> Result<INT> {
        Ok(self.turn()?.world.path(path).points.len() as INT)
    }

    fn path_point(&self, path: PathId, place: INT) -> Result<Vec2> {
        let points = &self.turn()?.world.path(path).points;
        let point = usize::try_from(place).ok().and_then(|place| points.get(place));
        point.copied().ok_or_else(|| {
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
