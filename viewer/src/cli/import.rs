//! `flockwork import`: makes a scenario of a file of another program.

mod jupedsim;
mod notes;
mod ron_text;
mod steerbench;
mod table;
mod walls;
mod xml;

use std::path::PathBuf;

use flockwork_engine::diag::Source;
use flockwork_engine::scenario::Scenario;
use flockwork_engine::{Diagnostic, Diagnostics, OutputFile, load};

use super::{CommandResult, Ending, terminal};
use crate::area::read_wkt;
use notes::Notes;

/// Make a scenario of a file of another program
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork import steerbench 3-squeeze.xml --out scenarios/3-squeeze.ron
  flockwork import wkt hall.wkt | less
  flockwork import csv people.csv --behavior walk --out scenarios/people.ron

Formats:
  steerbench  test cases of SteerBench and SteerSuite (XML): agents, goals, obstacles. Seen
              from above, x and z become x and y. A region of agents becomes a `Rect` spawn,
              a region of obstacles becomes boxes at random places; both depend on the seed
  wkt         a walkable area as well-known text: POLYGON, MULTIPOLYGON, or a
              GEOMETRYCOLLECTION of them. Its border becomes walls, its holes become polygons
  jupedsim    a walkable area of JuPedSim, as WKT or as the older geometry XML
  csv         a table of agents, with a line of column names. With `x` and `y`, each row is an
              agent: also `group`, `vx`, `vy`, `heading_deg`, `radius`, `mass`, `max_speed`,
              `max_force`, `goal_x`, `goal_y`, `goal_radius`, and public state as `state.NAME`.
              With `tick` or `seconds`, each row says when `count` agents of a `group` come

What a scenario cannot say is left out or approximated. Each such thing is a note with its
place, and a comment at the top of the scenario. The agents of a test case get the behavior
`steerbench/goto`, the simplest possible rule, which ships in scripts/steerbench.

`--out` never replaces a file, since scenarios are meant to be edited.")]
pub(super) struct Args {
    /// Format of the file
    #[arg(value_enum)]
    format: ImportFormat,

    /// File to import
    #[arg(value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,

    /// Write the scenario to this file instead of the standard output
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    out: Option<PathBuf>,

    /// Behavior of the agents [default: steerbench/goto for a test case, none for a walkable area]
    #[arg(long, value_name = "NAME")]
    behavior: Option<String>,

    /// Seed of the scenario, and of everything that the file leaves to chance
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Formats that can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ImportFormat {
    /// Test cases of SteerBench
    Steerbench,
    /// Walkable areas as well-known text
    Wkt,
    /// Walkable areas of JuPedSim
    Jupedsim,
    /// Tables of agents: where they start, or when they come
    Csv,
}

/// Options that all formats need besides the file.
struct Wanted<'a> {
    /// The name of the file, without its folder.
    file: &'a str,
    behavior: Option<&'a str>,
    seed: u64,
}

/// Executes the command.
pub(super) fn import(args: Args) -> CommandResult {
    let source = load::read(&args.file)?;
    let file = args.file.file_name().unwrap_or_default().to_string_lossy();
    let wanted = Wanted { file: &file, behavior: args.behavior.as_deref(), seed: args.seed };
    let mut notes = Notes::new(&source);
    let is_xml = source.text.trim_start().starts_with('<');
    let text = match args.format {
        ImportFormat::Steerbench => steerbench::scenario(&source, &wanted, &mut notes)?,
        ImportFormat::Csv => table::scenario(&source, &wanted, &mut notes)?,
        ImportFormat::Jupedsim if is_xml => jupedsim::scenario(&source, &wanted, &mut notes)?,
        ImportFormat::Wkt | ImportFormat::Jupedsim => {
            let read = read_wkt(&source)?;
            for (name, spans) in read.left_out {
                let times = if spans.len() > 1 {
                    format!(" ({} times)", spans.len())
                } else {
                    String::new()
                };
                let message = format!("`{name}` is left out: it has no area{times}");
                notes.warn(spans[0].clone(), message);
            }
            if let [first, more @ ..] = &read.outside[..] {
                let others = match more.len() {
                    0 => String::new(),
                    count => format!(", and so are holes of {count} more polygons"),
                };
                let message = format!(
                    "a hole is not inside its polygon: what is outside is left out{others}"
                );
                notes.warn(first.clone(), message);
            }
            walls::scenario(&read.area, &wanted, &mut notes)
        }
    };
    terminal::show(&notes.findings());
    check(&args, &text)?;
    match &args.out {
        None => terminal::print(&text)?,
        Some(path) => {
            OutputFile::create_new(path)?.write_whole(text)?;
            terminal::say(&format!("wrote {}", path.display()));
        }
    }
    Ok(Ending::Success)
}

/// Checks that the scenario can be read. If it cannot, the file says something that scenarios do not allow, such as
/// too many agents.
fn check(args: &Args, text: &str) -> Result<(), Diagnostics> {
    let source = Source::new("the imported scenario", text);
    let Err(errors) = Scenario::parse(&source) else {
        return Ok(());
    };
    let shown = args.file.display();
    let cannot = Diagnostic::error(format!("{shown} does not make a valid scenario"));
    Err(std::iter::once(cannot).chain(errors.iter().cloned()).collect())
}
