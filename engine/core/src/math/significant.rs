//! Numbers as text for a person.

use super::Vec2;

/// Numbers below this are written with an exponent, since they would have too many zeros.
const SMALL: f64 = 1e-5;

/// Numbers from this on are written with an exponent, since they would have too many zeros.
const LARGE: f64 = 1e16;

/// Returns a number rounded to a number of significant digits, without trailing zeros. It has an exponent (`1.4e-45`)
/// only if it would have many zeros otherwise.
pub fn significant(number: f64, digits: usize) -> String {
    let rounded = format!("{number:.*e}", digits.saturating_sub(1));
    let Ok(rounded) = rounded.parse::<f64>() else {
        return rounded;
    };
    // People expect a zero without a sign.
    let rounded = rounded + 0.0;
    let size = rounded.abs();
    if (size > 0.0 && size < SMALL) || (size >= LARGE && size.is_finite()) {
        format!("{rounded:e}")
    } else {
        rounded.to_string()
    }
}

/// Returns a number with four significant digits.
pub fn short(x: f32) -> String {
    significant(f64::from(x), 4)
}

/// Returns a number that is compared with a limit: with four significant digits, or more if it would look equal to the limit otherwise.
pub fn short_beside(x: f32, limit: f32) -> String {
    let (exact, limit) = (f64::from(x), f64::from(limit));
    let differs = |text: &String| {
        text.parse().is_ok_and(|shown: f64| {
            // The limit is `0.9` in its file, and not exactly that in single precision.
            let shown = f64::from(shown as f32);
            shown.total_cmp(&limit) == exact.total_cmp(&limit)
        })
    };
    (4..9).map(|digits| significant(exact, digits)).find(differs).unwrap_or_else(|| x.to_string())
}

/// Returns a vector with four significant digits.
pub fn short_vector(v: Vec2) -> String {
    format!("({}, {})", short(v.x), short(v.y))
}

/// Returns a fraction as a percentage: `45 %`.
pub fn percent(fraction: f32) -> String {
    // People expect a zero without a sign.
    format!("{} %", (fraction * 100.0).round() + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_never_looks_equal_to_its_limit() {
        for (number, limit, text) in [
            (0.979_570_57, 1.0, "0.9796"),
            (0.899_96, 0.9, "0.89996"),
            (0.900_000_06, 0.9, "0.90000004"),
            (0.9, 0.9, "0.9"),
            (123.456_78, 100.0, "123.5"),
            (100.000_01, 100.0, "100.00001"),
            (3.0, 2.0, "3"),
            (f32::INFINITY, 1.0, "inf"),
            (f32::NAN, 1.0, "NaN"),
        ] {
            assert_eq!(short_beside(number, limit), text);
        }
    }

    #[test]
    fn numbers_are_rounded_to_significant_digits() {
        for (number, text) in [
            (1.0 / f64::from(0.05f32), "20"),
            (1.0 / f64::from(0.016_666_668_f32), "60"),
            (1.0 / 0.03, "33.3333"),
            (1e-3, "0.001"),
            (1_234_567.0, "1234570"),
            (0.0, "0"),
            (-0.0, "0"),
            (f64::INFINITY, "inf"),
            (1e-5, "0.00001"),
            (-9.876_543_21e-6, "-9.87654e-6"),
            (f64::from(f32::from_bits(1)), "1.4013e-45"),
            (1_234_567_890_123_456.0, "1234570000000000"),
            (f64::from(f32::MAX), "3.40282e38"),
        ] {
            assert_eq!(significant(number, 6), text);
        }
    }
}
