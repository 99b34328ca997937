//! `flockwork compare`: runs two versions of a scenario with the same seeds, and tells how their measures differ.

mod json;
mod text;
pub(super) mod version;

use std::path::{Path, PathBuf};

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::experiment::{Compare, CompareOptions, Comparison, Seeds};
use flockwork_engine::load::{self, FileKind, OutputFile};
use flockwork_engine::{Diagnostic, Diagnostics, with_threads};

use super::figures;
use super::interrupt::Interrupt;
use super::origin::add_line;
use super::progress::DelayedProgressBar;
use super::{CommandResult, Ending, terminal, values};
use crate::report::{COMPARE_PAGE, ComparePage, FigureSource};
use version::Version;

/// Compare two versions of a scenario, seed by seed, and tell what differs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork compare scenarios/boids.ron --against HEAD
  flockwork compare scenarios/boids.ron --b boids.sight=60
  flockwork compare scenarios/boids.ron --a boids.behavior=flock --b boids.behavior=school
  flockwork compare scenarios/old.ron scenarios/new.ron --seeds 50

A and B are two scenarios, or a scenario before and after a change: a Git revision or another
folder of scripts (--against), or other values (--a, --b). Both run with the same seeds. For
each measure at the end of the runs, and for each expectation:
  A, B        the mean over the seeds; for an expectation, for how many seeds it holds
  B - A       the mean difference, and its 95 % interval
  effect      the difference, compared with how much it differs between seeds (Cohen's d)
  p           how likely chance alone would give such a difference in any of the rows
              (paired t-test, or McNemar's test for expectations; Holm's correction)
  B higher    for how many seeds B is higher than A, and for how many it is lower

A difference is one if p is below 0.05. Where none is seen, the table says how large one would
have to be to be seen in four of five such comparisons: more seeds see smaller ones.")]
pub(super) struct Args {
    /// Scenario file (.ron): A, or both A and B
    #[arg(value_hint = clap::ValueHint::FilePath)]
    scenario: PathBuf,

    /// Another scenario: B
    #[arg(value_name = "B", value_hint = clap::ValueHint::FilePath, conflicts_with = "against")]
    second: Option<PathBuf>,

    /// A is the scenario with its scripts at this Git revision, or with the scripts in this folder
    #[arg(long, value_name = "REV|FOLDER")]
    against: Option<String>,

    /// A has this value in place of the scenario's; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    a: Vec<String>,

    /// B has this value in place of the scenario's; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    b: Vec<String>,

    /// Number of seeds, from the scenario's on, or the first and the last one
    #[arg(long, value_name = "N|FROM..TO", default_value = "20", value_parser = values::seeds)]
    seeds: Seeds,

    /// End all runs at tick N [default: the scenario's `ticks`]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    ticks: Option<u64>,

    /// Compare only these measures, such as `polarization`, `boids.mean_speed`, or
    /// `polarization@60..120` for the mean over ticks; repeatable
    /// [default: all measures of all agents]
    #[arg(long, value_name = "MEASURE", value_delimiter = ',')]
    measure: Vec<String>,

    /// Write a page with charts to FILE (.html)
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    page: Option<PathBuf>,

    /// Write each chart as an SVG file into FOLDER, and the values for each seed as values.csv
    #[arg(long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    figures: Option<PathBuf>,

    /// Print one JSON object, with the values for each seed
    #[arg(long)]
    json: bool,

    /// Number of threads; 0 uses one per core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::threads)]
    threads: usize,
}

/// The pages that this command writes.
const PAGE: FileKind = FileKind::new("a page about a comparison", &[&[COMPARE_PAGE.as_bytes()]]);

/// Executes the command.
pub(super) fn compare(args: Args) -> CommandResult {
    with_threads(args.threads, || execute(&args))?
}

fn execute(args: &Args) -> CommandResult {
    if let Some(file) = &args.page {
        OutputFile::check(file, PAGE)?;
    }
    if let Some(folder) = &args.figures {
        load::make_folder(folder)?;
        OutputFile::check(&folder.join(VALUES), VALUES_KIND)?;
    }
    let sides = sides(args)?;
    let of = |name: &String| {
        let source = Source::new("--measure", name.as_str());
        (name.clone(), Place { span: 0..name.len(), source })
    };
    let measures: Vec<_> = args.measure.iter().map(of).collect();
    let options = CompareOptions {
        seeds: args.seeds.clone(),
        ticks: args.ticks,
        measures: Some(measures).filter(|all| !all.is_empty()),
    };
    let compare = Compare::new(sides.each_ref().map(Version::compared), &options)?;
    let interrupt = Interrupt::handle();
    interrupt.last_words("nothing was compared".to_owned());
    let mut progress = DelayedProgressBar::new("run", compare.runs());
    let mut done = 0;
    let comparison = compare.run(&|| interrupt.is_requested(), &mut || {
        done += 1;
        progress.at(done);
    })?;
    progress.finish();
    let Some(comparison) = comparison else {
        terminal::say(&format!(
            "interrupted after {done} of {} runs: nothing was compared",
            compare.runs()
        ));
        return Ok(Ending::Interrupted);
    };
    let labels = sides.map(|side| side.label);
    let report = text::Report::new(&labels, &compare, &comparison);
    if let Some(file) = &args.page {
        OutputFile::create(file, PAGE)?.write_whole(page(report.clone(), &comparison).to_html())?;
    }
    if let Some(folder) = &args.figures {
        write_figures(folder, &page(report.clone(), &comparison), &comparison)?;
    }
    let printed = match args.json {
        true => json::json(&labels, &compare, &comparison),
        false => report.to_string(),
    };
    terminal::print(&printed)?;
    if comparison.rows.iter().all(|row| row.difference.is_none()) {
        return Ok(Ending::Shortfall);
    }
    Ok(Ending::Success)
}

/// The table of the values for each seed.
const VALUES: &str = "values.csv";

const VALUES_KIND: FileKind = FileKind::new("a table of a comparison", &[&[b"seed,"]]);

/// Writes the figures of a page, and the values that they are made of.
fn write_figures(folder: &Path, page: &ComparePage, of: &Comparison) -> Result<(), Diagnostic> {
    let version = env!("CARGO_PKG_VERSION");
    let source = FigureSource {
        short: format!("{}; flockwork {version}.", page.versions.join("; ")),
        long: format!("Made by flockwork {version}. {}.", page.notes.join(". ")),
    };
    figures::write(folder, &page.figures(), &source)?;
    let mut header = vec!["seed".to_owned()];
    header.extend(
        of.rows.iter().flat_map(|row| ["A", "B"].map(|side| format!("{}.{side}", row.name))),
    );
    let mut text = Vec::new();
    add_line(&mut text, &header)?;
    // If all seeds give the same run, there is one.
    for (index, seed) in of.seeds.iter().enumerate() {
        let values = of.rows.iter().filter_map(|row| row.values.get(index)).flatten();
        let mut row = vec![seed.to_string()];
        // Measures are single floats, so these are all of their digits.
        let cell = |value: &Option<f64>| {
            value.map_or_else(String::new, |value| (value as f32).to_string())
        };
        row.extend(values.map(cell));
        add_line(&mut text, &row)?;
    }
    OutputFile::create(&folder.join(VALUES), VALUES_KIND)?.write_whole(text)
}

/// Returns the page about a comparison.
fn page(report: text::Report, of: &Comparison) -> ComparePage {
    let measures = of.rows.iter().filter(|row| !row.is_expectation);
    let measures = measures.map(|row| {
        let pairs = row.values.iter().filter_map(|[a, b]| Some([(*a)?, (*b)?]));
        (row.name.clone(), pairs.collect())
    });
    let notes = report.versions.iter().cloned().chain(report.sentences).collect();
    ComparePage {
        title: "Comparison".to_owned(),
        versions: report.versions,
        notes,
        table: report.table,
        measures: measures.collect(),
    }
}

/// Returns the two versions.
fn sides(args: &Args) -> Result<[Version; 2], Diagnostics> {
    let second = args.second.as_ref().unwrap_or(&args.scenario);
    let mut first = Version::now(&args.scenario)?;
    if let Some(version) = &args.against {
        first = Version::other(&args.scenario, version)?;
    }
    let mut sides = [first, Version::now(second)?];
    let differs = args.second.is_some() || args.against.is_some();
    for (side, (option, values)) in sides.iter_mut().zip([("--a", &args.a), ("--b", &args.b)]) {
        side.values = values.iter().map(|value| Source::new(option, value.as_str())).collect();
        if !values.is_empty() {
            side.label.push_str(&format!(" with {}", values.join(", ")));
        }
    }
    if !differs && args.a == args.b {
        return Err(Diagnostic::error("there is nothing to compare: A and B are the same")
            .help("name a second scenario, a Git revision or folder with --against, or values with --a and --b")
            .into());
    }
    Ok(sides)
}
