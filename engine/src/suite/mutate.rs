//! Whether the tests would notice: numbers and signs of scripts and params changed, one at a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::case::{Case, TestFiles, TestOutcome};
use super::{RecordingLibrary, each};
use crate::diag::{Diagnostic, Diagnostics, Place, Source};
use crate::runner::{Options, Run};
use crate::scenario::Scenario;
use crate::script::{Library, Script};

/// A text with one number or sign changed.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// What is changed, where it is written.
    pub place: Place,
    /// What stands there replacement.
    pub replacement: String,
    /// The script's name; none for the scenario.
    script: Option<String>,
    /// The places of the cases whose runs are made of that text.
    cases: Vec<usize>,
}

impl Mutation {
    /// What is written now.
    pub fn written(&self) -> &str {
        text_at(&self.place)
    }

    /// The whole text with the change.
    fn source(&self) -> Arc<Source> {
        let Place { source, span } = &self.place;
        let text = &source.text;
        let (before, after) = (&text[..span.start], &text[span.end..]);
        // In a script a sign may stand right before it.
        let changed = if self.script.is_some() && self.replacement.starts_with('-') {
            format!("{before}({}){after}", self.replacement)
        } else {
            format!("{before}{}{after}", self.replacement)
        };
        Source::new(source.name.as_str(), changed)
    }
}

/// All changes to try: each number of the scenarios' params and of the scripts becomes nothing, its
/// negative, and its half; each sum of a script a difference, and the other way round.
///
/// # Errors
///
/// What is wrong with the scenarios and scripts as they are.
pub fn mutations(cases: &[Case]) -> Result<Vec<Mutation>, Diagnostics> {
    let mut all = Vec::new();
    let mut used: BTreeMap<String, UsedScript> = BTreeMap::new();
    for (i, case) in cases.iter().enumerate() {
        let files = case.files()?;
        for place in Scenario::parse(files.source)?.numbers {
            let changed = replacements(text_at(&place)).into_iter();
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
            // One that judges is a test itself, and is right if it is too strict.
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

/// A script that runs are made of.
struct UsedScript {
    /// The places of the cases.
    by: Vec<usize>,
    /// What is changed, and what into.
    changes: Vec<(Place, String)>,
}

/// All changes of a script, in the order of their places.
fn script_changes(script: &Script) -> Vec<(Place, String)> {
    let mut changes = Vec::new();
    for place in script.numbers() {
        let changed = replacements(text_at(&place)).into_iter();
        changes.extend(changed.map(|replacement| (place.clone(), replacement)));
    }
    for place in script.sums() {
        let replacement = if text_at(&place) == "+" { " - " } else { " + " };
        changes.push((place, replacement.to_owned()));
    }
    changes.sort_by_key(|(place, _)| place.span.start);
    changes
}

fn text_at(place: &Place) -> &str {
    &place.source.text[place.span.clone()]
}

/// Whether a test of any case fails with a change, for each change. The cases must pass as they are.
pub fn try_mutations(
    cases: &[Case],
    mutations: &[Mutation],
    told: impl Fn() + Sync + Send,
) -> Vec<bool> {
    each(mutations, |mutation| {
        let noticed = mutation.cases.iter().any(|&case| is_noticed(&cases[case], mutation));
        told();
        noticed
    })
}

fn is_noticed(case: &Case, mutation: &Mutation) -> bool {
    let Ok(files) = case.files() else {
        return false;
    };
    let source = mutation.source();
    let tested = match &mutation.script {
        None => case.test_with(TestFiles { source: &source, ..files }, true),
        Some(name) => {
            let scripts = PatchedLibrary { library: files.scripts, name, source: &source };
            case.test_with(TestFiles { scripts: &scripts, ..files }, true)
        }
    };
    matches!(tested.outcome, TestOutcome::Failed | TestOutcome::Broken)
}

/// Scripts, one of them another.
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

/// What could stand replacement of a number; none where it is nothing already.
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
    fn numbers_become_nothing_their_negative_and_their_half() {
        assert_eq!(replacements("2"), ["0", "-2", "1"]);
        assert_eq!(replacements("-1.5"), ["0.0", "1.5", "-0.75"]);
        assert_eq!(replacements("1_001"), ["0", "-1001", "500.5"]);
        assert_eq!(replacements("1e2"), ["0.0", "-1e2", "50.0"]);
        assert_eq!(replacements("0"), [""; 0]);
        assert_eq!(replacements("true"), [""; 0]);
    }
}
