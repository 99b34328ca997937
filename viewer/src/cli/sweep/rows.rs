//! The tables of a sweep: their names and columns, and a row for each run.

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::{Expectations, Sample, Sweep, SweptRun, Variation};
use flockwork_engine::load::FileKind;

use crate::cli::typed_table::{ColumnType, TypedColumn, column_of};

/// The table of runs.
pub(super) const RUNS: &str = "runs.csv";
/// The table of measures over time.
pub(super) const SERIES: &str = "series.csv";

/// The tables.
pub(super) const TABLE_KIND: FileKind = FileKind {
    name: "a table of a sweep",
    beginnings: &[&[b"run,"]],
    ending: b"",
    max_bytes: u64::MAX,
};

/// The beginning of the names of columns that say whether an expectation holds.
pub(super) const HOLDS: &str = "holds.";

/// The beginning of the names of columns that say how far an expectation is from failing.
pub(super) const MARGIN: &str = "margin.";

/// Returns the columns of the table of runs.
pub(super) fn run_columns(sweep: &Sweep) -> Vec<TypedColumn> {
    let of = |name: &str, of| (name.to_owned(), of);
    let mut columns = vec![of("run", ColumnType::Integer), of("point", ColumnType::Integer)];
    let vary = sweep.plan().vary.iter();
    columns.extend(vary.map(|(path, _, variation)| (path.clone(), type_of(variation))));
    columns.push(of("seed", ColumnType::Natural));
    columns.push(of("tick", ColumnType::Integer));
    columns.push(of("state_hash", ColumnType::String));
    columns.extend(sweep.trials().measures().iter().map(column_of));
    let before: &[_] = match sweep.trials().records() {
        Expectations::Margins => &[(HOLDS, ColumnType::Boolean), (MARGIN, ColumnType::Double)],
        Expectations::Holds => &[(HOLDS, ColumnType::Boolean)],
        Expectations::Ignore => &[],
    };
    for (before, of) in before {
        for (number, expectation) in sweep.trials().expectations().iter().enumerate() {
            let kind = expectation.split('(').next().unwrap_or_default();
            columns.push((format!("{before}{}.{kind}", number + 1), *of));
        }
    }
    columns.push(of("error", ColumnType::String));
    columns
}

/// Returns the columns of the table of measures over time. A column of the same name in the table of runs has the same type.
pub(super) fn series_columns(sweep: &Sweep) -> Vec<TypedColumn> {
    let mut columns = ["run", "tick"].map(|name| (name.to_owned(), ColumnType::Integer)).to_vec();
    columns.extend(sweep.trials().measures().iter().map(column_of));
    columns
}

/// Returns the type of the values that something takes.
fn type_of(variation: &Variation) -> ColumnType {
    let strings = match variation {
        Variation::Range { .. } => return ColumnType::Double,
        Variation::Integers { .. } => return ColumnType::Integer,
        Variation::List(values) => values.iter().map(ToString::to_string).collect::<Vec<_>>(),
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

/// Returns the row of a run.
pub(super) fn run_row(run: &SweptRun, columns: usize) -> Vec<String> {
    let outcome = &run.outcome;
    let mut row = vec![run.number.to_string(), run.point.to_string()];
    row.extend(run.values.iter().map(ToString::to_string));
    row.push(run.seed.to_string());
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

/// Returns a row of the table of measures over time.
pub(super) fn series_row(run: u64, sample: &Sample) -> Vec<String> {
    let mut row = vec![run.to_string(), sample.tick.to_string()];
    row.extend(sample.measures.iter().map(|measure| number(*measure)));
    row
}

/// Writes a number so that it reads back to the same bits; nothing if there is none.
fn number(of: Option<f32>) -> String {
    of.map_or_else(String::new, |x| x.to_string())
}

/// Appends a row as a line of comma-separated values. A row never contains a line break, so each line is a row.
pub(super) fn add_line(text: &mut Vec<u8>, row: &[String]) -> Result<(), Diagnostic> {
    let mut writer = csv::Writer::from_writer(text);
    let row = row.iter().map(|field| field.replace(['\n', '\r'], " "));
    let written = writer.write_record(row).and_then(|()| writer.flush().map_err(csv::Error::from));
    written.map_err(|error| Diagnostic::error(format!("cannot write a row: {error}")))
}
