//! `flockwork render`: a picture of a world at a tick.

use std::io::Write;
use std::path::{Path, PathBuf};

use flockwork::math::Vec2;
use flockwork::{Diagnostic, Options, OutputFile, Run, Setting, with_threads};

use super::{Answer, Outcome, terminal, values};
use crate::draw::{self, Anchor, Camera, DARK, LIGHT, Picture};

/// Draw a scenario at a tick into a picture
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  flockwork render scenarios/hello.ron --tick 600 --out hello.png --size 800x600")]
pub(super) struct Args {
    /// The scenario: a .ron file
    scenario: PathBuf,

    /// The tick; 0 is the start, unless the scenario begins with a later one
    #[arg(long, value_name = "T")]
    tick: u64,

    /// The picture: a .png file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    size: (u32, u32),

    /// Light on dark
    #[arg(long)]
    dark: bool,

    /// Use another seed than the scenario's
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Set a param of a group; can be given again
    #[arg(long = "set", value_name = "group.param=V")]
    settings: Vec<Setting>,

    /// Use so many threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::threads)]
    threads: usize,
}

/// Room around the world, in pixels.
const MARGIN: u32 = 24;

/// Pictures beyond this are a mistake, and would need a gigabyte.
const LARGEST: u32 = 16_384;

fn size(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('x');
    let parts = parts.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    match parts {
        Some((width @ 16..=LARGEST, height @ 16..=LARGEST)) => Ok((width, height)),
        Some(_) => Err(format!("both must be from 16 to {LARGEST}")),
        None => Err("must be width x height, such as 1280x720".into()),
    }
}

/// The command.
pub(super) fn render(args: Args) -> Answer {
    if args.out.extension().is_none_or(|ending| ending != "png") {
        let out = args.out.display();
        return Err(vec![
            Diagnostic::error(format!("cannot write {out}: pictures are .png files"))
                .help("end its name in .png"),
        ]);
    }
    match with_threads(args.threads, || execute(&args)) {
        Ok(answer) => answer,
        Err(error) => Err(vec![
            Diagnostic::error(error.to_string()).help(error.source.to_string()),
        ]),
    }
}

fn execute(args: &Args) -> Answer {
    let options = Options {
        seed: args.seed,
        settings: args.settings.clone(),
        ..Options::default()
    };
    let mut run = Run::open(&args.scenario, &options)?;
    terminal::show(run.warnings());
    let first = run.first_tick();
    if args.tick < first {
        let tick = args.tick;
        return Err(vec![
            Diagnostic::error(format!(
                "there is no tick {tick}: the scenario begins at tick {first}"
            ))
            .help(format!("ask for `--tick {first}` or a later one")),
        ]);
    }
    // Before the run, which may take a while.
    let file = OutputFile::create(&args.out).map_err(|error| vec![error])?;
    while run.tick() < args.tick {
        run.step().map_err(|fault| vec![fault.diagnostic()])?;
    }
    let png = picture(&run, args).png();
    save(file, &args.out, &png).map_err(|error| vec![error])?;
    Ok(Outcome::Success)
}

fn picture(run: &Run, args: &Args) -> Picture {
    let palette = if args.dark { &DARK } else { &LIGHT };
    let world = run.simulation().world();
    let mut picture = Picture::new(args.size, palette.ground);
    let camera = Camera::of_world(world, args.size, MARGIN);
    draw::world(&mut picture, &camera, world, palette);
    draw::scale_bar(&mut picture, &camera, palette);
    let title = format!(
        "{}, tick {} ({:.2} s)",
        run.name(),
        world.tick,
        world.time()
    );
    let at = Vec2::new(args.size.0 as f32 - 10.0, args.size.1 as f32 - 10.0);
    draw::text(&mut picture, at, Anchor::Right, 13.0, palette.ink, &title);
    picture
}

fn save(mut file: OutputFile, path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    file.write_all(bytes)
        .map_err(|error| OutputFile::error(path, &error))?;
    file.commit()
}
