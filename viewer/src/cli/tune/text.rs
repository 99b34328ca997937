//! The result of a tune, for people.

use std::fmt::Write;

use flockwork_engine::experiment::{Confirmation, Goal, SearchEnd, Verdict};

use super::outcome::{FoundValues, TuneOutcome, value};

/// Returns the report.
pub(super) fn text(of: &TuneOutcome<'_>) -> String {
    let mut text = String::new();
    for goal in of.goals() {
        let _ = writeln!(text, "{goal}");
    }
    text.push('\n');
    match &*of.found {
        [] => text
            .push_str("nothing was found: each try had a run with an error or without a value\n"),
        [found] if of.goals().count() == 1 => one(&mut text, of, found),
        _ => several(&mut text, of),
    }
    text.push('\n');
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
    let mut table = vec![["value", "now", "found", "lower", "higher"].map(String::from).to_vec()];
    let (now, best) = (of.value_texts(0), of.value_texts(found.index));
    for (index, path) in of.tune.paths().enumerate() {
        let mut row = vec![path.to_owned(), or_dash(&now[index]), best[index].clone()];
        if let Some(sensitivity) = &found.sensitivity {
            let one = &sensitivity[index];
            for (score, changed) in one.scores.iter().zip(&one.values) {
                row.push(match changed {
                    Some(changed) => {
                        format!("{} at {changed}", number(value(goal, *score)))
                    }
                    None => "-".to_owned(),
                });
            }
        }
        table.push(row);
    }
    if found.sensitivity.is_none() {
        table[0].truncate(3);
    }
    text.push_str(&columns(&table));
    if found.sensitivity.is_some() {
        let _ = writeln!(
            text,
            "lower, higher: {quantity} if only this value changes by 5 % of its range, with the seeds of the search"
        );
    }
    text.push('\n');
    let over = of.tune.plan().over;
    let [before, after] = [0, found.index].map(|index| of.search.evaluations[index].scores[0]);
    let seeds = seeds(of.tune.seeds().len(), "seed of the search", "seeds of the search");
    let mut table =
        vec![vec![format!("{quantity} ({over})"), "now".to_owned(), "found".to_owned()]];
    table.push(vec![seeds, number(value(goal, before)), number(value(goal, after))]);
    let confirmation = found.confirmation.as_ref().and_then(|all| all.first());
    if let Some(confirmation) = confirmation {
        let seeds = self::seeds(of.tune.plan().confirm as usize, "other seed", "other seeds");
        let now = number(value(goal, confirmation.now));
        table.push(vec![seeds, now, number(value(goal, confirmation.found))]);
    }
    text.push_str(&columns(&table));
    if let Some(confirmation) = confirmation {
        let _ = writeln!(text, "{}", verdict(goal, confirmation));
        if confirmation.errors > 0 {
            let _ = writeln!(text, "{} of its runs ended with an error", confirmation.errors);
        }
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
    row.extend(of.values(&now.scores).into_iter().map(number));
    if let Some(all) = confirmed {
        let scores: Vec<_> = all.iter().map(|one| one.now).collect();
        row.extend(of.values(&scores).into_iter().map(number));
    }
    table.push(row);
    for (index, found) in of.found.iter().enumerate() {
        let mut row = vec![(index + 1).to_string()];
        row.extend(of.value_texts(found.index));
        row.extend(of.values(&of.search.evaluations[found.index].scores).into_iter().map(number));
        if let Some(all) = &found.confirmation {
            for (goal, one) in of.goals().zip(all) {
                let mark = match one.verdict {
                    Verdict::Better => " +",
                    Verdict::WithinSpread => " ~",
                    Verdict::NotBetter => " -",
                };
                row.push(format!("{}{mark}", number(value(goal, one.found))));
            }
        }
        table.push(row);
    }
    for row in &mut table {
        row.resize(width, String::new());
    }
    text.push_str(&columns(&table));
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
}

/// Says what a confirmation means.
fn verdict(goal: &Goal, of: &Confirmation) -> String {
    let better = if goal.is_lower_better() { "lower" } else { "higher" };
    let bounds = of.gain.map(|[least, most]| {
        format!(" by {} to {} (90 % of resampled seeds)", number(Some(least)), number(Some(most)))
    });
    match of.verdict {
        Verdict::Better if of.now.is_none() => {
            "confirmed: with other seeds the scenario as it is has runs with an error or without a value, \
             the values that were found have none"
                .to_owned()
        }
        Verdict::Better => {
            format!("confirmed: with other seeds it is {better}{}", bounds.unwrap_or_default())
        }
        Verdict::WithinSpread => match of.gain {
            Some([least, most]) => format!(
                "not confirmed: with other seeds it is {better}, but the gain is no larger than the spread between seeds: {} to {}",
                number(Some(least)),
                number(Some(most))
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

/// Writes a number with four digits.
fn number(of: Option<f64>) -> String {
    of.map_or_else(
        || "none".to_owned(),
        |x| {
            let rounded = format!("{x:.3e}").parse::<f64>().unwrap_or(x);
            rounded.to_string()
        },
    )
}

/// Writes rows of a table with aligned columns: the first to the left, the others to the right.
fn columns(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        for (index, field) in row.iter().enumerate() {
            let width = field.chars().count();
            match widths.get_mut(index) {
                Some(known) => *known = (*known).max(width),
                None => widths.push(width),
            }
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (index, field) in row.iter().enumerate() {
            let width = widths[index];
            let _ = match index {
                0 => write!(line, "{field:<width$}"),
                _ => write!(line, "  {field:>width$}"),
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
