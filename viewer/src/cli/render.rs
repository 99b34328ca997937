//! `flockwork render`: a picture of a world at a tick, or a film of some ticks.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use flockwork_engine::math::Vec2;
use flockwork_engine::world::World;
use flockwork_engine::{Diagnostic, Diagnostics, OutputFile, Run};

use super::interrupt::Interrupt;
use super::progress::Progress;
use super::variant::Variant;
use super::{Answer, Outcome, terminal, values};
use crate::draw::{
    self, Anchor, Camera, Color, ColorCounts, DARK, FILM, Film, LIGHT, Palette, Picture, Rect,
    Trail,
};

/// Draw a scenario at a tick into a picture, or from tick to tick into a film
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork render scenarios/hello.ron --tick 600 --out hello.png --size 800x600
  flockwork render scenarios/hello.ron --to 900 --trails --out hello.gif

A film plays as fast as the run would, unless --speed says otherwise, and then
starts again.")]
pub(super) struct Args {
    /// The scenario: a .ron file
    #[arg(value_hint = clap::ValueHint::FilePath)]
    scenario: PathBuf,

    /// The tick, or the first one of a film [default: where the scenario begins]
    #[arg(long, value_name = "T")]
    tick: Option<u64>,

    /// The picture: a .png file; or the film: a .gif file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    out: PathBuf,

    /// The last tick of a film [default: the scenario's last]
    #[arg(long, value_name = "T")]
    to: Option<u64>,

    /// Show every K-th tick in a film [default: about 15 ticks a second]
    #[arg(long, value_name = "K", value_parser = values::at_least_one)]
    every: Option<u64>,

    /// Play a film so many times as fast as the run would be [default: 1]
    #[arg(long, value_name = "X", value_parser = speed)]
    speed: Option<f64>,

    /// Width and height in pixels [default: 1280x720, and 640x360 for a film]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<(u32, u32)>,

    /// Light on dark
    #[arg(long)]
    dark: bool,

    /// Show where each agent has been in the last N ticks [default: 120]
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
    variant: Variant,
}

/// Room around the world, in pixels.
const MARGIN: u32 = 24;
/// Pictures beyond this are a mistake, and would need a gigabyte.
const LARGEST: u32 = 16_384;
/// The ticks that a film shows of each second, about.
const TICKS_PER_SECOND: f64 = 15.0;
/// Many programs show what is to be seen for less than this, in hundredths of a second, for much longer.
const SHORTEST: u64 = 2;
/// Nobody takes what is seen for longer than this, in hundredths of a second, for motion.
const LONGEST: u64 = 25;
/// A film keeps all agents of all its pictures in memory.
const MOST_AGENTS: u64 = 10_000_000;
/// A longer film would be larger than anything that shows it can take.
const MOST_FRAMES: u64 = 5000;
/// A trail has no more places than this.
const PLACES: u64 = 60;

/// Width and height in pixels, written 1280x720.
pub(super) fn size(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('x');
    let parts = parts.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    match parts {
        Some((width @ 16..=LARGEST, height @ 16..=LARGEST)) => Ok((width, height)),
        Some(_) => Err(format!("both must be from 16 to {LARGEST}")),
        None => Err("must be width x height, such as 1280x720".into()),
    }
}

fn speed(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(speed) if (0.001..=1000.0).contains(&speed) => Ok(speed),
        _ => Err("must be a number from 0.001 to 1000".into()),
    }
}

/// The command.
pub(super) fn render(args: Args) -> Answer {
    let film = match args.out.extension().and_then(|ending| ending.to_str()) {
        Some("png") => false,
        Some("gif") => true,
        _ => {
            let out = args.out.display();
            return Err(Diagnostic::error(format!(
                "cannot write {out}: pictures are .png files, films .gif files"
            ))
            .help("end its name in .png or .gif")
            .into());
        }
    };
    args.variant.on_threads(|| execute(&args, film))
}

fn execute(args: &Args, film: bool) -> Answer {
    let options = args.variant.options();
    let mut run = Run::open(&args.scenario, &options)?;
    terminal::show(run.warnings());
    let first = run.first_tick();
    let tick = args.tick.unwrap_or(first);
    super::tick::of_run(&run, "--tick", tick)?;
    if let Some(last) = args.to.filter(|_| film) {
        super::tick::of_run(&run, "--to", last)?;
    }
    let plan =
        if film { Plan::of_film(args, tick, &run) } else { Plan::of_picture(args, tick, &run) };
    let plan = plan?;
    if film && args.speed.is_none() && args.every.is_none() {
        terminal::show(plan.slow(run.dt()).as_slice());
    }
    // Before the run, which may take a while.
    let file = OutputFile::create(&args.out, if film { FILM } else { Picture::KIND })?;
    let interrupt = Interrupt::expect();
    let Some(shots) = plan.shots(&mut run, &interrupt)? else {
        return Ok(stopped());
    };
    let studio = Studio::new(args, film, run.name(), &plan, &shots);
    let written = if film {
        studio.film(&shots, &plan, run.dt(), file, &interrupt)
    } else {
        studio.picture(&shots, file)
    };
    match written.map_err(|error| vec![OutputFile::error(&args.out, &error)])? {
        Some(file) => file.commit()?,
        None => return Ok(stopped()),
    }
    Ok(Outcome::Success)
}

fn stopped() -> Outcome {
    terminal::say("interrupted, nothing is written");
    Outcome::Interrupted
}

/// Which ticks are drawn, and which are needed for the trails.
struct Plan {
    /// The tick at which the run begins.
    begin: u64,
    first: u64,
    every: u64,
    last: u64,
    /// The length of trails, in ticks.
    trails: u64,
    speed: f64,
}

impl Plan {
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
            .help("end the name of --out in .gif"));
        }
        let trails = args.trails.unwrap_or(0);
        Ok(Self {
            begin: run.first_tick(),
            first: tick,
            every: trails.div_ceil(PLACES).max(1),
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
            .help("let --tick be less, or --to more"));
        }
        let speed = args.speed.unwrap_or(1.0);
        let second = speed / f64::from(run.dt());
        let every = args.every.unwrap_or(((second / TICKS_PER_SECOND).round() as u64).max(1));
        let plan = Self {
            begin: run.first_tick(),
            first,
            every,
            last,
            trails: args.trails.unwrap_or(0),
            speed,
        };
        if plan.hundredths(run.dt(), 1) < SHORTEST {
            let enough = (SHORTEST as f64 / 100.0 * second).ceil();
            return Err(Diagnostic::error(format!(
                "each picture of the film would be seen for less than 0.0{SHORTEST} s, which few programs can show"
            ))
            .help(format!("show fewer ticks, with --every {enough}, or lower --speed")));
        }
        let frames = (last - first) / every + 1 + plan.before() / every;
        let agents = run.simulation().world().agents.len() as u64;
        if frames > MOST_FRAMES || frames.saturating_mul(agents) > MOST_AGENTS {
            return Err(Diagnostic::error(format!(
                "{frames} pictures of {agents} agents are too much for a film"
            ))
            .help("show fewer ticks with --to or --every"));
        }
        Ok(plan)
    }

    /// From the beginning to a picture of the film, in hundredths of a second.
    fn hundredths(&self, dt: f32, frame: u64) -> u64 {
        let ticks = (frame * self.every) as f64;
        (ticks * f64::from(dt) / self.speed * 100.0).round() as u64
    }

    /// A word on a film that hardly moves, since its ticks are long.
    fn slow(&self, dt: f32) -> Option<Diagnostic> {
        let time = self.hundredths(dt, 1);
        let enough = (f64::from(dt) * TICKS_PER_SECOND).ceil();
        (time > LONGEST).then(|| {
            let seconds = time as f64 / 100.0;
            let told =
                format!("each picture of the film is seen for {seconds} s, as long as its tick is");
            Diagnostic::note(told).help(format!("play it faster, with --speed {enough}"))
        })
    }

    /// The ticks before the first one that are needed too.
    fn before(&self) -> u64 {
        self.trails.min(self.first - self.begin) / self.every * self.every
    }

    /// The worlds at all ticks that are needed; none if the run was interrupted.
    fn shots(
        &self,
        run: &mut Run,
        interrupt: &Interrupt,
    ) -> Result<Option<Vec<Arc<World>>>, Diagnostics> {
        let from = self.first - self.before();
        let mut shots = Vec::new();
        let mut progress = Progress::new("tick", self.last - self.begin);
        for tick in self.begin..=self.last {
            if tick > self.begin {
                run.step()?;
                // Only `run` and the window show what scripts say.
                run.take_messages();
                progress.at(tick - self.begin);
            }
            if tick >= from && (tick - from).is_multiple_of(self.every) {
                shots.push(Arc::clone(run.simulation().world()));
            }
            if interrupt.is_asked() {
                return Ok(None);
            }
        }
        Ok(Some(shots))
    }
}

/// What all pictures have in common.
struct Studio<'a> {
    name: &'a str,
    palette: &'static Palette,
    camera: Camera,
    size: (u32, u32),
    /// The shots that are there only for the trails.
    before: usize,
    /// The shots that trails reach back.
    back: usize,
}

impl<'a> Studio<'a> {
    fn new(args: &Args, film: bool, name: &'a str, plan: &Plan, shots: &[Arc<World>]) -> Self {
        let size = args.size.unwrap_or(if film { (640, 360) } else { (1280, 720) });
        let before = (plan.before() / plan.every) as usize;
        let space = &shots[0].space;
        let shown = shots[before..].iter();
        let agents = shown.flat_map(|world| world.agents.pos.iter().copied());
        Self {
            name,
            palette: if args.dark { &DARK } else { &LIGHT },
            camera: Camera::fit(Rect::around(space, agents), size, MARGIN),
            size,
            before,
            back: (plan.trails / plan.every) as usize,
        }
    }

    /// Draws a shot.
    fn draw(&self, picture: &mut Picture, shots: &[Arc<World>], shot: usize) {
        let (camera, palette, world) = (&self.camera, self.palette, &*shots[shot]);
        let space = &world.space;
        let (obstacles, paths) = (&world.obstacles, &world.paths);
        draw::background(picture, camera, palette, space, obstacles, paths);
        draw::goals(picture, camera, palette, world);
        self.trails(picture, &shots[shot - self.back.min(shot)..=shot]);
        let marks = draw::marks(world, palette);
        draw::agents(picture, camera, palette, space, &marks);
        draw::scale_bar(picture, camera, palette, self.size.1 as f32);
        let (tick, time) = (world.tick, world.time());
        let title = format!("{}, tick {tick} ({time:.2} s)", self.name);
        let at = Vec2::new(self.size.0 as f32 - 10.0, self.size.1 as f32 - 10.0);
        draw::text(picture, at, Anchor::Right, 13.0, palette.ink, &title);
    }

    fn trails(&self, picture: &mut Picture, shots: &[Arc<World>]) {
        let [past @ .., world] = shots else { return };
        if past.is_empty() {
            return;
        }
        let way = |row: usize| {
            let id = world.agents.id[row];
            let mut places = vec![world.agents.pos[row]];
            // Back to where it came into the world.
            for before in past.iter().rev() {
                let Some(row) = before.agents.row(id) else {
                    break;
                };
                places.push(before.agents.pos[row]);
            }
            places.reverse();
            (places, self.palette.group(world.agents.group[row].0.into()))
        };
        let ways: Vec<(Vec<Vec2>, Color)> = (0..world.agents.len()).map(way).collect();
        let trails = ways.iter().map(|(places, color)| Trail { places, color: *color });
        draw::trails(picture, &self.camera, &world.space, trails);
    }

    /// Writes the last shot; gives the file back.
    fn picture(
        &self,
        shots: &[Arc<World>],
        mut file: OutputFile,
    ) -> std::io::Result<Option<OutputFile>> {
        let mut picture = Picture::new(self.size, self.palette.ground);
        self.draw(&mut picture, shots, shots.len() - 1);
        file.write_all(&picture.png())?;
        Ok(Some(file))
    }

    /// Writes all shots that are shown; gives the file back, and none if it was interrupted.
    fn film(
        &self,
        shots: &[Arc<World>],
        plan: &Plan,
        dt: f32,
        file: OutputFile,
        interrupt: &Interrupt,
    ) -> std::io::Result<Option<OutputFile>> {
        let shown = self.before..shots.len();
        let mut picture = Picture::new(self.size, self.palette.ground);
        let mut progress = Progress::new("picture", 2 * shown.len() as u64);
        let mut done = 0;
        let mut goes_on = || {
            done += 1;
            progress.at(done);
            !interrupt.is_asked()
        };
        // Drawing twice takes less than keeping all the pixels.
        let mut counts = ColorCounts::default();
        for shot in shown.clone() {
            self.draw(&mut picture, shots, shot);
            counts.add(&picture);
            if !goes_on() {
                return Ok(None);
            }
        }
        let mut film = Film::new(file, self.size, &counts)?;
        for (frame, shot) in (0..).zip(shown) {
            self.draw(&mut picture, shots, shot);
            let time = plan.hundredths(dt, frame + 1) - plan.hundredths(dt, frame);
            film.add(&picture, u16::try_from(time).unwrap_or(u16::MAX))?;
            if !goes_on() {
                return Ok(None);
            }
        }
        film.finish().map(Some)
    }
}
