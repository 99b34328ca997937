//! Writes the golden of a scenario.

use std::io::Write;

use super::case::{Case, StopRule, TestFiles};
use super::seeds::measure_bands;
use crate::diag::{Diagnostic, Diagnostics};
use crate::golden::{GoldenWriter, Header, Mode};
use crate::load::{FileKind, OutputFile};
use crate::runner::{Options, Run};

/// How a golden was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoldenUpdate {
    /// There was none before.
    New,
    /// It replaced an older one.
    Changed,
}

/// Runs a scenario and writes its golden, whole or not at all. `header` is the one that [`Case::test`] returned, with
/// the reason for writing. Returns how it was written, and agents times ticks of everything that was simulated for it.
///
/// # Errors
///
/// If the run fails, the file cannot be written, or the existing golden was written by a newer Flockwork.
pub fn update(case: &Case, header: &Header) -> Result<(GoldenUpdate, u64), Diagnostics> {
    let path = &case.golden_path;
    // Opening a pipe would block until a process reads from it.
    if let Err(unreadable) = &case.golden
        && (unreadable.is_newer || !path.is_file())
    {
        return Err((*unreadable.diagnostic).clone().into());
    }
    let existed = path.exists();
    let files = case.files()?;
    let fail = |error: std::io::Error| vec![OutputFile::error(path, &error)];
    let file = OutputFile::create(path, FileKind::GOLDEN)?;
    let (file, agent_ticks) = record(files, header, file, &fail)?;
    file.commit()?;
    let how = if existed { GoldenUpdate::Changed } else { GoldenUpdate::New };
    Ok((how, agent_ticks))
}

/// Runs a scenario and returns its golden as text. `header` is the one that [`Case::test`] returned, with the reason for writing.
///
/// # Errors
///
/// If the run fails.
pub fn golden_text(case: &Case, header: &Header) -> Result<String, Diagnostics> {
    let fail = |error: std::io::Error| vec![OutputFile::error(&case.golden_path, &error)];
    let (bytes, _) = record(case.files()?, header, Vec::new(), &fail)?;
    // Goldens are text.
    Ok(String::from_utf8(bytes).unwrap_or_default())
}

/// Runs a scenario and writes its golden. Returns what it was written to, and agents times ticks of everything that was simulated for it.
fn record<W: Write>(
    files: TestFiles<'_>,
    header: &Header,
    to: W,
    fail: &dyn Fn(std::io::Error) -> Vec<Diagnostic>,
) -> Result<(W, u64), Diagnostics> {
    let mut writer = GoldenWriter::new(to, header).map_err(fail)?;
    let terms = &header.terms;
    let mut agent_ticks = 0;
    if let Mode::Bands(of) = &terms.mode {
        let bands;
        (bands, agent_ticks) = measure_bands(files, of, terms, StopRule::Never)?;
        for band in bands {
            writer.band(&band).map_err(fail)?;
        }
    } else {
        let mut run = Run::new(files.source, files.scripts, &Options::default())?;
        writer.tick(run.simulation()).map_err(fail)?;
        while run.tick() < terms.until {
            agent_ticks += run.simulation().world().agents.len() as u64;
            run.step()?;
            writer.tick(run.simulation()).map_err(fail)?;
        }
    }
    Ok((writer.finish().map_err(fail)?, agent_ticks))
}
