//! Writing a golden anew.

use super::case::Case;
use super::seeds::measure_bands;
use crate::diag::Diagnostics;
use crate::golden::{Header, Mode, Writer};
use crate::load::{FileKind, OutputFile};
use crate::runner::{Options, Run};

/// What became of a golden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoldenUpdate {
    /// There was none.
    New,
    /// It was another.
    Changed,
}

/// Runs a scenario and writes what it does as its golden, whole or not at all. `header` is what
/// [`Case::test`] found, with the reason why it is written.
///
/// # Errors
///
/// If the run fails, the file cannot be written, or the golden there was written by a later version.
pub fn update(case: &Case, header: &Header) -> Result<GoldenUpdate, Diagnostics> {
    let path = &case.golden_path;
    // A pipe would be waited for, until somebody reads from it.
    if let Err(unreadable) = &case.golden
        && (unreadable.is_newer || !path.is_file())
    {
        return Err((*unreadable.why).clone().into());
    }
    let existed = path.exists();
    let files = case.files()?;
    let fail = |error: std::io::Error| vec![OutputFile::error(path, &error)];
    let file = OutputFile::create(path, FileKind::GOLDEN)?;
    let mut writer = Writer::new(file, header).map_err(fail)?;
    let terms = &header.terms;
    if let Mode::Bands(of) = &terms.mode {
        for band in measure_bands(files, of, terms)?.0 {
            writer.band(&band).map_err(fail)?;
        }
    } else {
        let mut run = Run::new(files.source, files.scripts, &Options::default())?;
        writer.tick(run.simulation()).map_err(fail)?;
        while run.tick() < terms.until {
            run.step()?;
            writer.tick(run.simulation()).map_err(fail)?;
        }
    }
    let file = writer.finish().map_err(fail)?;
    file.commit()?;
    Ok(if existed { GoldenUpdate::Changed } else { GoldenUpdate::New })
}
