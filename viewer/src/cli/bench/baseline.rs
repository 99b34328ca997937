//! Comparing a measurement with an earlier one, which is read from the output of `bench --json`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::load::read;
use flockwork_engine::trace::significant;
use flockwork_engine::{Diagnostic, Diagnostics};
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use super::spread::Spread;

/// The part of a measurement that is compared. Its fields are a part of those of the JSON object.
#[derive(Debug, Deserialize)]
pub(super) struct Measured {
    pub(super) scenario: String,
    /// Number of worlds that advance together, if it was measured with `--worlds`.
    pub(super) worlds: Option<usize>,
    pub(super) agents: usize,
    pub(super) threads: usize,
    pub(super) instruction_set: String,
    pub(super) warm_up_ticks: u64,
    /// Tick of the state hash, if it is known.
    pub(super) state_tick: Option<u64>,
    pub(super) state_hash: String,
    /// Times by mode.
    pub(super) modes: BTreeMap<String, Spread>,
}

impl Measured {
    /// Returns what is different from an earlier measurement, so that the times cannot be compared.
    fn differences(&self, earlier: &Self) -> Vec<String> {
        let worlds = |of: &Self| of.worlds.map_or("one".to_owned(), |worlds| worlds.to_string());
        // Other agents or another tick have another state in any case.
        let has_same_tick = self.state_tick.is_some() && self.state_tick == earlier.state_tick;
        let may_be_same = has_same_tick && self.agents == earlier.agents;
        let hash = |of: &Self| if may_be_same { of.state_hash.clone() } else { String::new() };
        let values = |of: &Self| {
            [
                ("worlds", worlds(of)),
                ("agents", of.agents.to_string()),
                ("threads", of.threads.to_string()),
                ("instruction set", of.instruction_set.clone()),
                ("ticks to warm up", of.warm_up_ticks.to_string()),
                ("state hash after the same tick", hash(of)),
            ]
        };
        let pairs = values(earlier).into_iter().zip(values(self));
        pairs
            .filter(|(before, now)| before != now)
            .map(|((name, before), (_, now))| {
                format!("{name}: {before} in the baseline, {now} now")
            })
            .collect()
    }
}

/// An earlier output of `bench --json`.
pub(super) struct Baseline {
    file: String,
    all: Vec<Measured>,
}

impl Baseline {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Self, Diagnostics> {
        let source = read(path)?;
        // An untagged enum would lose the positions of errors.
        let all = if source.text.trim_start().starts_with('[') {
            serde_json::from_str(&source.text)
        } else {
            serde_json::from_str(&source.text).map(|one| vec![one])
        };
        let all = all.map_err(|error| unreadable(&source, &error))?;
        Ok(Self { file: source.name.clone(), all })
    }

    /// Compares a measurement with the one of the same scenario that has the fewest differences.
    pub(super) fn compare(&self, now: &Measured) -> Comparison {
        let same = self.all.iter().filter(|earlier| earlier.scenario == now.scenario);
        let nearest = same.min_by_key(|earlier| now.differences(earlier).len());
        let modes = now.modes.iter().map(|(name, &now)| {
            let earlier = nearest.and_then(|earlier| earlier.modes.get(name));
            (name.clone(), earlier.map(|earlier| ModeComparison::new(*earlier, now)))
        });
        Comparison {
            file: self.file.clone(),
            has_scenario: nearest.is_some(),
            differences: nearest.map(|earlier| now.differences(earlier)).unwrap_or_default(),
            modes: modes.collect(),
        }
    }
}

/// Returns the error of a file that is not an output of `bench --json`.
fn unreadable(source: &Arc<Source>, error: &serde_json::Error) -> Diagnostic {
    let what = match error.classify() {
        Category::Data => "is not the output of `bench --json`",
        Category::Io | Category::Syntax | Category::Eof => "is not valid JSON",
    };
    // The position is shown in its own way.
    let text = error.to_string();
    let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
    // Columns of the error count bytes.
    let at = source.offset(error.line(), 1) + error.column().saturating_sub(1);
    Diagnostic::error(format!("the baseline {what}: {reason}"))
        .at(source, source.token(at))
        .help("write one with `flockwork bench --json > FILE`")
}

/// A measurement compared with an earlier one. Its fields are those of the JSON object.
#[derive(Debug, Serialize)]
pub(super) struct Comparison {
    file: String,
    /// Whether the baseline has the scenario.
    has_scenario: bool,
    /// Why the times cannot be compared, one sentence each.
    differences: Vec<String>,
    /// Each measured mode; `None` if the baseline does not have it.
    modes: BTreeMap<String, Option<ModeComparison>>,
}

/// Times of one mode, before and now.
#[derive(Debug, Serialize)]
struct ModeComparison {
    baseline: Spread,
    #[serde(skip)]
    now: Spread,
    /// Median time now, divided by that of the baseline.
    ratio: f64,
    ranges_overlap: bool,
}

impl ModeComparison {
    fn new(baseline: Spread, now: Spread) -> Self {
        let ratio = now.median / baseline.median;
        Self { baseline, now, ratio, ranges_overlap: now.overlaps(&baseline) }
    }
}

impl Comparison {
    /// Returns a table for people.
    pub(super) fn text(&self) -> String {
        // Writing to a string cannot fail.
        let mut text = format!("\n{:<24}{}\n", "baseline", self.file);
        if !self.has_scenario {
            let _ = writeln!(text, "{:<24}the baseline does not have this scenario", "");
            return text;
        }
        for difference in &self.differences {
            let _ = writeln!(text, "{:<24}{difference}", "not comparable");
        }
        let (before, now) = ("baseline", "now");
        let _ =
            writeln!(text, "{:<22} {before:>26} {now:>26}{:>8}", "ns per agent and tick", "ratio");
        for (name, mode) in &self.modes {
            let cells = match mode {
                None => "  not in the baseline".to_owned(),
                Some(ModeComparison { baseline, now, ratio, ranges_overlap }) => {
                    let (baseline, now) = (baseline.to_string(), now.to_string());
                    let ratio = significant(*ratio, 3);
                    let ranges = if *ranges_overlap { "overlap" } else { "do not overlap" };
                    format!(" {baseline:>26} {now:>26}{ratio:>8}  ranges {ranges}")
                }
            };
            let _ = writeln!(text, "{name:<22}{cells}");
        }
        text
    }
}
