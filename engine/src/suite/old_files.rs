//! The texts of a golden as they were, from the Git history.

use super::diagnose::OldFiles;
use super::{Case, RecordingLibrary};
use crate::diag::Diagnostic;
use crate::golden::{Fingerprint, Golden};
use crate::load::GitRevision;
use crate::runner::{Options, Run};

impl OldFiles {
    /// Those of a revision.
    ///
    /// # Errors
    ///
    /// If there is no such revision, or no such scenario in it.
    pub fn at_revision(case: &Case, revision: &str) -> Result<Self, Diagnostic> {
        let past = GitRevision::of(&case.path, revision)?;
        Self::of(case, past).ok_or_else(|| {
            let path = case.path.display();
            Diagnostic::error(format!("there is no {path} at revision `{revision}`"))
        })
    }

    /// Those that a golden was written with, if they are in the history.
    pub fn of_golden(case: &Case, golden: &Golden) -> Option<Self> {
        let last = GitRevision::of_last_change(&case.golden_path);
        let head = || GitRevision::of(&case.path, "HEAD").ok();
        let fits =
            |past: GitRevision| Self::of(case, past).filter(|texts| texts.is_source_of(golden));
        last.and_then(fits).or_else(|| head().and_then(fits))
    }

    fn of(case: &Case, past: GitRevision) -> Option<Self> {
        let (revision, source) = (past.revision().to_owned(), past.read(&case.path)?);
        let scripts = past.scripts(case.scripts());
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

/// What would help where the texts are not known.
pub(super) fn unknown_help(case: &Case) -> String {
    match GitRevision::of(&case.path, "HEAD") {
        Ok(_) => {
            "the texts that the golden was written with are not in the history: name a revision \
                  with --against"
                .into()
        }
        Err(_) => "in a Git repository, the old scripts would be run beside the new ones".into(),
    }
}
