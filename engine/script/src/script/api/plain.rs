//! Evaluates definitions on the values of a script, for the interpreter.

use rhai::{Dynamic, INT, ImmutableString};

use super::define::{
    EvalGoal, EvalOption, EvalValue, Evaluator, InterpretedCall, NeighborTotals, Optional,
    ValueKind,
};
use super::{
    AgentHandle, FieldHandle, MeHandle, NeighborhoodHandle, ObstacleHandle, PathHandle, finite,
    others, surroundings,
};
use crate::diag::Code;
use crate::math::{self, Compare, Vec2};
use crate::program::{
    AgentInteger, AgentNumber, AskObstacle, AskOther, AskPath, I2, SharedInteger, SharedNumber,
};
use crate::script::meter;
use crate::script::problem::{self, Problem, Result};
use crate::script::turn::{self, ScriptTurn};
use crate::script::value;
use crate::steer::Algebra;
use crate::world::{
    Agent, AgentId, Body, FieldId, GroupId, MeanSums, Neighborhood, ObstacleId, PathId, Question,
    Relation, View,
};

/// An agent in a script.
#[derive(Clone, Copy)]
pub(in crate::script) enum AgentRef {
    Me,
    /// The agent with this id.
    Other(AgentId),
}

impl InterpretedCall<'_> {
    /// Returns the name of the function for messages.
    fn name(&self) -> &'static str {
        self.function.names[0]
    }

    /// Returns the error of an argument of the wrong type.
    #[cold]
    fn wrong(&self, place: usize, wanted: &str) -> Box<rhai::EvalAltResult> {
        let (what, found) =
            (self.function.argument_name(place), value::kind(self.arguments[place]));
        Problem::new(format!("{what} must be {wanted}, but is {found}"))
            .argument(place, self.arguments[place])
            .into()
    }
}

impl InterpretedCall<'_> {
    fn turn(&self) -> Result<&ScriptTurn> {
        self.turn.ok_or_else(turn::no_turn)
    }

    /// Returns the agent that a reference stands for.
    fn agent(&self, agent: AgentRef) -> Result<Agent<'_>> {
        let turn = self.turn()?;
        match agent {
            AgentRef::Me => Ok(turn.me().agent()),
            AgentRef::Other(id) => turn.agent(id),
        }
    }

    /// Returns a reference to the agent in a row, if there is one.
    fn agent_in_row(&self, row: Option<usize>) -> EvalOption<Self, AgentRef> {
        let agents = &self.turn()?.world.agents;
        let id = row.map_or_else(AgentId::default, |row| agents.id[row]);
        Ok(Optional { is_some: row.is_some(), value: AgentRef::Other(id) })
    }

    /// Returns an argument of a handle type or a string.
    #[inline]
    fn handle<T: rhai::Variant + Clone>(&self, place: usize, wanted: &str) -> Result<T> {
        match self.arguments[place].read_lock::<T>() {
            Some(own) => Ok(own.clone()),
            None => Err(self.wrong(place, wanted)),
        }
    }

    /// Returns what a string argument names.
    fn named<T>(
        &self,
        place: usize,
        find: impl FnOnce(&ScriptTurn, &str) -> Result<T>,
    ) -> Result<T> {
        find(self.turn()?, &self.handle::<ImmutableString>(place, "a string")?)
    }

    fn not_negative(&self, place: usize, x: f32) -> Result<f32> {
        if x >= 0.0 {
            return Ok(x);
        }
        let (function, param) = (self.name(), self.function.params[place].name);
        let given = math::short(x);
        let wrong = format!("{function}: `{param}` must be at least 0, but is {given}");
        Err(Problem::new(wrong).argument(place, self.arguments[place]).into())
    }
}

/// Converts an option; the value of `None` has no meaning.
fn optional<A: Evaluator<Boolean = bool>, T: Default>(value: Option<T>) -> Optional<A, T> {
    Optional { is_some: value.is_some(), value: value.unwrap_or_default() }
}

impl Algebra for InterpretedCall<'_> {
    type Number = f32;
    type Vector = Vec2;
    type Boolean = bool;
    type Agent = AgentRef;
    type Neighbors = Neighborhood;
    type Path = PathId;
    type Field = FieldId;

    #[inline]
    fn number(&self, x: f32) -> f32 {
        x
    }
}

impl Evaluator for InterpretedCall<'_> {
    type Integer = INT;
    type String = ImmutableString;
    type Obstacle = ObstacleId;
    type Error = Box<rhai::EvalAltResult>;
    type Output = Dynamic;

    #[inline(always)]
    fn argument(&self, kind: ValueKind, place: usize) -> Result<EvalValue<Self>> {
        let argument = &*self.arguments[place];
        let number = || super::number(self.name(), argument, place);
        Ok(match kind {
            ValueKind::Number | ValueKind::Float | ValueKind::MaybeNumber => {
                EvalValue::Number(number()?)
            }
            ValueKind::NotNegative => {
                let x = number()?;
                self.not_negative(place, x)?;
                EvalValue::Number(x)
            }
            ValueKind::Integer => EvalValue::Integer(
                argument
                    .as_int()
                    .map_err(|_| Problem::from(problem::mismatch("a float", "an integer")))?,
            ),
            ValueKind::Boolean => {
                EvalValue::Boolean(argument.as_bool().map_err(|_| self.wrong(place, "a boolean"))?)
            }
            ValueKind::Vector | ValueKind::FiniteVector | ValueKind::MaybeVector => {
                let vector = value::vector(argument);
                EvalValue::Vector(vector.ok_or_else(|| self.wrong(place, "a vector"))?)
            }
            ValueKind::Point => EvalValue::Vector(match value::vector(argument) {
                Some(v) => v,
                None => others::point(self.turn()?, self.name(), argument)?,
            }),
            ValueKind::String => EvalValue::String(self.handle(place, "a string")?),
            ValueKind::Me | ValueKind::World => EvalValue::Singleton(()),
            ValueKind::AnyAgent if argument.is::<MeHandle>() => EvalValue::Agent(AgentRef::Me),
            ValueKind::AnyAgent | ValueKind::Agent | ValueKind::MaybeAgent => {
                EvalValue::Agent(AgentRef::Other(self.handle::<AgentHandle>(place, "an agent")?.0))
            }
            ValueKind::Neighbors => {
                EvalValue::Neighbors(self.handle::<NeighborhoodHandle>(place, "a neighborhood")?.0)
            }
            ValueKind::Obstacle => {
                EvalValue::Obstacle(self.handle::<ObstacleHandle>(place, "an obstacle")?.0)
            }
            ValueKind::Path | ValueKind::MaybePath => {
                EvalValue::Path(self.handle::<PathHandle>(place, "a path")?.0)
            }
            ValueKind::Field => EvalValue::Field(self.handle::<FieldHandle>(place, "a field")?.0),
            ValueKind::Group => EvalValue::Group(
                self.named(place, |turn, name| others::group_named(&turn.world, name))?,
            ),
            ValueKind::LayerName => EvalValue::Layer(
                self.named(place, |turn, name| surroundings::layer_named(&turn.world, name))?,
            ),
            ValueKind::ObstacleName => {
                EvalValue::Obstacle(self.named(place, surroundings::obstacle_named)?)
            }
            ValueKind::PathName => EvalValue::Path(self.named(place, surroundings::path_named)?),
            ValueKind::FieldName => EvalValue::Field(self.named(place, surroundings::field_named)?),
        })
    }

    #[inline(always)]
    fn output(&self, kind: ValueKind, result: EvalValue<Self>) -> Result<Dynamic> {
        Ok(match result {
            EvalValue::Number(x) => x.into(),
            EvalValue::Integer(x) => x.into(),
            EvalValue::Boolean(x) => x.into(),
            EvalValue::Vector(v) if kind == ValueKind::FiniteVector => Dynamic::from(finite(v)?),
            EvalValue::Vector(v) => Dynamic::from(v),
            EvalValue::String(text) => text.into(),
            EvalValue::Agent(AgentRef::Other(id)) => Dynamic::from(AgentHandle(id)),
            EvalValue::Agent(AgentRef::Me)
            | EvalValue::Singleton(())
            | EvalValue::Group(_)
            | EvalValue::Layer(_) => Dynamic::from(MeHandle),
            EvalValue::Neighbors(near) => Dynamic::from(NeighborhoodHandle(near)),
            EvalValue::Obstacle(obstacle) => Dynamic::from(ObstacleHandle(obstacle)),
            EvalValue::Path(path) => Dynamic::from(PathHandle(path)),
            EvalValue::Field(field) => Dynamic::from(FieldHandle(field)),
        })
    }

    fn output_if(&self, holds: bool, output: Dynamic) -> Dynamic {
        if holds { output } else { Dynamic::UNIT }
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
            Problem::new(format!("the result of {a} ** {b} does not fit an integer"))
                .help("make one of the numbers a float, such as 2.0")
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
        Err(Problem::new(format!("{x} cannot be converted to an integer")).into())
    }

    fn compare(&self, how: Compare, a: INT, b: INT) -> bool {
        how.holds(a, b)
    }

    fn to_number(&self, x: INT) -> f32 {
        x as f32
    }

    fn number_of(&self, agent: AgentRef, what: AgentNumber) -> Result<f32> {
        match (agent, what) {
            (AgentRef::Me, AgentNumber::Speed) => Ok(math::length(self.turn()?.vel)),
            _ => self.agent(agent).map(|agent| what.of(&agent)),
        }
    }

    fn integer_of(&self, agent: AgentRef, what: AgentInteger) -> Result<INT> {
        match (agent, what) {
            // The id is known even if the agent has been removed.
            (AgentRef::Other(id), AgentInteger::Id) => Ok(id.0.into()),
            _ => self.agent(agent).map(|agent| what.of(&agent)),
        }
    }

    fn group_of(&self, agent: AgentRef) -> Result<ImmutableString> {
        self.agent(agent).map(|agent| agent.group().name.as_ref().into())
    }

    fn vector_of(&self, agent: AgentRef, x: AgentNumber, y: AgentNumber) -> Result<Vec2> {
        if matches!((agent, x), (AgentRef::Me, AgentNumber::VelX)) {
            return Ok(self.turn()?.vel);
        }
        self.agent(agent).map(|agent| Vec2::new(x.of(&agent), y.of(&agent)))
    }

    fn goal(&self) -> Result<EvalGoal<Self>> {
        let goal = self.turn()?.me().goal();
        Ok((optional(goal.map(|goal| goal.at)), optional(goal.map(|goal| goal.radius))))
    }

    fn own_path(&self) -> EvalOption<Self, PathId> {
        let path = self.turn()?.me().path();
        Ok(Optional { is_some: path.is_some(), value: path.unwrap_or(PathId(0)) })
    }

    fn own_waypoint(&self) -> EvalOption<Self, Vec2> {
        let turn = self.turn()?;
        let waypoint =
            |path: PathId| turn.world.path(path).waypoint(turn.progress[usize::from(path.0)]);
        Ok(optional(turn.me().path().map(waypoint)))
    }

    fn offset_to(&self, point: Vec2) -> Result<Vec2> {
        Ok(self.turn()?.me().to(point))
    }

    fn random(&self) -> Result<f32> {
        Ok(self.turn()?.draw())
    }

    fn encounter(&self, ask: AskOther, other: AgentRef) -> EvalOption<Self, f32> {
        Ok(optional(ask.of(&self.turn()?.me(), self.agent(other)?)))
    }

    fn free_distance(&self, velocity: Vec2, horizon: f32) -> Result<f32> {
        Ok(self.turn()?.me().free_distance(velocity, horizon))
    }

    fn previous(&self) -> EvalOption<Self, AgentRef> {
        self.agent_in_row(self.turn()?.me().agent().previous().map(|before| before.row()))
    }

    fn ask(&self, question: Question, about: [Vec2; 3]) -> Result<(Vec2, f32)> {
        if question.is_about_way() {
            meter::count_way(self.turn()?.me().way_cells())?;
        }
        Ok(question.answer(&self.turn()?.me(), about))
    }

    fn neighbors_within(&self, radius: f32) -> Neighborhood {
        Neighborhood::within(radius)
    }

    fn of_group(&self, near: Neighborhood, group: GroupId) -> Neighborhood {
        near.of(group)
    }

    fn related(&self, near: Neighborhood, relation: Relation) -> Neighborhood {
        near.related(relation)
    }

    fn in_view(&self, near: Neighborhood, angle: f32) -> Neighborhood {
        near.in_view(View::over(angle))
    }

    fn ahead(&self, near: Neighborhood) -> Neighborhood {
        near.in_view(View::Ahead)
    }

    fn around(&self, near: Neighborhood, point: Vec2) -> Neighborhood {
        near.around(point)
    }

    fn nearest_of(&self, near: Neighborhood, count: f32) -> Neighborhood {
        near.nearest(count as u32)
    }

    fn viewpoint(&self, near: Neighborhood) -> Result<Vec2> {
        let me = self.turn()?.me();
        Ok(near.around.unwrap_or_else(|| me.pos()))
    }

    fn means(&self, near: Neighborhood) -> Result<NeighborTotals<Self>> {
        let MeanSums { count, offsets, velocities } = self.turn()?.me().means(&near);
        Ok(NeighborTotals { count: count.into(), is_empty: count == 0, offsets, velocities })
    }

    fn nearest(&self, near: Neighborhood) -> EvalOption<Self, AgentRef> {
        self.agent_in_row(self.turn()?.me().nearest(&near).map(|(row, _)| row))
    }

    fn first(&self, near: Neighborhood) -> EvalOption<Self, AgentRef> {
        self.agent_in_row(self.turn()?.me().first(&near))
    }

    fn shared_number(&self, what: SharedNumber) -> Result<f32> {
        let turn = self.turn()?;
        // An expectation may run when no agent is left.
        let nobody = Body::default();
        let is_nobody = turn.world.agents.is_empty();
        Ok(what.of(&turn.world, if is_nobody { &nobody } else { turn.me().body() }))
    }

    fn shared_integer(&self, what: SharedInteger) -> Result<INT> {
        let turn = self.turn()?;
        let is_nobody = turn.world.agents.is_empty();
        Ok(what.of(&turn.world, if is_nobody { GroupId(0) } else { turn.me().group_id() }))
    }

    fn cursor(&self) -> EvalOption<Self, Vec2> {
        Ok(optional(self.turn()?.world.cursor))
    }

    fn only_agent(&self, group: GroupId) -> Result<AgentRef> {
        let world = &self.turn()?.world;
        let name = &world.group(group).name;
        match world.only_agent(group) {
            Ok(row) => Ok(AgentRef::Other(world.agents.id[row])),
            Err(count) => Err(Problem::new(format!(
                "`world.agent` needs a group with exactly one agent, but `{name}` has {count}"
            ))
            .help(format!(
                "`me.nearest(\"{name}\")` gives the nearest agent of the group, or `()` if there is none"
            ))
            .into()),
        }
    }

    fn ray(&self, from: Vec2, to: Vec2) -> EvalOption<Self, Vec2> {
        let hit = self.turn()?.world.ray(from, to);
        Ok(optional(hit.map(finite).transpose()?))
    }

    fn obstacle(&self, ask: AskObstacle, obstacle: ObstacleId, point: Vec2) -> Result<Vec2> {
        // Handles are made for obstacles that exist.
        Ok(ask.of(&self.turn()?.world, obstacle, point).unwrap_or_default())
    }

    fn path(&self, ask: AskPath, path: PathId, point: Vec2) -> Result<Vec2> {
        // The only query that may have no result is that for a point by its index; `path_point` makes that one.
        Ok(ask.of(self.turn()?.world.path(path), point).unwrap_or_default())
    }

    fn flow(&self, field: FieldId, point: Vec2) -> Result<Vec2> {
        Ok(self.turn()?.world.flow(field, point))
    }

    fn path_count(&self, path: PathId) -> Result<INT> {
        Ok(self.turn()?.world.path(path).points.len() as INT)
    }

    fn path_point(&self, path: PathId, place: INT) -> Result<Vec2> {
        let points = &self.turn()?.world.path(path).points;
        let point = usize::try_from(place).ok().and_then(|place| points.get(place));
        point.copied().ok_or_else(|| {
            Problem::new(format!("the path has no point with index {place}"))
                .code(Code::OutOfRange)
                .help(format!("its indices are 0 to {}", points.len() - 1))
                .into()
        })
    }

    fn name_of_obstacle(&self, obstacle: ObstacleId) -> Result<ImmutableString> {
        Ok(self.turn()?.world.obstacle(obstacle).name.as_ref().into())
    }

    fn name_of_path(&self, path: PathId) -> Result<ImmutableString> {
        Ok(self.turn()?.world.path(path).name.as_ref().into())
    }

    fn name_of_field(&self, field: FieldId) -> Result<ImmutableString> {
        let turn = self.turn()?;
        let field = turn.world.fields.get(usize::from(field.0));
        Ok(field.map_or_else(ImmutableString::new, |field| field.name.as_ref().into()))
    }
}
