//! Small shapes that are needed again and again, rasterized once.
//!
//! A stamp says how much of each pixel a shape covers, for one size, direction and place within a pixel.
//! Owns which of these are told apart, and how long they are kept; where they come from is the caller's.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use flockwork_engine::math::{self, PI, Vec2};
use tiny_skia::{FillRule, Mask, Path, Transform};

/// Places within a pixel that are told apart, along each axis.
const PLACES: i32 = 4;
/// Sizes within a pixel that are told apart.
const SIZES: f32 = 8.0;
/// Directions that are told apart: at [`LARGEST_TURNED`] pixels from its middle a nose is off by a
/// quarter of a pixel at most.
const TURNS: u16 = 256;
/// Shapes with a direction that are larger than this, in pixels, are not worth the memory.
pub(super) const LARGEST_TURNED: f32 = 20.0;
/// Nor are others that are larger than this.
pub(super) const LARGEST_ROUND: f32 = 48.0;
/// Beyond so many bytes all stamps are made anew.
const MAX_BYTES: usize = 32 << 20;

/// What is stamped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StampShape {
    /// An agent.
    Dart,
    /// What keeps it apart from those under it: somewhat larger.
    Halo,
    /// Its outline.
    Hollow,
    /// Its body.
    Disc,
    /// The outline of its body.
    Rim,
    /// The head of an arrow.
    Head,
    /// By its number in the font.
    Letter(u16),
}

/// A shape in one size and direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StampKind {
    shape: StampShape,
    size: u16,
    turn: u16,
}

impl StampKind {
    /// A shape without a direction.
    pub(super) fn new(shape: StampShape, size: f32) -> Self {
        Self {
            shape,
            // Above 0, so that it can be told from nothing.
            size: ((size * SIZES + 0.5) as u16).max(1),
            turn: 0,
        }
    }

    /// The same along a direction of the picture.
    pub(super) fn along(self, direction: Vec2) -> Self {
        let turns = math::angle(direction) / (2.0 * PI) * f32::from(TURNS);
        // Up to half a turn either way.
        let turn = (turns + 1.5 * f32::from(TURNS) + 0.5) as u16 % TURNS;
        Self { turn, ..self }
    }

    fn key(self, place: u64) -> StampKey {
        let shape = match self.shape {
            StampShape::Dart => 0,
            StampShape::Halo => 1,
            StampShape::Hollow => 2,
            StampShape::Disc => 3,
            StampShape::Rim => 4,
            StampShape::Head => 5,
            StampShape::Letter(number) => 6 + u64::from(number),
        };
        shape << 40 | u64::from(self.size) << 24 | u64::from(self.turn) << 8 | place
    }

    /// Its size, in pixels, as it is drawn.
    pub(super) fn size(self) -> f32 {
        f32::from(self.size) / SIZES
    }

    /// Its direction, as it is drawn.
    pub(super) fn direction(self) -> Vec2 {
        math::direction(f32::from(self.turn) / f32::from(TURNS) * 2.0 * PI + PI)
    }
}

/// A kind at a place within a pixel, as one number.
type StampKey = u64;

/// Looking up takes as long as drawing a small stamp, unless keys are mixed quickly. They are no guest's
/// choice, and nothing depends on their order.
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
        // An odd number with as many ones as zeros, from the golden ratio.
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// How much of some pixels is covered.
#[derive(Clone, Copy)]
struct Stamp {
    /// From the pixel that it is put on to its upper left corner.
    left: i32,
    top: i32,
    width: usize,
    start: usize,
    end: usize,
}

/// A stamp on its way into a picture.
pub(super) struct Stamped<'a> {
    /// The column of its first pixels.
    pub left: i32,
    /// The row of its first pixels.
    pub top: i32,
    /// How many pixels a row has; 0 where there is nothing to draw.
    pub width: usize,
    /// Row by row, of 255.
    pub cover: &'a [u8],
}

/// All stamps that were made.
#[derive(Default)]
pub(super) struct Stamps {
    known: HashMap<StampKey, Stamp, BuildHasherDefault<KeyHasher>>,
    cover: Vec<u8>,
}

impl Stamps {
    /// A kind at a place. Its outline, if it is needed, is around the origin, in pixels.
    pub(super) fn stamp(
        &mut self,
        kind: StampKind,
        at: Vec2,
        outline: impl FnOnce() -> Option<Path>,
    ) -> Stamped<'_> {
        let steps = at * PLACES as f32 + 0.5;
        let (x, y) = (steps.x.floor() as i32, steps.y.floor() as i32);
        let within = (x.rem_euclid(PLACES), y.rem_euclid(PLACES));
        let key = kind.key((within.0 * PLACES + within.1) as u64);
        let stamp = match self.known.get(&key) {
            Some(stamp) => *stamp,
            None => {
                if self.cover.len() > MAX_BYTES {
                    *self = Self::default();
                }
                let to = Vec2::new(within.0 as f32, within.1 as f32) / PLACES as f32;
                let stamp = self.make(outline(), to);
                self.known.insert(key, stamp);
                stamp
            }
        };
        Stamped {
            left: x.div_euclid(PLACES).saturating_add(stamp.left),
            top: y.div_euclid(PLACES).saturating_add(stamp.top),
            width: stamp.width,
            cover: &self.cover[stamp.start..stamp.end],
        }
    }

    fn make(&mut self, outline: Option<Path>, to: Vec2) -> Stamp {
        let start = self.cover.len();
        let mut stamp = Stamp { left: 0, top: 0, width: 0, start, end: start };
        // A space has none.
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
    fn directions_are_met_nearly() {
        for step in 0..1000 {
            let direction = math::direction(step as f32 * 0.013);
            let kind = StampKind::new(StampShape::Dart, 6.0).along(direction);
            let off = kind.direction().distance(direction);
            assert!(off < 0.013, "{direction}: {off}");
        }
        let sizes =
            [0.0, 3.0, 5.05, 15.99].map(|size| StampKind::new(StampShape::Disc, size).size());
        assert_eq!(sizes, [0.125, 3.0, 5.0, 16.0]);
    }
}
