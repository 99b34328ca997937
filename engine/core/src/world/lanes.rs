//! Vectors of numbers, one for each lane.

use pulp::Simd;

/// The number of lanes of the widest vectors.
pub(super) const WIDEST: usize = 16;

/// Computes [`super::Space::offset_inside`] along one axis, with numbers from [`super::Space::wrap_sizes`].
#[inline(always)]
pub(super) fn wrap_offset<S: Simd>(simd: S, d: S::f32s, size: f32, half: f32) -> S::f32s {
    let size = simd.splat_f32s(size);
    let over = simd.greater_than_f32s(d, simd.splat_f32s(half));
    let under = simd.less_than_f32s(d, simd.splat_f32s(-half));
    let down = simd.select_f32s(over, simd.sub_f32s(d, size), d);
    simd.select_f32s(under, simd.add_f32s(d, size), down)
}

/// One number for each lane, outside of a vector.
pub(super) struct Lanes<T>(pub(super) [T; WIDEST]);

impl Lanes<f32> {
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self) -> S::f32s {
        S::as_simd_f32s(&self.0).0[0]
    }

    #[inline(always)]
    pub(super) fn store<S: Simd>(x: S::f32s) -> Self {
        let mut all = [0.0; WIDEST];
        S::as_mut_simd_f32s(&mut all).0[0] = x;
        Self(all)
    }
}

impl Lanes<u32> {
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self) -> S::u32s {
        S::as_simd_u32s(&self.0).0[0]
    }

    #[inline(always)]
    pub(super) fn store<S: Simd>(x: S::u32s) -> Self {
        let mut all = [0; WIDEST];
        S::as_mut_simd_u32s(&mut all).0[0] = x;
        Self(all)
    }
}
