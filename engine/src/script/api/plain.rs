//! Definitions read as values of a script: what the interpreter calls, and how each is bound.
//!
//! The same reading serves plain values and those of a turn that is traced, see [`Values`].

use std::any::TypeId;
use std::marker::PhantomData;

use rhai::{
    Dynamic, FLOAT, FuncRegistration, INT, ImmutableString, Module, NativeCallContext, RhaiFunc,
    Shared,
};

use super::define::{Fact, Form, Function, Goal, Kind, Maybe, Reading, Readings};
use super::neighbors::Sums;
use super::{
    Builder, Itself, Nearby, Other, Surroundings, Thing, TypeOf, Way, finite, others, surroundings,
};
use crate::math::{self, Vec2};
use crate::program::{AskObstacle, AskOther, AskPath, Common, CommonI, I2, Of, OfI};
use crate::script::error::{self, Problem, Result};
use crate::script::traced::{self, Traced};
use crate::script::turn::{self, Turn};
use crate::script::value;
use crate::steer::{self, Algebra};
use crate::world::{Agent, GroupId, Means, Neighborhood, ObstacleId, PathId, View};

/// A call of a definition.
pub(in crate::script) struct Plain<'t, W: Values = Floats> {
    values: PhantomData<W>,
    function: &'static Function,
    arguments: &'t [&'t mut Dynamic],
    /// Whose turn it is, for what needs to know that.
    turn: Option<&'t Turn>,
}

/// An agent as scripts have it.
#[derive(Clone, Copy)]
pub(in crate::script) enum Who {
    Me,
    /// By its id.
    Other(u32),
}

impl Builder {
    /// Binds a definition.
    pub(super) fn define(&mut self, function: &'static Function) {
        if function.form == Form::Property {
            for types in function.types(false) {
                let of = super::Kind::of_type(types[0]).map_or("?", |kind| kind.name);
                self.properties.extend(function.names.iter().map(|&name| (of, name)));
            }
        } else {
            self.names.extend(function.names.iter().filter(|name| is_word(name)));
        }
        if function.form != Form::Language {
            for types in function.types(false) {
                bind::<Floats>(&mut self.module, function, &types);
            }
        }
    }
}

/// Binds a definition for all arguments of which some may be traced.
pub(super) fn define_traced(module: &mut Module, function: &'static Function) {
    for types in function.types(true) {
        let is_traced = |of: &TypeId| {
            *of == TypeId::of::<traced::Number>() || *of == TypeId::of::<traced::Vector>()
        };
        if function.form == Form::Open || types.iter().any(is_traced) {
            bind::<Traced>(module, function, &types);
        }
    }
}

fn bind<W: Values>(module: &mut Module, function: &'static Function, types: &[TypeId]) {
    for &name in function.names {
        let func = call::<W>(function, types);
        if function.form == Form::Property {
            // What it is of is only looked at, and so needs no copy.
            let func =
                RhaiFunc::Method { func, has_context: false, is_pure: true, is_volatile: true };
            FuncRegistration::new_getter(name).set_into_module_raw(module, types, func);
        } else {
            let func =
                RhaiFunc::Pure { func, has_context: false, is_pure: true, is_volatile: true };
            FuncRegistration::new(name).set_into_module_raw(module, types, func);
        }
    }
}

/// What the interpreter calls.
type Called =
    dyn Fn(Option<NativeCallContext<'_>>, &mut [&mut Dynamic]) -> Result<Dynamic> + Send + Sync;

/// The function that is bound for types of arguments.
fn call<W: Values>(function: &'static Function, types: &[TypeId]) -> Shared<Called> {
    let are_integers = types.iter().all(|is| *is == TypeId::of::<INT>());
    let readings = match &function.integers {
        Some(integers) if are_integers => &integers.readings,
        _ => &function.readings,
    };
    // Whatever is neither a number nor a vector is known to those only whose turn it is.
    let plain: [TypeOf; 6] = [
        TypeId::of::<INT>,
        TypeId::of::<FLOAT>,
        TypeId::of::<bool>,
        TypeId::of::<Vec2>,
        TypeId::of::<traced::Number>,
        TypeId::of::<traced::Vector>,
    ];
    let is_plain = |is: &TypeId| plain.iter().any(|of| of() == *is);
    let needs_turn = match function.form {
        Form::Open => function.is_method(),
        _ => !types.iter().all(is_plain),
    };
    let read = W::reading(readings);
    Shared::new(move |_, arguments| function.call::<W>(read, needs_turn, arguments))
}

impl Function {
    /// All lists of types that it is bound for, with those of traced values or without.
    fn types(&self, traced: bool) -> Vec<Vec<TypeId>> {
        let mut all: Vec<Vec<TypeId>> = vec![Vec::new()];
        for (place, param) in self.params.iter().enumerate() {
            let open = self.form == Form::Open && place > 0;
            let types: &[TypeOf] = if open { &[TypeId::of::<Dynamic>] } else { param.kind.types() };
            let also = if traced && !open { param.kind.traced_type() } else { None };
            let types: Vec<TypeId> = types.iter().copied().chain(also).map(|of| of()).collect();
            let with = |list: &Vec<TypeId>| {
                let list = list.clone();
                let types = types.clone().into_iter();
                types.map(move |of| list.iter().copied().chain([of]).collect())
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }

    /// Calls it with arguments of types for which it is bound.
    fn call<W: Values>(
        &'static self,
        read: Read<W>,
        needs_turn: bool,
        arguments: &mut [&mut Dynamic],
    ) -> Result<Dynamic> {
        let arguments: &[&mut Dynamic] = arguments;
        let values = PhantomData;
        if !needs_turn {
            return read(&Plain { values, function: self, arguments, turn: None });
        }
        let call =
            |turn: &mut Turn| read(&Plain { values, function: self, arguments, turn: Some(turn) });
        if self.has(Fact::Asks) { turn::ask(call) } else { turn::with(call) }
    }
}

/// A body read for values of a script.
pub(in crate::script) type Read<W> = fn(&Plain<'_, W>) -> Result<Dynamic>;

/// Which numbers and vectors a script computes with.
pub(in crate::script) trait Values: Sized + 'static {
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

impl Kind {
    /// The types of a script that it takes.
    fn types(self) -> &'static [TypeOf] {
        match self {
            Self::Number => &[TypeId::of::<FLOAT>, TypeId::of::<INT>],
            Self::Float => &[TypeId::of::<FLOAT>],
            Self::Integer => &[TypeId::of::<INT>, TypeId::of::<FLOAT>],
            Self::Truth => &[TypeId::of::<bool>],
            Self::NotNegative | Self::MaybeNumber => Self::Number.types(),
            Self::Vector | Self::Made | Self::MaybeVector => &[TypeId::of::<Vec2>],
            Self::Point => &[TypeId::of::<Vec2>, TypeId::of::<Other>, TypeId::of::<Itself>],
            Self::Text | Self::Group | Self::ObstacleName | Self::PathName => {
                &[TypeId::of::<ImmutableString>]
            }
            Self::Me => &[TypeId::of::<Itself>],
            Self::World => &[TypeId::of::<Surroundings>],
            Self::Someone => &[TypeId::of::<Itself>, TypeId::of::<Other>],
            Self::Agent | Self::MaybeAgent => &[TypeId::of::<Other>],
            Self::Neighbors => &[TypeId::of::<Nearby>],
            Self::Obstacle => &[TypeId::of::<Thing>],
            Self::Path | Self::MaybePath => &[TypeId::of::<Way>],
        }
    }
}

impl Kind {
    /// The type of traced values that it takes too.
    fn traced_type(self) -> Option<TypeOf> {
        let types = self.types();
        let takes = |of: TypeOf| types.iter().any(|other| other() == of());
        if takes(TypeId::of::<FLOAT>) {
            Some(TypeId::of::<traced::Number>)
        } else {
            takes(TypeId::of::<Vec2>).then_some(TypeId::of::<traced::Vector>)
        }
    }
}

impl<W: Values> Plain<'_, W> {
    /// The name that the function is called by in messages.
    fn name(&self) -> &'static str {
        self.function.names[0]
    }

    /// An argument of a type, or what is wrong with it.
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
    fn at(&self, row: Option<usize>) -> Result<Maybe<Self, Who>> {
        let agents = &self.turn()?.world.agents;
        let id = row.map_or(0, |row| agents.id[row]);
        Ok(Maybe { is: row.is_some(), value: Who::Other(id) })
    }

    /// An argument of a type of our own.
    fn own<T: rhai::Variant + Clone>(&self, place: usize, wanted: &str) -> Result<T> {
        match self.arguments[place].read_lock::<T>() {
            Some(own) => Ok(own.clone()),
            None => Err(self.wrong(place, wanted)),
        }
    }

    fn named<T>(&self, place: usize, find: impl FnOnce(&Turn, &str) -> Result<T>) -> Result<T> {
        find(self.turn()?, &self.own::<ImmutableString>(place, "a string")?)
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

    #[inline]
    fn take_number(&self, place: usize) -> Result<W::Number> {
        match W::Number::of(self.arguments[place]) {
            Some(x) => Ok(x),
            None => super::number(self.name(), self.arguments[place]).map(W::Number::from),
        }
    }

    fn take_integer(&self, place: usize) -> Result<INT> {
        let float = |_| error::mismatch("a float", "an integer");
        self.arguments[place].as_int().map_err(|kind| Problem::from(float(kind)).into())
    }

    fn take_truth(&self, place: usize) -> Result<bool> {
        self.arguments[place].as_bool().map_err(|_| self.wrong(place, "a boolean"))
    }

    #[inline]
    fn take_vector(&self, place: usize) -> Result<W::Vector> {
        W::Vector::of(self.arguments[place]).ok_or_else(|| self.wrong(place, "a vector"))
    }

    fn take_point(&self, place: usize) -> Result<W::Vector> {
        let argument = &*self.arguments[place];
        if let Some(v) = W::Vector::of(argument) {
            return Ok(v);
        }
        others::point(self.turn()?, self.name(), argument).map(W::Vector::from)
    }

    fn take_not_negative(&self, place: usize) -> Result<W::Number> {
        let number = self.take_number(place)?;
        let x = number.plain();
        if x >= 0.0 {
            return Ok(number);
        }
        let (function, param) = (self.name(), self.function.params[place].name);
        Err(Problem::new(format!("{function}: the {param} must be a number from 0, and is {x}"))
            .into())
    }

    fn take_agent(&self, place: usize) -> Result<Who> {
        if self.arguments[place].is::<Itself>() {
            return Ok(Who::Me);
        }
        self.own::<Other>(place, "an agent").map(|other| Who::Other(other.0))
    }

    fn take_neighbors(&self, place: usize) -> Result<Neighborhood> {
        self.own::<Nearby>(place, "a neighborhood").map(|near| near.0)
    }

    fn take_obstacle(&self, place: usize) -> Result<ObstacleId> {
        self.own::<Thing>(place, "an obstacle").map(|thing| thing.0)
    }

    fn take_path(&self, place: usize) -> Result<PathId> {
        self.own::<Way>(place, "a path").map(|way| way.0)
    }

    fn take_group_named(&self, place: usize) -> Result<GroupId> {
        self.named(place, |turn, name| others::group_named(&turn.world, name))
    }

    fn take_obstacle_named(&self, place: usize) -> Result<ObstacleId> {
        self.named(place, surroundings::obstacle_named)
    }

    fn take_path_named(&self, place: usize) -> Result<PathId> {
        self.named(place, surroundings::path_named)
    }

    fn take_only_one(&self, _: usize) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn give_number(&self, x: W::Number) -> Result<Dynamic> {
        Ok(x.give())
    }

    #[inline]
    fn give_integer(&self, x: INT) -> Result<Dynamic> {
        Ok(x.into())
    }

    #[inline]
    fn give_truth(&self, x: bool) -> Result<Dynamic> {
        Ok(x.into())
    }

    #[inline]
    fn give_vector(&self, v: W::Vector) -> Result<Dynamic> {
        Ok(v.give())
    }

    #[inline]
    fn give_made(&self, v: W::Vector) -> Result<Dynamic> {
        finite(v.plain()).map(|_| v.give())
    }

    fn give_text(&self, text: ImmutableString) -> Result<Dynamic> {
        Ok(text.into())
    }

    fn give_agent(&self, agent: Who) -> Result<Dynamic> {
        Ok(match agent {
            Who::Me => Dynamic::from(Itself),
            Who::Other(id) => Dynamic::from(Other(id)),
        })
    }

    fn give_neighbors(&self, near: Neighborhood) -> Result<Dynamic> {
        Ok(Dynamic::from(Nearby(near)))
    }

    fn give_obstacle(&self, obstacle: ObstacleId) -> Result<Dynamic> {
        Ok(Dynamic::from(Thing(obstacle)))
    }

    fn give_path(&self, path: PathId) -> Result<Dynamic> {
        Ok(Dynamic::from(Way(path)))
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

    fn to_number(&self, x: INT) -> W::Number {
        (x as f32).into()
    }

    fn number_of(&self, agent: Who, what: Of) -> Result<W::Number> {
        match (agent, what) {
            (Who::Me, Of::Speed) => Ok(math::length(self.turn()?.vel).into()),
            _ => self.who(agent).map(|agent| what.of(&agent).into()),
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

    fn pos_of(&self, agent: Who) -> Result<W::Vector> {
        self.who(agent).map(|agent| agent.pos().into())
    }

    fn vel_of(&self, agent: Who) -> Result<W::Vector> {
        match agent {
            Who::Me => Ok(self.turn()?.vel.into()),
            Who::Other(_) => self.who(agent).map(|agent| agent.vel().into()),
        }
    }

    fn heading_of(&self, agent: Who) -> Result<W::Vector> {
        self.who(agent).map(|agent| agent.heading().into())
    }

    fn goal(&self) -> Result<Goal<Self>> {
        let goal = self.turn()?.me().goal();
        Ok((maybe(goal.map(|goal| goal.at.into())), maybe(goal.map(|goal| goal.radius.into()))))
    }

    fn own_path(&self) -> Result<Maybe<Self, PathId>> {
        let path = self.turn()?.me().group().path;
        Ok(Maybe { is: path.is_some(), value: path.unwrap_or(PathId(0)) })
    }

    fn own_waypoint(&self) -> Result<Maybe<Self, W::Vector>> {
        let turn = self.turn()?;
        let waypoint = |path: PathId| {
            turn.world.path(path).waypoint(turn.progress[usize::from(path.0)]).into()
        };
        Ok(maybe(turn.me().group().path.map(waypoint)))
    }

    fn way_to(&self, point: W::Vector) -> Result<W::Vector> {
        Ok(self.turn()?.me().to(point.plain()).into())
    }

    fn draw(&self) -> Result<W::Number> {
        Ok(self.turn()?.draw().into())
    }

    fn encounter(&self, ask: AskOther, other: Who) -> Result<Maybe<Self, W::Number>> {
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
        let Means { count, offsets, velocities } = self.turn()?.me().means(&near);
        let (offsets, velocities) = (offsets.into(), velocities.into());
        Ok(Sums { count: count.into(), nobody: count == 0, offsets, velocities })
    }

    fn nearest(&self, near: Neighborhood) -> Result<Maybe<Self, Who>> {
        self.at(self.turn()?.me().nearest(&near).map(|(row, _)| row))
    }

    fn first(&self, near: Neighborhood) -> Result<Maybe<Self, Who>> {
        self.at(self.turn()?.me().first(&near))
    }

    fn common(&self, what: Common) -> Result<W::Number> {
        let turn = self.turn()?;
        Ok(what.of(&turn.world, turn.me().body()).into())
    }

    fn common_integer(&self, what: CommonI) -> Result<INT> {
        let turn = self.turn()?;
        Ok(what.of(&turn.world, turn.me().group_id()))
    }

    fn cursor(&self) -> Result<Maybe<Self, W::Vector>> {
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

    fn ray(&self, from: W::Vector, to: W::Vector) -> Result<Maybe<Self, W::Vector>> {
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

/// Whether a name is that of a function, and not of an operator.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic())
}
