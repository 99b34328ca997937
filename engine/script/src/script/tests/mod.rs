//! Tests that run scripts in small worlds.

mod causes;
mod choices;
mod encounters;
mod reasons;
mod size;
mod skipped_calls;
mod turn_values;
mod turns;
mod values;
mod weights;
mod wrong;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Behavior, Library};
use crate::diag::{Diagnostic, Source};
use crate::geom::Shape;
use crate::math::Vec2;
use crate::sim::{Brain, Order, Setup, Simulation, Spawn, SpawnShape};
use crate::world::{
    Body, Edge, Goal, Group, Obstacle, Path, PathId, PathMode, Space, Value, Values,
};

/// Scripts by name, as if they were read from the scripts folder.
pub(super) struct ScriptFiles(BTreeMap<String, String>);

impl Library for ScriptFiles {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        Ok(self.0.get(name).map(|text| Source::new(format!("scripts/{name}.rhai"), text.as_str())))
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

pub(super) fn scripts(sources: &[(&str, &str)]) -> ScriptFiles {
    ScriptFiles(
        sources.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect(),
    )
}

/// Returns the setup of a world with two groups: one agent "hero" at (10, 0), and three "others" at (20, 0), (10, 5)
/// and (90, 90), all with velocity (1, 0) and run by the same script.
fn setup() -> Setup {
    let body = Body { radius: 1.0, max_speed: 10.0, ..Body::default() };
    let group = |name: &str, goals: Vec<Arc<[Goal]>>| Group {
        name: name.into(),
        body,
        params: [("alert".into(), Value::Float(8.5)), ("n".into(), Value::Int(3))]
            .into_iter()
            .collect::<Values>(),
        path: Some(PathId(0)),
        goals,
        ..Group::default()
    };
    let spawn = |points: &[(f32, f32)]| Spawn {
        shape: SpawnShape::Points(points.iter().map(|&(x, y)| Vec2::new(x, y)).collect()),
        count: points.len() as u32,
        vel: Vec2::X,
        heading: None,
    };
    let goals: Arc<[Goal]> = [Goal { at: Vec2::new(10.0, 50.0), radius: 2.0 }].into();
    Setup {
        fields: Vec::new(),
        seed: 3,
        dt: 0.5,
        order: Order::Synchronous,
        space: Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::splat(100.0) },
        way_cell: None,
        absent_obstacles: Vec::new(),
        moving_obstacles: Vec::new(),
        layers: Vec::new(),
        inputs: Vec::new(),
        shared: Vec::new(),
        obstacles: vec![Obstacle {
            name: "pillar".into(),
            shape: Shape::Circle { center: Vec2::new(40.0, 0.0), radius: 5.0 },
        }],
        paths: vec![Path {
            name: "round".into(),
            points: vec![Vec2::ZERO, Vec2::new(100.0, 0.0)],
            radius: 4.0,
            mode: PathMode::Loop,
        }],
        groups: vec![
            (group("hero", vec![goals]), spawn(&[(10.0, 0.0)])),
            (group("others", Vec::new()), spawn(&[(20.0, 0.0), (10.0, 5.0), (90.0, 90.0)])),
        ],
        events: Vec::new(),
        max_agents: Setup::DEFAULT_MAX_AGENTS,
        start: None,
    }
}

fn start(library: &ScriptFiles) -> Result<Simulation, String> {
    let behavior = Behavior::compile("main", library).map_err(|all| all[0].render(false))?;
    let brain: Arc<dyn Brain> = Arc::new(behavior);
    Simulation::new(setup(), vec![Arc::clone(&brain), brain]).map_err(|fault| fault.to_string())
}

/// Returns the velocity of the first agent after one tick of 0.5 s, in a world where `script` steers all agents.
fn one_tick(script: &str) -> Result<Vec2, String> {
    ticks(&scripts(&[("main", script)]), 1).map(|simulation| simulation.world().agents.vel(0))
}

fn ticks(library: &ScriptFiles, ticks: usize) -> Result<Simulation, String> {
    let mut simulation = start(library)?;
    for _ in 0..ticks {
        simulation.step().map_err(|fault| fault.to_string())?;
    }
    Ok(simulation)
}

/// Returns the value of an expression in the script of the hero: a vector, or `(x, 0)` for a number or a boolean.
fn value(expression: &str) -> Vec2 {
    let script = format!("fn num(x) {{ if type_of(x) == \"vector\" {{ x }} else if type_of(x) == \"bool\" {{ if x {{ vec(1, 0) }} else {{ vec(0, 0) }} }} else {{ vec(x, 0) }} }}
        fn steer(me) {{ if me.id == 0 {{ me.state.result = num({expression}); }} vec(0, 0) }}");
    let simulation = ticks(&scripts(&[("main", &script)]), 1)
        .unwrap_or_else(|error| panic!("{expression}:\n{error}"));
    match simulation.minds().state(0).get("result") {
        Some(Value::Vector(v)) => *v,
        other => panic!("{expression} is {other:?}"),
    }
}
