//! `flockwork explain`: why an agent decides what it decides.

mod json;

use std::path::PathBuf;

use flockwork_engine::sim::NoDecision;
use flockwork_engine::world::World;
use flockwork_engine::{Diagnostic, Run};

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
    #[arg(value_hint = clap::ValueHint::FilePath)]
    scenario: PathBuf,

    /// The agent, by its id (ids count from 0, group by group), or by its group's name if it is the only
    /// one there
    #[arg(long, value_name = "ID")]
    agent: String,

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
    tick::of_run(&run, "--tick", args.tick)?;
    while run.tick() < args.tick {
        run.step()?;
        // Only `run` and the window show what scripts say.
        run.take_messages();
    }
    let simulation = run.simulation();
    let world = simulation.world();
    let id = agent(world, &args.agent)?;
    let account = simulation.next_turn(id)?.ok_or_else(|| vec![nobody(world, id)])?;
    terminal::print(&if args.json {
        json::json(run.name(), &account)
    } else {
        format!("{account}\n")
    })?;
    match account.decision {
        Err(NoDecision::Fails(fault)) => Err(fault.into()),
        _ => Ok(Outcome::Success),
    }
}

/// The id of the agent that is meant.
fn agent(world: &World, text: &str) -> Result<u32, Diagnostic> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Diagnostic::error(format!("there is no agent {text}: ids go to {}", u32::MAX)));
    }
    let Some(group) = world.groups.iter().position(|group| *group.name == *text) else {
        let names = world.groups.iter().map(|group| &*group.name);
        return Err(Diagnostic::error(format!(
            "`--agent {text}` is neither the id of an agent nor the name of a group"
        ))
        .help("ids are integers from 0")
        .suggest(text, names));
    };
    let agents = &world.agents;
    let is_in = |row: &usize| usize::from(agents.group[*row].0) == group;
    let members: Vec<u32> = (0..agents.len()).filter(is_in).map(|row| agents.id[row]).collect();
    let tick = world.tick;
    match members[..] {
        [id] => Ok(id),
        [] => Err(Diagnostic::error(format!("the group `{text}` has no agents at tick {tick}"))),
        _ => Err(Diagnostic::error(format!(
            "`--agent {text}` is a group of {} agents at tick {tick}: name one of them by its id",
            members.len()
        ))
        .help(format!("their ids are: {}", ids(&members)))),
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
    told.help(format!("the ids there are: {}", ids(&agents.id)))
}

/// Rising ids, of which there is one at least, in a few words.
fn ids(all: &[u32]) -> String {
    let (first, last) = (all[0], all[all.len() - 1]);
    let has_gaps = (last - first) as usize + 1 != all.len();
    if has_gaps && all.len() <= NAMED {
        let ids: Vec<String> = all.iter().map(u32::to_string).collect();
        ids.join(", ")
    } else if has_gaps {
        format!("{first} to {last}, of which {} are left", all.len())
    } else if first == last {
        first.to_string()
    } else {
        format!("{first} to {last}")
    }
}
