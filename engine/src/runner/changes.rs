//! Compares two versions of a scenario, and says what differs in plain words.
//!
//! It compares what runs begin with. Scripts, expectations and the `golden` field do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Debug, Display};
use std::sync::Arc;

use super::Run;
use crate::schema::SettingText;
use crate::sim::{Simulation, Spawn};
use crate::trace::state_hash;
use crate::world::{Group, Layer, Obstacle, Space, Value};

/// One difference between two versions of a scenario. Displayed as a sentence: `` `seed` was 1, is 2 ``.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioChange {
    /// The name of the group that it is in; `None` for everything else.
    pub group: Option<Arc<str>>,
    /// The effect of the change.
    pub effect: ChangeEffect,
    /// The kind of thing, with a space after it: `"param "`. Empty for a field of the scenario.
    label: &'static str,
    name: String,
    change: Change,
}

/// The effect of a change in a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeEffect {
    /// How a force moves an agent.
    Motion,
    /// Where agents are made.
    Spawn,
    /// Anything else, or several things.
    Any,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Change {
    Added,
    Removed,
    /// The values are too long to show.
    Changed,
    Value {
        was: String,
        is: String,
    },
}

impl Display for ScenarioChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}`{}`", self.label, self.name)?;
        if let Some(group) = &self.group {
            write!(f, " of group `{group}`")?;
        }
        match &self.change {
            Change::Added => f.write_str(" is new"),
            Change::Removed => f.write_str(" is removed"),
            Change::Changed => f.write_str(" changed"),
            Change::Value { was, is } => write!(f, " was {was}, is {is}"),
        }
    }
}

impl ScenarioChange {
    /// Returns it in few words: `` `bird`: fear 70 to 50 ``.
    pub fn brief(&self) -> String {
        let group = self.group.as_ref().map_or_else(String::new, |group| format!("`{group}`: "));
        let long = format!("{}`{}`", self.label, self.name);
        let short = if matches!(self.label, "" | "param ") { &self.name } else { &long };
        match &self.change {
            Change::Added => format!("{group}new {long}"),
            Change::Removed => format!("{group}{long} is removed"),
            Change::Changed => format!("{group}{short}"),
            Change::Value { was, is } => format!("{group}{short} {was} to {is}"),
        }
    }
}

/// Returns what differs between the scenarios of two runs at their starts: settings of the world, then of each group, then
/// obstacles, paths, fields and events.
pub fn scenario_changes(old: &Run, new: &Run) -> Vec<ScenarioChange> {
    let mut changes = ChangeList { group: None, all: Vec::new() };
    changes.compare("", world_values(&old.simulation), world_values(&new.simulation));
    let (old_world, new_world) = (old.simulation.world(), new.simulation.world());
    let groups = |of: &[Group]| named(of, |group| (&group.name, &()));
    changes.compare("group ", groups(&old_world.groups), groups(&new_world.groups));
    for (index, group) in new_world.groups.iter().enumerate() {
        let Some(id) = old_world.names().group(&group.name) else { continue };
        changes.group = Some(Arc::clone(&group.name));
        let (before, after) = (usize::from(id.0), index);
        changes.compare("param ", params(old_world.group(id)), params(group));
        changes.compare("", group_values(old, before), group_values(new, after));
    }
    changes.group = None;
    let all = |of: &Simulation| of.world().obstacles_at_home();
    let (before, after) = (all(&old.simulation), all(&new.simulation));
    let obstacles = |all: &[Obstacle]| named(all, |one| (&one.name, one));
    changes.compare("obstacle ", obstacles(&before), obstacles(&after));
    let paths = |of: &Simulation| named(&of.world().paths, |one| (&one.name, one));
    changes.compare("path ", paths(&old.simulation), paths(&new.simulation));
    let fields = |of: &Simulation| named(&of.world().fields, |one| (&one.name, one));
    changes.compare("field ", fields(&old.simulation), fields(&new.simulation));
    let layers = |of: &Simulation| {
        let fixed: Vec<Layer> = of.world().layers.iter().map(Layer::fixed).collect();
        named(&fixed, |one| (&one.name, one))
    };
    changes.compare("layer ", layers(&old.simulation), layers(&new.simulation));
    let events = |of: &Simulation| vec![long("events", &of.events())];
    changes.compare("", events(&old.simulation), events(&new.simulation));
    // Agents of a start are not made by spawns, so only the start can make them differ.
    let hash = |run: &Run| Some(state_hash(run.simulation.world(), run.simulation.minds()));
    if new.first_tick > 0 && hash(old) != hash(new) {
        changes.add("", "start".into(), ChangeEffect::Any, Change::Changed);
    }
    changes.all
}

/// A value in a scenario, as text that is equal only for equal values.
struct NamedValue {
    name: String,
    text: String,
    is_short: bool,
    effect: ChangeEffect,
}

impl NamedValue {
    fn affects(self, effect: ChangeEffect) -> Self {
        Self { effect, ..self }
    }
}

impl From<SettingText> for NamedValue {
    fn from(setting: SettingText) -> Self {
        let SettingText { name, text, is_short, is_of_motion } = setting;
        let effect = if is_of_motion { ChangeEffect::Motion } else { ChangeEffect::Any };
        Self { name: name.to_owned(), text, is_short, effect }
    }
}

fn short(name: &str, value: &dyn Display) -> NamedValue {
    let (name, text) = (name.to_owned(), value.to_string());
    NamedValue { name, text, is_short: true, effect: ChangeEffect::Any }
}

fn long(name: &str, value: &dyn Debug) -> NamedValue {
    NamedValue { is_short: false, ..short(name, &format!("{value:?}")) }
}

fn named<T, D: Debug>(all: &[T], of: impl Fn(&T) -> (&Arc<str>, &D)) -> Vec<NamedValue> {
    let value = |one| {
        let (name, value) = of(one);
        long(name, value)
    };
    all.iter().map(value).collect()
}

fn world_values(of: &Simulation) -> Vec<NamedValue> {
    let world = of.world();
    let Space { edge, min, size } = world.space;
    vec![
        short("seed", &world.seed),
        short("dt", &world.dt).affects(ChangeEffect::Motion),
        short("order", &format!("{:?}", of.order())),
        short("edge", &format!("{edge:?}")).affects(ChangeEffect::Motion),
        short("way_cell", &world.way_cell.map_or("default".to_owned(), |cell| cell.to_string()))
            .affects(ChangeEffect::Motion),
        short("min", &format!("({}, {})", min.x, min.y)).affects(ChangeEffect::Motion),
        short("size", &format!("({}, {})", size.x, size.y)).affects(ChangeEffect::Motion),
    ]
}

/// Returns all values of a group but its params.
fn group_values(run: &Run, index: usize) -> Vec<NamedValue> {
    let world = run.simulation.world();
    let settings = world.groups[index].settings(&world.groups, &world.paths);
    let mut values: Vec<_> = settings.into_iter().map(NamedValue::from).collect();
    // Taken apart, so that no field can be forgotten.
    let Spawn { shape, count, vel, heading } = &run.simulation.spawns()[index];
    values.extend([
        short("count", count),
        long("spawn", shape).affects(ChangeEffect::Spawn),
        short("velocity", &format!("({}, {})", vel.x, vel.y)).affects(ChangeEffect::Spawn),
        long("heading", heading).affects(ChangeEffect::Spawn),
        short("behavior", &run.behavior_names[index].as_deref().unwrap_or("none")),
    ]);
    values
}

fn params(group: &Group) -> Vec<NamedValue> {
    let param = |(name, value): (&str, &Value)| match value {
        Value::Bool(x) => short(name, x),
        Value::Int(x) => short(name, x),
        Value::Float(x) => short(name, x),
        Value::Vector(at) => short(name, &format!("({}, {})", at.x, at.y)),
        Value::String(text) => short(name, &format!("{text:?}")),
        Value::Drawn(distribution) => short(name, distribution),
        other => long(name, other),
    };
    group.params.iter().map(param).collect()
}

/// The changes that were found so far.
struct ChangeList {
    /// The group that is compared.
    group: Option<Arc<str>>,
    all: Vec<ScenarioChange>,
}

impl ChangeList {
    fn add(&mut self, label: &'static str, name: String, effect: ChangeEffect, change: Change) {
        let group = self.group.clone();
        self.all.push(ScenarioChange { group, effect, label, name, change });
    }

    /// Compares values by name: those of the new version in their order, then those that only the old one has.
    fn compare(&mut self, label: &'static str, old: Vec<NamedValue>, new: Vec<NamedValue>) {
        let before: BTreeMap<&str, &NamedValue> =
            old.iter().map(|then| (then.name.as_str(), then)).collect();
        let after: BTreeSet<&str> = new.iter().map(|now| now.name.as_str()).collect();
        for now in &new {
            let change = match before.get(now.name.as_str()) {
                Some(then) if then.text == now.text => continue,
                Some(then) if then.is_short && now.is_short => {
                    Change::Value { was: then.text.clone(), is: now.text.clone() }
                }
                Some(_) => Change::Changed,
                None => Change::Added,
            };
            self.add(label, now.name.clone(), now.effect, change);
        }
        for then in old.iter().filter(|then| !after.contains(then.name.as_str())) {
            self.add(label, then.name.clone(), ChangeEffect::Any, Change::Removed);
        }
    }
}
