//! Pictures and films of runs, and their pages for browsers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_draw::{self as draw, Camera, ColorCounts, DARK, Film, LIGHT, Palette, Rect};
use flockwork_engine::geom::Shape;
use flockwork_engine::json::PageProject;
use flockwork_engine::math::Vec2;
use flockwork_engine::world::World;
use flockwork_engine::{Diagnostic, Options};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::run::{Run, RunState};
use crate::work::{self, Signals};
use crate::{errors, values};

/// Margin around the world, in pixels of the page.
const MARGIN: u32 = 24;
/// Pixels of a picture for each one of the page, so that it is sharp on screens with small pixels.
const DENSITY: u32 = 2;
/// Least and largest width and height, in pixels of the page.
const SIDES: (u32, u32) = (16, 4096);
/// Frames per second of a film, by default.
const FRAMES_PER_SECOND: f64 = 15.0;
/// Shortest time of a frame, in hundredths of a second. Many programs show shorter frames for much longer.
const MIN_HUNDREDTHS: u64 = 2;
/// Largest number of agents in all frames together, since all of them are kept in memory.
const MAX_FILM_AGENTS: u64 = 10_000_000;
/// Largest number of frames. No program can show longer films.
const MAX_FRAMES: u64 = 5000;
/// Largest number of points of a trail.
const MAX_TRAIL_POINTS: u64 = 60;

/// A picture of a run: bytes of a PNG file, with two pixels for each one of the page. Notebooks show it.
#[pyclass(frozen, module = "flockwork._native")]
pub(crate) struct Picture {
    bytes: Vec<u8>,
    size: (u32, u32),
}

/// A film of a run: bytes of a GIF file, which repeats. Notebooks show it.
#[pyclass(frozen, module = "flockwork._native")]
pub(crate) struct Animation {
    bytes: Vec<u8>,
    size: (u32, u32),
    /// The number of frames.
    #[pyo3(get)]
    frames: usize,
}

/// What a picture looks like.
struct Look {
    size: (u32, u32),
    camera: Camera,
    palette: &'static Palette,
    density: u32,
}

impl Look {
    /// Returns the look of pictures that show all of some worlds. Without a height, it is that of the world's shape.
    fn new(
        worlds: &[Arc<World>],
        width: u32,
        height: Option<u32>,
        dark: bool,
        density: u32,
    ) -> PyResult<Self> {
        let agents = worlds.iter().flat_map(|world| world.agents.positions());
        let rect = Rect::around(&worlds[0].space, agents);
        let size = rect.max - rect.min;
        let inner = width.saturating_sub(2 * MARGIN) as f32;
        let natural = (inner * size.y / size.x) as u32 + 2 * MARGIN;
        let height = height.unwrap_or(natural.clamp(width / 4, width + width / 2).max(SIDES.0));
        for (name, side) in [("width", width), ("height", height)] {
            if side < SIDES.0 || side > SIDES.1 {
                let (least, most) = SIDES;
                return Err(errors::value_error(format!(
                    "`{name}` must be from {least} to {most} pixels, not {side}"
                )));
            }
        }
        let size = (width, height);
        let palette = if dark { &DARK } else { &LIGHT };
        Ok(Self { size, camera: Camera::fit(rect, size, MARGIN), palette, density })
    }

    fn picture(&self) -> draw::Picture {
        let size = (self.size.0 * self.density, self.size.1 * self.density);
        let mut picture = draw::Picture::new(size, self.palette.ground);
        picture.resize(size, self.density as f32);
        picture
    }

    fn draw(&self, picture: &mut draw::Picture, worlds: &[Arc<World>], name: &str) {
        draw::frame(picture, &self.camera, self.palette, worlds, name);
    }
}

/// Pictures, films and pages.
#[pymethods]
impl Run {
    /// Draws the present state.
    ///
    /// width, height: in pixels of a page; without a height, it follows from the shape of the world. The picture has two pixels for each.
    /// dark: whether colors are light on a dark ground.
    /// trails: the number of ticks that trails of agents reach back. The run is simulated again from its beginning for them.
    #[pyo3(signature = (width=640, height=None, *, dark=false, trails=0))]
    fn picture(
        &self,
        py: Python<'_>,
        width: u32,
        height: Option<u32>,
        dark: bool,
        trails: u64,
    ) -> PyResult<Picture> {
        let state = self.state.get()?;
        let state = &*state;
        work::working(py, Some(1), 0, || {
            let mut worlds = if trails > 0 { past(state, trails)? } else { Vec::new() };
            worlds.push(Arc::clone(state.run.simulation().world()));
            let look = Look::new(&worlds[worlds.len() - 1..], width, height, dark, DENSITY)?;
            let mut picture = look.picture();
            look.draw(&mut picture, &worlds, state.name());
            Ok(Picture { bytes: picture.png(), size: look.size })
        })?
    }

    /// Makes a film of the next ticks. They happen in a copy: this run stays where it is.
    ///
    /// ticks: the number of ticks.
    /// every: show every so many ticks; by default about 15 frames per second.
    /// speed: how much faster than simulated time it plays.
    /// width, height: in pixels; without a height, it follows from the shape of the world.
    /// dark: whether colors are light on a dark ground.
    /// trails: the number of ticks that trails of agents reach back.
    #[pyo3(signature = (ticks, *, every=None, speed=1.0, width=480, height=None, dark=false, trails=0))]
    #[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
    fn animate(
        &self,
        py: Python<'_>,
        ticks: u64,
        every: Option<u64>,
        speed: f64,
        width: u32,
        height: Option<u32>,
        dark: bool,
        trails: u64,
    ) -> PyResult<Animation> {
        let copy = self.copy()?;
        let mut state = copy.state.get()?;
        let state = &mut *state;
        let plan = FilmPlan::new(state, ticks, every, speed, trails)?;
        work::working(py, Some(1), 0, || {
            let mut signals = Signals::new();
            let mut worlds = vec![Arc::clone(state.run.simulation().world())];
            for tick in 1..=ticks {
                signals.check()?;
                state.tick()?;
                if tick.is_multiple_of(plan.every) {
                    worlds.push(Arc::clone(state.run.simulation().world()));
                }
            }
            let look = Look::new(&worlds, width, height, dark, 1)?;
            let bytes = plan.film(&look, &worlds, state.name(), &mut signals)?;
            Ok(Animation { bytes, size: look.size, frames: worlds.len() })
        })?
    }

    /// Returns a page for browsers as a text of HTML: it plays this run on from its present state, and needs neither a server nor a
    /// network. It has the whole engine in it, which is about 3 MB.
    ///
    /// ticks: the tick at which the time bar ends; by default that of the run.
    #[pyo3(signature = (ticks=None))]
    fn page(&self, py: Python<'_>, ticks: Option<u64>) -> PyResult<String> {
        let template: String =
            py.import("flockwork._notebook")?.call_method0("template")?.extract()?;
        let project = self.page_project(ticks)?;
        project.fill(&template).ok_or_else(|| errors::plain("page.html is no page of Flockwork"))
    }

    /// Shows the run in a notebook as a world that plays: see `flockwork.World`.
    #[pyo3(signature = (width=720, height=None))]
    fn show<'py>(
        slf: &Bound<'py, Self>,
        width: u32,
        height: Option<u32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = slf.py().import("flockwork._notebook")?;
        module.call_method1("show", (slf, width, height))
    }

    /// Plots the present state with matplotlib: agents as arrows in the colors of their groups, obstacles and goals. Lengths are in world
    /// units, and the same along both axes.
    ///
    /// ax: the axes to draw on; by default those of `matplotlib.pyplot.gca()`.
    /// Everything else goes to `matplotlib.axes.Axes.quiver`, which draws the agents.
    ///
    /// Returns the axes.
    #[pyo3(signature = (ax=None, **arrows))]
    fn plot<'py>(
        slf: &Bound<'py, Self>,
        ax: Option<Bound<'py, PyAny>>,
        arrows: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = slf.py().import("flockwork._plot")?;
        module.call_method("plot", (slf, ax), arrows)
    }

    /// What `plot` draws beside agents: the colors of the groups, the outlines of obstacles with their kinds, and the goals of groups.
    fn _scenery<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = self.state.get()?;
        let world = state.run.world();
        let all = PyDict::new(py);
        let colors = LIGHT.colors_of(&world.groups);
        let colors: Vec<String> = colors.into_iter().map(|color| color.css()).collect();
        all.set_item("colors", colors)?;
        let mut obstacles = Vec::new();
        for obstacle in &world.obstacles {
            obstacles.push(outline(&obstacle.shape));
        }
        all.set_item("obstacles", obstacles)?;
        let mut goals = Vec::new();
        for (index, group) in world.groups.iter().enumerate() {
            let of_group = group.goals.iter().flat_map(|goals| goals.iter());
            goals.extend(of_group.map(|goal| (index, pair(goal.at), values::number(goal.radius))));
        }
        all.set_item("goals", goals)?;
        Ok(all)
    }

    /// How a notebook shows a run: as a picture of its present state.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.picture(py, 640, None, false, 0)?._repr_png_(py)
    }
}

impl Run {
    /// Returns the project that a page of this run plays.
    fn page_project(&self, ticks: Option<u64>) -> PyResult<PageProject> {
        let is_untouched = {
            let state = self.state.get()?;
            ticks.is_none() && state.is_untouched()
        };
        let continued = if is_untouched { None } else { Some(self.continuation(ticks)?) };
        let state = self.state.get()?;
        let project = state.project();
        let scripts = &project.scripts;
        let texts = scripts.iter().map(|(name, source)| (name.as_str(), source.text.as_str()));
        Ok(match &continued {
            // Seed and params are in the text.
            Some(text) => PageProject::new(&project.stem, text, texts, &Options::default()),
            None => PageProject::new(&project.stem, &project.scenario.text, texts, state.options()),
        })
    }
}

/// Returns the worlds of some ticks before the present one.
fn past(state: &RunState, trails: u64) -> PyResult<Vec<Arc<World>>> {
    let (first, tick) = (state.run.first_tick(), state.run.tick());
    let trails = trails.min(tick - first);
    let every = trails.div_ceil(MAX_TRAIL_POINTS).max(1);
    let from = tick - trails / every * every;
    let mut run = state.earlier(from)?;
    let mut signals = Signals::new();
    let mut worlds = Vec::new();
    while run.tick() < tick {
        if (run.tick() - from).is_multiple_of(every) {
            worlds.push(Arc::clone(run.simulation().world()));
        }
        signals.check()?;
        run.step().map_err(|error| errors::script_error(&error))?;
    }
    if state.is_changed() {
        return Err(errors::plain(
            "the run was changed from Python, so it cannot be simulated again for trails: leave out `trails`",
        ));
    }
    Ok(worlds)
}

/// The frames of a film.
struct FilmPlan {
    every: u64,
    /// Number of frames that trails reach back.
    back: usize,
    dt: f64,
    speed: f64,
}

impl FilmPlan {
    fn new(
        state: &RunState,
        ticks: u64,
        every: Option<u64>,
        speed: f64,
        trails: u64,
    ) -> PyResult<Self> {
        if !(speed.is_finite() && speed > 0.0) {
            return Err(errors::value_error("`speed` must be above 0"));
        }
        let dt = f64::from(state.run.dt());
        let second = speed / dt;
        let usual = ((second / FRAMES_PER_SECOND).round() as u64).max(1);
        let every = every.unwrap_or(usual);
        if every == 0 {
            return Err(errors::value_error("`every` must be at least 1"));
        }
        let plan = Self { every, back: (trails / every) as usize, dt, speed };
        if plan.hundredths(1) < MIN_HUNDREDTHS {
            let enough = (MIN_HUNDREDTHS as f64 / 100.0 * second).ceil();
            return Err(errors::value_error(format!(
                "each frame would be shown for less than 0.0{MIN_HUNDREDTHS} s, which few programs can do: give `every={enough}`, or a lower `speed`"
            )));
        }
        let frames = ticks / every + 1;
        let agents = state.run.world().agents.len() as u64;
        if frames > MAX_FRAMES || frames.saturating_mul(agents) > MAX_FILM_AGENTS {
            return Err(errors::value_error(format!(
                "a film of {frames} frames with {agents} agents is too large: give fewer `ticks`, or a larger `every`"
            )));
        }
        Ok(plan)
    }

    /// Returns the time from the start of the film to a frame, in hundredths of a second.
    fn hundredths(&self, frame: u64) -> u64 {
        ((frame * self.every) as f64 * self.dt / self.speed * 100.0).round() as u64
    }

    fn film(
        &self,
        look: &Look,
        worlds: &[Arc<World>],
        name: &str,
        signals: &mut Signals,
    ) -> PyResult<Vec<u8>> {
        let mut picture = look.picture();
        let mut pixels = Vec::new();
        let mut draw = |frame: usize, pixels: &mut Vec<u32>| {
            let worlds = &worlds[frame - self.back.min(frame)..=frame];
            look.draw(&mut picture, worlds, name);
            picture.copy_rgb(pixels);
        };
        // Drawing everything twice takes less memory than keeping all pixels.
        let mut counts = ColorCounts::default();
        for frame in 0..worlds.len() {
            draw(frame, &mut pixels);
            counts.add(&pixels);
            signals.check()?;
        }
        let failed = |error: std::io::Error| {
            errors::error(Diagnostic::error(format!("the film cannot be written: {error}")))
        };
        let mut film = Film::new(Vec::new(), look.size, &counts).map_err(failed)?;
        for frame in 0..worlds.len() {
            draw(frame, &mut pixels);
            let time = self.hundredths(frame as u64 + 1) - self.hundredths(frame as u64);
            film.add(&pixels, u16::try_from(time).unwrap_or(u16::MAX)).map_err(failed)?;
            signals.check()?;
        }
        film.finish().map_err(failed)
    }
}

fn pair(at: Vec2) -> (f64, f64) {
    (values::number(at.x), values::number(at.y))
}

/// Returns the kind of a shape, its corners, and its radius: a circle has its center alone.
fn outline(shape: &Shape) -> (&'static str, Vec<(f64, f64)>, f64) {
    let pairs = |corners: &[Vec2]| corners.iter().map(|at| pair(*at)).collect();
    match shape {
        Shape::Circle { center, radius } => {
            ("circle", vec![pair(*center)], values::number(*radius))
        }
        Shape::Segment { from, to } => ("wall", vec![pair(*from), pair(*to)], 0.0),
        Shape::Polygon(polygon) => ("solid", pairs(polygon.corners()), 0.0),
        Shape::Box(oriented) => ("solid", pairs(&oriented.corners()), 0.0),
        Shape::Room { min, max } => {
            let corners = [*min, Vec2::new(max.x, min.y), *max, Vec2::new(min.x, max.y)];
            ("room", pairs(&corners), 0.0)
        }
    }
}

/// Writes bytes to a file.
fn save(path: &Path, bytes: &[u8]) -> PyResult<()> {
    std::fs::write(path, bytes).map_err(PyErr::from)
}

#[pymethods]
impl Picture {
    /// The bytes of the PNG file.
    #[getter]
    fn png<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// Width and height in pixels of the page. The file has twice as many.
    #[getter]
    fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Writes the PNG file to a path.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        save(&path, &self.bytes)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.png(py)
    }

    /// How a notebook shows it: the file, and the size on the page.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let size = PyDict::new(py);
        size.set_item("width", self.size.0)?;
        size.set_item("height", self.size.1)?;
        (self.png(py), size).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        let ((width, height), bytes) = (self.size, self.bytes.len());
        format!("<flockwork.Picture of {width} x {height} pixels, {bytes} bytes>")
    }
}

#[pymethods]
impl Animation {
    /// The bytes of the GIF file.
    #[getter]
    fn gif<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// Width and height in pixels.
    #[getter]
    fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Writes the GIF file to a path.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        save(&path, &self.bytes)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.gif(py)
    }

    /// How a notebook shows it.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let base64: String = py
            .import("base64")?
            .call_method1("b64encode", (self.gif(py),))?
            .call_method1("decode", ("ascii",))?
            .extract()?;
        let (width, height) = self.size;
        Ok(format!(
            "<img src=\"data:image/gif;base64,{base64}\" width=\"{width}\" height=\"{height}\" alt=\"A film of the run\">"
        ))
    }

    fn __repr__(&self) -> String {
        let ((width, height), bytes) = (self.size, self.bytes.len());
        let frames = self.frames;
        format!(
            "<flockwork.Animation of {frames} frames, {width} x {height} pixels, {bytes} bytes>"
        )
    }
}
