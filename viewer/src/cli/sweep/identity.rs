//! What a sweep was made of, so that only results of the same sweep are continued and joined.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::Sweep;
use flockwork_engine::golden::Fingerprint;
use flockwork_engine::load::{self, FileKind, OutputFile};
use serde::{Deserialize, Serialize};

use super::rows::{self, RUNS, SERIES};
use crate::cli::typed_table::ColumnType;

/// The identity of the sweep.
pub(super) const IDENTITY: &str = "sweep.json";

/// The file that says what a sweep was made of.
const IDENTITY_KIND: FileKind = FileKind {
    name: "the description of a sweep",
    beginnings: &[&[b"{\n  \"flockwork\":"]],
    ending: b"",
    max_bytes: u64::MAX,
};

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
    pub(super) checksums: Option<BTreeMap<String, String>>,
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

    /// Returns the same identity for another part of the sweep.
    pub(super) fn with_part(&self, part: [u64; 2]) -> Self {
        Self { part, ..self.clone() }
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
        // Strings and numbers can always be serialized.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        let file = OutputFile::create(&folder.join(IDENTITY), IDENTITY_KIND)?;
        file.write_whole(text + "\n")
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
