//! Where scripts are held against each other: a small world with something of everything, run once by
//! compiled behaviors and once by the interpreter alone, compared after every tick.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use flockwork_engine::diag::{Diagnostic, Source};
use flockwork_engine::math::Vec2;
use flockwork_engine::script::{Behavior, Library};
use flockwork_engine::sim::{Action, Brain, Event, EventTime, Order, Setup, Simulation};
use flockwork_engine::world::{Body, Edge, Goal, GroupId, Value};
use flockwork_engine::{AgentError, Message, Severity, world_hash};

use crate::support::parse;

/// Obstacles of all shapes, two paths, three groups with params of all kinds. Agents of `b` stand on each
/// other's places and at rest, and have neither goals nor a path; `c` stands where one of `b` does.
const SCENARIO: &str = r#"(
    seed: 11, dt: 0.05, ticks: 100,
    world: (min: (-10, 0), size: (190, 150)),
    obstacles: {
        "disc": Circle(center: (60, 40), radius: 12),
        "box": Box(center: (140, 100), size: (30, 20), angle_deg: 30),
        "wall": Segment(from: (20, 120), to: (90, 130)),
        "dent": Polygon([(150, 20), (175, 20), (175, 50), (165, 30), (150, 50)]),
        "hall": Room(min: (-5, 5), max: (175, 145)),
    },
    paths: {
        "round": (points: [(20, 20), (160, 30), (150, 130), (30, 110)], radius: 15, mode: Loop),
        "trail": (points: [(0, 75), (80, 70), (170, 75)], radius: 8, mode: PingPong),
    },
    groups: {
        "a": (
            behavior: "a",
            spawn: Rect(min: (0, 10), max: (170, 140)), count: 1, velocity: (8, -3),
            body: (radius: 2, max_speed: 30, max_force: 80),
            params: { "k": 1.5, "n": 3, "on": true, "spot": (40, 60), "word": "left" },
            path: "round",
            goals: [(at: (90, 70), radius: 40), (at: (30, 30), radius: 30)],
        ),
        "b": (
            behavior: "b",
            spawn: Points([(50, 80), (55, 82), (120, 60)]),
            body: (radius: 1, mass: 2.5, max_speed: 20, max_force: 40),
            params: { "k": 2, "n": 5, "on": false, "spot": (-3, 0), "word": "right" },
        ),
        "c": (
            behavior: "c",
            spawn: Points([(55, 82)]), velocity: (0, 6),
            body: (radius: 4, max_speed: 40, max_force: 100),
            params: { "k": 0.25, "n": 0, "on": true, "spot": (1, 1), "word": "" },
            path: "trail",
            goals: [(at: (60, 90), radius: 12)], after_goals: Stop,
        ),
    },
)"#;

/// How many agents each group has at first: blocks of 64 lanes and of 128 are left all but empty, filled
/// to the last lane, and filled beyond it.
const COUNTS: &[[u32; 3]] =
    &[[70, 9, 1], [64, 30, 1], [3, 66, 2], [1, 1, 1], [128, 2, 1], [20, 5, 4]];

/// What happens from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Events {
    /// Nothing.
    None,
    /// Agents come and go, goals and params change, and no param changes its kind, but for numbers.
    Mild,
    /// Params become something else.
    Wild,
}

/// A world to run scripts in.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub(super) counts: [u32; 3],
    pub(super) edge: Edge,
    pub(super) order: Order,
    pub(super) events: Events,
    /// Whether the body of `c` has no limits.
    pub(super) unlimited: bool,
    /// Whether the agents of `a` have bodies of their own, one of them without limits.
    pub(super) bodies: bool,
    pub(super) seed: u64,
    pub(super) ticks: u64,
}

impl Stage {
    /// One of many: numbers near 0 give plain ones.
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
            unlimited: pick(7, 16) == 15,
            bodies: pick(13, 5) == 4,
            seed: number,
            ticks: 5 + pick(11, 3),
        }
    }

    fn setup(&self) -> Setup {
        let mut setup = parse("differential", SCENARIO).setup;
        setup.seed = self.seed;
        setup.order = self.order;
        setup.space.edge = self.edge;
        for ((_, spawn), count) in setup.groups.iter_mut().zip(self.counts) {
            spawn.count = count;
        }
        if self.bodies {
            let group = &mut setup.groups[0].0;
            let small = Body { radius: 0.5, mass: 0.25, max_speed: 12.0, max_force: 9.0 };
            group.bodies = vec![group.body, small, group.body, Body::default()];
        }
        if self.unlimited {
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
    vec![
        set(1, A, "k", Value::Int(4)),
        set(1, A, "word", Value::Text("somewhere else".into())),
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
        set(3, B, "on", Value::Bool(true)),
        at(3, Action::SetGoals { group: B, goals: goals.into() }),
        at(3, Action::Remove { group: A, count: Some(1) }),
        at(4, Action::Remove { group: C, count: None }),
        at(4, Action::Spawn { group: B, count: 1 }),
    ]
}

fn wild() -> Vec<Event> {
    vec![
        set(2, A, "k", Value::Text("much".into())),
        set(3, B, "spot", Value::Int(3)),
        set(3, A, "on", Value::Nothing),
        set(3, C, "word", Value::Bool(false)),
        set(3, B, "n", Value::List(vec![Value::Int(1), Value::Float(2.5)])),
    ]
}

/// Scripts by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts(pub(super) BTreeMap<String, String>);

impl Library for Texts {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        let source = |text: &String| Source::new(format!("scripts/{name}.rhai"), text.as_str());
        Ok(self.0.get(name).map(source))
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

/// Scripts on a stage.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) texts: Texts,
    /// The script of each group.
    pub(super) behaviors: [String; 3],
    pub(super) stage: Stage,
}

/// A script for those who are only there to be seen.
const DRIFT: &str = "fn init(me) { me.state.seen = 0; }
fn steer(me) {
    me.state.seen += me.neighbors(12).count;
    0.5 * me.wander() + me.separation(8, 20)
}";

impl Case {
    /// A script for the group `a`, while the others drift.
    pub(super) fn one(script: &str, stage: Stage) -> Self {
        let texts = [("main", script), ("drift", DRIFT)];
        Self {
            texts: Texts(texts.map(|(name, text)| (name.to_owned(), text.to_owned())).into()),
            behaviors: ["main", "drift", "drift"].map(str::to_owned),
            stage,
        }
    }

    /// A script for all groups.
    pub(super) fn all(script: &str, stage: Stage) -> Self {
        Self { behaviors: ["main", "main", "main"].map(str::to_owned), ..Self::one(script, stage) }
    }

    /// The same with each force kept in the agent's state, where every bit of it counts: what it does to a
    /// velocity may be too little to be seen.
    pub(super) fn watched(mut self) -> Self {
        if let Some(script) = self.texts.0.get_mut("main") {
            let steer =
                "fn steer(me) { me.state.force = wanted(me); me.state.force }\nfn wanted(me)";
            *script = script.replacen("fn steer(me)", steer, 1);
        }
        self
    }

    pub(super) fn with(mut self, name: &str, text: &str) -> Self {
        self.texts.0.insert(name.to_owned(), text.to_owned());
        self
    }

    /// The simulation at tick 0, its behaviors prepared by `prepare`; or, as an error, why a script is
    /// none.
    fn start(
        &self,
        prepare: impl Fn(Behavior) -> Behavior,
    ) -> Result<Result<Simulation, AgentError>, String> {
        self.compile(prepare).map(|behaviors| self.simulation(&behaviors))
    }

    /// The behaviors of all groups.
    fn compile(
        &self,
        prepare: impl Fn(Behavior) -> Behavior,
    ) -> Result<Vec<Arc<Behavior>>, String> {
        let mut compiled: BTreeMap<&str, Arc<Behavior>> = BTreeMap::new();
        for name in &self.behaviors {
            if !compiled.contains_key(name.as_str()) {
                let behavior = Behavior::compile(name, &self.texts)
                    .map_err(|errors| errors[0].render(false))?;
                compiled.insert(name, Arc::new(prepare(behavior)));
            }
        }
        let behaviors = self.behaviors.iter();
        Ok(behaviors.map(|name| Arc::clone(&compiled[name.as_str()])).collect())
    }

    fn simulation(&self, behaviors: &[Arc<Behavior>]) -> Started {
        let brains = behaviors.iter();
        let brains = brains.map(|one| Arc::clone(one) as Arc<dyn Brain>).collect();
        Simulation::new(self.stage.setup(), brains)
    }

    /// What keeps the scripts to the interpreter.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Ok(behaviors) = self.compile(|it| it)
            && let Ok(simulation) = self.simulation(&behaviors)
        {
            for (group, behavior) in behaviors.iter().enumerate() {
                let found =
                    behavior.findings(simulation.world(), GroupId(group as u16), Vec::new());
                let found = found.iter().filter(|one| one.severity == Severity::Note);
                notes.extend(found.map(|one| one.message.clone()));
            }
        }
        notes
    }

    /// Runs the scripts both ways.
    pub(super) fn compare(&self) -> Seen {
        self.compare_and_count().0
    }

    /// Runs the scripts both ways: what came of it, how many turns there were, and how many of them the
    /// interpreter took on the way that is to do without it.
    pub(super) fn compare_and_count(&self) -> (Seen, u64, u64) {
        let behaviors = match self.compile(|it| it) {
            Ok(behaviors) => behaviors,
            Err(error) => return (Seen::NoScript(error), 0, 0),
        };
        let one = self.simulation(&behaviors);
        let (mut turns, mut slow) = (0, 0);
        let seen = match self.start(Behavior::interpreted) {
            Ok(other) => together(one, other, self.stage.ticks, &mut turns),
            Err(error) => Seen::NoScript(error),
        };
        let mut counted: Vec<*const Behavior> = Vec::new();
        for behavior in &behaviors {
            if !counted.contains(&Arc::as_ptr(behavior)) {
                counted.push(Arc::as_ptr(behavior));
                slow += behavior.interpreted_turns();
            }
        }
        (seen, turns, slow)
    }

    /// The same with as many lines left out as can be while `is_it` still holds.
    pub(super) fn reduced(&self, is_it: impl Fn(&Self) -> bool) -> Self {
        let mut best = self.clone();
        let names: Vec<String> = best.texts.0.keys().cloned().collect();
        for name in names {
            let try_without = |best: &mut Self, out: &dyn Fn(usize) -> bool| {
                let lines = best.texts.0[&name].lines().enumerate();
                let kept: Vec<&str> =
                    lines.filter(|(i, _)| !out(*i)).map(|(_, line)| line).collect();
                let fewer = best.clone().with(&name, &kept.join("\n"));
                let holds = is_it(&fewer);
                if holds {
                    *best = fewer;
                }
                holds
            };
            let count = |case: &Self| case.texts.0[&name].lines().count();
            for length in (1..=count(&best)).rev() {
                let mut first = 0;
                while first + length <= count(&best) {
                    let lines = first..first + length;
                    if !try_without(&mut best, &|i| lines.contains(&i)) {
                        first += 1;
                    }
                }
            }
            // What stands in a block may do without it.
            for first in (0..count(&best)).rev() {
                for last in first + 1..count(&best) {
                    let lines: Vec<&str> = best.texts.0[&name].lines().collect();
                    let ends = lines.get(last).is_some_and(|it| it.trim().starts_with('}'));
                    if ends && lines[first].ends_with('{') {
                        try_without(&mut best, &|i| i == first || i == last);
                    }
                }
            }
        }
        best
    }

    /// Runs these scripts and others, each as they are.
    pub(super) fn compare_with(&self, other: &Self) -> Seen {
        match (self.start(|it| it), other.start(|it| it)) {
            (Ok(one), Ok(other)) => together(one, other, self.stage.ticks, &mut 0),
            (Err(error), _) | (_, Err(error)) => Seen::NoScript(error),
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", self.stage)?;
        writeln!(f, "behaviors {:?}", self.behaviors)?;
        for (name, text) in &self.texts.0 {
            writeln!(f, "-- {name} --\n{text}")?;
        }
        Ok(())
    }
}

/// What came of a comparison.
#[derive(Clone, Debug)]
pub(super) enum Seen {
    /// The same, for so many ticks, up to a fault if there was one.
    Same { ticks: u64, fault: Option<AgentError> },
    /// Something else.
    Different(String),
    /// A script that cannot be compiled.
    NoScript(String),
}

type Started = Result<Simulation, AgentError>;

fn together(one: Started, other: Started, ticks: u64, turns: &mut u64) -> Seen {
    let (mut one, mut other) = match (one, other) {
        (Ok(one), Ok(other)) => (one, other),
        (one, other) => return of_faults(0, one.err(), other.err()),
    };
    for tick in 0..=ticks {
        let stepped = if tick == 0 { (Ok(()), Ok(())) } else { (one.step(), other.step()) };
        *turns += one.world().agents.len() as u64;
        let said = (one.take_messages(), other.take_messages());
        if said.0 != said.1 {
            return Seen::Different(format!("tick {tick}: {}", of_messages(&said.0, &said.1)));
        }
        match stepped {
            (Ok(()), Ok(())) => {}
            (one, other) => return of_faults(tick, one.err(), other.err()),
        }
        let hash = |of: &Simulation| world_hash(of.world(), of.minds());
        if hash(&one) != hash(&other) {
            return Seen::Different(format!("tick {tick}: {}", of_states(&one, &other)));
        }
    }
    Seen::Same { ticks, fault: None }
}

/// Holds two faults against each other: what they say and where, and for whom.
fn of_faults(tick: u64, one: Option<AgentError>, other: Option<AgentError>) -> Seen {
    let text = |fault: &Option<AgentError>| {
        let Some(fault) = fault else {
            return "no fault".to_owned();
        };
        let (tick, agent, group) = (fault.tick, fault.agent, &fault.group);
        let what = fault.diagnostic().render(false);
        format!("tick {tick} agent {agent} of `{group}`: {fault}\n{what}")
    };
    let (first, second) = (text(&one), text(&other));
    if first.contains("broke the interpreter") {
        return Seen::Different(format!("tick {tick}: a panic\n{first}"));
    }
    if first == second {
        let ticks = tick;
        return Seen::Same { ticks, fault: one };
    }
    Seen::Different(format!("tick {tick}:\n{first}\n-- the other --\n{second}"))
}

fn of_messages(one: &[Message], other: &[Message]) -> String {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    format!(
        "message {same} of {} and {} is {:?} and {:?}",
        one.len(),
        other.len(),
        one.get(same),
        other.get(same)
    )
}

/// The first agent of which something differs.
fn of_states(one: &Simulation, other: &Simulation) -> String {
    let rows = [one, other].map(|of| of.world().agents.len());
    if rows[0] != rows[1] {
        return format!("{} and {} agents", rows[0], rows[1]);
    }
    let show = |of: &Simulation, row: usize| {
        let (agents, minds) = (&of.world().agents, of.minds());
        format!(
            "agent {}: pos {:?} vel {:?} heading {:?} state {:?} progress {:?}",
            agents.id[row],
            agents.pos[row],
            agents.vel[row],
            agents.heading[row],
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
    "the hashes differ, and no agent does".to_owned()
}
