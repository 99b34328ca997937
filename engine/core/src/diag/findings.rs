//! Several findings as one error value.

use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;

use super::Diagnostic;

/// All findings, in the order of their places: the error of everything that reads scenarios and scripts.
///
/// It dereferences to a slice of [`Diagnostic`]. Both `Display` and `Debug` show the findings with snippets, as the
/// program does, so they are also readable if `main` returns them or a test unwraps them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Returns each finding once, in the order in which they are found first. One that has no related places is left out if
    /// the same is found with some: a script is wrong for several scenarios, and only one of them declares a param.
    #[expect(
        clippy::mutable_key_type,
        reason = "the hash of a finding does not depend on what its sources remember"
    )]
    pub fn unique(findings: impl IntoIterator<Item = Diagnostic>) -> Self {
        let mut all: Vec<Diagnostic> = findings.into_iter().collect();
        let mut known = HashSet::with_capacity(all.len());
        let with_places = all.iter().filter(|finding| !finding.related.is_empty());
        let without = |finding: &Diagnostic| Diagnostic { related: Vec::new(), ..finding.clone() };
        let told: HashSet<Diagnostic> = with_places.map(without).collect();
        let is_new = all.iter().map(|finding| !told.contains(finding) && known.insert(finding));
        let is_new: Vec<bool> = is_new.collect();
        let mut is_new = is_new.into_iter();
        all.retain(|_| is_new.next().unwrap_or(true));
        Self(all)
    }

    /// Returns the first finding, for callers that can show only one.
    pub fn into_first(self) -> Diagnostic {
        self.into_iter().next().unwrap_or_else(|| {
            Diagnostic::error("it failed without a message: this is a bug in Flockwork")
        })
    }

    /// Returns the findings as a vector.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.0
    }
}

impl Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.0
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, finding) in self.iter().enumerate() {
            let between = if i == 0 { "" } else { "\n\n" };
            write!(f, "{between}{finding}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Diagnostics {}

impl From<Diagnostic> for Diagnostics {
    fn from(finding: Diagnostic) -> Self {
        Self(vec![finding])
    }
}

impl From<Vec<Diagnostic>> for Diagnostics {
    fn from(findings: Vec<Diagnostic>) -> Self {
        Self(findings)
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(findings: I) -> Self {
        Self(findings.into_iter().collect())
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_with_related_places_stands_for_the_one_without() {
        let source = crate::diag::Source::new("a.ron", "ab");
        let plain = Diagnostic::error("one");
        let related = |at: usize| {
            let place = Diagnostic::error("").at(&source, at..at + 1).place.unwrap();
            plain.clone().related(place, "declared here")
        };
        let all = [plain.clone(), related(0), related(1), related(0), Diagnostic::error("two")];
        let unique = Diagnostics::unique(all);
        assert_eq!(unique.into_vec(), [related(0), related(1), Diagnostic::error("two")]);
    }

    #[test]
    fn several_findings_are_one_error_with_all_messages() {
        fn fail() -> Result<(), Box<dyn std::error::Error>> {
            Err(Diagnostics::from(vec![Diagnostic::error("one"), Diagnostic::warning("two")]))?;
            Ok(())
        }
        let shown = fail().unwrap_err().to_string();
        assert_eq!(shown, "error: one\n\nwarning[invalid]: two");
    }
}
