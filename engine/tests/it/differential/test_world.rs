//! Runs scripts in a small world with something of everything, once lowered and once by the interpreter alone, and
//! compares the two after every tick.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use flockwork_engine::diag::{Diagnostic, Source};
use flockwork_engine::distribution::Distribution;
use flockwork_engine::math::Vec2;
use flockwork_engine::script::{Behavior, Library};
use flockwork_engine::sim::{Action, Brain, Event, EventTime, Order, Setup, Simulation};
use flockwork_engine::world::{
    Body, BodyDraw, BodyDraws, Drive, Edge, Goal, GroupId, Noise, ObstacleMotion, Value,
};
use flockwork_engine::{AgentError, Message, Severity, world_hash};

use crate::support::parse;

/// Obstacles of all shapes, two paths, two fields, two layers, and three groups with params of all types. The agents of `b` are at rest,
/// some in the same place, and have neither goals nor a path. `c` stands where one of `b` does.
const SCENARIO: &str = r#"(
    seed: 11, dt: 0.05, ticks: 100,
    world: (min: (-10, 0), size: (190, 150)),
    obstacles: {
        "disc": Circle(center: (60, 40), radius: 12),
        "box": Box(center: (140, 100), size: (30, 20), angle_deg: 30),
        "shed": Circle(center: (100, 20), radius: 4),
        "wall": Segment(from: (20, 120), to: (90, 130)),
        "dent": Polygon([(150, 20), (175, 20), (175, 50), (165, 30), (150, 50)]),
        "hall": Room(min: (-5, 5), max: (175, 145)),
    },
    inputs: { "left": Key("left"), "go on": Key("space") },
    paths: {
        "round": (points: [(20, 20), (160, 30), (150, 130), (30, 110)], radius: 15, mode: Loop),
        "trail": (points: [(0, 75), (80, 70), (170, 75)], radius: 8, mode: PingPong),
    },
    fields: {
        "whirl": Vortex(center: (80, 60), radius: 30, strength: -0.7),
        "wind": Grid(min: (20, 20), cell: 40, vectors: [[(1, 0), (0.5, 2)], [(0, 0), (-1, 0.25)]]),
    },
    layers: {
        "scent": (cell: 10, evaporation: 0.5, diffusion: 90),
        "food": (cell: 5, amount: 2, areas: [(area: Circle(center: (60, 60), radius: 20), amount: 9)]),
    },
    shared: {
        "sum": Sum(), "count": Sum(each_tick: true), "any": Any(), "all": All(each_tick: true), "record": Largest(start: 0),
        "least": Smallest(start: 100, each_tick: true), "spot": Latest(start: (3, 4)), "who": Latest(start: ()), "mood": Latest(start: "calm"),
    },
    groups: {
        "a": (
            behavior: "a",
            spawn: Rect(min: (0, 10), max: (170, 140)), count: 1, velocity: (8, -3),
            body: (radius: 2, max_speed: 30, max_force: 80),
            params: { "k": 1.5, "n": 3, "on": true, "spot": (40, 60), "word": "left" },
            public: {
                "flag": false, "level": 1, "aim": (1, 2), "temper": "calm", "mate": (), "secret": 0.5,
                "hits": Sum(), "fresh": Sum(each_tick: true), "loud": Any(), "closest": Smallest(start: 99, each_tick: true),
            },
            path: "round", formation: Wedge(spacing: 5), prey: ["b", "c"], captured_by: ["b", "a"], allies: ["a"],
            goals: [(at: (90, 70), radius: 40), (at: (30, 30), radius: 30)],
        ),
        "b": (
            behavior: "b",
            spawn: Points([(50, 80), (55, 82), (120, 60)]),
            body: (radius: 1, mass: 2.5, max_speed: 20, max_force: 40),
            params: { "k": 2, "n": 5, "on": false, "spot": (-3, 0), "word": "right" },
            public: { "flag": false, "level": 1, "aim": (1, 2), "temper": "calm", "mate": (), "hits": Largest(start: -1) }, captured_by: ["a"],
        ),
        "c": (
            behavior: "c",
            spawn: Points([(55, 82)]), velocity: (0, 6),
            body: (radius: 4, max_speed: 40, max_force: 100),
            params: { "k": 0.25, "n": 0, "on": true, "spot": (1, 1), "word": "" },
            public: { "flag": false, "level": 1, "aim": (1, 2), "temper": "calm", "mate": (), "secret": 2 },
            path: "trail",
            goals: [(at: (60, 90), radius: 12)], after_goals: Stop,
        ),
    },
)"#;

/// How many agents each group has at first. Blocks of 64 and 128 lanes are nearly empty, exactly full, or one lane
/// more than full.
const COUNTS: &[[u32; 3]] =
    &[[70, 9, 1], [64, 30, 1], [3, 66, 2], [1, 1, 1], [128, 2, 1], [20, 5, 4]];

/// The events of the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Events {
    /// No events.
    None,
    /// Agents are added and removed, obstacles come and go, goals and params change. Params keep their types, except for numbers.
    Mild,
    /// Params change their types.
    Wild,
}

/// A world to run scripts in.
#[derive(Clone, Debug)]
pub(super) struct TestWorld {
    pub(super) counts: [u32; 3],
    pub(super) edge: Edge,
    pub(super) order: Order,
    pub(super) events: Events,
    /// Whether the body of `c` has no maximum speed and force.
    pub(super) unlimited_body: bool,
    /// Whether the agents of `a` have different bodies, one of them without limits.
    pub(super) different_bodies: bool,
    /// Whether numbers of the params and bodies of `a` and `b` are drawn for each agent.
    pub(super) drawn: bool,
    /// The side of the cells that ways are searched on.
    pub(super) way_cell: f32,
    pub(super) seed: u64,
    pub(super) ticks: u64,
}

/// Larger cells than usual, since searching takes long; bodies of different sizes still have different ways.
pub(super) const WAY_CELL: f32 = 2.0;

impl TestWorld {
    /// Returns the world of a number. Numbers near 0 give simple worlds.
    pub(super) fn of(number: u64) -> Self {
        let pick = |divisor: u64, from: u64| (number / divisor) % from;
        Self {
            counts: COUNTS[pick(1, COUNTS.len() as u64) as usize],
            edge: [Edge::Open, Edge::Wrap, Edge::Bounce, Edge::Clamp][pick(2, 4) as usize],
            order: if pick(3, 5) == 4 { Order::Sequential } else { Order::Synchronous },
            events: match pick(5, 9) {
                0..4 => Events::None,
                4..8 => Events::Mild,
                _ => Events::Wild,
            },
            unlimited_body: pick(7, 16) == 15,
            different_bodies: pick(13, 5) == 4,
            drawn: pick(17, 3) == 2,
            way_cell: WAY_CELL,
            seed: number,
            ticks: 5 + pick(11, 3),
        }
    }

    fn setup(&self) -> Setup {
        let mut setup = parse("differential", SCENARIO).setup;
        setup.seed = self.seed;
        setup.order = self.order;
        setup.space.edge = self.edge;
        setup.way_cell = Some(self.way_cell);
        for ((_, spawn), count) in setup.groups.iter_mut().zip(self.counts) {
            spawn.count = count;
        }
        if self.different_bodies {
            let group = &mut setup.groups[0].0;
            let small = Body {
                radius: 0.5,
                mass: 0.25,
                max_speed: 12.0,
                max_force: 9.0,
                drive: Drive::Car { turning_radius: 3.0, reverse: true },
                solid: true,
                noise: Noise { position: 0.5, velocity: 0.5, motion: 2.0 },
                ..Body::default()
            };
            group.bodies = vec![group.body, small, group.body, Body::default()];
        }
        if self.drawn {
            draw_numbers(&mut setup);
        }
        if self.unlimited_body {
            let body = &mut setup.groups[2].0.body;
            (body.max_speed, body.max_force) = (f32::INFINITY, f32::INFINITY);
        }
        setup.events = match self.events {
            Events::None => Vec::new(),
            Events::Mild => mild(),
            Events::Wild => [mild(), wild()].concat(),
        };
        setup
    }
}

/// Lets numbers of the params and bodies of `a` and `b` be drawn for each agent.
fn draw_numbers(setup: &mut Setup) {
    let uniform = |from, to| Distribution::uniform(from, to).unwrap();
    for (group, _) in &mut setup.groups[..2] {
        let mixture = [(0.5, uniform(0.5, 1.0)), (0.5, uniform(2.0, 3.5))];
        group.params.set("k", Distribution::mixture(&mixture).unwrap().into());
        let draw = |name: &str, of| BodyDraw { path: vec![name.into()], of: Arc::new(of) };
        let draws = [draw("radius", uniform(0.5, 2.0)), draw("max_speed", uniform(5.0, 30.0))];
        let body = |body: &Body| BodyDraws { body: *body, draws: draws.to_vec() };
        group.body_draws = group.all_bodies().iter().map(body).collect();
    }
}

const A: GroupId = GroupId(0);
const B: GroupId = GroupId(1);
const C: GroupId = GroupId(2);

fn at(tick: u64, action: Action) -> Event {
    Event { when: EventTime::At(tick), action }
}

fn set(tick: u64, group: GroupId, param: &str, value: Value) -> Event {
    let param = param.into();
    at(tick, Action::Set { group, param, value })
}

fn mild() -> Vec<Event> {
    let goals: &[Goal] = &[Goal { at: Vec2::new(70.0, 70.0), radius: 25.0 }];
    let velocity = ObstacleMotion::Velocity(Vec2::new(9.0, -4.0));
    vec![
        set(1, A, "k", Value::Int(4)),
        set(1, A, "word", Value::String("somewhere else".into())),
        at(
            1,
            Action::Push {
                group: B,
                velocity: Vec2::new(3.0, -1.0),
                when: flockwork_engine::sim::PushTime::BeforeDecision,
            },
        ),
        at(2, Action::Remove { group: B, count: Some(2) }),
        at(2, Action::Spawn { group: A, count: 3 }),
        set(3, A, "n", Value::Int(-2)),
        set(4, A, "k", Distribution::normal(2.0, 0.5, None).unwrap().into()),
        set(3, B, "on", Value::Bool(true)),
        at(3, Action::SetGoals { group: B, goals: goals.into() }),
        at(3, Action::Remove { group: A, count: Some(1) }),
        at(4, Action::Remove { group: C, count: None }),
        at(4, Action::Spawn { group: B, count: 1 }),
        at(1, Action::Input { name: "left".into(), down: true }),
        at(3, Action::Input { name: "go on".into(), down: true }),
        at(4, Action::Input { name: "left".into(), down: false }),
        at(2, Action::SetObstacle { obstacle: "box".into(), present: false }),
        at(4, Action::SetObstacle { obstacle: "box".into(), present: true }),
        at(1, Action::MoveObstacle { obstacle: "disc".into(), motion: velocity }),
        at(3, Action::SetShared { name: "any".into(), value: Value::Bool(false) }),
        at(3, Action::SetShared { name: "mood".into(), value: Value::String("odd".into()) }),
    ]
}

fn wild() -> Vec<Event> {
    vec![
        set(2, A, "k", Value::String("much".into())),
        set(3, B, "spot", Value::Int(3)),
        set(3, A, "on", Value::Nothing),
        set(3, C, "word", Value::Bool(false)),
        set(3, B, "n", Value::List(vec![Value::Int(1), Value::Float(2.5)])),
    ]
}

/// Scripts by name.
#[derive(Clone, Debug, Default)]
pub(super) struct TestScripts(pub(super) BTreeMap<String, String>);

impl Library for TestScripts {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        let source = |text: &String| Source::new(format!("scripts/{name}.rhai"), text.as_str());
        Ok(self.0.get(name).map(source))
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

/// Scripts in a world.
#[derive(Clone, Debug)]
pub(super) struct ScriptCase {
    pub(super) scripts: TestScripts,
    /// The script of each group.
    pub(super) behaviors: [String; 3],
    pub(super) test_world: TestWorld,
}

/// A script for agents that only serve as neighbors.
const DRIFT: &str = "fn init(me) { me.state.seen = 0; }
fn steer(me) {
    me.state.seen += me.neighbors(12).count;
    0.5 * me.wander() + me.separation(8, 20)
}";

impl ScriptCase {
    /// Gives a script to group `a`, while the others drift.
    pub(super) fn one(script: &str, test_world: TestWorld) -> Self {
        let scripts = [("main", script), ("drift", DRIFT)];
        Self {
            scripts: TestScripts(
                scripts.map(|(name, text)| (name.to_owned(), text.to_owned())).into(),
            ),
            behaviors: ["main", "drift", "drift"].map(str::to_owned),
            test_world,
        }
    }

    /// Gives a script to all groups.
    pub(super) fn all(script: &str, test_world: TestWorld) -> Self {
        Self {
            behaviors: ["main", "main", "main"].map(str::to_owned),
            ..Self::one(script, test_world)
        }
    }

    /// Keeps each force in the agent's state too, where every bit of it counts: its effect on the velocity may be
    /// too small to show.
    pub(super) fn with_forces_in_state(mut self) -> Self {
        if let Some(script) = self.scripts.0.get_mut("main") {
            let steer =
                "fn steer(me) { me.state.force = wanted(me); me.state.force }\nfn wanted(me)";
            *script = script.replacen("fn steer(me)", steer, 1);
        }
        self
    }

    pub(super) fn with(mut self, name: &str, text: &str) -> Self {
        self.scripts.0.insert(name.to_owned(), text.to_owned());
        self
    }

    /// Returns the simulation at tick 0, with behaviors prepared by `prepare`. The error says why a script does
    /// not compile.
    fn start(
        &self,
        prepare: impl Fn(Behavior) -> Behavior,
    ) -> Result<Result<Simulation, AgentError>, String> {
        self.compile(prepare).map(|behaviors| self.simulation(&behaviors))
    }

    /// Compiles the behaviors of all groups.
    pub(super) fn compile(
        &self,
        prepare: impl Fn(Behavior) -> Behavior,
    ) -> Result<Vec<Arc<Behavior>>, String> {
        let mut compiled: BTreeMap<&str, Arc<Behavior>> = BTreeMap::new();
        for name in &self.behaviors {
            if !compiled.contains_key(name.as_str()) {
                let behavior = Behavior::compile(name, &self.scripts)
                    .map_err(|errors| errors[0].render(false))?;
                compiled.insert(name, Arc::new(prepare(behavior)));
            }
        }
        let behaviors = self.behaviors.iter();
        Ok(behaviors.map(|name| Arc::clone(&compiled[name.as_str()])).collect())
    }

    pub(super) fn simulation(&self, behaviors: &[Arc<Behavior>]) -> Started {
        let brains = behaviors.iter();
        let brains = brains.map(|one| Arc::clone(one) as Arc<dyn Brain>).collect();
        Simulation::new(self.test_world.setup(), brains)
    }

    /// Returns the notes on what needs the interpreter in the scripts.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Ok(behaviors) = self.compile(|it| it)
            && let Ok(simulation) = self.simulation(&behaviors)
        {
            for (group, behavior) in behaviors.iter().enumerate() {
                let found =
                    behavior.findings(simulation.world(), GroupId(group as u16), Vec::new(), &[]);
                let found = found.iter().filter(|one| one.severity == Severity::Note);
                notes.extend(found.map(|one| one.message.clone()));
            }
        }
        notes
    }

    /// Runs the scripts lowered and interpreted, and compares.
    pub(super) fn compare(&self) -> ScriptComparison {
        self.compare_and_count().0
    }

    /// Runs the scripts lowered and interpreted. Returns the comparison, the number of turns, and how many of them
    /// the interpreter took in the lowered run.
    pub(super) fn compare_and_count(&self) -> (ScriptComparison, u64, u64) {
        let behaviors = match self.compile(|it| it) {
            Ok(behaviors) => behaviors,
            Err(error) => return (ScriptComparison::DoesNotCompile(error), 0, 0),
        };
        let one = self.simulation(&behaviors);
        let (mut turns, mut interpreted) = (0, 0);
        let seen = match self.start(Behavior::interpreted) {
            Ok(other) => compare_runs(one, other, self.test_world.ticks, &mut turns),
            Err(error) => ScriptComparison::DoesNotCompile(error),
        };
        let mut counted: Vec<*const Behavior> = Vec::new();
        for behavior in &behaviors {
            if !counted.contains(&Arc::as_ptr(behavior)) {
                counted.push(Arc::as_ptr(behavior));
                interpreted += behavior.interpreted_turns();
            }
        }
        (seen, turns, interpreted)
    }

    /// Returns the case with as many lines left out as possible while `still_differs` holds.
    pub(super) fn reduced(&self, still_differs: impl Fn(&Self) -> bool) -> Self {
        let mut best = self.clone();
        let names: Vec<String> = best.scripts.0.keys().cloned().collect();
        for name in names {
            let try_without = |best: &mut Self, out: &dyn Fn(usize) -> bool| {
                let lines = best.scripts.0[&name].lines().enumerate();
                let kept: Vec<&str> =
                    lines.filter(|(i, _)| !out(*i)).map(|(_, line)| line).collect();
                let fewer = best.clone().with(&name, &kept.join("\n"));
                let holds = still_differs(&fewer);
                if holds {
                    *best = fewer;
                }
                holds
            };
            let count = |case: &Self| case.scripts.0[&name].lines().count();
            for length in (1..=count(&best)).rev() {
                let mut first = 0;
                while first + length <= count(&best) {
                    let lines = first..first + length;
                    if !try_without(&mut best, &|i| lines.contains(&i)) {
                        first += 1;
                    }
                }
            }
            // The lines in a block may do without the block.
            for first in (0..count(&best)).rev() {
                for last in first + 1..count(&best) {
                    let lines: Vec<&str> = best.scripts.0[&name].lines().collect();
                    let ends = lines.get(last).is_some_and(|it| it.trim().starts_with('}'));
                    if ends && lines[first].ends_with('{') {
                        try_without(&mut best, &|i| i == first || i == last);
                    }
                }
            }
        }
        best
    }

    /// Compares a run of these scripts with a run of others.
    pub(super) fn compare_with(&self, other: &Self) -> ScriptComparison {
        match (self.start(|it| it), other.start(|it| it)) {
            (Ok(one), Ok(other)) => compare_runs(one, other, self.test_world.ticks, &mut 0),
            (Err(error), _) | (_, Err(error)) => ScriptComparison::DoesNotCompile(error),
        }
    }
}

impl fmt::Display for ScriptCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", self.test_world)?;
        writeln!(f, "behaviors {:?}", self.behaviors)?;
        for (name, text) in &self.scripts.0 {
            writeln!(f, "-- {name} --\n{text}")?;
        }
        Ok(())
    }
}

/// The result of a comparison.
#[derive(Clone, Debug)]
pub(super) enum ScriptComparison {
    /// Both did the same for a number of ticks, up to the same error if there was one.
    Same { ticks: u64, error: Option<AgentError> },
    /// They differ; says how.
    Different(String),
    /// A script does not compile; says why.
    DoesNotCompile(String),
}

pub(super) type Started = Result<Simulation, AgentError>;

fn compare_runs(one: Started, other: Started, ticks: u64, turns: &mut u64) -> ScriptComparison {
    let (mut one, mut other) = match (one, other) {
        (Ok(one), Ok(other)) => (one, other),
        (one, other) => return compare_errors(0, one.err(), other.err()),
    };
    for tick in 0..=ticks {
        let stepped = if tick == 0 { (Ok(()), Ok(())) } else { (one.step(), other.step()) };
        *turns += one.world().agents.len() as u64;
        let messages = (one.take_messages(), other.take_messages());
        if messages.0 != messages.1 {
            return ScriptComparison::Different(format!(
                "tick {tick}: {}",
                first_different_message(&messages.0, &messages.1)
            ));
        }
        match stepped {
            (Ok(()), Ok(())) => {}
            (one, other) => return compare_errors(tick, one.err(), other.err()),
        }
        let hash = |of: &Simulation| world_hash(of.world(), of.minds());
        if hash(&one) != hash(&other) {
            return ScriptComparison::Different(format!(
                "tick {tick}: {}",
                first_different_agent(&one, &other)
            ));
        }
    }
    ScriptComparison::Same { ticks, error: None }
}

/// Compares two errors: their messages, places and agents.
fn compare_errors(
    tick: u64,
    one: Option<AgentError>,
    other: Option<AgentError>,
) -> ScriptComparison {
    let text = |error: &Option<AgentError>| {
        let Some(error) = error else {
            return "no error".to_owned();
        };
        let (tick, agent, group) = (error.tick, error.agent, &error.group);
        let what = error.diagnostic().render(false);
        format!("tick {tick} agent {agent} of `{group}`: {error}\n{what}")
    };
    let (first, second) = (text(&one), text(&other));
    if first.contains("the interpreter crashed") {
        return ScriptComparison::Different(format!("tick {tick}: a panic\n{first}"));
    }
    if first == second {
        let ticks = tick;
        return ScriptComparison::Same { ticks, error: one };
    }
    ScriptComparison::Different(format!("tick {tick}:\n{first}\n-- the other --\n{second}"))
}

fn first_different_message(one: &[Message], other: &[Message]) -> String {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    format!(
        "message {same} of {} and {} is {:?} and {:?}",
        one.len(),
        other.len(),
        one.get(same),
        other.get(same)
    )
}

/// Describes the first agent in which two simulations differ.
fn first_different_agent(one: &Simulation, other: &Simulation) -> String {
    let rows = [one, other].map(|of| of.world().agents.len());
    if rows[0] != rows[1] {
        return format!("{} and {} agents", rows[0], rows[1]);
    }
    let show = |of: &Simulation, row: usize| {
        let (agents, minds) = (&of.world().agents, of.minds());
        format!(
            "agent {}: pos {:?} vel {:?} heading {:?} state {:?} progress {:?}",
            agents.id[row],
            agents.pos(row),
            agents.vel(row),
            agents.heading(row),
            minds.state(row),
            minds.progress(row)
        )
    };
    for row in 0..rows[0] {
        let (one, other) = (show(one, row), show(other, row));
        if one != other {
            return format!("\n{one}\n-- the other --\n{other}");
        }
    }
    "the hashes differ, but no agent does".to_owned()
}
