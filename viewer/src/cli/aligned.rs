//! Tables for people.

/// Writes rows of a table with aligned columns: the first to the left, the others to the right. Columns that are empty are left out.
pub(super) fn aligned(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, field) in widths.iter_mut().zip(row) {
            *width = (*width).max(field.chars().count());
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (index, (field, &width)) in row.iter().zip(&widths).enumerate() {
            match (index, width) {
                (_, 0) => {}
                (0, _) => line.push_str(&format!("{field:<width$}")),
                _ => line.push_str(&format!("  {field:>width$}")),
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Writes a number with four digits.
pub(super) fn short(x: f64) -> String {
    let rounded = format!("{x:.3e}").parse::<f64>().unwrap_or(x);
    // A negative zero has a sign.
    (if rounded == 0.0 { 0.0 } else { rounded }).to_string()
}

/// Writes a number with four digits, or that there is none.
pub(super) fn short_or_none(of: Option<f64>) -> String {
    of.map_or_else(|| "none".to_owned(), short)
}
