//! `flockwork export`: writes what other programs need to know about a scenario.

mod walkable;

use std::path::PathBuf;

use flockwork_engine::{Diagnostic, FileKind, OutputFile, Run};

use super::run_args::RunArgs;
use super::{CommandResult, Ending, terminal};
use crate::area::write_wkt;

/// Write the walkable area of a scenario for other programs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork export wkt scenarios/steerbench/3-squeeze.ron --out area.wkt
  flockwork run scenarios/steerbench/3-squeeze.ron --out walk.txt

Formats:
  wkt  the walkable area as well-known text, one POLYGON or MULTIPOLYGON, as PedPy and
       JuPedSim read it

The walkable area is the rectangle of the world, or the rooms if there are any, without the
obstacles. Walls without thickness count where they separate parts. If agents start in some
of several parts, the others are left out. A circle becomes a polygon whose corners are on
the circle, so no place where an agent can be without overlap is lost.")]
pub(super) struct Args {
    /// Format of the file
    #[arg(value_enum)]
    format: ExportFormat,

    /// Scenario file (.ron)
    #[arg(value_hint = clap::ValueHint::FilePath)]
    scenario: PathBuf,

    /// Write to this file instead of the standard output
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    out: Option<PathBuf>,

    /// Largest distance between a circle and its polygon, in world units
    #[arg(long, value_name = "LENGTH", default_value_t = 0.01, value_parser = length)]
    accuracy: f32,

    #[command(flatten)]
    run_args: RunArgs,
}

/// Formats that can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ExportFormat {
    /// Well-known text
    Wkt,
}

/// The files that this command writes, and may replace.
const KIND: FileKind = FileKind {
    name: "a walkable area",
    beginnings: &[&[b"POLYGON ("], &[b"MULTIPOLYGON ("]],
    ending: b"",
    max_bytes: u64::MAX,
};

/// Parses a length above 0.
fn length(text: &str) -> Result<f32, String> {
    let length = text.parse().ok().filter(|length: &f32| *length > 0.0 && length.is_finite());
    length.ok_or_else(|| "must be a number above 0".into())
}

/// Executes the command.
pub(super) fn export(args: Args) -> CommandResult {
    args.run_args.on_threads(|| execute(&args))
}

fn execute(args: &Args) -> CommandResult {
    let run = Run::open(&args.scenario, &args.run_args.options())?;
    let found = walkable::walkable_area(run.simulation().world(), args.accuracy);
    if found.area.is_empty() {
        let message = format!("the obstacles of {} leave nothing free", args.scenario.display());
        return Err(Diagnostic::error(message).into());
    }
    let notes: Vec<Diagnostic> = found.notes.into_iter().map(Diagnostic::note).collect();
    terminal::show(&notes);
    let ExportFormat::Wkt = args.format;
    let text = write_wkt(&found.area) + "\n";
    match &args.out {
        None => terminal::print(&text)?,
        Some(path) => {
            OutputFile::create(path, KIND)?.write_whole(text)?;
            terminal::say(&format!("wrote {}", path.display()));
        }
    }
    Ok(Ending::Success)
}
