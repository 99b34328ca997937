//! `flockwork merge`: joins the parts of a sweep.

use std::path::PathBuf;

use super::sweep::{report, results};
use super::{CommandResult, Ending, terminal};

/// Join the parts of a sweep that several processes have run
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  flockwork sweep scenarios/boids.plan.ron --shard 1/2
  flockwork sweep scenarios/boids.plan.ron --shard 2/2
  flockwork merge scenarios/boids.sweep

The folder contains a folder for each part. The tables of all parts are joined beside them,
into the very tables that a single process would have written.")]
pub(super) struct Args {
    /// Folder of the sweep
    #[arg(value_hint = clap::ValueHint::DirPath)]
    folder: PathBuf,
}

/// Executes the command.
pub(super) fn merge(args: Args) -> CommandResult {
    let parts = results::parts(&args.folder)?;
    let summary = results::join(&args.folder, &parts)?;
    let page = report::write(&args.folder, &summary)?;
    terminal::print(&format!("{}charts are in {}\n", summary.text(), page.display()))?;
    Ok(Ending::Success)
}
