//! Arrows: which way, and how much.

use flockwork::math::{self, Vec2};

use super::{Pen, Picture};

/// Arrows shorter than this, in pixels, are not drawn.
const SHORTEST: f32 = 2.0;
/// The length of a head, in widths of the line and the pixels that a thin line's has more.
const HEAD: (f32, f32) = (3.0, 4.0);
/// A head is at most so much of the arrow.
const SHARE: f32 = 0.6;
/// Half the width of a head, in lengths of it.
const SPREAD: f32 = 0.42;

/// Draws an arrow from a place to another, in pixels; nothing if they are hardly apart.
pub(crate) fn arrow(picture: &mut Picture, from: Vec2, to: Vec2, pen: Pen) {
    let way = to - from;
    let length = math::length(way);
    if length.is_nan() || length < SHORTEST {
        return;
    }
    let along = math::unit(way);
    let head = math::min(HEAD.0 * pen.width + HEAD.1, SHARE * length);
    let base = to - along * head;
    let side = math::perp(along) * head * SPREAD;
    // The line's round end stays within the head.
    picture.line(&[from, base + along * head * 0.2], false, pen);
    picture.polygon(&[to, base + side, base - side], pen.colour);
}
