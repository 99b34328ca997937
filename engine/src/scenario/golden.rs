//! Checks how runs are compared with their golden.

use std::ops::Range;

use serde::Deserialize;

use super::findings::Findings;
use super::spanned::Spanned;
use crate::golden::{BandTerms, Mode, Terms, Tolerance};
use crate::number::{Finite, Fraction, PositiveLength, Seeds, Ticks};
use crate::schema::described;
use crate::trace::Measure;

described! {
    #[derive(Debug, Default, Deserialize)]
    #[serde(rename = "Golden", deny_unknown_fields)]
    pub(super) struct GoldenSpec {
        /// How it is compared. Default: `Exact`.
        #[serde(default)]
        pub(super) mode: GoldenModeSpec,
        /// Number of ticks from one keyframe to the next.
        pub(super) every: Option<Ticks>,
        /// The last tick that is compared. Default: the end of the run.
        pub(super) until: Option<Spanned<Ticks>>,
    }
}

described! {
    #[derive(Debug, Default, Deserialize)]
    #[serde(rename = "mode", deny_unknown_fields)]
    pub(super) enum GoldenModeSpec {
        /// Every bit is the same.
        #[default]
        Exact,
        /// Agents stay within tolerances of the golden.
        Within {
            /// The largest distance from the recorded position, in world units.
            position: PositiveLength,
            /// The largest distance from the recorded velocity, in world units per second.
            velocity: Option<PositiveLength>,
            /// The share of the agents that must be within the tolerance. Default: 1.
            share: Option<Fraction>,
        },
        /// Each part between two keyframes begins at the golden and stays within tolerances.
        Windows {
            /// The largest distance from the recorded position, in world units.
            position: PositiveLength,
            /// The largest distance from the recorded velocity, in world units per second.
            velocity: Option<PositiveLength>,
            /// The share of the agents that must be within the tolerance. Default: 1.
            share: Option<Fraction>,
        },
        /// Measures stay within the bands of runs with other seeds.
        Bands {
            /// Number of seeds.
            seeds: Option<Seeds>,
            /// The quantiles between which a run must be.
            quantiles: Option<Spanned<(Finite, Finite)>>,
            /// The measures that are compared. Default: all.
            measures: Option<Vec<Measure>>,
        },
    }
}

/// The default number of ticks of a window: a second at the default `dt`.
const WINDOW: u64 = 60;

/// The default number of keyframes keeps about this many agents in all.
const KEPT_AGENTS: u64 = 1000;

/// The default number of runs that bands are made of.
const SEEDS: u32 = 8;

/// The default measures of bands.
const MEASURES: [Measure; 3] = [Measure::MeanSpeed, Measure::Polarization, Measure::ClosestPair];

/// Checks the `golden` field of a scenario that runs over these ticks with this number of agents at the start.
pub(super) fn build(
    findings: &mut Findings<'_>,
    spec: &GoldenSpec,
    run: Range<u64>,
    agents: u64,
) -> Terms {
    let Range { start: from, end: ticks } = run;
    let mut until = ticks;
    if let Some(written) = &spec.until
        && let Some(tick) = findings.read(written)
    {
        until = tick.get();
        if until > ticks {
            findings.error(
                format!("the golden cannot end at tick {until}: the run ends at tick {ticks}"),
                findings.span(written),
            );
        } else if until <= from {
            findings.error(
                format!("the golden cannot end at tick {until}: the run begins at tick {from}"),
                findings.span(written),
            );
        }
    }
    let lasts = until.saturating_sub(from).max(1);
    let mode = match &spec.mode {
        GoldenModeSpec::Exact => Mode::Exact,
        GoldenModeSpec::Within { position, velocity, share } => {
            Mode::Within(tolerance(*position, *velocity, *share))
        }
        GoldenModeSpec::Windows { position, velocity, share } => {
            Mode::Windows(tolerance(*position, *velocity, *share))
        }
        GoldenModeSpec::Bands { seeds, quantiles, measures } => {
            let (mut low, mut high) = (0.0, 1.0);
            if let Some(written) = quantiles
                && let Some(&(from, to)) = findings.read(written)
            {
                (low, high) = (from.0, to.0);
                if !(0.0 <= low && low < high && high <= 1.0) {
                    findings.error(
                        "expected two quantiles from 0 to 1, the lower one first",
                        findings.span(written),
                    );
                }
            }
            let measures = measures.clone().unwrap_or_else(|| MEASURES.to_vec());
            let seeds = seeds.map_or(SEEDS, |seeds| seeds.get_u32());
            Mode::Bands(BandTerms { seeds, low, high, measures })
        }
    };
    let every = spec.every.map_or_else(
        || match mode {
            Mode::Windows(_) => WINDOW,
            Mode::Bands(_) => lasts.div_ceil(4),
            _ => lasts.div_ceil((KEPT_AGENTS / agents.max(1)).clamp(4, 20)),
        },
        |every| every.get(),
    );
    Terms { mode, from, every, until }
}

fn tolerance(
    position: PositiveLength,
    velocity: Option<PositiveLength>,
    share: Option<Fraction>,
) -> Tolerance {
    Tolerance {
        position: position.0,
        velocity: velocity.map(|most| most.0),
        share: share.map_or(1.0, |share| share.0),
    }
}
