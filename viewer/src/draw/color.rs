//! The colors: one set for light surroundings, one for dark.
//!
//! Agents have the colors of Okabe and Ito, "Color universal design" (2008), which people with any kind
//! of color vision tell apart; each set leaves out those that its ground swallows.

/// A color with its opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Color {
    /// From 0 to 255, as are green and blue.
    pub red: u8,
    pub green: u8,
    pub blue: u8,
    /// From 0, which nobody sees, to 255.
    pub alpha: u8,
}

impl Color {
    /// An opaque color, written as `0xRRGGBB`.
    const fn of(rgb: u32) -> Self {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Self { red, green, blue, alpha: 255 }
    }

    /// The same color with another opacity, from 0 to 255.
    pub(crate) const fn alpha(self, alpha: u8) -> Self {
        Self { alpha, ..self }
    }

    /// As style sheets write it; the opacity is left out.
    pub(crate) fn css(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

/// What has which color.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Palette {
    /// Where agents can be.
    pub ground: Color,
    /// Beyond the edge of a world that has one.
    pub outside: Color,
    /// The edge of the world.
    pub edge: Color,
    /// The inside of obstacles.
    pub solid: Color,
    /// Their outlines, and walls.
    pub wall: Color,
    /// The middle of paths.
    pub path: Color,
    /// How far a path reaches to either side.
    pub band: Color,
    /// Letters, and the scale bar.
    pub ink: Color,
    /// Letters that are not what to look at first.
    pub quiet: Color,
    /// What lies over the world, to write on.
    pub panel: Color,
    /// What to look at first.
    pub highlight: Color,
    /// What was expected, beside what has happened.
    pub ghost: Color,
    groups: [Color; 7],
}

/// Dark on a light ground.
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

/// Light on a dark ground.
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
    /// The color of a group by its place; with many groups they come again.
    pub(crate) fn group(&self, place: usize) -> Color {
        self.groups[place % self.groups.len()]
    }

    /// The colors of groups, in their order.
    pub(crate) fn groups(&self) -> &[Color] {
        &self.groups
    }
}
