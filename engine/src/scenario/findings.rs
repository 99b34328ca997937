//! Collects errors and warnings, and the names that a scenario can refer to.

use std::collections::BTreeMap;
use std::iter;
use std::ops::Range;
use std::sync::Arc;

use super::blanks;
use super::errors;
use super::ordered::{MAX_ERRORS, Ordered};
use super::spanned::{ReadText, Spanned};
use super::{ScriptAct, UnlessScripts};
use crate::diag::{Diagnostic, Diagnostics, Place, Severity, Source, leading_zeros};
use crate::tokens::Language;

/// Size in bytes above which fewer errors are reported, since searching for what was meant takes long in a large file.
const LARGE: usize = 256 << 10;

/// Number of errors that are reported for a large file.
const MAX_ERRORS_OF_LARGE: usize = 5;

/// The characters that begin a formula in a spreadsheet. Names of groups are written into CSV files.
pub(super) const FORMULA: [char; 4] = ['=', '+', '-', '@'];

/// The errors and warnings about one file.
pub(crate) struct Findings<'s> {
    source: &'s Arc<Source>,
    all: Vec<Diagnostic>,
    unless_scripts: Vec<UnlessScripts>,
    errors: usize,
    /// Number of errors that are reported.
    max_errors: usize,
}

/// Names of one kind of thing, in the order they are written.
pub(crate) struct KnownNames {
    /// The kind of thing, in one word.
    what: &'static str,
    /// One name for each entry.
    pub(crate) all: Vec<Arc<str>>,
    index: BTreeMap<Arc<str>, usize>,
}

impl<'s> Findings<'s> {
    /// Starts without findings.
    pub(crate) fn new(source: &'s Arc<Source>) -> Self {
        Self {
            source,
            all: Vec::new(),
            unless_scripts: Vec::new(),
            errors: 0,
            max_errors: if source.text.len() > LARGE { MAX_ERRORS_OF_LARGE } else { MAX_ERRORS },
        }
    }

    /// Returns the file.
    pub(super) fn source(&self) -> &'s Arc<Source> {
        self.source
    }

    /// Adds an error or a warning at a place.
    pub(crate) fn add(&mut self, what: Diagnostic, span: Range<usize>) {
        self.push(what.at(self.source, span));
    }

    /// Adds an error or a warning at a place that holds unless a script does something.
    pub(super) fn add_unless(&mut self, act: ScriptAct, what: Diagnostic, span: Range<usize>) {
        let finding = what.at(self.source, span);
        self.unless_scripts.push(UnlessScripts { act, finding });
    }

    /// Returns what scripts decide about.
    pub(super) fn take_unless_scripts(&mut self) -> Vec<UnlessScripts> {
        std::mem::take(&mut self.unless_scripts)
    }

    /// Warns of numbers such as `01`.
    pub(super) fn warn_of_leading_zeros(&mut self) {
        self.all.extend(leading_zeros(self.source, Language::Ron));
    }

    fn push(&mut self, what: Diagnostic) {
        if what.severity == Severity::Warning {
            self.all.push(what);
        } else {
            self.errors += 1;
            if self.errors <= self.max_errors {
                self.all.push(what);
            }
        }
    }

    /// Adds an error at a place.
    pub(crate) fn error(&mut self, message: impl Into<String>, span: Range<usize>) {
        self.add(Diagnostic::error(message), span);
    }

    /// Returns the number of errors so far, including those that are not reported.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    /// Returns whether there are errors.
    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Returns the findings as an error if there are errors among them, or else `self`.
    pub(crate) fn without_errors(self) -> Result<Self, Diagnostics> {
        if self.has_errors() { Err(self.finish().into()) } else { Ok(self) }
    }

    /// Returns all findings, in the order of their places.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.all.sort_by_key(|one| one.place.as_ref().map_or(0, |place| place.span.start));
        self.all
    }

    /// Returns where a value is written.
    pub(crate) fn span<T>(&self, spanned: &Spanned<T>) -> Range<usize> {
        spanned.span(&self.source.text)
    }

    /// Returns the place of the first word of a value, for values that may be long.
    pub(crate) fn first_word<T>(&self, spanned: &Spanned<T>) -> Range<usize> {
        self.source.token(self.span(spanned).start)
    }

    /// Returns the place of a value, to keep.
    pub(crate) fn place<T>(&self, spanned: &Spanned<T>) -> Place {
        Place { source: Arc::clone(self.source), span: self.span(spanned) }
    }

    /// Returns the value. If it could not be read, reports all that is wrong in it and returns `None`.
    pub(crate) fn read<'v, T: ReadText>(&mut self, spanned: &'v Spanned<T>) -> Option<&'v T> {
        let error = match &spanned.read {
            Ok(value) => return Some(value),
            // It would not be reported.
            Err(_) if self.errors >= self.max_errors => {
                self.errors += 1;
                return None;
            }
            Err(error) => error,
        };
        let span = self.span(spanned);
        let first = errors::diagnostic(error, self.source, span.clone());
        let more = blanks::more_in_part::<T>(&first, self.source, span);
        for error in iter::once(first).chain(more) {
            self.push(error);
        }
        None
    }

    /// Returns the names of the entries of a map. One without quotes is known, too. If a name cannot be read, an empty string takes its place.
    pub(crate) fn names<V>(&mut self, what: &'static str, entries: &Ordered<V>) -> KnownNames {
        let mut names = KnownNames { what, all: Vec::new(), index: BTreeMap::new() };
        for (i, (key, _)) in entries.0.iter().enumerate() {
            let name: Arc<str> = match self.read(key) {
                Some(name) => name.as_str().into(),
                None => {
                    let written = self.source.text.get(self.span(key)).unwrap_or_default();
                    let is_word = |c: char| c.is_alphanumeric() || c == '_';
                    if !written.chars().all(is_word) {
                        names.all.push("".into());
                        continue;
                    }
                    written.into()
                }
            };
            if name.is_empty() || name.contains(char::is_control) {
                self.error(
                    format!("the name of this {what} must have at least one character and no control characters"),
                    self.span(key),
                );
            }
            if matches!(what, "group" | "measure") && name.starts_with(FORMULA) {
                let wrong = Diagnostic::error(format!("the name of {what} `{name}` begins with `{}`", &name[..1]))
                    .help("a spreadsheet would read this name in a CSV file as a formula: start the name with a letter");
                self.add(wrong, self.span(key));
            }
            if let Some(&first) = names.index.get(&name) {
                let before = self.span(&entries.0[first].0);
                let first = Place { source: Arc::clone(self.source), span: before };
                let twice = Diagnostic::error(format!("{what} `{name}` is written twice"))
                    .label("the second one")
                    .related(first, "the first one");
                self.add(twice, self.span(key));
            } else {
                names.index.insert(Arc::clone(&name), i);
            }
            names.all.push(name);
        }
        names
    }

    /// Returns the index of a name in `names`. If it is unknown, reports that and returns `None`.
    pub(crate) fn find(&mut self, names: &KnownNames, wanted: &Spanned<String>) -> Option<u16> {
        let name = self.read(wanted)?;
        self.find_at(names, name, self.span(wanted))
    }

    /// Does the same for a name that is written at `place`.
    pub(crate) fn find_at(
        &mut self,
        names: &KnownNames,
        name: &str,
        place: Range<usize>,
    ) -> Option<u16> {
        if let Some(&index) = names.index.get(name) {
            return u16::try_from(index).ok();
        }
        let unknown = Diagnostic::error(format!("no {} `{name}`", names.what));
        let unknown = if names.all.is_empty() {
            unknown.help(format!("the scenario declares no {}s", names.what))
        } else if self.errors < self.max_errors {
            unknown.suggest(name, names.all.iter().map(|name| &**name))
        } else {
            unknown
        };
        self.add(unknown, place);
        None
    }
}

/// Returns the names in a list in the order in which they are declared, each once. Reports those that are unknown.
pub(super) fn names_in_order(
    findings: &mut Findings<'_>,
    written: &[Spanned<String>],
    names: &KnownNames,
) -> Vec<Arc<str>> {
    let mut found: Vec<u16> =
        written.iter().filter_map(|name| findings.find(names, name)).collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|index| Arc::clone(&names.all[usize::from(index)])).collect()
}
