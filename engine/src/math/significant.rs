//! Numbers as a person reads them.

use super::Vec2;

/// A number rounded to so many significant digits, without trailing zeros or an exponent.
pub fn significant(number: f64, digits: usize) -> String {
    let rounded = format!("{number:.*e}", digits.saturating_sub(1));
    rounded
        .parse::<f64>()
        .map_or(rounded, |number| number.to_string())
}

/// A number in the few digits that are enough for a person.
pub fn short(x: f32) -> String {
    significant(f64::from(x), 4)
}

/// A vector in such numbers.
pub fn short_vector(v: Vec2) -> String {
    format!("({}, {})", short(v.x), short(v.y))
}

/// A part of a whole.
pub fn percent(part: f32) -> String {
    // A zero has no sign for a person.
    format!("{} %", (part * 100.0).round() + 0.0)
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
