//! Distributions: numbers that differ between the agents of a group, drawn once for each agent.
//!
//! A draw is a pure function of the seed, the agent and the name of what is drawn, so it is no state, and no draw depends on
//! another one. All agents of a group that are drawn from mixtures take the part of each mixture by one number of the agent: so
//! who belongs to a part with one size also belongs to the part with the speed of that size.

mod read;
#[cfg(test)]
mod tests;

use std::fmt;

pub use read::{DistributionSpec, Drawable, MixtureSpec};

use crate::math::random::Mix;
use crate::math::{self, normal_quantile, normal_share};
use read::DistributionKind;

/// Numbers that are drawn for each agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// The parts of a mixture, or the only one.
    parts: Vec<Part>,
}

/// A part of a mixture.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    /// The share of the agents that are drawn from it.
    share: f32,
    of: DistributionKind,
}

/// What is wrong with a distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistributionProblem {
    /// The way to the wrong part: names of fields and indices in lists. Empty if it is the whole distribution.
    pub path: Vec<String>,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for DistributionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DistributionProblem {}

/// The least share of a distribution that its bounds can leave. With less, nearly all draws would be at a bound that was probably
/// not meant.
const LEAST_WITHIN: f64 = 0.001;

/// How far the sum of shares can be from 1.
const SHARES_TOLERANCE: f64 = 1e-4;

/// No draw is farther from the mean than this many standard deviations: a draw has 52 bits.
const FARTHEST: f64 = 8.25;

impl Distribution {
    /// Makes numbers that are equally likely between two others.
    ///
    /// # Errors
    ///
    /// If they are not in this order, or not finite.
    pub fn uniform(from: f32, to: f32) -> Result<Self, DistributionProblem> {
        Self::of_kind(DistributionKind::Uniform { from, to })
    }

    /// Makes numbers with a normal distribution, by their mean and their standard deviation. `within` are bounds: only numbers
    /// between them are drawn, with the same ratios as without bounds.
    ///
    /// # Errors
    ///
    /// If the deviation is negative, a number is not finite, or hardly any numbers are within the bounds.
    pub fn normal(
        mean: f32,
        deviation: f32,
        within: Option<[f32; 2]>,
    ) -> Result<Self, DistributionProblem> {
        let within = read::bounds(within);
        Self::of_kind(DistributionKind::Normal { mean, deviation, within })
    }

    /// Makes numbers whose logarithms have a normal distribution. Half of them are below `median`, and about 68 of 100 are between
    /// `median / spread` and `median * spread`. `within` are bounds, as those of [`Distribution::normal`].
    ///
    /// # Errors
    ///
    /// If the median is not above 0, the spread is below 1, a number is not finite, or hardly any numbers are within the bounds.
    pub fn log_normal(
        median: f32,
        spread: f32,
        within: Option<[f32; 2]>,
    ) -> Result<Self, DistributionProblem> {
        let within = read::bounds(within);
        Self::of_kind(DistributionKind::LogNormal { median, spread, within })
    }

    /// Makes numbers by a table of shares and values: the first share of the numbers is at most the first value, and so on. Between
    /// two entries, all values are equally likely.
    ///
    /// # Errors
    ///
    /// If the shares do not go from 0 to 1, or if shares or values decrease.
    pub fn table(points: &[(f32, f32)]) -> Result<Self, DistributionProblem> {
        Self::of_kind(DistributionKind::Table(read::table(points)))
    }

    /// Makes a mixture: each agent is drawn from one of several distributions, with these shares of the agents. The parts of a
    /// mixture among them are parts of the whole.
    ///
    /// # Errors
    ///
    /// If there are no parts, or if a share is not above 0, or their sum is not 1.
    pub fn mixture(parts: &[(f32, Self)]) -> Result<Self, DistributionProblem> {
        let part = |(share, of): &(f32, Self)| {
            let share = *share;
            let within = of.parts.iter().cloned();
            within.map(move |part| Part { share: share * part.share, ..part }).collect::<Vec<_>>()
        };
        Self { parts: parts.iter().flat_map(part).collect() }.checked()
    }

    fn of_kind(of: DistributionKind) -> Result<Self, DistributionProblem> {
        Self { parts: vec![Part { share: 1.0, of }] }.checked()
    }

    /// Returns it unless it is wrong.
    fn checked(self) -> Result<Self, DistributionProblem> {
        match self.problem() {
            None => Ok(self),
            Some(problem) => Err(problem),
        }
    }

    /// Returns what is wrong with it.
    fn problem(&self) -> Option<DistributionProblem> {
        let wrong =
            |path: Vec<String>, message: String| Some(DistributionProblem { path, message });
        for (index, part) in self.parts.iter().enumerate() {
            if let Err((mut path, message)) = part.of.check() {
                if self.is_mixture() {
                    path.splice(0..0, [index.to_string(), "of".to_owned()]);
                }
                return wrong(path, message);
            }
            if !(part.share > 0.0 && part.share <= 1.0) {
                let path = vec![index.to_string(), "share".to_owned()];
                return wrong(path, "a share must be above 0 and at most 1".to_owned());
            }
        }
        let sum: f64 = self.parts.iter().map(|part| f64::from(part.share)).sum();
        if self.parts.is_empty() {
            return wrong(Vec::new(), "a mixture needs at least one part".to_owned());
        }
        if (sum - 1.0).abs() > SHARES_TOLERANCE {
            let sum = math::short(sum as f32);
            return wrong(Vec::new(), format!("the shares must have the sum 1, but have {sum}"));
        }
        let [low, high] = self.bounds();
        if !(low.is_finite() && high.is_finite()) {
            return wrong(Vec::new(), "its numbers are too large".to_owned());
        }
        None
    }

    fn is_mixture(&self) -> bool {
        self.parts.len() > 1
    }

    /// Returns the smallest and the largest number that can be drawn.
    pub fn bounds(&self) -> [f32; 2] {
        let all = self.parts.iter().map(|part| part.of.bounds());
        all.reduce(|[low, high], [a, b]| [math::min(low, a), math::max(high, b)])
            .unwrap_or_default()
    }

    /// Returns a number in the middle: the median, or of a mixture the mean of the medians of its parts.
    pub fn middle(&self) -> f32 {
        if let [only] = &self.parts[..] {
            return only.of.quantile(0.5);
        }
        let part = |part: &Part| f64::from(part.share) * f64::from(part.of.quantile(0.5));
        self.parts.iter().map(part).sum::<f64>() as f32
    }

    /// Draws the number with a name for an agent, from the agent's random stream.
    pub fn draw(&self, agent: Mix, name: &str) -> f32 {
        let part = match &self.parts[..] {
            [only] => only,
            parts => chosen(parts, agent.with(0).share()),
        };
        part.of.quantile(agent.with(1).with_str(name).share())
    }

    /// Returns for each part its share, the name of its distribution, and the numbers of that. See [`Distribution::from_parts`].
    pub fn parts(&self) -> impl Iterator<Item = (f32, &'static str, Vec<f32>)> {
        self.parts.iter().map(|Part { share, of }| {
            let (name, numbers) = of.numbers();
            (*share, name, numbers)
        })
    }

    /// Makes a distribution of what [`Distribution::parts`] returns; `None` if there is no such distribution.
    pub fn from_parts<'n>(
        parts: impl IntoIterator<Item = (f32, &'n str, Vec<f32>)>,
    ) -> Option<Self> {
        let part = |(share, name, numbers): (f32, &str, Vec<f32>)| {
            Some(Part { share, of: DistributionKind::from_numbers(name, &numbers)? })
        };
        let parts = parts.into_iter().map(part).collect::<Option<_>>()?;
        Self { parts }.checked().ok()
    }
}

/// Returns the part of a mixture that a share of the agents falls into, from the first part on.
fn chosen(parts: &[Part], share: f64) -> &Part {
    let mut sum = 0.0;
    let found = parts.iter().find(|part| {
        sum += f64::from(part.share);
        share < sum
    });
    // Rounded shares may leave a little at the end.
    found.unwrap_or(&parts[parts.len() - 1])
}

/// Writes it as scenarios do.
impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = &self.parts[..] {
            return only.of.fmt(f);
        }
        f.write_str("Mixture([")?;
        for (index, Part { share, of }) in self.parts.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}(share: {share}, of: {of})")?;
        }
        f.write_str("])")
    }
}

impl DistributionKind {
    /// Returns the number that a share of the numbers is below. The share is above 0 and below 1.
    fn quantile(&self, share: f64) -> f32 {
        match self {
            Self::Uniform { from, to } => {
                let (low, high) = (f64::from(*from), f64::from(*to));
                clamp((low + (high - low) * share) as f32, [*from, *to])
            }
            Self::Normal { mean, deviation, .. } => {
                let z = self.standard_quantile(share);
                clamp((f64::from(*mean) + f64::from(*deviation) * z) as f32, self.bounds())
            }
            Self::LogNormal { median, spread, .. } => {
                let z = self.standard_quantile(share);
                let times = libm::exp(libm::log(f64::from(*spread)) * z);
                clamp((f64::from(*median) * times) as f32, self.bounds())
            }
            Self::Table(points) => {
                let after = points.iter().position(|point| share <= f64::from(point.0.x));
                let after = after.unwrap_or(points.len() - 1).max(1);
                let [a, b] = [points[after - 1].0, points[after].0];
                let (from, to) = (f64::from(a.x), f64::from(b.x));
                let (low, high) = (f64::from(a.y), f64::from(b.y));
                let between = (share - from) / (to - from);
                clamp((low + (high - low) * between) as f32, [a.y, b.y])
            }
        }
    }

    /// Returns the number of standard deviations from the middle that a share of the numbers within the bounds is below. It is 0
    /// without a spread.
    fn standard_quantile(&self, share: f64) -> f64 {
        match self.shares_within() {
            Some([low, high]) => normal_quantile(low + (high - low) * share),
            None => 0.0,
        }
    }

    /// Returns the shares of a normal or lognormal distribution without bounds that are below each of the bounds. `None` if it has
    /// no spread.
    fn shares_within(&self) -> Option<[f64; 2]> {
        let within = match self {
            Self::Normal { deviation, within, .. } if *deviation > 0.0 => within,
            Self::LogNormal { spread, within, .. } if *spread > 1.0 => within,
            _ => return None,
        };
        let share = |x: f32| normal_share(self.deviations_from_the_middle(f64::from(x)));
        Some(within.map_or([0.0, 1.0], |within| [share(within.0.x), share(within.0.y)]))
    }

    /// Returns how many standard deviations a number of a normal distribution is above the mean, or the logarithm of a number of a
    /// lognormal one above the logarithm of the median.
    fn deviations_from_the_middle(&self, x: f64) -> f64 {
        match *self {
            Self::Normal { mean, deviation, .. } => (x - f64::from(mean)) / f64::from(deviation),
            Self::LogNormal { median, spread, .. } if x > 0.0 => {
                libm::log(x / f64::from(median)) / libm::log(f64::from(spread))
            }
            _ => f64::NEG_INFINITY,
        }
    }

    /// Returns the smallest and the largest number that can be drawn.
    fn bounds(&self) -> [f32; 2] {
        match self {
            Self::Uniform { from, to } => [*from, *to],
            Self::Normal { within: Some(within), .. }
            | Self::LogNormal { within: Some(within), .. } => within.0.to_array(),
            Self::Normal { mean, deviation, .. } => {
                let (mean, most) = (f64::from(*mean), f64::from(*deviation) * FARTHEST);
                [(mean - most) as f32, (mean + most) as f32]
            }
            Self::LogNormal { median, spread, .. } => {
                let times = libm::exp(libm::log(f64::from(*spread)) * FARTHEST);
                let median = f64::from(*median);
                [(median / times) as f32, (median * times) as f32]
            }
            Self::Table(points) => {
                let value = |at: usize| points.get(at).map_or(0.0, |point| point.0.y);
                [value(0), value(points.len().saturating_sub(1))]
            }
        }
    }

    /// Returns the way to what is wrong, and what is wrong there.
    fn check(&self) -> Result<(), (Vec<String>, String)> {
        let wrong = |part: &str, message: &str| Err((vec![part.to_owned()], message.to_owned()));
        let (_, numbers) = self.numbers();
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err((Vec::new(), "all numbers must be finite".to_owned()));
        }
        match self {
            Self::Uniform { from, to } if from > to => {
                return wrong("to", &format!("`to` must be at least `from`, which is {from}"));
            }
            Self::Normal { deviation, .. } if *deviation < 0.0 => {
                return wrong("deviation", "a standard deviation must be at least 0");
            }
            Self::LogNormal { median, .. } if *median <= 0.0 => {
                return wrong("median", "a median must be above 0");
            }
            Self::LogNormal { spread, .. } if *spread < 1.0 => {
                return wrong("spread", "a spread must be at least 1, which is no spread");
            }
            Self::Normal { mean: middle, within: Some(within), .. }
            | Self::LogNormal { median: middle, within: Some(within), .. } => {
                let [low, high] = within.0.to_array();
                if low > high {
                    return wrong("within", "the first bound must not be above the second one");
                }
                let share = match self.shares_within() {
                    Some([below, above]) => above - below,
                    None => f64::from(u8::from((low..=high).contains(middle))),
                };
                if share < LEAST_WITHIN {
                    let percent = math::short((share * 100.0) as f32);
                    let message = format!(
                        "only {percent} % of this distribution are within these bounds; at least 0.1 % must be"
                    );
                    return wrong("within", &message);
                }
            }
            Self::Table(points) => {
                let points: Vec<[f32; 2]> = points.iter().map(|point| point.0.to_array()).collect();
                return check_table(&points);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the way to what is wrong in a table, and what is wrong there.
fn check_table(points: &[[f32; 2]]) -> Result<(), (Vec<String>, String)> {
    let wrong = |index: usize, message: String| Err((vec![index.to_string()], message));
    let [first, .., last] = points else {
        return Err((Vec::new(), "a table needs at least two entries (share, value)".to_owned()));
    };
    if first[0] != 0.0 {
        return wrong(0, "the first share must be 0: nothing is below the first value".to_owned());
    }
    for (index, pair) in points.windows(2).enumerate() {
        let [[share, value], [next_share, next_value]] = [pair[0], pair[1]];
        if next_share < share {
            let message = format!("shares must not decrease, but this one is below {share}");
            return wrong(index + 1, message);
        }
        if next_value < value {
            let message = format!("values must not decrease, but this one is below {value}");
            return wrong(index + 1, message);
        }
    }
    if last[0] != 1.0 {
        let message = "the last share must be 1: nothing is above the last value".to_owned();
        return wrong(points.len() - 1, message);
    }
    Ok(())
}

fn clamp(x: f32, [low, high]: [f32; 2]) -> f32 {
    math::max(math::min(x, high), low)
}
