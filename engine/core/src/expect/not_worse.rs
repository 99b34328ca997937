//! The expectation `NotWorse`: a measure is not worse than in another version of the files. One run cannot tell: who tests the scenario
//! compares both versions.

use serde::Deserialize;

use super::ComparedVersions;
use super::check::{Check, SpecPart};
use super::rule::{Judgment, Rule, RunPart, TickView, Violation, Worse};
use crate::number::{AtLeastOne, Length};
use crate::schema::{described, enums};

/// Which values of a measure are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename = "better")]
pub enum Better {
    /// Higher ones.
    Higher,
    /// Lower ones.
    Lower,
}

enums!(Better);

described! {
    /// With the same seeds for both, a measure at the end of the runs is not worse than in another version of the scenario and its scripts.
    /// `flockwork test` compares them, and no single run can fail.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct NotWorse {
        /// The name of the measure, such as `throughput` or `birds.mean_speed`.
        measure: String,
        /// Which values are better.
        better: Better,
        /// The Git revision of the other version, such as `HEAD~1`, or a folder with its scripts.
        than: String,
        /// How much worse the mean may be, in the unit of the measure; by default nothing. It fails only if the whole 95 % interval of the
        /// difference is beyond that.
        by: Option<Length>,
        /// Number of seeds, from that of the scenario on; by default 20.
        seeds: Option<AtLeastOne>,
    }
}

/// The default number of seeds.
const SEEDS: u64 = 20;

impl Rule for NotWorse {
    fn check(&mut self, check: &mut Check<'_>) {
        for (field, text) in [("measure", &self.measure), ("than", &self.than)] {
            if text.trim().is_empty() {
                check.error(SpecPart::Field(field), "this is empty");
            }
        }
        if self.seeds.is_some_and(|seeds| seeds.get() < 2) {
            check.error(SpecPart::Field("seeds"), "a comparison needs at least two seeds");
        }
    }

    fn judge(&mut self, _now: &TickView<'_>) -> Judgment {
        Judgment::default()
    }

    fn unit(&self) -> &'static str {
        ""
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        0.0
    }

    fn is_judged(&self) -> bool {
        false
    }

    fn describe(&self, _now: &TickView<'_>, _violation: &Violation) -> String {
        String::new()
    }

    fn worse(&self) -> Option<Worse> {
        None
    }

    fn why_skipped(&self, _part: RunPart) -> Option<String> {
        Some("left out because it compares whole runs".to_owned())
    }

    fn compared_versions(&self) -> Option<ComparedVersions<'_>> {
        Some(ComparedVersions {
            measure: &self.measure,
            better: self.better,
            than: &self.than,
            by: self.by.map_or(0.0, |by| by.0),
            seeds: self.seeds.map_or(SEEDS, AtLeastOne::get),
        })
    }
}
