//! Editing the scene by mouse: marks at the points that are written in the scenario, which can be moved, added and removed.

use flockwork_engine::math::Vec2;
use flockwork_engine::scenario::{Handle, NewObstacle, SceneEdit, ScenePart};
use flockwork_engine::world::AgentId;

use super::view_state::ViewState;
use crate::draw::Camera;

/// Distance within which a mark is hit, in pixels.
pub(super) const HIT: f32 = 12.0;
/// A size has no mark if it would be nearer to the center than this, in pixels.
const MIN_SIZE: f32 = 16.0;
/// Radius of a new obstacle, in pixels.
const OBSTACLE: f32 = 24.0;

/// The kind of thing that the next click adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    /// A round obstacle.
    Obstacle,
    /// An obstacle that is a box.
    Box,
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

/// The mark that is selected.
#[derive(Clone, Debug, PartialEq)]
enum Selection {
    /// By its part and its number.
    Number(ScenePart, usize),
    /// The thing that was added at a point, to a part, or as an obstacle.
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

/// Points that are being moved.
#[derive(Clone, Debug, PartialEq)]
struct Grab {
    part: ScenePart,
    /// The numbers of the points and where they were.
    points: Vec<(usize, Vec2)>,
    /// Where the pointer was and where it is, in world units.
    from: Vec2,
    to: Vec2,
}

impl Grab {
    /// Returns the numbers of the points and where they are moved to.
    fn moved(&self) -> impl Iterator<Item = (usize, Vec2)> {
        let by = self.to - self.from;
        self.points.iter().map(move |(number, at)| (*number, *at + by))
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
        let points = all.iter().map(|one| (one.number, one.at)).collect();
        self.grab = Some(Grab { part: handle.part.clone(), points, from: at, to: at });
        (None, true)
    }

    /// Handles a movement of the pointer to a point, in world units.
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

    /// Returns the selected mark, if it exists.
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

    /// Returns the edit that removes the selected mark.
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
            Tool::Obstacle | Tool::Box | Tool::PathPoint => None,
        }
    }

    /// Returns why a tool can add nothing. `None` if it can.
    pub(super) fn why_not(&self, tool: Tool, scene: &EditedScene<'_>) -> Option<String> {
        let part = match tool {
            Tool::Obstacle | Tool::Box => return None,
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

    /// Returns where the points of a part are drawn: where they are moved to, or where they are written.
    pub(super) fn points(&self, handles: &[Handle]) -> Vec<Vec2> {
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
        let point = rounded(at, camera);
        if matches!(tool, Tool::Obstacle | Tool::Box) {
            let half = rounded(Vec2::splat(camera.units(OBSTACLE)), camera);
            let shape = match tool {
                Tool::Box => NewObstacle::Box(half),
                _ => NewObstacle::Circle(half.x),
            };
            return Some(SceneEdit::AddObstacle { center: point, shape });
        }
        let (part, before) = match (tool, self.group(tool, scene)) {
            (Tool::Goal, Some(group)) => (ScenePart::Goals(group), None),
            (Tool::Agent, Some(group)) => (ScenePart::Spawn(group), None),
            _ => {
                let selected = self.selected(scene.state).map(|one| &one.part);
                scene.nearest_path(at, selected)?
            }
        };
        Some(SceneEdit::AddPlace { part, before, at: point })
    }
}

/// The scene that is edited.
pub(super) struct EditedScene<'s> {
    pub(super) state: &'s ViewState,
    /// The name of the group to which agents and goals are added.
    pub(super) group: String,
}

impl<'s> EditedScene<'s> {
    /// Returns the point whose mark is hit.
    fn handle_at(&self, at: Vec2, camera: &Camera) -> Option<&'s Handle> {
        let pixel = camera.pixel(at);
        let near =
            parts(self.state).flat_map(|part| with_marks(part, camera)).filter_map(|handle| {
                let distance = camera.pixel(handle.at).distance(pixel);
                (distance <= HIT).then_some((distance, handle))
            });
        near.min_by(|left, right| left.0.total_cmp(&right.0)).map(|(_, handle)| handle)
    }

    /// Returns the obstacle around a point: its first handle, and all of them.
    fn obstacle_at(&self, at: Vec2) -> Option<(&'s Handle, Vec<&'s Handle>)> {
        let mut obstacles = self.state.world.obstacles.iter();
        let found = obstacles.find(|one| one.shape.surface(at).distance < 0.0)?;
        let part = ScenePart::Obstacle(found.name.to_string());
        let all: Vec<&Handle> =
            self.state.handles.iter().filter(|one| one.part == part && !one.is_size).collect();
        Some((*all.first()?, all))
    }

    /// Returns the selected path, or the one nearest to a point, and the number of the point before which a new one belongs.
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

/// Returns a point with as few digits as one pixel needs.
fn rounded(at: Vec2, camera: &Camera) -> Vec2 {
    let mut step = 1.0_f64;
    while step > f64::from(camera.units(1.0)) && step > 1e-4 {
        step /= 10.0;
    }
    let round = |x: f32| ((f64::from(x) / step).round() * step) as f32;
    Vec2::new(round(at.x), round(at.y))
}

/// Returns the handles of each part.
pub(super) fn parts(state: &ViewState) -> impl Iterator<Item = &[Handle]> {
    state.handles.chunk_by(|one, next| one.part == next.part)
}

/// Returns the handles of a part that have a mark.
pub(super) fn with_marks<'h>(
    part: &'h [Handle],
    camera: &Camera,
) -> impl Iterator<Item = &'h Handle> {
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
