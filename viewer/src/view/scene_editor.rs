//! Editing the scene by mouse: marks at the places that are written in the scenario, which can be moved, added and removed.

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::scenario::{Handle, SceneEdit, ScenePart};

use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::{Anchor, Camera, Color, Palette, Pen, Picture, text, text_width};

/// Distance within which a mark is hit, in pixels.
const HIT: f32 = 12.0;
/// Half the side of a mark, in pixels.
const HALF: f32 = 4.5;
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
    /// The selected place: its part and its number.
    pub(super) selected: Option<(ScenePart, usize)>,
    grab: Option<Grab>,
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

impl SceneEditor {
    /// Handles a press on the world. Returns the edit that it makes, or `None` and whether the editor follows the pointer.
    pub(super) fn press(
        &mut self,
        at: Vec2,
        camera: &Camera,
        ui: &EditedScene<'_>,
    ) -> (Option<SceneEdit>, bool) {
        if let Some(tool) = self.tool.take() {
            return (self.add(tool, at, camera, ui), true);
        }
        let grabbed = ui.handle_at(at, camera).map(|handle| (handle, vec![handle]));
        let grabbed = grabbed.or_else(|| ui.obstacle_at(at));
        let Some((handle, all)) = grabbed else {
            self.selected = None;
            return (None, false);
        };
        self.selected = Some((handle.part.clone(), handle.number));
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
        let by = grab.to - grab.from;
        let to = grab.places.iter().map(|(number, at)| (*number, rounded(*at + by, camera)));
        Some(SceneEdit::Move { part: grab.part, to: to.collect() })
    }

    /// Returns the edit that removes the selected place.
    pub(super) fn remove(&mut self) -> Option<SceneEdit> {
        let (part, number) = self.selected.take()?;
        Some(SceneEdit::Remove { part, number })
    }

    /// Returns where a place is drawn: where it is moved to, or where it is written.
    fn place(&self, handle: &Handle) -> Vec2 {
        let grab = self.grab.as_ref().filter(|grab| {
            grab.part == handle.part
                && grab.places.iter().any(|(number, _)| *number == handle.number)
        });
        grab.map_or(handle.at, |grab| handle.at + grab.to - grab.from)
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
        let selected = self.selected.as_ref().map(|(part, _)| part);
        let group = match selected {
            Some(ScenePart::Goals(group) | ScenePart::Spawn(group)) => group.clone(),
            _ => scene.group.clone(),
        };
        let (part, before) = match tool {
            Tool::Goal => (ScenePart::Goals(group), None),
            Tool::Agent => (ScenePart::Spawn(group), None),
            Tool::PathPoint | Tool::Obstacle => scene.nearest_path(at, selected)?,
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
        let near = self.state.handles.iter().filter_map(|handle| {
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
            self.state.handles.iter().filter(|handle| handle.part == part).collect();
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

/// Returns what a place is called.
pub(super) fn name(part: &ScenePart, number: usize) -> String {
    match part {
        ScenePart::Obstacle(name) | ScenePart::Field(name) => name.clone(),
        ScenePart::Path(name) => format!("{name}, point {}", number + 1),
        ScenePart::Goals(group) => format!("goal {} of {group}", number + 1),
        ScenePart::Spawn(group) => format!("start {} of {group}", number + 1),
    }
}

/// Draws the marks, if the scene is edited.
pub(super) fn draw(picture: &mut Picture, camera: &Camera, ui: &Ui, state: &ViewState) {
    let Some(editor) = &ui.editor else {
        return;
    };
    let palette = ui.palette();
    for handle in state.handles.iter() {
        let (at, written) = (camera.pixel(editor.place(handle)).round(), camera.pixel(handle.at));
        let color = color(palette, handle, state);
        if at.distance(written) > 2.0 {
            let dashed = Pen { dash: Some(4.0), ..Pen::new(color, 1.3) };
            picture.line(&[written, at], false, dashed);
        }
        let is_selected = editor.selected.as_ref() == Some(&(handle.part.clone(), handle.number));
        let is_near = ui.pointer.distance(at) <= HIT;
        let color = if is_selected { palette.highlight } else { color };
        mark(picture, palette, at, color);
        if is_selected || is_near {
            label(picture, palette, at, &name(&handle.part, handle.number));
        }
    }
}

fn color(palette: &Palette, handle: &Handle, state: &ViewState) -> Color {
    match &handle.part {
        ScenePart::Goals(group) | ScenePart::Spawn(group) => {
            let group = state.world.group_named(group).unwrap_or_default();
            palette.group(group.0.into())
        }
        ScenePart::Obstacle(_) | ScenePart::Path(_) | ScenePart::Field(_) => palette.ink,
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
