//! Requests that the protocol does not have. The extension for VS Code sends them.

use flockwork_engine::format::{format, language};
use flockwork_engine::scenario::Scenario;
use lsp_types::request::Request;
use lsp_types::{TextDocumentIdentifier, Uri};
use serde::{Deserialize, Serialize};

use super::project::{Project, file, name_of};

/// The file that a request is about.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FileParams {
    text_document: TextDocumentIdentifier,
}

/// Asks why formatting does not change a file. The answer is a message for people, or nothing if the file has no syntax error.
pub(super) enum WhyUnformatted {}

impl Request for WhyUnformatted {
    type Params = FileParams;
    type Result = Option<String>;
    const METHOD: &'static str = "flockwork/whyUnformatted";
}

/// Asks which scenarios use a script, also through other scripts. A scenario uses itself.
pub(super) enum ScenariosWith {}

impl Request for ScenariosWith {
    type Params = FileParams;
    type Result = Vec<Uri>;
    const METHOD: &'static str = "flockwork/scenariosWith";
}

/// The scenario whose agents are asked for, and a script.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AgentsParams {
    text_document: TextDocumentIdentifier,
    script: Option<TextDocumentIdentifier>,
}

/// An agent with the name of its group.
#[derive(Deserialize, Serialize)]
pub(super) struct NamedAgent {
    agent: u32,
    group: String,
}

/// Asks for the agents with which a scenario begins: those that have a script as their behavior, if one is given. The answer is empty if
/// the scenario cannot be read.
pub(super) enum Agents {}

impl Request for Agents {
    type Params = AgentsParams;
    type Result = Vec<NamedAgent>;
    const METHOD: &'static str = "flockwork/agents";
}

/// Returns why formatting does not change a file.
pub(super) fn why_unformatted(project: &Project, params: FileParams) -> Option<String> {
    let path = file(&params.text_document.uri)?;
    let source = project.read(&path).ok()?;
    let error = format(&source, language(&path)?).err()?;
    let line = error.place.map(|place| place.source.line_column(place.span.start).0);
    let place = line.map_or_else(|| "it".to_owned(), |line| format!("line {line}"));
    Some(format!("{} is not formatted: {place} has a mistake", name_of(&path)))
}

/// Returns the scenarios that use a file.
pub(super) fn scenarios_with(project: &mut Project, params: FileParams) -> Vec<Uri> {
    project.read_uses();
    let Some(path) = file(&params.text_document.uri) else { return Vec::new() };
    let mut all = project.users_of(&path);
    all.push(path);
    all.retain(|user| project.is_scenario(user));
    all.sort();
    all.dedup();
    all.iter().filter_map(|user| project.uri(user)).collect()
}

/// Returns the agents with which a scenario begins.
pub(super) fn agents(project: &mut Project, params: AgentsParams) -> Vec<NamedAgent> {
    project.read_uses();
    let Some(path) = file(&params.text_document.uri) else { return Vec::new() };
    let Some(scenario) = project.read(&path).ok().and_then(|source| Scenario::parse(&source).ok())
    else {
        return Vec::new();
    };
    let script = params.script.and_then(|script| file(&script.uri));
    let wanted = script.map(|script| project.groups_of(&path, &script));
    let groups = &scenario.setup.groups;
    let all: Vec<(u32, usize)> = match &scenario.setup.start {
        Some(start) => {
            let agents = &start.agents;
            agents.id.iter().zip(&agents.group).map(|(id, of)| (id.0, usize::from(of.0))).collect()
        }
        // Ids count from 0, group by group.
        None => {
            let of_agents = groups.iter().enumerate();
            let of_agents =
                of_agents.flat_map(|(index, (_, one))| (0..one.count).map(move |_| index));
            (0..).zip(of_agents).collect()
        }
    };
    let named = |(agent, index): (u32, usize)| {
        let group = groups.get(index)?.0.name.to_string();
        let is_wanted = wanted.as_ref().is_none_or(|wanted| wanted.contains(&group));
        is_wanted.then_some(NamedAgent { agent, group })
    };
    all.into_iter().filter_map(named).collect()
}
