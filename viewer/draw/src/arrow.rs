//! Arrows, which show a direction and an amount.

use flockwork_core::math::{self, Vec2};

use super::picture::lines;
use super::stamps::{LARGEST_TURNED, StampKind, StampShape};
use super::{Pen, Picture};

/// Arrows shorter than this are not drawn, in pixels.
const MIN_LENGTH: f32 = 2.0;
/// Length of a head: a multiple of the width of the line, plus a number of pixels.
const HEAD: (f32, f32) = (3.0, 4.0);
/// Maximum length of a head, as a fraction of the arrow.
const MAX_HEAD_FRACTION: f32 = 0.6;
/// Half the width of a head, as a fraction of its length.
const SPREAD: f32 = 0.42;
/// How far the line reaches into the head, as a fraction of the head's length.
const OVERLAP: f32 = 0.2;

/// The geometry of an arrow that is long enough to be drawn, in pixels.
struct ArrowParts {
    along: Vec2,
    /// End of the line.
    end: Vec2,
    /// Length of the head.
    head: f32,
}

impl ArrowParts {
    fn new(from: Vec2, to: Vec2, width: f32) -> Option<Self> {
        let offset = to - from;
        let length = math::length(offset);
        if length.is_nan() || length < MIN_LENGTH {
            return None;
        }
        let along = math::unit(offset);
        let head = math::min(HEAD.0 * width + HEAD.1, MAX_HEAD_FRACTION * length);
        let end = to - along * head * (1.0 - OVERLAP);
        Some(Self { along, end, head })
    }
}

/// Returns the corners of a head with its tip at a place.
fn head(to: Vec2, along: Vec2, length: f32) -> [Vec2; 3] {
    let base = to - along * length;
    let side = math::perp(along) * length * SPREAD;
    [to, base + side, base - side]
}

/// Draws an arrow from one place to another, in pixels; nothing if they are too close.
pub fn arrow(picture: &mut Picture, from: Vec2, to: Vec2, pen: Pen) {
    if let Some(parts) = ArrowParts::new(from, to, pen.width) {
        let [tip, left, right] = head(to, parts.along, parts.head);
        if pen.color.alpha == 255 || pen.dash.is_some() {
            picture.line(&[from, parts.end], false, pen);
            picture.polygon(&[tip, left, right], pen.color);
            return;
        }
        // As one shape: where the line and the head overlap, a pale color would be darker.
        let (base, side) = (left.midpoint(right), math::perp(parts.along) * (pen.width / 2.0));
        let corners = [from + side, base + side, left, tip, right, base - side, from - side];
        picture.polygon(&corners, pen.color);
    }
}

/// Draws any number of arrows, each from one place to another, in pixels. This is much faster than drawing them one by one.
/// Where lines cross, the most opaque one is visible. Dashes are ignored.
pub fn arrows(picture: &mut Picture, arrows: &[(Vec2, Vec2, Pen)]) {
    let (pixels, layer) = picture.layered();
    for (from, to, pen) in arrows {
        if let Some(parts) = ArrowParts::new(*from, *to, pen.width) {
            layer.line(*from, parts.end, pen.width, pen.color, pen.color.alpha.into());
        }
    }
    layer.put(pixels);
    for (from, to, pen) in arrows {
        let Some(parts) = ArrowParts::new(*from, *to, pen.width) else {
            continue;
        };
        if picture.scaled(parts.head) > LARGEST_TURNED {
            picture.polygon(&head(*to, parts.along, parts.head), pen.color);
            continue;
        }
        let kind = StampKind::new(StampShape::Head, parts.head).along(parts.along);
        picture.stamp(kind, *to, pen.color, || {
            lines(&head(Vec2::ZERO, kind.direction(), kind.size()), true)
        });
    }
}
