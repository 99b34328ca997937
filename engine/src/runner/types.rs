//! The types of the values in scripts, for editors.

use std::path::Path;
use std::sync::Arc;

use super::start::{brain, compile};
use crate::diag::Diagnostics;
use crate::load::{OpenFiles, ScriptsFolder};
use crate::scenario::Scenario;
use crate::script::{Behavior, InferredType};
use crate::sim::Simulation;
use crate::world::GroupId;

/// Returns the types of the values in a script as the behaviors of a scenario reach them, or as any scenario would if none is
/// given, while files are open in an editor. Several groups may reach the same place.
///
/// # Errors
///
/// If the scenario or a script has errors.
pub fn types(
    scenario: Option<&Path>,
    script: &Path,
    open: &Arc<OpenFiles>,
) -> Result<Vec<InferredType>, Diagnostics> {
    let source = open.read(script)?;
    let mut all = Vec::new();
    match scenario {
        None => {
            let (folder, name) = ScriptsFolder::of_open_script(script, open)?;
            all = Behavior::compile(&name, &folder)?.types_anywhere();
        }
        Some(path) => {
            let scenario = Scenario::parse(&open.read(path)?)?;
            let scripts = ScriptsFolder::of_open_scenario(path, open);
            let behaviors = compile(&scenario.behaviors, &scripts, false)?;
            let brains = behaviors.iter().map(|_| brain(None)).collect();
            let simulation = Simulation::new(scenario.setup, brains)?;
            for (group, behavior) in behaviors.iter().enumerate() {
                if let Some(behavior) = behavior {
                    all.extend(behavior.types(simulation.world(), GroupId(group as u16)));
                }
            }
        }
    }
    all.retain(|one| one.place.source.name == source.name);
    Ok(all)
}
