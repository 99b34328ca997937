//! A cache of small shapes that are drawn very often.
//!
//! A stamp is a rasterized shape: how much of each pixel it covers, for one size, direction and position within a pixel.
//! This module owns how finely these are distinguished and how long stamps are kept. The callers make the outlines.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use flockwork_core::math::{self, PI, Vec2};
use flockwork_core::world::AgentShape;
use tiny_skia::{FillRule, Mask, Path, Transform};

use super::Typeface;

/// Number of positions within a pixel that are distinguished, along each axis.
const POSITIONS: i32 = 4;
/// Number of sizes per pixel that are distinguished.
const SIZES: f32 = 8.0;
/// Number of directions that are distinguished: a nose that is [`LARGEST_TURNED`] pixels from the center is off by at
/// most a quarter of a pixel.
const TURNS: u16 = 256;
/// Maximum size of shapes with a direction, in pixels: larger ones would need too much memory.
pub(super) const LARGEST_TURNED: f32 = 20.0;
/// Maximum size of shapes without a direction, in pixels.
pub(super) const LARGEST_ROUND: f32 = 48.0;
/// When stamps use more bytes than this, all of them are dropped.
const MAX_BYTES: usize = 32 << 20;

/// The first number of shapes of agents in keys.
const AGENTS: u64 = 3;
/// The first number of letters in keys.
const LETTERS: u64 = AGENTS + 3 * AgentShape::ALL.len() as u64;

/// The shape of a stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StampShape {
    /// An agent, by the number of its shape.
    Filled(u8),
    /// A border around an agent, which separates it from agents below it.
    Halo(u8),
    /// The outline of an agent.
    Hollow(u8),
    /// The body of an agent.
    Disc,
    /// The outline of the body of an agent.
    Rim,
    /// The head of an arrow.
    Head,
    /// A letter, by its glyph number in the font.
    Letter(Typeface, u16),
}

/// A shape in one size and direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StampKind {
    shape: StampShape,
    size: u16,
    turn: u16,
}

impl StampKind {
    /// Returns a shape of a size in pixels, without a direction.
    pub(super) fn new(shape: StampShape, size: f32) -> Self {
        Self {
            shape,
            // At least 1, so that the stamp is never empty.
            size: ((size * SIZES + 0.5) as u16).max(1),
            turn: 0,
        }
    }

    /// Returns the shape along a direction of the picture, given as a unit vector.
    pub(super) fn along(self, direction: Vec2) -> Self {
        let turns = math::angle(direction) / (2.0 * PI) * f32::from(TURNS);
        // The angle is between minus and plus half a turn; the offset makes it positive.
        let turn = (turns + 1.5 * f32::from(TURNS) + 0.5) as u16 % TURNS;
        Self { turn, ..self }
    }

    fn key(self, place: u64) -> StampKey {
        let shape = match self.shape {
            StampShape::Disc => 0,
            StampShape::Rim => 1,
            StampShape::Head => 2,
            StampShape::Filled(shape) => AGENTS + 3 * u64::from(shape),
            StampShape::Halo(shape) => AGENTS + 3 * u64::from(shape) + 1,
            StampShape::Hollow(shape) => AGENTS + 3 * u64::from(shape) + 2,
            StampShape::Letter(Typeface::Text, number) => LETTERS + u64::from(number),
            StampShape::Letter(Typeface::Code, number) => 1 << 17 | u64::from(number),
            StampShape::Letter(Typeface::Strong, number) => 1 << 18 | u64::from(number),
        };
        shape << 40 | u64::from(self.size) << 24 | u64::from(self.turn) << 8 | place
    }

    /// Returns the size as it is drawn, in pixels.
    pub(super) fn size(self) -> f32 {
        f32::from(self.size) / SIZES
    }

    /// Returns the direction as it is drawn.
    pub(super) fn direction(self) -> Vec2 {
        math::direction(f32::from(self.turn) / f32::from(TURNS) * 2.0 * PI + PI)
    }
}

/// The kind of a stamp and its position within a pixel, as one number.
type StampKey = u64;

/// A fast hasher for the keys: with the default one, a lookup takes as long as drawing a small stamp. Input files
/// cannot choose the keys, and nothing depends on their order.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64((*byte).into());
        }
    }

    fn write_u64(&mut self, word: u64) {
        // An odd number derived from the golden ratio, with as many ones as zeros.
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// A rasterized shape in the cache.
#[derive(Clone, Copy)]
struct Stamp {
    /// Offset from the pixel of the position to the upper left corner, in pixels.
    left: i32,
    top: i32,
    width: usize,
    start: usize,
    end: usize,
}

/// A stamp at its place in a picture.
pub(super) struct Stamped<'a> {
    /// Column of the leftmost pixels in the picture.
    pub left: i32,
    /// Row of the topmost pixels in the picture.
    pub top: i32,
    /// Number of pixels in a row; 0 if there is nothing to draw.
    pub width: usize,
    /// How much of each pixel is covered, from 0 to 255, row by row.
    pub cover: &'a [u8],
}

/// The cache of all stamps.
#[derive(Default)]
pub(super) struct Stamps {
    known: HashMap<StampKey, Stamp, BuildHasherDefault<KeyHasher>>,
    cover: Vec<u8>,
}

impl Stamps {
    /// Returns the stamp of a kind at a place, in pixels. `outline` makes the outline around the origin if it is not cached.
    pub(super) fn stamp(
        &mut self,
        kind: StampKind,
        at: Vec2,
        outline: impl FnOnce() -> Option<Path>,
    ) -> Stamped<'_> {
        let steps = at * POSITIONS as f32 + 0.5;
        let (x, y) = (steps.x.floor() as i32, steps.y.floor() as i32);
        let within = (x.rem_euclid(POSITIONS), y.rem_euclid(POSITIONS));
        let key = kind.key((within.0 * POSITIONS + within.1) as u64);
        let stamp = match self.known.get(&key) {
            Some(stamp) => *stamp,
            None => {
                if self.cover.len() > MAX_BYTES {
                    *self = Self::default();
                }
                let to = Vec2::new(within.0 as f32, within.1 as f32) / POSITIONS as f32;
                let stamp = self.make(outline(), to);
                self.known.insert(key, stamp);
                stamp
            }
        };
        Stamped {
            left: x.div_euclid(POSITIONS).saturating_add(stamp.left),
            top: y.div_euclid(POSITIONS).saturating_add(stamp.top),
            width: stamp.width,
            cover: &self.cover[stamp.start..stamp.end],
        }
    }

    fn make(&mut self, outline: Option<Path>, to: Vec2) -> Stamp {
        let start = self.cover.len();
        let mut stamp = Stamp { left: 0, top: 0, width: 0, start, end: start };
        // A space has no outline.
        let Some(outline) = outline else { return stamp };
        let bounds = outline.bounds();
        let (left, top) = ((bounds.left() + to.x).floor(), (bounds.top() + to.y).floor());
        let width = (bounds.right() + to.x - left).ceil() as u32;
        let height = (bounds.bottom() + to.y - top).ceil() as u32;
        let Some(mut mask) = Mask::new(width, height) else {
            return stamp;
        };
        let to = Transform::from_translate(to.x - left, to.y - top);
        mask.fill_path(&outline, FillRule::Winding, true, to);
        self.cover.extend(mask.data());
        (stamp.left, stamp.top) = (left as i32, top as i32);
        stamp.width = width as usize;
        stamp.end = self.cover.len();
        stamp
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_and_sizes_are_rounded_only_slightly() {
        for step in 0..1000 {
            let direction = math::direction(step as f32 * 0.013);
            let kind = StampKind::new(StampShape::Filled(0), 6.0).along(direction);
            let off = kind.direction().distance(direction);
            assert!(off < 0.013, "{direction}: {off}");
        }
        let sizes =
            [0.0, 3.0, 5.05, 15.99].map(|size| StampKind::new(StampShape::Disc, size).size());
        assert_eq!(sizes, [0.125, 3.0, 5.0, 16.0]);
    }
}
