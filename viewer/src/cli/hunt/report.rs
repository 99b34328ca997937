//! The report that a hunt prints.

use flockwork_engine::experiment::{Hunt, HuntResult, Size};
use flockwork_engine::world::AgentId;
use serde::Serialize;

use super::found::WrittenFailure;
use super::{Args, command};

/// Returns the report as text.
pub(super) fn text(
    args: &Args,
    hunt: &Hunt,
    search: &HuntResult,
    written: &[WrittenFailure],
) -> String {
    let is_law = |one: &&WrittenFailure| {
        one.expectation.is_some_and(|index| Some(index) == hunt.expectation_of_laws())
    };
    let (of_laws, own): (Vec<_>, Vec<_>) = written.iter().partition(is_law);
    let has_law_failure = !of_laws.is_empty();
    let mut lines = vec![outcome(args, search, &own, has_law_failure)];
    if let Some((share, [low, high])) = search.share() {
        let percent = |x: f32| format!("{:.1} %", x * 100.0);
        lines.push(format!(
            "of {} random starts {} failed: {} (95 % interval: {} to {})",
            search.random,
            search.random_failed,
            percent(share),
            percent(low),
            percent(high)
        ));
    }
    if search.unusable > 0 {
        let why = match &search.misfit {
            Some(misfit) => format!("for example: {misfit}"),
            None => "an expectation failed before the first tick".to_owned(),
        };
        let starts = plural(search.unusable);
        lines.push(format!("{} start{starts} could not be used; {why}", search.unusable));
    }
    let as_it_is = of_laws.iter().any(|one| one.run == 0);
    lines.extend(laws(hunt, search, as_it_is));
    if written.is_empty() {
        lines.extend(smallest_margins(hunt, search));
    }
    for one in written {
        lines.extend(failure(hunt, one));
    }
    if args.out.is_some() && search.found.len() > written.len() {
        let others = search.found.len() - written.len();
        lines.push(format!(
            "{others} other kind of failure not written; leave out --out to write all"
        ));
    }
    lines.join("\n") + "\n"
}

/// Returns the ending of a noun after a number.
fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Returns what the hunt has found. `own` are the failures of what the scenario expects or runs.
fn outcome(
    args: &Args,
    search: &HuntResult,
    own: &[&WrittenFailure],
    has_law_failure: bool,
) -> String {
    let stopped = if search.is_stopped { "interrupted: " } else { "" };
    let runs = match (search.runs, search.is_stopped) {
        (runs, true) => format!("{runs} of {} runs", args.runs),
        (runs, false) => format!("{runs} run{}", plural(runs)),
    };
    if own.iter().any(|one| one.run == 0) {
        format!("{stopped}the scenario fails as it is")
    } else if !own.is_empty() {
        format!("{stopped}found a failure in {runs}")
    } else if has_law_failure {
        format!(
            "{stopped}found nothing in {runs}, but a law of symmetry that the hunt tries by itself does not hold"
        )
    } else {
        format!("{stopped}found nothing in {runs}")
    }
}

/// Returns how close each expectation has come to failing.
fn smallest_margins(hunt: &Hunt, search: &HuntResult) -> Vec<String> {
    let mut lines = vec!["the smallest margins:".to_owned()];
    let expectations = hunt.expectations();
    let judged = expectations.iter().enumerate().filter(|(index, _)| hunt.judges(*index));
    for (index, expectation) in judged {
        let margin = search.margins[index].map_or_else(
            || "none".to_owned(),
            |margin| {
                let (value, unit, run) = (margin.value, margin.unit, margin.run);
                format!("{value} {unit} (run {run}, tick {})", margin.tick)
            },
        );
        lines.push(format!("  {}. {expectation}: {margin}", index + 1));
    }
    lines
}

/// Returns the lines about a failure, after an empty one.
fn failure(hunt: &Hunt, one: &WrittenFailure) -> Vec<String> {
    let shrunk = &one.shrunk;
    let title = match one.expectation {
        Some(index) => format!("{}. {} fails:", index + 1, hunt.expectations()[index]),
        None => "a script fails:".to_owned(),
    };
    let mut lines = vec![String::new(), title, format!("  {}", shrunk.failure.message)];
    if let Some((margin, unit)) = shrunk.failure.margin {
        lines.push(format!("  margin: {margin} {unit}"));
    }
    let changes = changes(&shrunk.before, &shrunk.after).join(", ");
    let all = if shrunk.is_smallest { "" } else { " (not done)" };
    lines.push(format!("  made smaller in {} runs{all}: {changes}", shrunk.runs));
    for (path, why) in &one.kept {
        lines.push(format!("  kept {}, since it {why}", path.display()));
    }
    let golden = if one.has_golden { " and its golden" } else { "" };
    lines.push(format!("  wrote {}{golden}", one.path.display()));
    lines.push(format!("  look at it: flockwork view --failure {}", one.argument));
    lines.extend(one.explain.iter().map(|explain| format!("  explain it: {explain}")));
    lines
}

/// Returns which laws of symmetry the hunt has tried of its own accord, and why not the others. `as_it_is` says whether
/// the scenario breaks one as it is.
fn laws(hunt: &Hunt, search: &HuntResult, as_it_is: bool) -> Vec<String> {
    let tried = hunt.laws().filter(|(_, why_not)| why_not.is_none());
    let tried: Vec<&str> = tried.map(|(law, _)| law.name()).collect();
    let mut lines = Vec::new();
    if !tried.is_empty() {
        let (runs, s) = (search.law_runs, plural(search.law_runs));
        let broken = if as_it_is { "; the scenario breaks one as it is" } else { "" };
        let tried = tried.join(", ");
        lines.push(format!("laws of symmetry tried in {runs} run{s}: {tried}{broken}"));
    }
    let others = hunt.laws().filter_map(|(law, why_not)| Some((law, why_not?)));
    lines
        .extend(others.map(|(law, why_not)| format!("not tried: {}, since {why_not}", law.name())));
    lines
}

/// Returns what has changed between two sizes.
fn changes(before: &Size, after: &Size) -> Vec<String> {
    [
        ("agents", before.agents as u64, after.agents as u64),
        ("groups", before.groups as u64, after.groups as u64),
        ("obstacles", before.obstacles as u64, after.obstacles as u64),
        ("paths", before.paths as u64, after.paths as u64),
        ("events", before.events as u64, after.events as u64),
        ("ticks", before.ticks, after.ticks),
    ]
    .into_iter()
    .filter(|(name, before, after)| before != after || *name == "agents" || *name == "ticks")
    .map(|(name, before, after)| format!("{after} of {before} {name}"))
    .collect()
}

#[derive(Serialize)]
struct HuntJson<'a> {
    command: String,
    runs: u64,
    random_runs: u64,
    random_failed: u64,
    share: Option<f32>,
    interval: Option<[f32; 2]>,
    unusable: u64,
    interrupted: bool,
    law_runs: u64,
    laws: Vec<LawJson<'a>>,
    expectations: Vec<ExpectationJson<'a>>,
    failures: Vec<FailureJson<'a>>,
}

#[derive(Serialize)]
struct LawJson<'a> {
    law: &'static str,
    /// Why it is not tried; null if it is.
    not_tried: Option<&'a str>,
}

#[derive(Serialize)]
struct ExpectationJson<'a> {
    number: usize,
    text: &'a str,
    smallest_margin: Option<f32>,
    unit: Option<&'static str>,
    run: Option<u64>,
    tick: Option<u64>,
}

#[derive(Serialize)]
struct FailureJson<'a> {
    run: u64,
    /// The number of the expectation, from 1; null if a script fails.
    expectation: Option<usize>,
    message: &'a str,
    tick: u64,
    agent: Option<AgentId>,
    margin: Option<f32>,
    unit: Option<&'static str>,
    shrink_runs: u64,
    smallest: bool,
    before: SizeJson,
    after: SizeJson,
    file: String,
    explain: Option<&'a str>,
}

#[derive(Serialize)]
struct SizeJson {
    agents: usize,
    groups: usize,
    obstacles: usize,
    paths: usize,
    events: usize,
    ticks: u64,
}

impl SizeJson {
    fn new(size: &Size) -> Self {
        let Size { agents, groups, obstacles, paths, events, ticks } = *size;
        Self { agents, groups, obstacles, paths, events, ticks }
    }
}

/// Returns the report as one JSON object.
pub(super) fn json(
    args: &Args,
    hunt: &Hunt,
    search: &HuntResult,
    written: &[WrittenFailure],
) -> String {
    let names = hunt.expectations();
    let expectations = names.iter().zip(&search.margins).enumerate();
    let report = HuntJson {
        command: command(args),
        runs: search.runs,
        random_runs: search.random,
        random_failed: search.random_failed,
        share: search.share().map(|(share, _)| share),
        interval: search.share().map(|(_, interval)| interval),
        unusable: search.unusable,
        interrupted: search.is_stopped,
        law_runs: search.law_runs,
        laws: hunt.laws().map(|(law, not_tried)| LawJson { law: law.name(), not_tried }).collect(),
        expectations: expectations
            .map(|(index, (text, margin))| ExpectationJson {
                number: index + 1,
                text,
                smallest_margin: margin.map(|margin| margin.value),
                unit: margin.map(|margin| margin.unit),
                run: margin.map(|margin| margin.run),
                tick: margin.map(|margin| margin.tick),
            })
            .collect(),
        failures: written
            .iter()
            .map(|one| FailureJson {
                run: one.run,
                expectation: one.expectation.map(|index| index + 1),
                message: &one.shrunk.failure.message,
                tick: one.shrunk.failure.tick,
                agent: one.shrunk.failure.agent,
                margin: one.shrunk.failure.margin.map(|(margin, _)| margin),
                unit: one.shrunk.failure.margin.map(|(_, unit)| unit),
                shrink_runs: one.shrunk.runs,
                smallest: one.shrunk.is_smallest,
                before: SizeJson::new(&one.shrunk.before),
                after: SizeJson::new(&one.shrunk.after),
                file: one.path.to_string_lossy().replace('\\', "/"),
                explain: one.explain.as_deref(),
            })
            .collect(),
    };
    // Strings and numbers can always be serialized.
    let text = serde_json::to_string_pretty(&report).unwrap_or_default();
    format!("{text}\n")
}
