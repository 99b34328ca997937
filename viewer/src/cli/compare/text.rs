//! A comparison as text for people.

use std::fmt;

use flockwork_engine::experiment::{
    Compare, ComparedRow, Comparison, DifferenceVerdict, PairedDifference,
};

use super::super::aligned::{aligned, short};

/// The number of seeds that are listed.
const MAX_SEEDS: usize = 40;

/// Why there are no intervals.
const SINGLE_RUN: &str = "the seed changes nothing: each version has a single run, so that nothing says how sure a difference is; vary the start to find out, for example a \
    param with `--a` and `--b`";

/// A comparison for people.
#[derive(Clone)]
pub(super) struct Report {
    /// What A and B are, and the seeds.
    pub(super) versions: Vec<String>,
    /// The names of the columns, and the rows.
    pub(super) table: Vec<Vec<String>>,
    /// What the table means.
    pub(super) sentences: Vec<String>,
}

/// The columns of the table.
const COLUMNS: [&str; 10] =
    ["", "A", "B", "B - A", "95 % interval", "effect", "p", "B higher", "B lower", ""];

impl Report {
    pub(super) fn new(labels: &[String; 2], compare: &Compare, of: &Comparison) -> Self {
        let count = of.seeds.len();
        let versions = vec![
            format!("A  {}", labels[0]),
            format!("B  {}", labels[1]),
            format!("{count} seeds, the same for both: {}", seeds(&of.seeds)),
        ];
        let mut table = vec![COLUMNS.map(String::from).to_vec()];
        // A measure that never differs is in a sentence below.
        let is_told =
            |row: &&ComparedRow| row.is_expectation || row.verdict > DifferenceVerdict::NoValues;
        table.extend(of.rows.iter().filter(is_told).map(|row| cells(row, of)));
        let mut sentences = summary(of);
        sentences.extend(of.rows.iter().filter_map(|row| exceptions(row, &of.seeds)));
        for (name, only) in ["A", "B"].iter().zip(compare.only_in()) {
            if !only.is_empty() {
                sentences.push(format!("only in {name}: {}", only.join(", ")));
            }
        }
        for (name, errors) in ["A", "B"].iter().zip(&of.errors) {
            if let Some((seed, error)) = errors.first() {
                let runs = if errors.len() == 1 { "run" } else { "runs" };
                sentences.push(format!(
                    "{} {runs} of {name} ended with an error, and these seeds do not count; the first, seed {seed}: {error}",
                    errors.len()
                ));
            }
        }
        Self { versions, table, sentences }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = |of: &[String]| of.iter().map(|line| format!("{line}\n")).collect::<String>();
        write!(f, "{}\n{}\n{}", lines(&self.versions), aligned(&self.table), lines(&self.sentences))
    }
}

fn cells(row: &ComparedRow, all: &Comparison) -> Vec<String> {
    let name = match row.unit {
        "" => row.name.clone(),
        unit => format!("{} ({unit})", row.name),
    };
    let Some(of) = row.difference else {
        return vec![name, "no values".to_owned()];
    };
    let mean = |side: usize| match row.is_expectation {
        true => format!("{} of {}", (of.means[side] * of.pairs as f64).round(), of.pairs),
        false => short(of.means[side]),
    };
    let verdict = match row.verdict {
        DifferenceVerdict::Same => Some("the same".to_owned()),
        DifferenceVerdict::Different => Some("different".to_owned()),
        DifferenceVerdict::Unclear => Some("perhaps chance".to_owned()),
        DifferenceVerdict::NotSeen | DifferenceVerdict::NoValues => None,
    };
    let seeds = all.seeds.len();
    let few = (of.pairs < seeds).then(|| format!("{} of {seeds} seeds have values", of.pairs));
    let remarks: Vec<String> = verdict.into_iter().chain(few).collect();
    let mut cells = vec![name, mean(0), mean(1)];
    if row.verdict == DifferenceVerdict::Same {
        cells.extend(["0", "", "", ""].map(String::from));
    } else if all.is_single_run {
        cells.push(short(of.difference));
        cells.extend(["", "", ""].map(String::from));
    } else {
        cells.push(short(of.difference));
        cells.push(format!("{} to {}", short(of.interval[0]), short(of.interval[1])));
        cells.push(
            of.effect.map_or_else(String::new, |effect| short((effect * 100.0).round() / 100.0)),
        );
        cells.push(probability(row.adjusted_p));
    }
    cells.extend(of.larger_smaller.map(|count| count.to_string()));
    cells.push(remarks.join(", "));
    cells
}

fn probability(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("{p:.4}") }
}

/// Says in sentences what the table means.
fn summary(of: &Comparison) -> Vec<String> {
    if of.rows.iter().all(|row| row.difference.is_none()) {
        return vec!["nothing was compared: no seed has values for both".to_owned()];
    }
    let is_same = |row: &ComparedRow| row.verdict <= DifferenceVerdict::NoValues;
    if of.rows.iter().all(is_same) {
        return vec!["A and B do the same for each seed".to_owned()];
    }
    let with = |verdict: DifferenceVerdict, name: &dyn Fn(&ComparedRow) -> String| {
        let rows = of.rows.iter().filter(|row| row.verdict == verdict);
        rows.map(name).collect::<Vec<_>>().join(", ")
    };
    let name = |row: &ComparedRow| row.name.clone();
    let with_size = |row: &ComparedRow| {
        let size = row.difference.map_or(0.0, |of: PairedDifference| of.detectable);
        format!("{} ({})", row.name, short(size))
    };
    let begins =
        |begin: &str, names: String| (!names.is_empty()).then(|| format!("{begin}{names}"));
    let mut sentences: Vec<String> =
        of.is_single_run.then(|| SINGLE_RUN.to_owned()).into_iter().collect();
    sentences.extend(begins("different: ", with(DifferenceVerdict::Different, &name)));
    sentences.extend(unclear(of));
    sentences.extend(begins(
        "no difference seen, and a larger one than that in brackets would probably have been seen: ",
        with(DifferenceVerdict::NotSeen, &with_size),
    ));
    sentences.extend(begins("the same for each seed: ", with(DifferenceVerdict::Same, &name)));
    sentences.extend(begins("no values: ", with(DifferenceVerdict::NoValues, &name)));
    sentences
}

/// Lists the rows that may differ, with why that is not certain.
fn unclear(of: &Comparison) -> Vec<String> {
    let mut by_words: Vec<(String, Vec<&str>)> = Vec::new();
    for row in of.rows.iter().filter(|row| row.verdict == DifferenceVerdict::Unclear) {
        let why = of.why_unclear(row).map_or_else(String::new, |why| format!(", {why}"));
        let words = format!("perhaps chance{why}");
        match by_words.iter_mut().find(|(known, _)| *known == words) {
            Some((_, names)) => names.push(&row.name),
            None => by_words.push((words, vec![&row.name])),
        }
    }
    let sentence = |(words, names): (String, Vec<&str>)| {
        format!("{words}; more seeds would tell: {}", names.join(", "))
    };
    by_words.into_iter().map(sentence).collect()
}

/// Says for which seeds a row does not differ as the others do.
fn exceptions(row: &ComparedRow, all: &[u64]) -> Option<String> {
    let difference = row.difference?.difference;
    if row.verdict < DifferenceVerdict::Unclear {
        return None;
    }
    let others = all.iter().zip(&row.values).filter(|(_, [a, b])| {
        let change = a.zip(*b).map(|(a, b)| b - a);
        change.is_some_and(|change| match row.is_expectation {
            // Where it holds in both or in none is no exception.
            true => change * difference < 0.0,
            false => change * difference <= 0.0,
        })
    });
    let others: Vec<u64> = others.map(|(seed, _)| *seed).collect();
    let but = match (row.is_expectation, difference > 0.0) {
        (true, true) => "holds only in A",
        (true, false) => "holds only in B",
        (false, true) => "is not higher in B",
        (false, false) => "is not lower in B",
    };
    let s = if others.len() == 1 { "" } else { "s" };
    (!others.is_empty()).then(|| format!("{} {but} for the seed{s} {}", row.name, seeds(&others)))
}

/// Lists seeds; one after another without a gap by their ends.
fn seeds(all: &[u64]) -> String {
    let is_row = all.windows(2).all(|pair| pair[1] == pair[0] + 1);
    match all {
        [first, .., last] if is_row && all.len() > 2 => format!("{first} to {last}"),
        _ if all.len() > MAX_SEEDS => {
            let some: Vec<String> = all[..MAX_SEEDS].iter().map(u64::to_string).collect();
            format!("{} and {} more", some.join(", "), all.len() - MAX_SEEDS)
        }
        _ => all.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
    }
}
