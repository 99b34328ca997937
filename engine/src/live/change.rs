//! Describes what an edit has changed, for a person.

use std::fmt::Display;

use super::version::Version;
use crate::sim::Simulation;
use crate::trace::significant;
use crate::world::{Body, Group, Value};

/// Returns a few words for each difference between two versions.
pub(super) fn describe_changes(before: &Version, after: &Version) -> Vec<String> {
    let mut all = Vec::new();
    for (name, source) in &after.files.scripts {
        match before.files.scripts.get(name) {
            Some(old) if old.text == source.text => {}
            Some(_) => all.push(format!("script `{name}`")),
            None => all.push(format!("new script `{name}`")),
        }
    }
    if before.files.scenario.text != after.files.scenario.text {
        let found = all.len();
        scenario(&mut all, before, after);
        if all.len() == found {
            all.push("scenario, without effect on any agent".into());
        }
    }
    all
}

fn scenario(all: &mut Vec<String>, before: &Version, after: &Version) {
    let (old, new) = (before.start().world(), after.start().world());
    let mut value = |name: &str, old: &dyn Display, new: &dyn Display| {
        let (old, new) = (old.to_string(), new.to_string());
        if old != new {
            all.push(format!("{name} {old} to {new}"));
        }
    };
    value("ticks", &before.run.ticks(), &after.run.ticks());
    value("dt", &old.dt, &new.dt);
    value("seed", &old.seed, &new.seed);
    value("edge", &format!("{:?}", old.space.edge), &format!("{:?}", new.space.edge));
    if (old.space.min, old.space.size) != (new.space.min, new.space.size) {
        all.push("size of the world".into());
    }
    let obstacle = |one: &crate::world::Obstacle| (one.name.to_string(), one.clone());
    let old_all: Vec<_> = old.obstacles.iter().map(obstacle).collect();
    let new_all: Vec<_> = new.obstacles.iter().map(obstacle).collect();
    named(all, "obstacle", &old_all, &new_all);
    let path = |one: &crate::world::Path| (one.name.to_string(), one.clone());
    let old_all: Vec<_> = old.paths.iter().map(path).collect();
    let new_all: Vec<_> = new.paths.iter().map(path).collect();
    named(all, "path", &old_all, &new_all);
    groups(all, before.start(), after.start());
    if before.start().events() != after.start().events() {
        all.push("events".into());
    }
}

/// Describes which named things were added, removed or changed.
fn named<T: PartialEq>(
    all: &mut Vec<String>,
    what: &str,
    old: &[(String, T)],
    new: &[(String, T)],
) {
    for (name, now) in new {
        match old.iter().find(|(known, _)| known == name) {
            Some((_, then)) if then == now => {}
            Some(_) => all.push(format!("{what} `{name}`")),
            None => all.push(format!("new {what} `{name}`")),
        }
    }
    for (name, _) in old {
        if !new.iter().any(|(known, _)| known == name) {
            all.push(format!("{what} `{name}` is removed"));
        }
    }
}

fn groups(all: &mut Vec<String>, before: &Simulation, after: &Simulation) {
    let (old, new) = (before.world(), after.world());
    for (group, spawn) in new.groups.iter().zip(after.spawns()) {
        let name = &group.name;
        let Some(id) = old.group_named(name) else {
            let agents = if spawn.count == 1 { "agent" } else { "agents" };
            all.push(format!("new group `{name}` with {} {agents}", spawn.count));
            continue;
        };
        let (then, first) = (old.group(id), &before.spawns()[id.0 as usize]);
        if first.count != spawn.count {
            all.push(format!("`{name}`: {} to {} agents", first.count, spawn.count));
        }
        if old.seed != new.seed || !first.is_compatible_with(spawn) {
            all.push(format!("`{name}` is spawned again"));
        }
        body(all, name, &then.body, &group.body);
        if then.bodies != group.bodies {
            all.push(format!("`{name}`: bodies of single agents"));
        }
        params(all, then, group);
        if then.goals != group.goals || then.after_goals != group.after_goals {
            all.push(format!("`{name}`: goals"));
        }
        let path_name = |world: &crate::world::World, group: &Group| {
            group.path.map(|path| world.path(path).name.clone())
        };
        if path_name(old, then) != path_name(new, group) {
            all.push(format!("`{name}`: path"));
        }
    }
    for group in &old.groups {
        if new.group_named(&group.name).is_none() {
            all.push(format!("group `{}` is removed", group.name));
        }
    }
}

fn body(all: &mut Vec<String>, name: &str, old: &Body, new: &Body) {
    let parts = |body: &Body| {
        [
            ("radius", body.radius),
            ("mass", body.mass),
            ("max_speed", body.max_speed),
            ("max_force", body.max_force),
        ]
    };
    for ((part, old), (_, new)) in parts(old).into_iter().zip(parts(new)) {
        if old != new {
            all.push(format!("`{name}`: {part} {} to {}", short(old), short(new)));
        }
    }
}

fn params(all: &mut Vec<String>, old: &Group, new: &Group) {
    let name = &new.name;
    for (param, now) in new.params.iter() {
        match old.params.get(param) {
            Some(then) if then == now => {}
            Some(then) => {
                let (then, now) = (shown(then), shown(now));
                all.push(format!("`{name}`: {param} {then} to {now}"));
            }
            None => all.push(format!("`{name}`: new param {param}")),
        }
    }
    for param in old.params.names() {
        if new.params.get(param).is_none() {
            all.push(format!("`{name}`: param {param} is removed"));
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Bool(x) => x.to_string(),
        Value::Int(x) => x.to_string(),
        Value::Float(x) => short(*x),
        Value::Vector(at) => format!("({}, {})", short(at.x), short(at.y)),
        Value::String(text) => format!("{text:?}"),
        other => other.kind().to_owned(),
    }
}

fn short(x: f32) -> String {
    if x.is_infinite() { "no limit".into() } else { significant(x.into(), 5) }
}
