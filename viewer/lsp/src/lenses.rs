//! Code lenses: the commands that can be started at the top of a scenario, and above `steer`.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::tokens::ron_tree::{RonNode, RonTree};
use flockwork_engine::world::AgentId;
use lsp_types::{CodeLens, CodeLensParams, Command, ExecuteCommandParams, Uri};
use serde_json::Value;

use super::live::LiveValues;
use super::project::{Project, file, is_script, name_of};
use super::rhai_text::Tokens;

/// A command of the program, which a lens starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Runs a scenario.
    Run,
    /// Shows a scenario in a window.
    View,
    /// Tests scenarios.
    Test,
    /// Explains what an agent does.
    Explain,
}

impl Work {
    /// All commands.
    pub const ALL: [Self; 4] = [Self::Run, Self::View, Self::Test, Self::Explain];

    /// Returns the name of the command of the program.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::View => "view",
            Self::Test => "test",
            Self::Explain => "explain",
        }
    }

    /// Returns what the protocol calls it.
    pub fn command(self) -> String {
        format!("flockwork.{}", self.name())
    }
}

/// A command that a lens asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LensCommand {
    /// The command.
    pub work: Work,
    /// The scenarios that it is about: at least one.
    pub scenarios: Vec<PathBuf>,
    /// The groups of the first scenario whose agents are explained. Empty if the command names no script.
    pub groups: Vec<String>,
    /// The agent to explain and the tick, if one is selected in a world that shows values.
    pub agent: Option<(AgentId, u64)>,
    /// The names of files that the scenarios are made of and that are not saved.
    pub unsaved: Vec<String>,
}

/// Reads a command. `Err` says why there is none.
pub(super) fn command(
    project: &Project,
    live: &LiveValues,
    params: &ExecuteCommandParams,
) -> Result<LensCommand, String> {
    let work = Work::ALL.into_iter().find(|work| work.command() == params.command);
    let work = work.ok_or_else(|| format!("there is no command {}", params.command))?;
    let path = |argument: &Value| file(&Uri::from_str(argument.as_str()?).ok()?);
    let files: Option<Vec<PathBuf>> = params.arguments.iter().map(path).collect();
    let files = files.unwrap_or_default();
    let (scenarios, others): (Vec<PathBuf>, Vec<PathBuf>) =
        files.into_iter().partition(|path| project.is_scenario(path));
    let Some(first) = scenarios.first() else {
        return Err(format!("{} needs the URI of a scenario", params.command));
    };
    let groups = others.first().map(|script| project.groups_of(first, script));
    let unsaved = project.unsaved(&scenarios);
    // Another scenario has other agents.
    let is_only = |script: &PathBuf| {
        project.users_of(script).iter().filter(|user| project.is_scenario(user)).count() == 1
    };
    let script = others.first().filter(|script| is_only(script));
    let agent = script.and_then(|script| live.selected(script));
    Ok(LensCommand { work, groups: groups.unwrap_or_default(), agent, unsaved, scenarios })
}

/// Returns the lenses of a file.
pub(super) fn lenses(project: &mut Project, params: CodeLensParams) -> Option<Vec<CodeLens>> {
    // These use what checks have found out.
    project.check_first();
    let path = file(&params.text_document.uri)?;
    let source = project.read(&path).ok()?;
    let lens = |work, title: String, at: usize, files: &[&Path]| {
        lens(project, &source, at, work, title, files)
    };
    if project.is_scenario(&path) {
        // Behind a string that is not closed yet, other brackets look like the outermost ones.
        let tree = RonTree::new(&source.text);
        let mut openings = tree.nodes().filter_map(RonNode::opening);
        let first = openings.find(|&at| {
            source.text[at..].starts_with('(')
                && !source.text[..at].trim_end().ends_with("#![enable")
        });
        let at = first.unwrap_or(0);
        let all = [Work::Run, Work::View, Work::Test];
        return all
            .map(|work| lens(work, work.name().to_owned(), at, &[&path]))
            .into_iter()
            .collect();
    }
    if !is_script(&path) {
        return None;
    }
    let tokens = Tokens::new(&source.text);
    let (name, _) =
        tokens.functions().into_iter().find(|(name, _)| tokens.get(*name) == "steer")?;
    let at = tokens.all[name - 1].span.start;
    let mut scenarios: Vec<PathBuf> = project.users_of(&path);
    scenarios.retain(|user| project.is_scenario(user));
    // The one that the user looks at.
    scenarios.sort_by_key(|scenario| project.version(scenario).is_none());
    let first = scenarios.first()?;
    let in_first = |work: Work| match &scenarios[..] {
        [_] => work.name().to_owned(),
        _ => format!("{} {}", work.name(), name_of(first)),
    };
    let test = match scenarios.len() {
        1 => "test".to_owned(),
        count => format!("test {count} scenarios"),
    };
    let all: Vec<&Path> = scenarios.iter().map(PathBuf::as_path).collect();
    let lenses = [
        lens(Work::View, in_first(Work::View), at, &[first]),
        lens(Work::Explain, in_first(Work::Explain), at, &[first, &path]),
        lens(Work::Test, test, at, &all),
    ];
    lenses.into_iter().collect()
}

fn lens(
    project: &Project,
    source: &Arc<Source>,
    at: usize,
    work: Work,
    title: String,
    files: &[&Path],
) -> Option<CodeLens> {
    let uris = files.iter().map(|path| Some(Value::from(project.uri(path)?.as_str())));
    Some(CodeLens {
        range: project.range(&Place { source: Arc::clone(source), span: at..at }),
        command: Some(Command {
            title,
            command: work.command(),
            arguments: Some(uris.collect::<Option<_>>()?),
        }),
        data: None,
    })
}
