//! Pixels, and the few shapes that everything is drawn with.

use flockwork::math::{self, Vec2};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash,
    Transform,
};

use super::Colour;

/// The longest side of a picture, in pixels.
const LONGEST: u32 = 10_000;
/// Beyond so many pixels from the picture shapes are cut, since the rasteriser's numbers end.
const FAR: f32 = 20_000.0;

/// A rectangle of pixels to draw on. Places and lengths are in pixels, from the upper left corner.
pub(crate) struct Picture {
    pixels: Pixmap,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pen {
    /// Its colour.
    pub colour: Colour,
    /// Its width, in pixels.
    pub width: f32,
    /// The length of its dashes, in pixels; none for a line in one piece.
    pub dash: Option<f32>,
}

impl Pen {
    /// A line in one piece.
    pub(crate) fn new(colour: Colour, width: f32) -> Self {
        Self {
            colour,
            width,
            dash: None,
        }
    }
}

impl Picture {
    /// A picture of one colour. A side is at least 1 and at most 10000 pixels long.
    pub(crate) fn new((width, height): (u32, u32), ground: Colour) -> Self {
        let (width, height) = (width.clamp(1, LONGEST), height.clamp(1, LONGEST));
        let mut pixels = Pixmap::new(width, height).expect("sides within limits make a picture");
        pixels.fill(color(ground));
        Self { pixels }
    }

    /// Width and height in pixels.
    pub(crate) fn size(&self) -> (u32, u32) {
        (self.pixels.width(), self.pixels.height())
    }

    /// Fills all of it.
    pub(crate) fn clear(&mut self, colour: Colour) {
        self.pixels.fill(color(colour));
    }

    /// Fills a polygon.
    pub(crate) fn polygon(&mut self, corners: &[Vec2], colour: Colour) {
        self.fill(lines(corners, true), colour);
    }

    /// Fills everything but a rectangle.
    pub(crate) fn all_but(&mut self, a: Vec2, b: Vec2, colour: Colour) {
        let mut builder = PathBuilder::new();
        for (a, b) in [(Vec2::splat(-FAR), Vec2::splat(FAR)), (a, b)] {
            let (a, b) = (tame(a), tame(b));
            builder.move_to(a.x, a.y);
            builder.line_to(b.x, a.y);
            builder.line_to(b.x, b.y);
            builder.line_to(a.x, b.y);
            builder.close();
        }
        self.fill(builder.finish(), colour);
    }

    /// Fills a disc.
    pub(crate) fn disc(&mut self, at: Vec2, radius: f32, colour: Colour) {
        self.fill(circle(at, radius), colour);
    }

    /// Draws the outline of a disc.
    pub(crate) fn circle(&mut self, at: Vec2, radius: f32, pen: Pen) {
        self.stroke(circle(at, radius), pen);
    }

    /// Draws a line from point to point, and back to the first if it is closed.
    pub(crate) fn line(&mut self, points: &[Vec2], closed: bool, pen: Pen) {
        self.stroke(lines(points, closed), pen);
    }

    /// Fills an outline that was made elsewhere, letters for example. What two of its loops enclose that
    /// run in opposite directions is a hole.
    pub(super) fn outline(&mut self, outline: &Path, to: Transform, colour: Colour) {
        let rule = FillRule::Winding;
        self.pixels
            .fill_path(outline, &paint(colour), rule, to, None);
    }

    /// The file's bytes, as PNG.
    pub(crate) fn png(&self) -> Vec<u8> {
        self.pixels
            .encode_png()
            .expect("a picture in memory can be encoded")
    }

    /// Row by row from the top, each pixel as `0x00RRGGBB`.
    #[cfg(test)]
    pub(crate) fn rgb(&self) -> impl Iterator<Item = u32> + '_ {
        // The ground is opaque, so that nothing is left to be mixed in.
        self.pixels
            .pixels()
            .iter()
            .map(|pixel| u32::from_be_bytes([0, pixel.red(), pixel.green(), pixel.blue()]))
    }

    fn fill(&mut self, path: Option<Path>, colour: Colour) {
        let Some(path) = path else { return };
        let (rule, as_it_is) = (FillRule::EvenOdd, Transform::identity());
        self.pixels
            .fill_path(&path, &paint(colour), rule, as_it_is, None);
    }

    fn stroke(&mut self, path: Option<Path>, pen: Pen) {
        let Some(path) = path else { return };
        let stroke = Stroke {
            width: math::min(pen.width, FAR),
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            dash: pen
                .dash
                .and_then(|dash| StrokeDash::new(vec![dash, 1.5 * dash + pen.width], 0.0)),
            ..Stroke::default()
        };
        let as_it_is = Transform::identity();
        self.pixels
            .stroke_path(&path, &paint(pen.colour), &stroke, as_it_is, None);
    }
}

/// A line from point to point; none of fewer than two.
fn lines(points: &[Vec2], closed: bool) -> Option<Path> {
    let (first, rest) = points.split_first()?;
    let mut builder = PathBuilder::new();
    let first = tame(*first);
    builder.move_to(first.x, first.y);
    for at in rest {
        let at = tame(*at);
        builder.line_to(at.x, at.y);
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

fn circle(at: Vec2, radius: f32) -> Option<Path> {
    let at = tame(at);
    PathBuilder::from_circle(at.x, at.y, math::min(radius, FAR))
}

/// A place within the numbers of the rasteriser.
fn tame(at: Vec2) -> Vec2 {
    let tame = |x: f32| if x.is_nan() { 0.0 } else { x.clamp(-FAR, FAR) };
    Vec2::new(tame(at.x), tame(at.y))
}

fn color(colour: Colour) -> Color {
    Color::from_rgba8(colour.red, colour.green, colour.blue, colour.alpha)
}

fn paint(colour: Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(color(colour));
    paint
}
