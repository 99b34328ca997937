//! Edits of a scene in the text of its scenario: obstacles, points of paths, goals and places of agents are moved, added and
//! removed. Everything else stays as it is written.

use std::sync::Arc;

use super::check::direction;
use super::parts::places;
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
    /// The places where the agents of the group with this name begin.
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
    /// The circle or box whose size it sets. `None` if it is a place that is written.
    pub size_of: Option<SizedShape>,
    path: PartPath,
}

/// A shape with a size that is written in a scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SizedShape {
    /// A circle. Its size is its radius.
    Circle {
        /// World units.
        center: Vec2,
    },
    /// A box. Its size is its width and height.
    Box {
        /// World units.
        center: Vec2,
        /// The direction of its width, as a unit vector.
        axis: Vec2,
    },
}

impl SizedShape {
    /// Returns the text of its size if a place is on its rim, or at its corner.
    fn size_text(self, at: Vec2) -> String {
        let short = |x: f32| to_ron::number(math::short(x).parse().unwrap_or(x));
        match self {
            Self::Circle { center } => short(math::length(at - center)),
            Self::Box { .. } => {
                let half = self.half_size(at);
                format!("({}, {})", short(2.0 * half.x), short(2.0 * half.y))
            }
        }
    }

    /// Returns half of its width and height, in world units, if a place is at its corner, or on its rim.
    pub fn half_size(self, at: Vec2) -> Vec2 {
        match self {
            Self::Circle { center } => Vec2::splat(math::length(at - center)),
            Self::Box { center, axis } => {
                let corner = at - center;
                Vec2::new(corner.dot(axis), corner.dot(math::perp(axis))).abs()
            }
        }
    }

    /// Returns its center, in world units.
    pub fn center(self) -> Vec2 {
        match self {
            Self::Circle { center } | Self::Box { center, .. } => center,
        }
    }
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

impl ScenePart {
    /// Returns the path of its value in the text.
    fn path(&self) -> PartPath {
        match self {
            Self::Obstacle(name) => path(&["obstacles", name]),
            Self::Path(name) => path(&["paths", name, "points"]),
            Self::Field(name) => path(&["fields", name]),
            Self::Goals(group) => path(&["groups", group, "goals"]),
            Self::Spawn(group) => path(&["groups", group, "spawn"]),
        }
    }

    /// Returns its places in a text.
    fn handles(&self, text: &str) -> Vec<Handle> {
        let own = self.path();
        let mut found = Vec::new();
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
            if let Some(at) = at {
                let number = found.len();
                found.push(Handle { part: self.clone(), number, at, size_of: None, path });
            }
        }
        let size = self.size_handle(text, found.len());
        found.extend(size);
        found
    }

    /// Returns the handle of its size in a text, if it is a circle or a box.
    fn size_handle(&self, text: &str, number: usize) -> Option<Handle> {
        let written = |name: &str| {
            let mut path = self.path();
            path.push(name.to_owned());
            Some((part(text, &path)?, path))
        };
        let center = place(written("center")?.0)?;
        let (to_rim, size_of, path) = if let Some((radius, path)) = written("radius") {
            let radius: f32 = places(radius, 0..radius.len())?;
            (Vec2::new(radius, 0.0), SizedShape::Circle { center }, path)
        } else {
            let (size, path) = written("size")?;
            let angle = written("angle_deg").and_then(|(deg, _)| places(deg, 0..deg.len()));
            let (axis, half) = (direction(angle.unwrap_or(0.0)), place(size)? / 2.0);
            let corner = axis * half.x + math::perp(axis) * half.y;
            (corner, SizedShape::Box { center, axis }, path)
        };
        let (part, at) = (self.clone(), center + to_rim);
        Some(Handle { part, number, at, size_of: Some(size_of), path })
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
    ///
    /// A scenario that begins in the middle of a run has no places of agents: its `start` has them.
    pub fn all(source: &Source) -> Vec<Self> {
        let text = source.text.as_str();
        let names = |of: &str| part_names(text, &path(&[of])).into_iter();
        let mut parts: Vec<ScenePart> = names("obstacles").map(ScenePart::Obstacle).collect();
        parts.extend(names("paths").map(ScenePart::Path));
        parts.extend(names("fields").map(ScenePart::Field));
        let begins = part(text, &path(&["start"])).is_none();
        for group in names("groups") {
            parts.push(ScenePart::Goals(group.clone()));
            parts.extend(begins.then_some(ScenePart::Spawn(group)));
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

/// Returns the error for a place that does not exist.
fn missing(part: &ScenePart, number: usize) -> Diagnostic {
    Diagnostic::error(format!("{} has no place {number}", part.noun()))
        .help("the scenario was changed in the meantime: try again")
}

fn moved(text: &str, part: &ScenePart, to: &[(usize, Vec2)]) -> Result<String, Diagnostic> {
    let handles = part.handles(text);
    let mut text = text.to_owned();
    for (number, at) in to {
        let handle = handles.get(*number).ok_or_else(|| missing(part, *number))?;
        let value = match handle.size_of {
            Some(shape) => shape.size_text(*at),
            None => to_ron::vector(*at),
        };
        text = with_part(&text, &handle.path, &value).ok_or_else(|| missing(part, *number))?;
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
    let (list, at) = (to.path(), to_ron::vector(at));
    let cannot = |why: &str| Diagnostic::error(format!("{} {why}", to.noun()));
    if matches!(to, ScenePart::Spawn(_)) && part(text, &path(&["start"])).is_some() {
        return Err(cannot("are those of the `start`").help("add an agent there"));
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
    Ok(counted(text, to, 1))
}

fn without_place(text: &str, part: &ScenePart, number: usize) -> Result<String, Diagnostic> {
    let handles = part.handles(text);
    let handle = handles.get(number).ok_or_else(|| missing(part, number))?;
    let own = part.path();
    let is_element = handle.path.get(own.len()).is_some_and(|name| name.parse::<usize>().is_ok());
    let removed = match part {
        ScenePart::Obstacle(_) if !is_element || handles.len() <= 3 => own,
        _ if is_element => handle.path[..=own.len()].to_vec(),
        _ => {
            let whole = format!("{} cannot lose a place", part.noun());
            return Err(Diagnostic::error(whole).help("remove it in the file"));
        }
    };
    if matches!(part, ScenePart::Spawn(_)) && handles.len() == 1 {
        let last = format!("this is the only one of {}", part.noun());
        return Err(Diagnostic::error(last).help("remove the group in the file"));
    }
    let is_last = removed.len() == 2 && part_names(text, &path(&["obstacles"])).len() == 1;
    let text = without_parts(text, &[removed]);
    if matches!(part, ScenePart::Obstacle(_)) && is_last {
        return Ok(without_empty_part(&text, &path(&["obstacles"])));
    }
    Ok(counted(text, part, -1))
}

/// Changes the number of agents of a group with its places, if it is written.
fn counted(text: String, of: &ScenePart, by: i64) -> String {
    let ScenePart::Spawn(group) = of else {
        return text;
    };
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
        assert_eq!(all.iter().filter(|one| one.size_of.is_some()).count(), 2);
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
        for (angle, corner, to) in [
            ("", (30.0, 15.0), Vec2::new(28.0, 5.0)),
            (", angle_deg: 90", (15.0, 20.0), Vec2::new(15.0, 2.0)),
        ] {
            let text = |size: &str| {
                let shed = format!("Box(center: (20, 10), size: {size}{angle})");
                TEXT.replace("Circle(center: (10, 20), radius: 3.5)", &shed)
            };
            let source = Source::new("s.ron", text("(20, 10)"));
            let part = ScenePart::Obstacle("rock".into());
            let handles = part.handles(&source.text);
            assert!(handles[1].at.distance(Vec2::from(corner)) < 1e-4, "{handles:?}");
            let done = SceneEdit::Move { part, to: vec![(1, to)] }.apply(&source).unwrap();
            assert_eq!(done, text("(16, 10)"));
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
        let later = TEXT.replace("ticks: 60,", "ticks: 60, start: (tick: 5),");
        let full = FullPart::all(&Source::new("s.ron", later));
        assert_eq!(full.len(), 3, "{full:?}");
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
