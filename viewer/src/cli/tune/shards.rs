//! Shards of a tune: each is a search of its own, with a seed and a budget of its own. `merge` joins their tries.
//!
//! A shard keeps all of its runs. So `merge` searches again without running anything, and gets exactly what each shard has found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::{Evaluation, Search, SearchEnd, Tune, TuneOutcome, Variation};
use flockwork_engine::load::{self, FileKind, OutputFile};
use serde::{Deserialize, Serialize};

use super::{Args, kept, open, picture, table, text};
use crate::cli::aligned::{aligned, short_or_none};
use crate::cli::interrupt::Interrupt;
use crate::cli::jobs::{self, Engine, Job};
use crate::cli::origin::{Origin, made_otherwise};
use crate::cli::shard::{self, Shard};
use crate::cli::{CommandResult, Ending, json_text, terminal};

/// The file that describes a shard.
pub(in crate::cli) const DESCRIPTION: &str = "tune.json";

const DESCRIPTION_KIND: FileKind =
    FileKind::new("the description of a tune", &[&[b"{\n  \"flockwork\":"]]);

/// The table with the best values of each shard.
const SHARDS: &str = "shards.csv";

const SHARDS_KIND: FileKind = FileKind::new("a table of the shards of a tune", &[&[b"shard,"]]);

/// Number of generations of a shard, at least, unless --shards is given: a search needs some before it finds anything.
const GENERATIONS: u64 = 20;

/// What a shard is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Description {
    #[serde(flatten)]
    origin: Origin,
    /// The path of the plan, absolute.
    plan_file: String,
    shard: Shard,
    /// How long the shard took; null until it has ended.
    seconds: Option<f64>,
}

impl Description {
    /// Describes a shard that begins; `None` if this process runs no shard.
    pub(super) fn begin(
        args: &Args,
        tune: &Tune,
        folder: &Path,
    ) -> Result<Option<Self>, Diagnostic> {
        let Some(shard) = args.shards.shard else { return Ok(None) };
        let plan_file = std::path::absolute(&args.plan).unwrap_or_else(|_| args.plan.clone());
        let plan_file = plan_file.display().to_string();
        let this = Self { origin: kept::origin(tune), plan_file, shard, seconds: None };
        this.write(folder)?;
        Ok(Some(this))
    }

    /// Says that the shard has ended.
    pub(super) fn finish(&mut self, folder: &Path, seconds: f64) -> Result<(), Diagnostic> {
        self.seconds = Some(seconds);
        self.write(folder)
    }

    /// Reads the description in a folder; `None` if there is none.
    fn read(folder: &Path) -> Result<Option<Self>, Diagnostic> {
        shard::read(&folder.join(DESCRIPTION))
    }

    fn write(&self, folder: &Path) -> Result<(), Diagnostic> {
        let file = OutputFile::create(&folder.join(DESCRIPTION), DESCRIPTION_KIND)?;
        file.write_whole(json_text(self))
    }
}

/// Gives a search the seed and the runs of a shard.
///
/// # Errors
///
/// If the runs are too few.
fn set_share(tune: &mut Tune, shard: Shard, [seed, budget]: [u64; 2]) -> Result<(), Diagnostic> {
    let share = shard.share(budget);
    tune.set_search(shard.seed(seed), share).map_err(|least| {
        let place = &tune.plan().budget_place;
        Diagnostic::error(format!(
            "a budget of {budget} runs is too small for {} shards: each needs {least} runs at least",
            shard.count
        ))
        .at(&place.source, place.span.clone())
        .help("allow more runs, or take fewer shards")
    })
}

/// Returns the seed and the budget of a plan.
fn whole(tune: &Tune) -> [u64; 2] {
    [tune.plan().seed, tune.plan().budget]
}

/// Prepares what this process runs: all, or a shard. Returns the folder for its results.
pub(super) fn prepare(
    args: &Args,
    tune: &mut Tune,
    folder: PathBuf,
) -> Result<PathBuf, Diagnostic> {
    let Some(shard) = args.shards.shard else { return Ok(folder) };
    let whole = whole(tune);
    set_share(tune, shard, whole)?;
    Ok(folder.join(shard.folder()))
}

/// Returns whether there is nothing left to do for a shard, and says so.
pub(super) fn is_complete(args: &Args, tune: &Tune, folder: &Path) -> Result<bool, Diagnostic> {
    if args.shards.shard.is_none() || args.restart || args.write {
        return Ok(false);
    }
    let older = Description::read(folder)?;
    let is_complete =
        older.is_some_and(|older| older.seconds.is_some() && older.origin == kept::origin(tune));
    if is_complete {
        terminal::say(&format!("this shard is complete: {}", folder.display()));
    }
    Ok(is_complete)
}

/// Writes the job files of a tune, and starts them if asked for.
pub(super) fn write_jobs(engine: Engine, args: &Args, tune: &Tune, folder: &Path) -> CommandResult {
    let runs = tune.plan().budget;
    let default_shards = (runs / (GENERATIONS * tune.least_runs())).clamp(1, jobs::MOST_SHARDS);
    // Checked now, and not in each job.
    let count = args.shards.shards.unwrap_or(default_shards);
    let (mut of_shard, _) = open(&args.plan)?;
    set_share(&mut of_shard, Shard { index: 1, count }, whole(tune))?;
    let job = Job {
        command: "tune",
        file: &args.plan,
        options: Vec::new(),
        folder_option: "--out",
        folder,
        merge_options: Vec::new(),
        runs,
        default_shards,
        threads: args.threads,
    };
    jobs::write(engine, &args.shards, &job)
}

/// A shard with what its search has found.
struct SearchedShard {
    shard: Shard,
    seed: u64,
    search: Search,
}

impl SearchedShard {
    /// Returns its best try, if there is one goal and something was found.
    fn best(&self) -> Option<&Evaluation> {
        let front = self.search.front();
        front.first().map(|index| &self.search.evaluations[*index])
    }
}

/// Joins the shards of a tune whose results are in folders of a folder.
pub(in crate::cli) fn merge(folder: &Path, is_partial_allowed: bool) -> CommandResult {
    let mut all: Vec<(Description, PathBuf)> = Vec::new();
    for path in load::folders(folder)? {
        if let Some(description) = Description::read(&path)? {
            all.push((description, path));
        }
    }
    all.sort_by_key(|(of, _)| (of.shard.index, of.shard.count));
    let Some((first, of_first)) = all.first() else {
        return Err(shard::nothing_in(folder).into());
    };
    for (of, path) in &all {
        let mut changes = first.origin.changes(&of.origin);
        if of.shard.count != first.shard.count {
            changes.push("the number of shards".to_owned());
        }
        shard::check_same(of_first, path, &changes)?;
    }
    shard::check_once(all.iter().map(|(of, path)| (of.shard, path.as_path())))?;
    let complete = all.iter().filter(|(of, _)| of.seconds.is_some());
    let complete: Vec<Shard> = complete.map(|(of, _)| of.shard).collect();
    let missing = shard::missing(&complete, first.shard.count);
    let target = shard::target(folder, &missing, is_partial_allowed)?;
    table::check(&target)?;
    picture::check(&target)?;
    OutputFile::check(&target.join(SHARDS), SHARDS_KIND)?;
    let plan_file = Path::new(&first.plan_file);
    let (mut tune, _) = open(plan_file)?;
    let changes = first.origin.changes(&kept::origin(&tune));
    if !changes.is_empty() {
        return Err(made_otherwise(of_first, &changes).into());
    }
    let (searched, runs) = search_again(&mut tune, &all)?;
    let (search, found_by) = join(&searched);
    if search.evaluations.is_empty() {
        return Err(Diagnostic::error("no try has ended, so there is nothing to join").into());
    }
    let interrupt = Interrupt::handle();
    let is_partial = !missing.is_empty();
    // Its values are confirmed by the runs of its shard, unless that is missing.
    let stop = || is_partial || interrupt.is_requested();
    let found = tune.found(&search, &stop, &mut |_| {})?;
    if interrupt.is_requested() {
        return Ok(Ending::Interrupted);
    }
    let seconds = all.iter().filter_map(|(of, _)| of.seconds).sum();
    let outcome = TuneOutcome { tune: &tune, search: &search, found, runs, seconds };
    let mut report = text::text(&outcome);
    report.push_str(&spread(&outcome, &searched));
    if let ([found], false) = (&outcome.found[..], is_partial)
        && let Some(shard) = found.index.checked_sub(1).map(|index| found_by[index])
    {
        let (plan, folder) = (jobs::shell_quote(&first.plan_file), folder.display().to_string());
        let folder = jobs::shell_quote(&folder);
        let shard = format!("{shard}/{}", first.shard.count);
        report.push_str(&format!("to write the values into the scenario: flockwork tune {plan} --shard {shard} --out {folder} --write\n"));
    }
    let path = table::write(&target, &outcome)?;
    picture::write(&target, &outcome)?;
    let rows = shard_rows(&outcome, &searched);
    let shards = target.join(SHARDS);
    OutputFile::create(&shards, SHARDS_KIND)?.write_whole(rows)?;
    report.push_str(&format!("all values that were tried are in {}\n", path.display()));
    report.push_str(&format!("the best values of each shard are in {}\n", shards.display()));
    if is_partial {
        report.push_str(&shard::missing_line(&missing));
    }
    terminal::print(&report)?;
    Ok(if is_partial || search.errors() > 0 { Ending::Shortfall } else { Ending::Success })
}

/// Searches again as each shard has, with the runs that they have kept. Returns the number of these too.
///
/// # Errors
///
/// If a shard that has ended lacks a run.
fn search_again(
    tune: &mut Tune,
    all: &[(Description, PathBuf)],
) -> Result<(Vec<SearchedShard>, u64), flockwork_engine::Diagnostics> {
    let mut runs = 0;
    for (_, path) in all {
        runs += kept::remember(path, tune)?.count();
    }
    let whole = whole(tune);
    let mut searched = Vec::new();
    for (of, path) in all {
        set_share(tune, of.shard, whole)?;
        // The search ends where it needs a run that is not known.
        let search = tune.search(&|| true, &mut |_| {})?;
        if search.end == SearchEnd::Interrupted && of.seconds.is_some() {
            return Err(Diagnostic::error(format!("runs are missing in {}", path.display()))
                .help("give the command of this shard again, with --restart")
                .into());
        }
        searched.push(SearchedShard { shard: of.shard, seed: tune.plan().seed, search });
    }
    // The budget of the plan is never too small.
    let _ = tune.set_search(whole[0], whole[1]);
    Ok((searched, runs))
}

/// Joins searches: the scenario as it is, and then all that the shards have tried, each once. Returns which shard has tried each
/// of these first, too.
fn join(searched: &[SearchedShard]) -> (Search, Vec<u64>) {
    let without_value = searched.first().map(|one| one.search.without_value.clone());
    let mut whole = Search {
        evaluations: Vec::new(),
        runs: 0,
        end: SearchEnd::Exhausted,
        without_value: without_value.unwrap_or_default(),
    };
    let (mut known, mut found_by) = (BTreeMap::new(), Vec::new());
    for SearchedShard { shard, search, .. } in searched {
        whole.runs += search.runs;
        if search.end != SearchEnd::Exhausted {
            whole.end = SearchEnd::Budget;
        }
        let Some((now, tried)) = search.evaluations.split_first() else { continue };
        if whole.evaluations.is_empty() {
            whole.evaluations.push(now.clone());
        }
        for one in tried {
            let key: Vec<String> = one.values.iter().map(ToString::to_string).collect();
            if known.insert(key, ()).is_none() {
                whole.evaluations.push(one.clone());
                found_by.push(shard.index);
            }
        }
    }
    (whole, found_by)
}

/// The part of its range within which the best values of all shards are if they agree.
const AGREEMENT: f64 = 0.1;

/// Says how the best values of the shards differ; nothing if there are several goals, or one shard.
fn spread(of: &TuneOutcome<'_>, searched: &[SearchedShard]) -> String {
    let best: Vec<&Evaluation> = searched.iter().filter_map(SearchedShard::best).collect();
    let (Some(goal), 1, 2..) = (of.goals().next(), of.goals().count(), best.len()) else {
        return String::new();
    };
    let mut table = vec![
        ["best of each shard", "lowest", "highest", "of its range"].map(String::from).to_vec(),
    ];
    let goals = best.iter().filter_map(|one| goal.value(one.scores[0]));
    let ends = [goals.clone().min_by(f64::total_cmp), goals.max_by(f64::total_cmp)];
    let [lowest, highest] = ends.map(short_or_none);
    table.push(vec![goal.quantity(), lowest, highest, String::new()]);
    let tried = best.iter().filter(|one| !one.values.is_empty());
    let tried: Vec<&&Evaluation> = tried.collect();
    let (mut agreed, mut others) = (Vec::new(), Vec::new());
    for (index, (path, variation)) in of.tune.paths().zip(of.tune.variations()).enumerate() {
        let mut all: Vec<(f64, String)> =
            tried.iter().map(|one| (one.parts[index], one.values[index].to_string())).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (Some((low, lowest)), Some((high, highest))) = (all.first(), all.last()) else {
            continue;
        };
        let mut row = vec![path.to_owned(), lowest.clone(), highest.clone()];
        let is_agreed = match variation {
            // The values of a list have no order.
            Variation::List(_) => {
                let mut different: Vec<&String> = all.iter().map(|(_, text)| text).collect();
                different.sort();
                different.dedup();
                row = vec![path.to_owned(), "-".to_owned(), "-".to_owned()];
                row.push(match different.len() {
                    1 => "the same value".to_owned(),
                    count => format!("{count} values"),
                });
                different.len() == 1
            }
            _ => {
                row.push(format!("{:.0} %", 100.0 * (high - low)));
                high - low <= AGREEMENT
            }
        };
        table.push(row);
        if is_agreed { &mut agreed } else { &mut others }.push(path);
    }
    let mut text = format!("\n{}", aligned(&table));
    if !agreed.is_empty() {
        text.push_str(&format!("the shards agree on {}\n", agreed.join(", ")));
    }
    if !others.is_empty() {
        text.push_str(&format!(
            "the shards do not agree on {}: very different values are about as good, or the budget of a shard is too small\n",
            others.join(", ")
        ));
    }
    text
}

/// Returns the table of the best values of each shard.
fn shard_rows(of: &TuneOutcome<'_>, searched: &[SearchedShard]) -> Vec<u8> {
    let mut header = vec!["shard".to_owned(), "seed".to_owned(), "tries".to_owned()];
    header.push("runs".to_owned());
    header.extend(of.tune.paths().map(String::from));
    header.extend(of.goals().map(ToString::to_string));
    let mut rows = vec![header];
    for SearchedShard { shard, seed, search } in searched {
        for index in search.front() {
            let one = &search.evaluations[index];
            let counts = [shard.index, *seed, search.evaluations.len() as u64, search.runs];
            let mut row: Vec<String> = counts.iter().map(ToString::to_string).collect();
            match one.values.is_empty() {
                true => row.extend(of.value_texts(0)),
                false => row.extend(one.values.iter().map(ToString::to_string)),
            }
            let number = |value: Option<f64>| value.map_or_else(String::new, |x| x.to_string());
            row.extend(of.values(&one.scores).into_iter().map(number));
            rows.push(row);
        }
    }
    let mut text = Vec::new();
    for row in &rows {
        // Memory has always room.
        let _ = crate::cli::origin::add_line(&mut text, row);
    }
    text
}
