//! Writes values and actions as RON: the inverse of reading a scenario.

use std::sync::Arc;

use crate::math::Vec2;
use crate::sim::{Action, PushTime};
use crate::world::{Goal, GroupId, ObstacleMotion, Value};

/// Writes a number for a field of a scenario that takes any number: the shortest text that reads back to the same bits.
pub fn number(x: f32) -> String {
    let text = float(x);
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// Writes a number that is read back as a float.
pub(super) fn float(x: f32) -> String {
    let short = format!("{x:?}");
    // Numbers in params are first read with 64 bits and then rounded again.
    let reads_back = short.parse::<f64>().is_ok_and(|read| (read as f32).to_bits() == x.to_bits());
    if reads_back { short } else { format!("{:?}", f64::from(x)) }
}

/// Writes a string for a field of a scenario, in quotes.
pub fn quoted(text: &str) -> String {
    // Writing a string cannot fail.
    ron::to_string(text).unwrap_or_default()
}

pub(super) fn vector(v: Vec2) -> String {
    format!("({}, {})", number(v.x), number(v.y))
}

/// Writes the value of a param. `None` if no param in a scenario can have that value.
pub fn param(of: &Value) -> Option<String> {
    let is_param = !matches!(of, Value::Nothing | Value::Agent(_) | Value::List(_) | Value::Map(_));
    is_param.then(|| value(of))
}

/// Writes a value of any type.
pub(super) fn value(of: &Value) -> String {
    match of {
        Value::Nothing => "()".to_owned(),
        Value::Bool(x) => x.to_string(),
        Value::Int(x) => x.to_string(),
        Value::Float(x) => float(*x),
        Value::Vector(v) => vector(*v),
        Value::String(text) => quoted(text),
        Value::Agent(id) => format!("Agent({id})"),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(value).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(items) => map(items.iter().map(|(key, item)| (&**key, value(item)))),
        Value::Drawn(distribution) => distribution.to_string(),
    }
}

/// Writes a map from names to values that are already text.
pub(super) fn map<'k>(items: impl Iterator<Item = (&'k str, String)>) -> String {
    let items: Vec<String> = items.map(|(key, item)| format!("{}: {item}", quoted(key))).collect();
    format!("{{ {} }}", items.join(", "))
}

/// Writes a list of goals.
pub(super) fn goals(all: &[Goal]) -> String {
    let goal = |goal: &Goal| format!("(at: {}, radius: {})", vector(goal.at), number(goal.radius));
    let goals: Vec<String> = all.iter().map(goal).collect();
    format!("[{}]", goals.join(", "))
}

/// Returns a motion as it is written.
pub(crate) fn motion_text(motion: &ObstacleMotion) -> String {
    match motion {
        ObstacleMotion::Stop => "Stop".to_owned(),
        ObstacleMotion::Velocity(velocity) => format!("Velocity({})", vector(*velocity)),
        ObstacleMotion::To { at, speed } => {
            format!("To(at: {}, speed: {})", vector(*at), number(*speed))
        }
        ObstacleMotion::Along { path, speed } => {
            format!("Along(path: {}, speed: {})", quoted(path), number(*speed))
        }
    }
}

/// Returns an action as it is written after `do:`. `groups` are the names of the groups. `None` if a group does not exist,
/// or if a param is set to a value that cannot be written in a scenario.
pub fn action_text(action: &Action, groups: &[Arc<str>]) -> Option<String> {
    let name = |group: GroupId| groups.get(usize::from(group.0)).map(|name| quoted(name));
    Some(match action {
        Action::Push { group, velocity, when } => {
            let (group, velocity) = (name(*group)?, vector(*velocity));
            let when = match when {
                PushTime::BeforeDecision => "",
                PushTime::AfterDecision => ", when: AfterDecision",
            };
            format!("Push(group: {group}, velocity: {velocity}{when})")
        }
        Action::Set { group, param, value: new } => {
            let (group, param, new) = (name(*group)?, quoted(param), self::param(new)?);
            format!("Set(group: {group}, param: {param}, value: {new})")
        }
        Action::Spawn { group, count } => {
            format!("Spawn(group: {}, count: {count})", name(*group)?)
        }
        Action::Remove { group, count: Some(count) } => {
            format!("Remove(group: {}, count: {count})", name(*group)?)
        }
        Action::Remove { group, count: None } => format!("Remove(group: {})", name(*group)?),
        Action::SetGoals { group, goals } => {
            format!("SetGoals(group: {}, goals: {})", name(*group)?, self::goals(goals))
        }
        Action::SetObstacle { obstacle, present } => {
            format!("SetObstacle(obstacle: {}, present: {present})", quoted(obstacle))
        }
        Action::MoveObstacle { obstacle, motion } => {
            let (obstacle, moves) = (quoted(obstacle), motion_text(motion));
            format!("MoveObstacle(obstacle: {obstacle}, moves: {moves})")
        }
        Action::Input { name, down } => format!("Input(name: {}, down: {down})", quoted(name)),
        Action::SetShared { name, value: new } => {
            format!("SetShared(name: {}, value: {})", quoted(name), value(new))
        }
        Action::Cursor { at: Some(at) } => format!("Cursor(at: {})", vector(*at)),
        Action::Cursor { at: None } => "Cursor()".to_owned(),
        Action::Scatter { at, radius, speed, group } => {
            let of_group = match group {
                Some(group) => format!(", group: {}", name(*group)?),
                None => String::new(),
            };
            let (at, radius, speed) = (vector(*at), number(*radius), number(*speed));
            format!("Scatter(at: {at}, radius: {radius}, speed: {speed}{of_group})")
        }
    })
}
