//! Requests that the protocol does not have. The extension for VS Code sends them.

use flockwork_engine::format::{format, language};
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
