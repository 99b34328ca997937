//! Calls a primitive once for each agent and tick, and measures nothing itself: `.ci/bench-baseline` counts its instructions, which
//! are the same in each run, however busy the machine is.
//!
//! Without arguments it prints the names of all primitives and combinators. With a name and a number of ticks it runs these. With
//! the name `nothing` it does all that the others do, except calling something.
//!
//! All agents move straight on, whatever is called, so that all find the same agents, obstacles and waypoints around them.
#![expect(clippy::print_stdout, reason = "the script reads it")]

use flockwork_engine::diag::Source;
use flockwork_engine::script::Scripts;
use flockwork_engine::steer::{
    COMBINATORS, ForceKind, PRIMITIVES, ParamDefault, ParamKind, Primitive,
};
use flockwork_engine::{Options, Run, with_threads};

/// Number of agents.
const AGENTS: u32 = 500;

const SCENARIO: &str = "(
    seed: 1, ticks: 1000, world: (size: (400, 400), edge: Wrap),
    obstacles: {
        \"a\": Circle(center: (100, 100), radius: 30), \"b\": Box(center: (300, 120), size: (60, 20)),
        \"c\": Segment(from: (50, 300), to: (150, 350)), \"d\": Circle(center: (300, 300), radius: 15),
    },
    paths: { \"path\": (points: [(50, 50), (350, 60), (340, 350), (60, 340)], radius: 10, mode: Loop) },
    fields: { \"field\": Vortex(center: (200, 200), radius: 100, strength: 5) },
    groups: {
        \"leader\": (spawn: Points([(200, 200)]), velocity: (5, 3), body: (radius: 1, max_speed: 10)),
        \"agents\": (
            behavior: \"call\", count: AGENTS, spawn: Rect(min: (0, 0), max: (400, 400)), path: \"path\",
            formation: Wedge(spacing: 5, angle_deg: 80),
            velocity: (8, 2), body: (radius: 1, max_speed: 10, max_force: 20),
        ),
    },
)";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let all = || PRIMITIVES.iter().chain(COMBINATORS);
    let [name, ticks] = args.as_slice() else {
        all().for_each(|primitive| println!("{}", primitive.name));
        return;
    };
    let call = all().find(|primitive| primitive.name == name).map_or("me.vel".to_owned(), call);
    let ticks: u64 = ticks.parse().unwrap_or_else(|error| panic!("{ticks}: {error}"));
    let script = format!("fn steer(me) {{ let force = {call}; 0.0000001 * force }}");
    let scenario = Source::new("primitives", SCENARIO.replace("AGENTS", &AGENTS.to_string()));
    let scripts = Scripts::new().with("call", script);
    let run = || {
        let mut run = Run::new(&scenario, &scripts, &Options::default())
            .unwrap_or_else(|errors| panic!("{errors}"));
        for _ in 0..ticks {
            run.step().unwrap_or_else(|error| panic!("{error}"));
        }
        println!("{} turns in the interpreter", run.interpreter_turns());
    };
    with_threads(1, run).unwrap_or_else(|error| panic!("{error}"));
}

/// Returns a call in a script, with all arguments that are required, whose result is a vector.
fn call(primitive: &Primitive) -> String {
    let given = primitive.params.iter().filter(|param| param.default == ParamDefault::Required);
    let arguments = given.map(|param| match param.kind {
        ParamKind::Number => "12",
        ParamKind::Signed => "0.3",
        ParamKind::Point => "vec(200, 150)",
        ParamKind::Vector => "me.vel",
        ParamKind::Agent => "world.agent(\"leader\")",
        ParamKind::Neighbors => "30",
        ParamKind::Path => "\"path\"",
        ParamKind::Flow => "\"field\"",
        ParamKind::Forces => "[me.vel, 0.5 * me.heading, me.heading.perp()]",
        ParamKind::Numbers => "[0.5, 0.7, 0.9]",
        ParamKind::Slots => "8",
    });
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let is_combinator = COMBINATORS.iter().any(|other| other.name == primitive.name);
    let call = format!("{}{}({arguments})", if is_combinator { "" } else { "me." }, primitive.name);
    match primitive.force_kind {
        ForceKind::Index => format!("vec({call}, 0)"),
        _ => call,
    }
}
