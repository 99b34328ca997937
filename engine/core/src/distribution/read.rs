//! Distributions as they are written in scenarios.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;

use super::{Distribution, DistributionProblem, Part};
use crate::math::Vec2;
use crate::number::{Finite, FiniteVector};
use crate::schema::{Described, ReadSetting, Shape, described};

/// Declares the distributions that are no mixtures, and those that can be written.
macro_rules! distributions {
    (
        $(#[$($meta:tt)*])* $vis:vis enum $Kind:ident,
        $(#[$($spec_meta:tt)*])* pub enum $Spec:ident with { $($mixture:tt)* }
        { $($variants:tt)* }
    ) => {
        described! {
            $(#[$($meta)*])*
            #[derive(Clone, Debug, PartialEq, Deserialize)]
            #[serde(rename = "distribution", deny_unknown_fields)]
            $vis enum $Kind { $($variants)* }
        }

        described! {
            $(#[$($spec_meta)*])*
            #[derive(Clone, Debug, PartialEq, Deserialize)]
            #[serde(rename = "distribution", deny_unknown_fields)]
            pub enum $Spec { $($variants)* $($mixture)* }
        }
    };
}

distributions! {
    /// A distribution that is no mixture.
    pub(super) enum DistributionKind,
    /// A distribution as it is written. What is wrong between its parts is found by [`DistributionSpec::build`].
    pub enum DistributionSpec with {
        /// Each agent is drawn from one of several distributions. The same number of the agent chooses in all mixtures, from the first
        /// part on: with the same shares, an agent gets the same part of each.
        Mixture(Vec<MixtureSpec>),
    }
    {
        /// All numbers between two others are equally likely.
        Uniform {
            /// The smallest number.
            #[serde(deserialize_with = "finite")]
            from: f32 as Finite,
            /// The largest number.
            #[serde(deserialize_with = "finite")]
            to: f32 as Finite,
        },
        /// A normal distribution.
        Normal {
            /// The mean. With bounds that are not at the same distance from it, the mean of the drawn numbers is another one.
            #[serde(deserialize_with = "finite")]
            mean: f32 as Finite,
            /// The standard deviation without bounds, at least 0.
            #[serde(deserialize_with = "finite")]
            deviation: f32 as Finite,
            /// Bounds: only numbers between them are drawn. Default: no bounds.
            within: Option<FiniteVector>,
        },
        /// A lognormal distribution: the logarithms of the numbers have a normal distribution.
        LogNormal {
            /// The number that half of the numbers are below, above 0.
            #[serde(deserialize_with = "finite")]
            median: f32 as Finite,
            /// The factor of one standard deviation, at least 1: 68 % of the numbers are between median / spread and median * spread. Its
            /// logarithm is the standard deviation of the logarithms.
            #[serde(deserialize_with = "finite")]
            spread: f32 as Finite,
            /// Bounds: only numbers between them are drawn. Default: no bounds.
            within: Option<FiniteVector>,
        },
        /// A list of (share, value), from the share 0 to the share 1: this share of the agents has at most this value. Between two entries,
        /// all numbers are equally likely.
        Table(Vec<FiniteVector>),
    }
}

described! {
    /// A part of a mixture.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    #[serde(rename = "Part", deny_unknown_fields)]
    pub struct MixtureSpec {
        /// The share of the agents, above 0. The sum of all shares is 1.
        #[serde(deserialize_with = "finite")]
        share: f32 as Finite,
        /// The distribution of their numbers.
        of: DistributionKind,
    }
}

fn finite<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    Finite::deserialize(deserializer).map(|Finite(x)| x)
}

pub(super) fn bounds(within: Option<[f32; 2]>) -> Option<FiniteVector> {
    within.map(|within| FiniteVector(Vec2::from_array(within)))
}

pub(super) fn table(points: &[(f32, f32)]) -> Vec<FiniteVector> {
    points.iter().map(|&(share, value)| FiniteVector(Vec2::new(share, value))).collect()
}

impl DistributionSpec {
    /// Returns the distribution.
    ///
    /// # Errors
    ///
    /// What is wrong between its parts, such as bounds in the wrong order.
    pub fn build(self) -> Result<Distribution, DistributionProblem> {
        let of = match self {
            Self::Mixture(parts) => {
                let part = |MixtureSpec { share, of }| Part { share, of };
                let parts = parts.into_iter().map(part).collect();
                return Distribution { parts }.checked();
            }
            Self::Uniform { from, to } => DistributionKind::Uniform { from, to },
            Self::Normal { mean, deviation, within } => {
                DistributionKind::Normal { mean, deviation, within }
            }
            Self::LogNormal { median, spread, within } => {
                DistributionKind::LogNormal { median, spread, within }
            }
            Self::Table(points) => DistributionKind::Table(points),
        };
        Distribution::of_kind(of)
    }
}

impl DistributionKind {
    /// Returns its name and its numbers. See [`DistributionKind::from_numbers`].
    pub(super) fn numbers(&self) -> (&'static str, Vec<f32>) {
        let bounded = |numbers: [f32; 2], within: &Option<FiniteVector>| {
            let within = within.iter().flat_map(|within| within.0.to_array());
            numbers.into_iter().chain(within).collect()
        };
        match self {
            Self::Uniform { from, to } => ("Uniform", vec![*from, *to]),
            Self::Normal { mean, deviation, within } => {
                ("Normal", bounded([*mean, *deviation], within))
            }
            Self::LogNormal { median, spread, within } => {
                ("LogNormal", bounded([*median, *spread], within))
            }
            Self::Table(points) => {
                ("Table", points.iter().flat_map(|point| point.0.to_array()).collect())
            }
        }
    }

    /// Returns the distribution with a name and numbers, if there is one.
    pub(super) fn from_numbers(name: &str, numbers: &[f32]) -> Option<Self> {
        let within = match *numbers {
            [_, _, low, high] => Some(FiniteVector(Vec2::new(low, high))),
            _ => None,
        };
        Some(match (name, numbers) {
            ("Uniform", &[from, to]) => Self::Uniform { from, to },
            ("Normal", &[mean, deviation] | &[mean, deviation, _, _]) => {
                Self::Normal { mean, deviation, within }
            }
            ("LogNormal", &[median, spread] | &[median, spread, _, _]) => {
                Self::LogNormal { median, spread, within }
            }
            ("Table", numbers) if numbers.len() % 2 == 0 => {
                let pairs = numbers.chunks_exact(2);
                Self::Table(pairs.map(|pair| FiniteVector(Vec2::from_slice(pair))).collect())
            }
            _ => return None,
        })
    }
}

/// Writes it as scenarios do.
impl fmt::Display for DistributionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bounds = |within: &Option<FiniteVector>| match within {
            Some(FiniteVector(within)) => format!(", within: ({}, {})", within.x, within.y),
            None => String::new(),
        };
        match self {
            Self::Uniform { from, to } => write!(f, "Uniform(from: {from}, to: {to})"),
            Self::Normal { mean, deviation, within } => {
                write!(f, "Normal(mean: {mean}, deviation: {deviation}{})", bounds(within))
            }
            Self::LogNormal { median, spread, within } => {
                write!(f, "LogNormal(median: {median}, spread: {spread}{})", bounds(within))
            }
            Self::Table(points) => {
                let points = points.iter().map(|point| format!("({}, {})", point.0.x, point.0.y));
                write!(f, "Table([{}])", points.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// The description of a setting that may be drawn for each agent if it is a number.
pub struct Drawable<T>(PhantomData<T>);

impl<T: ReadSetting> Described for Drawable<T> {
    const IS_OPTIONAL: bool = T::IS_OPTIONAL;

    fn shape() -> Shape {
        if T::IS_NUMBER { T::shape().or_variants(&DistributionSpec::shape()) } else { T::shape() }
    }
}
