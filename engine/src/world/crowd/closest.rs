//! The closest neighbors of an agent.

use glam::DVec2;

use crate::math::Vec2;
use crate::world::{Me, Neighborhood};

/// The maximum number of neighbors that an agent takes into account, if it chooses the closest.
pub(super) const MAX_CLOSEST: usize = 32;

/// A neighbor of an agent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Close {
    /// Its row.
    pub(super) row: u32,
    /// The square of its distance.
    distance_squared: f32,
    /// The offset to it, in world units.
    offset: Vec2,
    /// Its velocity, in world units per second.
    vel: Vec2,
    /// The sum of the radii of both bodies, in world units.
    reach: f32,
}

/// The closest neighbors, nearest first; the lower row first if two are equally near.
pub(super) struct Closest {
    all: [Close; MAX_CLOSEST],
    count: usize,
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

impl Closest {
    /// Returns the closest neighbors of an agent, at most a number that is cut to [`MAX_CLOSEST`].
    pub(super) fn of(me: &Me<'_>, which: &Neighborhood, most: f32) -> Self {
        let most = (most as usize).min(MAX_CLOSEST);
        let mut closest = Self { all: [Close::default(); MAX_CLOSEST], count: 0 };
        if most == 0 {
            return closest;
        }
        let mut farthest = f32::INFINITY;
        me.each_neighbor(which, |other| {
            if other.distance_squared > farthest {
                return;
            }
            let new = Close {
                row: other.row as u32,
                distance_squared: other.distance_squared,
                offset: other.offset,
                vel: other.vel,
                reach: 0.0,
            };
            let is_nearer =
                |a: &Close| (a.distance_squared, a.row) < (new.distance_squared, new.row);
            let place =
                closest.all[..closest.count].iter().rposition(is_nearer).map_or(0, |at| at + 1);
            if place == most {
                return;
            }
            let last = closest.count.min(most - 1);
            closest.all.copy_within(place..last, place + 1);
            closest.all[place] = new;
            closest.count = last + 1;
            if closest.count == most {
                farthest = closest.all[last].distance_squared;
            }
        });
        let radius = me.body().radius;
        for close in &mut closest.all[..closest.count] {
            close.reach = radius + me.world().agent(close.row as usize).body().radius;
        }
        closest
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Close> {
        self.all[..self.count].iter()
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
            others in prop::collection::vec((-5i8..5, -5i8..5), 0..80),
            most in 0usize..40,
        ) {
            let at = |&(x, y): &(i8, i8)| (Vec2::new(f32::from(x), f32::from(y)), Vec2::ZERO);
            let agents: Vec<_> = std::iter::once(&(0, 0)).chain(&others).map(at).collect();
            let world = World::example(&agents);
            let closest = Closest::of(&world.me(0), &Neighborhood::within(4.0), most as f32);
            let rows: Vec<u32> = closest.iter().map(|other| other.row).collect();
            let distance = |row: u32| agents[row as usize].0.length_squared();
            let mut all: Vec<u32> = (1..agents.len() as u32).filter(|&row| distance(row) <= 16.0).collect();
            all.sort_by(|&a, &b| (distance(a), a).partial_cmp(&(distance(b), b)).unwrap());
            all.truncate(most.min(MAX_CLOSEST));
            prop_assert_eq!(rows, all);
        }
    }
}
