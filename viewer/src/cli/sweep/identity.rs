//! What a sweep was made of, so that only results of the same sweep are continued and joined.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::{ColumnType, Points, Sweep};
use flockwork_engine::golden::Fingerprint;
use flockwork_engine::load::{self, FileKind, OutputFile};
use serde::{Deserialize, Serialize};

use super::rows::{RUNS, SERIES};
use crate::cli::json_text;
use crate::cli::origin::Origin;

/// The identity of the sweep.
pub(in crate::cli) const IDENTITY: &str = "sweep.json";

/// The file that says what a sweep was made of.
const IDENTITY_KIND: FileKind =
    FileKind::new("the description of a sweep", &[&[b"{\n  \"flockwork\":"]]);

/// Shards of a sweep have runs of equal cost.
const BY_COST: &str = "cost";

/// Fingerprints of everything that a sweep is made of. Results with another identity are not continued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::cli) struct Identity {
    /// The program, the plan, the scenario and its scripts.
    #[serde(flatten)]
    origin: Origin,
    /// The hash of what each row depends on besides its values, its seed and the files. Older versions have not written it.
    #[serde(default)]
    rows: String,
    /// How the points are chosen.
    #[serde(default)]
    pub(super) points: Option<Points>,
    /// The names of the values that vary.
    #[serde(default)]
    pub(super) values: Vec<String>,
    /// Number of runs of the whole sweep.
    pub(in crate::cli) runs: u64,
    /// The numbers of the runs in this folder: the first, and the one after the last.
    pub(in crate::cli) part: [u64; 2],
    /// How the sweep is cut into shards: by the cost of runs, or, if this is missing, by their number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
    /// Whether measures are recorded over time.
    pub(in crate::cli) series: bool,
    /// The types of the columns of both tables, by their names.
    pub(in crate::cli) types: BTreeMap<String, ColumnType>,
    /// The units of measures and margins, by the names of their columns.
    #[serde(default)]
    pub(super) units: BTreeMap<String, String>,
    /// The names of columns on pages and in figures.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    labels: BTreeMap<String, String>,
    /// The checksum of each table, by the name of its file, once the tables are complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) checksums: Option<BTreeMap<String, String>>,
}

/// Returns everything in a plan that a row depends on besides its values and its seed.
fn rows_text(sweep: &Sweep) -> String {
    let plan = sweep.plan();
    let names: Vec<&str> = plan.vary.iter().map(|(name, ..)| name.as_str()).collect();
    let columns = sweep.run_columns().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    format!("{names:?} {columns:?} {:?} {:?} {:?}", plan.ticks, plan.sweep.every, plan.expectations)
}

impl Identity {
    /// `is_shard` says whether the runs with these numbers are those of a shard.
    pub(super) fn new(sweep: &Sweep, numbers: &Range<u64>, is_shard: bool) -> Self {
        let is_cut_by_cost = is_shard && sweep.has_unequal_runs();
        Self {
            cut: is_cut_by_cost.then(|| BY_COST.to_owned()),
            labels: sweep.plan().labels.clone(),
            origin: Origin::new(&sweep.plan().source.text, sweep.trials().fingerprints()),
            rows: format!("{:016x}", Fingerprint::of("", &rows_text(sweep)).hash),
            points: Some(sweep.plan().sweep.points),
            values: sweep.plan().vary.iter().map(|(name, ..)| name.clone()).collect(),
            runs: sweep.runs(),
            part: [numbers.start, numbers.end],
            series: sweep.plan().sweep.every.is_some(),
            types: sweep.run_columns().into_iter().collect(),
            units: sweep.units(),
            checksums: None,
        }
    }

    /// Returns the same identity for another part of the sweep.
    pub(super) fn with_part(&self, part: [u64; 2]) -> Self {
        Self { part, ..self.clone() }
    }

    /// Returns the identity of the whole sweep.
    pub(super) fn of_whole(&self) -> Self {
        Self { part: [0, self.runs], cut: None, ..self.clone() }
    }

    /// Returns whether rows of this sweep can be rows of another one, since each would be the same there.
    pub(super) fn has_rows_for(&self, other: &Self) -> bool {
        let is_whole = |of: &Self| of.part == [0, of.runs];
        is_whole(self)
            && is_whole(other)
            && !self.rows.is_empty()
            && self.origin.has_files_of(&other.origin)
            && (&self.rows, self.series) == (&other.rows, other.series)
    }

    /// Returns what the sweep was made of, in a sentence.
    pub(super) fn caption(&self) -> String {
        self.origin.caption()
    }

    /// Returns the version and the hash of the plan.
    pub(super) fn short_caption(&self) -> String {
        self.origin.short_caption()
    }

    /// Returns the name of a column on pages: its label, or its name with its unit.
    pub(super) fn label(&self, column: &str) -> String {
        if let Some(label) = self.labels.get(column) {
            return label.clone();
        }
        match self.units.get(column) {
            Some(unit) => format!("{column} ({unit})"),
            None => column.to_owned(),
        }
    }

    /// Returns the names of the tables.
    pub(super) fn tables(&self) -> &'static [&'static str] {
        if self.series { &[RUNS, SERIES] } else { &[RUNS] }
    }

    /// Writes that the tables in a folder are complete.
    pub(super) fn complete(mut self, folder: &Path) -> Result<Self, Diagnostic> {
        let tables = self.tables().iter().map(|table| {
            let sum = load::checksum(&folder.join(table))?;
            Ok(((*table).to_owned(), format!("{sum:016x}")))
        });
        self.checksums = Some(tables.collect::<Result<_, Diagnostic>>()?);
        self.write(folder)?;
        Ok(self)
    }

    /// Checks that complete tables in a folder are as they were written.
    pub(super) fn check_tables(&self, folder: &Path) -> Result<(), Diagnostic> {
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

    pub(super) fn write(&self, folder: &Path) -> Result<(), Diagnostic> {
        let file = OutputFile::create(&folder.join(IDENTITY), IDENTITY_KIND)?;
        file.write_whole(json_text(self))
    }

    /// Returns what differs from another identity, in words; empty if nothing does.
    pub(in crate::cli) fn changes(&self, other: &Self) -> Vec<String> {
        let mut changes = self.origin.changes(&other.origin);
        if self.cut != other.cut {
            changes.push("how the sweep is cut into shards".to_owned());
        }
        let is_same = Self { checksums: other.checksums.clone(), ..self.clone() } == *other;
        if changes.is_empty() && !is_same {
            changes.push("the part of the sweep".to_owned());
        }
        changes
    }
}
