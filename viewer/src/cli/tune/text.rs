//! The result of a tune, for people.

use std::fmt::Write;

use flockwork_engine::experiment::{
    Confirmation, FoundValues, Goal, SearchEnd, TuneOutcome, Verdict,
};

use crate::cli::aligned::{aligned, short_or_none};

/// Returns the report.
pub(super) fn text(of: &TuneOutcome<'_>) -> String {
    let mut text = String::new();
    for goal in of.goals() {
        let _ = writeln!(text, "{goal}");
    }
    for (constraint, _) in &of.tune.plan().constraints {
        let _ = writeln!(text, "where {constraint}");
    }
    text.push('\n');
    match &*of.found {
        [] => text
            .push_str("nothing was found: each try had a run with an error or without a value\n"),
        [found] if of.goals().count() == 1 => one(&mut text, of, found),
        _ => several(&mut text, of),
    }
    text.push('\n');
    let best = of.found.first().map(|found| &of.search.evaluations[found.index]);
    if let Some(violations @ 1..) = best.map(|best| best.violations) {
        let seeds = of.tune.seeds().len();
        let _ = writeln!(
            text,
            "no try keeps all constraints: these values are the nearest, and {violations} of their {seeds} runs do not"
        );
    }
    add_without_value(&mut text, &of.search.without_value);
    let (errors, runs) = (of.search.errors(), of.search.runs);
    if errors > 0 {
        let _ = writeln!(text, "{errors} of {runs} runs of the search ended with an error");
    }
    if of.search.end == SearchEnd::Exhausted {
        text.push_str("the search found nothing more that it had not tried\n");
    }
    let tried = of.search.evaluations.len();
    let _ = writeln!(text, "{tried} tries, {} runs, {:.1} s", of.runs, of.seconds);
    text
}

/// Says which measures have no value.
fn add_without_value(text: &mut String, measures: &[String]) {
    let (few, rest) = measures.split_at(measures.len().min(3));
    if !few.is_empty() {
        let names: Vec<String> = few.iter().map(|name| format!("`{name}`")).collect();
        let more =
            if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        let _ = writeln!(
            text,
            "in the scenario as it is, there is no value for {}{more}",
            names.join(", ")
        );
        if few.iter().any(|name| name.starts_with("agent.")) {
            text.push_str("agents have ids from 0, in the order of the groups; does the table count from 1?\n");
        }
    }
}

/// Describes the best values for one goal.
fn one(text: &mut String, of: &TuneOutcome<'_>, found: &FoundValues) {
    let Some(goal) = of.goals().next() else {
        return;
    };
    if found.index == 0 {
        text.push_str("nothing better was found than the values of the scenario\n");
        return;
    }
    let quantity = goal.quantity();
    add_values(text, of, found, goal);
    text.push('\n');
    let over = of.tune.plan().over;
    let [before, after] = [0, found.index].map(|index| of.search.evaluations[index].scores[0]);
    let seeds = seeds(of.tune.seeds().len(), "seed of the search", "seeds of the search");
    let mut table =
        vec![vec![format!("{quantity} ({over})"), "now".to_owned(), "found".to_owned()]];
    table.push(vec![seeds, short_or_none(goal.value(before)), short_or_none(goal.value(after))]);
    let confirmation = found.confirmation.as_ref().and_then(|all| all.first());
    if let Some(confirmation) = confirmation {
        let seeds = self::seeds(of.tune.plan().confirm as usize, "other seed", "other seeds");
        let now = short_or_none(goal.value(confirmation.now));
        table.push(vec![seeds, now, short_or_none(goal.value(confirmation.found))]);
    }
    text.push_str(&aligned(&table));
    if let Some(confirmation) = confirmation {
        let _ = writeln!(text, "{}", verdict(goal, confirmation, of.tune.plan().confirm));
        if confirmation.errors > 0 {
            let _ = writeln!(text, "{} of its runs ended with an error", confirmation.errors);
        }
    }
    if confirmation.is_some_and(|one| !one.seeds_differ) {
        text.push_str(
            "the seed changes nothing of what is measured: other seeds make this no more certain, and tell no intervals\n",
        );
    }
    if found.known.is_none() {
        let good = of.good_values();
        let named = of.tune.paths().zip(&good);
        let ranges = named.filter_map(|(path, ends)| {
            ends.as_ref().map(|[low, high]| format!("{path} {low} to {high}"))
        });
        let ranges: Vec<String> = ranges.collect();
        if !ranges.is_empty() {
            let _ = writeln!(
                text,
                "tries with at least nine tenths of this gain have {}",
                ranges.join(", ")
            );
        }
    }
    if let Some(known) = &found.known {
        for set in &known.unidentified {
            let together = if set.len() == 1 { "" } else { " together" };
            let _ =
                writeln!(text, "cannot be identified{together}: {}", of.path_names(set).join(", "));
        }
        text.push_str(match known.unidentified.is_empty() {
            true => "the intervals have the values that match one run as well, as far as other seeds tell\n",
            false => "very different values match as well, as far as other seeds tell: match more measures, or earlier ones\n",
        });
    }
}

/// Adds the table of values: those that the scenario has now, those that were found, and how well they are known.
fn add_values(text: &mut String, of: &TuneOutcome<'_>, found: &FoundValues, goal: &Goal) {
    let mut table = vec![["value", "now", "found", "lower", "higher"].map(String::from).to_vec()];
    let (now, best) = (of.value_texts(0), of.value_texts(found.index));
    for (index, path) in of.tune.paths().enumerate() {
        let mut row = vec![path.to_owned(), or_dash(&now[index]), best[index].clone()];
        if let Some(sensitivity) = &found.sensitivity {
            let one = &sensitivity[index];
            for (score, changed) in one.scores.iter().zip(&one.values) {
                row.push(match changed {
                    Some(changed) => {
                        format!("{} at {changed}", short_or_none(goal.value(*score)))
                    }
                    None => "-".to_owned(),
                });
            }
        }
        if let Some(known) = &found.known {
            row.insert(
                3,
                match &known.intervals[index] {
                    Some([low, high]) => format!("{low} to {high}"),
                    None => "-".to_owned(),
                },
            );
        }
        table.push(row);
    }
    if found.sensitivity.is_none() {
        table[0].truncate(3);
    }
    if found.known.is_some() {
        table[0].insert(3, "90 % interval".to_owned());
    }
    text.push_str(&aligned(&table));
    if found.sensitivity.is_some() {
        let _ = writeln!(
            text,
            "lower, higher: {} if only this value changes by 5 % of its range, with the seeds of the search",
            goal.quantity()
        );
    }
}

/// Describes the table for several goals.
fn several(text: &mut String, of: &TuneOutcome<'_>) {
    let mut header = vec!["row".to_owned()];
    header.extend(of.tune.paths().map(String::from));
    header.extend(of.goals().map(Goal::quantity));
    header.extend(of.goals().map(|goal| format!("{} (other seeds)", goal.quantity())));
    let width = header.len();
    let mut table = vec![header];
    let now = &of.search.evaluations[0];
    let confirmed = of.found.iter().find_map(|found| found.confirmation.as_ref());
    let mut row = vec!["now".to_owned()];
    row.extend(of.value_texts(0).iter().map(|text| or_dash(text)));
    row.extend(of.values(&now.scores).into_iter().map(short_or_none));
    if let Some(all) = confirmed {
        let scores: Vec<_> = all.iter().map(|one| one.now).collect();
        row.extend(of.values(&scores).into_iter().map(short_or_none));
    }
    table.push(row);
    for (index, found) in of.found.iter().enumerate() {
        let mut row = vec![(index + 1).to_string()];
        row.extend(of.value_texts(found.index));
        row.extend(
            of.values(&of.search.evaluations[found.index].scores).into_iter().map(short_or_none),
        );
        if let Some(all) = &found.confirmation {
            for (goal, one) in of.goals().zip(all) {
                let mark = match one.verdict {
                    Verdict::Better => " +",
                    Verdict::WithinSpread => " ~",
                    Verdict::NotBetter => " -",
                    Verdict::Violates => " x",
                };
                row.push(format!("{}{mark}", short_or_none(goal.value(one.found))));
            }
        }
        table.push(row);
    }
    for row in &mut table {
        row.resize(width, String::new());
    }
    text.push_str(&aligned(&table));
    let all = of.search.front().len();
    if all > of.found.len() {
        let _ = writeln!(
            text,
            "{} of {all} rows; the others are in the table of tries",
            of.found.len()
        );
    }
    text.push_str(
        "+ better than now with other seeds, ~ better by less than seeds differ, - not better\n",
    );
    if !of.tune.plan().constraints.is_empty() {
        text.push_str("x violates a constraint with other seeds\n");
    }
}

/// Says what a confirmation means.
fn verdict(goal: &Goal, of: &Confirmation, seeds: u64) -> String {
    let better = if goal.is_lower_better() { "lower" } else { "higher" };
    let bounds = of.gain.map(|[least, most]| {
        format!(
            " by {} to {} (90 % of resampled seeds)",
            short_or_none(Some(least)),
            short_or_none(Some(most))
        )
    });
    let [violations_now, violations] = of.violations;
    match of.verdict {
        Verdict::Violates => format!(
            "not confirmed: with other seeds, {violations} of {seeds} runs do not keep the constraints"
        ),
        Verdict::Better if violations_now > 0 => format!(
            "confirmed: with other seeds all runs keep the constraints, and {violations_now} of {seeds} runs of the scenario as it is do not"
        ),
        Verdict::Better if of.now.is_none() => {
            "confirmed: with other seeds the scenario as it is has runs with an error or without a value, \
             the values that were found have none"
                .to_owned()
        }
        Verdict::Better => {
            format!("confirmed to be better than now: with other seeds it is {better}{}", bounds.unwrap_or_default())
        }
        Verdict::WithinSpread => match of.gain {
            Some([least, most]) => format!(
                "not confirmed: with other seeds it is {better}, but the gain is no larger than the spread between seeds: {} to {}",
                short_or_none(Some(least)),
                short_or_none(Some(most))
            ),
            None => format!(
                "not confirmed: with other seeds it is {better}, but some seeds give no value"
            ),
        },
        Verdict::NotBetter => {
            "not confirmed: with other seeds it is not better than the scenario as it is".to_owned()
        }
    }
}

fn seeds(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn or_dash(text: &str) -> String {
    if text.is_empty() { "-".to_owned() } else { text.to_owned() }
}
