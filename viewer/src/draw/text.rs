//! Text, drawn with the outlines of a bundled font: the same on every machine, at any size.
//!
//! It writes single lines from left to right. The font has Latin, Greek and Cyrillic letters; others are shown as a box.

use std::sync::OnceLock;

use flockwork_engine::math::Vec2;
use tiny_skia::{Path, PathBuilder, Transform};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::stamps::{StampKind, StampShape};
use super::{Color, Picture};

/// The font Inter; see `font/OFL.txt` for its source and license.
static FONT: &[u8] = include_bytes!("font/inter.otf");

/// Maximum font size of letters that are kept as stamps, in pixels; larger ones are rare.
const MAX_STAMP: f32 = 40.0;

/// The end of a line that is at the given place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Left,
    Right,
}

/// Writes one line of text. `at` is a place on the base line, in pixels; `size` is the font size in pixels, about twice the
/// height of a lowercase letter.
pub(crate) fn text(
    picture: &mut Picture,
    at: Vec2,
    anchor: Anchor,
    size: f32,
    color: Color,
    line: &str,
) {
    let mut x = match anchor {
        Anchor::Left => at.x,
        Anchor::Right => at.x - text_width(line, size),
    };
    let scale = scale(size);
    for glyph in glyphs(line) {
        if picture.scaled(size) > MAX_STAMP {
            if let Some(path) = letter(glyph, scale) {
                let to = Transform::from_translate(x, at.y);
                picture.outline(&path, to, color);
            }
        } else {
            let kind = StampKind::new(StampShape::Letter(glyph.0), size);
            let here = Vec2::new(x, at.y);
            picture.stamp(kind, here, color, || letter(glyph, scale));
        }
        x += advance(glyph) * scale;
    }
}

/// Returns the outline of a letter with the origin on its base line, in pixels; `None` for a letter without ink, such as a
/// space.
fn letter(glyph: GlyphId, scale: f32) -> Option<Path> {
    let mut outline = Outline(PathBuilder::new());
    face().outline_glyph(glyph, &mut outline)?;
    // The y axis of fonts points up.
    let to = Transform::from_scale(scale, -scale);
    outline.0.finish()?.transform(to)
}

/// Returns the width of a line of text, in pixels.
pub(crate) fn text_width(line: &str, size: f32) -> f32 {
    glyphs(line).map(advance).sum::<f32>() * scale(size)
}

fn face() -> &'static Face<'static> {
    static FACE: OnceLock<Face<'static>> = OnceLock::new();
    FACE.get_or_init(|| Face::parse(FONT, 0).expect("the font in the program is whole"))
}

/// Returns the glyphs of a line. The first glyph of the font is the box for letters that it does not have.
fn glyphs(line: &str) -> impl Iterator<Item = GlyphId> + '_ {
    line.chars().map(|letter| face().glyph_index(letter).unwrap_or_default())
}

fn advance(glyph: GlyphId) -> f32 {
    f32::from(face().glyph_hor_advance(glyph).unwrap_or_default())
}

fn scale(size: f32) -> f32 {
    size / f32::from(face().units_per_em())
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
