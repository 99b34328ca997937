//! Estimates the work of a test from its scenario file.

use std::path::Path;

use crate::golden::Mode;
use crate::load;
use crate::scenario::Scenario;

/// Returns an estimate of the work of testing a scenario file: agents at the start times ticks times runs,
/// at least 1. A scenario that cannot be read costs 1: its test ends at once.
pub fn cost(path: &Path) -> u64 {
    let source = load::read(path).ok();
    let scenario = source.and_then(|source| Scenario::parse(&source).ok());
    scenario.map_or(1, |scenario| scenario_cost(&scenario))
}

fn scenario_cost(scenario: &Scenario) -> u64 {
    let runs = match &scenario.golden.mode {
        Mode::Exact | Mode::Within(_) => 1,
        // Once from the start, and once from each keyframe to the next.
        Mode::Windows(_) => 2,
        Mode::Bands(of) => u64::from(of.seeds),
    };
    scenario.agent_ticks(scenario.ticks).saturating_mul(runs).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Source;

    #[test]
    fn cost_is_agents_times_ticks_times_runs() {
        let cost = |more: &str| {
            let text = format!(
                "(ticks: 200, world: (size: (9, 9)), {more} groups: {{
                    \"a\": (behavior: \"a\", spawn: Disc(center: (1, 1), radius: 1), count: 30),
                    \"b\": (behavior: \"b\", spawn: Points([(1, 1), (2, 2)])),
                }})"
            );
            scenario_cost(&Scenario::parse(&Source::new("a.ron", text)).unwrap())
        };
        assert_eq!(cost(""), 32 * 200);
        assert_eq!(
            cost("golden: (mode: Bands(seeds: 8, quantiles: (0.1, 0.9), measures: [MeanSpeed])),"),
            32 * 200 * 8
        );
        assert_eq!(super::cost(Path::new("there/is/none.ron")), 1);
    }
}
