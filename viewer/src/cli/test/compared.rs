//! The expectations that compare a scenario with another version of its files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::expect::{Better, ComparedVersions, Expectation};
use flockwork_engine::experiment::{Compare, CompareOptions, Comparison, DifferenceVerdict, Seeds};
use flockwork_engine::load;
use flockwork_engine::scenario::Scenario;
use flockwork_engine::{Diagnostic, Diagnostics};

use super::super::compare::version::Version;
use super::super::interrupt::Interrupt;
use super::super::terminal;

/// What is worse in each scenario, by its path.
pub(super) type Worse = BTreeMap<PathBuf, Vec<Diagnostic>>;

/// Compares the scenarios that expect it with other versions. What cannot be read is left to the tests. Also returns whether a signal
/// has ended the comparisons.
pub(super) fn compare(scenarios: &[PathBuf]) -> (Worse, bool) {
    let interrupt = Interrupt::handle();
    let mut all = Worse::new();
    for path in scenarios {
        let read = load::read(path).map_err(Diagnostics::from);
        let Ok(scenario) = read.and_then(|source| Scenario::parse(&source)) else { continue };
        for expectation in &scenario.expectations {
            let Some(versions) = expectation.compared_versions() else { continue };
            if interrupt.is_requested() {
                return (all, true);
            }
            let errors: Vec<Diagnostic> = match judge(path, expectation, &versions, &interrupt) {
                Ok(worse) => worse.into_iter().collect(),
                Err(errors) => errors.into_iter().collect(),
            };
            if !errors.is_empty() {
                all.entry(path.clone()).or_default().extend(errors);
            }
        }
    }
    (all, interrupt.is_requested())
}

/// Compares the two versions of an expectation. Returns the error if the present one is worse.
fn judge(
    path: &Path,
    expectation: &Expectation,
    versions: &ComparedVersions<'_>,
    interrupt: &Interrupt,
) -> Result<Option<Diagnostic>, Diagnostics> {
    let place = &expectation.place;
    let at = |error: Diagnostic| error.at(&place.source, place.span.clone());
    let other = Version::other(path, versions.than).map_err(at)?;
    let now = Version::now(path)?;
    let name = versions.measure.to_owned();
    let source = Source::new(place.source.name.as_str(), place.source.text.as_str());
    let options = CompareOptions {
        seeds: Seeds::Count(versions.seeds),
        ticks: None,
        measures: Some(vec![(name, Place { source, span: place.span.clone() })]),
    };
    let compare = Compare::new([other.compared(), now.compared()], &options)?;
    let Some(found) = compare.run(&|| interrupt.is_requested(), &mut || {})? else {
        return Ok(None);
    };
    let again = format!(
        "see all measures: `flockwork compare {} --against {} --seeds {}`",
        path.display(),
        versions.than,
        versions.seeds
    );
    let worse = worse(versions, &found);
    if worse.is_none()
        && let Some(known) = known(versions, &found)
    {
        terminal::say(&format!("{}: {known}", path.display()));
    }
    Ok(worse.map(|message| at(Diagnostic::error(message)).help(again)))
}

/// Says how large the difference may be of a measure that is not worse.
fn known(of: &ComparedVersions<'_>, found: &Comparison) -> Option<String> {
    let row = found.rows.iter().find(|row| row.name == of.measure)?;
    let difference = row.difference?;
    let begin = match of.by {
        0.0 => format!("`{}` is not seen to be worse than at {}", of.measure, of.than),
        by => {
            format!(
                "`{}` is not seen to be worse by more than {by} than at {}",
                of.measure, of.than
            )
        }
    };
    let [low, high] = difference.interval;
    Some(if row.verdict == DifferenceVerdict::Same {
        format!("{begin}: it is the same for each seed, as if both were one version")
    } else if found.is_single_run {
        format!("{begin}: it differs by {:.4}", difference.difference)
    } else {
        let seeds = difference.pairs;
        format!(
            "{begin}: the difference is in {low:.4} to {high:.4} (95 % interval, {seeds} seeds)"
        )
    })
}

/// Returns what is worse, if anything is.
fn worse(of: &ComparedVersions<'_>, found: &Comparison) -> Option<String> {
    if let [before, now] = &found.errors
        && now.len() > before.len()
        && let Some((seed, error)) = now.first()
    {
        let count = now.len();
        let runs = if count == 1 { "run ends" } else { "runs end" };
        return Some(format!(
            "{count} {runs} with an error, and {} at {}; the first, seed {seed}: {error}",
            before.len(),
            of.than
        ));
    }
    let row = found.rows.iter().find(|row| row.name == of.measure)?;
    let Some(difference) = row.difference else {
        return Some(format!("`{}` has values for fewer than two seeds", of.measure));
    };
    let [low, high] = difference.interval;
    let by = f64::from(of.by);
    let (is_worse, word) = match of.better {
        Better::Higher => (high < -by, "lower"),
        Better::Lower => (low > by, "higher"),
    };
    // If the seed changes nothing, there is one run, and no interval.
    let sure = match found.is_single_run {
        true => "all seeds give the same run".to_owned(),
        false => format!("95 % interval: {low:.4} to {high:.4}, {} seeds", difference.pairs),
    };
    let most =
        if of.by > 0.0 { format!("; expected at most {} {word}", of.by) } else { String::new() };
    let [before, now] = difference.means;
    is_worse.then(|| {
        format!(
            "the mean of `{}` is {word} than at {}: {now:.4} in place of {before:.4}, a difference of {:.4} ({sure}){most}",
            of.measure, of.than, difference.difference
        )
    })
}
