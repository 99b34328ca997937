//! The folder with the results of a sweep.
//!
//! The tables grow in the order of runs, so the number of complete rows tells where an interrupted sweep goes on.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::{Sweep, SweptRun};
use flockwork_engine::golden::Fingerprint;
use flockwork_engine::load::{self, FileKind, FolderLock, GrowingFile, OutputFile};
use serde::{Deserialize, Serialize};

use super::shard::Shard;
use super::{checksums, report, rows};
use crate::cli::Ending;
use crate::cli::typed_table::{ColumnType, TypedColumn};

/// The table of runs.
pub(in crate::cli) const RUNS: &str = "runs.csv";
/// The table of measures over time.
pub(in crate::cli) const SERIES: &str = "series.csv";
/// The identity of the sweep.
pub(in crate::cli) const IDENTITY: &str = "sweep.json";

/// The file that says what a sweep was made of.
const IDENTITY_KIND: FileKind = FileKind {
    name: "the description of a sweep",
    beginnings: &[&[b"{\n  \"flockwork\":"]],
    ending: b"",
    max_bytes: u64::MAX,
};

/// The tables.
const TABLE_KIND: FileKind = FileKind {
    name: "a table of a sweep",
    beginnings: &[&[b"run,"]],
    ending: b"",
    max_bytes: u64::MAX,
};

/// The beginning of the names of columns that say whether an expectation holds.
pub(super) const HOLDS: &str = "holds.";

/// The beginning of the names of columns that say how far an expectation is from failing.
pub(super) const MARGIN: &str = "margin.";

/// Fingerprints of everything that a sweep is made of. Results with another identity are not continued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::cli) struct Identity {
    /// The version of the program.
    flockwork: String,
    /// The hash of the plan.
    plan: String,
    /// The hashes of the scenario and its scripts.
    files: BTreeMap<String, String>,
    /// Number of runs of the whole sweep.
    pub(in crate::cli) runs: u64,
    /// The numbers of the runs in this folder: the first, and the one after the last.
    pub(in crate::cli) part: [u64; 2],
    /// Whether measures are recorded over time.
    pub(in crate::cli) series: bool,
    /// The types of the columns of both tables, by their names.
    pub(in crate::cli) types: BTreeMap<String, ColumnType>,
    /// The checksum of each table, by the name of its file, once the tables are complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksums: Option<BTreeMap<String, String>>,
}

impl Identity {
    pub(super) fn new(sweep: &Sweep, numbers: &Range<u64>) -> Self {
        let hash = |print: &Fingerprint| format!("{:016x}", print.hash);
        let files = sweep.trials().fingerprints().iter();
        Self {
            flockwork: env!("CARGO_PKG_VERSION").to_owned(),
            plan: hash(&Fingerprint::of("", &sweep.plan().source.text)),
            files: files.map(|print| (print.name.clone(), hash(print))).collect(),
            runs: sweep.runs(),
            part: [numbers.start, numbers.end],
            series: sweep.plan().sweep.every.is_some(),
            types: rows::run_columns(sweep).into_iter().collect(),
            checksums: None,
        }
    }

    /// Returns the names of the tables.
    fn tables(&self) -> &'static [&'static str] {
        if self.series { &[RUNS, SERIES] } else { &[RUNS] }
    }

    /// Writes that the tables in a folder are complete.
    fn complete(mut self, folder: &Path) -> Result<Self, Diagnostic> {
        let tables = self.tables().iter().map(|table| {
            let sum = load::checksum(&folder.join(table))?;
            Ok(((*table).to_owned(), format!("{sum:016x}")))
        });
        self.checksums = Some(tables.collect::<Result<_, Diagnostic>>()?);
        self.write(folder)?;
        Ok(self)
    }

    /// Checks that complete tables in a folder are as they were written.
    fn check_tables(&self, folder: &Path) -> Result<(), Diagnostic> {
        for (table, written) in self.checksums.iter().flatten() {
            let path = folder.join(table);
            let again = "give the command that made it again, with --restart";
            let found = load::checksum(&path).map_err(|error| error.help(again))?;
            if format!("{found:016x}") != *written {
                return Err(Diagnostic::error(format!(
                    "{} is damaged: it has changed since the sweep wrote it",
                    path.display()
                ))
                .help(again));
            }
        }
        Ok(())
    }

    /// Reads the identity of the results in a folder; `None` if there are none.
    pub(in crate::cli) fn read(folder: &Path) -> Result<Option<Self>, Diagnostic> {
        let path = folder.join(IDENTITY);
        if !path.exists() {
            return Ok(None);
        }
        let source = load::read(&path)?;
        let read = serde_json::from_str(&source.text);
        read.map(Some).map_err(|error| {
            Diagnostic::error(format!("cannot read {}: {error}", path.display()))
                .help("give the command that made it again, with --restart")
        })
    }

    fn write(&self, folder: &Path) -> Result<(), Diagnostic> {
        // Strings and numbers can always be serialized.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        let path = folder.join(IDENTITY);
        let mut file = OutputFile::create(&path, IDENTITY_KIND)?;
        let written = writeln!(file, "{text}");
        written.map_err(|error| OutputFile::error(&path, &error))?;
        file.commit()
    }

    /// Returns what differs from another identity, in words; empty if nothing does.
    pub(in crate::cli) fn changes(&self, other: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        if self.flockwork != other.flockwork {
            changes.push(format!("version {} of flockwork", other.flockwork));
        }
        if self.plan != other.plan {
            changes.push("the plan".to_owned());
        }
        let names: std::collections::BTreeSet<&String> =
            self.files.keys().chain(other.files.keys()).collect();
        for name in names {
            if self.files.get(name) != other.files.get(name) {
                changes.push(format!("`{name}`"));
            }
        }
        let is_same = Self { checksums: other.checksums.clone(), ..self.clone() } == *other;
        if changes.is_empty() && !is_same {
            changes.push("the part of the sweep".to_owned());
        }
        changes
    }
}

/// The results of a sweep, as far as they are there.
pub(super) struct Results {
    folder: PathBuf,
    identity: Identity,
    _lock: FolderLock,
    runs: GrowingFile,
    series: Option<GrowingFile>,
    /// `None` if all runs were there already.
    checksums: Option<GrowingFile>,
    columns: usize,
    /// The number of the next run.
    next: u64,
}

impl Results {
    /// Opens the folder of a sweep, to begin it or to go on. Waits for another process that writes to it, for at most the
    /// time `patience`.
    pub(super) fn open(
        folder: &Path,
        identity: Identity,
        sweep: &Sweep,
        restart: bool,
        patience: Duration,
    ) -> Result<Self, Diagnostic> {
        load::make_folder(folder)?;
        let start = Instant::now();
        let lock = loop {
            if let Some(lock) = FolderLock::take(folder)? {
                break lock;
            }
            if start.elapsed() >= patience {
                return Err(Diagnostic::error(format!(
                    "another process writes to {}",
                    folder.display()
                ))
                .help("wait until it ends, or choose another folder with --out"));
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        for table in [RUNS, SERIES, checksums::CHECKSUMS] {
            OutputFile::check(&folder.join(table), TABLE_KIND)?;
        }
        report::check(folder)?;
        if !restart {
            checksums::check_is_there(folder, IDENTITY)?;
        }
        let older = if restart { None } else { Identity::read(folder)? };
        if let Some(older) = &older {
            let changes = older.changes(&identity);
            if !changes.is_empty() {
                let changed = changes.join(", ");
                return Err(Diagnostic::error(format!(
                    "the results in {} were made with something else: changed since then: {changed}",
                    folder.display()
                ))
                .help("choose another folder with --out, or delete these results and begin again with --restart"));
            }
            older.check_tables(folder)?;
        } else {
            identity.write(folder)?;
        }
        let [first, end] = identity.part;
        let columns = rows::run_columns(sweep);
        let width = columns.len();
        let is_older = older.is_some();
        let is_complete = older.is_some_and(|older| older.checksums.is_some());
        let next = match (is_older, is_complete) {
            (false, _) => first,
            (true, true) => end,
            (true, false) => checksums::first_missing(folder, first, identity.series)?.min(end),
        };
        let open = |table: &str, columns: Vec<String>| {
            let of_complete = |line: &str| {
                let run = line.split(',').next().and_then(|run| run.parse::<u64>().ok());
                run.is_some_and(|run| run < next)
            };
            open_table(&folder.join(table), &columns, is_older, of_complete)
        };
        let names = |columns: Vec<TypedColumn>| columns.into_iter().map(|(name, _)| name).collect();
        let runs = open(RUNS, names(columns))?;
        let series = identity.series.then(|| open(SERIES, names(rows::series_columns(sweep))));
        let sums = || open(checksums::CHECKSUMS, checksums::COLUMNS.map(str::to_owned).into());
        Ok(Self {
            series: series.transpose()?,
            checksums: (!is_complete).then(sums).transpose()?,
            folder: folder.to_owned(),
            identity,
            _lock: lock,
            runs,
            columns: width,
            next,
        })
    }

    /// Returns the number of the next run.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Adds the next run. It is written at once, since the next one may take long.
    pub(super) fn add(&mut self, run: &SweptRun) -> Result<(), Diagnostic> {
        let mut lines = Vec::new();
        if let Some(file) = &mut self.series {
            for sample in &run.outcome.series {
                rows::add_line(&mut lines, &rows::series_row(run.number, sample))?;
            }
            file.append(&lines)?;
        }
        let of_run = lines.len();
        rows::add_line(&mut lines, &rows::run_row(run, self.columns))?;
        self.runs.append(&lines[of_run..])?;
        // The last one, since a run counts as done when its checksum is there.
        if let Some(file) = &mut self.checksums {
            let series_rows = self.series.as_ref().map_or(0, |_| run.outcome.series.len());
            let mut sum = Vec::new();
            rows::add_line(&mut sum, &checksums::row(run.number, series_rows, &lines))?;
            file.append(&sum)?;
        }
        self.next = run.number + 1;
        Ok(())
    }

    /// Ends a sweep that is complete.
    pub(super) fn finish(self) -> Result<SweepSummary, Diagnostic> {
        self.runs.sync()?;
        if let Some(series) = &self.series {
            series.sync()?;
        }
        self.identity.complete(&self.folder)?;
        OutputFile::remove(&self.folder.join(checksums::CHECKSUMS), TABLE_KIND)?;
        SweepSummary::read(&self.folder)
    }
}

/// Opens a table whose first line has the columns. `keep` is asked for each row of an older table.
fn open_table(
    path: &Path,
    columns: &[String],
    is_older: bool,
    mut keep: impl FnMut(&str) -> bool,
) -> Result<GrowingFile, Diagnostic> {
    let mut header = Vec::new();
    rows::add_line(&mut header, columns)?;
    if is_older && is_of_others(path, &header)? {
        return Err(Diagnostic::error(format!(
            "{} is not as the sweep has written it: its first line is another one",
            path.display()
        ))
        .help("choose another folder with --out, or delete these results and begin again with --restart"));
    }
    let mut lines = 0u64;
    let mut file = GrowingFile::open(path, |line| {
        lines += u64::from(is_older);
        let is_header = line.as_bytes() == header.trim_ascii_end();
        is_older && if lines == 1 { is_header } else { keep(line) }
    })?;
    if lines == 0 || !is_older {
        file.append(&header)?;
    }
    Ok(file)
}

/// Returns whether a table has a complete first line, but not this one.
fn is_of_others(path: &Path, header: &[u8]) -> Result<bool, Diagnostic> {
    if !path.exists() {
        return Ok(false);
    }
    let mut line = Vec::new();
    let read = load::reader(path)?.read_until(b'\n', &mut line);
    read.map_err(|error| Diagnostic::error(format!("cannot read {}: {error}", path.display())))?;
    Ok(line.ends_with(b"\n") && line != header)
}

/// Counts of a finished sweep.
pub(in crate::cli) struct SweepSummary {
    table: PathBuf,
    pub(super) runs: u64,
    /// Number of runs that ended with an error.
    errors: u64,
    /// The first of these errors.
    first_error: Option<String>,
    /// Number of runs in which an expectation failed.
    failed: u64,
}

impl SweepSummary {
    /// Reads the table of runs in a folder.
    pub(in crate::cli) fn read(folder: &Path) -> Result<Self, Diagnostic> {
        let table = folder.join(RUNS);
        let mut this = Self { runs: 0, errors: 0, first_error: None, failed: 0, table };
        let fail = |error: csv::Error| {
            Diagnostic::error(format!("cannot read {}: {error}", folder.join(RUNS).display()))
        };
        let mut reader = csv::Reader::from_reader(load::reader(&this.table)?);
        let header = reader.headers().map_err(fail)?.clone();
        let mut row = csv::StringRecord::new();
        while reader.read_record(&mut row).map_err(fail)? {
            this.runs += 1;
            let mut fields = header.iter().zip(&row);
            if let Some(error) = row.iter().next_back().filter(|error| !error.is_empty()) {
                this.errors += 1;
                this.first_error.get_or_insert_with(|| error.to_owned());
            }
            let fails =
                |(column, field): (&str, &str)| column.starts_with(HOLDS) && field == "false";
            this.failed += u64::from(fields.any(fails));
        }
        Ok(this)
    }

    /// Returns the summary as text, with the lines about the files beside the tables. Errors and failures come last.
    pub(in crate::cli) fn text(&self, written: &str) -> String {
        let Self { table, runs, errors, failed, .. } = self;
        let mut text = format!("{runs} runs are in {}\n{written}", table.display());
        if *failed > 0 {
            text.push_str(&format!("expectations failed in {failed} runs\n"));
        }
        if let Some(first) = &self.first_error {
            text.push_str(&format!(
                "{errors} of {runs} runs ended with an error: see the column `error`; the first is: {first}\n"
            ));
        }
        text
    }

    /// Returns whether the command succeeded: no run ended with an error.
    pub(in crate::cli) fn ending(&self) -> Ending {
        if self.errors > 0 { Ending::Shortfall } else { Ending::Success }
    }
}

/// The results of a part of a sweep.
pub(in crate::cli) struct Part {
    folder: PathBuf,
    identity: Identity,
}

impl Part {
    /// Returns whether it has all runs without being the only part of a sweep.
    fn is_whole_sweep(&self) -> bool {
        let is_only_part = self.folder.ends_with(Shard::ONLY.folder());
        self.identity.part == [0, self.identity.runs] && !is_only_part
    }
}

/// Help where there are no parts.
const PARTS_ARE_MADE: &str = "make parts with `flockwork sweep PLAN --shard I/N`";

/// Returns the parts of a sweep whose results are in a folder, in the order of their runs.
///
/// # Errors
///
/// If there are none, if there is a whole sweep, if a part is not complete or damaged, if they belong to different sweeps, or if runs are missing.
pub(in crate::cli) fn parts(folder: &Path) -> Result<Vec<Part>, Diagnostic> {
    let mut parts = Vec::new();
    for folder in load::folders(folder)? {
        if let Some(identity) = Identity::read(&folder)? {
            parts.push(Part { folder, identity });
        }
    }
    parts.sort_by_key(|part| part.identity.part);
    if let Some(whole) = parts.iter().find(|part| part.is_whole_sweep()) {
        let name = whole.folder.display();
        return Err(Diagnostic::error(format!("{name} is a whole sweep, and not a part of one"))
            .help(PARTS_ARE_MADE)
            .help("if there are parts beside it, move it away"));
    }
    let Some(first) = parts.first() else {
        let none = format!("there are no parts of a sweep in {}", folder.display());
        return Err(Diagnostic::error(none).help(PARTS_ARE_MADE));
    };
    for (part, other) in parts.iter().zip(&parts[1..]) {
        if part.identity.runs == other.identity.runs
            && other.identity.part[0] < part.identity.part[1]
        {
            return Err(overlapping(part, other));
        }
    }
    let mut next = 0;
    for part in &parts {
        let name = part.folder.display();
        let same = Identity { part: first.identity.part, ..part.identity.clone() };
        let changes = first.identity.changes(&same);
        if !changes.is_empty() {
            return Err(Diagnostic::error(format!(
                "{name} belongs to another sweep than {}: different: {}",
                first.folder.display(),
                changes.join(", ")
            ))
            .help("give the command that makes the older one again, with --restart"));
        }
        let [start, end] = part.identity.part;
        if start != next {
            return Err(missing(next..start));
        }
        if part.identity.checksums.is_none() {
            return Err(Diagnostic::error(format!("{name} is not complete"))
                .help("give the command that makes this part again: it goes on where it was"));
        }
        part.identity.check_tables(&part.folder)?;
        next = end;
    }
    if next < first.identity.runs {
        return Err(missing(next..first.identity.runs));
    }
    Ok(parts)
}

/// Returns the error for two parts that have runs in common.
fn overlapping(part: &Part, other: &Part) -> Diagnostic {
    let (name, others) = (part.folder.display(), other.folder.display());
    Diagnostic::error(format!(
        "both {name} and {others} have run {}: they are parts of different divisions of the sweep",
        other.identity.part[0]
    ))
    .help("keep the parts of one division in the folder, which end in the same `-of-N`, and move the others away")
}

fn missing(runs: Range<u64>) -> Diagnostic {
    Diagnostic::error(format!("runs {} to {} are missing", runs.start, runs.end - 1))
        .help("run the other parts first, into the same folder")
}

/// Joins the tables of all parts in the folder.
pub(in crate::cli) fn join(
    folder: &Path,
    parts: &[Part],
) -> Result<(Identity, SweepSummary), Diagnostic> {
    let Some(first) = parts.first() else {
        return Err(Diagnostic::error("there is nothing to join"));
    };
    for table in first.identity.tables() {
        let path = folder.join(table);
        let mut whole = OutputFile::create(&path, TABLE_KIND)?;
        for (number, part) in parts.iter().enumerate() {
            let mut reader = load::reader(&part.folder.join(table))?;
            let copied = (|| {
                let mut header = Vec::new();
                reader.read_until(b'\n', &mut header)?;
                if number == 0 {
                    whole.write_all(&header)?;
                }
                std::io::copy(&mut reader, &mut whole)
            })();
            copied.map_err(|error| OutputFile::error(&path, &error))?;
        }
        whole.commit()?;
    }
    let identity = Identity { part: [0, first.identity.runs], ..first.identity.clone() };
    Ok((identity.complete(folder)?, SweepSummary::read(folder)?))
}
