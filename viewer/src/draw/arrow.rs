//! Arrows: which way, and how much.

use flockwork_engine::math::{self, Vec2};

use super::picture::lines;
use super::stamps::{LARGEST_TURNED, StampKind, StampShape};
use super::{Pen, Picture};

/// Arrows shorter than this, in pixels, are not drawn.
const SHORTEST: f32 = 2.0;
/// The length of a head, in widths of the line and the pixels that a thin line's has more.
const HEAD: (f32, f32) = (3.0, 4.0);
/// A head is at most so much of the arrow.
const SHARE: f32 = 0.6;
/// Half the width of a head, in lengths of it.
const SPREAD: f32 = 0.42;
/// The line's end stays within the head, by so much of its length.
const WITHIN: f32 = 0.2;

/// An arrow of a length that is drawn, in pixels.
struct ArrowParts {
    along: Vec2,
    /// Where the line ends.
    end: Vec2,
    /// The length of the head.
    head: f32,
}

impl ArrowParts {
    fn new(from: Vec2, to: Vec2, width: f32) -> Option<Self> {
        let way = to - from;
        let length = math::length(way);
        if length.is_nan() || length < SHORTEST {
            return None;
        }
        let along = math::unit(way);
        let head = math::min(HEAD.0 * width + HEAD.1, SHARE * length);
        let end = to - along * head * (1.0 - WITHIN);
        Some(Self { along, end, head })
    }
}

/// A head with its point at a place.
fn head(to: Vec2, along: Vec2, length: f32) -> [Vec2; 3] {
    let base = to - along * length;
    let side = math::perp(along) * length * SPREAD;
    [to, base + side, base - side]
}

/// Draws an arrow from a place to another, in pixels; nothing if they are hardly apart.
pub(crate) fn arrow(picture: &mut Picture, from: Vec2, to: Vec2, pen: Pen) {
    if let Some(parts) = ArrowParts::new(from, to, pen.width) {
        picture.line(&[from, parts.end], false, pen);
        picture.polygon(&head(to, parts.along, parts.head), pen.color);
    }
}

/// Draws any number of arrows, each from a place to another with a pen, in a small part of the time that they take one by
/// one. Where their lines cross, the strongest one is seen. Dashes are left out.
pub(crate) fn arrows(picture: &mut Picture, arrows: &[(Vec2, Vec2, Pen)]) {
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
        if parts.head > LARGEST_TURNED {
            picture.polygon(&head(*to, parts.along, parts.head), pen.color);
            continue;
        }
        let kind = StampKind::new(StampShape::Head, parts.head).along(parts.along);
        picture.stamp(kind, *to, pen.color, || {
            lines(&head(Vec2::ZERO, kind.direction(), kind.size()), true)
        });
    }
}
