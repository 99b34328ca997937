//! `flockwork render`: a picture of a world at a tick, or a film of some ticks.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use flockwork_engine::world::World;
use flockwork_engine::{Diagnostic, Diagnostics, FileKind, OutputFile, Run};

use super::interrupt::Interrupt;
use super::progress::DelayedProgressBar;
use super::run_args::{InputArgs, RunArgs};
use super::{CommandResult, Ending, terminal, values};
use crate::draw::{self, Camera, ColorCounts, DARK, Film, LIGHT, Palette, Picture, Rect};
use crate::report::PICTURE;

/// Films as [`Film`] writes them.
const FILM: FileKind = FileKind::new("a GIF film", &[&[b"GIF89a"], &[b"GIF87a"]]);

/// Draw one tick of a scenario as a picture, or many as a film
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork render scenarios/hello.ron --tick 600 --out hello.png --size 800x600
  flockwork render scenarios/hello.ron --to 900 --trails --out hello.gif

A .png file is a picture of one tick, a .gif file a film. A film plays in the time of the
run, unless --speed is given, and repeats.")]
pub(super) struct Args {
    /// Scenario file (.ron)
    #[arg(value_hint = clap::ValueHint::FilePath)]
    scenario: PathBuf,

    /// Tick of the picture, or first tick of the film [default: the initial state]
    #[arg(long, value_name = "T")]
    tick: Option<u64>,

    /// Output file: .png for a picture, .gif for a film
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    out: PathBuf,

    /// Last tick of the film [default: the scenario's `ticks`]
    #[arg(long, value_name = "T")]
    to: Option<u64>,

    /// Show every K-th tick in the film [default: about 15 frames per second]
    #[arg(long, value_name = "K", value_parser = values::at_least_one)]
    every: Option<u64>,

    /// Play the film X times as fast as simulated time [default: 1]
    #[arg(long, value_name = "X", value_parser = speed)]
    speed: Option<f64>,

    /// Width and height in pixels [default: 1280x720; 640x360 for a film]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<(u32, u32)>,

    /// Draw light colors on a dark background
    #[arg(long)]
    dark: bool,

    /// Draw the trail of each agent over the last N ticks [N is 120 if left out]
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "120",
        value_parser = values::at_least_one
    )]
    trails: Option<u64>,

    #[command(flatten)]
    run_args: RunArgs,

    #[command(flatten)]
    input_args: InputArgs,
}

/// Margin around the world, in pixels.
const MARGIN: u32 = 24;
/// Largest width and height, in pixels. Larger pictures are surely a mistake, and would need a gigabyte.
const MAX_SIDE: u32 = 16_384;
/// Frames per second of a film, by default.
const FRAMES_PER_SECOND: f64 = 15.0;
/// Shortest time of a frame, in hundredths of a second. Many programs show shorter frames for much longer.
const MIN_HUNDREDTHS: u64 = 2;
/// Longest time of a frame that still looks like motion, in hundredths of a second.
const MAX_HUNDREDTHS: u64 = 25;
/// Largest number of agents in all frames together, since all of them are kept in memory.
const MAX_FILM_AGENTS: u64 = 10_000_000;
/// Largest number of frames. No program can show longer films.
const MAX_FRAMES: u64 = 5000;
/// Largest number of points of a trail.
const MAX_TRAIL_POINTS: u64 = 60;

/// Parses width and height in pixels, written 1280x720.
pub(super) fn size(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('x');
    let parts = parts.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    match parts {
        Some((width @ 16..=MAX_SIDE, height @ 16..=MAX_SIDE)) => Ok((width, height)),
        Some(_) => Err(format!("both must be from 16 to {MAX_SIDE}")),
        None => Err("must be width x height, such as 1280x720".into()),
    }
}

/// Parses the value of `--speed`.
fn speed(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(speed) if (0.001..=1000.0).contains(&speed) => Ok(speed),
        _ => Err("must be a number from 0.001 to 1000".into()),
    }
}

/// Executes the command.
pub(super) fn render(args: Args) -> CommandResult {
    let film = match args.out.extension().and_then(|extension| extension.to_str()) {
        Some("png") => false,
        Some("gif") => true,
        _ => {
            let out = args.out.display();
            return Err(Diagnostic::error(format!(
                "cannot write {out}: pictures are .png files, films .gif files"
            ))
            .help("give --out a name that ends in .png or .gif")
            .into());
        }
    };
    args.run_args.on_threads(|| execute(&args, film))
}

fn execute(args: &Args, film: bool) -> CommandResult {
    let options = args.input_args.add_to(args.run_args.options())?;
    let mut run = Run::open(&args.scenario, &options)?;
    terminal::show(run.warnings());
    let first = run.first_tick();
    let tick = args.tick.unwrap_or(first);
    super::tick::check(&run, "--tick", tick)?;
    if let Some(last) = args.to.filter(|_| film) {
        super::tick::check(&run, "--to", last)?;
    }
    let plan = if film {
        FramePlan::of_film(args, tick, &run)
    } else {
        FramePlan::of_picture(args, tick, &run)
    };
    let plan = plan?;
    if film && args.speed.is_none() && args.every.is_none() {
        terminal::show(plan.slow(run.dt()).as_slice());
    }
    // Checked before the run, which may take long.
    let file = OutputFile::create(&args.out, if film { FILM } else { PICTURE })?;
    let interrupt = Interrupt::handle();
    let Some(worlds) = plan.worlds(&mut run, &interrupt)? else {
        return Ok(stopped());
    };
    let renderer = FrameRenderer::new(args, film, run.name(), &plan, &worlds);
    let written = if film {
        renderer.film(&worlds, &plan, run.dt(), file, &interrupt)
    } else {
        renderer.picture(&worlds, file)
    };
    match written.map_err(|error| vec![OutputFile::error(&args.out, &error)])? {
        Some(file) => file.commit()?,
        None => return Ok(stopped()),
    }
    Ok(Ending::Success)
}

/// Reports that a signal ended the command.
fn stopped() -> Ending {
    terminal::say("interrupted, nothing is written");
    Ending::Interrupted
}

/// The ticks that are drawn, and those that are needed for trails.
struct FramePlan {
    /// First tick of the run.
    begin: u64,
    first: u64,
    every: u64,
    last: u64,
    /// Length of trails, in ticks.
    trails: u64,
    speed: f64,
}

impl FramePlan {
    fn of_picture(args: &Args, tick: u64, run: &Run) -> Result<Self, Diagnostic> {
        let given = [
            ("--to", args.to.is_some()),
            ("--every", args.every.is_some()),
            ("--speed", args.speed.is_some()),
        ];
        if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
            let out = args.out.display();
            return Err(Diagnostic::error(format!(
                "{option} is for films, and {out} is a picture"
            ))
            .help("give --out a name that ends in .gif"));
        }
        let trails = args.trails.unwrap_or(0);
        Ok(Self {
            begin: run.first_tick(),
            first: tick,
            every: trails.div_ceil(MAX_TRAIL_POINTS).max(1),
            last: tick,
            trails,
            speed: 1.0,
        })
    }

    fn of_film(args: &Args, tick: u64, run: &Run) -> Result<Self, Diagnostic> {
        let (first, last) = (tick, args.to.unwrap_or(run.ticks()));
        if last < first {
            let which = if args.to.is_some() { "--to" } else { "the scenario's last tick" };
            return Err(Diagnostic::error(format!(
                "the film would end before it begins: {which} is {last}, --tick is {first}"
            ))
            .help("give a smaller --tick or a larger --to"));
        }
        let speed = args.speed.unwrap_or(1.0);
        let second = speed / f64::from(run.dt());
        let every = args.every.unwrap_or(((second / FRAMES_PER_SECOND).round() as u64).max(1));
        let plan = Self {
            begin: run.first_tick(),
            first,
            every,
            last,
            trails: args.trails.unwrap_or(0),
            speed,
        };
        if plan.hundredths(run.dt(), 1) < MIN_HUNDREDTHS {
            let enough = (MIN_HUNDREDTHS as f64 / 100.0 * second).ceil();
            return Err(Diagnostic::error(format!(
                "each frame of the film would be shown for less than 0.0{MIN_HUNDREDTHS} s, which few programs can do"
            ))
            .help(format!("show fewer ticks, with --every {enough}, or lower --speed")));
        }
        let frames = (last - first) / every + 1 + plan.before() / every;
        let agents = run.simulation().world().agents.len() as u64;
        if frames > MAX_FRAMES || frames.saturating_mul(agents) > MAX_FILM_AGENTS {
            return Err(Diagnostic::error(format!(
                "a film of {frames} frames with {agents} agents is too large"
            ))
            .help("show fewer ticks with --to or --every"));
        }
        Ok(plan)
    }

    /// Returns the time from the start of the film to a frame, in hundredths of a second.
    fn hundredths(&self, dt: f32, frame: u64) -> u64 {
        let ticks = (frame * self.every) as f64;
        (ticks * f64::from(dt) / self.speed * 100.0).round() as u64
    }

    /// Returns a note about a film that hardly moves, because its ticks are long.
    fn slow(&self, dt: f32) -> Option<Diagnostic> {
        let time = self.hundredths(dt, 1);
        let enough = (f64::from(dt) * FRAMES_PER_SECOND).ceil();
        (time > MAX_HUNDREDTHS).then(|| {
            let seconds = time as f64 / 100.0;
            let message = format!(
                "each frame of the film is shown for {seconds} s, which is the length of a tick"
            );
            Diagnostic::note(message).help(format!("play it faster, with --speed {enough}"))
        })
    }

    /// Returns how many ticks before the first one are needed for its trails.
    fn before(&self) -> u64 {
        self.trails.min(self.first - self.begin) / self.every * self.every
    }

    /// Returns the worlds at all ticks that are needed; `None` if the run was interrupted.
    fn worlds(
        &self,
        run: &mut Run,
        interrupt: &Interrupt,
    ) -> Result<Option<Vec<Arc<World>>>, Diagnostics> {
        let from = self.first - self.before();
        let mut worlds = Vec::new();
        let mut progress = DelayedProgressBar::new("tick", self.last - self.begin);
        for tick in self.begin..=self.last {
            if tick > self.begin {
                run.step()?;
                // Only `run` and the window show what scripts print.
                run.take_messages();
                progress.at(tick - self.begin);
            }
            if tick >= from && (tick - from).is_multiple_of(self.every) {
                worlds.push(Arc::clone(run.simulation().world()));
            }
            if interrupt.is_requested() {
                return Ok(None);
            }
        }
        Ok(Some(worlds))
    }
}

/// Draws frames with the data that all of them share.
struct FrameRenderer<'a> {
    name: &'a str,
    palette: &'static Palette,
    camera: Camera,
    size: (u32, u32),
    /// Number of worlds that are there for the trails only.
    before: usize,
    /// Number of worlds that trails reach back.
    back: usize,
}

impl<'a> FrameRenderer<'a> {
    fn new(
        args: &Args,
        film: bool,
        name: &'a str,
        plan: &FramePlan,
        worlds: &[Arc<World>],
    ) -> Self {
        let size = args.size.unwrap_or(if film { (640, 360) } else { (1280, 720) });
        let before = (plan.before() / plan.every) as usize;
        let space = &worlds[0].space;
        let shown = worlds[before..].iter();
        let agents = shown.flat_map(|world| world.agents.positions());
        Self {
            name,
            palette: if args.dark { &DARK } else { &LIGHT },
            camera: Camera::fit(Rect::around(space, agents), size, MARGIN),
            size,
            before,
            back: (plan.trails / plan.every) as usize,
        }
    }

    /// Draws the world of an index.
    fn draw(&self, picture: &mut Picture, worlds: &[Arc<World>], index: usize) {
        let worlds = &worlds[index - self.back.min(index)..=index];
        draw::frame(picture, &self.camera, self.palette, worlds, self.name);
    }

    /// Writes the last world as a picture and returns the file.
    fn picture(
        &self,
        worlds: &[Arc<World>],
        mut file: OutputFile,
    ) -> std::io::Result<Option<OutputFile>> {
        let mut picture = Picture::new(self.size, self.palette.ground);
        self.draw(&mut picture, worlds, worlds.len() - 1);
        file.write_all(&picture.png())?;
        Ok(Some(file))
    }

    /// Writes the film and returns the file; `None` if it was interrupted.
    fn film(
        &self,
        worlds: &[Arc<World>],
        plan: &FramePlan,
        dt: f32,
        file: OutputFile,
        interrupt: &Interrupt,
    ) -> std::io::Result<Option<OutputFile>> {
        let shown = self.before..worlds.len();
        let mut picture = Picture::new(self.size, self.palette.ground);
        let mut progress = DelayedProgressBar::new("frame", 2 * shown.len() as u64);
        let mut done = 0;
        let mut goes_on = || {
            done += 1;
            progress.at(done);
            !interrupt.is_requested()
        };
        // Drawing everything twice takes less memory than keeping all pixels.
        let mut counts = ColorCounts::default();
        let mut pixels = Vec::new();
        for index in shown.clone() {
            self.draw(&mut picture, worlds, index);
            picture.copy_rgb(&mut pixels);
            counts.add(&pixels);
            if !goes_on() {
                return Ok(None);
            }
        }
        let mut film = Film::new(file, self.size, &counts)?;
        for (frame, index) in (0..).zip(shown) {
            self.draw(&mut picture, worlds, index);
            let time = plan.hundredths(dt, frame + 1) - plan.hundredths(dt, frame);
            picture.copy_rgb(&mut pixels);
            film.add(&pixels, u16::try_from(time).unwrap_or(u16::MAX))?;
            if !goes_on() {
                return Ok(None);
            }
        }
        film.finish().map(Some)
    }
}
