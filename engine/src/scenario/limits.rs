//! Limits on the number of things of each kind in a scenario.
//!
//! A typing mistake, such as two zeros too many, is reported at once instead of after minutes and gigabytes. A scenario
//! that needs more can raise a limit: `limits: (agents: 5000000)`.

use std::ops::Range;

use serde::Deserialize;

use super::findings::Findings;
use super::spanned::Spanned;
use crate::diag::{Code, Diagnostic};
use crate::number::Natural;
use crate::schema::described;

described! {
    #[derive(Debug, Default, Deserialize)]
    #[serde(rename = "Limits", deny_unknown_fields)]
    pub(super) struct LimitsSpec {
        /// Number of agents.
        pub(super) agents: Option<Spanned<Natural>>,
        /// Number of agents times the number of paths.
        pub(super) agents_times_paths: Option<Spanned<Natural>>,
        /// Number of groups.
        pub(super) groups: Option<Spanned<Natural>>,
        /// Number of obstacles.
        pub(super) obstacles: Option<Spanned<Natural>>,
        /// Number of paths.
        pub(super) paths: Option<Spanned<Natural>>,
        /// Number of flow fields.
        pub(super) fields: Option<Spanned<Natural>>,
        /// Number of cells of all flow fields.
        pub(super) field_cells: Option<Spanned<Natural>>,
        /// Number of layers.
        pub(super) layers: Option<Spanned<Natural>>,
        /// Number of cells of all layers.
        pub(super) layer_cells: Option<Spanned<Natural>>,
        /// Number of points of obstacles and paths.
        pub(super) points: Option<Spanned<Natural>>,
        /// Number of goals.
        pub(super) goals: Option<Spanned<Natural>>,
        /// Number of params of all groups.
        pub(super) params: Option<Spanned<Natural>>,
        /// Number of events.
        pub(super) events: Option<Spanned<Natural>>,
        /// Number of expectations.
        pub(super) expectations: Option<Spanned<Natural>>,
        /// Number of measures.
        pub(super) measures: Option<Spanned<Natural>>,
    }
}

/// The limit of one kind of thing.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    /// The name of its field in `limits`.
    name: &'static str,
    /// The things that are counted, if the name does not say it.
    counted: &'static str,
    /// The default limit. With that many things of this kind and nothing else, a scenario is read and run for one tick
    /// within two seconds and 256 MB.
    default: u64,
    /// The largest limit that a scenario can set.
    max: u64,
    /// Returns the field in which the scenario sets the limit.
    field: fn(&LimitsSpec) -> Option<&Spanned<Natural>>,
}

pub(super) const AGENTS: Limit = Limit {
    name: "agents",
    counted: ", including those that events spawn",
    default: 1_000_000,
    max: 100_000_000,
    field: |limits| limits.agents.as_ref(),
};

/// Every tick visits each group, and scripts know all groups.
pub(super) const GROUPS: Limit = Limit {
    name: "groups",
    counted: "",
    default: 1000,
    max: MAX_NAMES,
    field: |limits| limits.groups.as_ref(),
};

pub(super) const OBSTACLES: Limit = Limit {
    name: "obstacles",
    counted: "",
    default: 10_000,
    max: MAX_NAMES,
    field: |limits| limits.obstacles.as_ref(),
};

pub(super) const PATHS: Limit = Limit {
    name: "paths",
    counted: "",
    default: 10_000,
    max: MAX_NAMES,
    field: |limits| limits.paths.as_ref(),
};

pub(super) const FIELDS: Limit = Limit {
    name: "fields",
    counted: "",
    default: 1000,
    max: MAX_NAMES,
    field: |limits| limits.fields.as_ref(),
};

pub(super) const FIELD_CELLS: Limit = Limit {
    name: "field_cells",
    counted: ", of all fields together",
    default: 200_000,
    max: u32::MAX as u64,
    field: |limits| limits.field_cells.as_ref(),
};

pub(super) const LAYERS: Limit = Limit {
    name: "layers",
    counted: "",
    default: 100,
    max: MAX_NAMES,
    field: |limits| limits.layers.as_ref(),
};

/// Every tick visits each cell of a layer that diffuses or evaporates.
pub(super) const LAYER_CELLS: Limit = Limit {
    name: "layer_cells",
    counted: ", of all layers together",
    default: 1_000_000,
    max: u32::MAX as u64,
    field: |limits| limits.layer_cells.as_ref(),
};

pub(super) const POINTS: Limit = Limit {
    name: "points",
    counted: " in paths and polygons",
    default: 100_000,
    max: u32::MAX as u64,
    field: |limits| limits.points.as_ref(),
};

pub(super) const GOALS: Limit = Limit {
    name: "goals",
    counted: " of groups, agents and events",
    default: 100_000,
    max: u32::MAX as u64,
    field: |limits| limits.goals.as_ref(),
};

pub(super) const PARAMS: Limit = Limit {
    name: "params",
    counted: ", with shared params counted once for each group",
    default: 100_000,
    max: u32::MAX as u64,
    field: |limits| limits.params.as_ref(),
};

pub(super) const EVENTS: Limit = Limit {
    name: "events",
    counted: "",
    default: 10_000,
    max: u32::MAX as u64,
    field: |limits| limits.events.as_ref(),
};

pub(super) const EXPECTATIONS: Limit = Limit {
    name: "expectations",
    counted: "",
    default: 1000,
    max: u32::MAX as u64,
    field: |limits| limits.expectations.as_ref(),
};

pub(super) const MEASURES: Limit = Limit {
    name: "measures",
    counted: "",
    default: 1000,
    max: u32::MAX as u64,
    field: |limits| limits.measures.as_ref(),
};

/// Each agent keeps its progress on each path.
pub(super) const AGENTS_TIMES_PATHS: Limit = Limit {
    name: "agents_times_paths",
    counted: ", since each agent keeps its progress on each path",
    default: 20_000_000,
    max: u32::MAX as u64,
    field: |limits| limits.agents_times_paths.as_ref(),
};

/// The maximum number of groups, paths, fields, layers or obstacles: their indices have 16 bits.
const MAX_NAMES: u64 = 65_535;

impl Limit {
    /// Returns the limit in a scenario that has been [checked](check_maxima).
    pub(super) fn value(&self, limits: &LimitsSpec) -> u64 {
        let written = (self.field)(limits).and_then(|field| field.read.as_ref().ok());
        written.map_or(self.default, |limit| limit.get().min(self.max))
    }

    /// Reports the first thing with which the limit is exceeded. Each thing is given with the number that it counts for.
    pub(super) fn check(
        &self,
        findings: &mut Findings<'_>,
        limits: &LimitsSpec,
        all: impl IntoIterator<Item = (u64, Range<usize>)>,
    ) {
        let limit = self.value(limits);
        let (mut total, mut first) = (0u64, None);
        for (count, place) in all {
            total = total.saturating_add(count);
            if total > limit && first.is_none() {
                first = Some((total, place));
            }
        }
        let Some((upto, place)) = first else { return };
        let name = self.name;
        let what = name.replace('_', " ");
        let mut many = Diagnostic::error(format!("more than {limit} {what}"))
            .code(Code::OutOfRange)
            .label(format!("up to here there are {upto}{}", self.counted));
        many = if total <= self.max {
            many.help(format!(
                "if you need that many, raise the limit in the scenario: `limits: ({name}: {total})`"
            ))
        } else {
            many.help(format!("no scenario can have more than {}", self.max))
        };
        findings.add(many, place);
    }
}

/// Checks that the limits that a scenario sets are not above the largest ones.
pub(super) fn check_maxima(findings: &mut Findings<'_>, limits: &LimitsSpec) {
    for limit in [
        &AGENTS,
        &AGENTS_TIMES_PATHS,
        &GROUPS,
        &OBSTACLES,
        &PATHS,
        &FIELDS,
        &FIELD_CELLS,
        &LAYERS,
        &LAYER_CELLS,
        &POINTS,
        &GOALS,
        &PARAMS,
        &EVENTS,
        &EXPECTATIONS,
        &MEASURES,
    ] {
        let Some(field) = (limit.field)(limits) else {
            continue;
        };
        let high = findings.read(field).map(|value| value.get());
        if high.is_some_and(|value| value > limit.max) {
            let (name, max) = (limit.name, limit.max);
            let wrong = Diagnostic::error(format!("the limit of {name} can be at most {max}"));
            findings.add(wrong.code(Code::OutOfRange), findings.span(field));
        }
    }
}
