//! Numbers as a person reads them.

/// A number rounded to so many significant digits, without trailing zeros or an exponent.
pub fn significant(number: f64, digits: usize) -> String {
    let rounded = format!("{number:.*e}", digits.saturating_sub(1));
    rounded
        .parse::<f64>()
        .map_or(rounded, |number| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_significant_digits() {
        for (number, text) in [
            (1.0 / f64::from(0.05f32), "20"),
            (1.0 / f64::from(0.016_666_668_f32), "60"),
            (1.0 / 0.03, "33.3333"),
            (1e-3, "0.001"),
            (1_234_567.0, "1234570"),
            (0.0, "0"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(significant(number, 6), text);
        }
    }
}
