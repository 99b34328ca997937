//! Text, drawn with the outlines of bundled fonts: the same on every machine, at any size.
//!
//! It writes single lines from left to right. The fonts have Latin, Greek and Cyrillic letters; others are shown as a box.

use std::sync::OnceLock;

use flockwork_core::math::{self, Vec2};
use tiny_skia::{Path, PathBuilder, Transform};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::stamps::{StampKind, StampShape};
use super::{Color, Picture};

/// Maximum font size of letters that are kept as stamps, in pixels; larger ones are rare.
const MAX_STAMP: f32 = 40.0;

/// By how much the lines of strong letters are thicker, as a part of the font size.
const STRONGER: f32 = 0.045;

/// Width of the border around letters that are over the world, in pixels.
const TEXT_HALO: f32 = 1.5;
/// Opacity of that border where it is drawn once, of 255.
const TEXT_HALO_ALPHA: u8 = 170;

/// A bundled font; see `font/OFL.txt` for their sources and licenses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typeface {
    /// Inter: each letter has its own width.
    Text,
    /// The same letters with thicker lines, for titles.
    Strong,
    /// JetBrains Mono: all letters have the same width, for source code.
    Code,
}

/// The end of a line that is at the given place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The line begins there.
    Left,
    /// The line ends there.
    Right,
}

/// Writes one line of text. `at` is a place on the base line, in pixels; `size` is the font size in pixels, about twice the
/// height of a lowercase letter.
pub fn text(picture: &mut Picture, at: Vec2, anchor: Anchor, size: f32, color: Color, line: &str) {
    let left = match anchor {
        Anchor::Left => at.x,
        Anchor::Right => at.x - text_width(line, size),
    };
    Typeface::Text.write(picture, Vec2::new(left, at.y), size, color, line);
}

/// Writes one line of text with a border around its letters, so that it is read over anything without hiding it. `at` is
/// where it begins on the base line.
pub(super) fn text_with_halo(
    picture: &mut Picture,
    at: Vec2,
    size: f32,
    color: Color,
    halo: Color,
    line: &str,
) {
    for turn in 0..8_u8 {
        let aside = math::direction(f32::from(turn) * math::PI / 4.0) * TEXT_HALO;
        text(picture, at + aside, Anchor::Left, size, halo.alpha(TEXT_HALO_ALPHA), line);
    }
    text(picture, at, Anchor::Left, size, color, line);
}

/// Returns the width of a line of text, in pixels.
pub fn text_width(line: &str, size: f32) -> f32 {
    Typeface::Text.width(line, size)
}

impl Typeface {
    /// Writes one line that starts at a place on the base line, in pixels.
    pub fn write(self, picture: &mut Picture, at: Vec2, size: f32, color: Color, line: &str) {
        // The lines of strong letters are thicker at both sides.
        let mut x = at.x + self.extra() * size / 2.0;
        let scale = self.scale(size);
        for glyph in self.glyphs(line) {
            if picture.scaled(size) > MAX_STAMP {
                if let Some(path) = self.letter(glyph, scale) {
                    let to = Transform::from_translate(x, at.y);
                    picture.outline(&path, to, color);
                }
            } else {
                let kind = StampKind::new(StampShape::Letter(self, glyph.0), size);
                let here = Vec2::new(x, at.y);
                picture.stamp(kind, here, color, || self.letter(glyph, scale));
            }
            x += self.advance(glyph) * scale + self.extra() * size;
        }
    }

    /// Returns by how much each letter is wider than in its font, as a part of the font size.
    fn extra(self) -> f32 {
        if self == Self::Strong { STRONGER } else { 0.0 }
    }

    /// Returns the width of a line, in pixels.
    pub fn width(self, line: &str, size: f32) -> f32 {
        let advance = |glyph| self.advance(glyph) * self.scale(size) + self.extra() * size;
        self.glyphs(line).map(advance).sum()
    }

    /// Returns the outline of a letter with the origin on its base line, in pixels; `None` for a letter without ink, such as
    /// a space.
    fn letter(self, glyph: GlyphId, scale: f32) -> Option<Path> {
        let mut outline = Outline(PathBuilder::new());
        self.face().outline_glyph(glyph, &mut outline)?;
        // The y axis of fonts points up.
        let to = Transform::from_scale(scale, -scale);
        let path = outline.0.finish()?.transform(to)?;
        if self != Self::Strong {
            return Some(path);
        }
        // Copies beside each other, which all turn the same way: an outline around them would turn the other way, and make holes.
        let aside = STRONGER / 2.0 * scale * f32::from(self.face().units_per_em());
        let mut all = PathBuilder::new();
        for (x, y) in [(-1.0, -0.5), (-1.0, 0.5), (1.0, -0.5), (1.0, 0.5)] {
            all.push_path(
                &path.clone().transform(Transform::from_translate(x * aside, y * aside))?,
            );
        }
        all.finish()
    }

    fn face(self) -> &'static Face<'static> {
        static FACES: [OnceLock<Face<'static>>; 2] = [OnceLock::new(), OnceLock::new()];
        let bytes: &[u8] = match self {
            Self::Text | Self::Strong => include_bytes!("font/inter.otf"),
            Self::Code => include_bytes!("font/jetbrains_mono.ttf"),
        };
        FACES[usize::from(self == Self::Code)]
            .get_or_init(|| Face::parse(bytes, 0).expect("the font in the program is whole"))
    }

    /// Returns the glyphs of a line. The first glyph of a font is the box for letters that it does not have.
    fn glyphs(self, line: &str) -> impl Iterator<Item = GlyphId> + '_ {
        line.chars().map(move |letter| self.face().glyph_index(letter).unwrap_or_default())
    }

    fn advance(self, glyph: GlyphId) -> f32 {
        f32::from(self.face().glyph_hor_advance(glyph).unwrap_or_default())
    }

    fn scale(self, size: f32) -> f32 {
        size / f32::from(self.face().units_per_em())
    }
}

/// Converts outlines of the font to paths of the rasterizer.
struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use super::super::LIGHT;
    use super::*;

    #[test]
    fn letters_of_code_have_the_same_width_and_their_own_shapes() {
        let width = Typeface::Code.width("iiiiii", 12.0);
        for line in ["WWWWWW", "l1O0{}", "ðβжéñß", "日日日日日日"] {
            assert_eq!(Typeface::Code.width(line, 12.0), width, "{line}");
        }
        assert!(Typeface::Text.width("iiiiii", 12.0) < width);
        // A picture keeps the shapes that it has drawn, of each font.
        let drawn = |faces: &[Typeface]| {
            let mut picture = Picture::new((400, 40), LIGHT.ground);
            for face in faces {
                picture.clear(LIGHT.ground);
                for letter in '!'..='~' {
                    let at = Vec2::new((letter as u32 * 3) as f32, 25.0);
                    face.write(&mut picture, at, 14.0, LIGHT.ink, &letter.to_string());
                }
            }
            picture.rgb().collect::<Vec<_>>()
        };
        let alone = drawn(&[Typeface::Code]);
        assert!(drawn(&[Typeface::Text, Typeface::Code]) == alone);
        assert!(drawn(&[Typeface::Text]) != alone);
    }

    /// A first try had holes where the lines of a letter were made thicker.
    #[test]
    fn strong_letters_have_more_ink_everywhere() {
        let ink = |face: Typeface, letter: char, size: f32| {
            let mut picture = Picture::new((60, 60), LIGHT.ground);
            face.write(&mut picture, Vec2::new(10.0, 45.0), size, LIGHT.ink, &letter.to_string());
            let dark = |pixel: u32| f32::from(LIGHT.ground.green) - f32::from((pixel >> 8) as u8);
            let all: Vec<f32> = picture.rgb().map(dark).collect();
            (all.iter().sum::<f32>(), all.into_iter().fold(0.0, math::max))
        };
        for letter in '!'..='~' {
            for size in [14.0, 44.0] {
                let (sum, darkest) = ink(Typeface::Text, letter, size);
                let (strong_sum, strong_darkest) = ink(Typeface::Strong, letter, size);
                assert!(strong_sum > 1.1 * sum, "{letter} at {size}: {sum}, {strong_sum}");
                assert!(strong_darkest >= darkest, "{letter} at {size}");
            }
        }
    }
}
