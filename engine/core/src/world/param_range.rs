//! The numbers that a slider for a param goes through. No run reads it.

use crate::math;

/// The numbers that a slider for a param goes through, from one end to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamRange {
    /// The number at one end.
    pub min: f32,
    /// The number at the other end; it is greater.
    pub max: f32,
    /// Whether equal distances are equal factors. Then `min` is positive.
    pub is_log: bool,
    /// Whether the param is an integer.
    pub is_integer: bool,
}

impl ParamRange {
    /// Number of steps from one end to the other, about.
    const STEPS: f64 = 200.0;

    /// Returns a range that suits a number: from 0 to about twice the number, so that a slider goes both ways.
    pub fn guess(number: f32, is_integer: bool) -> Self {
        let size = f64::from(number.abs());
        let width = match (size == 0.0, is_integer) {
            (true, true) => 10.0,
            (true, false) => 1.0,
            _ => round_up(2.0 * size, &WIDTHS),
        };
        let width = math::min(width as f32, f32::MAX);
        let has_negative = number < 0.0 || (number == 0.0 && !is_integer);
        Self {
            min: if has_negative { -width } else { 0.0 },
            max: if number < 0.0 { 0.0 } else { width },
            is_log: false,
            is_integer,
        }
    }

    /// Returns the smallest range that has this one and a number in it. A negative number or 0 is never in a logarithmic range.
    #[must_use]
    pub fn including(self, number: f32) -> Self {
        if self.is_log && number <= 0.0 {
            return self;
        }
        Self { min: math::min(self.min, number), max: math::max(self.max, number), ..self }
    }

    /// Returns the distance between two numbers of a range that is not logarithmic: 1, 2 or 5 times a power of ten.
    pub fn step(self) -> f64 {
        if self.is_integer {
            return 1.0;
        }
        // Rounding must not make the step of a range of 200 steps larger.
        round_up((f64::from(self.max) - f64::from(self.min)) / Self::STEPS * 0.999, &STEPS)
    }

    /// Returns where a number is, from 0 to 1.
    pub fn share_of(self, number: f32) -> f32 {
        let [min, max, number] =
            [self.min, self.max, number].map(|x| if self.is_log { log(x) } else { f64::from(x) });
        let share = (number - min) / (max - min);
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) as f32 }
    }

    /// Returns the number at a place from 0 to 1, as text with few digits.
    pub fn text_at(self, share: f32) -> String {
        let (min, max, share) = (f64::from(self.min), f64::from(self.max), f64::from(share));
        if self.is_log {
            let number = min * f64::from(math::pow((max / min) as f32, share as f32));
            let number = if self.is_integer { number.round() } else { three_digits(number) };
            return text(number, self.is_integer);
        }
        let step = self.step();
        let number = min + share.clamp(0.0, 1.0) * (max - min);
        // From the decimal form of the step, so that the number is as short.
        let digits = format!("{step:e}");
        let (digit, power) = digits.split_once('e').unwrap_or((&digits, "0"));
        let count = (number / step).round() * digit.parse().unwrap_or(1.0);
        let number: f64 = format!("{count}e{power}").parse().unwrap_or(number);
        text(number.clamp(min, max), self.is_integer)
    }
}

/// The factors of powers of ten that are widths of guessed ranges, and that are steps.
const WIDTHS: [f64; 9] = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];
const STEPS: [f64; 3] = [1.0, 2.0, 5.0];

/// Returns the smallest of some factors of a power of ten that is at least a positive number.
fn round_up(number: f64, factors: &[f64]) -> f64 {
    let text = format!("{number:e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let digits: f64 = digits.parse().unwrap_or(1.0);
    let factor = factors.iter().find(|factor| **factor >= digits * (1.0 - 1e-9));
    format!("{}e{power}", factor.unwrap_or(&10.0)).parse().unwrap_or(number)
}

fn log(number: f32) -> f64 {
    f64::from(math::ln(number))
}

fn three_digits(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

/// Returns a number as a scenario has it: a float has a point.
fn text(number: f64, is_integer: bool) -> String {
    if is_integer { format!("{number:.0}") } else { format!("{:?}", number as f32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guessed_range_goes_both_ways() {
        for (number, is_integer, min, max) in [
            (80.0, false, 0.0, 200.0),
            (1.2, false, 0.0, 2.5),
            (0.02, false, 0.0, 0.04),
            (-3.0, false, -6.0, 0.0),
            (0.0, false, -1.0, 1.0),
            (0.0, true, 0.0, 10.0),
            (7.0, true, 0.0, 15.0),
            (-7.0, true, -15.0, 0.0),
            (f32::MAX, false, 0.0, f32::MAX),
        ] {
            let range = ParamRange::guess(number, is_integer);
            assert_eq!((range.min, range.max), (min, max), "{number}");
            let back: f32 = range.text_at(range.share_of(number)).parse().unwrap();
            assert!((back - number).abs() <= range.step() as f32, "{number}: {back}");
        }
    }

    #[test]
    fn numbers_at_places_are_short() {
        let range = |min, max| ParamRange { min, max, is_log: false, is_integer: false };
        let fear = range(0.0, 200.0);
        let at = |share| fear.text_at(share);
        assert_eq!([at(0.0), at(0.333), at(0.5), at(1.0)], ["0.0", "67.0", "100.0", "200.0"]);
        assert_eq!(range(0.0, 1.0).text_at(0.123), "0.125");
        assert_eq!(range(-0.3, 0.3).text_at(0.49), "-0.005");
        let factor = ParamRange { is_log: true, ..range(0.01, 100.0) };
        let at = |share| factor.text_at(share);
        assert_eq!([at(0.0), at(0.25), at(0.6), at(1.0)], ["0.01", "0.1", "2.51", "100.0"]);
        assert!((factor.share_of(1.0) - 0.5).abs() < 1e-6);
        assert_eq!((factor.share_of(0.0), factor.share_of(1e9)), (0.0, 1.0));
        let count = ParamRange { is_integer: true, ..range(0.0, 20.0) };
        assert_eq!(count.text_at(0.33), "7");
        assert_eq!(fear.including(230.0).max, 230.0);
        assert_eq!(factor.including(-1.0), factor);
    }
}
