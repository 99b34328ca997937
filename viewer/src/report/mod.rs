//! The report of a test run, for people: one page that needs nothing but a browser.
//!
//! Owns the page, what is put into it, and the pictures beside it. It is given plain data and runs
//! nothing itself. The page loads nothing, from anywhere.

mod data;
mod overlay;

use std::io::Write;
use std::path::Path;

use flockwork_engine::math::Vec2;
use flockwork_engine::world::{self, Agents, Obstacle, Space, World};
use flockwork_engine::{Diagnostic, FileKind, OutputFile, load};

use crate::draw::Picture;

/// All that is told.
#[derive(Clone, Debug)]
pub(crate) struct ReportPage {
    /// Its heading.
    pub title: String,
    /// The scenarios, in any order.
    pub entries: Vec<ReportEntry>,
}

/// What became of one scenario.
#[derive(Clone, Debug)]
pub(crate) struct ReportEntry {
    /// Its path, as a person would type it.
    pub name: String,
    /// What became of it.
    pub outcome: EntryOutcome,
    /// How long it took.
    pub seconds: f64,
    /// Why it did not pass, in a sentence; empty if it did.
    pub cause: String,
    /// What is to be said, as on a terminal but without colors; empty if nothing is.
    pub diagnosis: String,
    /// What was expected beside what happened, where they differ.
    pub compared: Option<RunComparison>,
}

/// What became of a scenario, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryOutcome {
    /// It does what is expected.
    Passed,
    /// It does something else.
    Failed,
    /// There is neither a golden nor an expectation.
    Untested,
    /// It could not be run.
    Broken,
}

/// Two runs of one scenario.
#[derive(Clone, Debug)]
pub(crate) struct RunComparison {
    /// Where they take place.
    pub scene: StaticScene,
    /// Seconds per tick.
    pub dt: f32,
    /// The run that is taken for right.
    pub expected: RunFrames,
    /// The run of today.
    pub actual: RunFrames,
    /// The id of the agent that diverged first, if one did.
    pub first: Option<u32>,
    /// The tick in which it did.
    pub first_tick: Option<u64>,
    /// Ticks, rising, and how far apart the two runs were, in world units.
    pub deviation: Vec<(u64, f32)>,
}

/// What does not move, and what agents look like.
#[derive(Clone, Debug)]
pub(crate) struct StaticScene {
    /// The plane and its edge.
    pub space: Space,
    /// In the way of agents.
    pub obstacles: Vec<Obstacle>,
    /// For agents to follow.
    pub paths: Vec<world::Path>,
    /// The name of each group, and its agents' radius in world units.
    pub groups: Vec<(String, f32)>,
}

/// Where all agents were in some ticks.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunFrames {
    /// Whether any tick could have been kept; if not, what is between two frames is not known.
    pub exact: bool,
    /// One of so many ticks was kept, at least 1.
    pub every: u64,
    /// By rising tick.
    pub frames: Vec<AgentFrame>,
}

/// Where all agents were in one tick.
#[derive(Clone, Debug)]
pub(crate) struct AgentFrame {
    /// The tick.
    pub tick: u64,
    /// All agents there were, by rising id.
    pub agents: Vec<AgentPosition>,
}

/// Where one agent was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AgentPosition {
    /// Its name.
    pub id: u32,
    /// The place of its group in the scene.
    pub group: u16,
    /// In world units.
    pub pos: Vec2,
    /// The unit vector it looked along.
    pub heading: Vec2,
}

impl StaticScene {
    /// The scene of a world.
    pub(crate) fn of(world: &World) -> Self {
        let groups = world.groups.iter();
        Self {
            space: world.space,
            obstacles: world.obstacles.clone(),
            paths: world.paths.clone(),
            groups: groups.map(|group| (group.name.to_string(), group.largest_radius())).collect(),
        }
    }
}

impl AgentFrame {
    /// Where agents are in a tick.
    pub(crate) fn at(tick: u64, all: &Agents) -> Self {
        let agents = (0..all.len()).map(|row| AgentPosition {
            id: all.id[row],
            group: all.group[row].0,
            pos: all.pos[row],
            heading: all.heading[row],
        });
        Self { tick, agents: agents.collect() }
    }
}

/// The page's name in its folder.
const INDEX: &str = "index.html";

/// A page of ours, of any version.
const PAGE: FileKind = FileKind {
    name: "a report of Flockwork",
    beginnings: &[&[b"<!doctype html>", b"<meta name=\"generator\" content=\"flockwork\">"]],
    max_bytes: u64::MAX,
};

/// Writes the page into a folder, as `index.html`, and for each scenario whose runs are compared a picture
/// of both, under the scenario's name. Makes the folder if there is none.
///
/// # Errors
///
/// If the folder cannot be made, or a file in it cannot be written or is not of an earlier report. What was
/// there under its name before then still is.
pub(crate) fn write(folder: &Path, page: &ReportPage) -> Result<(), Diagnostic> {
    load::make_folder(folder)?;
    let index = folder.join(INDEX);
    // Nobody has named the pictures: without an older report beside them, they are not of one.
    let has_older = index.exists();
    let file = OutputFile::create(&index, PAGE)?;
    write_file(file, &index, html(page).as_bytes())?;
    for (name, png) in overlay::pictures(page) {
        let path = folder.join(name);
        let file = if has_older {
            OutputFile::create(&path, Picture::KIND)
        } else {
            OutputFile::create_new(&path)
        };
        write_file(file?, &path, &png)?;
    }
    Ok(())
}

/// Checks that a report can be written into a folder, before all that it is to tell of is done.
///
/// # Errors
///
/// If the folder's page is of something else.
pub(crate) fn check(folder: &Path) -> Result<(), Diagnostic> {
    if folder.is_dir() { OutputFile::check(&folder.join(INDEX), PAGE) } else { Ok(()) }
}

fn write_file(mut file: OutputFile, path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    file.write_all(bytes).map_err(|error| OutputFile::error(path, &error))?;
    file.commit()
}

/// The page's text.
fn html(page: &ReportPage) -> String {
    let title = escaped(&page.title);
    let data = data::json(page);
    let mut html = String::new();
    // In one go, since what is put in may contain anything.
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

/// A text as it is written between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
