//! The colours: one set for light surroundings, one for dark.
//!
//! Agents have the colours of Okabe and Ito, "Color universal design" (2008), which people with any kind
//! of colour vision tell apart; each set leaves out those that its ground swallows.

/// A colour with its opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colour {
    /// From 0 to 255, as are green and blue.
    pub red: u8,
    pub green: u8,
    pub blue: u8,
    /// From 0, which nobody sees, to 255.
    pub alpha: u8,
}

impl Colour {
    /// An opaque colour, written as `0xRRGGBB`.
    const fn of(rgb: u32) -> Self {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Self { red, green, blue, alpha: 255 }
    }

    /// The same colour with another opacity, from 0 to 255.
    pub(crate) const fn alpha(self, alpha: u8) -> Self {
        Self { alpha, ..self }
    }

    /// As style sheets write it; the opacity is left out.
    pub(crate) fn css(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

/// What has which colour.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Palette {
    /// Where agents can be.
    pub ground: Colour,
    /// Beyond the edge of a world that has one.
    pub outside: Colour,
    /// The edge of the world.
    pub edge: Colour,
    /// The inside of obstacles.
    pub solid: Colour,
    /// Their outlines, and walls.
    pub wall: Colour,
    /// The middle of paths.
    pub path: Colour,
    /// How far a path reaches to either side.
    pub band: Colour,
    /// Letters, and the scale bar.
    pub ink: Colour,
    /// Letters that are not what to look at first.
    pub quiet: Colour,
    /// What lies over the world, to write on.
    pub panel: Colour,
    /// What to look at first.
    pub mark: Colour,
    /// What was expected, beside what has happened.
    pub past: Colour,
    groups: [Colour; 7],
}

/// Dark on a light ground.
pub(crate) const LIGHT: Palette = Palette {
    ground: Colour::of(0xfbfbf9),
    outside: Colour::of(0xefeeea),
    edge: Colour::of(0xb4b2ab),
    solid: Colour::of(0xd6d4cd),
    wall: Colour::of(0x8f8c84),
    path: Colour::of(0xa9a69d),
    band: Colour::of(0xe9e7e0),
    ink: Colour::of(0x3c3b38),
    quiet: Colour::of(0x73716b),
    panel: Colour::of(0xffffff).alpha(238),
    mark: Colour::of(0xc2185b),
    past: Colour::of(0x77756f),
    groups: [
        Colour::of(0x0072b2),
        Colour::of(0xd55e00),
        Colour::of(0x009e73),
        Colour::of(0xcc79a7),
        Colour::of(0xe69f00),
        Colour::of(0x56b4e9),
        Colour::of(0x4a4a4a),
    ],
};

/// Light on a dark ground.
pub(crate) const DARK: Palette = Palette {
    ground: Colour::of(0x17191d),
    outside: Colour::of(0x0f1013),
    edge: Colour::of(0x55585f),
    solid: Colour::of(0x363a42),
    wall: Colour::of(0x747982),
    path: Colour::of(0x5d626c),
    band: Colour::of(0x23262c),
    ink: Colour::of(0xd4d5d8),
    quiet: Colour::of(0x969aa3),
    panel: Colour::of(0x22252b).alpha(238),
    mark: Colour::of(0xff6f9c),
    past: Colour::of(0x9a9ea6),
    groups: [
        Colour::of(0x56b4e9),
        Colour::of(0xe69f00),
        Colour::of(0x009e73),
        Colour::of(0xcc79a7),
        Colour::of(0xf0e442),
        Colour::of(0xd55e00),
        Colour::of(0xc8c8c8),
    ],
};

impl Palette {
    /// The colour of a group by its place; with many groups they come again.
    pub(crate) fn group(&self, place: usize) -> Colour {
        self.groups[place % self.groups.len()]
    }

    /// The colours of groups, in their order.
    pub(crate) fn groups(&self) -> &[Colour] {
        &self.groups
    }
}
