//! A picture of two runs at once: the expected and the actual tracks of all agents.

use std::collections::{BTreeMap, BTreeSet};

use flockwork_engine::math::Vec2;
use flockwork_engine::world::{AgentId, AgentShape};

use super::{AgentPosition, ReportPage, RunComparison, RunFrames};
use crate::draw::{
    self, AgentMark, Anchor, Camera, DARK, LIGHT, Palette, Pen, Picture, Scenery, background,
    scale_bar, text, text_width,
};

/// Length of the longer side of pictures in a report, in pixels.
const REPORT_SIDE: f32 = 1000.0;
/// Minimum length of the other side, as a part of the longer one.
const MIN_SIDE: f32 = 0.3;
/// Height of the header, in pixels.
const HEADER: f32 = 34.0;
/// Font size, in pixels.
const FONT_SIZE: f32 = 13.0;
/// Margin around the world in a report, in pixels.
const MARGIN: u32 = 44;
/// The same in a small picture.
const SMALL_MARGIN: u32 = 4;

/// Returns the pictures of a report, each with the name of its entry and its file name.
pub(super) fn pictures(page: &ReportPage) -> impl Iterator<Item = (&str, String, Vec<u8>)> {
    let mut taken = BTreeSet::new();
    page.entries.iter().filter_map(move |entry| {
        let compared = entry.compared.as_ref()?;
        let name = file_name(&entry.name, &mut taken);
        let mut picture = tracks_of_both(compared, &LIGHT, REPORT_SIDE, MARGIN);
        let height = picture.size().1 as f32;
        scale_bar(&mut picture, &compared.camera(REPORT_SIDE, MARGIN), &LIGHT, height);
        header(&mut picture, &LIGHT, &entry.name, compared);
        Some((&*entry.name, name, picture.png()))
    })
}

/// Returns a file name that is valid on any system and not taken by another picture.
fn file_name(name: &str, taken: &mut BTreeSet<String>) -> String {
    let is_allowed = |c: char| c.is_alphanumeric() || "._".contains(c);
    let name: String = name.chars().map(|c| if is_allowed(c) { c } else { '-' }).collect();
    let name = name.trim_start_matches(['.', '-']);
    let mut names = std::iter::once(format!("{name}.png"))
        .chain((2..).map(|number| format!("{name}-{number}.png")));
    // Some file systems ignore case, so names that differ only in case would overwrite each other.
    let free = names.find(|name| taken.insert(name.to_lowercase()));
    free.unwrap_or_default()
}

impl RunComparison {
    /// Returns a picture without words for a dark screen. Its longer side has this many pixels.
    pub(crate) fn small_picture(&self, side: f32) -> Picture {
        tracks_of_both(self, &DARK, side, SMALL_MARGIN)
    }

    /// Returns the width and the height of a picture, in pixels.
    fn size(&self, side: f32) -> (u32, u32) {
        let view = self.view();
        let extent = view.max - view.min;
        let longer = if extent.x > extent.y { extent.x } else { extent.y };
        let pixels = |units: f32| (units / longer * side).clamp(MIN_SIDE * side, side) as u32;
        (pixels(extent.x), pixels(extent.y))
    }

    fn camera(&self, side: f32, margin: u32) -> Camera {
        Camera::fit(self.view(), self.size(side), margin)
    }
}

/// Draws the tracks of all agents in both runs.
fn tracks_of_both(compared: &RunComparison, palette: &Palette, side: f32, margin: u32) -> Picture {
    let scene = &compared.scene;
    let camera = compared.camera(side, margin);
    let mut picture = Picture::new(compared.size(side), palette.ground);
    let (obstacles, paths) = (&scene.obstacles[..], &scene.paths[..]);
    let scenery = Scenery { obstacles, paths, ..Scenery::bare(&scene.space) };
    background(&mut picture, &camera, palette, scenery);
    let (expected, actual) = (tracks(&compared.expected), tracks(&compared.actual));
    let mut draw = |positions: &[Vec2], pen: Pen| {
        let positions = thinned(&camera, positions);
        draw::track(&mut picture, &camera, &scene.space, &positions, pen);
    };
    let others = |id: &AgentId| Some(*id) != compared.first;
    for (_, (_, positions)) in expected.iter().filter(|(id, _)| others(id)) {
        draw(positions, Pen::new(palette.ghost.alpha(110), 1.0));
    }
    for (_, (group, positions)) in actual.iter().filter(|(id, _)| others(id)) {
        draw(positions, Pen::new(scene.color(palette, *group).alpha(150), 1.2));
    }
    if let Some(first) = compared.first {
        if let Some((_, positions)) = expected.get(&first) {
            let dash = Some(6.0);
            let pen = Pen::new(palette.ink, 2.2);
            draw(positions, Pen { dash, ..pen });
        }
        if let Some((_, positions)) = actual.get(&first) {
            draw(positions, Pen::new(palette.highlight, 2.6));
        }
    }
    last_places(&mut picture, &camera, palette, compared);
    picture
}

/// Draws the last positions of all agents, and a circle where the first differing agent left its expected track.
fn last_places(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    compared: &RunComparison,
) {
    let group = |agent: &AgentPosition| compared.scene.groups.get(usize::from(agent.group));
    let last = compared.actual.frames.last();
    let agents = last.map_or(&[][..], |frame| &frame.agents);
    let mark = |agent: &AgentPosition| AgentMark {
        pos: agent.pos,
        heading: agent.heading,
        radius: group(agent).map_or(0.0, |group| group.radius),
        size: group(agent).map_or(0.0, |group| group.appearance.size_of(group.radius)),
        color: if Some(agent.id) == compared.first {
            palette.highlight
        } else {
            compared.scene.color(palette, agent.group.into())
        },
        shape: group(agent).map_or(&AgentShape::Dart, |group| &group.appearance.shape),
    };
    let mut agents: Vec<&AgentPosition> = agents.iter().collect();
    agents.sort_by_key(|agent| group(agent).map_or(0, |group| group.appearance.draw_order));
    let marks: Vec<AgentMark<'_>> = agents.into_iter().map(mark).collect();
    let space = &compared.scene.space;
    draw::agents(picture, camera, palette, space, &marks);
    let left = compared
        .actual
        .frames
        .iter()
        .find(|frame| compared.first_tick.is_some_and(|tick| frame.tick >= tick));
    let left = left.and_then(|frame| {
        let mut agents = frame.agents.iter();
        agents.find(|agent| Some(agent.id) == compared.first)
    });
    if let Some(agent) = left {
        let at = camera.pixel(agent.pos);
        picture.circle(at, 11.0, Pen::new(palette.highlight, 2.0));
    }
}

/// Writes the name of the scenario, what differs first, and a legend of the lines.
fn header(picture: &mut Picture, palette: &Palette, name: &str, compared: &RunComparison) {
    let width = picture.size().0 as f32;
    let strip = [(0.0, 0.0), (width, 0.0), (width, HEADER), (0.0, HEADER)];
    picture.polygon(&strip.map(Vec2::from), palette.ground.alpha(235));
    let base = HEADER / 2.0 + FONT_SIZE * 0.36;
    let mut right = width - 14.0;
    let dash = Some(6.0);
    let past = Pen::new(palette.ink, 2.2);
    for (word, pen) in
        [("actual", Pen::new(palette.highlight, 2.6)), ("expected", Pen { dash, ..past })]
    {
        let at = Vec2::new(right, base);
        text(picture, at, Anchor::Right, FONT_SIZE, palette.ink, word);
        right -= text_width(word, FONT_SIZE) + 8.0;
        let middle = HEADER / 2.0;
        let sample = [Vec2::new(right - 28.0, middle), Vec2::new(right, middle)];
        picture.line(&sample, false, pen);
        right -= 28.0 + 18.0;
    }
    let caption = match (compared.first, compared.first_tick) {
        (Some(agent), Some(tick)) => format!("{name}: agent {agent} differs first, at tick {tick}"),
        (Some(agent), None) => format!("{name}: agent {agent} differs first"),
        (None, Some(tick)) => format!("{name}: differs from tick {tick} on"),
        (None, None) => name.to_owned(),
    };
    let caption = shortened(&caption, right - 14.0);
    let at = Vec2::new(14.0, base);
    text(picture, at, Anchor::Left, FONT_SIZE, palette.ink, &caption);
}

/// Returns a line, or its end if it is too wide: the end says more than the beginning.
fn shortened(line: &str, width: f32) -> String {
    if text_width(line, FONT_SIZE) <= width {
        return line.to_owned();
    }
    let mut starts = line.char_indices().map(|(start, _)| start).skip(1);
    let fits = |rest: &String| text_width(rest, FONT_SIZE) <= width;
    let found = starts.find_map(|start| Some(format!("…{}", &line[start..])).filter(fits));
    found.unwrap_or_default()
}

/// Returns the group and the positions of each agent.
fn tracks(track: &RunFrames) -> BTreeMap<AgentId, (usize, Vec<Vec2>)> {
    let mut ways: BTreeMap<AgentId, (usize, Vec<Vec2>)> = BTreeMap::new();
    for agent in track.frames.iter().flat_map(|frame| &frame.agents) {
        let (_, positions) =
            ways.entry(agent.id).or_insert_with(|| (agent.group.into(), Vec::new()));
        positions.push(agent.pos);
    }
    ways
}

/// Returns a track without positions that are within a pixel of the previous one. The last position is kept.
fn thinned(camera: &Camera, positions: &[Vec2]) -> Vec<Vec2> {
    let mut kept: Vec<Vec2> = Vec::new();
    for (i, at) in positions.iter().enumerate() {
        let near =
            kept.last().is_some_and(|last| camera.pixel(*last).distance(camera.pixel(*at)) < 1.0);
        if !near || i + 1 == positions.len() {
            kept.push(*at);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_valid_and_differ() {
        let mut taken = BTreeSet::new();
        let mut name = |name| file_name(name, &mut taken);
        assert_eq!(name("scenarios/flock.ron"), "scenarios-flock.ron.png");
        assert_eq!(name("scenarios-Flock.ron"), "scenarios-Flock.ron-2.png");
        assert_eq!(name("../a b\\c:d.ron"), "a-b-c-d.ron.png");
    }

    #[test]
    fn lines_that_are_too_wide_keep_their_end_only() {
        let short = shortened("scenarios/of/a/long/name.ron: at tick 7", 120.0);
        assert!(short.starts_with('…') && short.ends_with("at tick 7"), "{short}");
        assert_eq!(shortened("short", 120.0), "short");
        assert_eq!(shortened("short", -1.0), "");
    }
}
