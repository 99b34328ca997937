//! A scenario with the scripts that it uses, as a page for a browser has it.

use std::path::Path;

use flockwork_engine::json::PageProject;
use flockwork_engine::load::{self, ScriptsFolder};
use flockwork_engine::suite::RecordingLibrary;
use flockwork_engine::{Diagnostics, Options, Run};

/// Returns a scenario with the scripts that it uses, as the files are now.
///
/// # Errors
///
/// If the scenario cannot run.
pub(crate) fn page_project(path: &Path, options: &Options) -> Result<PageProject, Diagnostics> {
    let source = load::read(path)?;
    let folder = ScriptsFolder::of_scenario(path);
    let scripts = RecordingLibrary::new(&folder);
    Run::new(&source, &scripts, options)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let scripts = scripts.scripts();
    let sources = scripts.iter().map(|(name, source)| (name.as_str(), source.text.as_str()));
    Ok(PageProject::new(&stem, &source.text, sources, options))
}
