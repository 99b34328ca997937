//! The picture: pixels, and the basic shapes that everything is drawn with.

use flockwork_core::math::{self, Vec2};
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

use super::Color;
use super::arrow_names::NamePlaces;
use super::blend::{Ink, Pixel};
use super::clip::{ClipRect, LinePiece};
use super::density::Density;
use super::stamps::{StampKind, Stamps};
use super::trails::Layer;

/// Maximum width and height of a picture, in pixels.
const MAX_SIDE: u32 = 16_384;
/// Margin around a picture in which shapes are not cut, in pixels.
const CLIP_MARGIN: f32 = 64.0;
/// Lines wider and circles larger than this are built from polygons that can be cut, in pixels.
const WIDE: f32 = 500.0;

/// A rectangle of pixels to draw on. Places and lengths are in pixels, from the upper left corner.
///
/// For a screen with small pixels, a picture has a scale: then all places and lengths that it is given are multiplied by it
/// before anything is rasterized. So what is drawn is larger, and as sharp as the screen allows.
///
/// A picture caches small shapes, and knows where names of arrows stood last. To draw frame after frame, use the same picture.
pub struct Picture {
    pixels: Pixmap,
    /// Pixels per unit of the places and lengths.
    scale: f32,
    stamps: Stamps,
    layer: Layer,
    density: Density,
    /// Where names of arrows stood last, so that they do not jump.
    pub(super) name_places: NamePlaces,
}

/// Color and style of a line.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    /// Color.
    pub color: Color,
    /// Width, in pixels.
    pub width: f32,
    /// Length of the dashes, in pixels; `None` for a solid line.
    pub dash: Option<f32>,
}

impl Pen {
    /// Returns a pen for solid lines, with a width in pixels.
    pub fn new(color: Color, width: f32) -> Self {
        Self { color, width, dash: None }
    }

    /// Returns the pen that is this many times as wide.
    fn times(self, scale: f32) -> Self {
        let dash = self.dash.map(|dash| dash * scale);
        Self { width: self.width * scale, dash, ..self }
    }

    /// Returns the lengths of a dash and of the gap after it.
    fn dashes(&self) -> Option<[f32; 2]> {
        self.dash.map(|dash| [dash, 1.5 * dash + self.width])
    }
}

impl Picture {
    /// Returns a picture of one color. Width and height are limited to 1 to 16384 pixels.
    pub fn new(size: (u32, u32), ground: Color) -> Self {
        let mut picture = Self {
            pixels: blank(size),
            scale: 1.0,
            stamps: Stamps::default(),
            layer: Layer::default(),
            density: Density::default(),
            name_places: NamePlaces::default(),
        };
        picture.clear(ground);
        picture
    }

    /// Changes the size in pixels, and the scale. The content is lost if the size changes, and the cached shapes if the
    /// scale does.
    pub fn resize(&mut self, size: (u32, u32), scale: f32) {
        if size != self.size() {
            self.pixels = blank(size);
        }
        if scale != self.scale {
            self.stamps = Stamps::default();
        }
        self.scale = scale;
    }

    /// Returns width and height, in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.pixels.width(), self.pixels.height())
    }

    /// Returns the lower right corner, as a place to draw at.
    pub fn corner(&self) -> Vec2 {
        let (width, height) = self.size();
        Vec2::new(width as f32, height as f32) / self.scale
    }

    /// Returns a length in pixels of the screen.
    pub(super) fn scaled(&self, length: f32) -> f32 {
        length * self.scale
    }

    /// Fills the whole picture.
    pub fn clear(&mut self, color: Color) {
        self.pixels.fill(rgba(color.alpha(255)));
    }

    /// Fills a rectangle with its sides along the axes.
    pub fn fill_rect(&mut self, a: Vec2, b: Vec2, color: Color) {
        let (columns, rows) = self.spans(a, b);
        let ink = Ink::new(color);
        let (width, _) = self.size();
        for y in rows.first..rows.end {
            let down = rows.cover(y);
            let row = row(self.pixels.data_mut(), width, y);
            let Some(row) = row.get_mut(columns.first..columns.end) else {
                return;
            };
            let inner = columns.inner();
            if down < 1.0 || inner.is_empty() {
                for (x, pixel) in (columns.first..).zip(row) {
                    ink.blend(pixel, cover(down * columns.cover(x)));
                }
                continue;
            }
            for x in (columns.first..inner.start).chain(inner.end..columns.end) {
                ink.blend(&mut row[x - columns.first], cover(columns.cover(x)));
            }
            ink.fill(&mut row[inner.start - columns.first..inner.end - columns.first]);
        }
    }

    /// Returns the places of the centers of all columns of pixels.
    pub(super) fn centers_of_columns(&self) -> impl Iterator<Item = f32> + use<> {
        let (scale, (width, _)) = (self.scale, self.size());
        (0..width).map(move |x| (x as f32 + 0.5) / scale)
    }

    /// Blends a color into rows of pixels. `cover` gets the place of the center of a row, and the covered part of each of its pixels, from
    /// 0 to 255, as it was in the row before. It returns `false` for a row that is not covered.
    pub(super) fn blend_rows(
        &mut self,
        color: Color,
        mut cover: impl FnMut(f32, &mut [u8]) -> bool,
    ) {
        let (width, height) = self.size();
        let (ink, mut covers) = (Ink::new(color), vec![0; width as usize]);
        for y in 0..height as usize {
            if cover((y as f32 + 0.5) / self.scale, &mut covers) {
                ink.blend_row(row(self.pixels.data_mut(), width, y), &covers);
            }
        }
    }

    /// Fills everything outside a rectangle with its sides along the axes.
    pub fn fill_outside(&mut self, a: Vec2, b: Vec2, color: Color) {
        let (columns, rows) = self.spans(a, b);
        let ink = Ink::new(color);
        let (width, height) = self.size();
        for y in 0..height as usize {
            let down = rows.cover(y);
            let row = row(self.pixels.data_mut(), width, y);
            if down <= 0.0 || columns.first >= columns.end {
                ink.fill(row);
                continue;
            }
            let (before, rest) = row.split_at_mut(columns.first);
            let (within, after) = rest.split_at_mut(columns.end - columns.first);
            ink.fill(before);
            ink.fill(after);
            let whole = if down < 1.0 { columns.end..columns.end } else { columns.inner() };
            for x in (columns.first..whole.start).chain(whole.end..columns.end) {
                let rest = 1.0 - down * columns.cover(x);
                ink.blend(&mut within[x - columns.first], cover(rest));
            }
        }
    }

    /// Returns the columns and the rows of a rectangle.
    fn spans(&self, a: Vec2, b: Vec2) -> (PixelSpan, PixelSpan) {
        let (width, height) = self.size();
        let (a, b) = (a * self.scale, b * self.scale);
        (PixelSpan::new(a.x, b.x, width), PixelSpan::new(a.y, b.y, height))
    }

    /// Fills a polygon.
    pub fn polygon(&mut self, corners: &[Vec2], color: Color) {
        let corners = self.clip_rect(0.0).polygon(&self.places(corners));
        self.fill(lines(&corners, true), FillRule::EvenOdd, color);
    }

    /// Fills polygons as one shape: clockwise ones are holes in counter-clockwise ones, and the other way round.
    pub(super) fn loops(&mut self, loops: &[Vec<Vec2>], color: Color) {
        let clip = self.clip_rect(0.0);
        let mut builder = PathBuilder::new();
        for corners in loops {
            add(&mut builder, &clip.polygon(&self.places(corners)));
        }
        self.fill(builder.finish(), FillRule::Winding, color);
    }

    /// Fills a disc.
    pub fn disc(&mut self, at: Vec2, radius: f32, color: Color) {
        let (at, radius) = (at * self.scale, radius * self.scale);
        let path = if !self.may_touch(at, radius) {
            None
        } else if radius < WIDE {
            circle(at, radius)
        } else {
            lines(&self.clip_rect(0.0).disc(at, radius), true)
        };
        self.fill(path, FillRule::EvenOdd, color);
    }

    /// Draws the outline of a disc.
    pub fn circle(&mut self, at: Vec2, radius: f32, pen: Pen) {
        // With such a wide line, the inner outline would be inverted and leave a hole.
        if pen.dash.is_none() && radius <= pen.width / 2.0 {
            return self.disc(at, radius + pen.width / 2.0, pen.color);
        }
        let (at, radius, pen) = (at * self.scale, radius * self.scale, pen.times(self.scale));
        if !self.may_touch(at, radius + pen.width) {
            return;
        }
        if radius < WIDE {
            self.stroke(circle(at, radius), pen, 0.0);
        } else {
            let pieces = self.clip_rect(pen.width).circle(at, radius);
            self.pieces(&pieces, pen);
        }
    }

    /// Draws a line from point to point, and back to the first if it is closed.
    pub fn line(&mut self, points: &[Vec2], closed: bool, pen: Pen) {
        let (points, pen) = (self.places(points), pen.times(self.scale));
        if pen.width > WIDE {
            self.wide_line(&points, closed, pen);
        } else {
            let pieces = self.clip_rect(pen.width).line(&points, closed);
            self.pieces(&pieces, pen);
        }
    }

    fn pieces(&mut self, pieces: &[LinePiece], pen: Pen) {
        for piece in pieces {
            let period: f32 = pen.dashes().map_or(1.0, |dashes| dashes.iter().sum());
            let before = piece.before % f64::from(period);
            self.stroke(lines(&piece.points, piece.closed), pen, before as f32);
        }
    }

    /// Draws a line so wide that its outline has to be cut, as a box for each part and a disc for each point.
    fn wide_line(&mut self, points: &[Vec2], closed: bool, pen: Pen) {
        let clip = self.clip_rect(0.0);
        let half = pen.width / 2.0;
        let mut builder = PathBuilder::new();
        for point in points {
            add(&mut builder, &clip.disc(*point, half));
        }
        let back = points.first().filter(|_| closed);
        let ends = points.iter().skip(1).chain(back);
        for (from, to) in points.iter().zip(ends) {
            let side = math::perp(math::unit(*to - *from)) * half;
            // All boxes have the same orientation, so that overlaps are filled.
            let corners = [from - side, to - side, to + side, from + side];
            add(&mut builder, &clip.polygon(&corners));
        }
        self.fill(builder.finish(), FillRule::Winding, pen.color);
    }

    /// Returns places in pixels of the screen.
    fn places(&self, points: &[Vec2]) -> Vec<Vec2> {
        points.iter().map(|at| *at * self.scale).collect()
    }

    /// Returns whether something that reaches some pixels around a place may be in the picture.
    fn may_touch(&self, at: Vec2, reach: f32) -> bool {
        let (width, height) = self.size();
        let far = Vec2::new(width as f32, height as f32) + reach;
        at.cmpge(Vec2::splat(-reach)).all() && at.cmple(far).all()
    }

    /// Returns the rectangle that shapes are cut to, with an additional margin in pixels.
    fn clip_rect(&self, more: f32) -> ClipRect {
        ClipRect::around(self.size(), CLIP_MARGIN + more)
    }

    /// Draws a small shape at a place. `outline` makes its outline around the origin if it is not cached.
    pub(super) fn stamp(
        &mut self,
        kind: StampKind,
        at: Vec2,
        color: Color,
        outline: impl FnOnce() -> Option<Path>,
    ) {
        let scale = Transform::from_scale(self.scale, self.scale);
        let outline = || outline()?.transform(scale);
        let stamped = self.stamps.stamp(kind, at * self.scale, outline);
        let (width, height) = (self.pixels.width() as i32, self.pixels.height() as i32);
        let across = stamped.width as i32;
        if across == 0 || stamped.left >= width || stamped.left.saturating_add(across) <= 0 {
            return;
        }
        let skipped = (-stamped.left).max(0) as usize;
        let end = across.min(width - stamped.left) as usize;
        let first = stamped.left.max(0) as usize;
        let ink = Ink::new(color);
        let (pixels, _) = self.pixels.data_mut().as_chunks_mut();
        for (y, cover) in (stamped.top..).zip(stamped.cover.chunks_exact(stamped.width)) {
            if y < 0 || y >= height {
                continue;
            }
            let start = y as usize * width as usize + first;
            let pixels: &mut [Pixel] = &mut pixels[start..start + end - skipped];
            ink.blend_row(pixels, &cover[skipped..end]);
        }
    }

    /// Returns the pixels and an empty layer of the same size and scale.
    pub(super) fn layered(&mut self) -> (&mut [Pixel], &mut Layer) {
        self.layer.fit(self.size(), self.scale);
        let (pixels, _) = self.pixels.data_mut().as_chunks_mut();
        (pixels, &mut self.layer)
    }

    /// Draws dots around places: the more of them cover a pixel, the stronger.
    pub(super) fn dots(&mut self, dots: impl Iterator<Item = (Vec2, Color)>) {
        self.density.fit(self.size(), self.scale);
        for (at, color) in dots {
            self.density.add(at * self.scale, color);
        }
        let (pixels, _) = self.pixels.data_mut().as_chunks_mut();
        self.density.put(pixels);
    }

    /// Fills an outline, for example of a letter. Loops of opposite orientation make holes.
    pub(super) fn outline(&mut self, outline: &Path, to: Transform, color: Color) {
        let rule = FillRule::Winding;
        let to = to.post_scale(self.scale, self.scale);
        self.pixels.fill_path(outline, &paint(color), rule, to, None);
    }

    /// Returns the bytes of a PNG file.
    pub fn png(&self) -> Vec<u8> {
        self.pixels.encode_png().expect("a picture in memory can be encoded")
    }

    /// Returns the bytes of the pixels, four for each: red, green, blue and 255, row by row from the top.
    pub fn rgba(&self) -> &[u8] {
        self.pixels.data()
    }

    /// Returns the pixels as `0x00RRGGBB`, row by row from the top.
    pub fn rgb(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        let (pixels, _) = self.pixels.data().as_chunks();
        // All pixels are opaque, so the opacity can be ignored.
        pixels
            .iter()
            .map(|&[red, green, blue, _]: &Pixel| u32::from_be_bytes([0, red, green, blue]))
    }

    /// Replaces the content of a buffer by the pixels of [`Picture::rgb`].
    pub fn copy_rgb(&self, into: &mut Vec<u32>) {
        into.clear();
        into.extend(self.rgb());
    }

    fn fill(&mut self, path: Option<Path>, rule: FillRule, color: Color) {
        let Some(path) = path else { return };
        let identity = Transform::identity();
        self.pixels.fill_path(&path, &paint(color), rule, identity, None);
    }

    fn stroke(&mut self, path: Option<Path>, pen: Pen, before: f32) {
        let Some(path) = path else { return };
        let stroke = Stroke {
            dash: pen.dashes().and_then(|dashes| StrokeDash::new(dashes.to_vec(), before)),
            ..stroke(pen.width)
        };
        let identity = Transform::identity();
        self.pixels.stroke_path(&path, &paint(pen.color), &stroke, identity, None);
    }
}

/// The pixels that a rectangle covers along an axis.
struct PixelSpan {
    low: f32,
    high: f32,
    first: usize,
    end: usize,
}

impl PixelSpan {
    fn new(a: f32, b: f32, pixels: u32) -> Self {
        let (low, high) = (math::min(a, b), math::max(a, b));
        let bound = |x: f32| x.clamp(0.0, pixels as f32);
        Self { low, high, first: bound(low.floor()) as usize, end: bound(high.ceil()) as usize }
    }

    /// Returns how much of a pixel is covered, from 0 to 1.
    fn cover(&self, pixel: usize) -> f32 {
        let edge = pixel as f32;
        let (low, high) = (math::max(self.low, edge), math::min(self.high, edge + 1.0));
        math::max(high - low, 0.0)
    }

    /// Returns the pixels that are covered completely.
    fn inner(&self) -> std::ops::Range<usize> {
        let whole = |pixel: &usize| self.cover(*pixel) >= 1.0;
        let start = self.first + usize::from(!whole(&self.first));
        let end = self.end - usize::from(self.end > start && !whole(&(self.end - 1)));
        start..end.max(start)
    }
}

fn cover(share: f32) -> u8 {
    (share * 255.0 + 0.5) as u8
}

fn row(pixels: &mut [u8], width: u32, y: usize) -> &mut [Pixel] {
    let (pixels, _) = pixels.as_chunks_mut();
    let width = width as usize;
    &mut pixels[y * width..(y + 1) * width]
}

fn blank((width, height): (u32, u32)) -> Pixmap {
    let (width, height) = (width.clamp(1, MAX_SIDE), height.clamp(1, MAX_SIDE));
    Pixmap::new(width, height).expect("sides within limits make a picture")
}

/// Returns the style of a line with round ends and corners, and a width in pixels.
pub(super) fn stroke(width: f32) -> Stroke {
    Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() }
}

/// Returns a path from point to point; `None` for fewer than two points.
pub(super) fn lines(points: &[Vec2], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let (first, rest) = points.split_first()?;
    builder.move_to(first.x, first.y);
    for at in rest {
        builder.line_to(at.x, at.y);
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

/// Returns a path of polygons.
pub(super) fn closed(loops: &[Vec<Vec2>]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for corners in loops {
        add(&mut builder, corners);
    }
    builder.finish()
}

/// Adds a polygon to a path.
fn add(builder: &mut PathBuilder, corners: &[Vec2]) {
    for (place, at) in corners.iter().enumerate() {
        if place == 0 {
            builder.move_to(at.x, at.y);
        } else {
            builder.line_to(at.x, at.y);
        }
    }
    builder.close();
}

/// Returns the path of a circle.
pub(super) fn circle(at: Vec2, radius: f32) -> Option<Path> {
    PathBuilder::from_circle(at.x, at.y, radius)
}

fn rgba(color: Color) -> tiny_skia::Color {
    tiny_skia::Color::from_rgba8(color.red, color.green, color.blue, color.alpha)
}

fn paint(color: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(rgba(color));
    paint
}
