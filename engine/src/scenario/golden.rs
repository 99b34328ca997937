//! How runs are compared with their golden: from what is written to what is meant.

use std::ops::Range;

use super::findings::Findings;
use super::spec::{GoldenModeSpec, GoldenSpec};
use crate::golden::{BandTerms, Mode, Terms, Tolerance};
use crate::number::{Fraction, PositiveLength};
use crate::trace::Measure;

/// Ticks of a window, where the scenario does not say: a second at the default `dt`.
const WINDOW: u64 = 60;

/// Keyframes are as many as keep about so many agents in all, where the scenario does not say how often.
const KEPT_AGENTS: u64 = 1000;

/// Runs that bands are made of, where the scenario does not say.
const SEEDS: u32 = 8;

/// What is measured for bands, where the scenario does not say.
const MEASURES: [Measure; 3] = [Measure::MeanSpeed, Measure::Polarization, Measure::ClosestPair];

/// Checks how a scenario that runs over these ticks, with so many agents at the start, is to be compared.
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
                format!("the golden cannot go on to tick {until}: the run ends with tick {ticks}"),
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
                        "quantiles go from one at least 0 to a higher one at most 1",
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
