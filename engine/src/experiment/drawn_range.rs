//! Numbers of a range that are more likely in its middle: normal and log-normal distributions, cut off at the ends of the range.

/// A normal distribution of numbers, or of their logarithms, between two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnRange {
    /// The mean of the numbers or of their logarithms.
    mean: f64,
    /// The standard deviation of the numbers or of their logarithms.
    deviation: f64,
    ends: [f32; 2],
    is_log: bool,
}

/// Without ends, numbers are within so many standard deviations.
const DEVIATIONS: f64 = 4.0;

/// Number of times that the interval around a number is halved: more than its digits.
const HALVINGS: u32 = 60;

impl DrawnRange {
    /// A normal distribution.
    ///
    /// # Errors
    ///
    /// The reason why the ends are wrong.
    pub(super) fn normal(
        mean: f32,
        deviation: f32,
        within: Option<[f32; 2]>,
    ) -> Result<Self, &'static str> {
        Self::new(mean.into(), deviation.into(), within, false)
    }

    /// A distribution of numbers whose logarithms are normal: half of them are below `median`, and 68 % between the median divided by `spread`
    /// and multiplied with it.
    ///
    /// # Errors
    ///
    /// The reason why the numbers are wrong.
    pub(super) fn log_normal(
        median: f32,
        spread: f32,
        within: Option<[f32; 2]>,
    ) -> Result<Self, &'static str> {
        if spread <= 1.0 {
            return Err("`spread` must be above 1: it is a factor");
        }
        if within.is_some_and(|[low, _]| low <= 0.0) {
            return Err("the numbers of a `LogNormal` are above 0, so both ends must be");
        }
        Self::new(libm::log(median.into()), libm::log(spread.into()), within, true)
    }

    fn new(
        mean: f64,
        deviation: f64,
        within: Option<[f32; 2]>,
        is_log: bool,
    ) -> Result<Self, &'static str> {
        if within.is_some_and(|[low, high]| low >= high) {
            return Err("the first end of `within` must be the lower one");
        }
        let mut this = Self { mean, deviation, ends: [0.0; 2], is_log };
        let usual = [-DEVIATIONS, DEVIATIONS].map(|off| this.number(mean + off * deviation) as f32);
        this.ends = within.unwrap_or(usual);
        let [low, high] = this.ends.map(|end| this.below(end));
        if high - low < 1e-9 {
            return Err("`within` is too far from the middle: hardly any number is there");
        }
        Ok(this)
    }

    /// Returns the ends.
    pub(super) fn ends(&self) -> [f32; 2] {
        self.ends
    }

    /// Returns the number below which a part of the numbers is.
    pub(super) fn at(&self, part: f64) -> f32 {
        let [first, last] = self.ends.map(|end| self.below(end));
        let wanted = first + part * (last - first);
        let [mut low, mut high] = self.ends.map(|end| self.scale(end));
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if self.below_scaled(middle) < wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        // The ends are exact.
        match part {
            0.0 => self.ends[0],
            1.0 => self.ends[1],
            _ => self.number(0.5 * (low + high)) as f32,
        }
    }

    /// Returns the part of the numbers that is below a number.
    pub(super) fn part(&self, number: f32) -> f64 {
        let [first, last] = self.ends.map(|end| self.below(end));
        (self.below(number) - first) / (last - first)
    }

    /// Returns the number, or its logarithm.
    fn scale(&self, number: f32) -> f64 {
        if self.is_log { libm::log(number.into()) } else { number.into() }
    }

    fn number(&self, scaled: f64) -> f64 {
        if self.is_log { libm::exp(scaled) } else { scaled }
    }

    /// Returns the part of the whole distribution that is below a number.
    fn below(&self, number: f32) -> f64 {
        self.below_scaled(self.scale(number))
    }

    fn below_scaled(&self, x: f64) -> f64 {
        let off = (x - self.mean) / self.deviation;
        0.5 * libm::erfc(-off / std::f64::consts::SQRT_2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles of the standard normal distribution, as in any table.
    #[test]
    fn quantiles_are_those_of_tables() {
        let normal = DrawnRange::normal(10.0, 2.0, None).unwrap();
        for (part, off) in [(0.5, 0.0), (0.841_344_7, 1.0), (0.975, 1.959_964), (0.1, -1.281_552)] {
            // Four deviations leave out 0.006 %.
            assert!((f64::from(normal.at(part)) - 10.0 - 2.0 * off).abs() < 2e-3, "{part}");
            assert!((normal.part(10.0 + 2.0 * off as f32) - part).abs() < 1e-4, "{part}");
        }
        assert_eq!([0.0, 1.0].map(|part| normal.at(part)), [2.0, 18.0]);
        let log = DrawnRange::log_normal(3.0, 2.0, None).unwrap();
        assert!((log.at(0.5) - 3.0).abs() < 1e-5);
        assert!((log.at(0.841_344_7) - 6.0).abs() < 5e-3, "{}", log.at(0.841_344_7));
    }

    #[test]
    fn ends_cut_off() {
        let half = DrawnRange::normal(0.0, 1.0, Some([0.0, 9.0])).unwrap();
        // The median of the upper half is the third quartile.
        assert!((half.at(0.5) - 0.674_489_8).abs() < 1e-6, "{}", half.at(0.5));
        assert_eq!(half.at(0.0), 0.0);
        for wrong in [
            DrawnRange::normal(0.0, 1.0, Some([2.0, 1.0])),
            DrawnRange::normal(0.0, 1.0, Some([90.0, 91.0])),
            DrawnRange::log_normal(1.0, 1.0, None),
            DrawnRange::log_normal(1.0, 2.0, Some([0.0, 1.0])),
        ] {
            assert!(wrong.is_err(), "{wrong:?}");
        }
    }
}
