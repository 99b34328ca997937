//! Mutation tests: changes numbers and signs of scripts and params, one at a time, to find out whether a test fails.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::case::{Case, StopRule, TestFiles, TestOutcome};
use super::{RecordingLibrary, each};
use crate::diag::{Diagnostic, Diagnostics, Place, Source};
use crate::runner::{Options, Run};
use crate::scenario::Scenario;
use crate::script::{Library, Script};

/// A change of one number or sign in a file.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// The place of the number or sign.
    pub place: Place,
    /// The text to put there.
    pub replacement: String,
    /// The script's name; `None` for a scenario.
    script: Option<String>,
    /// The indexes of the cases that use the file.
    cases: Vec<usize>,
}

impl Mutation {
    /// Returns what is written there now.
    pub fn written(&self) -> &str {
        self.place.text()
    }

    /// Returns the whole file with the change.
    fn source(&self) -> Arc<Source> {
        let Place { source, span } = &self.place;
        let text = &source.text;
        let (before, after) = (&text[..span.start], &text[span.end..]);
        // In a script a sign may come right before the number: `-(-2)`.
        let changed = if self.script.is_some() && self.replacement.starts_with('-') {
            format!("{before}({}){after}", self.replacement)
        } else {
            format!("{before}{}{after}", self.replacement)
        };
        Source::new(source.name.as_str(), changed)
    }
}

/// Returns all changes to try. Each number in the scenarios' params and in the scripts becomes zero, its negative and its
/// half. In scripts each `+` becomes `-`, and each `-` becomes `+`.
///
/// # Errors
///
/// If a scenario or a script has errors.
pub fn mutations(cases: &[Case]) -> Result<Vec<Mutation>, Diagnostics> {
    let mut all = Vec::new();
    let mut used: BTreeMap<String, UsedScript> = BTreeMap::new();
    for (i, case) in cases.iter().enumerate() {
        let files = case.files()?;
        for place in Scenario::parse(files.source)?.numbers {
            let changed = replacements(place.text()).into_iter();
            all.extend(changed.map(|replacement| Mutation {
                place: place.clone(),
                replacement,
                script: None,
                cases: vec![i],
            }));
        }
        let scripts = RecordingLibrary::new(files.scripts);
        Run::new(files.source, &scripts, &Options::default())?;
        for name in scripts.scripts().into_keys() {
            if let Some(known) = used.get_mut(&name) {
                known.by.push(i);
                continue;
            }
            let script = Script::compile(&name, &scripts)?;
            // A script that judges is a test itself: one that is too strict still passes.
            let judges = script.defines("expect") && !script.defines("steer");
            let changes = if judges { Vec::new() } else { script_changes(&script) };
            used.insert(name, UsedScript { by: vec![i], changes });
        }
    }
    for (name, UsedScript { by, changes }) in used {
        all.extend(changes.into_iter().map(|(place, replacement)| Mutation {
            place,
            replacement,
            script: Some(name.clone()),
            cases: by.clone(),
        }));
    }
    Ok(all)
}

/// A script that cases use.
struct UsedScript {
    /// The indexes of the cases.
    by: Vec<usize>,
    /// The places of its numbers and signs, each with a replacement.
    changes: Vec<(Place, String)>,
}

/// Returns all changes of a script, ordered by place.
fn script_changes(script: &Script) -> Vec<(Place, String)> {
    let mut changes = Vec::new();
    for place in script.numbers() {
        let changed = replacements(place.text()).into_iter();
        changes.extend(changed.map(|replacement| (place.clone(), replacement)));
    }
    for place in script.sums() {
        let replacement = if place.text() == "+" { " - " } else { " + " };
        changes.push((place, replacement.to_owned()));
    }
    changes.sort_by_key(|(place, _)| place.span.start);
    changes
}

/// Tries each change and returns, for each, whether the test of any case fails with it. The cases must pass without
/// changes. `progress` is called after each change.
pub fn try_mutations(
    cases: &[Case],
    mutations: &[Mutation],
    progress: impl Fn() + Sync + Send,
) -> Vec<bool> {
    each(mutations, |mutation| {
        let noticed = mutation.cases.iter().any(|&case| is_noticed(&cases[case], mutation));
        progress();
        noticed
    })
}

fn is_noticed(case: &Case, mutation: &Mutation) -> bool {
    let Ok(files) = case.files() else {
        return false;
    };
    let source = mutation.source();
    let tested = match &mutation.script {
        None => case.test_with(TestFiles { source: &source, ..files }, StopRule::FirstFailure),
        Some(name) => {
            let scripts = PatchedLibrary { library: files.scripts, name, source: &source };
            case.test_with(TestFiles { scripts: &scripts, ..files }, StopRule::FirstFailure)
        }
    };
    matches!(tested.outcome, TestOutcome::Failed | TestOutcome::Broken)
}

/// A library in which one script is replaced.
struct PatchedLibrary<'l> {
    library: &'l dyn Library,
    name: &'l str,
    source: &'l Arc<Source>,
}

impl Library for PatchedLibrary<'_> {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        if name == self.name {
            return Ok(Some(Arc::clone(self.source)));
        }
        self.library.read(name)
    }

    fn names(&self) -> Vec<String> {
        self.library.names()
    }
}

/// Returns the replacements for a number: zero, its negative and its half. Empty if it is zero already.
fn replacements(written: &str) -> Vec<String> {
    let plain = written.replace('_', "");
    let Some(x) = plain.parse::<f64>().ok().filter(|x| *x != 0.0) else {
        return Vec::new();
    };
    let whole = plain.parse::<i64>().ok();
    let zero = if whole.is_some() { "0" } else { "0.0" };
    let negative = match plain.strip_prefix('-') {
        Some(positive) => positive.to_owned(),
        None => format!("-{plain}"),
    };
    let half = match whole {
        Some(whole) if whole % 2 == 0 => (whole / 2).to_string(),
        _ => format!("{:?}", x / 2.0),
    };
    vec![zero.to_owned(), negative, half]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_zero_their_negative_and_their_half() {
        assert_eq!(replacements("2"), ["0", "-2", "1"]);
        assert_eq!(replacements("-1.5"), ["0.0", "1.5", "-0.75"]);
        assert_eq!(replacements("1_001"), ["0", "-1001", "500.5"]);
        assert_eq!(replacements("1e2"), ["0.0", "-1e2", "50.0"]);
        assert_eq!(replacements("0"), [""; 0]);
        assert_eq!(replacements("true"), [""; 0]);
    }
}
