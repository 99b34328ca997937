//! Joins the results of the parts of a sweep.

use std::io::{BufRead, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use flockwork_engine::Diagnostic;
use flockwork_engine::load::{self, OutputFile};

use super::checksums;
use super::identity::Identity;
use super::rows::TABLE_KIND;
use super::summary::SweepSummary;
use crate::cli::shard::{self, Shard};

/// The results of a part of a sweep.
pub(in crate::cli) struct Part {
    folder: PathBuf,
    identity: Identity,
    /// The number after that of its last run that is there.
    end: u64,
}

impl Part {
    /// Returns whether it has all runs without being the only part of a sweep.
    fn is_whole_sweep(&self) -> bool {
        let is_only_part = self.folder.ends_with(Shard::ONLY.folder());
        self.identity.part == [0, self.identity.runs] && !is_only_part
    }
}

/// Returns the parts of a sweep whose results are in a folder, in the order of their runs, and which runs are missing.
///
/// # Errors
///
/// If there are none, if there is a whole sweep, if a part is damaged, or if they belong to different sweeps.
pub(in crate::cli) fn parts(folder: &Path) -> Result<(Vec<Part>, Vec<Range<u64>>), Diagnostic> {
    let mut parts = Vec::new();
    for folder in load::folders(folder)? {
        if let Some(identity) = Identity::read(&folder)? {
            let end = identity.part[1];
            parts.push(Part { folder, identity, end });
        }
    }
    parts.sort_by_key(|part| part.identity.part);
    if let Some(whole) = parts.iter().find(|part| part.is_whole_sweep()) {
        let name = whole.folder.display();
        return Err(Diagnostic::error(format!("{name} is a whole sweep, and not a part of one"))
            .help(shard::SHARDS_ARE_MADE)
            .help("if there are parts beside it, move it away"));
    }
    let Some(first) = parts.first() else {
        return Err(shard::nothing_in(folder));
    };
    for (part, other) in parts.iter().zip(&parts[1..]) {
        if part.identity.runs == other.identity.runs
            && other.identity.part[0] < part.identity.part[1]
        {
            return Err(overlapping(part, other));
        }
    }
    let runs = first.identity.runs;
    let (mut next, mut missing) = (0, Vec::new());
    let of_first = first.identity.clone();
    let name_of_first = first.folder.display().to_string();
    for part in &mut parts {
        let name = part.folder.display();
        let same = part.identity.with_part(of_first.part);
        let changes = of_first.changes(&same);
        if !changes.is_empty() {
            return Err(Diagnostic::error(format!(
                "{name} belongs to another sweep than {name_of_first}: different: {}",
                changes.join(", ")
            ))
            .help("give the command that makes the older one again, with --restart"));
        }
        let [start, end] = part.identity.part;
        part.identity.check_tables(&part.folder)?;
        if part.identity.checksums.is_none() {
            let there = checksums::first_missing(&part.folder, start, part.identity.series)?;
            part.end = there.min(end);
        }
        missing.extend([next..start, part.end..end].into_iter().filter(|runs| !runs.is_empty()));
        next = end;
    }
    missing.extend(Some(next..runs).filter(|runs| !runs.is_empty()));
    Ok((parts, missing))
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

/// Joins the tables of all parts in a folder. If runs are missing, nothing there says that the sweep is complete.
pub(in crate::cli) fn join(
    folder: &Path,
    parts: &[Part],
    is_complete: bool,
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
                let mut line = Vec::new();
                reader.read_until(b'\n', &mut line)?;
                if number == 0 {
                    whole.write_all(&line)?;
                }
                if part.identity.checksums.is_some() {
                    return std::io::copy(&mut reader, &mut whole).map(|_| ());
                }
                loop {
                    line.clear();
                    reader.read_until(b'\n', &mut line)?;
                    let run = line.split(|byte| *byte == b',').next();
                    let run =
                        run.and_then(|run| std::str::from_utf8(run).ok()?.parse::<u64>().ok());
                    if run.is_none_or(|run| run >= part.end) {
                        return Ok(());
                    }
                    whole.write_all(&line)?;
                }
            })();
            copied.map_err(|error| OutputFile::error(&path, &error))?;
        }
        whole.commit()?;
    }
    let mut identity = first.identity.of_whole();
    if is_complete {
        identity = identity.complete(folder)?;
    }
    Ok((identity, SweepSummary::read(folder)?))
}
