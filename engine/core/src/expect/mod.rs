//! Expectations: rules of a scenario that must hold while it runs. They are checked tick by tick.
//!
//! Each kind of expectation is one struct in its own file, with its fields as a scenario writes them, the check of
//! these fields against the rest of the scenario, the check of a run, and the message of a failure. The list below
//! names them all. The [`Judge`] runs them at each tick and keeps the failures. This module must never change a
//! simulation, read files or use a clock: what it finds depends only on the run.

mod bodies;
mod check;
mod judge;
mod obstacles;
mod one_line;
mod pair_groups;
mod read;
mod rule;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use serde::de::{Error, VariantAccess};

pub use judge::{ExpectationState, Failure, Judge, Margin, Standing};
pub use not_worse::Better;
use rule::Rule;
/// For the other crates of Flockwork.
#[doc(hidden)]
pub use {
    check::{ScenarioFacts, ScenarioFile, SpecPart},
    read::ExpectationSpec,
    rule::RunPart,
};

use crate::diag::{Diagnostic, Place};
use crate::schema::Variant;
use crate::sim::Simulation;
use crate::trace::{Measure, Totals};
use crate::world::GroupId;

/// Lists the expectations: each file, and the structs in it under the names that scenarios use.
macro_rules! list {
    ($($file:ident: $($name:ident),+;)*) => {
        $(mod $file;)*

        /// The names of all expectations.
        const NAMES: &[&str] = &[$($(stringify!($name)),+),*];

        /// Returns what can be written for each expectation.
        fn variants() -> Vec<Variant> {
            vec![$($(read::variant::<$file::$name>(stringify!($name))),+),*]
        }

        /// Reads the fields of the expectation with this name.
        fn read<'de, V: VariantAccess<'de>>(
            name: &str,
            fields: V,
        ) -> Result<ExpectationSpec, V::Error> {
            match name {
                $($(stringify!($name) => {
                    static FIELDS: read::FieldNames = read::FieldNames::new();
                    read::fields::<$file::$name, V>(fields, &FIELDS)
                })+)*
                _ => Err(V::Error::unknown_variant(name, NAMES)),
            }
        }
    };
}

list! {
    reach: Reach, ReachAll;
    no_overlap: NoOverlap;
    min_separation: MinSeparation;
    max_speed: MaxSpeed;
    max_acceleration: MaxAcceleration;
    max_turn_rate: MaxTurnRate;
    min_turning_radius: MinTurningRadius;
    stay_inside: StayInside, StayOutside;
    stay_near_path: StayNearPath;
    progress: Progress;
    no_jitter: NoJitter;
    throughput: Throughput;
    all_finite: AllFinite;
    script: Script;
    symmetric: Symmetric;
    not_worse: NotWorse;
}

/// The field that is common to all expectations that must hold at every tick: the first tick that is checked.
const FROM: &str = "from";

/// A rule that must hold while a scenario runs.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// Where it is written.
    pub place: Place,
    /// The first tick that is checked.
    from: u64,
    rule: Box<dyn Rule>,
}

/// The result of a script that judges an expectation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Whether it holds.
    Bool(bool),
    /// How far it is from failing; it fails if this is negative.
    Margin(f32),
}

/// What an expectation compares between two versions of the files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedVersions<'a> {
    /// The name of the measure.
    pub measure: &'a str,
    /// Which of its values are better.
    pub better: Better,
    /// The Git revision of the other version, or a folder with its scripts.
    pub than: &'a str,
    /// How much worse the mean may be, in the unit of the measure.
    pub by: f32,
    /// Number of seeds, at least 2.
    pub seeds: u64,
}

/// A compiled script that says whether an expectation holds.
#[doc(hidden)]
pub trait ExpectationScript: fmt::Debug + Send + Sync {
    /// Returns the measures that it is given.
    fn measures(&self) -> &[Measure];

    /// Runs the script. `totals` are needed if one of its measures needs them. Returns whether the expectation holds, and what the script wrote with `debug`.
    ///
    /// # Errors
    ///
    /// If the script fails, or returns neither a boolean nor a finite number.
    fn judge(
        &self,
        simulation: &Simulation,
        totals: Option<&Totals>,
    ) -> (Result<Verdict, Diagnostic>, Vec<String>);

    /// Runs the script again, and returns the part of it that ran last: what it returned, or the first condition that was false. If it
    /// fails, it is the part with the error. `None` if that is not known.
    fn last_part(&self, simulation: &Simulation, totals: Option<&Totals>) -> Option<Place>;

    /// Returns the position of the function `expect` in the script, as `file:line:column`.
    fn position(&self) -> String;

    /// Returns what it expects, in words: the first sentence of the comment at the beginning of the script. `None` if there is none.
    fn meaning(&self) -> Option<String>;
}

impl Expectation {
    /// Returns the name of the script that it runs, if any, and where that name is written.
    pub fn script(&self) -> Option<(&str, &Place)> {
        self.rule.script()
    }

    /// Returns the compiled script that it runs, if any.
    pub fn compiled(&self) -> Option<&dyn ExpectationScript> {
        self.rule.compiled()
    }

    /// Sets the compiled script that it runs.
    #[doc(hidden)]
    pub fn set_script(&mut self, script: Arc<dyn ExpectationScript>) {
        self.rule.set_script(script);
    }

    /// Returns the unit of its margins; empty if they have none.
    pub fn unit(&self) -> &'static str {
        self.rule.unit()
    }

    /// Returns whether it may depend on the goals of a group.
    #[doc(hidden)]
    pub fn reads_goals(&self, of: GroupId) -> bool {
        self.rule.reads_goals(of)
    }

    /// Returns whether it may depend on the obstacles.
    #[doc(hidden)]
    pub fn reads_obstacles(&self) -> bool {
        self.rule.reads_obstacles()
    }

    /// Returns whether it may hold only because of obstacles and paths, also of those that no agent has felt.
    #[doc(hidden)]
    pub fn needs_surroundings(&self) -> bool {
        self.rule.needs_surroundings()
    }

    /// Returns whether it demands a number of agents, so that it cannot hold with too few.
    #[doc(hidden)]
    pub fn counts_agents(&self) -> bool {
        self.rule.counts_agents()
    }

    /// Returns what it compares between two versions of the files, if it does. Such an expectation never fails in a run.
    pub fn compared_versions(&self) -> Option<ComparedVersions<'_>> {
        self.rule.compared_versions()
    }

    /// Returns why a part of the run must leave it out; `None` if it can stay.
    #[doc(hidden)]
    pub fn why_skipped(&self, part: RunPart) -> Option<String> {
        self.rule.why_skipped(part)
    }
}

impl Expectation {
    /// Returns what was read, and the first tick that is checked, for tests.
    #[doc(hidden)]
    pub fn content(&self) -> (String, u64) {
        (format!("{:?}", self.rule), self.from)
    }
}

/// Shows the expectation as it is written, in one line.
impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.place.source.text.get(self.place.span.clone());
        f.write_str(&one_line::in_one_line(text.unwrap_or_default()))
    }
}
