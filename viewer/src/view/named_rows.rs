//! What is in the world and has a name: agents, groups, obstacles and paths.

use flockwork_engine::diag::nearest;
use flockwork_engine::world::{AgentId, Group, World};

use super::choice::{Choice, ChoiceRow};

/// Returns the agent, the groups, the obstacles and the paths whose names have a text. What begins with it comes first.
pub(super) fn named_rows(world: &World, text: &str) -> Vec<ChoiceRow> {
    let text = text.trim().to_lowercase();
    let row = |choice, kind: &str, name: &str, beside: &str| ChoiceRow {
        choice,
        words: format!("{kind} {name}"),
        beside: beside.to_owned(),
        completed: name.to_owned(),
        heading: String::new(),
    };
    let id = text.strip_prefix("agent").unwrap_or(&text).trim().parse::<AgentId>().ok();
    let id = id.filter(|id| world.agents.row(*id).is_some());
    let agent = id.map(|id| row(Choice::Agent(id), "agent", &id.to_string(), "select it"));
    let agents = agent.into_iter().chain(agents_of_group(world, &text));
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
    agents.chain(all).collect()
}

/// Returns the agents that the name of a group and a number may mean: the one with that id, and the one that is the n-th of the group.
fn agents_of_group(world: &World, text: &str) -> Vec<ChoiceRow> {
    let text = text.strip_prefix("group ").unwrap_or(text);
    let Some((name, number)) = text.rsplit_once(' ') else { return Vec::new() };
    let Ok(number) = number.parse::<u32>() else { return Vec::new() };
    let is_named = |group: &Group| group.name.to_lowercase() == name.trim();
    let Some(index) = world.groups.iter().position(is_named) else {
        return Vec::new();
    };
    let group = &world.groups[index];
    let agents = world.agents.id.iter().zip(&world.agents.group);
    let of_group = agents.filter(|(_, of)| usize::from(of.0) == index);
    let ids: Vec<AgentId> = of_group.map(|(id, _)| *id).collect();
    let with_id = ids.iter().find(|id| **id == number).map(|id| (*id, "select it".to_owned()));
    let nth = (number as usize).checked_sub(1).and_then(|index| ids.get(index));
    let nth = nth.filter(|id| **id != number);
    let nth = nth.map(|id| (*id, format!("number {number} of {}", group.name)));
    let row = |(id, beside): (AgentId, String)| ChoiceRow {
        choice: Choice::Agent(id),
        words: format!("agent {id}, {}", group.name),
        beside,
        completed: id.to_string(),
        heading: String::new(),
    };
    with_id.into_iter().chain(nth).map(row).collect()
}

/// Says that a group has no agent with a number, if the text is the name of a group and a number.
pub(super) fn no_agent_of_group(world: &World, text: &str) -> Option<String> {
    let (name, number) = text.trim().rsplit_once(' ')?;
    let number = number.parse::<u32>().ok()?;
    let name = name.strip_prefix("group ").unwrap_or(name).trim().to_lowercase();
    let index = world.groups.iter().position(|group| group.name.to_lowercase() == name)?;
    let agents = world.agents.id.iter().zip(&world.agents.group);
    let of_group = agents.filter(|(_, of)| usize::from(of.0) == index).map(|(id, _)| *id);
    let ids: Vec<AgentId> = of_group.collect();
    let name = &world.groups[index].name;
    Some(match (ids.first(), ids.last()) {
        (Some(first), Some(last)) => {
            format!(
                "the group {name} has no agent {number} at this tick: its ids go from {first} to {last}"
            )
        }
        _ => format!("the group {name} has no agents at this tick"),
    })
}

/// Returns what has the name that is nearest to a misspelled one.
pub(super) fn guessed_rows(world: &World, text: &str) -> Vec<ChoiceRow> {
    let mut all = named_rows(world, "");
    let names: Vec<String> = all.iter().map(|row| row.completed.clone()).collect();
    let guess = nearest(text.trim(), names.iter().map(String::as_str));
    all.retain(|row| Some(row.completed.as_str()) == guess);
    for row in &mut all {
        row.beside = format!("did you mean this? {}", row.beside);
    }
    all
}

/// Returns whether a text is an id, maybe of no agent.
pub(super) fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_digit())
}

/// Says that there is no agent with an id, which is given as it was typed, and which ids there are.
pub(super) fn no_agent(world: &World, wanted: &str) -> String {
    let ids = &world.agents.id;
    let (Some(first), Some(last)) = (ids.first(), ids.last()) else {
        return "there are no agents at this tick".to_owned();
    };
    format!("there is no agent {wanted} at this tick: the ids go from {first} to {last}")
}
