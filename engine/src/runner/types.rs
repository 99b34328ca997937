//! The types of the values in scripts, for editors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::start::brain;
use crate::diag::Diagnostics;
use crate::load::{OpenFiles, ScriptsFolder};
use crate::scenario::Scenario;
use crate::script::{Behavior, InferredType};
use crate::sim::Simulation;
use crate::world::GroupId;

/// The behaviors that scenarios name, by their folders and names; `None` if they have errors.
type Behaviors = BTreeMap<(Option<PathBuf>, String), Option<Arc<Behavior>>>;

/// A scenario at its start, and the behaviors of its groups.
type Started = (Simulation, Vec<Option<Arc<Behavior>>>);

/// Returns the types of the values in a script as the behaviors of scenarios reach them, or as any scenario would if none of these does,
/// while files are open in an editor. There are none if the script has errors. A scenario with errors counts as one that does not use it.
pub fn types(scenarios: &[PathBuf], script: &Path, open: &Arc<OpenFiles>) -> Vec<InferredType> {
    let Ok(source) = open.read(script) else { return Vec::new() };
    let mut behaviors = Behaviors::new();
    let started = scenarios.iter().filter_map(|path| start(path, open, &mut behaviors).ok());
    let started: Vec<Started> = started.collect();
    let mut all = Vec::new();
    for behavior in behaviors.values().flatten() {
        let groups = started.iter().flat_map(|(simulation, of_groups)| {
            let all = (0..).map(GroupId).zip(of_groups);
            let own = all.filter(|(_, of)| of.as_ref().is_some_and(|of| Arc::ptr_eq(of, behavior)));
            own.map(|(group, _)| (&**simulation.world(), group))
        });
        all.extend(behavior.types(&source, groups));
    }
    if all.is_empty()
        && let Ok((folder, name)) = ScriptsFolder::of_open_script(script, open)
        && let Ok(behavior) = Behavior::compile(&name, &folder)
    {
        all = behavior.types_anywhere(&source);
    }
    all
}

/// Starts a scenario. Scenarios share the behaviors that they name.
fn start(
    path: &Path,
    open: &Arc<OpenFiles>,
    behaviors: &mut Behaviors,
) -> Result<Started, Diagnostics> {
    let scenario = Scenario::parse(&open.read(path)?)?;
    let scripts = ScriptsFolder::of_open_scenario(path, open);
    let mut of_groups = Vec::new();
    for named in &scenario.behaviors {
        let Some(named) = named else {
            of_groups.push(None);
            continue;
        };
        let key = (scripts.root().map(Path::to_owned), named.name.clone());
        let compile = || Behavior::compile(&named.name, &scripts).ok().map(Arc::new);
        match behaviors.entry(key).or_insert_with(compile) {
            Some(behavior) => of_groups.push(Some(Arc::clone(behavior))),
            None => return Err(Diagnostics::default()),
        }
    }
    let brains = of_groups.iter().map(|_| brain(None)).collect();
    Ok((Simulation::new(scenario.setup, brains)?, of_groups))
}
