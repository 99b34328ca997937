//! Scenarios: from RON text to a checked setup of a simulation, with a place for every error; and changes of
//! that text.
//!
//! Reads no files and runs no scripts: which behavior a group wants is only a name here. A text is read
//! in two steps: into specs, which are what is written, and from those into the world's own types,
//! with everything wrong about the scenario reported together.

mod check;
mod continuation;
mod edit_params;
mod edit_text;
mod errors;
mod events;
mod expect;
mod findings;
mod forms;
mod golden;
mod groups;
mod limits;
mod ordered;
mod override_params;
mod param;
mod scale;
mod spanned;
mod spec;
mod start;
#[cfg(test)]
mod tests;
mod to_ron;
mod warnings;

use std::collections::BTreeMap;
use std::sync::Arc;

use ron::Options;
use ron::extensions::Extensions;

pub use continuation::continuation;
pub use edit_params::set_params;
pub use override_params::SetParamError;
pub use scale::ScaleError;
pub use to_ron::action_text;

use crate::diag::{Diagnostic, Diagnostics, Place, Source, brackets};
use crate::expect::Expectation;
use crate::golden::Terms;
use crate::sim::Setup;

/// A scenario in which everything has been checked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Scenario {
    /// What it is called; empty where it does not say.
    pub name: String,
    /// The tick at which a run ends, after the one at which it begins.
    pub ticks: u64,
    /// Everything that runs.
    pub setup: Setup,
    /// The behavior of each group, in the order of the groups; `None` for a group without one, whose agents
    /// keep their velocity.
    pub behaviors: Vec<Option<BehaviorRef>>,
    /// What must hold of a run.
    pub expectations: Vec<Expectation>,
    /// How a run is compared with its golden.
    pub golden: Terms,
    /// For each param that the groups share, the groups without a value of their own, by their index.
    pub inherited: BTreeMap<Arc<str>, Vec<usize>>,
    /// For each group, where the values of its params are written.
    pub declared: Vec<BTreeMap<Arc<str>, Place>>,
    /// For each group, where the first of its goals is written, if it has any of its own.
    pub goals: Vec<Option<Place>>,
    /// Where the first obstacle is named, if there is any.
    pub obstacles: Option<Place>,
    /// Where the numbers of the params are written.
    pub numbers: Vec<Place>,
    /// What probably is not meant as it is written.
    pub warnings: Vec<Diagnostic>,
}

/// Which behavior a group wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BehaviorRef {
    /// Its name: words of letters, digits, `_` and `-`, separated by `/`.
    pub name: String,
    /// Where the name is written.
    pub place: Place,
}

impl Scenario {
    /// Reads and checks a scenario.
    ///
    /// # Errors
    ///
    /// A single error if the text cannot be read at all, otherwise all that is wrong with it and all
    /// warnings, in the order of their places.
    pub fn parse(source: &Arc<Source>) -> Result<Self, Diagnostics> {
        let spec = options()
            .from_str(&source.text)
            .map_err(|error| errors::diagnostic(&error, source, 0..source.text.len()))
            .map_err(|error| vec![brackets::prefer_bracket_error(error, &brackets::RON)])?;
        let mut scenario = check::check(source, spec)?;
        scenario.warnings.retain(|warning| !warning.is_silenced());
        Ok(scenario)
    }
}

impl Scenario {
    /// Where the value of a group's param is written; shared ones for the groups without their own.
    pub fn declaration(&self, group: &str, param: &str) -> Option<&Place> {
        let mut groups = self.setup.groups.iter();
        let of = groups.position(|(of, _)| &*of.name == group)?;
        self.declared.get(of)?.get(param)
    }

    /// The tick at which a run begins.
    pub fn first_tick(&self) -> u64 {
        self.setup.start.as_ref().map_or(0, |start| start.tick)
    }
}

/// How RON is read here: what may be left out needs no `Some(..)` where it is there.
fn options() -> Options {
    Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}
