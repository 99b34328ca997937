//! The texts of a golden as they were, from the Git history.

use super::diagnose::OldTexts;
use super::{Case, Remembering};
use crate::diag::Diagnostic;
use crate::golden::{Fingerprint, Golden};
use crate::load::Past;
use crate::runner::{Options, Run};

impl OldTexts {
    /// Those of a revision.
    ///
    /// # Errors
    ///
    /// If there is no such revision, or no such scenario in it.
    pub fn at(case: &Case, revision: &str) -> Result<Self, Diagnostic> {
        let past = Past::of(&case.path, revision)?;
        Self::of(case, past).ok_or_else(|| {
            let path = case.path.display();
            Diagnostic::error(format!("there is no {path} at revision `{revision}`"))
        })
    }

    /// Those that a golden was written with, if they are in the history.
    pub fn of_golden(case: &Case, golden: &Golden) -> Option<Self> {
        let last = Past::of_last_change(&case.golden_path);
        let head = || Past::of(&case.path, "HEAD").ok();
        let fits = |past: Past| Self::of(case, past).filter(|texts| texts.are_those_of(golden));
        last.and_then(fits).or_else(|| head().and_then(fits))
    }

    fn of(case: &Case, past: Past) -> Option<Self> {
        let (revision, source) = (past.revision().to_owned(), past.read(&case.path)?);
        let scripts = past.scripts(case.scripts());
        Some(Self::new(&revision, source, scripts))
    }

    fn are_those_of(&self, golden: &Golden) -> bool {
        let header = &golden.header;
        if Fingerprint::of(&header.scenario.name, &self.source.text) != header.scenario {
            return false;
        }
        let scripts = Remembering::new(&*self.scripts);
        Run::new(&self.source, &scripts, &Options::default()).is_ok()
            && scripts.fingerprints() == header.scripts
    }
}

/// What would help where the texts are not known.
pub(super) fn unknown(case: &Case) -> String {
    match Past::of(&case.path, "HEAD") {
        Ok(_) => {
            "the texts that the golden was written with are not in the history: name a revision \
                  with --against"
                .into()
        }
        Err(_) => "in a Git repository, the old scripts would be run beside the new ones".into(),
    }
}
