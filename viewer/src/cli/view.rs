//! `flockwork view`: shows a run in a window.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::golden::GoldenBody;
use flockwork_engine::live::{Session, StepResult, Tracks};
use flockwork_engine::load::is_plan;
use flockwork_engine::plan_file::PlanFile;
use flockwork_engine::suite::Case;
use flockwork_engine::{Diagnostic, Diagnostics, Options, Run};

use super::interrupt::Interrupt;
use super::run_args::RunArgs;
use super::{CommandResult, Ending, terminal, tune};
use crate::view::{self, FilmFormat, FirstFailure, TuneResults, ViewSettings, WindowError};

/// Watch a scenario in a window: edit it while it runs, go back in time, ask why
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  flockwork view scenarios/hello.ron

A plan that `flockwork tune` has run shows its scenario with the best values that were found;
page down shows the next best.

In the window, h shows all keys. The window needs an X11 display.")]
pub(super) struct Args {
    /// Scenario file (.ron), or the plan of a tune (.plan.ron)
    #[arg(value_hint = clap::ValueHint::FilePath)]
    scenario: PathBuf,

    /// Also show the agents of the scenario's golden, at its keyframes
    #[arg(long)]
    ghost: bool,

    /// Start paused
    #[arg(long)]
    paused: bool,

    /// Start paused at the tick at which an expectation fails first: show the expectations, select the agent for which it
    /// fails, and show its margin over time
    #[arg(long)]
    failure: bool,

    /// Share the values of the selected agent with your editor, and show lines there: needs `flockwork lsp` in the editor
    #[arg(long)]
    editor: bool,

    /// Width and height of the window in pixels [default: as it was closed last]
    #[arg(long, value_name = "WxH", value_parser = super::render::size)]
    size: Option<(u32, u32)>,

    /// Draw everything this many times as large, from 1 to 4 [default: as the system is set]
    #[arg(long, value_name = "FACTOR", value_parser = view::parse_scale)]
    scale: Option<f32>,

    /// Record films with F9 to this file, and then to FILE_2 and so on: .gif, or .webm or .mp4 with the program ffmpeg [default:
    /// a .gif in the folder pictures of the project]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, value_parser = film)]
    record_to: Option<PathBuf>,

    /// Show this file of the run beside the world, from a line on
    #[arg(long, value_name = "FILE:LINE", value_parser = place, hide = true)]
    file: Option<(String, usize)>,

    /// Draw light colors on a dark background
    #[arg(long)]
    dark: bool,

    #[command(flatten)]
    run_args: RunArgs,
}

/// Parses the path of a film.
fn film(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match FilmFormat::from_path(&path) {
        Some(_) => Ok(path),
        None => Err("films end in .gif, .webm or .mp4".into()),
    }
}

/// Parses a file and a line of it.
fn place(text: &str) -> Result<(String, usize), String> {
    let parts = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    let (file, line) =
        parts.ok_or("expected a file and a line, such as `scripts/flock.rhai:12`")?;
    Ok((file.to_owned(), line))
}

/// The subject that the window opens.
struct Opened {
    /// The scenario file.
    scenario: PathBuf,
    results: Option<Arc<TuneResults>>,
}

impl Opened {
    /// Finds out what is at a path: a scenario, or a plan with its results.
    fn read(path: &Path) -> Result<Self, Diagnostics> {
        if !is_plan(path) {
            return Ok(Self { scenario: path.to_owned(), results: None });
        }
        let PlanFile { plan, scenario, .. } = PlanFile::read(path)?;
        let results = tune::results(path, &plan)?;
        Ok(Self { scenario, results: Some(Arc::new(results)) })
    }

    /// Begins the run, with the values of the first result.
    fn session(&self, options: Options) -> Result<Session, Diagnostics> {
        let values = self.results.as_ref().map_or_else(Vec::new, |results| results.values(0));
        Session::open_with_values(&self.scenario, options, values)
    }
}

/// Runs the scenario once, to find the first failure.
fn failure(args: &Args, opened: &Opened) -> Result<Option<FirstFailure>, Diagnostics> {
    if opened.results.is_some() {
        let words = "--failure needs a scenario, and this is a plan";
        return Err(Diagnostic::error(words).into());
    }
    let run = || {
        let run = Run::open(&opened.scenario, &args.run_args.options())?;
        FirstFailure::find(run).map_err(Diagnostics::from)
    };
    let failure = args.run_args.on_threads(run)?;
    if failure.is_none() {
        terminal::say("no expectation fails in this run");
    }
    Ok(failure)
}

/// Executes the command.
pub(super) fn view(args: Args) -> CommandResult {
    let options = args.run_args.options();
    let opened = Opened::read(&args.scenario)?;
    let failure = if args.failure { failure(&args, &opened)? } else { None };
    let open = || {
        let mut session = opened.session(options.clone())?;
        if let Some(failure) = &failure {
            while session.tick() < failure.tick && matches!(session.step(), StepResult::New) {}
        }
        Ok(session)
    };
    // A scenario with mistakes is repaired in the window.
    let mut broken = None;
    let mut session = match args.run_args.on_threads(open) {
        Ok(session) => session,
        Err(errors) if args.failure || args.ghost || opened.results.is_some() => {
            return Err(errors);
        }
        Err(errors) => match Session::open_broken(&opened.scenario, &options, errors.clone()) {
            Some(session) => {
                broken = Some(errors);
                session
            }
            None => return Err(errors),
        },
    };
    terminal::show(session.run().warnings());
    if args.ghost {
        session.set_ghost(Some(golden(&opened.scenario)?));
    }
    let interrupt = Interrupt::handle();
    let settings = ViewSettings {
        size: args.size,
        scale: args.scale,
        is_dark: args.dark,
        is_paused: args.paused || args.failure,
        failure,
        file: args.file.clone(),
        results: opened.results.map(|results| (results, options.clone())),
        threads: args.run_args.threads,
        is_sharing: args.editor,
        record_to: args.record_to.clone(),
        is_interrupted: Box::new(move || interrupt.is_requested()),
        say: |words| terminal::say(words),
        explain_command: args.run_args.command("explain", &opened.scenario),
        on_lost: gone,
    };
    match view::open(session, &settings) {
        Ok(warning) => {
            terminal::show(warning.as_slice());
            if (settings.is_interrupted)() {
                terminal::say("interrupted");
                return Ok(Ending::Interrupted);
            }
            Ok(Ending::Success)
        }
        Err(WindowError::Threads(error)) => Err(error.into()),
        Err(WindowError::PlayerEnded) => {
            Err(Diagnostic::error("the run has ended because of a bug in Flockwork, see above")
                .help("files that you saved are complete; please report the bug")
                .into())
        }
        Err(WindowError::Lost) => Ok(Ending::Shortfall),
        Err(WindowError::Display(_)) if broken.is_some() => Err(broken.unwrap_or_default()),
        Err(WindowError::Display(error)) => {
            let scenario = opened.scenario.display();
            let [x11, wayland] = ["DISPLAY", "WAYLAND_DISPLAY"].map(display);
            Err(Diagnostic::error(no_display(x11.as_deref(), wayland.is_some(), &error))
                .help(format!("flockwork run {scenario}  runs it without one"))
                .help(format!("flockwork render {scenario} --tick 600 --out picture.png  draws it"))
                .help(format!(
                    "flockwork explain {scenario} --agent 0 --tick 600  explains what an agent decides"
                ))
                .into())
        }
    }
}

/// Reports that the window has been closed from outside.
fn gone(tick: u64) {
    let words = format!("the window was closed from outside, at tick {tick}");
    terminal::show(&[Diagnostic::error(words)
        .help("the X server has ended, or has closed the connection of this program")
        .help("files that you saved are complete")]);
}

/// Returns the value of an environment variable, unless it is empty.
fn display(variable: &str) -> Option<String> {
    let name = std::env::var_os(variable)?.into_string();
    let name = name.unwrap_or_else(|name| name.to_string_lossy().into_owned());
    Some(name).filter(|name| !name.is_empty())
}

/// Returns the message that no window can be opened, and why.
fn no_display(x11: Option<&str>, has_wayland: bool, error: &dyn std::fmt::Display) -> String {
    if !cfg!(all(unix, not(target_os = "macos"))) {
        return format!("there is no display to open a window on: {error}");
    }
    match x11 {
        Some(name) => format!("no window can be opened on the display DISPLAY={name}: {error}"),
        None if has_wayland => {
            "there is no display to open a window on: DISPLAY is not set; the window needs X11, so start XWayland".into()
        }
        None => "there is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set".into(),
    }
}

/// Reads the golden of a scenario as trajectories to show.
fn golden(scenario: &Path) -> Result<Tracks, Diagnostics> {
    let case = Case::open(scenario);
    match case.golden {
        Err(unreadable) => Err((*unreadable.diagnostic).into()),
        Ok(Some(golden)) => match golden.body {
            GoldenBody::Track(track) => Ok(Tracks::of_golden(&track)),
            GoldenBody::Bands(_) => Err(Diagnostic::error(format!(
                "{} has measures of several runs, and no positions to show",
                case.golden_path.display()
            ))
            .into()),
        },
        Ok(None) => {
            let path = case.golden_path.display();
            Err(Diagnostic::error(format!("there is no golden {path} to show"))
                .help(format!("flockwork test {} --update  writes one", scenario.display()))
                .into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message was "Failed to create window", which does not say what is missing.
    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn what_is_missing_for_a_window_is_named() {
        let error = "XOpenDisplay failed";
        let message = |x11, has_wayland| no_display(x11, has_wayland, &error);
        assert!(message(Some(":9"), false).contains("DISPLAY=:9: XOpenDisplay failed"));
        assert!(message(None, true).contains("start XWayland"));
        assert!(message(None, false).contains("neither DISPLAY nor WAYLAND_DISPLAY is set"));
    }
}
