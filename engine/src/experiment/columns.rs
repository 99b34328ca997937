//! The tables of a sweep: their columns, the type of each, and the cells of each row.

use std::collections::BTreeMap;

use super::{Expectations, Sample, Sweep, SweptRun, Variation, When};
use crate::scenario::TemplateValue;
use crate::trace::MeasureOf;

/// The type of the values in a column. Each value may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnType {
    /// Integers with 64 bits.
    Integer,
    /// Integers from 0, with 64 bits.
    Natural,
    /// Numbers in double precision.
    Double,
    /// `true` or `false`.
    Boolean,
    /// Text.
    String,
}

/// A column: its name and its type.
pub type TypedColumn = (String, ColumnType);

/// The beginning of the names of columns that say whether an expectation holds.
pub const HOLDS: &str = "holds.";

/// The beginning of the names of columns that say how far an expectation is from failing.
pub const MARGIN: &str = "margin.";

/// Returns the column of a measure.
pub fn column_of(measure: &MeasureOf) -> TypedColumn {
    let of = if measure.is_count() { ColumnType::Integer } else { ColumnType::Double };
    (measure.name().to_owned(), of)
}

impl Sweep {
    /// Returns the columns of the table of runs: the number of the run and of its point, its values, its seed, its last tick, the hash
    /// of its state, its measures, what is recorded of its expectations, and its error.
    pub fn run_columns(&self) -> Vec<TypedColumn> {
        let of = |name: &str, of| (name.to_owned(), of);
        let mut columns = vec![of("run", ColumnType::Integer), of("point", ColumnType::Integer)];
        let vary = self.plan().vary.iter();
        columns.extend(vary.map(|(path, _, variation)| (path.clone(), variation.column_type())));
        columns.push(of("seed", ColumnType::Natural));
        columns.push(of("tick", ColumnType::Integer));
        columns.push(of("state_hash", ColumnType::String));
        columns.extend(self.trials().recorded().map(|(name, measure, when)| match when {
            When::Mean(..) => of(name, ColumnType::Double),
            When::End | When::At(_) => of(name, column_of(measure).1),
        }));
        let before: &[_] = match self.trials().records() {
            Expectations::Margins => &[(HOLDS, ColumnType::Boolean), (MARGIN, ColumnType::Double)],
            Expectations::Holds => &[(HOLDS, ColumnType::Boolean)],
            Expectations::Ignore => &[],
        };
        for (before, of) in before {
            let all = self.trials().expectations();
            let name =
                |(number, text): (usize, &String)| (expectation_column(before, number, text), *of);
            columns.extend(all.iter().enumerate().map(name));
        }
        columns.push(of("error", ColumnType::String));
        columns
    }

    /// Returns the units of measures and margins, by the names of their columns. What has no unit is not there.
    pub fn units(&self) -> BTreeMap<String, String> {
        let measures = self.trials().recorded().map(|(name, of, _)| (name.to_owned(), of.unit()));
        let margins = self.trials().units_of_margins().into_iter().enumerate();
        let margins =
            margins.map(|(number, (text, unit))| (expectation_column(MARGIN, number, &text), unit));
        let with_unit = measures.chain(margins).filter(|(_, unit)| !unit.is_empty());
        with_unit.map(|(name, unit)| (name, unit.to_owned())).collect()
    }

    /// Returns the columns of the table of measures over time: run, tick and measures. A column of the same name in the table of
    /// runs has the same type.
    pub fn series_columns(&self) -> Vec<TypedColumn> {
        let mut columns =
            ["run", "tick"].map(|name| (name.to_owned(), ColumnType::Integer)).to_vec();
        columns.extend(self.trials().measures().iter().map(column_of));
        columns
    }
}

/// Returns the name of a column about an expectation, whose index is among those that are recorded.
fn expectation_column(before: &str, index: usize, text: &str) -> String {
    let kind = text.split('(').next().unwrap_or_default();
    format!("{before}{}.{kind}", index + 1)
}

impl SweptRun {
    /// Returns the cells of its row in the table of runs, which has so many columns. Numbers read back to the same bits; what there is
    /// none of is empty.
    pub fn cells(&self, columns: usize) -> Vec<String> {
        let outcome = &self.outcome;
        let mut row = vec![self.number.to_string(), self.point.to_string()];
        row.extend(self.values.iter().map(TemplateValue::content));
        row.push(self.seed.to_string());
        if outcome.error.is_none() {
            row.extend([outcome.tick.to_string(), format!("{:016x}", outcome.state_hash)]);
            row.extend(outcome.measures.iter().map(|measure| number(*measure)));
            row.extend(outcome.holds.iter().map(ToString::to_string));
            row.extend(outcome.margins.iter().map(|margin| number(margin.value)));
        }
        row.resize(columns - 1, String::new());
        row.push(outcome.error.clone().unwrap_or_default());
        row
    }
}

impl Sample {
    /// Returns the cells of its row in the table of measures over time, by the number of its run.
    pub fn cells(&self, run: u64) -> Vec<String> {
        let mut row = vec![run.to_string(), self.tick.to_string()];
        row.extend(self.measures.iter().map(|measure| number(*measure)));
        row
    }
}

fn number(of: Option<f32>) -> String {
    of.map_or_else(String::new, |x| x.to_string())
}

impl Variation {
    /// Returns the type of the values.
    pub fn column_type(&self) -> ColumnType {
        let strings = match self {
            Self::Range { .. } | Self::Drawn(_) => return ColumnType::Double,
            Self::Integers { .. } => return ColumnType::Integer,
            Self::List(values) => values.iter().map(ToString::to_string).collect::<Vec<_>>(),
        };
        if strings.iter().all(|text| text.parse::<bool>().is_ok()) {
            ColumnType::Boolean
        } else if strings.iter().all(|text| text.parse::<i64>().is_ok()) {
            ColumnType::Integer
        } else if strings.iter().all(|text| text.parse::<f64>().is_ok()) {
            ColumnType::Double
        } else {
            ColumnType::String
        }
    }
}
