//! The colors: a light and a dark palette.
//!
//! Agents have the colors of Okabe and Ito, "Color universal design" (2008), which people with any kind
//! of color vision can tell apart; each palette leaves out those that are hard to see on its ground.

/// A color with an opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Color {
    /// From 0 to 255, like green and blue.
    pub red: u8,
    pub green: u8,
    pub blue: u8,
    /// Opacity from 0, invisible, to 255, opaque.
    pub alpha: u8,
}

impl Color {
    /// Returns an opaque color, written as `0xRRGGBB`.
    const fn of(rgb: u32) -> Self {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Self { red, green, blue, alpha: 255 }
    }

    /// Returns the color with another opacity, from 0 to 255.
    pub(crate) const fn alpha(self, alpha: u8) -> Self {
        Self { alpha, ..self }
    }

    /// Returns the color in the syntax of CSS, without the opacity.
    pub(crate) fn css(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

/// The colors of everything that is drawn.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Palette {
    /// The inside of the world.
    pub ground: Color,
    /// The outside of a world whose edge is not open.
    pub outside: Color,
    /// The edge of the world.
    pub edge: Color,
    /// The inside of obstacles.
    pub solid: Color,
    /// Outlines of obstacles, and walls.
    pub wall: Color,
    /// The center line of paths.
    pub path: Color,
    /// The band that a path covers to either side.
    pub band: Color,
    /// Text, and the scale bar.
    pub ink: Color,
    /// Less important text.
    pub quiet: Color,
    /// Background of panels over the world.
    pub panel: Color,
    /// What the viewer should look at first.
    pub highlight: Color,
    /// Trajectories shown for comparison.
    pub ghost: Color,
    /// Colors of the groups, in order.
    groups: [Color; 7],
}

/// The light palette: dark colors on a light ground.
pub(crate) const LIGHT: Palette = Palette {
    ground: Color::of(0xfbfbf9),
    outside: Color::of(0xefeeea),
    edge: Color::of(0xb4b2ab),
    solid: Color::of(0xd6d4cd),
    wall: Color::of(0x8f8c84),
    path: Color::of(0xa9a69d),
    band: Color::of(0xe9e7e0),
    ink: Color::of(0x3c3b38),
    quiet: Color::of(0x73716b),
    panel: Color::of(0xffffff).alpha(238),
    highlight: Color::of(0xc2185b),
    ghost: Color::of(0x77756f),
    groups: [
        Color::of(0x0072b2),
        Color::of(0xd55e00),
        Color::of(0x009e73),
        Color::of(0xcc79a7),
        Color::of(0xe69f00),
        Color::of(0x56b4e9),
        Color::of(0x4a4a4a),
    ],
};

/// The dark palette: light colors on a dark ground.
pub(crate) const DARK: Palette = Palette {
    ground: Color::of(0x17191d),
    outside: Color::of(0x0f1013),
    edge: Color::of(0x55585f),
    solid: Color::of(0x363a42),
    wall: Color::of(0x747982),
    path: Color::of(0x5d626c),
    band: Color::of(0x23262c),
    ink: Color::of(0xd4d5d8),
    quiet: Color::of(0x969aa3),
    panel: Color::of(0x22252b).alpha(238),
    highlight: Color::of(0xff6f9c),
    ghost: Color::of(0x9a9ea6),
    groups: [
        Color::of(0x56b4e9),
        Color::of(0xe69f00),
        Color::of(0x009e73),
        Color::of(0xcc79a7),
        Color::of(0xf0e442),
        Color::of(0xd55e00),
        Color::of(0xc8c8c8),
    ],
};

impl Palette {
    /// Returns the color of a group by its number; with many groups, colors repeat.
    pub(crate) fn group(&self, place: usize) -> Color {
        self.groups[place % self.groups.len()]
    }

    /// Returns the colors of groups, in order.
    pub(crate) fn groups(&self) -> &[Color] {
        &self.groups
    }
}
