//! Random numbers without a generator.
//!
//! A number is a pure function of the seed, the agent, the tick and the number of the draw in that tick. Nothing is
//! shared: one more agent, or one more call, must not change the numbers of other agents, and a run that continues from
//! the middle draws the same numbers as the whole run.

use super::{PI, Vec2};

/// A hash under construction, fed one word at a time.
///
/// The mixing is the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", 2014), applied to the running state and each new word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mix(u64);

impl Mix {
    /// Starts from a seed.
    #[inline]
    pub fn new(seed: u64) -> Self {
        Self(finalize(seed.wrapping_add(GOLDEN_GAMMA)))
    }

    /// Returns the hash with one more word mixed in. The order of words matters.
    #[must_use]
    #[inline]
    pub fn with(self, word: u64) -> Self {
        Self(finalize(self.0.wrapping_add(GOLDEN_GAMMA) ^ word.wrapping_mul(ODD)))
    }

    /// Returns the hash with a string mixed in, byte by byte, and its length.
    #[must_use]
    pub fn with_str(self, text: &str) -> Self {
        text.bytes().fold(self, |mix, byte| mix.with(u64::from(byte))).with(text.len() as u64)
    }

    /// Returns the 64 bits of the hash.
    #[inline]
    pub fn value(self) -> u64 {
        self.0
    }

    /// Returns the hash as a number in `[0, 1)`, a multiple of 2^-24.
    #[inline]
    pub fn unit(self) -> f32 {
        (self.0 >> 40) as f32 * (1.0 / 16_777_216.0)
    }

    /// Returns the hash as a number strictly between 0 and 1, an odd multiple of 2^-53.
    #[inline]
    pub fn share(self) -> f64 {
        ((self.0 >> 12) as f64 + 0.5) * (1.0 / 4_503_599_627_370_496.0)
    }

    /// Returns the hash as a unit vector; all directions are equally likely.
    #[inline]
    pub fn direction(self) -> Vec2 {
        // An angle of up to an eighth of a turn, whose sine and cosine are short sums; two bits choose the quarter.
        let angle = (self.unit() - 0.5) * (0.5 * PI);
        let q = angle * angle;
        let sin = q * (1.0 / 362_880.0) - 1.0 / 5040.0;
        let sin = angle * (1.0 + q * (-1.0 / 6.0 + q * (1.0 / 120.0 + q * sin)));
        let cos = q * (1.0 / 40_320.0) - 1.0 / 720.0;
        let cos = 1.0 + q * (-0.5 + q * (1.0 / 24.0 + q * cos));
        let turned = if self.0 & 1 == 0 { Vec2::new(cos, sin) } else { Vec2::new(-sin, cos) };
        if self.0 & 2 == 0 { turned } else { -turned }
    }

    /// Returns two independent numbers with the normal distribution of mean 0 and standard deviation 1, by the
    /// transformation of Box and Muller. None is above 6.
    #[inline]
    pub fn normal(self) -> Vec2 {
        let radius = super::sqrt(-2.0 * super::ln(1.0 - self.with(1).unit()));
        self.with(2).direction() * radius
    }

    /// Returns the hash as a number in `[low, high)`; `low` if both are the same.
    #[inline]
    pub fn between(self, low: f32, high: f32) -> f32 {
        let x = low + (high - low) * self.unit();
        if x < high || low >= high { x } else { low }
    }
}

/// The purpose of a random number. Streams for different uses are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The place where an agent is spawned.
    Spawn = 1,
    /// Numbers that a script draws.
    Script = 2,
    /// The primitive `wander`.
    Wander = 3,
    /// The error of a position that agents perceive.
    PositionNoise = 4,
    /// The error of a velocity that agents perceive.
    VelocityNoise = 5,
    /// The random change of a velocity.
    MotionNoise = 6,
    /// Whether an event happens by chance.
    Event = 7,
    /// The numbers of an agent that distributions give.
    Trait = 8,
}

/// Returns the common part of the streams of a group's agents for one use. Mixed with an agent's index in the group, it is the stream
/// of that agent.
pub fn group_streams(seed: u64, group: &str, purpose: Use) -> Mix {
    Mix::new(seed).with(purpose as u64).with_str(group)
}

/// Returns smooth noise at a time: a curve in `[-1, 1]` with a continuous slope, which passes through a random value at
/// each integer `time`. Each `stream` has its own curve.
pub fn noise(stream: Mix, time: f32) -> f32 {
    let before = time.floor();
    let t = time - before;
    let knot = before as i64;
    let at = |k: i64| stream.with(k as u64).unit() * 2.0 - 1.0;
    let smooth = t * t * (3.0 - 2.0 * t);
    let (a, b) = (at(knot), at(knot.wrapping_add(1)));
    a + (b - a) * smooth
}

const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
const ODD: u64 = 0xd1b5_4a32_d192_ed03;

fn finalize(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_even_over_the_unit_interval() {
        let mut bins = [0u32; 16];
        for agent in 0..100u64 {
            for tick in 0..160u64 {
                let x = Mix::new(7).with(agent).with(tick).unit();
                bins[(x * 16.0) as usize] += 1;
            }
        }
        // 1000 are expected in each bin; 5 standard deviations are about 153.
        assert!(bins.iter().all(|&n| (847..=1153).contains(&n)), "{bins:?}");
    }

    #[test]
    fn normal_numbers_have_mean_0_deviation_1_and_the_right_tails() {
        let all: Vec<f32> =
            (0..20_000u64).flat_map(|i| <[f32; 2]>::from(Mix::new(3).with(i).normal())).collect();
        let count = all.len() as f32;
        let mean = all.iter().sum::<f32>() / count;
        let variance = all.iter().map(|x| x * x).sum::<f32>() / count;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
        // 68.27 and 95.45 percent are within one and two standard deviations.
        for (most, share) in [(1.0, 0.6827), (2.0, 0.9545)] {
            let within = all.iter().filter(|x| x.abs() < most).count() as f32 / count;
            assert!((within - share).abs() < 0.01, "{within} within {most}");
        }
    }

    #[test]
    fn directions_are_even_and_of_length_one() {
        let mut bins = [0u32; 32];
        for pair in 0..32_000u64 {
            let way = Mix::new(pair << 32 | 77).direction();
            assert!((way.length() - 1.0).abs() < 3e-7, "{way}");
            let turns = crate::math::angle(way) / (2.0 * PI) + 0.5;
            bins[(turns * 32.0) as usize % 32] += 1;
        }
        // 1000 are expected in each bin; 5 standard deviations are about 156.
        assert!(bins.iter().all(|&n| (844..=1156).contains(&n)), "{bins:?}");
    }

    #[test]
    fn neighboring_streams_are_not_correlated() {
        let n = 20_000u64;
        let sum: f64 = (0..n)
            .map(|i| {
                let a = f64::from(Mix::new(1).with(i).unit()) - 0.5;
                let b = f64::from(Mix::new(1).with(i + 1).unit()) - 0.5;
                a * b
            })
            .sum();
        // The correlation of n pairs has a standard deviation of 1 / sqrt(n), which is 0.007.
        let correlation = sum / n as f64 * 12.0;
        assert!(correlation.abs() < 0.035, "{correlation}");
    }

    #[test]
    fn shares_are_never_0_or_1() {
        for (bits, expected) in [(0, 2f64.powi(-53)), (u64::MAX, 1.0 - 2f64.powi(-53))] {
            assert_eq!(Mix(bits).share(), expected);
        }
    }

    #[test]
    fn order_of_words_matters() {
        assert_ne!(Mix::new(1).with(2).with(3), Mix::new(1).with(3).with(2));
        assert_ne!(
            Mix::new(1).with_str("ab").with_str("c"),
            Mix::new(1).with_str("a").with_str("bc")
        );
    }

    #[test]
    fn between_stays_below_its_upper_end() {
        for i in 0..10_000 {
            let x = Mix::new(3).with(i).between(1.0, 1.000_000_1);
            assert!((1.0..1.000_000_1).contains(&x));
        }
        assert_eq!(Mix::new(3).between(5.0, 5.0), 5.0);
    }

    #[test]
    fn noise_is_continuous_and_bounded() {
        let stream = Mix::new(5);
        let mut last = noise(stream, 0.0);
        for i in 1..10_000 {
            let x = noise(stream, i as f32 * 0.01);
            assert!((-1.0..=1.0).contains(&x));
            assert!((x - last).abs() < 0.04, "jumps at {i}");
            last = x;
        }
    }
}
