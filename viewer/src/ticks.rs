//! Ticks of axes: round steps, their multiples, and the text beside them.

/// Maximum number of characters beside a tick: there is room for no more.
const MAX_TEXT: usize = 7;

/// Returns the smallest round step that is not below another one, which must be positive: 1, 2 or 5 times a power of 10. One that is not
/// finite stays as it is.
pub(crate) fn round_step(rough: f64) -> f64 {
    let power = power_of_ten(rough);
    let step = [1.0, 2.0, 5.0, 10.0].map(|of| of * power).into_iter().find(|&of| of >= rough);
    step.unwrap_or(rough)
}

/// Returns the next smaller step after a positive one: 5, 2.5, 2 or 1 times a power of 10.
pub(crate) fn smaller_step(step: f64) -> f64 {
    // Rounding must not make it the same one again.
    let most = 0.99 * step;
    let power = power_of_ten(most);
    let smaller = [5.0, 2.5, 2.0].map(|of| of * power).into_iter().find(|&of| of <= most);
    smaller.unwrap_or(power)
}

/// Returns the largest power of 10 that is not above a positive number.
fn power_of_ten(number: f64) -> f64 {
    let mut power = 1.0;
    while power > number {
        power /= 10.0;
    }
    while power * 10.0 <= number && number.is_finite() {
        power *= 10.0;
    }
    power
}

/// Returns the multiples of a step between two values.
pub(crate) fn multiples(step: f64, from: f64, to: f64) -> impl Iterator<Item = f64> {
    let first = (from / step).ceil() as i64;
    let last = (to / step + 1e-9).floor() as i64;
    (first..=last).map(move |index| index as f64 * step)
}

/// Returns a value as the text beside its tick, with as many decimals as the step has.
pub(crate) fn text(step: f64, value: f64) -> String {
    let (mut scaled, mut decimals) = (step, 0);
    while decimals < 6 && (scaled - scaled.round()).abs() > 1e-9 {
        scaled *= 10.0;
        decimals += 1;
    }
    let text = format!("{value:.decimals$}");
    // A value that is not zero has a tick at 0 only by rounding.
    match text.len() > MAX_TEXT && value.abs() > 0.5 * step {
        true => format!("{value:.1e}"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_multiples_of_the_step() {
        for (step, from, to, expected) in [
            (0.2, 0.0, 1.0, "0.0 0.2 0.4 0.6 0.8 1.0"),
            (5.0, -3.0, 12.0, "0 5 10"),
            (0.05, 0.1, 0.2, "0.10 0.15 0.20"),
            (2e-6, 0.0, 4e-6, "0.000000 2.0e-6 4.0e-6"),
            (2e8, 0.0, 4e8, "0 2.0e8 4.0e8"),
        ] {
            let all: Vec<_> = multiples(step, from, to).map(|value| text(step, value)).collect();
            assert_eq!(all.join(" "), expected);
        }
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(round_step(f64::INFINITY), f64::INFINITY);
        for (rough, step) in [(0.013, 0.02), (1.0, 1.0), (3.1, 5.0), (5.1, 10.0), (700.0, 1000.0)] {
            assert!((round_step(rough) - step).abs() < 1e-9 * step, "{rough}");
        }
        for (step, smaller) in [(1.0, 0.5), (0.5, 0.25), (0.25, 0.2), (20.0, 10.0), (10.0, 5.0)] {
            assert!((smaller_step(step) - smaller).abs() < 1e-9 * step, "{step}");
        }
    }
}
