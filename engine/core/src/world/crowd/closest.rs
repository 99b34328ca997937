//! The closest neighbors of an agent.

use glam::DVec2;
use pulp::{Simd, WithSimd};

use crate::math::Vec2;
use crate::simd;
use crate::world::nearest::nearness;
use crate::world::{Me, Neighborhood};

/// The maximum number of neighbors that an agent takes into account, if it chooses the closest.
pub(super) const MAX_CLOSEST: usize = 32;

/// A neighbor of an agent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Close {
    /// Its row.
    pub(super) row: u32,
    /// The offset to it, in world units.
    offset: Vec2,
    /// Its velocity, in world units per second.
    vel: Vec2,
    /// The sum of the radii of both bodies, in world units.
    reach: f32,
}

impl Close {
    /// Returns the offset to it.
    pub(super) fn offset(&self) -> DVec2 {
        self.offset.as_dvec2()
    }

    /// Returns the same in single precision.
    pub(super) fn offset_f32(&self) -> Vec2 {
        self.offset
    }

    /// Returns its velocity in single precision.
    pub(super) fn vel_f32(&self) -> Vec2 {
        self.vel
    }

    /// Returns its velocity.
    pub(super) fn vel(&self) -> DVec2 {
        self.vel.as_dvec2()
    }

    /// Returns the sum of the radii of both bodies.
    pub(super) fn reach(&self) -> f64 {
        f64::from(self.reach)
    }
}

impl Me<'_> {
    /// Calls `visit` with the closest neighbors, nearest first; the lower row first if two are equally near. There are at most
    /// `most`, which is cut to [`MAX_CLOSEST`].
    pub(super) fn each_closest(
        &self,
        which: &Neighborhood,
        most: f32,
        mut visit: impl FnMut(&Close),
    ) {
        let most = (most as usize).min(MAX_CLOSEST);
        if most == 0 {
            return;
        }
        let center = self.center_of(which);
        let mut found =
            Candidates { keys: [0; ROOM], slots: [0; ROOM], count: 0, most, farthest: u64::MAX };
        self.each_batch(which, &mut |slots| {
            for &mut slot in slots {
                if found.count == ROOM {
                    found.keep_closest();
                }
                let other = self.neighbor(center, slot);
                found.add(nearness(other.distance_squared, other.row), slot);
            }
        });
        found.keep_closest();
        let radius = self.body().radius;
        for &slot in &found.slots[..found.count] {
            let other = self.neighbor(center, slot);
            visit(&Close {
                row: other.row as u32,
                offset: other.offset,
                vel: other.vel,
                reach: radius + self.world().radius_of(other.row),
            });
        }
    }
}

/// The number of neighbors that are compared at once, above [`MAX_CLOSEST`].
const ROOM: usize = 48;

/// Neighbors that may be among the closest.
struct Candidates {
    keys: [u64; ROOM],
    slots: [u32; ROOM],
    count: usize,
    /// The number of neighbors that are wanted.
    most: usize,
    /// Neighbors with a larger key than this are not among the closest.
    farthest: u64,
}

impl Candidates {
    /// Adds a neighbor, unless it is too far. There must be room.
    #[inline(always)]
    fn add(&mut self, key: u64, slot: u32) {
        (self.keys[self.count], self.slots[self.count]) = (key, slot);
        self.count += usize::from(key <= self.farthest);
    }

    /// Sorts the neighbors and keeps the closest.
    fn keep_closest(&mut self) {
        let mut ranks = [0; ROOM];
        simd::dispatch_short(Rank { keys: &self.keys, count: self.count, ranks: &mut ranks });
        let (keys, slots) = (self.keys, self.slots);
        for (i, &rank) in ranks[..self.count].iter().enumerate() {
            (self.keys[rank as usize], self.slots[rank as usize]) = (keys[i], slots[i]);
        }
        self.count = self.count.min(self.most);
        if self.count == self.most {
            self.farthest = self.keys[self.most - 1];
        }
    }
}

/// Counts for each key how many others are lower. Keys are different, so this is the place in their order. For few keys,
/// it is faster than sorting them, since it has no branches.
struct Rank<'k> {
    keys: &'k [u64; ROOM],
    count: usize,
    ranks: &'k mut [u64; ROOM],
}

impl WithSimd for Rank<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        // The room is a multiple of the number of lanes. Ranks beyond the last key mean nothing.
        let some = self.count.div_ceil(S::U64_LANES);
        let keys = S::as_simd_u64s(self.keys).0;
        let ranks = S::as_mut_simd_u64s(self.ranks).0;
        let (zero, one) = (simd.splat_u64s(0), simd.splat_u64s(1));
        for (&keys, ranks) in keys.iter().zip(ranks).take(some) {
            let mut rank = zero;
            for &other in &self.keys[..self.count] {
                let lower = simd.less_than_u64s(simd.splat_u64s(other), keys);
                rank = simd.add_u64s(rank, simd.select_u64s(lower, one, zero));
            }
            *ranks = rank;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_closest_neighbors_come_first(
            others in prop::collection::vec((-5i8..5, -5i8..5), 0..200),
            most in 0usize..40,
        ) {
            let at = |&(x, y): &(i8, i8)| (Vec2::new(f32::from(x), f32::from(y)), Vec2::ZERO);
            let agents: Vec<_> = std::iter::once(&(0, 0)).chain(&others).map(at).collect();
            let world = World::example(&agents);
            let mut rows: Vec<u32> = Vec::new();
            world.me(0).each_closest(&Neighborhood::within(4.0), most as f32, |other| rows.push(other.row));
            let distance = |row: u32| agents[row as usize].0.length_squared();
            let mut all: Vec<u32> = (1..agents.len() as u32).filter(|&row| distance(row) <= 16.0).collect();
            all.sort_by(|&a, &b| (distance(a), a).partial_cmp(&(distance(b), b)).unwrap());
            all.truncate(most.min(MAX_CLOSEST));
            prop_assert_eq!(rows, all);
        }
    }
}
