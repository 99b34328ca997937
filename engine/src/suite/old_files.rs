//! Finds the files that a golden was written from in the Git history.

use super::diagnose::OldFiles;
use super::{Case, RecordingLibrary};
use crate::diag::Diagnostic;
use crate::golden::{Fingerprint, Golden};
use crate::load::{GitRevision, history_obstacle};
use crate::runner::{Options, Run};

impl OldFiles {
    /// Returns the files of a revision.
    ///
    /// # Errors
    ///
    /// If there is no such revision, or no such scenario in it.
    pub fn at_revision(case: &Case, revision: &str) -> Result<Self, Diagnostic> {
        let git = GitRevision::new(&case.path, revision)?;
        Self::of(case, git).ok_or_else(|| {
            let path = case.path.display();
            Diagnostic::error(format!("there is no {path} at revision `{revision}`"))
        })
    }

    /// Returns the files that a golden was written from: those of the revision that last changed it, or of `HEAD`. `None` if
    /// the fingerprints of neither match.
    pub fn of_golden(case: &Case, golden: &Golden) -> Option<Self> {
        let last = GitRevision::of_last_change(&case.golden_path);
        let head = || GitRevision::new(&case.path, "HEAD").ok();
        let fits =
            |git: GitRevision| Self::of(case, git).filter(|files| files.is_source_of(golden));
        last.and_then(fits).or_else(|| head().and_then(fits))
    }

    fn of(case: &Case, git: GitRevision) -> Option<Self> {
        let (revision, source) = (git.revision().to_owned(), git.read(&case.path)?);
        let scripts = git.scripts(case.scripts());
        Some(Self::new(&revision, source, scripts))
    }

    fn is_source_of(&self, golden: &Golden) -> bool {
        let header = &golden.header;
        if Fingerprint::of(&header.scenario.name, &self.source.text) != header.scenario {
            return false;
        }
        let scripts = RecordingLibrary::new(&*self.scripts);
        Run::new(&self.source, &scripts, &Options::default()).is_ok()
            && scripts.fingerprints() == header.scripts
    }
}

/// Returns why the old files are not known, and what would help.
pub(super) fn unknown_help(case: &Case) -> String {
    if let Some(obstacle) = history_obstacle(&case.path) {
        return obstacle;
    }
    match GitRevision::new(&case.path, "HEAD") {
        Ok(_) => {
            "the files that the golden was written from are not in the Git history; name a revision \
                  with --against"
                .into()
        }
        Err(_) => "without a Git history, the old scripts cannot be run for comparison".into(),
    }
}
