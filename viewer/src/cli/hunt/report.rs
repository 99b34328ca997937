//! The report that a hunt prints: of one search, or of all shards of a hunt.

use flockwork_engine::experiment::{Hunt, HuntResult, Size};
use flockwork_engine::sim::Law;
use flockwork_engine::world::AgentId;
use serde::{Deserialize, Serialize};

use super::found::{WrittenFailure, WrittenFile, what_fails};
use super::{Args, command};
use crate::cli::json_text;

/// What a hunt has found. This is what `--json` prints, and what a shard leaves for `merge`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct HuntReport {
    /// The command that does the same hunt again.
    pub(super) command: String,
    /// Number of runs that were asked for.
    pub(super) asked_runs: u64,
    pub(super) runs: u64,
    pub(super) random_runs: u64,
    pub(super) random_failed: u64,
    share: Option<f32>,
    interval: Option<[f32; 2]>,
    #[serde(default)]
    pub(super) corner_runs: u64,
    #[serde(default)]
    pub(super) corner_failed: u64,
    /// Number of runs that were compared with the other version, and of those that were the same to the bit.
    #[serde(default)]
    pub(super) compared_runs: u64,
    #[serde(default)]
    pub(super) same_in_both: u64,
    pub(super) failed_with_both: u64,
    pub(super) unusable: u64,
    /// Why values did not fit, if they did not.
    pub(super) misfit: Option<String>,
    pub(super) interrupted: bool,
    pub(super) law_runs: u64,
    pub(super) laws: Vec<LawReport>,
    /// What the scenario says that hunts keep.
    kept: Vec<String>,
    pub(super) expectations: Vec<ExpectationReport>,
    pub(super) failures: Vec<FailureReport>,
}

/// A law of symmetry that the hunt considers of its own accord.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct LawReport {
    law: String,
    /// Why it is not tried; null if it is.
    not_tried: Option<String>,
}

/// How near an expectation has come to failing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ExpectationReport {
    number: usize,
    text: String,
    /// Whether it counts.
    judged: bool,
    /// Whether the hunt tries it of its own accord.
    of_laws: bool,
    pub(super) smallest_margin: Option<f32>,
    unit: Option<String>,
    run: Option<u64>,
    tick: Option<u64>,
    /// The index of the shard that has made the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) shard: Option<u64>,
}

/// A failure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FailureReport {
    pub(super) run: u64,
    /// The number of the expectation, from 1; null if a script fails.
    pub(super) expectation: Option<usize>,
    /// What the start does, as the first line of its file says it.
    pub(super) fails: String,
    pub(super) message: String,
    tick: u64,
    agent: Option<AgentId>,
    margin: Option<f32>,
    unit: Option<String>,
    shrink_runs: u64,
    smallest: bool,
    pub(super) before: SizeReport,
    pub(super) after: SizeReport,
    pub(super) file: Option<String>,
    pub(super) explain: Option<String>,
    /// The start of a shard, which has no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<ShardStart>,
}

/// A start that a shard has found and made smaller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ShardStart {
    /// The scenario.
    pub(super) text: String,
    /// The command that finds it again.
    pub(super) command: String,
    /// The index of the shard.
    pub(super) shard: u64,
    /// How many shards have found the same failure.
    pub(super) found_by: u64,
}

/// The size of a start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct SizeReport {
    pub(super) agents: usize,
    groups: usize,
    obstacles: usize,
    paths: usize,
    events: usize,
    pub(super) ticks: u64,
}

impl SizeReport {
    fn new(size: &Size) -> Self {
        let Size { agents, groups, obstacles, paths, events, ticks } = *size;
        Self { agents, groups, obstacles, paths, events, ticks }
    }
}

impl FailureReport {
    /// Describes a failure that was found and made smaller.
    pub(super) fn new(hunt: &Hunt, written: &WrittenFailure) -> Self {
        let WrittenFailure { start, shrunk, file } = written;
        let failure = &shrunk.failure;
        let file = file.as_ref();
        Self {
            run: start.run,
            expectation: start.expectation().map(|index| index + 1),
            fails: what_fails(hunt, start),
            message: failure.message.clone(),
            tick: failure.tick,
            agent: failure.agent,
            margin: failure.margin.map(|(margin, _)| margin),
            unit: failure.margin.map(|(_, unit)| unit.to_owned()),
            shrink_runs: shrunk.runs,
            smallest: shrunk.is_smallest,
            before: SizeReport::new(&shrunk.before),
            after: SizeReport::new(&shrunk.after),
            file: file.map(WrittenFile::name),
            explain: file.and_then(|file| file.explain.clone()),
            start: None,
        }
    }

    /// Returns the agent and the tick that an explanation is about.
    pub(super) fn agent(&self) -> Option<(AgentId, u64)> {
        Some((self.agent?, self.tick))
    }
}

impl HuntReport {
    /// Describes a search.
    pub(super) fn new(
        args: &Args,
        hunt: &Hunt,
        search: &HuntResult,
        written: &[WrittenFailure],
    ) -> Self {
        let names = hunt.expectations();
        let expectations = names.into_iter().zip(&search.margins).enumerate();
        Self {
            command: command(args, args.runs, args.seed),
            asked_runs: args.runs,
            runs: search.runs,
            random_runs: search.random,
            random_failed: search.random_failed,
            share: None,
            interval: None,
            corner_runs: search.corner,
            corner_failed: search.corner_failed,
            compared_runs: search.compared,
            same_in_both: search.same_in_both,
            failed_with_both: search.failed_with_both,
            unusable: search.unusable,
            misfit: search.misfit.clone(),
            interrupted: search.is_stopped,
            law_runs: search.law_runs,
            laws: hunt.laws().map(LawReport::new).collect(),
            kept: hunt.kept_by_scenario().iter().map(|kept| kept.name().to_owned()).collect(),
            expectations: expectations
                .map(|(index, (text, margin))| ExpectationReport {
                    number: index + 1,
                    text,
                    judged: hunt.judges(index),
                    of_laws: Some(index) == hunt.expectation_of_laws(),
                    smallest_margin: margin.map(|margin| margin.value),
                    unit: margin.map(|margin| margin.unit.to_owned()),
                    run: margin.map(|margin| margin.run),
                    tick: margin.map(|margin| margin.tick),
                    shard: None,
                })
                .collect(),
            failures: written.iter().map(|one| FailureReport::new(hunt, one)).collect(),
        }
        .with_share()
    }

    /// Says how often spread starts fail.
    pub(super) fn with_share(mut self) -> Self {
        let (random, random_failed) = (self.random_runs, self.random_failed);
        let share = HuntResult { random, random_failed, ..HuntResult::default() }.share();
        self.share = share.map(|(share, _)| share);
        self.interval = share.map(|(_, interval)| interval);
        self
    }

    /// Returns it as one JSON object.
    pub(super) fn json(&self) -> String {
        json_text(self)
    }

    /// Returns whether a failure is that of a law that the hunt tries of its own accord.
    fn is_of_law(&self, one: &FailureReport) -> bool {
        let index = one.expectation.and_then(|number| number.checked_sub(1));
        index.and_then(|index| self.expectations.get(index)).is_some_and(|of| of.of_laws)
    }

    /// Returns it as text. `files` are those of the failures, `unwritten` is how many kinds of failures have none.
    pub(super) fn text(&self, files: &[Option<&WrittenFile>], unwritten: usize) -> String {
        let (of_laws, own): (Vec<_>, Vec<_>) =
            self.failures.iter().partition(|one| self.is_of_law(one));
        let mut lines = vec![self.outcome(&own, !of_laws.is_empty())];
        if let (Some(share), Some([low, high])) = (self.share, self.interval) {
            let percent = |x: f32| format!("{:.1} %", x * 100.0);
            lines.push(format!(
                "of {} spread starts {} failed: {} (95 % interval: {} to {})",
                self.random_runs,
                self.random_failed,
                percent(share),
                percent(low),
                percent(high)
            ));
        }
        if self.corner_runs > 0 {
            let (tried, s) = (self.corner_runs, plural(self.corner_runs));
            let failed = self.corner_failed;
            lines.push(format!("beside them {tried} corner start{s} tried: {failed} failed"));
        }
        lines.extend(self.same_lines());
        if self.failed_with_both > 0 {
            let (starts, s) = (self.failed_with_both, plural(self.failed_with_both));
            lines.push(format!("fails with the other version too: {starts} start{s}, not counted"));
        }
        if self.unusable > 0 {
            let why = match &self.misfit {
                Some(misfit) => format!("for example: {misfit}"),
                None => "an expectation failed before the first tick".to_owned(),
            };
            let starts = plural(self.unusable);
            lines.push(format!("{} start{starts} could not be used; {why}", self.unusable));
        }
        if !self.kept.is_empty() {
            lines.push(format!("kept, since the scenario says so: {}", self.kept.join(", ")));
        }
        let as_it_is = of_laws.iter().any(|one| one.run == 0);
        lines.extend(self.law_lines(as_it_is));
        if self.failures.is_empty() {
            lines.extend(self.smallest_margins());
        }
        for (one, file) in self.failures.iter().zip(files) {
            lines.extend(self.failure(one, *file));
        }
        if unwritten > 0 {
            lines.push(format!(
                "{unwritten} other kind of failure not written; leave out --out to write all"
            ));
        }
        lines.join("\n") + "\n"
    }

    /// Returns in how many runs both versions did the same, if there are two.
    fn same_lines(&self) -> Option<String> {
        let (same, all) = (self.same_in_both, self.compared_runs);
        match all {
            0 => None,
            1 if same == 1 => Some(
                "the only run was the same to the bit in both versions: it does not show what has changed".to_owned(),
            ),
            _ if same == all => Some(format!(
                "all {all} runs were the same to the bit in both versions: these starts do not show what has changed"
            )),
            _ => Some(format!("{same} of {all} runs were the same to the bit in both versions")),
        }
    }

    /// Returns what the hunt has found. `own` are the failures of what the scenario expects or runs.
    fn outcome(&self, own: &[&FailureReport], has_law_failure: bool) -> String {
        let stopped = if self.interrupted { "interrupted: " } else { "" };
        let runs = match (self.runs, self.interrupted) {
            (runs, true) => format!("{runs} of {} runs", self.asked_runs),
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
    fn smallest_margins(&self) -> Vec<String> {
        let mut lines = vec!["the smallest margins:".to_owned()];
        for one in self.expectations.iter().filter(|one| one.judged) {
            let margin = match (one.smallest_margin, &one.unit, one.run, one.tick) {
                (Some(value), Some(unit), Some(run), Some(tick)) => {
                    let shard = of_shard(one.shard);
                    format!("{value} {unit} (run {run}{shard}, tick {tick})")
                }
                _ => "none".to_owned(),
            };
            lines.push(format!("  {}. {}: {margin}", one.number, one.text));
        }
        lines
    }

    /// Returns the lines about a failure, after an empty one.
    fn failure(&self, one: &FailureReport, file: Option<&WrittenFile>) -> Vec<String> {
        let of = one.expectation.and_then(|number| self.expectations.get(number.checked_sub(1)?));
        let title = match of {
            Some(of) => format!("{}. {} fails:", of.number, of.text),
            None => "a script fails:".to_owned(),
        };
        let mut lines = vec![String::new(), title, format!("  {}", one.message)];
        if let (Some(margin), Some(unit)) = (one.margin, &one.unit) {
            lines.push(format!("  margin: {margin} {unit}"));
        }
        let changes = changes(&one.before, &one.after).join(", ");
        let all = if one.smallest { "" } else { " (not done)" };
        lines.push(format!("  made smaller in {} runs{all}: {changes}", one.shrink_runs));
        if let Some(ShardStart { shard, found_by, .. }) = &one.start {
            let others = match *found_by {
                1 => String::new(),
                found_by => format!("; {found_by} shards have found it"),
            };
            lines.push(format!("  found by run {} of shard {shard}{others}", one.run));
        }
        let Some(file) = file else { return lines };
        for (path, why) in &file.kept {
            lines.push(format!("  kept {}, since it {why}", path.display()));
        }
        let older =
            if file.has_replaced { ", in place of the case of an earlier hunt" } else { "" };
        lines.push(format!("  wrote {}{older}", file.path.display()));
        lines.push(format!("  look at it: flockwork view --failure {}", file.argument));
        lines.extend(file.explain.iter().map(|explain| format!("  explain it: {explain}")));
        lines.push(format!(
            "  test it: flockwork test {} fails until this is repaired, and passes from then on; keep the file as a test, or delete it",
            file.argument
        ));
        lines
    }

    /// Returns which laws of symmetry the hunt has tried of its own accord, and why not the others. `as_it_is` says whether
    /// the scenario breaks one as it is.
    fn law_lines(&self, as_it_is: bool) -> Vec<String> {
        let tried = self.laws.iter().filter(|one| one.not_tried.is_none());
        let tried: Vec<&str> = tried.map(|one| one.law.as_str()).collect();
        let mut lines = Vec::new();
        if !tried.is_empty() {
            let (runs, s) = (self.law_runs, plural(self.law_runs));
            let broken = if as_it_is { "; the scenario breaks one as it is" } else { "" };
            let tried = tried.join(", ");
            lines.push(format!("laws of symmetry tried in {runs} run{s}: {tried}{broken}"));
        }
        let others = self.laws.iter().filter_map(|one| Some((&one.law, one.not_tried.as_ref()?)));
        lines.extend(others.map(|(law, why_not)| format!("not tried: {law}, since {why_not}")));
        lines
    }
}

impl LawReport {
    fn new((law, not_tried): (Law, Option<&str>)) -> Self {
        Self { law: law.name().to_owned(), not_tried: not_tried.map(str::to_owned) }
    }
}

/// Returns the ending of a noun after a number.
fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Returns which shard has made a run.
fn of_shard(shard: Option<u64>) -> String {
    shard.map_or_else(String::new, |shard| format!(" of shard {shard}"))
}

/// Returns what has changed between two sizes.
fn changes(before: &SizeReport, after: &SizeReport) -> Vec<String> {
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
