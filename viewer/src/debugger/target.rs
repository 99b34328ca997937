//! What an editor wants to debug: a scenario, and whose turns.

use std::collections::BTreeMap;
use std::path::PathBuf;

use flockwork_engine::world::{AgentId, GroupId, World};
use flockwork_engine::{Diagnostic, Options, Setting};
use serde::Deserialize;
use serde_json::Value;

/// The arguments of a launch.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Launch {
    /// The path of the scenario.
    pub(super) scenario: PathBuf,
    /// The id of an agent, or the name of a group; empty for all agents.
    agent: Value,
    /// The id of the agent to stop at first; any without one.
    pub(super) first_agent: Option<AgentId>,
    /// The tick to go to first.
    pub(super) tick: u64,
    seed: Option<u64>,
    /// Values of params: `"birds.sight": 40`.
    set: BTreeMap<String, Value>,
    /// Whether to stop at the first line, also without breakpoints.
    pub(super) stop_on_entry: bool,
}

/// Whose turns count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Focus {
    All,
    Group(GroupId),
    Agent(AgentId),
}

impl Launch {
    /// Reads the arguments.
    pub(super) fn read(arguments: &Value) -> Result<Self, String> {
        let launch = Self::deserialize(arguments)
            .map_err(|error| format!("the configuration is wrong: {error}"))?;
        if launch.scenario.as_os_str().is_empty() {
            return Err("the configuration names no scenario: \"scenario\": \"${workspaceFolder}/scenarios/hello.ron\"".to_owned());
        }
        Ok(launch)
    }

    /// Returns the options of the run.
    pub(super) fn options(&self) -> Result<Options, String> {
        let mut settings = Vec::new();
        for (name, value) in &self.set {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let setting: Setting =
                format!("{name}={value}").parse().map_err(|wrong| format!("{wrong}"))?;
            settings.push(setting);
        }
        let options = Options::default().settings(settings);
        Ok(match self.seed {
            Some(seed) => options.seed(seed),
            None => options,
        })
    }

    /// Returns whose turns count.
    pub(super) fn focus(&self, world: &World) -> Result<Focus, String> {
        let text = match &self.agent {
            Value::Null => return Ok(Focus::All),
            Value::String(text) if text.is_empty() => return Ok(Focus::All),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        if let Ok(id) = text.parse::<AgentId>() {
            return Ok(Focus::Agent(id));
        }
        let group = world.groups.iter().position(|group| *group.name == *text);
        group.map(|index| Focus::Group(GroupId(index as u16))).ok_or_else(|| {
            let names = world.groups.iter().map(|group| &*group.name);
            let wrong =
                format!("`agent` is neither the id of an agent nor the name of a group: {text}");
            let error = Diagnostic::error(wrong).suggest(&text, names);
            format!("{}. {}", error.message, error.help.join(". "))
        })
    }
}

impl Focus {
    /// Returns whether the turns of an agent count.
    pub(super) fn has(self, world: &World, id: AgentId) -> bool {
        match self {
            Self::All => true,
            Self::Agent(one) => one == id,
            Self::Group(group) => world.find(id).is_some_and(|agent| agent.group_id() == group),
        }
    }
}
