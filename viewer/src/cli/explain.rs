//! `flockwork explain`: why an agent decides what it decides.

mod json;

use std::path::PathBuf;

use flockwork::sim::NoDecision;
use flockwork::world::World;
use flockwork::{Diagnostic, Run};

use super::variant::Variant;
use super::{Answer, Outcome, terminal, tick};

/// Say why an agent decides what it decides
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork explain scenarios/hello.ron --agent 3 --tick 120
  flockwork explain scenarios/hello.ron --agent 3 --tick 120 --json

Runs the scenario up to tick T and looks at what the agent decides in the state
after it: which primitive pushes how hard, because of whom, by which weight, from
which line of the script, and what the limits of its body cut off. A percentage
is how far a share goes along the force, as a part of the force's length; one
that goes against it is negative. `rest` is what the script computes itself.")]
pub(super) struct Args {
    /// The scenario: a .ron file
    scenario: PathBuf,

    /// The agent, by its id: ids count from 0, group by group
    #[arg(long, value_name = "ID")]
    agent: u32,

    /// The tick, up to the scenario's last; 0 is the start, unless the scenario begins with a later one
    #[arg(long, value_name = "T")]
    tick: u64,

    #[command(flatten)]
    variant: Variant,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// The command.
pub(super) fn explain(args: Args) -> Answer {
    args.variant.on_threads(|| execute(&args))
}

fn execute(args: &Args) -> Answer {
    let options = args.variant.options();
    let mut run = Run::open(&args.scenario, &options)?;
    terminal::show(run.warnings());
    tick::of_run(&run, "--tick", args.tick).map_err(|error| vec![error])?;
    while run.tick() < args.tick {
        run.step().map_err(|fault| vec![fault.diagnostic()])?;
        // Only `run` and the window show what scripts say.
        run.take_messages();
    }
    let simulation = run.simulation();
    let account = simulation
        .account(args.agent)
        .map_err(|fault| vec![fault.diagnostic()])?
        .ok_or_else(|| vec![nobody(simulation.world(), args.agent)])?;
    terminal::print(&if args.json {
        json::json(run.name(), &account)
    } else {
        format!("{account}\n")
    })?;
    match account.decision {
        Err(NoDecision::Fails(fault)) => Err(vec![fault.diagnostic()]),
        _ => Ok(Outcome::Success),
    }
}

/// No more ids are named.
const NAMED: usize = 12;

/// There is no such agent: why not, and who there is.
fn nobody(world: &World, id: u32) -> Diagnostic {
    let agents = &world.agents;
    let tick = world.tick;
    let wrong = if agents.row(id).is_some() {
        format!("agent {id} is removed in the tick after tick {tick}, before it decides")
    } else if id < agents.made() {
        format!("there is no agent {id} any more at tick {tick}: it has been removed")
    } else {
        format!("there is no agent {id} at tick {tick}")
    };
    let told = Diagnostic::error(wrong);
    if agents.is_empty() {
        return told.help("nobody is there at that tick");
    }
    let (first, last) = (agents.id[0], agents.id[agents.len() - 1]);
    let has_gaps = (last - first) as usize + 1 != agents.len();
    let ids = if has_gaps && agents.len() <= NAMED {
        let ids: Vec<String> = agents.id.iter().map(u32::to_string).collect();
        ids.join(", ")
    } else if has_gaps {
        format!("{first} to {last}, of which {} are left", agents.len())
    } else if first == last {
        first.to_string()
    } else {
        format!("{first} to {last}")
    };
    told.help(format!("the ids there are: {ids}"))
}
