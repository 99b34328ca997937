//! Joins the results of the parts of a sweep.

use std::io::{BufRead, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use flockwork_engine::Diagnostic;
use flockwork_engine::load::{self, OutputFile};

use super::identity::Identity;
use super::rows::TABLE_KIND;
use super::shard::Shard;
use super::summary::SweepSummary;

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
        let same = part.identity.with_part(first.identity.part);
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
    let identity = first.identity.with_part([0, first.identity.runs]);
    Ok((identity.complete(folder)?, SweepSummary::read(folder)?))
}
