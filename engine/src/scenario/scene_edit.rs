//! Edits of a scene in the text of its scenario: obstacles, points of paths, goals and places of agents are moved, added and
//! removed. Everything else stays as it is written.

use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::parts::places;
use super::scene_shape::SceneShape;
use super::surroundings::direction;
use super::text_parts::{
    PartPath, part, part_names, with_item, with_part, without_empty_part, without_parts,
    written_parts,
};
use super::{Scenario, to_ron};
use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::math::{self, Vec2};

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
    /// What it belongs to.
    pub part: ScenePart,
    /// Its number among the places of its part, from 0.
    pub number: usize,
    /// The place, in world units.
    pub at: Vec2,
    /// The shape that the places of its part make.
    pub shape: SceneShape,
    /// Whether it is a rim or a corner, whose size is written instead of its place.
    pub is_size: bool,
    path: PartPath,
}

/// A part of a scene that cannot have another place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullPart {
    /// The part.
    pub part: ScenePart,
    /// Why it cannot have one, and what to do.
    pub why: String,
}

/// An edit of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneEdit {
    /// Moves places of a part, given by their numbers. A handle of a size changes the size.
    Move {
        /// What is moved.
        part: ScenePart,
        /// The numbers of the places, and the new places in world units.
        to: Vec<(usize, Vec2)>,
    },
    /// Adds a round obstacle.
    AddObstacle {
        /// Its center, in world units.
        center: Vec2,
        /// Its radius, in world units.
        radius: f32,
    },
    /// Adds a place to a path, to goals, or to the places of agents.
    AddPlace {
        /// What it is added to.
        part: ScenePart,
        /// The number of the place before which it is added; `None` for the end.
        before: Option<usize>,
        /// The place, in world units.
        at: Vec2,
    },
    /// Removes a place, or an obstacle as a whole.
    Remove {
        /// What it belongs to.
        part: ScenePart,
        /// Its number.
        number: usize,
    },
}

/// Returns the path of a list of names.
fn path(names: &[&str]) -> PartPath {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Reads the value at a path.
fn value<T: DeserializeOwned>(text: &str, path: &[String]) -> Option<T> {
    let written = part(text, path)?;
    places(written, 0..written.len())
}

/// Returns whether a scenario begins in the middle of a run.
fn has_start(text: &str) -> bool {
    part(text, &path(&["start"])).is_some()
}

impl ScenePart {
    /// Returns the path of its value in a text.
    fn path(&self, text: &str) -> PartPath {
        match self {
            Self::Obstacle(name) => path(&["obstacles", name]),
            Self::Path(name) => path(&["paths", name, "points"]),
            Self::Field(name) => path(&["fields", name]),
            Self::Goals(group) => path(&["groups", group, "goals"]),
            Self::Spawn(group) if has_start(text) => path(&["start", "groups", group, "agents"]),
            Self::Spawn(group) => path(&["groups", group, "spawn"]),
        }
    }

    /// Returns its places in a text.
    fn handles(&self, text: &str) -> Vec<Handle> {
        let own = self.path(text);
        let mut found: Vec<(PartPath, Vec2)> = Vec::new();
        for (name, written) in written_parts(text, &own) {
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
                place(part(written, &path[own.len() + 1..])?)
            });
            found.extend(at.map(|at| (path, at)));
        }
        let size = self.size(text);
        let shape = size.as_ref().map_or_else(|| self.shape(text, &found), |(shape, ..)| *shape);
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
    fn shape(&self, text: &str, places: &[(PartPath, Vec2)]) -> SceneShape {
        let names: Vec<_> = places.iter().filter_map(|(path, _)| path.last()).collect();
        match self {
            Self::Goals(_) => SceneShape::Places,
            Self::Path(name) => match part(text, &path(&["paths", name, "mode"])) {
                Some("Loop") => SceneShape::Polygon,
                _ => SceneShape::Line,
            },
            _ if names == ["min", "max"] => SceneShape::Rect,
            _ if names == ["from", "to"] => SceneShape::Line,
            Self::Obstacle(_) => SceneShape::Polygon,
            Self::Field(_) | Self::Spawn(_) => SceneShape::Places,
        }
    }

    /// Returns its shape, the path of its size, and a place on its rim or its corner, if it is a circle or a box.
    fn size(&self, text: &str) -> Option<(SceneShape, PartPath, Vec2)> {
        let own = self.path(text);
        let of = |name: &str| own.iter().cloned().chain([name.to_owned()]).collect::<PartPath>();
        let center = place(part(text, &of("center"))?)?;
        if let Some(radius) = value(text, &of("radius")) {
            return Some((SceneShape::Circle, of("radius"), center + Vec2::new(radius, 0.0)));
        }
        let half = place(part(text, &of("size"))?)? / 2.0;
        let axis = direction(value(text, &of("angle_deg")).unwrap_or(0.0));
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
    fn noun(&self) -> String {
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
fn place(written: &str) -> Option<Vec2> {
    let (x, y): (f32, f32) = places(written, 0..written.len())?;
    Some(Vec2::new(x, y))
}

impl FullPart {
    /// Returns the goals and the agents of all groups that cannot have another place.
    pub fn all(source: &Source) -> Vec<Self> {
        let text = source.text.as_str();
        let groups = part_names(text, &path(&["groups"])).into_iter();
        let parts = groups.flat_map(|of| [ScenePart::Goals(of.clone()), ScenePart::Spawn(of)]);
        let full = |part: ScenePart| {
            let error = with_place(text, &part, None, Vec2::ZERO).err()?;
            let words = [error.message].into_iter().chain(error.help);
            Some(Self { part, why: words.collect::<Vec<_>>().join("; ") })
        };
        parts.filter_map(full).collect()
    }
}

impl Handle {
    /// Returns all places of a scene that are written in a scenario, in the order of the obstacles, paths, fields and groups.
    pub fn all(source: &Source) -> Vec<Self> {
        let text = source.text.as_str();
        let names = |of: &str| part_names(text, &path(&[of])).into_iter();
        let mut parts: Vec<ScenePart> = names("obstacles").map(ScenePart::Obstacle).collect();
        parts.extend(names("paths").map(ScenePart::Path));
        parts.extend(names("fields").map(ScenePart::Field));
        for group in names("groups") {
            parts.push(ScenePart::Goals(group.clone()));
            parts.push(ScenePart::Spawn(group));
        }
        parts.iter().flat_map(|part| part.handles(text)).collect()
    }
}

impl SceneEdit {
    /// Returns the text of a scenario with this edit.
    ///
    /// # Errors
    ///
    /// If the part or the place does not exist, if it cannot have more or fewer places, and all errors of the new scenario.
    pub fn apply(&self, source: &Arc<Source>) -> Result<String, Diagnostics> {
        let text = source.text.as_str();
        let done = match self {
            Self::Move { part, to } => moved(text, part, to)?,
            Self::AddObstacle { center, radius } => with_obstacle(text, *center, *radius),
            Self::AddPlace { part, before, at } => with_place(text, part, *before, *at)?,
            Self::Remove { part, number } => without_place(text, part, *number)?,
        };
        Scenario::parse(&Source::new(source.name.as_str(), done.as_str()))?;
        Ok(done)
    }
}

impl SceneEdit {
    /// Returns the part that it edits. `None` if it adds an obstacle.
    pub fn part(&self) -> Option<&ScenePart> {
        match self {
            Self::Move { part, .. } | Self::AddPlace { part, .. } | Self::Remove { part, .. } => {
                Some(part)
            }
            Self::AddObstacle { .. } => None,
        }
    }

    /// Returns whether it edits the agents of the `start` of a scenario.
    pub fn is_of_start(&self, source: &Source) -> bool {
        matches!(self.part(), Some(ScenePart::Spawn(_))) && has_start(&source.text)
    }
}

/// Returns the error for a place that does not exist.
fn missing(part: &ScenePart, number: usize) -> Diagnostic {
    Diagnostic::error(format!("{} has no place {number}", part.noun()))
        .help("the scenario was changed in the meantime: try again")
}

fn moved(text: &str, part: &ScenePart, to: &[(usize, Vec2)]) -> Result<String, Diagnostic> {
    let handles = part.handles(text);
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
    let mut text = text.to_owned();
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

fn with_obstacle(text: &str, center: Vec2, radius: f32) -> String {
    let all = path(&["obstacles"]);
    let known = part_names(text, &all);
    let mut names = (1..).map(|number| format!("obstacle_{number}"));
    let name = names.find(|name| !known.contains(name)).unwrap_or_default();
    let (center, radius) = (to_ron::vector(center), to_ron::number(radius));
    let item = format!("{}: Circle(center: {center}, radius: {radius})", to_ron::quoted(&name));
    with_item(text, &all, None, &item)
        .or_else(|| with_part(text, &all, &format!("{{ {item} }}")))
        .unwrap_or_else(|| text.to_owned())
}

fn with_place(
    text: &str,
    to: &ScenePart,
    before: Option<usize>,
    at: Vec2,
) -> Result<String, Diagnostic> {
    let (list, at) = (to.path(text), to_ron::vector(at));
    let cannot = |why: &str| Diagnostic::error(format!("{} {why}", to.noun()));
    if let ScenePart::Spawn(group) = to
        && has_start(text)
    {
        return with_started_agent(text, group, &at).ok_or_else(|| cannot("cannot be written"));
    }
    let written = part(text, &list);
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
fn with_started_agent(text: &str, group: &str, at: &str) -> Option<String> {
    let groups = path(&["start", "groups"]);
    let of = |name: &str, field: &str| path(&["start", "groups", name, field]);
    let made = |name: &str| value::<u32>(text, &of(name, "made")).unwrap_or_default();
    let all_made = path(&["start", "made"]);
    let sum = || part_names(text, &groups).iter().map(|name| made(name)).sum();
    let id: u32 = value(text, &all_made).unwrap_or_else(sum);
    let mut fields =
        vec![format!("id: {id}"), format!("index: {}", made(group)), format!("at: {at}")];
    let agents = of(group, "agents");
    let like = written_parts(text, &agents).pop().map_or("(velocity: (0, 0))", |(_, like)| like);
    for field in ["velocity", "heading", "state"] {
        fields.extend(part(like, &path(&[field])).map(|written| format!("{field}: {written}")));
    }
    let agent = format!("({})", fields.join(", "));
    let mut text = match part(text, &path(&["start", "made"])) {
        Some(_) => with_part(text, &all_made, &(id + 1).to_string())?,
        None => text.to_owned(),
    };
    if part(&text, &of(group, "made")).is_none() {
        let item = format!("{}: (made: 1, agents: [{agent}])", to_ron::quoted(group));
        return with_item(&text, &groups, None, &item)
            .or_else(|| with_part(&text, &groups, &format!("{{ {item} }}")));
    }
    text = with_part(&text, &of(group, "made"), &(made(group) + 1).to_string())?;
    with_item(&text, &agents, None, &agent)
        .or_else(|| with_part(&text, &agents, &format!("[{agent}]")))
}

fn without_place(text: &str, part: &ScenePart, number: usize) -> Result<String, Diagnostic> {
    let handles = part.handles(text);
    let handle = handles.get(number).ok_or_else(|| missing(part, number))?;
    let own = part.path(text);
    let is_element = handle.path.get(own.len()).is_some_and(|name| name.parse::<usize>().is_ok());
    let removed = match part {
        ScenePart::Obstacle(_) if !is_element || handles.len() <= 3 => own,
        _ if is_element => handle.path[..=own.len()].to_vec(),
        _ => {
            let whole = format!("{} cannot lose a place", part.noun());
            return Err(Diagnostic::error(whole).help("remove it in the file"));
        }
    };
    if matches!(part, ScenePart::Spawn(_)) && handles.len() == 1 && !has_start(text) {
        let last = format!("this is the only one of {}", part.noun());
        return Err(Diagnostic::error(last).help("remove the group in the file"));
    }
    let is_last = removed.len() == 2 && part_names(text, &path(&["obstacles"])).len() == 1;
    let text = without_parts(text, &[removed]);
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
    if has_start(&text) {
        return text;
    }
    let count = path(&["groups", group, "count"]);
    let places = of.handles(&text).len() as i64;
    let written = part(&text, &count).and_then(|count| count.parse::<i64>().ok());
    if written == Some(places - by) {
        return with_part(&text, &count, &places.to_string()).unwrap_or(text);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"// A scene.
(
    ticks: 60,
    world: (size: (100, 200)),
    obstacles: {
        "rock": Circle(center: (10, 20), radius: 3.5), // round
        "hut": Polygon([(50, 50), (60, 50), (60, 60), (50, 60)]),
        "room": Room(min: (1, 2), max: (30, 40)),
    },
    paths: { "way": (points: [(1, 2), (3, 4)], radius: 2) },
    groups: {
        "a": (spawn: Points([(1, 2), (3, 4)]), count: 2, goals: [
            (at: (5, 6), radius: 2), // first
            (at: (7, 8)),
        ]),
        "b": (spawn: Agents([(at: (9, 9), velocity: (1, 0))])),
        "c": (spawn: Disc(center: (70, 70), radius: 5), count: 3),
    },
)"#;

    fn source() -> Arc<Source> {
        Source::new("s.ron", TEXT)
    }

    fn edited(edit: &SceneEdit) -> String {
        edit.apply(&source()).unwrap_or_else(|errors| panic!("{errors:?}"))
    }

    fn spawn(group: &str) -> ScenePart {
        ScenePart::Spawn(group.to_owned())
    }

    #[test]
    fn all_places_are_found() {
        let all = Handle::all(&source());
        let places = |part: &ScenePart| -> Vec<(f32, f32)> {
            all.iter().filter(|one| one.part == *part).map(|one| (one.at.x, one.at.y)).collect()
        };
        assert_eq!(places(&ScenePart::Obstacle("rock".into())), [(10.0, 20.0), (13.5, 20.0)]);
        assert_eq!(places(&ScenePart::Obstacle("hut".into())).len(), 4);
        assert_eq!(places(&ScenePart::Obstacle("room".into())), [(1.0, 2.0), (30.0, 40.0)]);
        assert_eq!(places(&ScenePart::Path("way".into())), [(1.0, 2.0), (3.0, 4.0)]);
        assert_eq!(places(&ScenePart::Goals("a".into())), [(5.0, 6.0), (7.0, 8.0)]);
        assert_eq!(places(&spawn("a")), [(1.0, 2.0), (3.0, 4.0)]);
        assert_eq!(places(&spawn("b")), [(9.0, 9.0)]);
        assert_eq!(places(&spawn("c")), [(70.0, 70.0), (75.0, 70.0)]);
        assert_eq!(all.len(), 17);
        assert_eq!(all.iter().filter(|one| one.is_size).count(), 2);
    }

    #[test]
    fn only_the_place_changes() {
        let at = Vec2::new(11.5, 12.0);
        let to = |number| vec![(number, at)];
        for (part, number, old, new) in [
            (ScenePart::Obstacle("rock".into()), 0, "(10, 20)", "(11.5, 12)"),
            (ScenePart::Obstacle("hut".into()), 2, "(60, 60)", "(11.5, 12)"),
            (ScenePart::Path("way".into()), 1, "(3, 4)], radius", "(11.5, 12)], radius"),
            (ScenePart::Goals("a".into()), 0, "at: (5, 6)", "at: (11.5, 12)"),
            (spawn("b"), 0, "at: (9, 9)", "at: (11.5, 12)"),
            (spawn("c"), 0, "center: (70, 70)", "center: (11.5, 12)"),
        ] {
            let moved = edited(&SceneEdit::Move { part, to: to(number) });
            assert_eq!(moved, TEXT.replacen(old, new, 1));
        }
        let both = vec![(0, Vec2::new(2.0, 3.0)), (1, Vec2::new(31.0, 41.0))];
        let room = SceneEdit::Move { part: ScenePart::Obstacle("room".into()), to: both };
        assert_eq!(edited(&room), TEXT.replace("(1, 2), max: (30, 40)", "(2, 3), max: (31, 41)"));
    }

    #[test]
    fn sizes_are_dragged_at_the_rim_and_at_the_corner() {
        let size = |part, at| edited(&SceneEdit::Move { part, to: vec![(1, at)] });
        let rock = size(ScenePart::Obstacle("rock".into()), Vec2::new(13.0, 24.0));
        assert_eq!(rock, TEXT.replace("radius: 3.5", "radius: 5"));
        let disc = size(spawn("c"), Vec2::new(70.0, 62.0));
        assert_eq!(disc, TEXT.replace("radius: 5", "radius: 8"));
        // The opposite corner stays: (10, 5), or (25, 0) of the box that is turned.
        for (angle, corner, to, center) in [
            ("", (30.0, 15.0), Vec2::new(26.0, 17.0), "(18, 11)"),
            (", angle_deg: 90", (15.0, 20.0), Vec2::new(13.0, 16.0), "(19, 8)"),
        ] {
            let text = |center: &str, size: &str| {
                let shed = format!("Box(center: {center}, size: {size}{angle})");
                TEXT.replace("Circle(center: (10, 20), radius: 3.5)", &shed)
            };
            let source = Source::new("s.ron", text("(20, 10)", "(20, 10)"));
            let part = ScenePart::Obstacle("rock".into());
            let handles = part.handles(&source.text);
            assert!(handles[1].at.distance(Vec2::from(corner)) < 1e-4, "{handles:?}");
            let done = SceneEdit::Move { part, to: vec![(1, to)] }.apply(&source).unwrap();
            assert_eq!(done, text(center, "(16, 12)"));
        }
    }

    #[test]
    fn places_are_added_in_the_layout_of_the_others() {
        let at = Vec2::new(8.0, 9.0);
        let add = |part, before| edited(&SceneEdit::AddPlace { part, before, at });
        let way = || ScenePart::Path("way".into());
        assert!(add(way(), None).contains("points: [(1, 2), (3, 4), (8, 9)], radius"));
        assert!(add(way(), Some(1)).contains("points: [(1, 2), (8, 9), (3, 4)], radius"));
        let goals = add(ScenePart::Goals("a".into()), None);
        assert!(goals.contains("(at: (7, 8)),\n            (at: (8, 9)),\n        ])"), "{goals}");
        let first = add(ScenePart::Goals("a".into()), Some(0));
        assert!(first.contains("[\n            (at: (8, 9)),\n            (at: (5, 6)"), "{first}");
        let none = add(ScenePart::Goals("c".into()), None);
        assert!(none.contains("count: 3, goals: [(at: (8, 9))])"), "{none}");
        let points = add(spawn("a"), None);
        assert!(points.contains("Points([(1, 2), (3, 4), (8, 9)]), count: 3"), "{points}");
        let agents = add(spawn("b"), None);
        assert!(agents.contains("velocity: (1, 0)), (at: (8, 9))])"), "{agents}");
        let rock = edited(&SceneEdit::AddObstacle { center: at, radius: 4.0 });
        let new = "\n        \"obstacle_1\": Circle(center: (8, 9), radius: 4),\n    },\n    paths";
        assert!(rock.contains(new), "{rock}");
        let bare = Source::new(
            "s.ron",
            r#"(world: (size: (9, 9)), groups: { "a": (spawn: Points([(1, 1)])) })"#,
        );
        let rock = SceneEdit::AddObstacle { center: Vec2::ONE, radius: 1.0 };
        let rock = rock.apply(&bare).unwrap();
        let circle = r#"obstacles: { "obstacle_1": Circle(center: (1, 1), radius: 1) })"#;
        assert!(rock.ends_with(circle), "{rock}");
    }

    #[test]
    fn places_are_removed() {
        let remove = |part, number| SceneEdit::Remove { part, number };
        let rock = edited(&remove(ScenePart::Obstacle("rock".into()), 0));
        assert!(!rock.contains("rock") && !rock.contains("// round"), "{rock}");
        let hut = edited(&remove(ScenePart::Obstacle("hut".into()), 3));
        assert!(hut.contains("[(50, 50), (60, 50), (60, 60),]"), "{hut}");
        let goal = edited(&remove(ScenePart::Goals("a".into()), 0));
        assert!(!goal.contains("first") && goal.contains("(7, 8)"), "{goal}");
        let agent = edited(&remove(spawn("a"), 0));
        assert!(agent.contains("Points([ (3, 4)]), count: 1"), "{agent}");
    }

    #[test]
    fn the_last_obstacle_takes_the_field_with_it_but_no_comments() {
        let scenario = |obstacles: &str| {
            Source::new(
                "s.ron",
                format!(
                    "(\n    world: (size: (9, 9)), // small\n{obstacles}    groups: {{ \"a\": (spawn: Points([(1, 1)])) }},\n)"
                ),
            )
        };
        let rock = "\"rock\": Circle(center: (8, 2), radius: 1)";
        let remove = SceneEdit::Remove { part: ScenePart::Obstacle("rock".into()), number: 0 };
        for (written, left) in [
            (format!("    obstacles: {{ {rock} }},\n"), ""),
            (format!("    obstacles: {{\n        {rock}, // round\n    }},\n"), ""),
            (
                format!("    // Stones.\n    obstacles: {{ {rock} }}, // one\n"),
                "    // Stones.\n     // one\n",
            ),
            (
                format!(
                    "    obstacles: {{ // stones\n        // It is\n        {rock},\n        // no more.\n    }},\n"
                ),
                "    // stones\n        // no more.\n",
            ),
            (format!("    obstacles: {{ {rock} /* one */ }}, "), "    /* one */ "),
        ] {
            let done = remove.apply(&scenario(&written)).unwrap();
            assert_eq!(done, scenario(left).text, "{written}");
        }
        // Two obstacles are not the last one.
        let two =
            format!("    obstacles: {{ {rock}, \"hut\": Segment(from: (1, 7), to: (3, 7)) }},\n");
        let done = remove.apply(&scenario(&two)).unwrap();
        assert!(done.contains("obstacles: { \"hut\": Segment"), "{done}");
    }

    #[test]
    fn parts_without_room_for_a_place_say_why() {
        let full: Vec<_> = FullPart::all(&source());
        assert_eq!(full.len(), 1, "{full:?}");
        assert_eq!(full[0].part, spawn("c"));
        assert!(full[0].why.contains("no places of their own; write `spawn: Points"), "{full:?}");
        let full = FullPart::all(&Source::new("s.ron", started("")));
        assert_eq!(full, []);
    }

    /// Returns the scenario with a start in which the group `b` has two agents, and other fields of the start.
    fn started(more: &str) -> String {
        let start = format!(
            r#"start: (tick: 5,{more} groups: {{
            "b": (made: 4, agents: [
                (id: 1, index: 1, at: (2, 2), velocity: (1, 0)), // slow
                (id: 3, index: 3, at: (4, 4), velocity: (0, 2), goal: (sequence: 0, reached: 1), state: {{ "n": 7 }}),
            ]),
            "a": (made: 2),
        }})"#
        );
        TEXT.replace("ticks: 60,", &format!("ticks: 60,\n    {start},"))
    }

    #[test]
    fn agents_of_a_start_are_moved_added_and_removed() {
        let before = started("");
        let source = Source::new("s.ron", before.as_str());
        let places: Vec<Vec2> = spawn("b").handles(&before).iter().map(|one| one.at).collect();
        assert_eq!(places, [Vec2::splat(2.0), Vec2::splat(4.0)]);
        assert_eq!(spawn("a").handles(&before), [], "the spawn makes no agents here");
        let to = vec![(1, Vec2::new(5.0, 6.0))];
        let moved = SceneEdit::Move { part: spawn("b"), to }.apply(&source).unwrap();
        assert_eq!(moved, before.replace("at: (4, 4)", "at: (5, 6)"));
        let at = Vec2::new(8.0, 9.0);
        let add = |group| SceneEdit::AddPlace { part: spawn(group), before: None, at };
        // Its id is the next one that was never used, and so is its index.
        let added = add("b").apply(&source).unwrap();
        let agent = "(id: 6, index: 4, at: (8, 9), velocity: (0, 2), state: { \"n\": 7 }),";
        assert!(added.contains(agent) && added.contains("\"b\": (made: 5, agents"), "{added}");
        let added = add("a").apply(&source).unwrap();
        let agent = "\"a\": (made: 3, agents: [(id: 6, index: 2, at: (8, 9), velocity: (0, 0))])";
        assert!(added.contains(agent), "{added}");
        let added = add("c").apply(&source).unwrap();
        let agent = "\"c\": (made: 1, agents: [(id: 6, index: 0, at: (8, 9), velocity: (0, 0))])";
        assert!(added.contains(agent), "{added}");
        let counted = Source::new("s.ron", started(" made: 20,"));
        let added = add("b").apply(&counted).unwrap();
        assert!(
            added.contains(" made: 21, groups") && added.contains("id: 20, index: 4"),
            "{added}"
        );
        let remove = SceneEdit::Remove { part: spawn("b"), number: 0 };
        let one = remove.apply(&source).unwrap();
        assert!(!one.contains("id: 1,") && one.contains("id: 3,"), "{one}");
        assert!(one.contains("\"b\": (made: 4, ") && one.contains("count: 3"), "{one}");
        // A group may have none left, and get another one.
        let source = Source::new("s.ron", one);
        let none = Source::new("s.ron", remove.apply(&source).unwrap());
        assert_eq!(spawn("b").handles(&none.text), []);
        assert_eq!(spawn("b").handles(&add("b").apply(&none).unwrap()).len(), 1);
    }

    #[test]
    fn a_moved_place_changes_the_shape_as_the_text_says() {
        for (spec, number, to) in [
            ("Circle(center: (10, 20), radius: 3.5)", 0, Vec2::new(12.0, 20.0)),
            ("Circle(center: (10, 20), radius: 3.5)", 1, Vec2::new(10.0, 26.0)),
            ("Box(center: (20, 10), size: (20, 10))", 0, Vec2::new(40.0, 30.0)),
            ("Box(center: (20, 10), size: (20, 10), angle_deg: 30)", 1, Vec2::new(40.0, 30.0)),
            ("Room(min: (1, 2), max: (30, 40))", 1, Vec2::new(33.0, 44.0)),
            ("Segment(from: (1, 2), to: (30, 40))", 0, Vec2::new(3.0, 4.0)),
            ("Polygon([(50, 50), (60, 50), (60, 60)])", 2, Vec2::new(61.0, 66.0)),
        ] {
            let text = TEXT.replace("Circle(center: (10, 20), radius: 3.5)", spec);
            let part = ScenePart::Obstacle("rock".into());
            let shape_of = |text: &str| {
                let handles = part.handles(text);
                (handles[0].shape, handles.iter().map(|one| one.at).collect::<Vec<_>>())
            };
            let (shape, places) = shape_of(&text);
            let shown = shape.moved(&places, &[(number, to)]);
            assert!(shape.outline(&shown).is_some(), "{spec}");
            let edit = SceneEdit::Move { part: part.clone(), to: vec![(number, to)] };
            let (_, written) = shape_of(&edit.apply(&Source::new("s.ron", text)).unwrap());
            let is_near = |(a, b): (&Vec2, &Vec2)| a.distance(*b) < 0.01;
            // A radius is written, not the place on the rim.
            if shape != SceneShape::Circle || number == 0 {
                assert!(shown.iter().zip(&written).all(is_near), "{spec}: {shown:?} {written:?}");
            }
        }
    }

    #[test]
    fn what_is_impossible_is_an_error() {
        let at = Vec2::ONE;
        for (edit, message) in [
            (SceneEdit::Remove { part: spawn("b"), number: 0 }, "the only one"),
            (SceneEdit::Remove { part: spawn("c"), number: 0 }, "cannot lose a place"),
            (SceneEdit::Remove { part: ScenePart::Path("way".into()), number: 0 }, "two points"),
            (SceneEdit::Remove { part: ScenePart::Path("none".into()), number: 0 }, "no place 0"),
            (SceneEdit::AddPlace { part: spawn("c"), before: None, at }, "no places of their own"),
            (
                SceneEdit::Move { part: spawn("a"), to: vec![(0, Vec2::new(f32::NAN, 0.0))] },
                "finite number",
            ),
        ] {
            let errors = edit.apply(&source()).unwrap_err();
            let error = errors.iter().next().unwrap();
            assert!(error.message.contains(message), "{edit:?}: {}", error.message);
        }
    }
}
