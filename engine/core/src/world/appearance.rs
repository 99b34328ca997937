//! How the agents of a group are drawn and its params are shown. No run reads it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Deserializer};

use super::{Agent, ParamRange, Value};
use crate::math::{self, Vec2};
use crate::number::Point;
use crate::schema::{Described, Shape, described};

described! {
    /// The shape of an agent in the window, in pictures and in reports. All shapes but polygons fit into a circle around the agent.
    #[derive(Clone, Debug, Default, PartialEq, Deserialize)]
    #[serde(rename = "shape")]
    pub enum AgentShape {
        /// A dart along the heading.
        #[default]
        Dart,
        /// A disc, which shows no heading.
        Disc,
        /// A triangle with its tip along the heading.
        Triangle,
        /// A square with two sides along the heading.
        Square,
        /// A car from above, with its length along the heading.
        Car,
        /// A person from above: a head, and shoulders across the heading.
        Person,
        /// A shape of your own, by its corners: x ahead and y to the left, in multiples of the size.
        Polygon(ShapeCorners),
    }
}

/// The corners of a shape, for a size of 1 and a heading along the x axis.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeCorners(pub Arc<[Vec2]>);

impl Described for ShapeCorners {
    fn shape() -> Shape {
        Vec::<Point>::shape()
    }
}

impl<'de> Deserialize<'de> for ShapeCorners {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let corners = Vec::<Point>::deserialize(deserializer)?;
        Ok(Self(corners.into_iter().map(|corner| corner.0).collect()))
    }
}

impl AgentShape {
    /// All shapes but polygons.
    pub const ALL: [Self; 6] =
        [Self::Dart, Self::Disc, Self::Triangle, Self::Square, Self::Car, Self::Person];

    /// Returns how far it reaches from the center of the agent, as a multiple of its size.
    pub fn reach(&self) -> f32 {
        match self {
            Self::Polygon(ShapeCorners(corners)) => {
                corners.iter().map(|corner| math::length(*corner)).fold(0.0, math::max)
            }
            _ => 1.0,
        }
    }
}

/// A color without an opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb {
    /// From 0 to 255.
    pub red: u8,
    /// From 0 to 255.
    pub green: u8,
    /// From 0 to 255.
    pub blue: u8,
}

impl Rgb {
    /// Returns a color between this one and another, which has a share from 0 to 1.
    #[must_use]
    pub fn mixed(self, other: Self, share: f32) -> Self {
        let mix =
            |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        Self {
            red: mix(self.red, other.red),
            green: mix(self.green, other.green),
            blue: mix(self.blue, other.blue),
        }
    }

    /// Reads a color in the form `#rrggbb` with hexadecimal digits. Returns `None` for any other text.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        if !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some(Self { red, green, blue })
    }
}

/// How the agents of a group are drawn and its params are shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Appearance {
    /// Their color; `None` for the color that the palette has for the group.
    pub color: Option<Rgb>,
    /// The colors that depend on a value of their public state, if there are such.
    pub color_by: Option<ColorRule>,
    /// Their shape.
    pub shape: AgentShape,
    /// The size of their shape, from the center to the nose, in world units; `None` for the radius of the body.
    pub size: Option<f32>,
    /// Groups with a higher number are drawn over those with a lower one.
    pub draw_order: u8,
    /// The value of their public state that is written beside them, by its name.
    pub label: Option<Arc<str>>,
    /// What is drawn around them.
    pub signs: Vec<AgentSign>,
    /// The ranges of the sliders of params, by the name of the param. Others are [guessed](ParamRange::guess).
    pub ranges: BTreeMap<Arc<str>, ParamRange>,
}

impl Appearance {
    /// Returns the size of the shape of an agent with a body of a radius, both in world units.
    pub fn size_of(&self, radius: f32) -> f32 {
        self.size.unwrap_or(radius)
    }
}

/// Colors for the values of a public state.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorRule {
    /// The name of the state.
    pub state: Arc<str>,
    /// Values, each with its color. Numbers are in ascending order.
    pub colors: Vec<(Value, Rgb)>,
}

impl ColorRule {
    /// Returns the color of a value. A number between two others has a color between theirs, and beyond the first and the last one it has
    /// that of those; any other value has a color only if it is among the values.
    pub fn color(&self, value: &Value) -> Option<Rgb> {
        let Value::Float(x) = *value else {
            return self.colors.iter().find(|(known, _)| known == value).map(|(_, color)| *color);
        };
        let number = |value: &Value| if let Value::Float(x) = value { *x } else { 0.0 };
        let after = self.colors.partition_point(|(known, _)| number(known) <= x);
        let above = self.colors.get(after).or(self.colors.last())?;
        let below = self.colors.get(after.saturating_sub(1))?;
        let (low, high) = (number(&below.0), number(&above.0));
        let share = if high > low { ((x - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
        Some(below.1.mixed(above.1, share))
    }
}

/// Something that is drawn around an agent.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentSign {
    /// A line to the agent or the point in a public state.
    Line {
        /// The name of the state.
        to: Arc<str>,
    },
    /// A circle.
    Circle {
        /// The radius, in world units.
        radius: SignSize,
    },
    /// A sector around the heading, as far as obstacles do not hide it.
    Cone {
        /// The radius, in world units.
        radius: SignSize,
        /// The angle between its sides, in degrees.
        angle_deg: SignSize,
    },
}

/// A length or an angle of a sign.
#[derive(Clone, Debug, PartialEq)]
pub enum SignSize {
    /// A number.
    Fixed(f32),
    /// The number in a public state or a param.
    Named(Arc<str>),
}

impl SignSize {
    /// Returns it for an agent; 0 if it has no such number, or a negative one.
    pub fn of(&self, agent: &Agent<'_>) -> f32 {
        let size = match self {
            Self::Fixed(size) => *size,
            Self::Named(name) => match agent.state(name).or_else(|| agent.param(name)) {
                Some(Value::Float(x)) => x,
                Some(Value::Int(x)) => x as f32,
                _ => 0.0,
            },
        };
        if size.is_finite() { math::max(size, 0.0) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_colors_between_those_of_the_rule() {
        let rgb = |red| Rgb { red, green: 0, blue: 0 };
        let rule = |colors: &[(Value, u8)]| ColorRule {
            state: "x".into(),
            colors: colors.iter().map(|(value, red)| (value.clone(), rgb(*red))).collect(),
        };
        let numbers =
            rule(&[(Value::Float(1.0), 10), (Value::Float(3.0), 20), (Value::Float(4.0), 0)]);
        for (x, red) in [(-5.0, 10), (1.0, 10), (2.0, 15), (3.0, 20), (3.5, 10), (4.0, 0), (1e9, 0)]
        {
            assert_eq!(numbers.color(&Value::Float(x)), Some(rgb(red)), "{x}");
        }
        let words = rule(&[(Value::String("a".into()), 1), (Value::String("b".into()), 2)]);
        assert_eq!(words.color(&Value::String("b".into())), Some(rgb(2)));
        assert_eq!(words.color(&Value::String("c".into())), None);
        assert_eq!(rule(&[]).color(&Value::Float(1.0)), None);
    }

    #[test]
    fn colors_have_six_hexadecimal_digits() {
        assert_eq!(Rgb::from_hex("#e69F00"), Some(Rgb { red: 230, green: 159, blue: 0 }));
        for wrong in ["", "#", "e69f00", "#e69f0", "#e69f001", "#+69f00", "#e69g00", "#ééé", "red"]
        {
            assert_eq!(Rgb::from_hex(wrong), None, "{wrong}");
        }
    }
}
