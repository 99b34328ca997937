//! The versions that are compared: a scenario with its scripts, as they are now or in another version.

use std::path::Path;
use std::sync::Arc;

use flockwork_engine::Diagnostic;
use flockwork_engine::diag::Source;
use flockwork_engine::experiment::ComparedVersion;
use flockwork_engine::load::{self, GitRevision, ScriptsFolder, is_plan};
use flockwork_engine::script::Library;

/// A version: its files, its values, and what it is called.
pub(in crate::cli) struct Version {
    pub(super) label: String,
    source: Arc<Source>,
    scripts: Box<dyn Library>,
    pub(super) values: Vec<Arc<Source>>,
}

impl Version {
    /// Reads a scenario as it is.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is a plan.
    pub(in crate::cli) fn now(path: &Path) -> Result<Self, Diagnostic> {
        let label = path.display().to_string();
        if is_plan(path) {
            return Err(Diagnostic::error(format!("{label} is a plan, and not a scenario"))
                .help("name the scenario of the plan"));
        }
        let scripts = Box::new(ScriptsFolder::of_scenario(path));
        Ok(Self { label, source: load::read(path)?, scripts, values: Vec::new() })
    }

    /// Reads a scenario as it was at a Git revision, or as it is with the scripts of another folder.
    ///
    /// # Errors
    ///
    /// If there is neither such a folder nor such a revision, or no such scenario in it.
    pub(in crate::cli) fn other(path: &Path, version: &str) -> Result<Self, Diagnostic> {
        let now = Self::now(path)?;
        let scripts = load::other_version(path, version)?;
        if Path::new(version).is_dir() {
            let label = format!("{} with the scripts in {version}", now.label);
            return Ok(Self { label, scripts, ..now });
        }
        // What was written later, such as the failure of a hunt, runs with the scripts of that revision.
        match GitRevision::new(path, version)?.read(path) {
            Some(source) => {
                Ok(Self { label: format!("{} at {version}", now.label), source, scripts, ..now })
            }
            None => {
                let label = format!("{} with the scripts at {version}", now.label);
                Ok(Self { label, scripts, ..now })
            }
        }
    }

    /// Returns it for a comparison.
    pub(in crate::cli) fn compared(&self) -> ComparedVersion<'_> {
        ComparedVersion {
            scenario: &self.source,
            scripts: &*self.scripts,
            values: self.values.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_no_version() {
        let error = Version::now(Path::new("a.plan.ron")).err().unwrap();
        assert!(error.message.contains("is a plan"), "{error}");
    }
}
