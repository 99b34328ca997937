//! What a comparison of two sets of params has found, as a table.

use flockwork_engine::live::COUNT;
use flockwork_engine::math::significant;
use flockwork_engine::world::Values;

/// The table of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Compared {
    /// What the params are called that are compared with those of the person.
    pub(super) others: &'static str,
    /// The tick up to which runs are compared.
    pub(super) end: u64,
    /// With what the second run began.
    pub(super) own: ComparedSetup,
    /// Those that differ first.
    pub(super) rows: Vec<ComparedRow>,
}

/// With what the second run of a comparison began, which the person has set.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ComparedSetup {
    /// The params of each group.
    pub(super) params: Vec<Values>,
    pub(super) seed: u64,
    /// The names of the rows that differ because the person has changed numbers of agents.
    pub(super) set_rows: Vec<String>,
}

/// What a comparison has found about an expectation or a measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ComparedRow {
    pub(super) name: String,
    /// Whether this is the number of agents of a group.
    pub(super) is_count: bool,
    /// What it is in this run, with the params of the person and with the others.
    pub(super) here: Option<[String; 2]>,
    /// What it is in the run with the others, as long as the one with the params of the person is not complete.
    pub(super) other_here: Option<String>,
    /// What it is in the runs with other random numbers, once they are complete.
    pub(super) over_runs: Option<OverRuns>,
}

/// What several runs say about an expectation or a measure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OverRuns {
    /// With the params of the person, and with the others.
    pub(super) values: [String; 2],
    /// The mean difference, and its 95 % interval, unless both sides are the same in each run.
    pub(super) difference: Option<[String; 2]>,
    /// The mean difference as a share of the larger mean.
    pub(super) share: f64,
    /// Whether that interval has a difference of 0, or the values are the same in the digits that are shown.
    pub(super) may_be_zero: bool,
    /// Whether the difference is more than chance, in words behind a sign.
    pub(super) verdict: String,
    /// Why the difference may be chance although its interval has no 0, in words.
    pub(super) why_unclear: Option<String>,
    /// Whether it certainly is.
    pub(super) is_certain: bool,
    /// Whether it is good that they differ, if that is certain: `None` for a measure, since nobody knows which values of it are good.
    pub(super) is_better: Option<bool>,
    /// Whether this is an expectation, and no measure.
    pub(super) is_expectation: bool,
}

/// Returns a number as the table has it: with three significant digits.
pub(super) fn number_text(number: f64) -> String {
    significant(number, 3)
}

impl ComparedRow {
    /// Returns whether the two sides may be the same: over the other runs, or in this one if there are no others.
    pub(super) fn is_pale(&self) -> bool {
        match (&self.over_runs, &self.here) {
            (Some(of), _) => of.may_be_zero,
            (None, Some([own, other])) => own == other,
            (None, None) => false,
        }
    }

    /// Returns whether the two sides differ in this run, or for certain in the others.
    pub(super) fn differs(&self) -> bool {
        self.here.as_ref().is_some_and(|[own, other]| own != other)
            || self.over_runs.as_ref().is_some_and(|of| of.is_certain)
    }
}

impl Compared {
    /// The number of runs with other random numbers, for each set of params.
    pub(super) const RUNS: u64 = 10;

    /// Returns the row with a name, which is added if there is none.
    pub(super) fn row(&mut self, name: &str) -> &mut ComparedRow {
        let known = self.rows.iter().position(|row| row.name == name);
        let index = known.unwrap_or_else(|| {
            self.rows.push(ComparedRow { name: name.to_owned(), ..ComparedRow::default() });
            self.rows.len() - 1
        });
        &mut self.rows[index]
    }

    /// Moves the rows that differ up, but not what the person has set: the numbers of agents, then the expectations, then the measures, each
    /// with the largest differences first. Moves those that are pale down.
    pub(super) fn sort(&mut self) {
        let set_rows = &self.own.set_rows;
        self.rows.sort_by(|a, b| {
            let rank = |row: &ComparedRow| match &row.over_runs {
                Some(of) => (
                    row.is_pale() || set_rows.contains(&row.name),
                    !row.is_count,
                    !of.is_expectation,
                    !of.is_certain,
                ),
                None => (row.is_pale(), !row.is_count, false, true),
            };
            let share = |row: &ComparedRow| row.over_runs.as_ref().map_or(0.0, |of| of.share);
            rank(a).cmp(&rank(b)).then_with(|| share(b).total_cmp(&share(a)))
        });
    }

    /// Returns whether a row differs because the person has changed numbers of agents.
    pub(super) fn is_set(&self, row: &ComparedRow) -> bool {
        self.own.set_rows.contains(&row.name)
    }

    /// Returns what is not as in the comparison, in words, if something is: the seed or a param. `params` are those of each group.
    pub(super) fn changed(&self, seed: u64, params: &[Values]) -> Option<String> {
        if seed != self.own.seed {
            return Some("the seed".to_owned());
        }
        let mut groups = self.own.params.iter().zip(params);
        groups.find_map(|(own, now)| {
            let mut changed = now.iter().filter(|(name, value)| own.get(name) != Some(value));
            changed.next().map(
                |(name, _)| if name == COUNT { format!("the {name}") } else { name.to_owned() },
            )
        })
    }

    /// Returns whether the runs with other random numbers are complete.
    pub(super) fn has_runs(&self) -> bool {
        self.rows.iter().any(|row| row.over_runs.is_some())
    }

    /// Returns what is found, in a sentence.
    pub(super) fn words(&self) -> String {
        let others = self.others;
        if !self.has_runs() {
            return format!(
                "compared up to tick {}: the table has your params beside {others}",
                self.end
            );
        }
        let is_certain = |row: &&ComparedRow| {
            !self.is_set(row) && row.over_runs.as_ref().is_some_and(|of| of.is_certain)
        };
        let certain: Vec<&str> =
            self.rows.iter().filter(is_certain).map(|row| row.name.as_str()).collect();
        match &certain[..] {
            [] => format!("compared with {others}: no difference is more than chance"),
            all => format!("compared with {others}, more than chance: {}", all.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pale rows were above those that one looks for.
    #[test]
    fn rows_that_differ_are_first_and_pale_ones_last() {
        let row = |name: &str, is_expectation, is_certain, share, may_be_zero| ComparedRow {
            name: name.to_owned(),
            is_count: name.starts_with("agents"),
            over_runs: Some(OverRuns {
                values: Default::default(),
                difference: None,
                share,
                may_be_zero,
                verdict: String::new(),
                why_unclear: None,
                is_certain,
                is_better: None,
                is_expectation,
            }),
            ..ComparedRow::default()
        };
        let only_here = |name: &str, values: [&str; 2]| ComparedRow {
            name: name.to_owned(),
            here: Some(values.map(str::to_owned)),
            ..ComparedRow::default()
        };
        let rows = vec![
            row("same", true, false, 0.0, true),
            row("some", false, true, 0.1, false),
            only_here("margin", ["1", "2"]),
            only_here("margin that is the same", ["1", "1"]),
            row("perhaps", false, false, 0.9, false),
            row("fails", true, true, 0.2, false),
            row("most", false, true, 0.5, false),
            row("agents of sheep", false, true, 0.1, false),
        ];
        // Caught: the first row said only what the person had set.
        let set = row("agents of wolves", false, true, 0.1, false);
        let set_rows = vec![set.name.clone()];
        let rows = rows.into_iter().chain([set]).collect();
        let mut table = Compared {
            others: "",
            end: 0,
            own: ComparedSetup { set_rows, ..ComparedSetup::default() },
            rows,
        };
        table.sort();
        let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
        let wanted = [
            "agents of sheep",
            "fails",
            "margin",
            "most",
            "some",
            "perhaps",
            "agents of wolves",
            "same",
            "margin that is the same",
        ];
        assert_eq!(names, wanted);
        assert!(!table.words().contains("wolves"), "{}", table.words());
    }
}
