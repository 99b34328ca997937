//! Starting runs: from a scenario, its scripts and options to simulations at their first tick.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::fields::sample_fields;
use super::script_exists::{ScriptUse, check_script_exists};
use super::{Options, Run, Setting, mentioned, names};
use crate::diag::{Code, Diagnostic, Diagnostics, Severity, Source};
use crate::expect::Expectation;
use crate::load::{self, ScriptsFolder};
use crate::scenario::{BehaviorRef, MeasureRef, Scenario, SetParamError};
use crate::script::{Behavior, CompiledExpectation, CompiledMeasure, Library};
use crate::sim::{Brain, NoBehavior, Simulation};
#[cfg(feature = "experiments")]
use crate::trace::MeasureNames;
use crate::trace::OwnMeasure;
use crate::world::GroupId;

/// The behavior of each group; `None` for groups without one.
pub(super) type Behaviors = Vec<Option<Arc<Behavior>>>;

/// A scenario with compiled scripts, which all runs of it share. It starts as many runs as you like, also later.
pub struct Starter {
    scenario: Scenario,
    /// The behaviors as they usually run, and those for the interpreter; `None` if no run needs them.
    behaviors: [Option<Behaviors>; 2],
    /// The measures that the scenario defines.
    measures: Vec<OwnMeasure>,
}

impl Starter {
    /// Reads a scenario and its scripts, for runs with some options.
    ///
    /// # Errors
    ///
    /// All errors in the scenario and its scripts, and those of the first options that do not fit.
    pub(super) fn open(path: &Path, options: &[Options]) -> Result<Self, Diagnostics> {
        let source = load::read(path)?;
        let mut this = Self::new(&source, &ScriptsFolder::of_scenario(path), options)?;
        if this.scenario.name.is_empty() {
            let stem = path.file_stem().unwrap_or_default();
            this.scenario.name = stem.to_string_lossy().into_owned();
        }
        Ok(this)
    }

    /// Does the same for a scenario in memory, with scripts from any library.
    ///
    /// # Errors
    ///
    /// All errors in the scenario and its scripts, and those of the first options that do not fit.
    pub fn new(
        source: &Arc<Source>,
        scripts: &dyn Library,
        options: &[Options],
    ) -> Result<Self, Diagnostics> {
        let mut scenario = Scenario::parse(source)?;
        let misfit = options.iter().find_map(|options| with_options(&scenario, options).err());
        let mut errors = misfit.unwrap_or_default();
        let compiled = [false, true].map(|interpreter| {
            let is_used = options.iter().any(|options| options.interpreter == interpreter);
            is_used.then(|| compile(&scenario.behaviors, scripts, interpreter)).transpose()
        });
        let sampled = sample_fields(&mut scenario, scripts);
        let verdicts = compile_expectations(&mut scenario.expectations, scripts);
        let measures = compile_measures(&scenario.measures, scripts);
        let (measures, unmeasurable) = match measures {
            Ok(measures) => (measures, Ok(())),
            Err(found) => (Vec::new(), Err(found)),
        };
        let [lowered, interpreted] = compiled;
        let behaviors = match (lowered, interpreted) {
            (Ok(lowered), Ok(interpreted)) => [lowered, interpreted],
            // Both ways to run a script find the same errors.
            (Err(found), _) | (_, Err(found)) => {
                errors.extend(names::explain_declared(found.into_vec(), &scenario.setup));
                [None, None]
            }
        };
        let others = [sampled, verdicts, unmeasurable].into_iter().filter_map(Result::err);
        errors.extend(others.flatten());
        if let Some(behaviors) = behaviors.iter().flatten().next() {
            errors.extend(add_undone(&mut scenario, behaviors));
        }
        if errors.is_empty() {
            Ok(Self { scenario, behaviors, measures })
        } else {
            Err(Diagnostics::unique(errors))
        }
    }

    /// Does the same for a changed text of the scenario. The compiled behaviors are shared unless a group names another one.
    ///
    /// # Errors
    ///
    /// All errors in the scenario and its scripts.
    #[cfg(feature = "experiments")]
    pub(crate) fn edited(
        &self,
        source: &Arc<Source>,
        scripts: &dyn Library,
    ) -> Result<Self, Diagnostics> {
        let mut scenario = Scenario::parse(source)?;
        let known = self.behaviors.each_ref().map(|known| {
            let known = known.as_ref()?;
            let all = scenario.behaviors.iter();
            all.map(|wanted| match wanted {
                None => Some(None),
                Some(wanted) => {
                    let mut names = self.scenario.behaviors.iter();
                    let is_it = |one: &BehaviorRef| one.name == wanted.name;
                    let index = names.position(|one| one.as_ref().is_some_and(is_it))?;
                    Some(known[index].clone())
                }
            })
            .collect::<Option<Behaviors>>()
        });
        let behaviors = if known[0].is_some() {
            known
        } else {
            let compiled = compile(&scenario.behaviors, scripts, false);
            [
                Some(compiled.map_err(|found| {
                    Diagnostics::from(names::explain_declared(found.into_vec(), &scenario.setup))
                })?),
                None,
            ]
        };
        sample_fields(&mut scenario, scripts)?;
        compile_expectations(&mut scenario.expectations, scripts)?;
        let measures = compile_measures(&scenario.measures, scripts)?;
        if let Some(behaviors) = behaviors.iter().flatten().next() {
            let errors = add_undone(&mut scenario, behaviors);
            if !errors.is_empty() {
                return Err(errors.into());
            }
        }
        Ok(Self { scenario, behaviors, measures })
    }

    /// Returns the names of the measures of its runs.
    #[cfg(feature = "experiments")]
    pub(crate) fn measure_names(&self) -> MeasureNames {
        MeasureNames::from_setup(&self.scenario.setup).with_own(&self.measures)
    }

    /// Returns the scenario.
    #[cfg(feature = "experiments")]
    pub(crate) fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Starts a run. Its scripts run in the interpreter only if this was made with options that say so.
    ///
    /// # Errors
    ///
    /// If the options do not fit, or a script fails to prepare one of the first agents.
    pub fn start(&self, options: &Options) -> Result<Run, Diagnostics> {
        self.start_with(options, |_, brain| brain)
    }

    /// Starts a run in which other brains decide for some groups, from their first agents on: `replace` gets the index of each group
    /// with the brain that the scenario gives it, and returns the one that decides.
    ///
    /// # Errors
    ///
    /// As [`Starter::start`].
    pub fn start_with(
        &self,
        options: &Options,
        mut replace: impl FnMut(GroupId, Arc<dyn Brain>) -> Arc<dyn Brain>,
    ) -> Result<Run, Diagnostics> {
        let scenario = with_options(&self.scenario, options)?;
        let behaviors = self.behaviors[usize::from(options.interpreter)].clone();
        let behaviors = behaviors.unwrap_or_default();
        let first_tick = scenario.first_tick();
        let names = scenario.behaviors.into_iter();
        let behavior_names = names.map(|behavior| behavior.map(|one| one.name)).collect();
        let brains = (0..).map(GroupId).zip(behaviors.iter().cloned().map(brain));
        let brains = brains.map(|(group, brain)| replace(group, brain)).collect();
        let simulation = Simulation::new(scenario.setup, brains)?;
        Ok(Run {
            name: scenario.name,
            first_tick,
            ticks: scenario.ticks,
            simulation,
            behaviors,
            behavior_names,
            expectations: scenario.expectations,
            measures: self.measures.clone(),
            terms: scenario.golden,
            warnings: scenario.warnings,
        })
    }
}

/// Adds the warnings of a scenario that hold with its scripts, and returns such errors.
fn add_undone(scenario: &mut Scenario, behaviors: &[Option<Arc<Behavior>>]) -> Vec<Diagnostic> {
    if scenario.unless_scripts.is_empty() {
        return Vec::new();
    }
    let undone = mentioned::undone(scenario, &mentioned::mentions(behaviors));
    let is_error = |one: &Diagnostic| one.severity == Severity::Error;
    let (errors, warnings): (Vec<_>, Vec<_>) = undone.into_iter().partition(is_error);
    scenario.warnings.extend(warnings.into_iter().filter(|one| !one.is_silenced()));
    errors
}

/// Returns a scenario with the changes of some options.
fn with_options(scenario: &Scenario, options: &Options) -> Result<Scenario, Vec<Diagnostic>> {
    let mut scenario = scenario.clone();
    let mut errors = Vec::new();
    // A group's own value wins over a shared one, as in a scenario.
    let (own, shared): (Vec<_>, Vec<_>) =
        options.settings.iter().partition(|it| it.group.is_some());
    for Setting { group, param, value } in shared.into_iter().chain(own) {
        let set = match group {
            Some(group) => scenario.set_param(group, param, value),
            None => scenario.set_shared_param(param, value),
        };
        if let Err(error) = set {
            errors.push(setting_error(&error, &scenario));
        }
    }
    if let Some(agents) = options.agents
        && let Err(error) = scenario.set_agents(agents)
    {
        errors.push(Diagnostic::error(format!("cannot have {agents} agents: {error}")));
    }
    if let Some(inputs) = &options.inputs {
        match scenario.played_events(inputs) {
            Ok(played) => scenario.setup.events.extend(played),
            Err(found) => errors.extend(found),
        }
    }
    scenario.setup.seed = options.seed.unwrap_or(scenario.setup.seed);
    if errors.is_empty() { Ok(scenario) } else { Err(errors) }
}

/// Returns what decides for a group: its behavior, or [`NoBehavior`] if it has none.
pub(super) fn brain(behavior: Option<Arc<Behavior>>) -> Arc<dyn Brain> {
    match behavior {
        Some(behavior) => behavior,
        None => Arc::new(NoBehavior),
    }
}

/// Returns the error for a setting that does not apply, with the place where the scenario declares the param.
fn setting_error(error: &SetParamError, scenario: &Scenario) -> Diagnostic {
    let diagnostic = Diagnostic::error(error.to_string());
    let diagnostic = match error {
        SetParamError::Unreadable { expected, example, .. } => {
            diagnostic.help(format!("expected {expected} such as `{example}`"))
        }
        _ => diagnostic,
    };
    match error {
        SetParamError::Unreadable { group, param, .. }
        | SetParamError::WrongDistribution { group, param, .. }
        | SetParamError::WrongKind { group, param, .. } => {
            let diagnostic = diagnostic.code(Code::WrongType).label("declared here");
            match scenario.declaration(group, param) {
                Some(place) => diagnostic.at(&place.source, place.span.clone()),
                None => diagnostic,
            }
        }
        SetParamError::UnknownParam { field: Some(path), .. }
        | SetParamError::UnknownShared { field: Some(path), .. } => {
            let help = format!(
                "`{path}` is a field of the scenario, not a param: change it in the file, or vary it in a plan (`flockwork sweep`)"
            );
            diagnostic.code(Code::UnknownName).help(help)
        }
        _ => diagnostic.code(Code::UnknownName),
    }
}

/// Compiles the behavior of each group, each behavior once; with `interpreter` only for the interpreter. Groups without a
/// behavior get `None`.
fn compile(
    behaviors: &[Option<BehaviorRef>],
    scripts: &dyn Library,
    interpreter: bool,
) -> Result<Behaviors, Diagnostics> {
    let (brains, errors) = compile_each(behaviors, scripts, interpreter);
    if errors.is_empty() { Ok(brains) } else { Err(errors) }
}

/// Does the same, and returns with the errors the behaviors that have none.
pub(super) fn compile_each(
    behaviors: &[Option<BehaviorRef>],
    scripts: &dyn Library,
    interpreter: bool,
) -> (Behaviors, Diagnostics) {
    let mut compiled: BTreeMap<&str, Option<Arc<Behavior>>> = BTreeMap::new();
    let mut brains = Vec::new();
    let mut errors: Vec<Diagnostic> = Vec::new();
    for behavior in behaviors {
        let Some(behavior) = behavior else {
            brains.push(None);
            continue;
        };
        let brain = match compiled.get(behavior.name.as_str()) {
            Some(brain) => brain.clone(),
            None => {
                let brain = match compile_one(behavior, scripts) {
                    Ok(brain) if interpreter => Some(Arc::new(brain.interpreted())),
                    Ok(brain) => Some(Arc::new(brain)),
                    Err(found) => {
                        errors.extend(found);
                        None
                    }
                };
                compiled.insert(&behavior.name, brain.clone());
                brain
            }
        };
        brains.push(brain);
    }
    // Two behaviors may import the same broken script.
    (brains, Diagnostics::unique(errors))
}

fn compile_one(behavior: &BehaviorRef, scripts: &dyn Library) -> Result<Behavior, Diagnostics> {
    let BehaviorRef { name, place } = behavior;
    check_script_exists(ScriptUse::Behavior, name, place, scripts)?;
    Behavior::compile(name, scripts)
}

/// Compiles the scripts of all expectations that name one.
pub(super) fn compile_expectations(
    expectations: &mut [Expectation],
    scripts: &dyn Library,
) -> Result<(), Diagnostics> {
    let mut errors = Vec::new();
    for expectation in expectations {
        let Some((name, place)) = expectation.script() else {
            continue;
        };
        let compiled = check_script_exists(ScriptUse::Expectation, name, place, scripts)
            .and_then(|()| CompiledExpectation::compile(name, scripts));
        match compiled {
            Ok(verdict) => expectation.set_script(Arc::new(verdict)),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(Diagnostics::unique(errors)) }
}

/// Compiles the scripts of all measures that a scenario defines.
pub(super) fn compile_measures(
    measures: &[MeasureRef],
    scripts: &dyn Library,
) -> Result<Vec<OwnMeasure>, Diagnostics> {
    let mut errors: Vec<Diagnostic> = Vec::new();
    let mut compiled = Vec::new();
    for MeasureRef { name, script, place } in measures {
        let found = check_script_exists(ScriptUse::Measure, script, place, scripts)
            .and_then(|()| CompiledMeasure::compile(script, scripts));
        match found {
            Ok(found) => {
                compiled.push(OwnMeasure { name: Arc::clone(name), script: Arc::new(found) });
            }
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(compiled) } else { Err(errors.into()) }
}
