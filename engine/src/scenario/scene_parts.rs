//! The parts of a scene that have places, and where these are written in the text of its scenario.

use serde::de::DeserializeOwned;

use super::scene_shape::SceneShape;
use super::surroundings::direction;
use super::text_parts::{PartPath, walk, written_parts};
use crate::diag::Source;
use crate::math::{self, Vec2};
use crate::tokens::ron_tree::{RonNode, RonTree};

/// A part of a scene that has places.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ScenePart {
    /// The obstacle with this name.
    Obstacle(String),
    /// The path with this name.
    Path(String),
    /// The flow field with this name.
    Field(String),
    /// The goals of the group with this name.
    Goals(String),
    /// The places where the agents of the group with this name begin: those of the `start`, if there is one, or of the spawn.
    Spawn(String),
}

/// A place that is written in a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    /// The part that it belongs to.
    pub part: ScenePart,
    /// Its number among the places of its part, from 0.
    pub number: usize,
    /// The place, in world units.
    pub at: Vec2,
    /// The shape that the places of its part make.
    pub shape: SceneShape,
    /// Whether it is a rim or a corner, whose size is written instead of its place.
    pub is_size: bool,
    pub(super) path: PartPath,
}

/// Returns the path of a list of names.
pub(super) fn path(names: &[&str]) -> PartPath {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Reads the value at a path.
pub(super) fn value<T: DeserializeOwned>(
    tree: &RonTree<'_>,
    path: &[impl AsRef<str>],
) -> Option<T> {
    read(walk(tree, path).ok()?)
}

/// Reads a value. `None` if it has another form.
fn read<T: DeserializeOwned>(written: RonNode<'_, '_>) -> Option<T> {
    super::options().from_str(written.text()).ok()
}

/// Returns whether a scenario begins in the middle of a run.
pub(super) fn has_start(tree: &RonTree<'_>) -> bool {
    walk(tree, &["start"]).is_ok()
}

impl ScenePart {
    /// Returns the path of its value in a text.
    pub(super) fn path(&self, tree: &RonTree<'_>) -> PartPath {
        match self {
            Self::Obstacle(name) => path(&["obstacles", name]),
            Self::Path(name) => path(&["paths", name, "points"]),
            Self::Field(name) => path(&["fields", name]),
            Self::Goals(group) => path(&["groups", group, "goals"]),
            Self::Spawn(group) if has_start(tree) => path(&["start", "groups", group, "agents"]),
            Self::Spawn(group) => path(&["groups", group, "spawn"]),
        }
    }

    /// Returns its places in a text.
    pub(super) fn handles(&self, tree: &RonTree<'_>) -> Vec<Handle> {
        let own = self.path(tree);
        let mut found: Vec<(PartPath, Vec2)> = Vec::new();
        for (name, written) in written_parts(tree, &own) {
            let is_place = name.parse::<usize>().is_ok()
                || ["at", "center", "from", "to", "min", "max"].contains(&name.as_str());
            if !is_place {
                continue;
            }
            let mut path = own.clone();
            path.push(name);
            let at = place(written).or_else(|| {
                // An element with a place: a goal, or an agent.
                path.push("at".to_owned());
                place(written.content().get("at")?)
            });
            found.extend(at.map(|at| (path, at)));
        }
        let size = self.size(tree);
        let shape = size.as_ref().map_or_else(|| self.shape(tree, &found), |(shape, ..)| *shape);
        let places = found.len();
        found.extend(size.map(|(_, path, at)| (path, at)));
        let handle = |(number, (path, at))| Handle {
            part: self.clone(),
            number,
            at,
            shape,
            is_size: number == places,
            path,
        };
        found.into_iter().enumerate().map(handle).collect()
    }

    /// Returns the shape that its places make if none of them is a size.
    fn shape(&self, tree: &RonTree<'_>, places: &[(PartPath, Vec2)]) -> SceneShape {
        let names: Vec<_> = places.iter().filter_map(|(path, _)| path.last()).collect();
        match self {
            Self::Goals(_) => SceneShape::Places,
            Self::Path(name) => match walk(tree, &["paths", name, "mode"]).map(RonNode::text) {
                Ok("Loop") => SceneShape::Polygon,
                _ => SceneShape::Line,
            },
            _ if names == ["min", "max"] => SceneShape::Rect,
            _ if names == ["from", "to"] => SceneShape::Line,
            Self::Obstacle(_) => SceneShape::Polygon,
            Self::Field(_) | Self::Spawn(_) => SceneShape::Places,
        }
    }

    /// Returns its shape, the path of its size, and a place on its rim or its corner, if it is a circle or a box.
    fn size(&self, tree: &RonTree<'_>) -> Option<(SceneShape, PartPath, Vec2)> {
        let own = self.path(tree);
        let of = |name: &str| own.iter().cloned().chain([name.to_owned()]).collect::<PartPath>();
        let center = place(walk(tree, &of("center")).ok()?)?;
        if let Some(radius) = value(tree, &of("radius")) {
            return Some((SceneShape::Circle, of("radius"), center + Vec2::new(radius, 0.0)));
        }
        let half = place(walk(tree, &of("size")).ok()?)? / 2.0;
        let axis = direction(value(tree, &of("angle_deg")).unwrap_or(0.0));
        let corner = axis * half.x + math::perp(axis) * half.y;
        Some((SceneShape::Box { axis }, of("size"), center + corner))
    }

    /// Returns the name of what it is a part of.
    pub fn name(&self) -> &str {
        match self {
            Self::Obstacle(name)
            | Self::Path(name)
            | Self::Field(name)
            | Self::Goals(name)
            | Self::Spawn(name) => name,
        }
    }

    /// Returns what its places are called.
    pub(super) fn noun(&self) -> String {
        match self {
            Self::Obstacle(name) => format!("obstacle `{name}`"),
            Self::Path(name) => format!("path `{name}`"),
            Self::Field(name) => format!("field `{name}`"),
            Self::Goals(group) => format!("the goals of `{group}`"),
            Self::Spawn(group) => format!("the agents of `{group}`"),
        }
    }
}

/// Reads a place.
fn place(written: RonNode<'_, '_>) -> Option<Vec2> {
    let (x, y): (f32, f32) = read(written)?;
    Some(Vec2::new(x, y))
}

impl Handle {
    /// Returns all places of a scene that are written in a scenario, in the order of the obstacles, paths, fields and groups.
    pub fn all(source: &Source) -> Vec<Self> {
        let tree = RonTree::new(&source.text);
        let names = |of: &str| written_parts(&tree, &[of]).into_iter().map(|(name, _)| name);
        let mut parts: Vec<ScenePart> = names("obstacles").map(ScenePart::Obstacle).collect();
        parts.extend(names("paths").map(ScenePart::Path));
        parts.extend(names("fields").map(ScenePart::Field));
        for group in names("groups") {
            parts.push(ScenePart::Goals(group.clone()));
            parts.push(ScenePart::Spawn(group));
        }
        parts.iter().flat_map(|part| part.handles(&tree)).collect()
    }
}
