//! Numbers that are checked while they are read, so that an error points at the number itself.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};

use crate::geom::FAR;
use crate::math::{self, Vec2};
use crate::schema::{Described, ReadSetting, Shape, values};

values! {
    (Finite, Finite): "two numbers (x, y)";
}

/// A finite number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Finite(pub f32);

/// A finite number above 0.
#[derive(Clone, Copy, Debug)]
pub struct Positive(pub f32);

/// A fraction above 0 and at most 1.
#[derive(Clone, Copy, Debug)]
pub struct Fraction(pub f32);

/// A length in world units: from 0 to [`FAR`].
#[derive(Clone, Copy, Debug)]
pub struct Length(pub f32);

/// A length in world units, above 0.
#[derive(Clone, Copy, Debug)]
pub struct PositiveLength(pub f32);

/// A maximum, above 0. Without it there is none, and the value is infinite.
#[derive(Clone, Copy, Debug)]
pub struct Limit(pub f32);

/// A maximum in degrees per second, above 0. The value is in radians per second, and infinite if there is none.
#[derive(Clone, Copy, Debug)]
pub struct TurnLimit(pub f32);

/// A coordinate in world units, or in world units per second: no farther from 0 than [`FAR`], so that
/// sums and products stay finite.
struct Coordinate(f32);

/// A point or a vector, written `(x, y)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point(pub Vec2);

/// Any finite vector, written `(x, y)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiniteVector(pub Vec2);

/// Width and height, written `(x, y)`, both above 0.
#[derive(Clone, Copy, Debug)]
pub struct PositiveSize(pub Vec2);

/// Width and height, written `(x, y)`, both at least 0.
#[derive(Clone, Copy, Debug)]
pub struct Size(pub Vec2);

fn read<'de, D: Deserializer<'de>>(
    deserializer: D,
    expected: &str,
    valid: impl Fn(f32) -> bool,
) -> Result<f32, D::Error> {
    let x = f32::deserialize(deserializer)?;
    let expected = if !x.is_finite() {
        "a finite number"
    } else if valid(x) {
        return Ok(x);
    } else if x.abs() > FAR {
        "a number from -1e15 to 1e15"
    } else {
        expected
    };
    Err(D::Error::invalid_value(Unexpected::Float(f64::from(x)), &expected))
}

macro_rules! numbers {
    ($($name:ident: $expected:literal, $valid:expr;)*) => {
        values! { $($name: $expected;)* }

        $(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                read(deserializer, $expected, Self::is_valid).map(Self)
            }
        }

        impl $name {
            fn is_valid(x: f32) -> bool {
                let is_valid: fn(f32) -> bool = $valid;
                is_valid(x)
            }
        }
    )*};
}

numbers! {
    Finite: "a finite number", |_| true;
    Positive: "a number above 0", |x| x > 0.0;
    Fraction: "a number above 0 and at most 1", |x| x > 0.0 && x <= 1.0;
    Length: "a number of at least 0", |x| (0.0..=FAR).contains(&x);
    PositiveLength: "a number above 0", |x| x > 0.0 && x <= FAR;
    Limit: "a number above 0", |x| x > 0.0;
    TurnLimit: "a number above 0", |x| x > 0.0;
    Coordinate: "a number", |x| x.abs() <= FAR;
}

const RADIANS_PER_DEGREE: f32 = math::PI / 180.0;

/// Makes settings of numbers: the value that was read, which values a program can set, and their strings.
macro_rules! settings {
    ($($name:ident: $value:expr, $problem:literal unless $valid:expr, $text:expr;)*) => {$(
        impl ReadSetting for $name {
            type Value = f32;

            fn value(self) -> f32 {
                $value(self.0)
            }

            fn problem(value: &f32) -> Option<&'static str> {
                (!$valid(*value)).then_some($problem)
            }

            fn text(value: &f32) -> String {
                $text(*value)
            }

            const IS_NUMBER: bool = true;

            fn set_number(value: &mut f32, path: &[&str], number: f32) -> bool {
                let is_valid = path.is_empty() && $name::is_valid(number);
                if is_valid {
                    *value = Self(number).value();
                }
                is_valid
            }
        }
    )*};
}

settings! {
    Length: |x| x, "be finite and at least 0" unless |x: f32| x >= 0.0 && x.is_finite(), |x: f32| x.to_string();
    Positive: |x| x, "be finite and above 0" unless |x: f32| x > 0.0 && x.is_finite(), |x: f32| x.to_string();
    Limit: |x| x, "be at least 0" unless |x: f32| x >= 0.0, limit_text;
    TurnLimit: |x| x * RADIANS_PER_DEGREE, "be at least 0" unless |x: f32| x >= 0.0, |x| limit_text(x * (180.0 / math::PI));
}

fn limit_text(limit: f32) -> String {
    if limit.is_infinite() { "no limit".to_owned() } else { limit.to_string() }
}

/// Reads a length above 0 as a plain number.
///
/// # Errors
///
/// If it is another number, or no number.
pub fn positive_length<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    PositiveLength::deserialize(deserializer).map(|length| length.0)
}

/// Reads `(x, y)` with both parts of one type.
fn pair<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<[T; 2], D::Error> {
    struct Pair<T>(std::marker::PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Pair<T> {
        type Value = [T; 2];

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("two numbers (x, y)")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let x = seq.next_element()?;
            let x = x.ok_or_else(|| A::Error::invalid_length(0, &self))?;
            let y = seq.next_element()?;
            let y = y.ok_or_else(|| A::Error::invalid_length(1, &self))?;
            Ok([x, y])
        }
    }

    deserializer.deserialize_tuple(2, Pair(std::marker::PhantomData))
}

macro_rules! pairs {
    ($($name:ident of $part:ident;)*) => {
        values! { $($name: "two numbers (x, y)";)* }

        $(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let [$part(x), $part(y)] = pair(deserializer)?;
                Ok(Self(Vec2::new(x, y)))
            }
        }
    )*};
}

pairs! {
    Point of Coordinate;
    FiniteVector of Finite;
    PositiveSize of PositiveLength;
    Size of Length;
}

/// An integer within bounds.
#[derive(Clone, Copy, Debug)]
pub struct BoundedInt<const MIN: u64, const MAX: u64>(u64);

/// A seed or a tick.
pub type Natural = BoundedInt<0, { u64::MAX }>;
/// A number of ticks, at least one.
pub type Ticks = BoundedInt<1, { u64::MAX }>;
/// A number of agents.
pub type Count = BoundedInt<0, { u32::MAX as u64 }>;
/// A number of runs with different seeds. More than the maximum would take too long.
pub type Seeds = BoundedInt<2, 1000>;
/// A number of things, at least one.
pub type AtLeastOne = BoundedInt<1, { u32::MAX as u64 }>;

/// The number of times that something has happened.
pub type Occurrences = BoundedInt<0, { 1 << 53 }>;
/// The index of a waypoint.
pub type Waypoint = BoundedInt<0, { i32::MAX as u64 }>;

impl<const MIN: u64, const MAX: u64> Described for BoundedInt<MIN, MAX> {
    fn shape() -> Shape {
        Shape::Value(BoundedIntVisitor::<MIN, MAX>.expected())
    }
}

impl<const MIN: u64, const MAX: u64> BoundedIntVisitor<MIN, MAX> {
    fn expected(&self) -> String {
        match MAX {
            // The upper limit is larger than any number that is written, so it is not named.
            0xFFFF_FFFF.. => format!("an integer of at least {MIN}"),
            _ => format!("an integer from {MIN} to {MAX}"),
        }
    }
}

impl<const MIN: u64, const MAX: u64> BoundedInt<MIN, MAX> {
    /// Returns the number.
    pub fn get(self) -> u64 {
        self.0
    }

    /// Returns the number, or the largest `u32` if it is larger.
    pub fn get_u32(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for BoundedInt<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // `any`, because a fraction would otherwise cause an error about a missing comma.
        deserializer.deserialize_any(BoundedIntVisitor::<MIN, MAX>).map(Self)
    }
}

struct BoundedIntVisitor<const MIN: u64, const MAX: u64>;

impl<const MIN: u64, const MAX: u64> Visitor<'_> for BoundedIntVisitor<MIN, MAX> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.expected())
    }

    fn visit_u64<E: Error>(self, x: u64) -> Result<u64, E> {
        if (MIN..=MAX).contains(&x) {
            Ok(x)
        } else if x > MAX {
            let most = format!("an integer of at most {MAX}");
            Err(E::invalid_value(Unexpected::Unsigned(x), &most.as_str()))
        } else {
            Err(E::invalid_value(Unexpected::Unsigned(x), &self))
        }
    }

    fn visit_i64<E: Error>(self, x: i64) -> Result<u64, E> {
        match u64::try_from(x) {
            Ok(x) => self.visit_u64(x),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(x), &self)),
        }
    }
}
