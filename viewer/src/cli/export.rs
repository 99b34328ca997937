//! `flockwork export`: writes what other programs need to know about a scenario.

mod page;
mod walkable;

use std::path::PathBuf;

use flockwork_engine::{Diagnostic, Diagnostics, FileKind, Options, OutputFile, Run};

use super::run_args::RunArgs;
use super::{CommandResult, Ending, terminal};
use crate::area::write_wkt;

/// Write a scenario as a page for a browser, or its walkable area for other programs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork export page scenarios/hello.ron --out hello.html
  flockwork export wkt scenarios/steerbench/3-squeeze.ron --out area.wkt
  flockwork run scenarios/steerbench/3-squeeze.ron --out walk.txt

Formats:
  page  one page for a browser, with the engine, the scenario and its scripts. It needs
        neither a server nor a network. Whoever opens it can run the world, set its
        params, read its files and download them as a project
  wkt   the walkable area as well-known text, one POLYGON or MULTIPOLYGON, as PedPy and
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

    /// wkt: largest distance between a circle and its polygon, in world units
    #[arg(long, value_name = "LENGTH", default_value_t = 0.01, value_parser = length)]
    accuracy: f32,

    /// page: take the engine from this page without a scenario, as `viewer/web/build` makes it, and not from this program
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    engine: Option<PathBuf>,

    #[command(flatten)]
    run_args: RunArgs,
}

/// Formats that can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ExportFormat {
    /// A page for a browser
    Page,
    /// Well-known text
    Wkt,
}

/// The files that this command writes, and may replace.
const KIND: FileKind = FileKind::new("a walkable area", &[&[b"POLYGON ("], &[b"MULTIPOLYGON ("]]);

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
    let options = args.run_args.options();
    let (text, kind) = match args.format {
        ExportFormat::Page => {
            (page::page(&args.scenario, &options, args.engine.as_deref())?, page::KIND)
        }
        ExportFormat::Wkt => (wkt(args, &options)?, KIND),
    };
    match &args.out {
        None => terminal::print(&text)?,
        Some(path) => {
            OutputFile::create(path, kind)?.write_whole(text)?;
            terminal::say(&format!("wrote {}", path.display()));
        }
    }
    Ok(Ending::Success)
}

/// Returns the walkable area as well-known text.
fn wkt(args: &Args, options: &Options) -> Result<String, Diagnostics> {
    let run = Run::open(&args.scenario, options)?;
    let found = walkable::walkable_area(run.simulation().world(), args.accuracy);
    if found.area.is_empty() {
        let message = format!("the obstacles of {} leave nothing free", args.scenario.display());
        return Err(Diagnostic::error(message).into());
    }
    let notes: Vec<Diagnostic> = found.notes.into_iter().map(Diagnostic::note).collect();
    terminal::show(&notes);
    Ok(write_wkt(&found.area) + "\n")
}
