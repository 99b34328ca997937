//! Scenarios: from RON to a checked setup of a simulation, with a place for every error, and changes of a scenario's
//! text.
//!
//! This module never reads files or runs scripts: the behavior of a group is only a name here. A scenario is read in
//! two steps: first into specs, which say what is written, then into the types of the world. All errors of a scenario
//! are reported together.

mod advice;
mod advice_by_shape;
mod appearance;
mod blanks;
mod check;
mod color_names;
mod conditions;
mod continuation;
mod counts;
mod distributions;
mod edit_params;
mod edit_text;
mod errors;
mod events;
mod expect;
mod fields;
mod findings;
mod formation;
mod golden;
mod group_spec;
mod groups;
mod hunt;
mod inputs;
mod layers;
mod limits;
mod measures;
mod missing_field;
mod more_errors;
mod move_field;
mod moving_obstacles;
mod obstacle_warnings;
mod ordered;
mod other_fields;
mod override_params;
mod param;
mod played;
mod public;
mod quotes;
mod remains;
mod repaired;
mod rule;
mod scale;
mod scene_edit;
mod scene_parts;
mod scene_shape;
mod shared;
mod signs;
mod spanned;
mod spawn;
mod spec;
mod start;
mod state_value;
mod surroundings;
mod template;
#[cfg(test)]
mod tests;
pub(crate) mod text_parts;
mod to_ron;
mod value_fixes;
mod waiting;
mod warnings;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use ron::Options;
use ron::extensions::Extensions;

pub use color_names::named_colors;
pub use continuation::continuation;
pub use edit_params::set_params;
pub(crate) use edit_params::{declare, group_list};
pub(crate) use edit_text::removal;
pub use fields::FieldScript;
#[cfg(feature = "experiments")]
pub(crate) use findings::Findings;
pub use hunt::Varied;
pub use measures::MeasureRef;
#[cfg(feature = "experiments")]
pub(crate) use ordered::Ordered;
pub use override_params::SetParamError;
pub(crate) use override_params::read_param;
#[cfg(feature = "experiments")]
pub(crate) use param::of_two_types;
pub(crate) use remains::{Remains, remains, written_behaviors};
pub use scale::ScaleError;
#[cfg(feature = "experiments")]
pub(crate) use scene_edit::with_moved_obstacle;
pub use scene_edit::{FullPart, NewObstacle, SceneEdit};
pub use scene_parts::{Handle, ScenePart};
pub use scene_shape::{Outline, SceneShape};
#[cfg(feature = "experiments")]
pub(crate) use spanned::{Spanned, WrittenValue};
#[cfg(feature = "experiments")]
pub(crate) use template::whole_path;
pub use template::{Template, TemplateValue, path_of_short_name};
#[cfg(feature = "experiments")]
pub(crate) use to_ron::motion_text;
pub use to_ron::param as param_text;
pub use to_ron::{action_text, number as number_text, quoted as string_text};
pub(crate) use warnings::GOAL_HELP;

use crate::diag::{Diagnostic, Diagnostics, Place, Source, brackets};
use crate::expect::Expectation;
use crate::golden::{FIRST_WORDS, Terms};
use crate::math::Vec2;
use crate::schema::{Described, Shape};
use crate::script::SCRIPT_EXTENSION;
use crate::sim::Setup;
use crate::tokens::Language;
use crate::tokens::ron_tree::{RonKind, RonTree};
use crate::world::GroupId;

/// A checked scenario.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Scenario {
    /// Its name; empty if it has none.
    pub name: String,
    /// The tick at which a run ends. It is after the tick at which the run begins.
    pub ticks: u64,
    /// Everything that the simulation starts from.
    pub setup: Setup,
    /// The behavior of each group, in the order of the groups. `None` for a group without one: its agents keep
    /// their velocity.
    pub behaviors: Vec<Option<BehaviorRef>>,
    /// The scripts of fields, which must be sampled before the scenario runs: see
    /// [`sample_fields`](crate::runner::sample_fields).
    pub field_scripts: Vec<FieldScript>,
    /// The rules that must hold while the scenario runs.
    pub expectations: Vec<Expectation>,
    /// The measures that the scenario defines.
    pub measures: Vec<MeasureRef>,
    /// How a run is compared with its golden.
    pub golden: Terms,
    /// What hunts leave as it is written.
    pub hunts_keep: Vec<Varied>,
    /// For each shared param, the indices of the groups that have no value of their own for it.
    pub inherited: BTreeMap<Arc<str>, Vec<usize>>,
    /// For each group, the places where the values of its params are written.
    pub declared: Vec<BTreeMap<Arc<str>, Place>>,
    /// For each group, the places where the names of its public state are written.
    pub public: Vec<BTreeMap<Arc<str>, Place>>,
    /// The places of the names of the shared values.
    pub shared: Vec<Place>,
    /// For each group, the goals of its agents and the places where they are written.
    pub goals: Vec<Vec<(Vec2, Place)>>,
    /// For each path, the place where its points are written.
    pub paths: Vec<Place>,
    /// The place of the name of the first obstacle, if there is one.
    pub obstacles: Option<Place>,
    /// The places of the names of the inputs.
    pub inputs: Vec<Place>,
    /// For each group, the place where its formation is written, if it has one.
    pub formations: Vec<Option<Place>>,
    /// The places of the names of the fields.
    pub fields: Vec<Place>,
    /// The places of the names of the layers.
    pub layers: Vec<Place>,
    /// The places where the numbers in params are written.
    pub numbers: Vec<Place>,
    /// Errors and warnings that scripts decide about.
    pub unless_scripts: Vec<UnlessScripts>,
    /// Warnings about things that are probably mistakes.
    pub warnings: Vec<Diagnostic>,
}

/// An error or a warning that holds unless a script does something.
#[derive(Clone, Debug)]
pub struct UnlessScripts {
    /// What a script would do.
    pub act: ScriptAct,
    /// The error or the warning.
    pub finding: Diagnostic,
}

/// Something that a script may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptAct {
    /// Agents of a group set themselves goals.
    SetsGoals(GroupId),
    /// Agents make others, of a group.
    Makes(GroupId),
}

/// The behavior that a group refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BehaviorRef {
    /// Its name: words of letters, digits, `_` and `-`, separated by `/`.
    pub name: String,
    /// The place where the name is written.
    pub place: Place,
}

/// The end of the names of plans, which describe experiments. They are in RON, too.
pub const PLAN_ENDING: &str = ".plan.ron";

/// Returns the error for another file where a scenario was expected, if its name says what it is.
fn other_file(source: &Source) -> Option<Diagnostic> {
    let name = &source.name;
    if name.ends_with(PLAN_ENDING) {
        let plan = Diagnostic::error(format!("{name} is a plan, and not a scenario"));
        return Some(plan.help(format!(
            "`flockwork sweep {name}` runs it, or `flockwork tune {name}` if it has a `tune`; `flockwork check {name}` checks it"
        )));
    }
    if source.text.starts_with(FIRST_WORDS) {
        let scenario = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        let golden = Diagnostic::error(format!("{name} is a golden, and not a scenario"));
        return Some(golden.help(format!("name its scenario: {scenario}.ron")));
    }
    let is_script = name.strip_suffix(SCRIPT_EXTENSION).is_some_and(|name| name.ends_with('.'));
    is_script.then(|| {
        Diagnostic::error(format!("{name} is a script, and not a scenario"))
            .help("name a scenario (.ron) in which a group has it as its `behavior`")
    })
}

impl Scenario {
    /// Reads and checks a scenario.
    ///
    /// # Errors
    ///
    /// A single error if the text does not follow the grammar of RON, or if the file is a plan or a script. If some fields cannot be
    /// read, an error for each of them. Otherwise all errors and warnings, in the order of their places.
    pub fn parse(source: &Arc<Source>) -> Result<Self, Diagnostics> {
        if let Some(other) = other_file(source) {
            return Err(other.into());
        }
        let spec = options()
            .from_str(&source.text)
            .map_err(|error| errors::diagnostic(&error, source, 0..source.text.len()))
            .map_err(|error| brackets::prefer_bracket_error(error, Language::Ron))
            .map_err(|error| more_errors::with_others(error, source))?;
        let mut scenario = check::check(source, spec, true)?;
        scenario.warnings.retain(|warning| !warning.is_silenced());
        Ok(scenario)
    }
}

impl Scenario {
    /// Returns the place where the value of a param of a group is written: its own value, or else the shared one.
    pub fn declaration(&self, group: &str, param: &str) -> Option<&Place> {
        let mut groups = self.setup.groups.iter();
        let of = groups.position(|(of, _)| &*of.name == group)?;
        self.declared.get(of)?.get(param)
    }

    /// Returns the tick at which a run begins.
    pub fn first_tick(&self) -> u64 {
        self.setup.start.as_ref().map_or(0, |start| start.tick)
    }

    /// Returns an estimate of the work of a run up to a tick: its number of agents at the start times its number of ticks.
    pub fn agent_ticks(&self, last_tick: u64) -> u64 {
        let agents: u64 = match &self.setup.start {
            Some(start) => start.agents.len() as u64,
            None => self.setup.groups.iter().map(|(_, spawn)| u64::from(spawn.count)).sum(),
        };
        agents.saturating_mul(last_tick.saturating_sub(self.first_tick()))
    }
}

/// Returns what can be written in a scenario.
pub fn shape() -> &'static Shape {
    static SHAPE: LazyLock<Shape> = LazyLock::new(spec::ScenarioSpec::shape);
    &SHAPE
}

/// Returns whether a text has what every scenario has, also if it has mistakes: the field `world` or `groups`, outside of other fields.
pub(crate) fn has_fields_of_scenario(text: &str) -> bool {
    let tree = RonTree::new(text);
    let words = tree.words().filter(|word| matches!(word.text, "world" | "groups"));
    let mut is_anywhere = false;
    let is_outside = words.into_iter().any(|word| {
        is_anywhere |= word.is_key;
        // The first bracket may be missing.
        let is_value = !word.is_key && word.node.kind() != RonKind::String;
        (word.is_key && word.node.depth() == 1) || (is_value && word.node.depth() == 0)
    });
    // If a bracket is not closed, all that follows is inside.
    is_outside || (is_anywhere && tree.end().brackets.is_some())
}

/// Checks that a file follows the grammar of RON, whatever is written in it.
///
/// # Errors
///
/// If it does not.
pub(crate) fn check_syntax(source: &Arc<Source>) -> Result<(), Diagnostic> {
    options()
        .from_str::<serde::de::IgnoredAny>(&source.text)
        .map(|_| ())
        .map_err(|error| errors::diagnostic(&error, source, 0..source.text.len()))
        .map_err(|error| brackets::prefer_bracket_error(error, Language::Ron))
}

/// Returns what RON reads in a text, for comparisons.
#[cfg(test)]
pub(crate) fn value_text(text: &str) -> String {
    let read = options().from_str::<ron::Value>(text);
    format!("{:?}", read.unwrap())
}

/// Reads a file of another kind that is written in RON. `shortest` is an example of such a file.
///
/// # Errors
///
/// If the text cannot be read.
pub(crate) fn read_ron<T: serde::de::DeserializeOwned>(
    source: &Arc<Source>,
    shortest: &str,
) -> Result<T, Diagnostic> {
    if source.text.trim().is_empty() {
        return Err(Diagnostic::error("the file is empty")
            .code(crate::diag::Code::Syntax)
            .at(source, 0..0)
            .help(format!("the shortest file is `{shortest}`")));
    }
    options()
        .from_str(&source.text)
        .map_err(|error| errors::diagnostic(&error, source, 0..source.text.len()))
        .map_err(|error| brackets::prefer_bracket_error(error, Language::Ron))
}

/// Returns how RON is read here: optional values are written without `Some(..)`.
fn options() -> Options {
    Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}
