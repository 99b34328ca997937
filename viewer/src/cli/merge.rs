//! `flockwork merge`: joins the shards of a sweep, a hunt or a tune.

use std::path::PathBuf;

use flockwork_engine::Diagnostic;
use flockwork_engine::load;

use super::shard::{self, PARTIAL};
use super::sweep::{self, parts, report, table};
use super::{CommandResult, Ending, hunt, terminal, tune};

/// Join the shards of a sweep, a hunt or a tune that several processes have run
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  flockwork sweep scenarios/boids.plan.ron --shard 1/2
  flockwork sweep scenarios/boids.plan.ron --shard 2/2
  flockwork merge scenarios/boids.sweep

The folder contains a folder for each shard. The results of all shards are joined beside them.

Sweeps: the tables become the very tables that a single process would have written.
Hunts:  the starts that fail are written, those that differ only in numbers
        once; the counts are added.
Tunes:  the best values of all shards, a table of all tries, and how the best values of the
        shards differ.

The result does not depend on the machines, nor on the order in which shards have ended.

If runs or shards are missing, nothing is joined, unless --partial is given: then those that are
there are joined into the folder `partial`, and the exit code is 1.")]
pub(super) struct Args {
    /// Folder of the results
    #[arg(value_hint = clap::ValueHint::DirPath)]
    folder: PathBuf,

    /// Join what is there, also if runs or shards are missing, into the folder `partial`
    #[arg(long)]
    partial: bool,

    /// Write the joined tables of a sweep as Parquet too: runs.parquet, series.parquet
    #[arg(long)]
    parquet: bool,
}

/// Executes the command.
pub(super) fn merge(args: Args) -> CommandResult {
    let kinds = [sweep::IDENTITY, hunt::shards::RESULT, tune::shards::DESCRIPTION];
    let folders = load::folders(&args.folder)?;
    let has = |name: &&str| folders.iter().any(|folder| folder.join(name).exists());
    let there: Vec<&str> = kinds.into_iter().filter(has).collect();
    if let [one, other, ..] = there[..] {
        return Err(Diagnostic::error(format!(
            "{} has results of several kinds: some shards have {one}, and some {other}",
            args.folder.display()
        ))
        .help("give each command a folder of its own")
        .into());
    }
    let is_of_sweep = there.is_empty() || there == [sweep::IDENTITY];
    if args.parquet && !is_of_sweep {
        return Err(Diagnostic::error("--parquet is only for sweeps").into());
    }
    match there[..] {
        [hunt::shards::RESULT] => hunt::shards::merge(&args.folder, args.partial),
        [tune::shards::DESCRIPTION] => tune::shards::merge(&args.folder, args.partial),
        _ => of_sweep(args),
    }
}

/// Joins the parts of a sweep.
fn of_sweep(args: Args) -> CommandResult {
    let (parts, missing) = parts::parts(&args.folder)?;
    let is_complete = missing.is_empty();
    let gaps = shard::listed(&missing);
    if !is_complete && !args.partial {
        return Err(Diagnostic::error(format!("runs are missing: {gaps}"))
            .help("give the commands of their parts: those that have begun go on where they were")
            .help("to join what is there, add --partial")
            .into());
    }
    let folder = if is_complete { args.folder } else { args.folder.join(PARTIAL) };
    if !is_complete {
        load::make_folder(&folder)?;
    }
    report::check(&folder)?;
    if args.parquet {
        table::check_parquet(&folder)?;
    }
    let (identity, summary) = parts::join(&folder, &parts, is_complete)?;
    let mut text = report::write(&folder, &summary, &identity)?;
    if args.parquet {
        let path = table::write_parquet(&folder, &identity.types)?;
        text.push_str(&format!("the table is in {} too\n", path.display()));
    }
    if !is_complete {
        text.push_str(&format!("runs are missing: {gaps}\n"));
    }
    terminal::print(&summary.text(&text))?;
    Ok(if is_complete { summary.ending() } else { Ending::Shortfall })
}
