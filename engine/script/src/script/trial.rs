//! Tries calls before a script runs, to find the errors that they would give for values of certain types.
//!
//! `check` must report the same errors as a run, so it lets the interpreter itself make the call, in a small world:
//! that of the scenario with one agent of each group. The results are thrown away.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult, FnPtr, GlobalRuntimeState, NativeCallContext, Position};

use super::compile::Script;
use super::error;
use super::handles::{AgentHandle, FieldHandle, ObstacleHandle, PathHandle};
use super::problem;
use super::sources::Sources;
use super::{meter, turn};
use crate::diag::{Code, Diagnostic};
use crate::geom::Shape;
use crate::math::Vec2;
use crate::program::Type;
use crate::world::{
    AgentId, Body, Edge, FieldId, Goal, Group, GroupId, NewAgent, Obstacle, ObstacleId, Path,
    PathId, PathMode, ScenarioPart, Space, Value, World,
};

/// A world to try calls in, as an agent of one group.
#[derive(Debug)]
pub(super) struct TrialWorld {
    world: Arc<World>,
    /// Whether its names are those of a scenario. Without a scenario, any name may exist.
    has_names: bool,
    /// For each group, whether there always is an agent of it other than the one whose turn it is.
    always_another: Vec<bool>,
    /// The groups that have the same script.
    same_script: Vec<GroupId>,
}

/// An argument to try a call with.
#[derive(Clone, Debug)]
pub(super) enum Example {
    /// Exactly this value.
    Exactly(Dynamic),
    /// Any value of a type.
    Some(Type),
    /// An array of these values.
    Array(Vec<Self>),
    /// A map of these values.
    Map(Vec<(Arc<str>, Self)>),
}

impl TrialWorld {
    /// Creates a trial world for a group of a world.
    pub(super) fn new(
        world: &World,
        group: GroupId,
        always_another: Vec<bool>,
        same_script: &[GroupId],
        has_names: bool,
    ) -> Self {
        let space = world.space;
        let mut trial = World::new(
            world.seed,
            world.dt,
            space,
            world.all_obstacles().cloned().collect(),
            world.paths.clone(),
            world.groups.clone(),
        );
        // Searching for ways on small cells takes long, and no trial needs the best way.
        trial.way_cell = Some(space.size.max_element() / 16.0);
        trial.fields = world.fields.clone();
        trial.layers = world.layers.clone();
        trial.inputs = world.inputs.clone();
        trial.shared = world.shared.clone();
        trial.cursor = Some(space.min + space.size * 0.5);
        // The own group has a second agent only if it always has one: some calls need a group with a single agent.
        let is_alone = always_another.get(group.0 as usize) != Some(&true);
        let others = (0..world.groups.len()).map(|of| GroupId(of as u16));
        let others = others.filter(|of| *of != group || !is_alone);
        for (place, of) in [group].into_iter().chain(others).enumerate() {
            let away = space.size * (0.25 + 0.01 * place as f32);
            let new_agent =
                NewAgent { pos: space.min + away, vel: Vec2::X, heading: None, sequence: 0 };
            trial.add(of, new_agent);
        }
        trial.index();
        let same_script = same_script.to_vec();
        Self { world: Arc::new(trial), has_names, always_another, same_script }
    }

    /// Creates a world without a scenario: a plane with a group, a path and an obstacle.
    pub(super) fn anywhere() -> Self {
        let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::splat(100.0) };
        let obstacle = Obstacle {
            name: "obstacle".into(),
            shape: Shape::Circle { center: Vec2::splat(60.0), radius: 5.0 },
        };
        let path = Path {
            name: "path".into(),
            points: vec![Vec2::ZERO, Vec2::splat(50.0), Vec2::splat(100.0)],
            radius: 1.0,
            mode: PathMode::Loop,
        };
        let goal = Goal { at: Vec2::splat(80.0), radius: 1.0 };
        let group = Group {
            name: "group".into(),
            body: Body { radius: 1.0, max_speed: 10.0, max_force: 10.0, ..Body::default() },
            path: Some(PathId(0)),
            goals: vec![[goal].into()],
            ..Group::default()
        };
        let world = World::new(0, 0.1, space, vec![obstacle], vec![path], vec![group]);
        Self::new(&world, GroupId(0), vec![true], &[GroupId(0)], false)
    }

    /// Returns whether there always is another agent of a group; of any group if `group` is `None`.
    pub(super) fn always_has_another(&self, group: Option<GroupId>) -> bool {
        match group {
            Some(group) => self.always_another.get(group.0 as usize) == Some(&true),
            None => self.always_another.contains(&true),
        }
    }

    /// Returns whether there may be a part of a scenario for a group with the script: one group may need a part that
    /// another has.
    pub(super) fn may_have_part(&self, part: ScenarioPart) -> bool {
        !self.has_names || self.same_script.iter().any(|&group| self.world.has_part(part, group))
    }

    /// Returns a param of a group that is a number.
    pub(super) fn param(&self, group: GroupId, name: &str) -> Option<f32> {
        if !self.has_names {
            return None;
        }
        match self.world.group(group).params.get(name)? {
            Value::Int(x) => Some(*x as f32),
            Value::Float(x) => Some(*x),
            Value::Drawn(distribution) => Some(distribution.middle()),
            _ => None,
        }
    }

    /// Returns the error that a native function gives for all values like these; `None` if the call may succeed.
    pub(super) fn error(
        &self,
        script: &Script,
        function: &str,
        arguments: &[Example],
    ) -> Option<Diagnostic> {
        // An error that two calls with different values have in common does not depend on the values.
        let first = self.attempt(script, function, arguments, 0)?;
        let second = self.attempt(script, function, arguments, 1)?;
        // Without a scenario, any name may exist, and a path may have any number of points.
        let is_path = |one: &Example| match one {
            Example::Exactly(value) => value.is::<PathHandle>(),
            Example::Some(ty) => *ty == Type::Path,
            Example::Array(_) | Example::Map(_) => false,
        };
        let depends_on_scenario = matches!(first.code, Code::UnknownName | Code::MissingPart)
            || (first.code == Code::OutOfRange && arguments.iter().any(is_path));
        (first == second && (self.has_names || !depends_on_scenario)).then_some(first)
    }

    /// Returns whether a native function takes arguments of these types.
    pub(super) fn takes(&self, script: &Script, function: &str, arguments: &[Example]) -> bool {
        let result = self.call(script, function, arguments, 0);
        !matches!(result, Err(error) if matches!(
            *error,
            EvalAltResult::ErrorFunctionNotFound(..) | EvalAltResult::ErrorDotExpr(..)
        ))
    }

    fn attempt(
        &self,
        script: &Script,
        function: &str,
        arguments: &[Example],
        variant: usize,
    ) -> Option<Diagnostic> {
        let error = self.call(script, function, arguments, variant).err()?;
        let sources = Sources { own: &script.source, imported: &script.imported };
        let mut found = error::runtime_error(&error, &sources);
        found.place = None;
        Some(found)
    }

    fn call(
        &self,
        script: &Script,
        function: &str,
        arguments: &[Example],
        variant: usize,
    ) -> problem::Result<Dynamic> {
        let _session = turn::enter(&self.world);
        meter::restart(0);
        let mut values: Vec<Dynamic> = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match self.value(argument, variant) {
                Some(value) => values.push(value),
                // The world has no such value, so nothing can be said about the call.
                None => return Ok(Dynamic::UNIT),
            }
        }
        let mut values: Vec<&mut Dynamic> = values.iter_mut().collect();
        let global = script.engine.new_global_runtime_state();
        let context = context(script, function, &global);
        // A panic in Rhai must not end the program.
        panic::catch_unwind(AssertUnwindSafe(|| {
            context.call_native_fn_raw(function, true, &mut values)
        }))
        .unwrap_or(Ok(Dynamic::UNIT))
    }

    /// Returns one of two values that fit an example.
    fn value(&self, example: &Example, variant: usize) -> Option<Dynamic> {
        Some(match example {
            // It would call a function of the script, and native calls alone do not know these.
            Example::Exactly(value) if value.is::<FnPtr>() => return None,
            Example::Exactly(value) => value.clone(),
            Example::Some(Type::Bool) => (variant == 0).into(),
            Example::Some(Type::Int) => [1i64, 0][variant].into(),
            Example::Some(Type::Float) => [1.5f32, 0.25][variant].into(),
            Example::Some(Type::Vector) => Dynamic::from([Vec2::new(3.0, 4.0), Vec2::X][variant]),
            Example::Some(Type::String) => ["one", "another"][variant].into(),
            Example::Some(Type::Agent) => Dynamic::from(AgentHandle(AgentId([1, 0][variant]))),
            Example::Some(Type::Obstacle) if self.world.obstacles.is_empty() => return None,
            Example::Some(Type::Obstacle) => Dynamic::from(ObstacleHandle(ObstacleId(0))),
            // Paths differ in their number of points, so a single path is needed for a valid result.
            Example::Some(Type::Path) if self.world.paths.len() != 1 => return None,
            Example::Some(Type::Path) => Dynamic::from(PathHandle(PathId(0))),
            Example::Some(Type::Field) if self.world.fields.is_empty() => return None,
            Example::Some(Type::Field) => Dynamic::from(FieldHandle(FieldId(0))),
            Example::Some(Type::Nothing) => Dynamic::UNIT,
            Example::Array(items) => items
                .iter()
                .map(|item| self.value(item, variant))
                .collect::<Option<rhai::Array>>()?
                .into(),
            Example::Map(items) => items
                .iter()
                .map(|(name, item)| Some(((&**name).into(), self.value(item, variant)?)))
                .collect::<Option<rhai::Map>>()?
                .into(),
        })
    }
}

fn context<'a>(
    script: &'a Script,
    function: &'a str,
    global: &'a GlobalRuntimeState,
) -> NativeCallContext<'a> {
    (&script.engine, function, None, global, Position::NONE).into()
}
