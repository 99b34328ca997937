//! The data of the report as compact JSON.
//!
//! Positions and lengths are written as integer steps of a grid that covers the scene. So numbers are short in worlds of
//! any size, and the grid is finer than what the page draws.

use flockwork_engine::geom::Shape;
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::trace::significant;
use flockwork_engine::world::{AgentId, Edge};
use serde::Serialize;

use super::{
    AgentFrame, EntryOutcome, ReportEntry, ReportPage, RunComparison, RunFrames, SceneGroup,
    StaticScene,
};
use crate::draw::{Color, DARK, LIGHT, Palette, Rect, shape_loops};

/// Number of steps on the longer side of the scene: about twenty for each pixel of a large screen.
const STEPS: f64 = 50_000.0;
/// Maximum number of agent positions that are written for one run; with more, browsers get slow.
const MAX_POSITIONS: usize = 400_000;

/// Returns the JSON, safe to be put into a script element.
pub(super) fn json(page: &ReportPage) -> String {
    // Serializing strings and numbers cannot fail.
    let text = serde_json::to_string(&ReportJson::new(page)).unwrap_or_default();
    // These characters occur only in strings, where they may be escaped like this.
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportJson<'a> {
    title: &'a str,
    light: ColorsJson,
    dark: ColorsJson,
    entries: Vec<EntryJson<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ColorsJson {
    ground: String,
    outside: String,
    edge: String,
    solid: String,
    wall: String,
    path: String,
    band: String,
    ink: String,
    highlight: String,
    ghost: String,
    groups: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryJson<'a> {
    name: &'a str,
    outcome: &'static str,
    seconds: f64,
    cause: &'a str,
    diagnosis: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<ComparisonJson<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ComparisonJson<'a> {
    /// World units per step.
    step: f64,
    /// Seconds per tick.
    dt: f64,
    first: Option<AgentId>,
    first_tick: Option<u64>,
    /// Left, lower, right and upper side of the part to show.
    view: [i64; 4],
    /// Left, lower, right and upper side of the world.
    world: [i64; 4],
    edge: &'static str,
    obstacles: Vec<ObstacleJson>,
    paths: Vec<PathJson>,
    groups: Vec<GroupJson<'a>>,
    expected: FramesJson,
    actual: FramesJson,
    deviation: Vec<(u64, Option<f64>)>,
}

/// An obstacle. Points are listed as x, y, x, y and so on.
#[derive(Serialize)]
#[serde(rename_all = "camelCase", tag = "shape")]
enum ObstacleJson {
    Disc { at: [i64; 2], radius: i64 },
    Wall { points: Vec<i64> },
    Polygon { points: Vec<i64> },
    Room { min: [i64; 2], max: [i64; 2] },
}

#[derive(Serialize)]
struct PathJson {
    points: Vec<i64>,
    radius: i64,
    closed: bool,
}

#[derive(Serialize)]
struct GroupJson<'a> {
    name: &'a str,
    radius: i64,
    /// How large its agents are drawn.
    size: i64,
    /// Groups with a higher number are drawn over those with a lower one.
    order: u8,
    /// Its own color; left out if it has that of the palette.
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    /// The loops of its shape, each as x, y, x, y and so on, in thousandths of the size of an agent.
    outline: Vec<Vec<i32>>,
}

impl<'a> GroupJson<'a> {
    fn new(group: &'a SceneGroup, grid: &PageGrid) -> Self {
        let thousandths = |corner: &Vec2| [corner.x, corner.y].map(|x| (x * 1000.0).round() as i32);
        let loops = shape_loops(&group.appearance.shape);
        Self {
            name: &group.name,
            radius: grid.length(group.radius),
            size: grid.length(group.appearance.size_of(group.radius)),
            order: group.appearance.draw_order,
            color: group.appearance.color.map(|color| Color::from(color).css()),
            outline: loops
                .iter()
                .map(|corners| corners.iter().flat_map(thousandths).collect())
                .collect(),
        }
    }
}

#[derive(Serialize)]
struct FramesJson {
    exact: bool,
    /// Ticks from one frame to the next, at least 1.
    every: u64,
    frames: Vec<FrameJson>,
}

/// A frame, with one entry for each agent in each list.
#[derive(Serialize)]
struct FrameJson {
    tick: u64,
    /// Id, group, id, group and so on; left out if it is the same as in the previous frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    agents: Option<Vec<u32>>,
    x: Vec<i64>,
    y: Vec<i64>,
    /// Headings in degrees, counter-clockwise from the x axis.
    angle: Vec<i32>,
    /// The indices of absent obstacles; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    absent: Vec<usize>,
    /// The indices of obstacles that are elsewhere, each with how far in x and y; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moved: Vec<(usize, i64, i64)>,
}

impl<'a> ReportJson<'a> {
    fn new(page: &'a ReportPage) -> Self {
        Self {
            title: &page.title,
            light: ColorsJson::new(&LIGHT),
            dark: ColorsJson::new(&DARK),
            entries: page.entries.iter().map(EntryJson::new).collect(),
        }
    }
}

impl ColorsJson {
    fn new(palette: &Palette) -> Self {
        Self {
            ground: palette.ground.css(),
            outside: palette.outside.css(),
            edge: palette.edge.css(),
            solid: palette.solid.css(),
            wall: palette.wall.css(),
            path: palette.path.css(),
            band: palette.band.css(),
            ink: palette.ink.css(),
            highlight: palette.highlight.css(),
            ghost: palette.ghost.css(),
            groups: palette.groups().iter().copied().map(Color::css).collect(),
        }
    }
}

impl<'a> EntryJson<'a> {
    fn new(entry: &'a ReportEntry) -> Self {
        Self {
            name: &entry.name,
            outcome: match entry.outcome {
                EntryOutcome::Passed => "passed",
                EntryOutcome::Failed => "failed",
                EntryOutcome::Untested => "untested",
                EntryOutcome::Broken => "broken",
            },
            seconds: (entry.seconds * 1e4).round() / 1e4,
            cause: &entry.cause,
            diagnosis: &entry.diagnosis,
            compared: entry.compared.as_ref().map(ComparisonJson::new),
        }
    }
}

impl<'a> ComparisonJson<'a> {
    fn new(compared: &'a RunComparison) -> Self {
        let RunComparison { scene, expected, actual, .. } = compared;
        let view = compared.view();
        let grid = PageGrid::over(view);
        let short = |number: f32, digits| significant(number.into(), digits).parse().ok();
        let deviation = compared.deviation.iter();
        Self {
            step: grid.step,
            dt: short(compared.dt, 6).unwrap_or_default(),
            first: compared.first,
            first_tick: compared.first_tick,
            view: grid.rect(view.min, view.max),
            world: grid.rect(scene.space.min, scene.space.max()),
            edge: match scene.space.edge {
                Edge::Open => "open",
                Edge::Wrap => "wrap",
                Edge::Bounce => "bounce",
                Edge::Clamp => "clamp",
            },
            obstacles: scene
                .obstacles
                .iter()
                .map(|obstacle| grid.obstacle(&obstacle.shape))
                .collect(),
            paths: scene
                .paths
                .iter()
                .map(|path| PathJson {
                    points: grid.points(&path.points),
                    radius: grid.length(path.radius),
                    closed: path.is_closed(),
                })
                .collect(),
            groups: scene.groups.iter().map(|group| GroupJson::new(group, &grid)).collect(),
            expected: grid.frames(expected, scene, compared.first_tick),
            actual: grid.frames(actual, scene, compared.first_tick),
            // Numbers that are not finite become null.
            deviation: deviation
                .map(|(tick, far)| (*tick, short(*far, 4).filter(|far: &f64| far.is_finite())))
                .collect(),
        }
    }
}

impl RunComparison {
    /// Returns the part of the world that both runs need.
    pub(super) fn view(&self) -> Rect {
        let frames = self.expected.frames.iter().chain(&self.actual.frames);
        let places = frames.flat_map(|frame| frame.agents.iter().map(|agent| agent.pos));
        Rect::around(&self.scene.space, places)
    }
}

/// Converts world units to integer steps.
struct PageGrid {
    origin: Vec2,
    step: f64,
}

impl PageGrid {
    fn over(rect: Rect) -> Self {
        let size = rect.max - rect.min;
        Self { origin: rect.min, step: f64::from(math::max(size.x, size.y)) / STEPS }
    }

    fn place(&self, at: Vec2) -> [i64; 2] {
        [(at.x, self.origin.x), (at.y, self.origin.y)]
            .map(|(at, origin)| ((f64::from(at) - f64::from(origin)) / self.step).round() as i64)
    }

    fn length(&self, units: f32) -> i64 {
        (f64::from(units) / self.step).round() as i64
    }

    fn points(&self, points: &[Vec2]) -> Vec<i64> {
        points.iter().flat_map(|at| self.place(*at)).collect()
    }

    fn rect(&self, min: Vec2, max: Vec2) -> [i64; 4] {
        let ([left, lower], [right, upper]) = (self.place(min), self.place(max));
        [left, lower, right, upper]
    }

    fn obstacle(&self, shape: &Shape) -> ObstacleJson {
        match shape {
            Shape::Circle { center, radius } => {
                ObstacleJson::Disc { at: self.place(*center), radius: self.length(*radius) }
            }
            Shape::Segment { from, to } => {
                ObstacleJson::Wall { points: self.points(&[*from, *to]) }
            }
            Shape::Polygon(polygon) => {
                ObstacleJson::Polygon { points: self.points(polygon.corners()) }
            }
            Shape::Box(oriented) => {
                ObstacleJson::Polygon { points: self.points(&oriented.corners()) }
            }
            Shape::Room { min, max } => {
                ObstacleJson::Room { min: self.place(*min), max: self.place(*max) }
            }
        }
    }

    /// Returns the frames of a run, or an even sample if there are too many positions. The first frame, the last one and that
    /// of the tick `must_keep` are always included.
    fn frames(&self, track: &RunFrames, scene: &StaticScene, must_keep: Option<u64>) -> FramesJson {
        let places: usize = track.frames.iter().map(|frame| frame.agents.len()).sum();
        let every = places.div_ceil(MAX_POSITIONS).max(1);
        let last = track.frames.len().saturating_sub(1);
        let mut before: Vec<u32> = Vec::new();
        let mut frames = Vec::new();
        for (i, frame) in track.frames.iter().enumerate() {
            if i % every == 0 || i == last || Some(frame.tick) == must_keep {
                let columns = self.frame(frame, scene, &before);
                before = columns.agents.clone().unwrap_or(before);
                frames.push(columns);
            }
        }
        FramesJson { exact: track.exact, every: every as u64 * track.every.max(1), frames }
    }

    fn frame(&self, frame: &AgentFrame, scene: &StaticScene, before: &[u32]) -> FrameJson {
        let agents = &frame.agents;
        let ids_and_groups = agents.iter().flat_map(|agent| [agent.id.0, u32::from(agent.group)]);
        let ids_and_groups: Vec<u32> = ids_and_groups.collect();
        let places = agents.iter().map(|agent| self.place(agent.pos));
        let (x, y) = places.map(|[x, y]| (x, y)).unzip();
        let angle = agents
            .iter()
            .map(|agent| math::angle(agent.heading).to_degrees().round() as i32)
            .collect();
        let obstacles = scene.obstacles.iter().enumerate();
        let absent = obstacles.clone().filter(|(_, one)| frame.absent.contains(&one.name));
        let moved = obstacles.filter_map(|(index, one)| {
            let state = frame.moved.iter().find(|state| state.name == one.name)?;
            Some((index, self.length(state.offset.x), self.length(state.offset.y)))
        });
        FrameJson {
            absent: absent.map(|(index, _)| index).collect(),
            moved: moved.collect(),
            tick: frame.tick,
            agents: (ids_and_groups != before).then_some(ids_and_groups),
            x,
            y,
            angle,
        }
    }
}
