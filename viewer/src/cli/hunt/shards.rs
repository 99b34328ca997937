//! Shards of a hunt: each is a search of its own, with a seed of its own. `merge` joins what they have found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use flockwork_engine::experiment::Hunt;
use flockwork_engine::load::{self, FileKind, OutputFile};
use flockwork_engine::{Diagnostic, Diagnostics};
use serde::{Deserialize, Serialize};

use super::found::{FailureText, WrittenFailure, WrittenFile, size_line, write_of_shard};
use super::report::{FailureReport, HuntReport, ShardStart};
use super::{Args, command, folder, options, shrink};
use crate::cli::interrupt::Interrupt;
use crate::cli::jobs::{self, Engine, Job};
use crate::cli::origin::{Origin, made_of_other};
use crate::cli::progress::DelayedProgressBar;
use crate::cli::shard::{self, SHARD_PATIENCE, Shard};
use crate::cli::{CommandResult, Ending, json_text, terminal};

/// The file with what a shard has found, or all of them.
pub(in crate::cli) const RESULT: &str = "hunt.json";

/// The lock of the folder of a shard.
const LOCK: &str = ".lock";

const RESULT_KIND: FileKind = FileKind::new("the result of a hunt", &[&[b"{\n  \"flockwork\":"]]);

/// What a shard has found, or all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ShardResult {
    /// What the hunt was made of. Its options stand for a plan.
    #[serde(flatten)]
    origin: Origin,
    /// The command of the whole hunt.
    hunt: String,
    /// The shard; null for the result of all of them.
    shard: Option<Shard>,
    report: HuntReport,
}

impl ShardResult {
    /// Reads the result in a folder; `None` if there is none.
    fn read(folder: &Path) -> Result<Option<Self>, Diagnostic> {
        shard::read(&folder.join(RESULT))
    }

    fn write(&self, folder: &Path) -> Result<(), Diagnostic> {
        OutputFile::create(&folder.join(RESULT), RESULT_KIND)?.write_whole(json_text(self))
    }

    /// Returns what differs from the hunt of another result, in words.
    fn changes(&self, other: &Self) -> Vec<String> {
        let changes = self.origin.changes(&other.origin).into_iter();
        changes
            .map(|change| match change.as_str() {
                "the plan" => "the options of the hunt".to_owned(),
                _ => change,
            })
            .collect()
    }
}

/// The runs and the seed of a search.
pub(super) struct Share {
    pub(super) runs: u64,
    pub(super) seed: u64,
}

/// Returns the runs and the seed of this process: all, or those of its shard.
///
/// # Errors
///
/// If there are more shards than runs.
pub(super) fn share(args: &Args) -> Result<Share, Diagnostic> {
    let Some(shard) = args.shards.shard else {
        return Ok(Share { runs: args.runs, seed: args.seed });
    };
    if shard.count > args.runs {
        let (runs, count) = (args.runs, shard.count);
        return Err(Diagnostic::error(format!(
            "a hunt with --runs {runs} cannot have {count} shards: each needs a run"
        ))
        .help("give more runs, or fewer shards"));
    }
    Ok(Share { runs: shard.share(args.runs), seed: shard.seed(args.seed) })
}

/// Returns everything that decides what a hunt finds.
fn origin(args: &Args, hunt: &Hunt) -> Result<Origin, Diagnostic> {
    let plan = args.plan.as_deref().map(load::read).transpose()?;
    let plan = plan.map(|source| source.text.clone());
    // The files of a plan and of another version are compared by their contents.
    let options = [&args.expect, &Some(args.vary.join("\n")), &plan];
    let keep: Vec<&str> = args.keep.iter().map(|kept| kept.varied().name()).collect();
    let numbers = (args.runs, args.seed, args.near, args.shrink_runs);
    let text = format!("{numbers:?} {keep:?} {options:?} {}", args.against.is_some());
    Ok(Origin::new(&text, &hunt.fingerprints()))
}

/// Runs a shard, and leaves what it finds for `merge`.
pub(super) fn run(args: &Args, hunt: &Hunt, shard: Shard) -> CommandResult {
    let folder = folder(args).join(shard.folder());
    let _lock = shard::lock(&folder, SHARD_PATIENCE)?;
    OutputFile::check(&folder.join(RESULT), RESULT_KIND)?;
    let Share { runs, seed } = share(args)?;
    let mut result = ShardResult {
        origin: origin(args, hunt)?,
        hunt: command(args, args.runs, args.seed),
        shard: Some(shard),
        report: HuntReport::default(),
    };
    if !args.restart
        && let Some(older) = ShardResult::read(&folder)?
    {
        let changes = older.changes(&result);
        if !changes.is_empty() {
            return Err(made_of_other(&folder, &changes)
                .help("choose another folder with --folder, or delete these results and begin again with --restart")
                .into());
        }
        terminal::print(&format!("this shard is complete: {}\n", folder.join(RESULT).display()))?;
        return Ok(Ending::Success);
    }
    let interrupt = Interrupt::handle();
    interrupt.last_words("interrupted: the same command begins this shard again".to_owned());
    let stop = || interrupt.is_requested();
    let mut progress = DelayedProgressBar::new("run", runs);
    let search = hunt.search(&stop, &mut |runs| progress.at(runs), &mut |_| {})?;
    progress.finish();
    let mut found = Vec::new();
    for start in &search.found {
        let shrunk = shrink(hunt, start, args.shrink_runs, &stop)?;
        found.push(WrittenFailure { start: start.clone(), shrunk, file: None });
    }
    if interrupt.is_requested() {
        terminal::say("interrupted: the same command begins this shard again");
        return Ok(Ending::Interrupted);
    }
    let mut report = HuntReport::new(args, hunt, &search, &found);
    (report.command, report.asked_runs) = (command(args, runs, seed), runs);
    for (one, of) in report.failures.iter_mut().zip(&found) {
        one.start = Some(ShardStart {
            text: of.shrunk.text.clone(),
            command: command(args, runs, seed),
            shard: shard.index,
            found_by: 1,
        });
    }
    result.report = report;
    result.write(&folder)?;
    let report = &result.report;
    terminal::print(&if args.json {
        report.json()
    } else {
        let path = folder.join(RESULT);
        let files = vec![None; report.failures.len()];
        format!("{}the result of this shard is in {}\n", report.text(&files, 0), path.display())
    })?;
    // Engines of jobs begin the merge only after shards that succeed. The merge says what failed.
    Ok(Ending::Success)
}

/// Writes the job files of a hunt, and starts them if asked for.
pub(super) fn write_jobs(engine: Engine, args: &Args) -> CommandResult {
    let folder = folder(args);
    if args.restart && folder.exists() {
        for shard in load::folders(&folder)?.into_iter().filter(|path| Shard::is_folder(path)) {
            OutputFile::remove(&shard.join(RESULT), RESULT_KIND)?;
            // The folder too, since the hunt may have another number of shards now.
            load::delete_files(&shard, &[LOCK])?;
        }
    }
    let mut words = vec!["--runs".to_owned(), args.runs.to_string()];
    words.extend(["--seed".to_owned(), args.seed.to_string()]);
    words.extend(["--shrink-runs".to_owned(), args.shrink_runs.to_string()]);
    let mut names_file = false;
    for word in options(args) {
        // Jobs may run in another folder.
        let is_file = names_file && Path::new(&word).exists();
        names_file = word == "--plan" || word == "--against";
        words.push(match is_file {
            true => jobs::absolute(Path::new(&word))?,
            false => word,
        });
    }
    let job = Job {
        command: "hunt",
        file: &args.scenario,
        options: words,
        folder_option: "--folder",
        folder: &folder,
        merge_options: Vec::new(),
        runs: args.runs,
        // A search is guided only after its first runs, so that many short ones find less.
        default_shards: jobs::default_shards(args.runs, jobs::RUNS_OF_A_SHARD, 1),
        threads: args.threads,
    };
    jobs::write(engine, &args.shards, &job)
}

/// Joins the shards of a hunt whose results are in folders of a folder.
pub(in crate::cli) fn merge(folder: &Path, is_partial_allowed: bool) -> CommandResult {
    let mut all: Vec<(Shard, ShardResult, PathBuf)> = Vec::new();
    for path in load::folders(folder)? {
        if let Some(result) = ShardResult::read(&path)?
            && let Some(shard) = result.shard
        {
            all.push((shard, result, path));
        }
    }
    all.sort_by_key(|(shard, ..)| (shard.index, shard.count));
    let Some((first_shard, first, of_first)) = all.first() else {
        return Err(shard::nothing_in(folder).into());
    };
    for (shard, result, path) in &all {
        let mut changes = first.changes(result);
        if shard.count != first_shard.count {
            changes.push("the number of shards".to_owned());
        }
        shard::check_same(of_first, path, &changes)?;
    }
    shard::check_once(all.iter().map(|(shard, _, path)| (*shard, path.as_path())))?;
    let shards: Vec<Shard> = all.iter().map(|(shard, ..)| *shard).collect();
    let missing = shard::missing(&shards, first_shard.count);
    let target = shard::target(folder, &missing, is_partial_allowed)?;
    let reports: Vec<(u64, &HuntReport)> =
        all.iter().map(|(shard, result, _)| (shard.index, &result.report)).collect();
    let mut report = join(&reports);
    report.command = first.hunt.clone();
    let mut files: Vec<WrittenFile> = Vec::new();
    for one in &mut report.failures {
        let taken: Vec<&Path> = files.iter().map(|file| &*file.path).collect();
        let Some(start) = one.start.clone() else { continue };
        let file = write(&target, &taken, one, &start)?;
        // Only its name: the result does not depend on where it is.
        one.file = file.path.file_name().map(|name| name.to_string_lossy().into_owned());
        files.push(file);
    }
    let count = first_shard.count;
    let mut text = report.text(&files.iter().map(Some).collect::<Vec<_>>(), 0);
    if missing.is_empty() {
        let result = ShardResult { shard: None, report: report.clone(), ..first.clone() };
        result.write(&target)?;
        text.push_str(&format!(
            "the result of {count} shards is in {}\n",
            target.join(RESULT).display()
        ));
    } else {
        text.push_str(&shard::missing_line(&missing));
    }
    terminal::print(&text)?;
    let is_complete = missing.is_empty() && report.failures.is_empty();
    Ok(if is_complete { Ending::Success } else { Ending::Shortfall })
}

/// Writes a failure of a shard into a folder.
fn write(
    folder: &Path,
    taken: &[&Path],
    one: &FailureReport,
    start: &ShardStart,
) -> Result<WrittenFile, Diagnostics> {
    let (before, after) = (&one.before, &one.after);
    let size = size_line(one.run, [before.agents, after.agents], [before.ticks, after.ticks]);
    let text = FailureText {
        fails: &one.fails,
        message: &one.message,
        command: &start.command,
        size: &size,
        text: &start.text,
    };
    write_of_shard(folder, taken, &text, one.agent())
}

/// Joins what shards have found, in the order of their indices. Their order decides nothing else.
fn join(shards: &[(u64, &HuntReport)]) -> HuntReport {
    let Some(((first_index, first), others)) = shards.split_first() else {
        return HuntReport::default();
    };
    let mut whole = (*first).clone();
    for one in &mut whole.expectations {
        one.shard = one.smallest_margin.map(|_| *first_index);
    }
    for (index, report) in others {
        whole.asked_runs += report.asked_runs;
        whole.runs += report.runs;
        whole.random_runs += report.random_runs;
        whole.random_failed += report.random_failed;
        whole.corner_runs += report.corner_runs;
        whole.corner_failed += report.corner_failed;
        whole.compared_runs += report.compared_runs;
        whole.same_in_both += report.same_in_both;
        whole.failed_with_both += report.failed_with_both;
        whole.unusable += report.unusable;
        whole.law_runs += report.law_runs;
        whole.misfit = whole.misfit.or_else(|| report.misfit.clone());
        for (known, one) in whole.expectations.iter_mut().zip(&report.expectations) {
            let is_smaller = match (known.smallest_margin, one.smallest_margin) {
                (Some(known), Some(one)) => one < known,
                (known, one) => known.is_none() && one.is_some(),
            };
            if is_smaller {
                *known = one.clone();
                known.shard = Some(*index);
            }
        }
    }
    let all = shards.iter().flat_map(|(_, report)| report.failures.iter().cloned());
    whole.failures = distinct(all);
    whole.with_share()
}

/// Returns failures without those that are the same: of the same expectation, with starts that differ only in numbers. The
/// smallest of them stays.
fn distinct(all: impl Iterator<Item = FailureReport>) -> Vec<FailureReport> {
    let mut all: Vec<FailureReport> = all.collect();
    let shard = |one: &FailureReport| one.start.as_ref().map_or(0, |start| start.shard);
    let text = |one: &FailureReport| one.start.as_ref().map_or(0, |start| start.text.len());
    // Failures of scripts come last.
    let kind = |one: &FailureReport| (one.expectation.unwrap_or(usize::MAX), one.fails.clone());
    all.sort_by_cached_key(|one| (kind(one), one.after, text(one), shard(one)));
    let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut kept: Vec<FailureReport> = Vec::new();
    for one in all {
        let start = one.start.as_ref().map_or("", |start| &start.text);
        let key = (one.fails.clone(), shape(start));
        if let Some(start) = known.get(&key).and_then(|index| kept[*index].start.as_mut()) {
            start.found_by += 1;
            continue;
        }
        known.insert(key, kept.len());
        kept.push(one);
    }
    kept
}

/// Returns a scenario without what may differ in scenarios that are the same: numbers, and how lines are broken.
fn shape(text: &str) -> String {
    let text: String = without_numbers(text).split_whitespace().collect();
    text.replace(",)", ")").replace(",]", "]").replace(",}", "}")
}

/// Returns a text in which each number is 0.
fn without_numbers(text: &str) -> String {
    let is_of_word = |c: char| c.is_alphanumeric() || "._-+".contains(c);
    let mut left = text;
    let mut out = String::new();
    while !left.is_empty() {
        let word = left.find(|c| !is_of_word(c)).unwrap_or(left.len());
        let is_number = left[..word].starts_with(|c: char| c.is_ascii_digit() || "-+.".contains(c))
            && left[..word].parse::<f64>().is_ok();
        out.push_str(if is_number { "0" } else { &left[..word] });
        let rest = left[word..].find(is_of_word).unwrap_or(left.len() - word);
        out.push_str(&left[word..word + rest]);
        left = &left[word + rest..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_all_the_same() {
        let text = "( count: 12, at: (-1.5e-3, +7), \"b-1\": 0x, n: .5, é: inf)";
        assert_eq!(without_numbers(text), "( count: 0, at: (0, 0), \"b-1\": 0x, n: 0, é: inf)");
        assert_eq!(without_numbers(""), "");
        assert_eq!(shape("[(1, 2)]"), shape("[\n    (-3, 4.5),\n]"));
        assert_ne!(shape("[(1, 2)]"), shape("[(1, 2), (3, 4)]"));
    }
}
