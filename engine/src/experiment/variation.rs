//! How a value of a scenario varies in a plan.

use std::ops::RangeInclusive;

use serde::Deserialize;

use super::DrawnRange;
use crate::diag::{Diagnostic, Diagnostics, Place};
use crate::number::{AtLeastOne, Finite, Positive};
use crate::scenario::{TemplateValue, WrittenValue, of_two_types};

/// The values that something takes in the runs of a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum Variation {
    /// Numbers from a range, with both ends.
    Range {
        /// The two ends. The first may be the larger one.
        ends: [f32; 2],
        /// Number of values at equal distances, at least 1; `None` for all numbers of the range.
        steps: Option<u32>,
        /// Whether equal ratios take the place of equal distances. Both ends are above 0 then.
        is_log: bool,
    },
    /// Integers, at equal distances from the first.
    Integers {
        /// The first and the largest possible one.
        range: RangeInclusive<i32>,
        /// The distance, at least 1.
        step: u32,
    },
    /// Numbers of a distribution.
    Drawn(DrawnRange),
    /// These values, at least one.
    List(Vec<TemplateValue>),
}

/// A [`Variation`] as it is written.
#[derive(Debug, Deserialize)]
#[serde(rename = "variation", deny_unknown_fields)]
pub(super) enum VariationSpec {
    Range {
        from: Finite,
        to: Finite,
        steps: Option<AtLeastOne>,
        #[serde(default)]
        log: bool,
    },
    Integers {
        from: i32,
        to: i32,
        step: Option<AtLeastOne>,
    },
    Normal {
        mean: Finite,
        deviation: Positive,
        within: Option<(Finite, Finite)>,
    },
    LogNormal {
        median: Positive,
        spread: Positive,
        within: Option<(Finite, Finite)>,
    },
    List(Vec<WrittenValue>),
}

impl VariationSpec {
    /// Checks the values.
    ///
    /// # Errors
    ///
    /// The reason why they are wrong.
    pub(super) fn check(&self) -> Result<Variation, &'static str> {
        match self {
            Self::Range { from, to, steps, log } => {
                if *log && (from.0 <= 0.0 || to.0 <= 0.0) {
                    return Err("with `log: true`, both ends must be above 0");
                }
                if from.0 == to.0 && steps.is_none_or(|steps| steps.get() > 1) {
                    return Err("the range is empty: `from` and `to` are the same");
                }
                let steps = steps.map(AtLeastOne::get_u32);
                Ok(Variation::Range { ends: [from.0, to.0], steps, is_log: *log })
            }
            Self::Integers { from, to, .. } if from > to => {
                Err("the range is empty: `from` is larger than `to`")
            }
            Self::Integers { from, to, step } => {
                let step = step.map_or(1, AtLeastOne::get_u32);
                Ok(Variation::Integers { range: *from..=*to, step })
            }
            Self::Normal { mean, deviation, within } => {
                let within = within.as_ref().map(|(low, high)| [low.0, high.0]);
                DrawnRange::normal(mean.0, deviation.0, within).map(Variation::Drawn)
            }
            Self::LogNormal { median, spread, within } => {
                let within = within.as_ref().map(|(low, high)| [low.0, high.0]);
                DrawnRange::log_normal(median.0, spread.0, within).map(Variation::Drawn)
            }
            Self::List(values) if values.is_empty() => Err("the list is empty: give it a value"),
            Self::List(values) => {
                let values =
                    values.iter().map(|WrittenValue(text)| TemplateValue::Text(text.clone()));
                Ok(Variation::List(values.collect()))
            }
        }
    }
}

/// Maximum number of values of a range with steps that are tried before the runs, without the last one.
const MAX_TRIED: u64 = 100;

/// A share of a range at which there is hardly an integer.
const GOLDEN_RATIO: f64 = 0.618_033_988_749_894_8;

impl Variation {
    /// Returns the number of values; `None` if there is no limit.
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::Range { steps, .. } => steps.map(u64::from),
            Self::Integers { range, step } => {
                let distance = i64::from(*range.end()) - i64::from(*range.start());
                Some(distance.unsigned_abs() / u64::from(*step) + 1)
            }
            Self::Drawn(_) => None,
            Self::List(values) => Some(values.len() as u64),
        }
    }

    /// Returns the least and the largest number; `None` for a list.
    pub(super) fn ends(&self) -> Option<[f32; 2]> {
        match self {
            Self::Range { ends: [a, b], .. } if a <= b => Some([*a, *b]),
            Self::Range { ends: [a, b], .. } => Some([*b, *a]),
            Self::Integers { range, .. } => Some([*range.start() as f32, *range.end() as f32]),
            Self::Drawn(drawn) => Some(drawn.ends()),
            Self::List(_) => None,
        }
    }

    /// Returns the values that show whether all of them fit: all of a list, the first ones and the last one of a range with
    /// steps, both ends of another one, and if it has all numbers, one between them that is hardly an integer.
    pub(super) fn telling(&self) -> Vec<TemplateValue> {
        match self {
            Self::Range { steps: Some(steps), .. } => {
                let last = u64::from(*steps).saturating_sub(1);
                (0..last.min(MAX_TRIED)).chain([last]).map(|index| self.value(index)).collect()
            }
            Self::Range { ends: [from, to], steps: None, .. } => {
                let between = TemplateValue::Number(self.inside(GOLDEN_RATIO));
                vec![TemplateValue::Number(*from), TemplateValue::Number(*to), between]
            }
            Self::Drawn(drawn) => {
                [0.0, 1.0, GOLDEN_RATIO].map(|part| TemplateValue::Number(drawn.at(part))).into()
            }
            Self::Integers { .. } => {
                let last = self.count().unwrap_or(1) - 1;
                [0, last].map(|index| self.value(index)).into()
            }
            Self::List(values) => values.clone(),
        }
    }

    /// Returns two values of a list that cannot be values of the same param, if the path is that of a param.
    pub(super) fn of_two_types(&self, path: &str) -> Option<[&str; 2]> {
        let names: Vec<&str> = path.split('.').collect();
        let is_param = matches!(names[..], [_, _] | ["groups", _, "params", _]);
        let Self::List(values) = self else { return None };
        let strings = values.iter().filter_map(|value| match value {
            TemplateValue::Text(text) => Some(text.as_str()),
            TemplateValue::Number(_) => None,
        });
        is_param.then(|| of_two_types(strings)).flatten()
    }

    /// Returns the value with an index below [`Variation::count`].
    pub fn value(&self, index: u64) -> TemplateValue {
        match self {
            Self::Range { steps, .. } => {
                let last = f64::from(steps.unwrap_or(1).saturating_sub(1));
                let part = if last > 0.0 { index as f64 / last } else { 0.0 };
                TemplateValue::Number(with_few_digits(self.inside(part)))
            }
            Self::Integers { range, step } => {
                let value = i64::from(*range.start()) + (index * u64::from(*step)) as i64;
                TemplateValue::Text(value.to_string())
            }
            // Only single values have indices.
            Self::Drawn(drawn) => TemplateValue::Number(drawn.at(0.5)),
            Self::List(values) => values[index as usize].clone(),
        }
    }

    /// Returns a value by a number from 0 to below 1: equal parts of that interval stand for equal shares of the values.
    pub fn at(&self, part: f64) -> TemplateValue {
        match self.count() {
            Some(count) => self.value(((part * count as f64) as u64).min(count - 1)),
            None => TemplateValue::Number(self.inside(part)),
        }
    }

    /// As [`Variation::at`], but a number from a range without steps has few digits: about a thousandth of the range, or four
    /// digits if equal ratios count.
    pub fn rounded_at(&self, part: f64) -> TemplateValue {
        let (from, to, is_log) = match self {
            Self::Range { ends: [from, to], steps: None, is_log } => (from, to, *is_log),
            _ => return self.at(part),
        };
        let number = f64::from(self.inside(part));
        let text = if is_log {
            format!("{number:.3e}")
        } else {
            let (mut digits, mut unit) = (0usize, 1.0);
            let finest = (f64::from(*to) - f64::from(*from)).abs() / 1000.0;
            while unit > finest && digits < 40 {
                digits += 1;
                unit /= 10.0;
            }
            format!("{number:.digits$}")
        };
        let (low, high) = if from < to { (*from, *to) } else { (*to, *from) };
        let rounded = text.parse().unwrap_or(low);
        TemplateValue::Number(if rounded < low {
            low
        } else if rounded > high {
            high
        } else {
            rounded
        })
    }

    /// Returns the part that represents a value, as it is written in a scenario; `None` if it is none of these values.
    pub fn part(&self, written: &str) -> Option<f64> {
        let middle = |index: f64, count: u64| (index + 0.5) / count as f64;
        let part = match self {
            Self::List(values) => {
                let index = values.iter().position(|value| value.to_string() == written)?;
                return Some(middle(index as f64, values.len() as u64));
            }
            Self::Drawn(drawn) => drawn.part(written.parse().ok()?),
            Self::Integers { range, step } => {
                let value: i32 = written.parse().ok()?;
                let distance = f64::from(value) - f64::from(*range.start());
                middle((distance / f64::from(*step)).round(), self.count()?)
            }
            Self::Range { ends: [from, to], steps, is_log } => {
                let (x, from, to) =
                    (written.parse::<f64>().ok()?, f64::from(*from), f64::from(*to));
                let part = if *is_log {
                    libm::log(x / from) / libm::log(to / from)
                } else {
                    (x - from) / (to - from)
                };
                match steps {
                    Some(1) => 0.5,
                    Some(steps) => middle((part * f64::from(steps - 1)).round(), (*steps).into()),
                    None => part,
                }
            }
        };
        (0.0..=1.0).contains(&part).then_some(part)
    }

    /// Returns the number at a part of the way through a range.
    fn inside(&self, part: f64) -> f32 {
        let (from, to, is_log) = match self {
            Self::Range { ends: [from, to], is_log, .. } => (from, to, is_log),
            Self::Drawn(drawn) => return drawn.at(part),
            Self::Integers { .. } | Self::List(_) => return 0.0,
        };
        let (from, to) = (f64::from(*from), f64::from(*to));
        // The ends are exact.
        if part == 0.0 {
            from as f32
        } else if part == 1.0 {
            to as f32
        } else if *is_log {
            (from * libm::pow(to / from, part)) as f32
        } else {
            (from + (to - from) * part) as f32
        }
    }
}

/// Returns the number with six digits if it is nearly that: 0.060000002 is 0.06.
fn with_few_digits(x: f32) -> f32 {
    let short: f32 = format!("{x:.5e}").parse().unwrap_or(x);
    let off = f64::from(short) - f64::from(x);
    if off.abs() <= 4e-7 * f64::from(x).abs() { short } else { x }
}

/// Returns the error of a value that does not fit where it is put, with the reasons.
pub(super) fn cannot_be(
    path: &str,
    place: &Place,
    value: &TemplateValue,
    why: &Diagnostics,
) -> Diagnostic {
    let wrong = Diagnostic::error(format!("`{path}` cannot be {value}"));
    let wrong = wrong.at(&place.source, place.span.clone());
    why.iter().fold(wrong, |wrong, error| {
        let wrong = wrong.help(error.message.clone());
        error.help.iter().fold(wrong, |wrong, help| wrong.help(help.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(of: &Variation) -> Vec<String> {
        (0..of.count().unwrap()).map(|index| of.value(index).to_string()).collect()
    }

    #[test]
    fn values_are_evenly_spread_with_both_ends() {
        let range = |ends, steps, is_log| Variation::Range { ends, steps: Some(steps), is_log };
        assert_eq!(strings(&range([0.0, 0.5], 6, false)), ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(strings(&range([3.0, 1.0], 3, false)), ["3", "2", "1"]);
        // Caught: 0.060000002.
        let fifths = ["0.02", "0.04", "0.06", "0.08", "0.1"];
        assert_eq!(strings(&range([0.02, 0.1], 5, false)), fifths);
        assert_eq!(strings(&range([0.0, 1.0], 4, false))[1], "0.33333334");
        assert_eq!(strings(&range([1.0, 100.0], 3, true)), ["1", "10", "100"]);
        assert_eq!(strings(&range([4.0, 9.0], 1, false)), ["4"]);
        assert_eq!(strings(&Variation::Integers { range: -1..=6, step: 3 }), ["-1", "2", "5"]);
        let list = Variation::List(vec![TemplateValue::Text("\"a\"".into())]);
        assert_eq!(strings(&list), ["\"a\""]);
    }

    #[test]
    fn parts_of_the_unit_interval_stand_for_values() {
        let integers = Variation::Integers { range: 1..=4, step: 1 };
        let found = [0.0, 0.24, 0.25, 0.99999].map(|part| integers.at(part).to_string());
        assert_eq!(found, ["1", "1", "2", "4"]);
        let range = Variation::Range { ends: [10.0, 20.0], steps: None, is_log: false };
        assert_eq!(range.at(0.25), TemplateValue::Number(12.5));
        let widest = Variation::Integers { range: i32::MIN..=i32::MAX, step: 1 };
        assert_eq!(widest.count(), Some(1 << 32));
        assert_eq!(widest.value((1 << 32) - 1).to_string(), i32::MAX.to_string());
    }

    #[test]
    fn rounded_numbers_have_few_digits_and_stay_inside() {
        let range = |ends, is_log| Variation::Range { ends, steps: None, is_log };
        for (of, part, text) in [
            (range([0.0, 2.0], false), 1.0 / 3.0, "0.667"),
            (range([0.0, 1.0], false), 0.12345, "0.123"),
            (range([40.0, 160.0], false), 0.123, "54.8"),
            (range([0.00123, 1.0], false), 0.0, "0.00123"),
            (range([5.0, -5.0], false), 0.25, "2.5"),
            (range([0.0, 50_000.0], false), 0.123_456, "6173"),
            (range([0.001, 1000.0], true), 0.1, "0.003981"),
        ] {
            assert_eq!(of.rounded_at(part).to_string(), text);
        }
        let steps = Variation::Range { ends: [0.0, 1.0], steps: Some(4), is_log: false };
        assert_eq!(steps.rounded_at(0.3), steps.value(1));
    }

    #[test]
    fn a_value_has_the_part_that_stands_for_it() {
        let list = ["\"a\"", "\"b\""].map(|text| TemplateValue::Text(text.into()));
        for of in [
            Variation::Range { ends: [3.0, -1.0], steps: None, is_log: false },
            Variation::Range { ends: [0.5, 64.0], steps: None, is_log: true },
            Variation::Range { ends: [3.0, 4.0], steps: Some(5), is_log: false },
            Variation::Integers { range: -3..=9, step: 2 },
            Variation::List(list.to_vec()),
        ] {
            for part in [0.0, 0.2, 0.5, 0.9] {
                let value = of.at(part);
                let found = of.part(&value.to_string()).unwrap();
                assert_eq!(of.at(found), value, "{of:?} {part}");
            }
            for other in ["100", "x", ""] {
                assert_eq!(of.part(other), None, "{of:?}");
            }
        }
    }
}
