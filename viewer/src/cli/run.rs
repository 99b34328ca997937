//! `flockwork run`: a scenario from its first tick to its last, and what came of it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use flockwork::trace::{closest_pair, mean_speed, significant};
use flockwork::{Diagnostic, Format, Options, OutputFile, Recorder, Run};

use super::progress::{Progress, on_interrupt};
use super::variant::Variant;
use super::{Answer, Outcome, terminal, values};

/// Run a scenario and print a summary
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork run scenarios/hello.ron
  flockwork run scenarios/hello.ron --ticks 600 --set flock.sight=80 --out hello.csv

The trajectory has a row for each agent and recorded tick, tick 0 being the
initial state; where the scenario has a `start`, it is the start's tick. A .csv file has the columns tick,time,id,group,x,y,vx,vy,hx,hy,
a .jsonl file an object with the same fields on each line, and a .txt file is the
plain text with positions that PedPy reads.")]
pub(super) struct Args {
    /// The scenario: a .ron file
    scenario: PathBuf,

    /// End at tick N instead of the scenario's last
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    ticks: Option<u64>,

    #[command(flatten)]
    variant: Variant,

    /// Write the trajectory to a .csv, .jsonl or .txt file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Record only every K-th tick
    #[arg(long, value_name = "K", default_value = "1", requires = "out", value_parser = values::at_least_one)]
    every: u64,

    /// Run scripts by the interpreter alone: slower, with the same results
    #[arg(long)]
    interpreter: bool,
}

/// The command.
pub(super) fn run(args: Args) -> Answer {
    let format = match args.out.as_deref().map(Format::of).transpose() {
        Ok(format) => format,
        Err(error) => {
            let out = args.out.unwrap_or_default();
            return Err(vec![Diagnostic::error(format!(
                "cannot write {}: {error}",
                out.display()
            ))]);
        }
    };
    args.variant.on_threads(|| execute(&args, format))
}

fn execute(args: &Args, format: Option<Format>) -> Answer {
    let options = Options {
        interpreter: args.interpreter,
        ..args.variant.options()
    };
    let mut run = Run::open(&args.scenario, &options)?;
    if let Some(out) = args.out.as_deref().filter(|out| same(out, &args.scenario)) {
        let out = out.display();
        return Err(vec![
            Diagnostic::error(format!("cannot write {out}: it is the scenario itself"))
                .help("name another file for the trajectory"),
        ]);
    }
    terminal::show(run.warnings());
    let mut trajectory = match (&args.out, format) {
        (Some(path), Some(format)) => Some(Trajectory::create(path, format, run.dt(), args.every)?),
        _ => None,
    };
    let interrupted = trajectory.is_some().then(on_interrupt);
    let first = run.first_tick();
    let ticks = args.ticks.unwrap_or(run.ticks());
    if ticks <= first {
        return Err(vec![
            Diagnostic::error(format!(
                "cannot end at tick {ticks}: the scenario begins at tick {first}"
            ))
            .help("give `--ticks` a number above it: it is the tick at which the run ends"),
        ]);
    }
    let mut progress = Progress::new("tick", ticks - first);
    let mut agent_ticks = 0;
    show_messages(&mut run, &progress);
    if let Some(trajectory) = &mut trajectory {
        trajectory.frame(&run)?;
    }
    for tick in first + 1..=ticks {
        agent_ticks += run.simulation().world().agents.len() as u64;
        let stepped = run.step();
        show_messages(&mut run, &progress);
        stepped.map_err(|fault| vec![fault.diagnostic()])?;
        if let Some(trajectory) = &mut trajectory {
            trajectory.frame(&run)?;
        }
        if interrupted
            .as_ref()
            .is_some_and(|flag| flag.load(Ordering::Relaxed))
        {
            progress.finish();
            terminal::say(&format!("interrupted at tick {tick}, nothing is written"));
            return Ok(Outcome::Interrupted);
        }
        progress.at(tick - first);
    }
    let wall = progress.finish();
    let frames = trajectory.map(Trajectory::finish).transpose()?;
    let mut text = summary(&run, ticks, agent_ticks, wall);
    if let (Some(path), Some(frames)) = (&args.out, frames) {
        let times = if frames == 1 { "frame" } else { "frames" };
        line(
            &mut text,
            "written",
            format!("{} ({frames} {times})", path.display()),
        );
    }
    terminal::print(&text)?;
    Ok(Outcome::Success)
}

/// Whether two paths lead to one file.
fn same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// A trajectory on its way into a file.
struct Trajectory<'a> {
    path: &'a Path,
    recorder: Recorder<OutputFile>,
}

impl<'a> Trajectory<'a> {
    fn create(
        path: &'a Path,
        format: Format,
        dt: f32,
        every: u64,
    ) -> Result<Self, Vec<Diagnostic>> {
        let file = OutputFile::create(path).map_err(|error| vec![error])?;
        let recorder = Recorder::new(format, file, dt, every)
            .map_err(|error| vec![OutputFile::error(path, &error)])?;
        Ok(Self { path, recorder })
    }

    fn frame(&mut self, run: &Run) -> Result<(), Vec<Diagnostic>> {
        self.recorder
            .frame(run.simulation().world())
            .map_err(|error| vec![OutputFile::error(self.path, &error)])
    }

    /// Gives the file its name; how many frames it has.
    fn finish(self) -> Result<u64, Vec<Diagnostic>> {
        let frames = self.recorder.frames();
        let file = self
            .recorder
            .finish()
            .map_err(|error| vec![OutputFile::error(self.path, &error)])?;
        file.commit().map_err(|error| vec![error])?;
        Ok(frames)
    }
}

fn show_messages(run: &mut Run, progress: &Progress) {
    let messages = run.take_messages();
    if messages.is_empty() {
        return;
    }
    progress.aside(|| {
        for message in &messages {
            terminal::say(&format!(
                "tick {} agent {}: {}",
                message.tick, message.agent, message.text
            ));
        }
    });
}

fn summary(run: &Run, ticks: u64, agent_ticks: u64, wall: Duration) -> String {
    let simulation = run.simulation();
    let world = simulation.world();
    let agents = &world.agents;
    let mut text = String::new();
    line(&mut text, "scenario", run.name());
    match run.first_tick() {
        0 => line(&mut text, "ticks", ticks),
        first => {
            let all = format!("{}, from tick {first} to {ticks}", ticks - first);
            line(&mut text, "ticks", all);
        }
    }
    let (now, made) = (agents.len(), agents.made());
    if now as u64 == u64::from(made) {
        line(&mut text, "agents", now);
    } else {
        line(
            &mut text,
            "agents",
            format!("{now} at the end, {made} made in all"),
        );
    }
    let seconds = wall.as_secs_f64();
    line(
        &mut text,
        "wall time",
        format!("{} s", significant(seconds, 3)),
    );
    let speed = agent_ticks as f64
        / if seconds > 0.0 {
            seconds
        } else {
            f64::MIN_POSITIVE
        };
    line(
        &mut text,
        "speed",
        format!("{} agent-ticks per second", significant(speed, 3)),
    );
    let hash = flockwork::state_hash(world, simulation.minds());
    line(&mut text, "state hash", format!("{hash:016x}"));
    let mean = mean_speed(world).map_or("no agents".into(), |mean| number(mean, "/s"));
    line(&mut text, "mean speed", mean);
    let closest = closest_pair(world).map_or("fewer than two agents".into(), |pair| {
        let (a, b) = pair.ids;
        format!("{}, agents {a} and {b}", number(pair.distance, ""))
    });
    line(&mut text, "closest pair", closest);
    line(&mut text, "goals reached", simulation.goals_reached());
    text
}

/// A length or speed for a person: more digits would not be read.
fn number(number: f32, per: &str) -> String {
    let digits = significant(f64::from(number), 6);
    format!("{digits} world units{per}")
}

fn line(text: &mut String, name: &str, value: impl std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{name:<15}{value}");
}
