//! The report of a test run: one HTML page that needs nothing but a browser.
//!
//! Owns the page, its data, and the pictures beside it. It receives plain data and must not run scenarios itself. The page
//! must not load anything.

mod columns;
mod compare;
mod data;
mod figures;
mod maps;
mod overlay;
mod sweep;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use flockwork_engine::math::Vec2;
use flockwork_engine::world::{
    self, AgentId, Agents, Appearance, Obstacle, ObstacleState, Space, World,
};
use flockwork_engine::{Diagnostic, FileKind, OutputFile, load};

use crate::draw::{Color, Palette};

pub(crate) use columns::Column;
pub(crate) use compare::{COMPARE_PAGE, ComparePage};
pub(crate) use figures::{FIGURE, Figure, FigureSource};
pub(crate) use sweep::{PageTable, SweepPage, TimeSeries};

/// The content of a report.
#[derive(Clone, Debug)]
pub(crate) struct ReportPage {
    /// The heading of the page.
    pub title: String,
    /// The scenarios, in any order.
    pub entries: Vec<ReportEntry>,
}

/// The result of one scenario.
#[derive(Clone, Debug)]
pub(crate) struct ReportEntry {
    /// The path of the scenario, as a person would type it.
    pub name: String,
    /// The outcome.
    pub outcome: EntryOutcome,
    /// Duration of the test, in seconds.
    pub seconds: f64,
    /// Why it did not pass, in a sentence; empty if it passed.
    pub cause: String,
    /// The diagnosis as a terminal shows it, without colors; may be empty.
    pub diagnosis: String,
    /// The expected and the actual run, if they differ.
    pub compared: Option<RunComparison>,
}

/// The outcome of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryOutcome {
    /// The run is as expected.
    Passed,
    /// The run is not as expected.
    Failed,
    /// The scenario has neither a golden nor expectations.
    Untested,
    /// The scenario could not be run.
    Broken,
}

/// Two runs of a scenario that are compared.
#[derive(Clone, Debug)]
pub(crate) struct RunComparison {
    /// The world of both runs.
    pub scene: StaticScene,
    /// Seconds per tick.
    pub dt: f32,
    /// The expected run.
    pub expected: RunFrames,
    /// The current run.
    pub actual: RunFrames,
    /// Id of the agent that differs first, if there is one.
    pub first: Option<AgentId>,
    /// The first tick that differs, if there is one.
    pub first_tick: Option<u64>,
    /// Ticks in ascending order, each with the distance between the two runs, in world units.
    pub deviation: Vec<(u64, f32)>,
}

/// The parts of the world that do not move, and the groups.
#[derive(Clone, Debug)]
pub(crate) struct StaticScene {
    /// The plane and its edge.
    pub space: Space,
    /// Obstacles where the scenario puts them, also those that are absent at times.
    pub obstacles: Vec<Obstacle>,
    /// Paths.
    pub paths: Vec<world::Path>,
    /// The groups.
    pub groups: Vec<SceneGroup>,
}

/// What a report needs of a group.
#[derive(Clone, Debug)]
pub(crate) struct SceneGroup {
    /// Its name.
    pub name: String,
    /// The largest radius of its agents, in world units.
    pub radius: f32,
    /// How its agents are drawn.
    pub appearance: Appearance,
}

/// Positions of all agents in some ticks of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunFrames {
    /// Whether the run was available; if not, ticks between two frames are unknown.
    pub exact: bool,
    /// Ticks from one frame to the next, at least 1.
    pub every: u64,
    /// Frames in ascending order of ticks.
    pub frames: Vec<AgentFrame>,
}

/// Positions of all agents in one tick.
#[derive(Clone, Debug)]
pub(crate) struct AgentFrame {
    /// The tick.
    pub tick: u64,
    /// All agents, in ascending order of ids.
    pub agents: Vec<AgentPosition>,
    /// The names of the obstacles that are absent.
    pub absent: Vec<Arc<str>>,
    /// The obstacles that are not where the scenario puts them.
    pub moved: Vec<ObstacleState>,
}

/// Position and heading of one agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AgentPosition {
    /// Id of the agent.
    pub id: AgentId,
    /// Index of its group in the scene.
    pub group: u16,
    /// Position, in world units.
    pub pos: Vec2,
    /// Heading, a unit vector.
    pub heading: Vec2,
}

impl StaticScene {
    /// Returns the scene of a world.
    pub(crate) fn new(world: &World) -> Self {
        let groups = world.groups.iter();
        Self {
            space: world.space,
            obstacles: world.obstacles_at_home(),
            paths: world.paths.clone(),
            groups: groups
                .map(|group| SceneGroup {
                    name: group.name.to_string(),
                    radius: group.largest_radius(),
                    appearance: group.appearance.clone(),
                })
                .collect(),
        }
    }
}

impl StaticScene {
    /// Returns the color of a group by its index.
    fn color(&self, palette: &Palette, group: usize) -> Color {
        palette.color(self.groups.get(group).and_then(|group| group.appearance.color), group)
    }
}

impl AgentFrame {
    /// Returns the frame of a tick.
    pub(crate) fn at(
        tick: u64,
        all: &Agents,
        absent: Vec<Arc<str>>,
        moved: Vec<ObstacleState>,
    ) -> Self {
        let agents = (0..all.len()).map(|row| AgentPosition {
            id: all.id[row],
            group: all.group[row].0,
            pos: all.pos(row),
            heading: all.heading(row),
        });
        Self { tick, agents: agents.collect(), absent, moved }
    }
}

/// File name of the page.
const INDEX: &str = "index.html";

/// Pictures as [`Picture::png`](crate::draw::Picture::png) returns them.
pub(crate) const PICTURE: FileKind = FileKind::new("a PNG picture", &[&[b"\x89PNG\r\n\x1a\n"]]);

/// The kind of file of the page, in any version.
const PAGE: FileKind = FileKind::new(
    "a Flockwork report",
    &[&[b"<!doctype html>", b"<meta name=\"generator\" content=\"flockwork\">"]],
);

/// Writes the page into a folder as `index.html`, and for each scenario whose runs are compared a picture of both, named
/// after the scenario. Creates the folder if necessary. Returns the file names of the pictures by the names of the scenarios.
///
/// # Errors
///
/// If the folder cannot be created, a file cannot be written, or a file of that name is not from an earlier report. Such a
/// file is not changed.
pub(crate) fn write(
    folder: &Path,
    page: &ReportPage,
) -> Result<BTreeMap<String, String>, Diagnostic> {
    load::make_folder(folder)?;
    let index = folder.join(INDEX);
    // The person did not name the pictures. So existing ones are replaced only if there is an older report beside them.
    let has_older = index.exists();
    let file = OutputFile::create(&index, PAGE)?;
    write_file(file, &index, html(page).as_bytes())?;
    let mut pictures = BTreeMap::new();
    for (entry, name, png) in overlay::pictures(page) {
        let path = folder.join(&name);
        pictures.insert(entry.to_owned(), name);
        let file = if has_older {
            OutputFile::create(&path, PICTURE)
        } else {
            OutputFile::create_new(&path)
        };
        write_file(file?, &path, &png)?;
    }
    Ok(pictures)
}

/// Checks that a report can be written into a folder, before the tests run.
///
/// # Errors
///
/// If the folder has another `index.html`.
pub(crate) fn check(folder: &Path) -> Result<(), Diagnostic> {
    if folder.is_dir() { OutputFile::check(&folder.join(INDEX), PAGE) } else { Ok(()) }
}

fn write_file(mut file: OutputFile, path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    file.write_all(bytes).map_err(|error| OutputFile::error(path, &error))?;
    file.commit()
}

/// Returns the HTML of the page.
fn html(page: &ReportPage) -> String {
    let title = escape(&page.title);
    let data = data::json(page);
    let mut html = String::new();
    // One pass over the template, since the inserted data may contain the markers.
    for piece in include_str!("page.html").split("@@") {
        html += match piece {
            "title" => &title,
            "style" => include_str!("page.css"),
            "draw" => include_str!("draw.js"),
            "script" => include_str!("page.js"),
            "report" => &data,
            other => other,
        };
    }
    html
}

/// Returns text with the characters escaped that are special in HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
