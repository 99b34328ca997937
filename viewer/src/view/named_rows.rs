//! What is in the world and has a name: agents, groups, obstacles and paths.

use flockwork_engine::world::{AgentId, World};

use super::choice::{Choice, ChoiceRow};

/// Returns the agent, the groups, the obstacles and the paths whose names have a text. What begins with it comes first.
pub(super) fn named_rows(world: &World, text: &str) -> Vec<ChoiceRow> {
    let text = text.trim().to_lowercase();
    let row = |choice, kind: &str, name: &str, beside: &str| ChoiceRow {
        choice,
        words: format!("{kind} {name}"),
        beside: beside.to_owned(),
        completed: name.to_owned(),
    };
    let id = text.strip_prefix("agent").unwrap_or(&text).trim().parse::<AgentId>().ok();
    let id = id.filter(|id| world.agents.row(*id).is_some());
    let agent = id.map(|id| row(Choice::Agent(id), "agent", &id.to_string(), "select it"));
    let groups = world.groups.iter().enumerate().map(|(index, group)| {
        row(Choice::Group(index), "group", &group.name, "select its next agent")
    });
    let obstacles = world
        .obstacles
        .iter()
        .enumerate()
        .map(|(index, one)| row(Choice::Obstacle(index), "obstacle", &one.name, "show it"));
    let paths = world
        .paths
        .iter()
        .enumerate()
        .map(|(index, one)| row(Choice::Path(index), "path", &one.name, "show it"));
    let mut all: Vec<ChoiceRow> = groups.chain(obstacles).chain(paths).collect();
    let name = |row: &ChoiceRow| row.completed.to_lowercase();
    all.retain(|row| name(row).contains(&text) || row.words.to_lowercase().starts_with(&text));
    all.sort_by_key(|row| !name(row).starts_with(&text));
    agent.into_iter().chain(all).collect()
}
