//! Selecting the scenarios to test.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use flockwork_engine::load::{SCENARIO_EXTENSION, SCENARIOS_FOLDER, find};
use flockwork_engine::suite::{affected_tests, cost, each};
use flockwork_engine::{Diagnostic, Diagnostics, Severity};

use super::super::check::{count_noun, say_left_out};
use super::super::terminal;
use super::Args;

/// The scenarios to test.
pub(super) struct Selection {
    /// Files of the scenarios, in order.
    pub(super) scenarios: Vec<PathBuf>,
    /// Goldens without a scenario.
    pub(super) stale: Vec<PathBuf>,
    /// Notes about the selection.
    pub(super) notes: Vec<Diagnostic>,
    /// Lines about how many scenarios were chosen, for the summary.
    pub(super) remarks: Vec<String>,
}

/// One of several parts of all scenarios, for tests on several machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    /// Number of this part, from 1.
    part: u64,
    /// Number of parts.
    of: u64,
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((part, of)) if 1 <= part && part <= of => Ok(Self { part, of }),
            _ => Err("must be I/N, with I from 1 to N"),
        }
    }
}

impl Shard {
    /// Returns the indices of the items in this part, in rising order. Each item is in exactly one part: the most
    /// expensive item is assigned first, each to the part with the lowest cost so far (the first of several).
    fn choose(self, costs: &[u64]) -> Vec<usize> {
        let mut by_cost: Vec<usize> = (0..costs.len()).collect();
        // Stable, so that equal ones keep their order.
        by_cost.sort_by_key(|&item| std::cmp::Reverse(costs[item]));
        // Parts beyond the number of items stay empty.
        let parts = usize::try_from(self.of).unwrap_or(usize::MAX).min(costs.len());
        let mut loads = vec![0_u64; parts];
        let mut chosen = Vec::new();
        for item in by_cost {
            let least = (0..parts).min_by_key(|&part| loads[part]).unwrap_or_default();
            loads[least] = loads[least].saturating_add(costs[item].max(1));
            if least as u64 == self.part - 1 {
                chosen.push(item);
            }
        }
        chosen.sort_unstable();
        chosen
    }
}

/// Returns the scenarios in the given paths that pass the filters, that a change concerns, and that belong to the shard.
pub(super) fn select(args: &Args) -> Result<Selection, Diagnostics> {
    let Args { paths, filter: filters, .. } = args;
    let default = [PathBuf::from(SCENARIOS_FOLDER)];
    let paths = if paths.is_empty() {
        if !default[0].is_dir() {
            let missing =
                Diagnostic::error(format!("there is no folder `{SCENARIOS_FOLDER}` here"));
            return Err(missing.help("give a scenario or a folder with scenarios").into());
        }
        &default[..]
    } else {
        &paths[..]
    };
    let found = find(paths)?;
    say_left_out(&found);
    let name = |path: &Path| path.to_string_lossy().replace('\\', "/");
    let all = found.scenarios.len();
    let is_selected = |path: &PathBuf| {
        let name = name(path);
        filters.is_empty() || filters.iter().any(|text| name.contains(text.as_str()))
    };
    let (mut notes, mut remarks) = (Vec::new(), Vec::new());
    for text in filters {
        let matches = |path: &PathBuf| name(path).contains(text.as_str());
        if !found.scenarios.iter().any(matches) {
            notes.push(no_match(text, all));
        }
    }
    let mut scenarios: Vec<PathBuf> = found.scenarios.into_iter().filter(is_selected).collect();
    if scenarios.is_empty() {
        if all > 0 {
            for note in &mut notes {
                note.severity = Severity::Error;
            }
            return Err(notes.into());
        }
        let none = Diagnostic::error("there is no scenario to test");
        return Err(none
            .help("scenarios are files that end in .ron; those that end in .plan.ron are plans")
            .into());
    }
    let mut stale: Vec<PathBuf> = found
        .goldens
        .into_iter()
        .filter(|path| !path.with_extension(SCENARIO_EXTENSION).exists() && is_selected(path))
        .collect();
    if let Some(revision) = &args.changed {
        let (line, reasons) = keep_affected(&mut scenarios, revision.as_deref())?;
        let reasons = if args.verbose || args.list { &reasons } else { "" };
        terminal::say(&format!("{line}{reasons}"));
        remarks.push(line);
    }
    if let Some(shard) = args.shard {
        let count = scenarios.len();
        let costs = each(&scenarios, |path| cost(path));
        let chosen = shard.choose(&costs);
        scenarios = chosen.into_iter().map(|item| scenarios[item].clone()).collect();
        // Only the first shard reports them.
        if shard.part > 1 {
            stale.clear();
        }
        let Shard { part, of } = shard;
        let all = count_noun(count, "scenario");
        remarks.push(format!("shard {part}/{of} has {} of {all}", scenarios.len()));
        if scenarios.is_empty() && args.changed.is_none() {
            let is = if count == 1 { "is" } else { "are" };
            let empty = format!("shard {part}/{of} is empty: there {is} {all} for {of} shards");
            notes.push(
                Diagnostic::warning(empty)
                    .help("this shard passes without testing anything; use fewer shards"),
            );
        }
    }
    Ok(Selection { scenarios, stale, notes, remarks })
}

/// Keeps the scenarios that files concern which have changed since a revision. Returns a line that says how many these are, and lines
/// that say why.
fn keep_affected(
    scenarios: &mut Vec<PathBuf>,
    revision: Option<&str>,
) -> Result<(String, String), Diagnostics> {
    let reasons = affected_tests(scenarios, revision).map_err(|errors| {
        let is_path = revision.is_some_and(|revision| Path::new(revision).exists());
        let mut errors = errors.into_vec();
        let advice = errors.first_mut().filter(|_| is_path);
        if let (Some(error), Some(revision)) = (advice, revision) {
            error.help = vec![format!(
                "to test what has changed in `{revision}`, write `flockwork test {revision} --changed`"
            )];
        }
        errors
    })?;
    let all = scenarios.len();
    let mut kept = Vec::new();
    let mut lines = String::new();
    for (path, reason) in scenarios.drain(..).zip(reasons) {
        if let Some(reason) = reason {
            lines.push_str(&format!("\n  {}: {reason}", path.display()));
            kept.push(path);
        }
    }
    let since = match revision {
        Some(revision) => format!("since the last commit in common with `{revision}`"),
        None => "since the last commit".to_owned(),
    };
    let (count, word) = (kept.len(), if all == 1 { "scenario" } else { "scenarios" });
    *scenarios = kept;
    let line = match count {
        0 => format!("nothing to test: no change {since} concerns any of {all} {word}"),
        _ => format!("changes {since} concern {count} of {all} {word}"),
    };
    Ok((line, lines))
}

/// Returns the warning about a filter that no scenario passes.
fn no_match(text: &str, all: usize) -> Diagnostic {
    let scenarios = if all == 1 { "scenario" } else { "scenarios" };
    Diagnostic::warning(format!(
        "no scenario matches `--filter {text}`: none of {all} {scenarios} has that text in its path"
    ))
    .help("`flockwork test --list` prints the paths")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_item_is_in_one_part_and_parts_are_balanced(
            costs in prop::collection::vec(0..1_000_000_u64, 0..60),
            of in 1..9_u64,
        ) {
            let mut all = Vec::new();
            let mut loads = Vec::new();
            for part in 1..=of {
                let chosen = Shard { part, of }.choose(&costs);
                prop_assert_eq!(&chosen, &Shard { part, of }.choose(&costs));
                prop_assert!(chosen.is_sorted());
                loads.push(chosen.iter().map(|&item| costs[item].max(1)).sum::<u64>());
                all.extend(chosen);
            }
            all.sort_unstable();
            prop_assert_eq!(all, (0..costs.len()).collect::<Vec<_>>());
            // The bound of the method: the last item of the fullest part was added when that part was the emptiest.
            let (most, least) = (loads.iter().max().unwrap(), loads.iter().min().unwrap());
            let longest = costs.iter().copied().max().unwrap_or(0).max(1);
            prop_assert!(most - least <= longest, "{:?}", loads);
        }
    }

    #[test]
    fn one_long_scenario_has_a_part_of_its_own() {
        let costs = [1, 1, 50, 1, 1, 1];
        assert_eq!(Shard { part: 1, of: 2 }.choose(&costs), [2]);
        assert_eq!(Shard { part: 2, of: 2 }.choose(&costs), [0, 1, 3, 4, 5]);
        let huge = Shard { part: u64::MAX, of: u64::MAX };
        assert_eq!(huge.choose(&costs), [0_usize; 0]);
        assert_eq!(Shard { part: 1, of: 3 }.choose(&[]), [0_usize; 0]);
    }

    #[test]
    fn parts_are_written_i_of_n() {
        assert_eq!("2/4".parse(), Ok(Shard { part: 2, of: 4 }));
        for wrong in ["0/4", "5/4", "1", "a/b", "1/0", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
