//! Operations on vectors that do not treat their coordinates separately.
//!
//! If the squared length is precise, all lanes are computed at once. The few other lanes are computed again by the
//! functions of [`math`]. The bits must be those of these functions in every lane.

use super::banks::{Banks, Chunk, Column, Mask, any, apart, mask};
use super::width::Width;
use super::{B, F, V};
use crate::math::{self, Binary, Compare, Vec2};
use crate::world::{Edge, Space, shortest};

impl<W: Width> Banks<W> {
    #[inline(always)]
    fn chunk(&self, v: V, k: usize) -> (Chunk<f32, W>, Chunk<f32, W>) {
        (self.f[usize::from(v.0.0)].0[k], self.f[usize::from(v.1.0)].0[k])
    }

    #[inline(always)]
    fn put(&mut self, v: V, k: usize, (x, y): (Chunk<f32, W>, Chunk<f32, W>)) {
        self.f[usize::from(v.0.0)].0[k] = x;
        self.f[usize::from(v.1.0)].0[k] = y;
    }

    /// Computes a function of numbers for both coordinates.
    #[inline(always)]
    pub(super) fn binary_v(&mut self, function: Binary, to: V, (a, b): (V, V)) {
        apart!(function as FUNCTION: Binary in Add Sub Mul Div Min Max {
            for k in self.chunks() {
                let (a, b) = (self.chunk(a, k), self.chunk(b, k));
                let x = W::each(|l| FUNCTION.apply(a.0[l], b.0[l]));
                let y = W::each(|l| FUNCTION.apply(a.1[l], b.1[l]));
                self.put(to, k, (x, y));
            }
        } else {
            self.binary_called(function, to.0, a.0, b.0);
            self.binary_called(function, to.1, a.1, b.1);
        });
    }

    #[inline(always)]
    pub(super) fn select_v(&mut self, to: V, (m, yes, no): (B, V, V)) {
        for k in self.chunks() {
            let (m, yes, no) = (self.mask(m, k), self.chunk(yes, k), self.chunk(no, k));
            let x = W::each(|l| if m[l] != 0 { yes.0[l] } else { no.0[l] });
            let y = W::each(|l| if m[l] != 0 { yes.1[l] } else { no.1[l] });
            self.put(to, k, (x, y));
        }
    }

    #[inline(always)]
    pub(super) fn blend_v(&mut self, to: V, (from, m): (V, B)) {
        self.select_v(to, (m, from, to));
    }

    #[inline(always)]
    pub(super) fn both_f(&mut self, how: Compare, to: B, (a, b): (V, V)) {
        apart!(how as HOW: Compare in Eq Ne Lt Le Gt Ge {
            for k in self.chunks() {
                let (a, b) = (self.chunk(a, k), self.chunk(b, k));
                let both = W::each(|l| {
                    mask(HOW.holds(a.0[l], b.0[l])) & mask(HOW.holds(a.1[l], b.1[l]))
                });
                self.put_mask(to, k, both);
            }
        });
    }

    /// Computes [`math::unit`].
    #[inline(always)]
    pub(super) fn unit(&mut self, to: V, a: V) {
        for k in self.chunks() {
            let (x, y) = self.chunk(a, k);
            let squared = W::each(|l| x[l] * x[l] + y[l] * y[l]);
            let zero = W::each(|l| mask((x[l] == 0.0) & (y[l] == 0.0)));
            let odd = W::each(|l| !(is_precise(squared[l]) | zero[l]));
            let root = W::each(|l| math::sqrt(squared[l]));
            let along = |part: Chunk<f32, W>| {
                W::each(|l| {
                    let quotient = part[l] / root[l];
                    if zero[l] != 0 { 0.0 } else { quotient }
                })
            };
            let mut unit = (along(x), along(y));
            if any::<W>(&odd) {
                recompute::<W>(&odd, &mut unit, |l| math::unit(Vec2::new(x[l], y[l])));
            }
            self.put(to, k, unit);
        }
    }

    /// Computes [`math::length`].
    #[inline(always)]
    pub(super) fn length(&mut self, to: F, a: V) {
        for k in self.chunks() {
            let (x, y) = self.chunk(a, k);
            let squared = W::each(|l| x[l] * x[l] + y[l] * y[l]);
            let zero = W::each(|l| mask((x[l] == 0.0) & (y[l] == 0.0)));
            let odd = W::each(|l| !(is_precise(squared[l]) | zero[l]));
            let mut length = W::each(|l| math::sqrt(squared[l]));
            if any::<W>(&odd) {
                for l in 0..W::CHUNK {
                    if odd[l] != 0 {
                        length[l] = math::length(Vec2::new(x[l], y[l]));
                    }
                }
            }
            self.f[usize::from(to.0)].0[k] = length;
        }
    }

    /// Computes [`math::limit`]; a negative length or NaN counts as 0.
    #[inline(always)]
    pub(super) fn limit(&mut self, to: V, (a, longest): (V, F)) {
        for k in self.chunks() {
            let (x, y) = self.chunk(a, k);
            let longest = self.f[usize::from(longest.0)].0[k];
            let longest = W::each(|l| math::max(longest[l], 0.0));
            let squared = W::each(|l| x[l] * x[l] + y[l] * y[l]);
            let root = W::each(|l| math::sqrt(squared[l]));
            let short = W::each(|l| mask(math::square_fits(squared[l], longest[l])));
            let fits = W::each(|l| short[l] | mask(root[l] <= longest[l]));
            let zero = W::each(|l| mask((x[l] == 0.0) & (y[l] == 0.0)));
            let odd = W::each(|l| !(is_precise(squared[l]) | short[l] | zero[l]));
            let cut = |part: Chunk<f32, W>| {
                W::each(|l| {
                    let cut = part[l] / root[l] * longest[l];
                    if fits[l] != 0 { part[l] } else { cut }
                })
            };
            let mut limited = (cut(x), cut(y));
            if any::<W>(&odd) {
                recompute::<W>(&odd, &mut limited, |l| {
                    math::limit(Vec2::new(x[l], y[l]), longest[l])
                });
            }
            self.put(to, k, limited);
        }
    }

    /// Computes [`Space::offset`] from points that are not in columns.
    #[inline(always)]
    pub(super) fn offset(
        &mut self,
        to: V,
        from: &(Column<f32, W>, Column<f32, W>),
        target: V,
        space: &Space,
    ) {
        let wraps = space.edge == Edge::Wrap;
        for k in self.chunks() {
            let (x, y) = self.chunk(target, k);
            let (from_x, from_y) = (from.0.0[k], from.1.0[k]);
            let mut way = (W::each(|l| x[l] - from_x[l]), W::each(|l| y[l] - from_y[l]));
            if wraps {
                way.0 = W::each(|l| shortest(way.0[l], space.size.x));
                way.1 = W::each(|l| shortest(way.1[l], space.size.y));
            }
            self.put(to, k, way);
        }
    }
}

/// Returns whether a squared length has neither underflowed nor overflowed.
#[inline(always)]
fn is_precise(squared: f32) -> Mask {
    mask(squared >= math::SQUARE_TOO_SMALL) & mask(squared < math::SQUARE_TOO_LARGE)
}

/// Computes single lanes again.
#[cold]
#[inline(never)]
fn recompute<W: Width>(
    lanes: &Chunk<Mask, W>,
    (x, y): &mut (Chunk<f32, W>, Chunk<f32, W>),
    of: impl Fn(usize) -> Vec2,
) {
    for l in 0..W::CHUNK {
        if lanes[l] != 0 {
            (x[l], y[l]) = of(l).into();
        }
    }
}
