//! Editing the scene by mouse: marks at the places that are written in the scenario, which can be moved, added and removed.

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::scenario::{Handle, Outline, SceneEdit, ScenePart, SceneShape};
use flockwork_engine::world::AgentId;

use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::{Anchor, Camera, Color, Palette, Pen, Picture, text, text_width};

/// Distance within which a mark is hit, in pixels.
const HIT: f32 = 12.0;
/// Half the side of a mark, in pixels.
const HALF: f32 = 4.5;
/// A size has no mark if it would be nearer to the center than this, in pixels.
const MIN_SIZE: f32 = 16.0;
/// Radius of a new obstacle, in pixels.
const OBSTACLE: f32 = 24.0;
/// Size of the name of a mark, in pixels.
const NAME: f32 = 13.0;

/// What the next click adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Obstacle,
    PathPoint,
    Goal,
    Agent,
}

/// The state of editing by mouse.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SceneEditor {
    pub(super) tool: Option<Tool>,
    selection: Option<Selection>,
    grab: Option<Grab>,
}

/// The place that is selected.
#[derive(Clone, Debug, PartialEq)]
enum Selection {
    /// By its part and its number.
    Number(ScenePart, usize),
    /// What was added at a place, to a part, or as an obstacle.
    Added(Option<ScenePart>, Vec2),
}

impl Selection {
    fn is(&self, handle: &Handle) -> bool {
        match self {
            Self::Number(part, number) => (part, *number) == (&handle.part, handle.number),
            Self::Added(Some(part), at) => *part == handle.part && *at == handle.at,
            Self::Added(None, at) => {
                matches!(handle.part, ScenePart::Obstacle(_)) && *at == handle.at
            }
        }
    }
}

/// Places that are being moved.
#[derive(Clone, Debug, PartialEq)]
struct Grab {
    part: ScenePart,
    /// The numbers of the places and where they were.
    places: Vec<(usize, Vec2)>,
    /// Where the pointer was and where it is, in world units.
    from: Vec2,
    to: Vec2,
}

impl Grab {
    /// Returns the numbers of the places and where they are moved to.
    fn moved(&self) -> impl Iterator<Item = (usize, Vec2)> {
        let by = self.to - self.from;
        self.places.iter().map(move |(number, at)| (*number, *at + by))
    }
}

impl SceneEditor {
    /// Handles a press on the world. Returns the edit that it makes, or `None` and whether the editor follows the pointer.
    pub(super) fn press(
        &mut self,
        at: Vec2,
        camera: &Camera,
        ui: &EditedScene<'_>,
    ) -> (Option<SceneEdit>, bool) {
        if let Some(tool) = self.tool.take() {
            let edit = self.add(tool, at, camera, ui);
            self.selection = match &edit {
                Some(SceneEdit::AddObstacle { center, .. }) => {
                    Some(Selection::Added(None, *center))
                }
                Some(SceneEdit::AddPlace { part, at, .. }) => {
                    Some(Selection::Added(Some(part.clone()), *at))
                }
                _ => None,
            };
            return (edit, true);
        }
        let grabbed = ui.handle_at(at, camera).map(|handle| (handle, vec![handle]));
        let grabbed = grabbed.or_else(|| ui.obstacle_at(at));
        let Some((handle, all)) = grabbed else {
            self.selection = None;
            return (None, false);
        };
        self.selection = Some(Selection::Number(handle.part.clone(), handle.number));
        let places = all.iter().map(|one| (one.number, one.at)).collect();
        self.grab = Some(Grab { part: handle.part.clone(), places, from: at, to: at });
        (None, true)
    }

    /// Handles a movement of the pointer to a place, in world units.
    pub(super) fn drag(&mut self, to: Vec2) {
        if let Some(grab) = &mut self.grab {
            grab.to = to;
        }
    }

    /// Handles the release of the button. Returns the edit that moves what was grabbed, if it was moved.
    pub(super) fn release(&mut self, camera: &Camera) -> Option<SceneEdit> {
        let grab = self.grab.take()?;
        if camera.pixels(grab.to.distance(grab.from)) < 3.0 {
            return None;
        }
        let to = grab.moved().map(|(number, at)| (number, rounded(at, camera)));
        Some(SceneEdit::Move { to: to.collect(), part: grab.part })
    }

    /// Leaves what was grabbed where it is written.
    pub(super) fn let_go(&mut self) {
        self.grab = None;
    }

    /// Returns the selected place, if it exists.
    pub(super) fn selected<'s>(&self, state: &'s ViewState) -> Option<&'s Handle> {
        let selection = self.selection.as_ref()?;
        state.handles.iter().rev().find(|handle| selection.is(handle))
    }

    /// Selects nothing, and returns whether something was selected.
    pub(super) fn deselect(&mut self, state: &ViewState) -> bool {
        let was_selected = self.selected(state).is_some();
        self.selection = None;
        was_selected
    }

    /// Returns the edit that removes the selected place.
    pub(super) fn remove(&mut self, state: &ViewState) -> Option<SceneEdit> {
        let Handle { part, number, .. } = self.selected(state)?;
        let edit = SceneEdit::Remove { part: part.clone(), number: *number };
        self.selection = None;
        Some(edit)
    }

    /// Returns the group to which a tool adds something, if it does.
    pub(super) fn group(&self, tool: Tool, scene: &EditedScene<'_>) -> Option<String> {
        match tool {
            Tool::Goal | Tool::Agent => {
                Some(match self.selected(scene.state).map(|one| &one.part) {
                    Some(ScenePart::Goals(group) | ScenePart::Spawn(group)) => group.clone(),
                    _ => scene.group.clone(),
                })
            }
            Tool::Obstacle | Tool::PathPoint => None,
        }
    }

    /// Returns why a tool can add nothing. `None` if it can.
    pub(super) fn why_not(&self, tool: Tool, scene: &EditedScene<'_>) -> Option<String> {
        let part = match tool {
            Tool::Obstacle => return None,
            Tool::PathPoint => {
                let mut all = scene.state.handles.iter();
                let has_path = all.any(|handle| matches!(handle.part, ScenePart::Path(_)));
                let none = "the scenario has no path; write `paths: {..}` in the file";
                return (!has_path).then(|| none.to_owned());
            }
            Tool::Goal => ScenePart::Goals(self.group(tool, scene)?),
            Tool::Agent => ScenePart::Spawn(self.group(tool, scene)?),
        };
        let mut full = scene.state.full_parts.iter();
        full.find(|full| full.part == part).map(|full| full.why.clone())
    }

    /// Returns where the places of a part are drawn: where they are moved to, or where they are written.
    fn places(&self, handles: &[Handle]) -> Vec<Vec2> {
        let written: Vec<Vec2> = handles.iter().map(|handle| handle.at).collect();
        let is_grabbed = |grab: &&Grab| handles.iter().all(|handle| handle.part == grab.part);
        match (self.grab.as_ref().filter(is_grabbed), handles.first()) {
            (Some(grab), Some(first)) => {
                first.shape.moved(&written, &grab.moved().collect::<Vec<_>>())
            }
            _ => written,
        }
    }

    fn add(
        &self,
        tool: Tool,
        at: Vec2,
        camera: &Camera,
        scene: &EditedScene<'_>,
    ) -> Option<SceneEdit> {
        let place = rounded(at, camera);
        if tool == Tool::Obstacle {
            let radius = rounded(Vec2::splat(camera.units(OBSTACLE)), camera).x;
            return Some(SceneEdit::AddObstacle { center: place, radius });
        }
        let (part, before) = match (tool, self.group(tool, scene)) {
            (Tool::Goal, Some(group)) => (ScenePart::Goals(group), None),
            (Tool::Agent, Some(group)) => (ScenePart::Spawn(group), None),
            _ => {
                let selected = self.selected(scene.state).map(|one| &one.part);
                scene.nearest_path(at, selected)?
            }
        };
        Some(SceneEdit::AddPlace { part, before, at: place })
    }
}

/// The scene that is edited.
pub(super) struct EditedScene<'s> {
    pub(super) state: &'s ViewState,
    /// The name of the group to which agents and goals are added.
    pub(super) group: String,
}

impl<'s> EditedScene<'s> {
    /// Returns the place whose mark is hit.
    fn handle_at(&self, at: Vec2, camera: &Camera) -> Option<&'s Handle> {
        let pixel = camera.pixel(at);
        let near = parts(self.state).flat_map(|part| shown(part, camera)).filter_map(|handle| {
            let distance = camera.pixel(handle.at).distance(pixel);
            (distance <= HIT).then_some((distance, handle))
        });
        near.min_by(|left, right| left.0.total_cmp(&right.0)).map(|(_, handle)| handle)
    }

    /// Returns the obstacle around a place: its first place, and all of them.
    fn obstacle_at(&self, at: Vec2) -> Option<(&'s Handle, Vec<&'s Handle>)> {
        let mut obstacles = self.state.world.obstacles.iter();
        let found = obstacles.find(|one| one.shape.surface(at).distance < 0.0)?;
        let part = ScenePart::Obstacle(found.name.to_string());
        let all: Vec<&Handle> =
            self.state.handles.iter().filter(|one| one.part == part && !one.is_size).collect();
        Some((*all.first()?, all))
    }

    /// Returns the selected path, or the one nearest to a place, and the number of the point before which a new one belongs.
    fn nearest_path(
        &self,
        at: Vec2,
        selected: Option<&ScenePart>,
    ) -> Option<(ScenePart, Option<usize>)> {
        let only = selected.filter(|part| matches!(part, ScenePart::Path(_)));
        let points = self.state.handles.iter().filter(|handle| match only {
            Some(only) => handle.part == *only,
            None => matches!(handle.part, ScenePart::Path(_)),
        });
        let points: Vec<&Handle> = points.collect();
        let mut best: Option<(f32, &ScenePart, Option<usize>)> = None;
        for pair in points.windows(2).filter(|pair| pair[0].part == pair[1].part) {
            let (from, along) = (pair[0].at, pair[1].at - pair[0].at);
            let squared = along.length_squared();
            let share = if squared > 0.0 { (at - from).dot(along) / squared } else { 0.0 };
            let distance = at.distance(from + along * share.clamp(0.0, 1.0));
            let is_first = pair[0].number == 0;
            let next = points
                .iter()
                .any(|one| one.part == pair[1].part && one.number == pair[1].number + 1);
            let before = if share <= 0.0 && is_first {
                Some(0)
            } else if share >= 1.0 && !next {
                None
            } else {
                Some(pair[1].number)
            };
            if best.is_none_or(|(least, ..)| distance < least) {
                best = Some((distance, &pair[0].part, before));
            }
        }
        best.map(|(_, part, before)| (part.clone(), before))
    }
}

/// Returns a place with as few digits as one pixel needs.
fn rounded(at: Vec2, camera: &Camera) -> Vec2 {
    let mut step = 1.0_f64;
    while step > f64::from(camera.units(1.0)) && step > 1e-4 {
        step /= 10.0;
    }
    let round = |x: f32| ((f64::from(x) / step).round() * step) as f32;
    Vec2::new(round(at.x), round(at.y))
}

/// Returns the places of each part.
fn parts(state: &ViewState) -> impl Iterator<Item = &[Handle]> {
    state.handles.chunk_by(|one, next| one.part == next.part)
}

/// Returns the places of a part that have a mark.
fn shown<'h>(part: &'h [Handle], camera: &Camera) -> impl Iterator<Item = &'h Handle> {
    part.iter().filter(|handle| {
        !handle.is_size || camera.pixels(part[0].at.distance(handle.at)) >= MIN_SIZE
    })
}

/// Returns why an agent cannot be moved, and what to do instead.
pub(super) fn why_not_moved(state: &ViewState, id: AgentId) -> String {
    let agents = &state.world.agents;
    let Some(row) = agents.row(id) else {
        return format!("agent {id} is gone");
    };
    let group = state.world.group(agents.group[row]).name.to_string();
    let part = ScenePart::Spawn(group.clone());
    if state.full_parts.iter().any(|full| full.part == part) {
        return format!(
            "agent {id} cannot be moved, since the scenario has no place for each agent of `{group}`: save what you see with s and edit that scenario, or write `spawn: Points([..])`"
        );
    }
    format!("agent {id} has left its mark: drag a mark of `{group}`, where its agents begin")
}

/// Returns what a place is called.
fn name(handle: &Handle) -> String {
    let Handle { part, number, .. } = handle;
    match (part, handle.shape) {
        (ScenePart::Spawn(group), SceneShape::Rect) => {
            format!("corner of the start area of `{group}`")
        }
        (ScenePart::Spawn(group), SceneShape::Circle) => {
            let place = if handle.is_size { "rim" } else { "center" };
            format!("{place} of the start area of `{group}`")
        }
        (_, SceneShape::Circle) if handle.is_size => format!("{}, radius", part.name()),
        (_, SceneShape::Box { .. }) if handle.is_size => format!("{}, size", part.name()),
        (ScenePart::Obstacle(name) | ScenePart::Field(name), _) => name.clone(),
        (ScenePart::Path(name), _) => format!("{name}, point {}", number + 1),
        (ScenePart::Goals(group), _) => format!("goal {} of {group}", number + 1),
        (ScenePart::Spawn(group), _) => format!("start {} of {group}", number + 1),
    }
}

/// Draws the marks, if the scene is edited.
pub(super) fn draw(picture: &mut Picture, camera: &Camera, ui: &Ui, state: &ViewState) {
    let Some(editor) = &ui.editor else {
        return;
    };
    let (palette, selected) = (ui.palette(), editor.selected(state));
    for part in parts(state) {
        let (places, color) = (editor.places(part), color(palette, &part[0], state));
        let dashed = Pen { dash: Some(4.0), ..Pen::new(color, 1.3) };
        let is_moved = places.iter().zip(part).any(|(at, handle)| *at != handle.at);
        // Obstacles and paths are drawn where they are. Areas are drawn only here.
        let is_drawn = matches!(part[0].part, ScenePart::Obstacle(_) | ScenePart::Path(_));
        if is_moved || !is_drawn {
            outline(picture, camera, part[0].shape.outline(&places), dashed);
        }
        for handle in shown(part, camera) {
            let at = camera.pixel(places[handle.number]).round();
            let written = camera.pixel(handle.at);
            if at.distance(written) > 2.0 && !handle.is_size {
                picture.line(&[written, at], false, dashed);
            }
            let is_selected = selected == Some(handle);
            let is_near = ui.pointer.distance(at) <= HIT;
            let color = if is_selected { palette.highlight } else { color };
            if handle.is_size {
                picture.disc(at, HALF, palette.ground);
                picture.circle(at, HALF, Pen::new(color, 2.0));
            } else {
                mark(picture, palette, at, color);
            }
            if is_selected || is_near {
                label(picture, palette, at, &name(handle));
            }
        }
    }
}

fn color(palette: &Palette, handle: &Handle, state: &ViewState) -> Color {
    match &handle.part {
        ScenePart::Goals(group) | ScenePart::Spawn(group) => {
            let group = state.world.names().group(group);
            group.map_or(palette.ink, |group| palette.group(group.0.into()))
        }
        ScenePart::Obstacle(_) | ScenePart::Path(_) | ScenePart::Field(_) => palette.ink,
    }
}

/// Draws a shape.
fn outline(picture: &mut Picture, camera: &Camera, shape: Option<Outline>, pen: Pen) {
    match shape {
        Some(Outline::Circle { center, radius }) => {
            picture.circle(camera.pixel(center), camera.pixels(radius), pen);
        }
        Some(Outline::Line { points, is_closed }) => {
            let points: Vec<Vec2> = points.iter().map(|at| camera.pixel(*at)).collect();
            picture.line(&points, is_closed, pen);
        }
        None => {}
    }
}

fn mark(picture: &mut Picture, palette: &Palette, at: Vec2, color: Color) {
    let (min, max) = (at - Vec2::splat(HALF), at + Vec2::splat(HALF));
    picture.fill_rect(min, max, palette.ground);
    let corners = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
    picture.line(&corners, true, Pen::new(color, 2.0));
}

fn label(picture: &mut Picture, palette: &Palette, at: Vec2, words: &str) {
    let width = text_width(words, NAME);
    // To the left of a mark near the right edge.
    let right = at.x + 2.0 * HALF + width + 8.0;
    let left =
        if right > picture.corner().x { at.x - 2.0 * HALF - width } else { at.x + 2.0 * HALF };
    let base = Vec2::new(math::max(left, 4.0), at.y + NAME / 3.0);
    let pad = Vec2::new(4.0, 3.0);
    let area = (base - Vec2::new(0.0, NAME - 2.0) - pad, base + Vec2::new(width, 2.0) + pad);
    picture.fill_rect(area.0, area.1, palette.panel);
    text(picture, base, Anchor::Left, NAME, palette.ink, words);
}
