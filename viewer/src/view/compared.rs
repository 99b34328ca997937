//! What a comparison of two sets of params has found, as a table.

/// The table of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Compared {
    /// What the params are called that are compared with those of the person.
    pub(super) others: &'static str,
    /// The tick up to which runs are compared.
    pub(super) end: u64,
    /// The expectations, then the measures.
    pub(super) rows: Vec<ComparedRow>,
}

/// What a comparison has found about an expectation or a measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ComparedRow {
    pub(super) name: String,
    /// What it is in this run, with the params of the person and with the others.
    pub(super) here: Option<[String; 2]>,
    /// What it is in the runs with other random numbers, once they are complete.
    pub(super) over_runs: Option<OverRuns>,
}

/// What several runs say about an expectation or a measure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OverRuns {
    /// With the params of the person, and with the others.
    pub(super) values: [String; 2],
    /// The mean difference with its 95 % interval, unless both sides are the same in each run.
    pub(super) difference: Option<String>,
    /// Whether that interval has a difference of 0.
    pub(super) may_be_zero: bool,
    /// Whether the difference is more than chance, in words.
    pub(super) verdict: String,
    /// Whether it certainly is.
    pub(super) is_certain: bool,
}

impl ComparedRow {
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
        let is_certain =
            |row: &&ComparedRow| row.over_runs.as_ref().is_some_and(|of| of.is_certain);
        let certain: Vec<&str> =
            self.rows.iter().filter(is_certain).map(|row| row.name.as_str()).collect();
        match &certain[..] {
            [] => format!("compared with {others}: no difference is more than chance"),
            all => format!("compared with {others}, more than chance: {}", all.join(", ")),
        }
    }
}
