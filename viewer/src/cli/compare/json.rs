//! A comparison as JSON.

use flockwork_engine::experiment::{Compare, ComparedRow, Comparison, DifferenceVerdict};
use serde_json::{Value, json};

use crate::cli::json_text;

/// Returns the comparison as a JSON object.
pub(super) fn json(labels: &[String; 2], compare: &Compare, of: &Comparison) -> String {
    let errors = |side: usize| -> Vec<Value> {
        let all = of.errors[side].iter();
        all.map(|(seed, error)| json!({ "seed": seed, "error": error })).collect()
    };
    let rows: Vec<Value> = of.rows.iter().map(row).collect();
    let all = json!({
        "a": labels[0],
        "b": labels[1],
        "seeds": of.seeds,
        "is_single_run": of.is_single_run,
        "rows": rows,
        "only_in": { "a": compare.only_in()[0], "b": compare.only_in()[1] },
        "errors": { "a": errors(0), "b": errors(1) },
    });
    json_text(&all)
}

fn row(row: &ComparedRow) -> Value {
    let verdict = match row.verdict {
        DifferenceVerdict::Same => "same",
        DifferenceVerdict::Different => "different",
        DifferenceVerdict::Unclear => "unclear",
        DifferenceVerdict::NotSeen => "not_seen",
        DifferenceVerdict::NoValues => "no_values",
    };
    let values = |side: usize| row.values.iter().map(|pair| pair[side]).collect::<Vec<_>>();
    let mut object = json!({
        "name": row.name,
        "kind": if row.is_expectation { "expectation" } else { "measure" },
        "unit": row.unit,
        "verdict": verdict,
        "values": { "a": values(0), "b": values(1) },
    });
    if let (Some(of), Value::Object(fields)) = (row.difference, &mut object) {
        let numbers = json!({
            "seeds": of.pairs,
            "a": of.means[0],
            "b": of.means[1],
            "difference": of.difference,
            "interval": of.interval,
            "effect": of.effect,
            "p": of.p,
            "adjusted_p": row.adjusted_p,
            "detectable": of.detectable,
            "higher": of.larger_smaller[0],
            "lower": of.larger_smaller[1],
        });
        if let Value::Object(numbers) = numbers {
            fields.extend(numbers);
        }
    }
    object
}
