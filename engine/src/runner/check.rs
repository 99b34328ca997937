//! Checks a scenario or a script before it runs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::fields::sample_fields;
use super::start::{brain, compile_each, compile_expectations, compile_measures};
use super::{first_turn, mentioned, names, remains, undeclared, unreachable, unused, way_costs};
use crate::diag::{Code, Diagnostic, Diagnostics, Place, Severity, Source};
use crate::expect::Expectation;
use crate::load::{OpenFiles, SCRIPT_EXTENSION, ScriptsFolder};
use crate::scenario::Scenario;
use crate::script::{
    Behavior, CompiledExpectation, CompiledField, CompiledMeasure, Library, Mentions, Script,
};
use crate::sim::{Action, Setup, Simulation};
use crate::trace::{MeasureNames, OwnMeasure};
use crate::world::{AfterGoals, Group, GroupId, World};

/// The findings of a check, and the scripts that it depends on.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Checked {
    /// All findings, as of [`check`].
    pub findings: Diagnostics,
    /// The files of the scripts that it asked for. Some may not exist.
    pub scripts: BTreeSet<PathBuf>,
}

/// Returns all errors, warnings and notes that can be found before a scenario and its scripts run, or a single script
/// (a file that ends in `.rhai`). In scenarios of at most 200 agents, every agent takes its first turn. Findings that a comment in the file silences are left out
/// ([`Diagnostic::is_silenced`]).
///
/// A script without `steer`, `expect`, `measure` and `flow` is a collection of functions for other scripts. That is an error only if it is
/// the behavior of a group.
pub fn check(path: &Path) -> Diagnostics {
    check_open(path, &Arc::default()).findings
}

/// Does the same while files are open in an editor, and says which scripts the findings depend on.
pub fn check_open(path: &Path, open: &Arc<OpenFiles>) -> Checked {
    let asked = RefCell::default();
    let found = if path.extension() == Some(OsStr::new(SCRIPT_EXTENSION)) {
        check_script(path, open, &asked)
    } else {
        check_scenario(path, open, &asked)
    };
    let found = found.unwrap_or_else(Diagnostics::into_vec);
    let findings = found.into_iter().filter(|one| !one.is_silenced()).collect();
    Checked { findings, scripts: asked.into_inner() }
}

type CheckResult = Result<Vec<Diagnostic>, Diagnostics>;

/// Scripts that note which of them are read.
struct NotingScripts<'a> {
    folder: ScriptsFolder,
    asked: &'a RefCell<BTreeSet<PathBuf>>,
}

impl Library for NotingScripts<'_> {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        self.asked.borrow_mut().extend(self.folder.path_of(name));
        self.folder.read(name)
    }

    fn names(&self) -> Vec<String> {
        self.folder.names()
    }

    fn location(&self) -> Option<String> {
        self.folder.location()
    }
}

fn check_scenario(
    path: &Path,
    open: &Arc<OpenFiles>,
    asked: &RefCell<BTreeSet<PathBuf>>,
) -> CheckResult {
    let source = open.read(path)?;
    let folder = ScriptsFolder::of_open_scenario(path, open);
    let scripts = NotingScripts { folder, asked };
    let mut scenario = match Scenario::parse(&source) {
        Ok(scenario) => scenario,
        Err(errors) => {
            let more = remains::of_scenario(&source, &scripts);
            return Ok(errors.into_vec().into_iter().chain(more).collect());
        }
    };
    let mut found = std::mem::take(&mut scenario.warnings);
    if let Err(errors) = sample_fields(&mut scenario, &scripts) {
        found.extend(errors);
    }
    if let Err(errors) = compile_expectations(&mut scenario.expectations, &scripts) {
        found.extend(errors);
    }
    let measures = compile_measures(&scenario.measures, &scripts).unwrap_or_else(|errors| {
        found.extend(errors);
        Vec::new()
    });
    found.extend(unknown_measures(&scenario, &measures));
    let (behaviors, errors) = compile_each(&scenario.behaviors, &scripts, true);
    let mentions = mentioned::mentions(&behaviors);
    let checked = if errors.is_empty() {
        found.extend(mentioned::undone(&scenario, &mentions));
        let mut checked = check_behaviors(&scenario, &behaviors, &mentions)?;
        found.extend(unused::unused(&scenario, &behaviors, &mentions, &checked));
        let setup = scenario.setup.clone();
        let judging = first_turn::errors_of_scripts(&setup, &scenario.expectations, &measures);
        found.extend(judging?);
        if !found.iter().chain(&checked).any(is_error)
            && let Some(error) = first_turn::error(setup, &behaviors)
        {
            add_first_error(&mut checked, error);
        }
        checked
    } else {
        found.extend(names::explain_declared(errors.into_vec(), &scenario.setup));
        let mut checked = check_behaviors(&scenario, &behaviors, &mentions)?;
        checked.extend(remains::of_behaviors(&scenario, &behaviors, &scripts, &found));
        checked
    };
    found.extend(undeclared::with_fixes(checked, &source));
    Ok(found)
}

fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
}

/// Adds the error of a first turn to findings: in place of a warning that it may fail there, which says more about the cause.
fn add_first_error(checked: &mut Vec<Diagnostic>, mut error: Diagnostic) {
    let warned = checked.iter().position(|one| one.place == error.place);
    if let Some(warning) = warned.map(|index| checked.remove(index))
        && !warning.code.is_about_speed()
        && warning.message != error.message
    {
        error.remedies = warning.remedies;
        error.help.truncate(1);
        error.help.extend(warning.help);
    }
    checked.insert(0, error);
}

/// Returns the errors of expectations that compare measures between versions, and name measures that do not exist.
fn unknown_measures(scenario: &Scenario, own: &[OwnMeasure]) -> Vec<Diagnostic> {
    let known = MeasureNames::from_setup(&scenario.setup).with_own(own);
    let error = |one: &Expectation| {
        let name = one.compared_versions()?.measure;
        // It may say when the measure is read: `throughput@60`.
        let error = known.find(name.split('@').next().unwrap_or(name)).err()?;
        Some(error.at(&one.place.source, one.place.span.clone()))
    };
    scenario.expectations.iter().filter_map(error).collect()
}

/// Checks the behaviors of all groups in the scenario's world.
pub(super) fn check_behaviors(
    scenario: &Scenario,
    behaviors: &[Option<Arc<Behavior>>],
    mentions: &[Rc<Mentions>],
) -> CheckResult {
    let Scenario { setup, declared, goals, paths, behaviors: named, .. } = scenario;
    let changing_obstacles = setup.changing_obstacles();
    let brains = behaviors.iter().map(|_| brain(None)).collect();
    // An agent does not find itself: its own group needs two agents for one to be found.
    let mut lasting = lasting_groups(setup, 1);
    let lasting_without_self = lasting_groups(setup, 2);
    let simulation = Simulation::new(setup.clone(), brains)?;
    let world = simulation.world();
    // Where an obstacle may be absent for a while, there may be a way.
    let mut lasting_world = World::clone(world);
    lasting_world.set_absent_obstacles(&changing_obstacles);
    lasting_world.index();
    let mut found = unreachable::goals(&lasting_world, mentions, goals);
    found.extend(unreachable::paths(&lasting_world, mentions, paths));
    found.extend(way_costs::notes(world, named, mentions));
    // Groups that have been checked; their findings hold for all groups of the same kind.
    let mut representatives: Vec<usize> = Vec::new();
    for (group, behavior) in behaviors.iter().enumerate() {
        let Some(behavior) = behavior else {
            continue;
        };
        let is_same_kind = |&representative: &usize| {
            let same = |one: &Arc<Behavior>| Arc::ptr_eq(one, behavior);
            behaviors[representative].as_ref().is_some_and(same)
                && lasting_without_self[representative] == lasting_without_self[group]
                && differ_in_name_only(&world.groups[representative], &world.groups[group])
        };
        let own = &world.groups[group].name;
        let is_named = mentions[group].names(own);
        if !is_named && representatives.iter().any(is_same_kind) {
            continue;
        }
        let kept = std::mem::replace(&mut lasting[group], lasting_without_self[group]);
        let with_it = |(of, other): (u16, &Option<Arc<Behavior>>)| {
            other.as_ref().is_some_and(|one| Arc::ptr_eq(one, behavior)).then_some(GroupId(of))
        };
        let same_script: Vec<GroupId> = (0..).zip(behaviors).filter_map(with_it).collect();
        let own_id = GroupId(group as u16);
        let findings = behavior.findings(world, own_id, lasting.clone(), &same_script);
        lasting[group] = kept;
        let findings = findings.into_iter();
        let findings = findings.map(|finding| with_declarations(finding, &declared[group]));
        let findings: Vec<Diagnostic> = findings.collect();
        if !is_named && !findings.iter().any(|finding| mentions_group(finding, own)) {
            representatives.push(group);
        }
        found.extend(findings);
    }
    Ok(Diagnostics::unique(found).into_vec())
}

/// Returns true if two groups differ at most in their names.
fn differ_in_name_only(a: &Group, b: &Group) -> bool {
    Group { name: Arc::clone(&b.name), made: b.made, ..a.clone() } == *b
}

/// Returns true if a finding may be about one group only: it contains the group's name, or shows where params are
/// declared.
fn mentions_group(finding: &Diagnostic, group: &str) -> bool {
    let mut strings = [&finding.message, &finding.label].into_iter().chain(&finding.help);
    !finding.related.is_empty() || strings.any(|text| text.contains(group))
}

/// Adds the declarations of the params among the operands or arguments of what fails: one of them may be the cause.
fn with_declarations(mut error: Diagnostic, declared: &BTreeMap<Arc<str>, Place>) -> Diagnostic {
    let is_about_values =
        matches!(error.code, Code::WrongType | Code::WrongArguments | Code::OutOfRange);
    let Some(place) = error.place.clone().filter(|_| is_about_values) else {
        return error;
    };
    let operands = operands(&place);
    let params = operands.iter().flat_map(|operand| operand.split("params.").skip(1));
    for param in params {
        let end = param.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let param = &param[..end.unwrap_or(param.len())];
        if let Some(place) = declared.get(param) {
            error = error.related(place.clone(), format!("`{param}` is declared here"));
        }
    }
    error
}

/// Returns the text of the operands around an operator, or the receiver and the arguments of a call. Operands with calls are left out.
fn operands(place: &Place) -> Vec<&str> {
    let (before, rest) = place.source.text.split_at(place.span.start);
    let before = before.rsplit('\n').next().unwrap_or_default();
    let rest = rest.lines().next().unwrap_or_default();
    let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let is_chain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    if word == 0 {
        let after = rest.trim_start_matches(|c: char| c.is_ascii_punctuation()).trim_start();
        let left = before.trim_end();
        let start = left.rfind(|c| !is_chain(c)).map_or(0, |at| at + 1);
        let end = after.find(|c| !is_chain(c)).unwrap_or(after.len());
        let is_call = after[end..].starts_with('(');
        return [Some(&left[start..]), (!is_call).then(|| &after[..end])]
            .into_iter()
            .flatten()
            .collect();
    }
    let start = before.rfind(|c| !is_chain(c)).map_or(0, |at| at + 1);
    let arguments = rest[word..].strip_prefix('(').unwrap_or_default();
    let mut depth = 0;
    let end = arguments.find(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth < 0
    });
    vec![&before[start..], &arguments[..end.unwrap_or(arguments.len())]]
}

/// Returns for each group whether it always has at least `least` agents: it has them at the start, and nothing removes any.
fn lasting_groups(setup: &Setup, least: u32) -> Vec<bool> {
    let removed: HashSet<GroupId> = setup
        .events
        .iter()
        .filter_map(|event| match event.action {
            Action::Remove { group, .. } => Some(group),
            _ => None,
        })
        .collect();
    let groups = setup.groups.iter().zip(0..);
    groups
        .map(|((group, spawn), place)| {
            setup.start.is_none()
                && spawn.count >= least
                && group.after_goals != AfterGoals::Remove
                && !removed.contains(&GroupId(place))
        })
        .collect()
}

fn check_script(
    path: &Path,
    open: &Arc<OpenFiles>,
    asked: &RefCell<BTreeSet<PathBuf>>,
) -> CheckResult {
    // Read by its path first, so that a missing file gets its own message.
    open.read(path)?;
    let (folder, name) = ScriptsFolder::of_open_script(path, open)?;
    let scripts = NotingScripts { folder, asked };
    let script = Script::compile(&name, &scripts)?;
    if script.defines("steer") {
        let behavior = Behavior::new(script)?;
        return Ok(behavior.findings_anywhere());
    } else if script.defines("expect") {
        CompiledExpectation::new(script)?;
    } else if script.defines("measure") {
        CompiledMeasure::new(script)?;
    } else if script.defines("flow") {
        CompiledField::new(script)?;
    }
    Ok(Vec::new())
}
