//! Edits of a scene in the text of its scenario: obstacles, points of paths, goals and places of agents are moved, added and
//! removed. Everything else stays as it is written.

use std::sync::Arc;

use super::scene_parts::{ScenePart, has_start, path, value};
use super::scene_shape::SceneShape;
use super::text_parts::{
    walk, with_item, with_part, without_empty_part, without_parts, written_parts,
};
use super::{Scenario, to_ron};
use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::math::Vec2;
use crate::tokens::ron_tree::{RonNode, RonTree};

/// A part of a scene that cannot have another place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullPart {
    /// The part.
    pub part: ScenePart,
    /// Why it cannot have one, and what to do.
    pub why: String,
}

/// The shape of an obstacle that is added, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NewObstacle {
    /// A circle with a radius.
    Circle(f32),
    /// A box, by half of its size.
    Box(Vec2),
}

/// An edit of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneEdit {
    /// Moves places of a part, given by their numbers. A handle of a size changes the size.
    Move {
        /// The part that is moved.
        part: ScenePart,
        /// The numbers of the places, and the new places in world units.
        to: Vec<(usize, Vec2)>,
    },
    /// Adds an obstacle.
    AddObstacle {
        /// Its center, in world units.
        center: Vec2,
        /// Its shape.
        shape: NewObstacle,
    },
    /// Adds a place to a path, to goals, or to the places of agents.
    AddPlace {
        /// The part that it is added to.
        part: ScenePart,
        /// The number of the place before which it is added; `None` for the end.
        before: Option<usize>,
        /// The place, in world units.
        at: Vec2,
    },
    /// Removes a place, or an obstacle as a whole.
    Remove {
        /// The part that it belongs to.
        part: ScenePart,
        /// Its number.
        number: usize,
    },
    /// Gives a group another behavior.
    SetBehavior {
        /// The name of the group.
        group: String,
        /// The name of the script.
        script: String,
    },
}

impl FullPart {
    /// Returns the goals and the agents of all groups that cannot have another place.
    pub fn all(source: &Source) -> Vec<Self> {
        let tree = RonTree::new(&source.text);
        let groups = written_parts(&tree, &["groups"]).into_iter();
        let parts = groups.flat_map(|(of, _)| [ScenePart::Goals(of.clone()), ScenePart::Spawn(of)]);
        let full = |part: ScenePart| {
            let error = with_place(&tree, &part, None, Vec2::ZERO).err()?;
            let words = [error.message].into_iter().chain(error.help);
            Some(Self { part, why: words.collect::<Vec<_>>().join("; ") })
        };
        parts.filter_map(full).collect()
    }
}

impl SceneEdit {
    /// Returns the text of a scenario with this edit.
    ///
    /// # Errors
    ///
    /// If the part or the place does not exist, if it cannot have more or fewer places, and all errors of the new scenario.
    pub fn apply(&self, source: &Arc<Source>) -> Result<String, Diagnostics> {
        let tree = RonTree::new(&source.text);
        let done = match self {
            Self::Move { part, to } => moved(&tree, part, to)?,
            Self::AddObstacle { center, shape } => with_obstacle(&tree, *center, *shape),
            Self::AddPlace { part, before, at } => with_place(&tree, part, *before, *at)?,
            Self::Remove { part, number } => without_place(&tree, part, *number)?,
            Self::SetBehavior { group, script } => {
                let behavior = path(&["groups", group, "behavior"]);
                with_part(tree.text(), &behavior, &to_ron::quoted(script))
                    .ok_or_else(|| Diagnostic::error(format!("there is no group `{group}`")))?
            }
        };
        Scenario::parse(&Source::new(source.name.as_str(), done.as_str()))?;
        Ok(done)
    }

    /// Returns the part that it edits. `None` if it adds an obstacle or sets a behavior.
    pub fn part(&self) -> Option<&ScenePart> {
        match self {
            Self::Move { part, .. } | Self::AddPlace { part, .. } | Self::Remove { part, .. } => {
                Some(part)
            }
            Self::AddObstacle { .. } | Self::SetBehavior { .. } => None,
        }
    }

    /// Returns whether it edits the agents of the `start` of a scenario.
    pub fn is_of_start(&self, source: &Source) -> bool {
        matches!(self.part(), Some(ScenePart::Spawn(_))) && has_start(&RonTree::new(&source.text))
    }
}

/// Returns the error for a place that does not exist.
fn missing(part: &ScenePart, number: usize) -> Diagnostic {
    Diagnostic::error(format!("{} has no place {number}", part.noun()))
        .help("the scenario was changed in the meantime: try again")
}

fn moved(tree: &RonTree<'_>, part: &ScenePart, to: &[(usize, Vec2)]) -> Result<String, Diagnostic> {
    let handles = part.handles(tree);
    let shape = handles.first().map_or(SceneShape::Places, |handle| handle.shape);
    if let Some((number, _)) = to.iter().find(|(number, _)| *number >= handles.len()) {
        return Err(missing(part, *number));
    }
    let before: Vec<Vec2> = handles.iter().map(|handle| handle.at).collect();
    let mut places = shape.moved(&before, to);
    let mut size = None;
    if let (Some(handle), [center, at]) =
        (handles.get(1).filter(|one| one.is_size), &mut places[..])
        && to.iter().any(|(number, _)| *number == handle.number)
    {
        let (text, rounded) = shape.size_text(*center, *at);
        (*center, size) = (rounded, Some(text));
    }
    let mut text = tree.text().to_owned();
    for (handle, at) in handles.iter().zip(places) {
        let value = match &size {
            _ if !handle.is_size && at != handle.at => to_ron::vector(at),
            Some(size) if handle.is_size => size.clone(),
            _ => continue,
        };
        text =
            with_part(&text, &handle.path, &value).ok_or_else(|| missing(part, handle.number))?;
    }
    Ok(text)
}

/// Returns the text with an obstacle elsewhere, `by` from where it is in world units. `None` if there is no such obstacle.
#[cfg(feature = "experiments")]
pub(crate) fn with_moved_obstacle(text: &str, name: &str, by: Vec2) -> Option<String> {
    let handles = ScenePart::Obstacle(name.to_owned()).handles(&RonTree::new(text));
    let places = handles.iter().filter(|handle| !handle.is_size);
    places.into_iter().try_fold(text.to_owned(), |text, handle| {
        with_part(&text, &handle.path, &to_ron::vector(handle.at + by))
    })
}

fn with_obstacle(tree: &RonTree<'_>, center: Vec2, shape: NewObstacle) -> String {
    let (text, all) = (tree.text(), path(&["obstacles"]));
    let known = written_parts(tree, &all);
    let mut names = (1..).map(|number| format!("obstacle_{number}"));
    let is_new = |name: &String| known.iter().all(|(known, _)| known != name);
    let name = names.find(is_new).unwrap_or_default();
    let shape = match shape {
        NewObstacle::Circle(radius) => {
            let (center, radius) = (to_ron::vector(center), to_ron::number(radius));
            format!("Circle(center: {center}, radius: {radius})")
        }
        NewObstacle::Box(half) => {
            let (center, size) = (to_ron::vector(center), to_ron::vector(half * 2.0));
            format!("Box(center: {center}, size: {size})")
        }
    };
    let item = format!("{}: {shape}", to_ron::quoted(&name));
    with_item(text, &all, None, &item)
        .or_else(|| with_part(text, &all, &format!("{{ {item} }}")))
        .unwrap_or_else(|| text.to_owned())
}

fn with_place(
    tree: &RonTree<'_>,
    to: &ScenePart,
    before: Option<usize>,
    at: Vec2,
) -> Result<String, Diagnostic> {
    let (text, list, at) = (tree.text(), to.path(tree), to_ron::vector(at));
    let cannot = |why: &str| Diagnostic::error(format!("{} {why}", to.noun()));
    if let ScenePart::Spawn(group) = to
        && has_start(tree)
    {
        return with_started_agent(tree, group, &at).ok_or_else(|| cannot("cannot be written"));
    }
    let written = walk(tree, &list).ok().map(RonNode::text);
    let item = match (to, written) {
        (ScenePart::Path(_), Some(_)) => at,
        (ScenePart::Goals(_), Some(_)) => format!("(at: {at})"),
        (ScenePart::Goals(_), None) => {
            return with_part(text, &list, &format!("[(at: {at})]"))
                .ok_or_else(|| cannot("cannot be written"));
        }
        (ScenePart::Spawn(_), Some(spawn)) if spawn.starts_with("Points") => at,
        (ScenePart::Spawn(_), Some(spawn)) if spawn.starts_with("Agents") => format!("(at: {at})"),
        (ScenePart::Spawn(group), _) => {
            return Err(cannot("have no places of their own")
                .help(format!("write `spawn: Points([..])` for `{group}`, or a higher `count`")));
        }
        _ => return Err(cannot("cannot have more places")),
    };
    let text = with_item(text, &list, before, &item).ok_or_else(|| missing(to, 0))?;
    Ok(update_count(text, to, 1))
}

/// Returns the text with another agent of a group in the `start`. It has the velocity, the heading and the state of the last
/// one that is written for its group, since it does not begin as in a spawn: nothing gives it a state.
fn with_started_agent(tree: &RonTree<'_>, group: &str, at: &str) -> Option<String> {
    let groups = path(&["start", "groups"]);
    let of = |name: &str, field: &str| path(&["start", "groups", name, field]);
    let made = |name: &str| value::<u32>(tree, &of(name, "made")).unwrap_or_default();
    let all_made = path(&["start", "made"]);
    let sum = || written_parts(tree, &groups).iter().map(|(name, _)| made(name)).sum();
    let id: u32 = value(tree, &all_made).unwrap_or_else(sum);
    let mut fields =
        vec![format!("id: {id}"), format!("index: {}", made(group)), format!("at: {at}")];
    let agents = of(group, "agents");
    match written_parts(tree, &agents).pop() {
        Some((_, like)) => {
            for field in ["velocity", "heading", "state"] {
                let written = like.get(field);
                fields.extend(written.map(|written| format!("{field}: {}", written.text())));
            }
        }
        None => fields.push("velocity: (0, 0)".to_owned()),
    }
    let agent = format!("({})", fields.join(", "));
    let mut text = match walk(tree, &all_made) {
        Ok(_) => with_part(tree.text(), &all_made, &(id + 1).to_string())?,
        Err(_) => tree.text().to_owned(),
    };
    if walk(tree, &of(group, "made")).is_err() {
        let item = format!("{}: (made: 1, agents: [{agent}])", to_ron::quoted(group));
        return with_item(&text, &groups, None, &item)
            .or_else(|| with_part(&text, &groups, &format!("{{ {item} }}")));
    }
    text = with_part(&text, &of(group, "made"), &(made(group) + 1).to_string())?;
    with_item(&text, &agents, None, &agent)
        .or_else(|| with_part(&text, &agents, &format!("[{agent}]")))
}

fn without_place(
    tree: &RonTree<'_>,
    part: &ScenePart,
    number: usize,
) -> Result<String, Diagnostic> {
    let handles = part.handles(tree);
    let handle = handles.get(number).ok_or_else(|| missing(part, number))?;
    let own = part.path(tree);
    let is_element = handle.path.get(own.len()).is_some_and(|name| name.parse::<usize>().is_ok());
    let removed = match part {
        ScenePart::Obstacle(_) if !is_element || handles.len() <= 3 => own,
        _ if is_element => handle.path[..=own.len()].to_vec(),
        _ => {
            let whole = format!("{} cannot lose a place", part.noun());
            return Err(Diagnostic::error(whole).help("remove it in the file"));
        }
    };
    if matches!(part, ScenePart::Spawn(_)) && handles.len() == 1 && !has_start(tree) {
        let last = format!("this is the only one of {}", part.noun());
        return Err(Diagnostic::error(last).help("remove the group in the file"));
    }
    let is_last = removed.len() == 2 && written_parts(tree, &["obstacles"]).len() == 1;
    let text = without_parts(tree.text(), &[removed]);
    if matches!(part, ScenePart::Obstacle(_)) && is_last {
        return Ok(without_empty_part(&text, &path(&["obstacles"])));
    }
    Ok(update_count(text, part, -1))
}

/// Changes the number of agents of a group with its places, if it is written.
fn update_count(text: String, of: &ScenePart, by: i64) -> String {
    let ScenePart::Spawn(group) = of else {
        return text;
    };
    let tree = RonTree::new(&text);
    if has_start(&tree) {
        return text;
    }
    let count = path(&["groups", group, "count"]);
    let places = of.handles(&tree).len() as i64;
    let written = walk(&tree, &count).ok().and_then(|count| count.text().parse::<i64>().ok());
    if written == Some(places - by) {
        return with_part(&text, &count, &places.to_string()).unwrap_or(text);
    }
    text
}
