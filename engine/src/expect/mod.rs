//! Expectations: what a scenario says must hold of its run, judged tick by tick while it goes on.
//!
//! Each sort of expectation is one struct in a file of its own: the fields as a scenario writes them, how they are
//! checked against the rest of the scenario, how a run is judged by them, and how a failure is told. The list below
//! names them all. The [`Judge`] asks them at each tick and keeps what has failed. It looks at a simulation and never
//! changes it, reads no files and knows no clock; what it finds depends on nothing but the run.

mod bodies;
mod check;
mod judge;
mod obstacles;
mod one_line;
mod read;
mod rule;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use serde::de::{Error, VariantAccess};

pub(crate) use check::{ScenarioFacts, ScenarioFile, SpecPart};
pub use judge::{Failure, Judge};
pub(crate) use read::ExpectationSpec;
use rule::Rule;

use crate::diag::{Diagnostic, Place};
use crate::sim::Simulation;
use crate::world::GroupId;

/// Lists the expectations: each file, and the structs in it by the names that scenarios use.
macro_rules! list {
    ($($file:ident: $($name:ident),+;)*) => {
        $(mod $file;)*

        /// What expectations are called.
        const NAMES: &[&str] = &[$($(stringify!($name)),+),*];

        /// Reads the fields of the expectation of a name.
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
    stay_inside: StayInside;
    stay_near_path: StayNearPath;
    progress: Progress;
    no_jitter: NoJitter;
    throughput: Throughput;
    all_finite: AllFinite;
    script: Script;
}

/// The field that all expectations share that hold at every tick: the first tick that is judged.
const FROM: &str = "from";

/// Something that must hold of a run.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// Where it is written.
    pub place: Place,
    /// The first tick that is judged.
    from: u64,
    rule: Box<dyn Rule>,
}

/// A script that says whether a run is as it should be.
pub trait ExpectationScript: fmt::Debug + Send + Sync {
    /// Whether everything is as it should be, and what the script said for whoever debugs it.
    ///
    /// # Errors
    ///
    /// If the script fails, or returns neither true nor false.
    fn judge(&self, simulation: &Simulation) -> (Result<bool, Diagnostic>, Vec<String>);

    /// Where it begins in the script, as `file:line:column`.
    fn position(&self) -> String;
}

impl Expectation {
    /// The script that it asks: its name, and where that is written.
    pub(crate) fn script(&self) -> Option<(&str, &Place)> {
        self.rule.script()
    }

    /// Hands in the compiled script that it asks.
    pub(crate) fn set_script(&mut self, verdict: Arc<dyn ExpectationScript>) {
        self.rule.set_script(verdict);
    }

    /// Whether it may depend on the goals of a group.
    pub(crate) fn reads_goals(&self, of: GroupId) -> bool {
        self.rule.reads_goals(of)
    }

    /// Whether it may depend on the obstacles.
    pub(crate) fn reads_obstacles(&self) -> bool {
        self.rule.reads_obstacles()
    }

    /// Why it says nothing about a run that begins at a tick, if so.
    pub(crate) fn why_skipped(&self, from: u64) -> Option<String> {
        self.rule.why_skipped(from)
    }
}

#[cfg(test)]
impl Expectation {
    /// What was read, and the first tick that is judged.
    pub(crate) fn content(&self) -> (String, u64) {
        (format!("{:?}", self.rule), self.from)
    }
}

/// As it is written, in one line.
impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.place.source.text.get(self.place.span.clone());
        f.write_str(&one_line::in_one_line(text.unwrap_or_default()))
    }
}
