//! The files of plans where none can run: nothing is known or said about them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::Diagnostics;
use flockwork_engine::load::OpenFiles;
use flockwork_engine::runner::Checked;

pub(super) fn check(_: &Path, _: &Arc<OpenFiles>) -> Result<(), Diagnostics> {
    Ok(())
}

pub(super) fn check_open(_: &Path, _: &Arc<OpenFiles>) -> Checked {
    Checked::default()
}

pub(super) fn scenario_of(_: &Path, _: &OpenFiles) -> Option<PathBuf> {
    None
}
