//! `flockwork explain`: explains the decision of one agent in one tick.

use std::path::PathBuf;

use flockwork_engine::sim::NoDecision;
use flockwork_engine::world::{AgentId, World};
use flockwork_engine::{Diagnostic, Run, json};

use super::run_args::{InputArgs, RunArgs};
use super::{CommandResult, Ending, json_text, terminal, tick};

/// Explain what an agent decides in a tick, and why
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork explain scenarios/hello.ron --agent 3 --tick 120
  flockwork explain scenarios/hello.ron --agent 3 --tick 120 --json

Runs the scenario to tick T and explains what the agent decides in that state: the force
and weight of each primitive that its script calls, what the primitive reacted to, the
line of the call, and what the limits of the body cut off. A percentage says how much a
share contributes to the length of the force; a share against the force is negative.
`rest` is what the script computes itself.")]
pub(super) struct Args {
    /// Scenario file (.ron)
    #[arg(value_hint = clap::ValueHint::FilePath)]
    scenario: PathBuf,

    /// Id of the agent (ids count from 0, group by group), or the name of its group if it has only one agent
    #[arg(long, value_name = "ID")]
    agent: String,

    /// Tick to explain, up to the scenario's `ticks`; 0 is the initial state, unless the scenario has a `start`
    #[arg(long, value_name = "T")]
    tick: u64,

    #[command(flatten)]
    run_args: RunArgs,

    #[command(flatten)]
    input_args: InputArgs,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Executes the command.
pub(super) fn explain(args: Args) -> CommandResult {
    args.run_args.on_threads(|| execute(&args))
}

fn execute(args: &Args) -> CommandResult {
    let options = args.input_args.add_to(args.run_args.options())?;
    let mut run = Run::open(&args.scenario, &options)?;
    terminal::show(run.warnings());
    tick::check(&run, "--tick", args.tick)?;
    run.simulation_mut().note_news();
    while run.tick() < args.tick {
        run.step()?;
        // Only `run` and the window show what scripts print.
        run.take_messages();
    }
    let simulation = run.simulation();
    let world = simulation.world();
    let id = agent(world, &args.agent)?;
    let account = simulation.next_turn(id)?.ok_or_else(|| vec![missing_agent(world, id)])?;
    terminal::print(&if args.json {
        json_text(&json::explanation(run.name(), &account))
    } else {
        format!("{account}\n")
    })?;
    match account.decision {
        Err(NoDecision::Fails(fault)) => Err(fault.into()),
        _ => Ok(Ending::Success),
    }
}

/// Returns the id of the agent that `--agent` names.
fn agent(world: &World, text: &str) -> Result<AgentId, Diagnostic> {
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
    let members: Vec<AgentId> = (0..agents.len()).filter(is_in).map(|row| agents.id[row]).collect();
    let tick = world.tick;
    match members[..] {
        [id] => Ok(id),
        [] => Err(Diagnostic::error(format!("the group `{text}` has no agents at tick {tick}"))),
        _ => Err(Diagnostic::error(format!(
            "`--agent {text}` is a group of {} agents at tick {tick}: give the id of one of them",
            members.len()
        ))
        .help(format!("their ids are: {}", ids(&members)))),
    }
}

/// Number of ids that are listed at most.
const MAX_LISTED_IDS: usize = 12;

/// Returns the error for an agent that does not decide at this tick: why, and which ids exist.
fn missing_agent(world: &World, id: AgentId) -> Diagnostic {
    let agents = &world.agents;
    let tick = world.tick;
    let wrong = if agents.row(id).is_some() {
        format!("agent {id} is removed in the tick after tick {tick}, before it decides")
    } else if id.0 < agents.made() {
        format!("there is no agent {id} at tick {tick}: it has been removed before")
    } else {
        format!("there is no agent {id} at tick {tick}")
    };
    let error = Diagnostic::error(wrong);
    if agents.is_empty() {
        return error.help("there are no agents at that tick");
    }
    error.help(format!("existing ids: {}", ids(&agents.id)))
}

/// Describes a sorted list of ids, which is not empty, in a few words.
fn ids(all: &[AgentId]) -> String {
    let (first, last) = (all[0], all[all.len() - 1]);
    let has_gaps = (last.0 - first.0) as usize + 1 != all.len();
    if has_gaps && all.len() <= MAX_LISTED_IDS {
        let ids: Vec<String> = all.iter().map(AgentId::to_string).collect();
        ids.join(", ")
    } else if has_gaps {
        format!("{first} to {last}, of which {} are left", all.len())
    } else if first == last {
        first.to_string()
    } else {
        format!("{first} to {last}")
    }
}
