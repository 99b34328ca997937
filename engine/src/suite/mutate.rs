//! Whether the tests would notice: numbers and signs of scripts and params changed, one at a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::case::{Case, Outcome, Subject};
use super::{Remembering, each};
use crate::diag::{Diagnostic, Diagnostics, Place, Source};
use crate::runner::{Options, Run};
use crate::scenario::Scenario;
use crate::script::{Library, Script};

/// A text with one number or sign changed.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// What is changed, where it is written.
    pub place: Place,
    /// What stands there instead.
    pub instead: String,
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
        let changed = if self.script.is_some() && self.instead.starts_with('-') {
            format!("{before}({}){after}", self.instead)
        } else {
            format!("{before}{}{after}", self.instead)
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
    let mut used: BTreeMap<String, Used> = BTreeMap::new();
    for (i, case) in cases.iter().enumerate() {
        let subject = case.subject()?;
        for place in Scenario::parse(subject.source)?.numbers {
            let changed = instead_of(text_at(&place)).into_iter();
            all.extend(changed.map(|instead| Mutation {
                place: place.clone(),
                instead,
                script: None,
                cases: vec![i],
            }));
        }
        let scripts = Remembering::new(subject.scripts);
        Run::new(subject.source, &scripts, &Options::default())?;
        for name in scripts.scripts().into_keys() {
            if let Some(known) = used.get_mut(&name) {
                known.by.push(i);
                continue;
            }
            let script = Script::compile(&name, &scripts)?;
            // One that judges is a test itself, and is right if it is too strict.
            let judges = script.defines("expect") && !script.defines("steer");
            let changes = if judges { Vec::new() } else { changes(&script) };
            used.insert(name, Used { by: vec![i], changes });
        }
    }
    for (name, Used { by, changes }) in used {
        all.extend(changes.into_iter().map(|(place, instead)| Mutation {
            place,
            instead,
            script: Some(name.clone()),
            cases: by.clone(),
        }));
    }
    Ok(all)
}

/// A script that runs are made of.
struct Used {
    /// The places of the cases.
    by: Vec<usize>,
    /// What is changed, and what into.
    changes: Vec<(Place, String)>,
}

/// All changes of a script, in the order of their places.
fn changes(script: &Script) -> Vec<(Place, String)> {
    let mut changes = Vec::new();
    for place in script.numbers() {
        let changed = instead_of(text_at(&place)).into_iter();
        changes.extend(changed.map(|instead| (place.clone(), instead)));
    }
    for place in script.sums() {
        let instead = if text_at(&place) == "+" { " - " } else { " + " };
        changes.push((place, instead.to_owned()));
    }
    changes.sort_by_key(|(place, _)| place.span.start);
    changes
}

fn text_at(place: &Place) -> &str {
    &place.source.text[place.span.clone()]
}

/// Whether a test of any case fails with a change, for each change. The cases must pass as they are.
pub fn noticed(cases: &[Case], mutations: &[Mutation], told: impl Fn() + Sync + Send) -> Vec<bool> {
    each(mutations, |mutation| {
        let noticed = mutation.cases.iter().any(|&case| notices(&cases[case], mutation));
        told();
        noticed
    })
}

fn notices(case: &Case, mutation: &Mutation) -> bool {
    let Ok(subject) = case.subject() else {
        return false;
    };
    let source = mutation.source();
    let tested = match &mutation.script {
        None => case.test_as(Subject { source: &source, ..subject }, true),
        Some(name) => {
            let scripts = Replaced { library: subject.scripts, name, source: &source };
            case.test_as(Subject { scripts: &scripts, ..subject }, true)
        }
    };
    matches!(tested.outcome, Outcome::Failed | Outcome::Broken)
}

/// Scripts, one of them another.
struct Replaced<'l> {
    library: &'l dyn Library,
    name: &'l str,
    source: &'l Arc<Source>,
}

impl Library for Replaced<'_> {
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

/// What could stand instead of a number; none where it is nothing already.
fn instead_of(written: &str) -> Vec<String> {
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
        assert_eq!(instead_of("2"), ["0", "-2", "1"]);
        assert_eq!(instead_of("-1.5"), ["0.0", "1.5", "-0.75"]);
        assert_eq!(instead_of("1_001"), ["0", "-1001", "500.5"]);
        assert_eq!(instead_of("1e2"), ["0.0", "-1e2", "50.0"]);
        assert_eq!(instead_of("0"), [""; 0]);
        assert_eq!(instead_of("true"), [""; 0]);
    }
}
