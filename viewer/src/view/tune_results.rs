//! The results of a tune, to look at one after the other.

use std::sync::Arc;

use flockwork_engine::scenario::TemplateValue;

/// The results of a tune, in the order in which they are shown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TuneResults {
    /// Paths of the values in the scenario.
    pub names: Vec<String>,
    /// The measures that were to become high or low.
    pub goals: Vec<String>,
    /// At least one.
    pub rows: Vec<TuneResult>,
}

/// Values that a tune has tried.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TuneResult {
    /// The number of the try; 0 is the scenario as it is.
    pub evaluation: u64,
    /// In the order of the paths.
    pub values: Vec<TemplateValue>,
    /// For each goal; `None` if a run had no value.
    pub goals: Vec<Option<f64>>,
    /// The number of runs that ended with an error.
    pub errors: u64,
    /// Whether no other try was better for all goals.
    pub is_best: bool,
}

/// The result that is shown.
#[derive(Clone, Debug)]
pub(crate) struct ShownResult {
    pub results: Arc<TuneResults>,
    /// The index of its row.
    pub index: usize,
}

impl TuneResult {
    /// Returns a few words about how good it is.
    pub(super) fn what(&self, results: &TuneResults) -> String {
        let name = match self.evaluation {
            0 => "the scenario as it is".to_owned(),
            number => format!("try {number}"),
        };
        match (self.is_best, results.goals.len()) {
            (false, _) => name,
            (true, 1) => format!("{name}: the best"),
            (true, _) => format!("{name}: no other is better in all goals"),
        }
    }
}

impl TuneResults {
    /// Returns the values of a row with their paths. The scenario as it is has none.
    pub(crate) fn values(&self, index: usize) -> Vec<(String, TemplateValue)> {
        let row = &self.rows[index];
        if row.evaluation == 0 {
            return Vec::new();
        }
        self.names.iter().cloned().zip(row.values.iter().cloned()).collect()
    }
}

/// Returns the part of a path that distinguishes it from others: `groups.birds.params.center` is `birds.center`.
pub(super) fn short_name(path: &str) -> String {
    path.strip_prefix("groups.").unwrap_or(path).replacen(".params.", ".", 1)
}
