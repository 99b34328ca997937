//! How the agents of a group are drawn. No run reads it.

use crate::schema::described;

described! {
    /// The shape of an agent in the window, in pictures and in reports. All shapes fit into a circle around the agent.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
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
    }
}

impl AgentShape {
    /// All shapes.
    pub const ALL: [Self; 6] =
        [Self::Dart, Self::Disc, Self::Triangle, Self::Square, Self::Car, Self::Person];
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

/// How the agents of a group are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Appearance {
    /// Their color; `None` for the color that the palette has for the group.
    pub color: Option<Rgb>,
    /// Their shape.
    pub shape: AgentShape,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_have_six_hexadecimal_digits() {
        assert_eq!(Rgb::from_hex("#e69F00"), Some(Rgb { red: 230, green: 159, blue: 0 }));
        for wrong in ["", "#", "e69f00", "#e69f0", "#e69f001", "#+69f00", "#e69g00", "#ééé", "red"]
        {
            assert_eq!(Rgb::from_hex(wrong), None, "{wrong}");
        }
    }
}
