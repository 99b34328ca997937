//! Statistics of pairs: a number of two runs with the same seed, for many seeds.

use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, Normal, StudentsT};

/// How the second numbers of pairs differ from the first ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedDifference {
    /// Number of pairs, at least 2.
    pub pairs: usize,
    /// The mean of the first numbers, and that of the second ones.
    pub means: [f64; 2],
    /// The mean difference: second minus first.
    pub difference: f64,
    /// The ends of its 95 % interval.
    pub interval: [f64; 2],
    /// How likely chance alone would give a difference of at least this size (two-sided).
    pub p: f64,
    /// The mean difference divided by the standard deviation of the differences (Cohen's d of pairs). `None` if all differences are
    /// the same.
    pub effect: Option<f64>,
    /// The size of a difference that would have been seen in four of five such comparisons.
    pub detectable: f64,
    /// In how many pairs the second number is larger, and in how many it is smaller.
    pub larger_smaller: [usize; 2],
}

/// Returns the mean of some numbers and the ends of its 95 % interval (Student's t); `None` if there are fewer than two.
pub fn mean_interval(numbers: &[f64]) -> Option<(f64, [f64; 2])> {
    // The mean difference from zero.
    let pairs: Vec<[f64; 2]> = numbers.iter().map(|x| [0.0, *x]).collect();
    PairedDifference::of_numbers(&pairs).map(|of| (of.difference, of.interval))
}

/// How sure an interval is to contain the difference.
const CONFIDENCE: f64 = 0.95;

/// How often a difference of the size [`PairedDifference::detectable`] would be seen.
const POWER: f64 = 0.8;

impl PairedDifference {
    /// Compares numbers: the interval and the probability of the paired t-test. `None` if there are fewer than two pairs.
    pub fn of_numbers(pairs: &[[f64; 2]]) -> Option<Self> {
        let this = Self::without_interval(pairs)?;
        let n = pairs.len() as f64;
        let off = |[a, b]: &[f64; 2]| b - a - this.difference;
        let squares: f64 = pairs.iter().map(|pair| off(pair) * off(pair)).sum();
        let deviation = (squares / (n - 1.0)).sqrt();
        if deviation == 0.0 {
            let p = if this.difference == 0.0 { 1.0 } else { 0.0 };
            return Some(Self { p, ..this });
        }
        let error = deviation / n.sqrt();
        let t = StudentsT::new(0.0, 1.0, n - 1.0).ok()?;
        let quantile = t.inverse_cdf(0.5 + 0.5 * CONFIDENCE);
        Some(Self {
            interval: [-1.0, 1.0].map(|side| this.difference + side * quantile * error),
            p: 2.0 * t.cdf(-(this.difference / error).abs()),
            effect: Some(this.difference / deviation),
            detectable: (quantile + t.inverse_cdf(POWER)) * error,
            ..this
        })
    }

    /// Compares shares: how often something is true. The interval is the adjusted one of Agresti and Min (2005), the probability that
    /// of McNemar's exact test. `None` if there are fewer than two pairs.
    pub fn of_shares(pairs: &[[bool; 2]]) -> Option<Self> {
        let numbers: Vec<[f64; 2]> =
            pairs.iter().map(|pair| pair.map(|holds| f64::from(u8::from(holds)))).collect();
        let this = Self::without_interval(&numbers)?;
        let [gained, lost] = this.larger_smaller;
        let fewer = gained.min(lost) as u64;
        let coin = Binomial::new(0.5, (gained + lost) as u64).ok()?;
        let both_sides = 2.0 * coin.cdf(fewer);
        // Half a pair more of each of the four kinds.
        let (n, gained, lost) = (pairs.len() as f64 + 2.0, gained as f64 + 0.5, lost as f64 + 0.5);
        let middle = (gained - lost) / n;
        let error = ((gained + lost) / n - middle * middle).sqrt() / n.sqrt();
        let normal = Normal::standard();
        let quantile = normal.inverse_cdf(0.5 + 0.5 * CONFIDENCE);
        let end = |side: f64| (middle + side * quantile * error).clamp(-1.0, 1.0);
        Some(Self {
            interval: [end(-1.0), end(1.0)],
            p: if both_sides < 1.0 { both_sides } else { 1.0 },
            detectable: (quantile + normal.inverse_cdf(POWER)) * error,
            ..this
        })
    }

    /// Returns what needs no distribution.
    fn without_interval(pairs: &[[f64; 2]]) -> Option<Self> {
        if pairs.len() < 2 {
            return None;
        }
        let n = pairs.len() as f64;
        let mean = |side: usize| pairs.iter().map(|pair| pair[side]).sum::<f64>() / n;
        // The mean of differences: that of large numbers would lose digits.
        let difference = pairs.iter().map(|[a, b]| b - a).sum::<f64>() / n;
        let count = |is: fn(&f64, &f64) -> bool| pairs.iter().filter(|[a, b]| is(b, a)).count();
        Some(Self {
            pairs: pairs.len(),
            means: [mean(0), mean(1)],
            difference,
            interval: [difference; 2],
            p: 1.0,
            effect: None,
            detectable: 0.0,
            larger_smaller: [count(f64::gt), count(f64::lt)],
        })
    }

    /// Returns whether zero is outside the interval.
    pub fn excludes_zero(&self) -> bool {
        self.interval[0] > 0.0 || self.interval[1] < 0.0
    }
}

/// Adjusts probabilities for their number (Holm 1979): if none of the differences is real, one below 0.05 is left in one of twenty
/// comparisons, however many there are.
pub(super) fn adjusted(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]));
    let (mut adjusted, mut largest) = (vec![1.0; probabilities.len()], 0.0);
    for (rank, index) in order.into_iter().enumerate() {
        let one = probabilities[index] * (probabilities.len() - rank) as f64;
        largest = if one > largest { one } else { largest };
        adjusted[index] = if largest < 1.0 { largest } else { 1.0 };
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() <= 2e-6 * b.abs(), "{a} and {b}");
    }

    /// The ten patients of Student (1908), as `t.test(extra ~ group, data = sleep, paired = TRUE)` of R and `scipy.stats.ttest_rel`
    /// evaluate them.
    #[test]
    fn numbers_are_compared_as_student_did() {
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let pairs: Vec<[f64; 2]> = first.into_iter().zip(second).map(|(a, b)| [a, b]).collect();
        let found = PairedDifference::of_numbers(&pairs).unwrap();
        near(found.difference, 1.58);
        near(found.p, 0.002_832_89);
        near(found.interval[0], 0.700_114_2);
        near(found.interval[1], 2.459_885_8);
        near(found.effect.unwrap(), 1.284_558_5);
        assert_eq!((found.pairs, found.larger_smaller), (10, [9, 0]));
    }

    /// The approval of a prime minister in two surveys (Agresti, Categorical Data Analysis, table 10.1): 944 of 1600, then 880; 150
    /// changed to disapproval, 86 to approval.
    #[test]
    fn shares_are_compared_as_agresti_does() {
        let mut pairs = vec![[true, true]; 794];
        pairs.extend(vec![[true, false]; 150]);
        pairs.extend(vec![[false, true]; 86]);
        pairs.extend(vec![[false, false]; 570]);
        let found = PairedDifference::of_shares(&pairs).unwrap();
        near(found.difference, -0.04);
        // The exact test; the approximation of the book is z = -4.17, p = 0.00003.
        assert!((2e-5..5e-5).contains(&found.p), "{}", found.p);
        // The unadjusted interval of the book is from -0.06 to -0.02.
        assert!((found.interval[0] + 0.0587).abs() < 1e-4, "{:?}", found.interval);
        assert!((found.interval[1] + 0.0212).abs() < 1e-4, "{:?}", found.interval);
        // Few pairs, by hand: 3 gained and 1 lost of 10 make (3.5 - 1.5) / 12 with the error sqrt((5 / 12 - 1 / 36) / 12).
        let mut pairs = vec![[true, true]; 6];
        pairs.extend([[false, true]; 3]);
        pairs.push([true, false]);
        let found = PairedDifference::of_shares(&pairs).unwrap();
        near(found.interval[0], -0.186_167_2);
        near(found.interval[1], 0.519_500_5);
    }

    #[test]
    fn what_never_differs_has_no_difference() {
        let same = PairedDifference::of_numbers(&[[1.0, 1.0], [2.0, 2.0]]).unwrap();
        assert_eq!((same.p, same.interval, same.effect), (1.0, [0.0; 2], None));
        assert!(!same.excludes_zero());
        let shifted = PairedDifference::of_numbers(&[[1.0, 2.0], [2.0, 3.0]]).unwrap();
        assert_eq!((shifted.p, shifted.interval), (0.0, [1.0; 2]));
        assert!(shifted.excludes_zero());
        let held = PairedDifference::of_shares(&[[true; 2]; 20]).unwrap();
        assert_eq!((held.p, held.difference), (1.0, 0.0));
        // Twenty of twenty do not show that it always holds.
        assert!(held.interval[1] > 0.05 && held.detectable > 0.05, "{held:?}");
        assert_eq!(PairedDifference::of_numbers(&[[1.0, 2.0]]), None);
    }

    /// The example of `p.adjust` in R: `p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.005), "holm")`.
    #[test]
    fn probabilities_are_adjusted_as_holm_did() {
        let adjusted = adjusted(&[0.01, 0.02, 0.03, 0.04, 0.005]);
        for (one, wanted) in adjusted.into_iter().zip([0.04, 0.06, 0.06, 0.06, 0.025]) {
            near(one, wanted);
        }
    }
}
