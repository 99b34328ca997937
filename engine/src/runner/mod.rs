//! The public entry: a scenario file in, a run out.
//!
//! Puts together what the other modules do: reads the scenario, compiles the behaviors it names, and
//! starts the simulation. It prints nothing and decides nothing about the motion.

mod check;
mod setting;
mod threads;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

pub use check::check;
pub use setting::{NotASetting, Setting};
pub use threads::{NoThreads, with_threads};

use crate::diag::Diagnostic;
use crate::load::{self, ScriptsFolder};
use crate::scenario::{BehaviorRef, Scenario};
use crate::script::{Behavior, Library};
use crate::sim::{Brain, Fault, Message, Simulation};

/// What may differ from what the scenario says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Another seed.
    pub seed: Option<u64>,
    /// Other values for params of groups, in this order.
    pub settings: Vec<Setting>,
}

/// A scenario that runs.
pub struct Run {
    name: String,
    ticks: u64,
    simulation: Simulation,
    warnings: Vec<Diagnostic>,
}

impl Run {
    /// Reads a scenario and its scripts and makes the world at tick 0.
    ///
    /// # Errors
    ///
    /// All that is wrong with them.
    pub fn open(path: &Path, options: &Options) -> Result<Self, Vec<Diagnostic>> {
        let source = load::read(path).map_err(|error| vec![error])?;
        let mut scenario = Scenario::parse(&source)?;
        let mut errors = Vec::new();
        for Setting {
            group,
            param,
            value,
        } in &options.settings
        {
            if let Err(error) = scenario.set_param(group, param, value) {
                let told = Diagnostic::error(error.to_string());
                errors.push(match error.source() {
                    Some(why) => told.help(why.to_string()),
                    None => told,
                });
            }
        }
        let scripts = ScriptsFolder::of_scenario(path);
        let brains = compile(&scenario.behaviors, &scripts).map_err(|found| {
            errors.extend(found);
            std::mem::take(&mut errors)
        })?;
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut setup = scenario.setup;
        setup.seed = options.seed.unwrap_or(setup.seed);
        let simulation =
            Simulation::new(setup, brains).map_err(|fault| vec![fault.diagnostic()])?;
        let name = if scenario.name.is_empty() {
            let stem = path.file_stem().unwrap_or_default();
            stem.to_string_lossy().into_owned()
        } else {
            scenario.name
        };
        Ok(Self {
            name,
            ticks: scenario.ticks,
            simulation,
            warnings: scenario.warnings,
        })
    }

    /// What the scenario is called; its file's name where it does not say.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many ticks the scenario lasts. It can be stepped on beyond.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Seconds per tick.
    pub fn dt(&self) -> f32 {
        self.simulation.world().dt
    }

    /// What probably is not meant as it is written.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The world, the minds in it, and what has been reached.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// What scripts have said since this was last asked.
    pub fn take_messages(&mut self) -> Vec<Message> {
        self.simulation.take_messages()
    }

    /// One tick, on all threads of the current pool: see [`with_threads`].
    ///
    /// # Errors
    ///
    /// If a script fails. The world then is somewhere between two ticks, and the run is over.
    pub fn step(&mut self) -> Result<(), Fault> {
        self.simulation.step()
    }
}

/// Compiles the behavior of each group, each behavior once.
fn compile(
    behaviors: &[BehaviorRef],
    scripts: &ScriptsFolder,
) -> Result<Vec<Arc<dyn Brain>>, Vec<Diagnostic>> {
    let mut compiled: BTreeMap<&str, Option<Arc<dyn Brain>>> = BTreeMap::new();
    let mut brains = Vec::new();
    let mut errors: Vec<Diagnostic> = Vec::new();
    for behavior in behaviors {
        let brain = match compiled.get(behavior.name.as_str()) {
            Some(brain) => brain.clone(),
            None => {
                let brain = match compile_one(behavior, scripts) {
                    Ok(brain) => Some(Arc::new(brain) as Arc<dyn Brain>),
                    Err(found) => {
                        for error in found {
                            // Two behaviors may import the same broken script.
                            if !errors.contains(&error) {
                                errors.push(error);
                            }
                        }
                        None
                    }
                };
                compiled.insert(&behavior.name, brain.clone());
                brain
            }
        };
        brains.extend(brain);
    }
    if errors.is_empty() {
        Ok(brains)
    } else {
        Err(errors)
    }
}

fn compile_one(
    behavior: &BehaviorRef,
    scripts: &ScriptsFolder,
) -> Result<Behavior, Vec<Diagnostic>> {
    let BehaviorRef { name, place } = behavior;
    let here = |error: Diagnostic| vec![error.at(&place.source, place.span.clone())];
    match scripts.read(name) {
        Err(error) => Err(here(error)),
        Ok(None) => {
            let names = scripts.names();
            Err(here(
                Diagnostic::error(format!("there is no script for the behavior `{name}`"))
                    .label(format!("would be {name}.{}", load::SCRIPT_ENDING))
                    .suggest(name, names.iter().map(String::as_str))
                    .help(scripts.place()),
            ))
        }
        Ok(Some(_)) => Behavior::compile(name, scripts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::state_hash;
    use std::fs;
    use tempfile::TempDir;

    /// A project with groups of these behaviors, each group named after its place.
    fn project(behaviors: &[&str], scripts: &[(&str, &str)]) -> TempDir {
        let dir = tempfile::tempdir().unwrap();
        let groups: String = behaviors
            .iter()
            .enumerate()
            .map(|(i, behavior)| {
                format!(
                    r#""g{i}": (behavior: "{behavior}", spawn: Points([({i}, 0)]), params: {{ "x": 1.0 }}),"#
                )
            })
            .collect();
        let scenario =
            format!("(seed: 1, ticks: 5, world: (size: (100, 100)), groups: {{ {groups} }})");
        fs::write(dir.path().join("plain.ron"), scenario).unwrap();
        fs::create_dir(dir.path().join("scripts")).unwrap();
        for (name, text) in scripts {
            fs::write(dir.path().join(format!("scripts/{name}.rhai")), text).unwrap();
        }
        dir
    }

    fn open(dir: &TempDir, settings: &[&str]) -> Result<Run, Vec<Diagnostic>> {
        let settings = settings.iter().map(|text| text.parse().unwrap()).collect();
        let options = Options {
            seed: None,
            settings,
        };
        Run::open(&dir.path().join("plain.ron"), &options)
    }

    #[test]
    fn groups_of_one_behavior_share_it() {
        let dir = project(
            &["a", "b", "a"],
            &[
                ("a", "fn steer(me) { vec(1, 0) }"),
                ("b", "fn steer(me) { vec(2, 0) }"),
            ],
        );
        let scripts = ScriptsFolder::of_scenario(&dir.path().join("plain.ron"));
        let source = load::read(&dir.path().join("plain.ron")).unwrap();
        let scenario = Scenario::parse(&source).unwrap();
        let brains = compile(&scenario.behaviors, &scripts).unwrap();
        assert!(Arc::ptr_eq(&brains[0], &brains[2]));
        assert!(!Arc::ptr_eq(&brains[0], &brains[1]));
    }

    #[test]
    fn a_run_goes_on_the_same_with_the_same_options() {
        let script = (
            "a",
            "fn steer(me) { vec(me.params.x, 0) + me.wander(1, 1, 5) }",
        );
        let dir = project(&["a", "a"], &[script]);
        let hash = |settings: &[&str]| {
            let mut run = open(&dir, settings).unwrap();
            assert_eq!((run.name(), run.ticks()), ("plain", 5));
            for _ in 0..run.ticks() {
                run.step().unwrap();
            }
            state_hash(run.simulation().world(), run.simulation().minds())
        };
        assert_eq!(hash(&[]), hash(&[]));
        assert_ne!(hash(&[]), hash(&["g1.x=2"]));
    }

    #[test]
    fn all_that_is_wrong_is_told_and_each_once() {
        let dir = project(
            &["a", "b", "none", "a"],
            &[
                ("a", "import \"lib\" as lib; fn steer(me) { vec(0, 0) }"),
                ("b", "import \"lib\" as lib; fn steer(me) { vec(0, 0) }"),
                ("lib", "fn broken( {"),
            ],
        );
        let errors = open(&dir, &["g0.y=1", "g0.x=[1"]).err().unwrap();
        let text: String = errors.iter().map(ToString::to_string).collect();
        for part in [
            "no param `y`",
            "cannot read `[1`",
            "scripts/lib.rhai:1:",
            "behavior `none`",
        ] {
            assert_eq!(text.matches(part).count(), 1, "{part} in\n{text}");
        }
        assert_eq!(errors.len(), 4, "{text}");
    }
}
