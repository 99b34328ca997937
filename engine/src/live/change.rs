//! Describes what an edit has changed, for a person.

use super::version::Version;
use crate::runner::{ChangeEffect, ScenarioChange, scenario_changes};

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
    let (old, new) = (before.run.ticks(), after.run.ticks());
    if old != new {
        all.push(format!("ticks {old} to {new}"));
    }
    let changes = scenario_changes(&before.run, &after.run);
    let changes = changes.iter().filter(|change| change.effect != ChangeEffect::Spawn);
    all.extend(changes.map(ScenarioChange::brief));
    let (old, new) = (before.start(), after.start());
    for (group, spawn) in new.world().groups.iter().zip(new.spawns()) {
        let Some(id) = old.world().names().group(&group.name) else { continue };
        let then = &old.spawns()[usize::from(id.0)];
        if old.world().seed != new.world().seed || !then.is_compatible_with(spawn) {
            all.push(format!("`{}` is spawned again", group.name));
        }
    }
}
