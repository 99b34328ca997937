//! The colors: a light and a dark palette.
//!
//! Agents have the colors of Okabe and Ito, "Color universal design" (2008), which people with any kind
//! of color vision can tell apart. Each palette leaves out those that are hard to see on its ground, or makes them darker.
//! Text has a contrast of at least 4.5:1 and marks of at least 3:1, as the Web Content Accessibility Guidelines ask for.

use flockwork_core::math;
use flockwork_core::sim::ForceShare;
use flockwork_core::world::{Group, GroupId, Rgb};

/// A color with an opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// From 0 to 255.
    pub red: u8,
    /// From 0 to 255.
    pub green: u8,
    /// From 0 to 255.
    pub blue: u8,
    /// Opacity from 0, invisible, to 255, opaque.
    pub alpha: u8,
}

impl Color {
    /// Returns an opaque color, written as `0xRRGGBB`.
    const fn of(number: u32) -> Self {
        let Rgb { red, green, blue } = rgb(number);
        Self { red, green, blue, alpha: 255 }
    }

    /// Returns the color with another opacity, from 0 to 255.
    pub const fn alpha(self, alpha: u8) -> Self {
        Self { alpha, ..self }
    }

    /// Returns the color in the syntax of CSS, without the opacity.
    pub fn css(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

/// Returns a color without an opacity, written as `0xRRGGBB`.
const fn rgb(number: u32) -> Rgb {
    let [_, red, green, blue] = number.to_be_bytes();
    Rgb { red, green, blue }
}

/// The contrast to the ground below which a mark can hardly be seen.
const FAINT: f32 = 2.5;

/// Returns about the contrast of two colors as the guidelines define it. It takes no powers, since it is asked for each agent.
fn contrast_about(a: Color, b: Color) -> f32 {
    let luminance = |color: Color| {
        let [red, green, blue] = [color.red, color.green, color.blue].map(|channel| {
            let x = f32::from(channel) / 255.0;
            x * x
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (a, b) = (luminance(a), luminance(b));
    (math::max(a, b) + 0.05) / (math::min(a, b) + 0.05)
}

impl From<Rgb> for Color {
    fn from(Rgb { red, green, blue }: Rgb) -> Self {
        Self { red, green, blue, alpha: 255 }
    }
}

/// The colors of everything that is drawn.
#[derive(Debug, PartialEq, Eq)]
pub struct Palette {
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
    /// Words of what cannot be done now.
    pub disabled: Color,
    /// Background of panels over the world.
    pub panel: Color,
    /// The color of failures and errors, and of what a person has marked in the world.
    pub highlight: Color,
    /// The color of what a person acts with: the text cursor, the open tab, the place of the pointer.
    pub accent: Color,
    /// The color of warnings.
    pub warning: Color,
    /// The color of what has become better.
    pub good: Color,
    /// Trajectories shown for comparison.
    pub ghost: Color,
    /// Colors of the groups, in order.
    groups: [Color; 7],
    /// Colors of the shares of a force, in order; none of them is like that of a group.
    forces: [Color; ForceShare::COLORS],
    /// Colors of numbers: a low one, one in the middle, and a high one, which has the greatest contrast.
    pub(super) ramp: [Rgb; 3],
}

/// The light palette: dark colors on a light ground.
pub const LIGHT: Palette = Palette {
    ground: Color::of(0xfbfbf9),
    outside: Color::of(0xefeeea),
    edge: Color::of(0x8a8881),
    solid: Color::of(0xd6d4cd),
    wall: Color::of(0x87847c),
    path: Color::of(0x8b887f),
    band: Color::of(0xe9e7e0),
    ink: Color::of(0x3c3b38),
    quiet: Color::of(0x6b6963),
    disabled: Color::of(0xa9a7a1),
    panel: Color::of(0xffffff),
    highlight: Color::of(0xc2185b),
    accent: Color::of(0x0072b2),
    warning: Color::of(0x8f5a00),
    good: Color::of(0x1f6010),
    ghost: Color::of(0x8a8881),
    groups: [
        Color::of(0x0072b2),
        Color::of(0xd55e00),
        Color::of(0x00936b),
        Color::of(0xc0609a),
        Color::of(0x60480c),
        Color::of(0x6c1878),
        Color::of(0x4a4a4a),
    ],
    forces: [
        Color::of(0x6f4bd8),
        Color::of(0x6b6b00),
        Color::of(0xe000b0),
        Color::of(0x3f7d20),
        Color::of(0x332288),
        Color::of(0x8a4b2a),
    ],
    ramp: [rgb(0xc98a00), rgb(0xb8325f), rgb(0x1c1050)],
};

/// The dark palette: light colors on a dark ground.
pub const DARK: Palette = Palette {
    ground: Color::of(0x17191d),
    outside: Color::of(0x0f1013),
    edge: Color::of(0x666a72),
    solid: Color::of(0x363a42),
    wall: Color::of(0x747982),
    path: Color::of(0x666b76),
    band: Color::of(0x23262c),
    ink: Color::of(0xd4d5d8),
    quiet: Color::of(0x969aa3),
    disabled: Color::of(0x61656d),
    panel: Color::of(0x22252b),
    highlight: Color::of(0xff6f9c),
    accent: Color::of(0x56b4e9),
    warning: Color::of(0xe8b04a),
    good: Color::of(0x8ee05a),
    ghost: Color::of(0x6e727b),
    groups: [
        Color::of(0x56b4e9),
        Color::of(0xe69f00),
        Color::of(0x009e73),
        Color::of(0xcc79a7),
        Color::of(0xf0e442),
        Color::of(0xd55e00),
        Color::of(0xc8c8c8),
    ],
    forces: [
        Color::of(0xa79cff),
        Color::of(0xc9d07a),
        Color::of(0xffb3e6),
        Color::of(0x79d060),
        Color::of(0x7fe0c0),
        Color::of(0xff9d7a),
    ],
    ramp: [rgb(0x6a5fd0), rgb(0xe0658a), rgb(0xffe890)],
};

impl Palette {
    /// Returns the color of a layer that has none of its own, by its index.
    pub(super) fn of_layer(&self, index: usize) -> Color {
        self.groups[(index + 2) % self.groups.len()]
    }

    /// Returns the color of one of the groups of a world: its own, or else that of the palette for its number.
    pub fn color_of(&self, groups: &[Group], id: GroupId) -> Color {
        let group = groups.get(usize::from(id.0));
        self.color(group.and_then(|group| group.appearance.color), id.0.into())
    }

    /// Returns a group's own color, or else that of the palette for its number.
    pub fn color(&self, own: Option<Rgb>, number: usize) -> Color {
        own.map_or_else(|| self.group(number), Color::from)
    }

    /// Returns whether a color, such as one that a scenario has chosen, can hardly be seen on the ground.
    pub(super) fn is_faint(&self, color: Color) -> bool {
        contrast_about(color, self.ground) < FAINT
    }

    /// Returns the color of a border around marks of a color, if these can hardly be seen without one.
    pub fn border_of(&self, color: Color) -> Option<Color> {
        self.is_faint(color).then_some(self.ink)
    }

    /// Returns the colors of the groups of a world, in order.
    pub fn colors_of(&self, groups: &[Group]) -> Vec<Color> {
        (0..).zip(groups).map(|(id, _)| self.color_of(groups, GroupId(id))).collect()
    }

    /// Returns the color that the palette has for a group by its number; with many groups, colors repeat.
    pub fn group(&self, place: usize) -> Color {
        self.groups[place % self.groups.len()]
    }

    /// Returns the color of a share of a force.
    pub fn share(&self, share: &ForceShare<'_>) -> Color {
        if share.is_rest() { self.ghost } else { self.forces[share.color] }
    }

    /// Returns the colors of shares of forces.
    pub fn forces(&self) -> &[Color] {
        &self.forces
    }

    /// Returns the colors that the palette has for groups, in order.
    pub fn groups(&self) -> &[Color] {
        &self.groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channels(color: Color) -> [f32; 3] {
        [color.red, color.green, color.blue].map(|channel| {
            let x = f32::from(channel) / 255.0;
            if x <= 0.04045 { x / 12.92 } else { math::pow((x + 0.055) / 1.055, 2.4) }
        })
    }

    /// The relative luminance, as WCAG 2.2 defines it.
    fn luminance(color: Color) -> f32 {
        let [red, green, blue] = channels(color);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(a: Color, b: Color) -> f32 {
        let (a, b) = (luminance(a), luminance(b));
        let (light, dark) = if a > b { (a, b) } else { (b, a) };
        (light + 0.05) / (dark + 0.05)
    }

    /// How people with normal sight see linear red, green and blue, and those to whom one kind of cones is missing: for red (protanopia), green
    /// (deuteranopia) and blue (tritanopia). Machado, Oliveira and Fernandes 2009, severity 1.
    const SIGHTS: [(&str, [[f32; 3]; 3]); 4] = [
        ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protan",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "deutan",
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_82, 0.042_94, 0.968_881],
            ],
        ),
        (
            "tritan",
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_9],
            ],
        ),
    ];

    /// The color in CIELAB, where equal distances look equally different, as it is seen.
    fn lab(color: Color, sight: &[[f32; 3]; 3]) -> [f32; 3] {
        let linear = channels(color);
        let seen = |row: &[f32; 3]| {
            row.iter().zip(linear).map(|(part, x)| part * x).sum::<f32>().clamp(0.0, 1.0)
        };
        let [red, green, blue] = [seen(&sight[0]), seen(&sight[1]), seen(&sight[2])];
        let [x, y, z] = [
            (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
        ]
        .map(|t| if t > 0.008856 { math::pow(t, 1.0 / 3.0) } else { 7.787 * t + 16.0 / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn difference(a: Color, b: Color, sight: &[[f32; 3]; 3]) -> f32 {
        let (a, b) = (lab(a, sight), lab(b, sight));
        math::sqrt(a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum())
    }

    #[test]
    fn contrasts_are_those_of_the_guidelines() {
        assert!((contrast(Color::of(0xffffff), Color::of(0x000000)) - 21.0).abs() < 1e-4);
        // The lightest gray that is allowed for text on white.
        assert!((contrast(Color::of(0xffffff), Color::of(0x767676)) - 4.54).abs() < 0.005);
        for (name, palette) in [("light", &LIGHT), ("dark", &DARK)] {
            let grounds = [palette.ground, palette.outside, palette.panel];
            for (i, ground) in grounds.into_iter().enumerate() {
                let texts =
                    [palette.ink, palette.quiet, palette.highlight, palette.warning, palette.good];
                for text in texts {
                    let found = contrast(text, ground);
                    assert!(found >= 4.5, "{name}: text {} on ground {i}: {found}", text.css());
                }
                let lines = [palette.wall, palette.ghost, palette.accent];
                let marks = lines.iter().chain(&palette.groups).chain(&palette.forces);
                let ramp: Vec<Color> = palette.ramp[1..].iter().copied().map(Color::from).collect();
                let marks = marks.chain(&ramp);
                for mark in marks {
                    let found = contrast(*mark, ground);
                    assert!(found >= 3.0, "{name}: mark {} on ground {i}: {found}", mark.css());
                }
            }
            // What cannot be done now had the color of less important text that can be clicked.
            let disabled = contrast(palette.disabled, palette.panel);
            assert!((2.0..3.0).contains(&disabled), "{name}: {disabled}");
            assert!(contrast(palette.quiet, palette.disabled) >= 1.8, "{name}");
            // Params that are changed have this color, on panels.
            assert!(contrast(palette.group(0), palette.panel) >= 4.5, "{name}");
            for line in [palette.path, palette.edge] {
                for ground in [palette.ground, palette.outside] {
                    let found = contrast(line, ground);
                    assert!(found >= 3.0, "{name}: line {}: {found}", line.css());
                }
            }
        }
    }

    #[test]
    fn yellow_is_faint_on_a_light_ground_only() {
        let [yellow, blue, black] = [0xf0e442, 0x0072b2, 0x202020].map(Color::of);
        assert_eq!([yellow, blue, black].map(|color| LIGHT.is_faint(color)), [true, false, false]);
        assert_eq!([yellow, blue, black].map(|color| DARK.is_faint(color)), [false, false, true]);
        for palette in [&LIGHT, &DARK] {
            assert!(!palette.groups().iter().any(|color| palette.is_faint(*color)));
        }
    }

    #[test]
    fn colors_of_forces_and_groups_are_different() {
        for (name, palette) in [("light", &LIGHT), ("dark", &DARK)] {
            let mut all: Vec<Color> = palette.groups.to_vec();
            all.extend(palette.forces);
            all.push(palette.highlight);
            for (i, a) in all.iter().enumerate() {
                for b in &all[..i] {
                    let found = difference(*a, *b, &SIGHTS[0].1);
                    assert!(found >= 20.0, "{name}: {} and {}: {found}", a.css(), b.css());
                }
            }
        }
    }

    /// Caught: the arrows of `average` differed by 4 from a color of a medium speed.
    #[test]
    fn colors_of_forces_are_not_on_the_ramp() {
        for (name, palette) in [("light", &LIGHT), ("dark", &DARK)] {
            for (from, to) in palette.ramp.iter().zip(&palette.ramp[1..]) {
                for step in 0..=10 {
                    let share = step as f32 / 10.0;
                    let mix = |a: u8, b: u8| {
                        (f32::from(a) * (1.0 - share) + f32::from(b) * share).round() as u8
                    };
                    let on_ramp = Color::from(Rgb {
                        red: mix(from.red, to.red),
                        green: mix(from.green, to.green),
                        blue: mix(from.blue, to.blue),
                    });
                    for force in palette.forces {
                        let found = difference(force, on_ramp, &SIGHTS[0].1);
                        let (force, on_ramp) = (force.css(), on_ramp.css());
                        assert!(found >= 13.0, "{name}: {force} and {on_ramp}: {found}");
                    }
                }
            }
        }
    }

    #[test]
    fn everybody_can_tell_better_from_worse() {
        for (name, palette) in [("light", &LIGHT), ("dark", &DARK)] {
            for (sight, seen) in &SIGHTS {
                for other in [palette.highlight, palette.group(0), palette.ink] {
                    let found = difference(palette.good, other, seen);
                    assert!(found >= 18.0, "{name}, {sight}: {}: {found}", other.css());
                }
            }
        }
    }

    /// Caught: the second and the fifth color differed by 2 for people without cones for red.
    #[test]
    fn everybody_can_tell_groups_apart() {
        for (name, palette) in [("light", &LIGHT), ("dark", &DARK)] {
            for (sight, seen) in &SIGHTS {
                for (i, a) in palette.groups.iter().enumerate() {
                    for b in &palette.groups[..i] {
                        let found = difference(*a, *b, seen);
                        let (a, b) = (a.css(), b.css());
                        assert!(found >= 13.0, "{name}, {sight}: {a} and {b}: {found}");
                    }
                }
            }
        }
    }
}
