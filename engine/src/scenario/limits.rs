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

/// The maximum number of groups, paths, fields, layers or obstacles: their indices have 16 bits.
const MAX_NAMES: u64 = 65_535;
/// The maximum number of other things.
const MAX: u64 = u32::MAX as u64;

/// Declares each limit once: the documentation of its field, its constant and its field, what is counted besides the name, its default,
/// and the largest one that a scenario can set.
macro_rules! limits {
    ($($(#[$($meta:tt)*])* $LIMIT:ident = $field:ident, $counted:literal: $default:literal, at most $max:expr;)*) => {
        described! {
            #[derive(Debug, Default, Deserialize)]
            #[serde(rename = "Limits", deny_unknown_fields)]
            pub(super) struct LimitsSpec {
                $($(#[$($meta)*])* pub(super) $field: Option<Spanned<Natural>>),*
            }
        }

        $(pub(super) const $LIMIT: Limit = Limit {
            name: stringify!($field),
            counted: $counted,
            default: $default,
            max: $max,
            field: |limits| limits.$field.as_ref(),
        };)*

        const ALL: &[Limit] = &[$($LIMIT),*];
    };
}

limits! {
    /// Number of agents.
    AGENTS = agents, ", including those that events spawn": 1_000_000, at most 100_000_000;
    /// Number of agents times the number of paths.
    AGENTS_TIMES_PATHS = agents_times_paths, ", since each agent keeps its progress on each path": 20_000_000, at most MAX;
    // Every tick visits each group, and scripts know all groups.
    /// Number of groups.
    GROUPS = groups, "": 1000, at most MAX_NAMES;
    /// Number of obstacles.
    OBSTACLES = obstacles, "": 10_000, at most MAX_NAMES;
    /// Number of paths.
    PATHS = paths, "": 10_000, at most MAX_NAMES;
    /// Number of flow fields.
    FIELDS = fields, "": 1000, at most MAX_NAMES;
    /// Number of cells of all flow fields.
    FIELD_CELLS = field_cells, ", of all fields together": 200_000, at most MAX;
    /// Number of layers.
    LAYERS = layers, "": 100, at most MAX_NAMES;
    // Every tick visits each cell of a layer that diffuses or evaporates.
    /// Number of cells of all layers.
    LAYER_CELLS = layer_cells, ", of all layers together": 1_000_000, at most MAX;
    /// Number of points of obstacles and paths.
    POINTS = points, " in paths and polygons": 100_000, at most MAX;
    /// Number of goals.
    GOALS = goals, " of groups, agents and events": 100_000, at most MAX;
    /// Number of params of all groups.
    PARAMS = params, ", with shared params counted once for each group": 100_000, at most MAX;
    /// Number of events.
    EVENTS = events, "": 10_000, at most MAX;
    /// Number of expectations.
    EXPECTATIONS = expectations, "": 1000, at most MAX;
    /// Number of measures.
    MEASURES = measures, "": 1000, at most MAX;
}

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
        // Only the limit that matters: that of this scenario, or the largest one.
        let is_possible = total <= self.max;
        let message = match is_possible {
            true => format!("more than {} {what}", short_count(limit)),
            false => format!("no scenario can have more than {} {what}", short_count(self.max)),
        };
        let mut many = Diagnostic::error(message)
            .code(Code::OutOfRange)
            .label(format!("up to here there are {upto}{}", self.counted));
        if is_possible {
            many = many.help(format!(
                "if you need that many, raise the limit in the scenario: `limits: ({name}: {total})`"
            ));
        }
        findings.add(many, place);
    }
}

/// Returns a number as it is read best: millions in words.
fn short_count(count: u64) -> String {
    const MILLION: u64 = 1_000_000;
    match count.is_multiple_of(MILLION) && count > 0 {
        true => format!("{} million", count / MILLION),
        false => count.to_string(),
    }
}

/// Checks that the limits that a scenario sets are not above the largest ones.
pub(super) fn check_maxima(findings: &mut Findings<'_>, limits: &LimitsSpec) {
    for limit in ALL {
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
