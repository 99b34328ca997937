//! `flockwork merge`: joins the parts of a sweep.

use std::path::PathBuf;

use super::sweep::{parts, report, table};
use super::{CommandResult, terminal};

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

    /// Write the joined tables as Parquet too: runs.parquet, series.parquet
    #[arg(long)]
    parquet: bool,
}

/// Executes the command.
pub(super) fn merge(args: Args) -> CommandResult {
    let parts = parts::parts(&args.folder)?;
    report::check(&args.folder)?;
    if args.parquet {
        table::check_parquet(&args.folder)?;
    }
    let (identity, summary) = parts::join(&args.folder, &parts)?;
    let page = report::write(&args.folder, &summary)?;
    let mut text = format!("charts are in {}\n", page.display());
    if args.parquet {
        let path = table::write_parquet(&args.folder, &identity.types)?;
        text.push_str(&format!("the table is in {} too\n", path.display()));
    }
    terminal::print(&summary.text(&text))?;
    Ok(summary.ending())
}
