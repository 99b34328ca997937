//! What results were made of, so that only results of the same plan, files and program are continued and joined.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use flockwork_engine::Diagnostic;
use flockwork_engine::golden::Fingerprint;
use serde::{Deserialize, Serialize};

/// Fingerprints of everything that results were made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Origin {
    /// The version of the program.
    flockwork: String,
    /// The hash of the plan.
    plan: String,
    /// The hashes of the scenario, its scripts and other files.
    files: BTreeMap<String, String>,
}

impl Origin {
    /// `plan` is the text of the plan.
    pub(super) fn new<'f>(plan: &str, files: impl IntoIterator<Item = &'f Fingerprint>) -> Self {
        let hash = |print: &Fingerprint| format!("{:016x}", print.hash);
        let files = files.into_iter().map(|print| (print.name.clone(), hash(print)));
        Self {
            flockwork: env!("CARGO_PKG_VERSION").to_owned(),
            plan: hash(&Fingerprint::of("", plan)),
            files: files.collect(),
        }
    }

    /// Returns whether only the plans may differ.
    pub(super) fn has_files_of(&self, other: &Self) -> bool {
        (&self.flockwork, &self.files) == (&other.flockwork, &other.files)
    }

    /// Returns it in a sentence.
    pub(super) fn caption(&self) -> String {
        let files = self.files.iter().map(|(name, hash)| format!(", `{name}` {hash}"));
        let files: String = files.collect();
        format!("Made by flockwork {} from the plan {}{files}.", self.flockwork, self.plan)
    }

    /// Returns the version and the hash of the plan.
    pub(super) fn short_caption(&self) -> String {
        format!("flockwork {}, plan {}", self.flockwork, self.plan)
    }

    /// Returns what differs from another origin, in words; empty if nothing does.
    pub(super) fn changes(&self, other: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        if self.flockwork != other.flockwork {
            changes.push(format!("version {} of flockwork", other.flockwork));
        }
        if self.plan != other.plan {
            changes.push("the plan".to_owned());
        }
        let names: BTreeSet<&String> = self.files.keys().chain(other.files.keys()).collect();
        for name in names {
            if self.files.get(name) != other.files.get(name) {
                changes.push(format!("`{name}`"));
            }
        }
        changes
    }
}

/// What helps if results of something else are in the way.
pub(super) const OTHER_FOLDER: &str =
    "choose another folder with --out, or delete these results and begin again with --restart";

/// Returns the error for results in a folder that were made of something else.
pub(super) fn made_otherwise(folder: &Path, changes: &[String]) -> Diagnostic {
    made_of_other(folder, changes).help(OTHER_FOLDER)
}

/// Returns the same error without help.
pub(super) fn made_of_other(folder: &Path, changes: &[String]) -> Diagnostic {
    Diagnostic::error(format!(
        "the results in {} were made with something else: changed since then: {}",
        folder.display(),
        changes.join(", ")
    ))
}

/// Appends a row as a line of comma-separated values. A row never contains a line break, so each line is a row.
pub(super) fn add_line(text: &mut Vec<u8>, row: &[String]) -> Result<(), Diagnostic> {
    let mut writer = csv::Writer::from_writer(text);
    let row = row.iter().map(|field| field.replace(['\n', '\r'], " "));
    let written = writer.write_record(row).and_then(|()| writer.flush().map_err(csv::Error::from));
    written.map_err(|error| Diagnostic::error(format!("cannot write a row: {error}")))
}
