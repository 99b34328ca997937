//! Neighborhoods: which other agents an agent takes into account, and sums over them.

use super::{Agents, GroupId, Me, Perceived, Relation};
use crate::math::{self, Vec2};

/// The directions in which an agent sees its neighbors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum View {
    /// All directions.
    #[default]
    Around,
    /// The front: strictly less than a quarter turn from the heading.
    Ahead,
    /// A cone around the heading, given by the cosine of half its angle. An agent at exactly the same place is in
    /// every cone.
    Cone {
        /// Cosine of the maximum angle from the heading.
        cos_half: f32,
    },
}

impl View {
    /// Returns the view over an angle in radians, half of it to each side of the heading.
    pub fn over(radians: f32) -> Self {
        if radians >= 2.0 * math::PI {
            return Self::Around;
        }
        Self::Cone { cos_half: math::cos(math::max(radians, 0.0) * 0.5) }
    }

    /// Returns whether something at an offset from the agent is in view.
    #[inline]
    pub(super) fn shows(self, heading: Vec2, offset: Vec2, distance_squared: f32) -> bool {
        match self {
            Self::Around => true,
            Self::Ahead => heading.dot(offset) > 0.0,
            Self::Cone { cos_half } => heading.dot(offset) >= cos_half * distance_squared.sqrt(),
        }
    }
}

/// The condition that makes another agent a neighbor. It costs nothing until [`Me::each_neighbor`], [`Me::means`] or
/// a similar function evaluates it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighborhood {
    /// Other agents count if their center is at most this far away, in world units; may be infinite.
    pub radius: f32,
    /// If given, only agents of this group count.
    pub group: Option<GroupId>,
    /// If given, only agents of groups count that are this for the agent's own group.
    pub relation: Option<Relation>,
    /// Only agents in this view count.
    pub view: View,
    /// If given, the neighborhood is around this point instead of the agent's position, as if the agent were there
    /// with its heading. The agent is still not its own neighbor. In a world that wraps, the point may be outside
    /// of the rectangle. Coordinates beyond [`FAR`](crate::geom::FAR) count as that.
    pub around: Option<Vec2>,
    /// If given, only so many of those that meet all other conditions count: the nearest ones, and of two that are equally near
    /// the one with the lower row.
    pub most: Option<u32>,
}

impl Neighborhood {
    /// Returns the neighborhood of all other agents within a radius, in world units.
    #[inline]
    pub fn within(radius: f32) -> Self {
        let (group, relation, view, around, most) = (None, None, View::Around, None, None);
        Self { radius, group, relation, view, around, most }
    }

    /// Returns the same neighborhood, but only with agents of one group.
    #[must_use]
    #[inline]
    pub fn of(self, group: GroupId) -> Self {
        Self { group: Some(group), ..self }
    }

    /// Returns the same neighborhood, but only with agents of groups that are something for the agent's own group.
    #[must_use]
    #[inline]
    pub fn related(self, relation: Relation) -> Self {
        Self { relation: Some(relation), ..self }
    }

    /// Returns the same neighborhood, but only with agents in a view.
    #[must_use]
    #[inline]
    pub fn in_view(self, view: View) -> Self {
        Self { view, ..self }
    }

    /// Returns the same neighborhood, but only with the nearest agents, so many of them.
    #[must_use]
    #[inline]
    pub fn nearest(self, count: u32) -> Self {
        Self { most: Some(count), ..self }
    }

    /// Returns the same neighborhood, as if the agent were at a point.
    #[must_use]
    #[inline]
    pub fn around(self, point: Vec2) -> Self {
        Self { around: Some(point), ..self }
    }
}

/// One neighbor, in a loop over all neighbors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor<'w> {
    /// Its row.
    pub row: usize,
    /// The offset from the agent to it, in world units.
    pub offset: Vec2,
    /// Its velocity, in world units per second.
    pub vel: Vec2,
    /// The square of its distance.
    pub distance_squared: f32,
    me: usize,
    agents: &'w Agents,
}

impl Neighbor<'_> {
    /// Returns the push of a neighbor at exactly the same place: the difference of the two agents' random directions. It
    /// depends only on the two ids, and is opposite for the other agent. Its length is 1.3 on average.
    #[cold]
    pub fn push_at_same_place(&self) -> Vec2 {
        self.agents.random_direction(self.me) - self.agents.random_direction(self.row)
    }
}

/// The square of the distance up to which two agents count as being at the same place. Its inverse is still finite.
pub(super) const SAME_PLACE: f32 = 1e-30;

/// The count of neighbors, and the sums that means are computed from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanSums {
    /// The number of neighbors.
    pub count: u32,
    /// Sum of the offsets to them, in world units.
    pub offsets: Vec2,
    /// Sum of their velocities, in world units per second.
    pub velocities: Vec2,
}

impl MeanSums {
    /// Returns the mean of the offsets to the neighbors; zero if there are none.
    #[inline]
    pub fn mean_offset(&self) -> Vec2 {
        if self.count == 0 { Vec2::ZERO } else { self.offsets / self.count as f32 }
    }

    /// Returns the mean of their velocities; zero if there are none.
    #[inline]
    pub fn mean_velocity(&self) -> Vec2 {
        if self.count == 0 { Vec2::ZERO } else { self.velocities / self.count as f32 }
    }
}

/// All sums over the neighbors in one neighborhood, from one pass over them.
///
/// The order of summation is the same for every neighborhood: strip by strip of the grid, bin by bin, and in each bin
/// in the order of rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeighborSummary {
    /// The number of neighbors.
    pub count: u32,
    /// Sum of the offsets to them, in world units.
    pub offsets: Vec2,
    /// Sum of their velocities, in world units per second.
    pub velocities: Vec2,
    /// Sum of the offsets *from* them, each divided by its squared length: the nearer, the stronger.
    /// An agent at exactly the same place pushes as [`Neighbor::push_at_same_place`] says.
    pub push: Vec2,
    /// Row and squared distance of the nearest neighbor; the lower row if two are equally near.
    pub nearest: Option<(usize, f32)>,
}

impl NeighborSummary {
    /// The summary of no neighbors.
    pub const EMPTY: Self = Self {
        count: 0,
        offsets: Vec2::ZERO,
        velocities: Vec2::ZERO,
        push: Vec2::ZERO,
        nearest: None,
    };

    /// Adds one more neighbor.
    #[inline]
    pub fn add(&mut self, other: &Neighbor<'_>) {
        self.count += 1;
        self.offsets += other.offset;
        self.velocities += other.vel;
        self.push += if other.distance_squared > SAME_PLACE {
            -other.offset * (1.0 / other.distance_squared)
        } else {
            other.push_at_same_place()
        };
        let nearer = match self.nearest {
            None => true,
            Some((row, least)) => {
                other.distance_squared < least
                    || (other.distance_squared == least && other.row < row)
            }
        };
        if nearer {
            self.nearest = Some((other.row, other.distance_squared));
        }
    }

    /// Returns the sums that means are computed from.
    #[inline]
    pub fn means(&self) -> MeanSums {
        MeanSums { count: self.count, offsets: self.offsets, velocities: self.velocities }
    }

    /// Returns the mean of the offsets to the neighbors; zero if there are none.
    #[inline]
    pub fn mean_offset(&self) -> Vec2 {
        self.means().mean_offset()
    }

    /// Returns the mean of their velocities; zero if there are none.
    #[inline]
    pub fn mean_velocity(&self) -> Vec2 {
        self.means().mean_velocity()
    }
}

impl<'w> Me<'w> {
    /// Calls `visit` with each neighbor, in the order of the grid: strip by strip, bin by bin, and in each bin in the
    /// order of rows.
    #[inline]
    pub fn each_neighbor(&self, which: &Neighborhood, mut visit: impl FnMut(&Neighbor<'w>)) {
        let center = self.center_of(which);
        self.each_batch(which, &mut |slots| {
            for &mut slot in slots {
                visit(&self.neighbor(center, slot));
            }
        });
    }

    /// Calls `visit` with the row of each neighbor, in the same order.
    #[inline]
    pub(crate) fn each_neighbor_row(&self, which: &Neighborhood, mut visit: impl FnMut(usize)) {
        let rows = self.world().agents.motions.rows();
        self.each_batch(which, &mut |slots| {
            slots.iter().for_each(|&slot| visit(rows[slot as usize] as usize));
        });
    }

    /// Returns the neighbor in a slot, seen from the center of a neighborhood.
    #[inline(always)]
    pub(super) fn neighbor(&self, center: Vec2, slot: u32) -> Neighbor<'w> {
        let world = self.world();
        let (motions, slot) = (&world.agents.motions, slot as usize);
        let offset = world.space.offset_inside(center, motions.positions()[slot]);
        Neighbor {
            row: motions.rows()[slot] as usize,
            offset,
            vel: motions.velocities()[slot],
            distance_squared: offset.length_squared(),
            me: self.row(),
            agents: &world.agents,
        }
    }

    /// Returns the count of the neighbors, and the sums that means are computed from.
    #[inline(always)]
    pub fn means(&self, which: &Neighborhood) -> MeanSums {
        #[cold]
        fn walk(me: &Me<'_>, which: &Neighborhood) -> MeanSums {
            me.sum_by_loop(which).means()
        }
        let ready = self.perceived(which).and_then(|ready| ready.means());
        ready.map_or_else(|| walk(self, which), |means| means.at(self.slot()))
    }

    /// Returns [`NeighborSummary::push`] of the neighbors.
    #[inline(always)]
    pub fn push(&self, which: &Neighborhood) -> Vec2 {
        #[cold]
        fn walk(me: &Me<'_>, which: &Neighborhood) -> Vec2 {
            me.sum_by_loop(which).push
        }
        let ready = self.perceived(which).and_then(|ready| ready.push());
        ready.map_or_else(|| walk(self, which), |push| push.at(self.slot()))
    }

    /// Returns [`NeighborSummary::nearest`] of the neighbors.
    #[inline(always)]
    pub fn nearest(&self, which: &Neighborhood) -> Option<(usize, f32)> {
        let ready = self.perceived(which).and_then(|ready| ready.nearest());
        ready.map_or_else(|| self.nearest_by_search(which), |nearest| nearest.at(self.slot()))
    }

    /// Returns the nearest neighbor from searches within larger and larger radii: the first radius with a neighbor has
    /// the nearest one, since it has all that are not farther.
    #[cold]
    pub(super) fn nearest_by_search(&self, which: &Neighborhood) -> Option<(usize, f32)> {
        let mut radius = self.world().grid.strip_height();
        let whole = self.world().grid.longest_side();
        while radius < which.radius && radius < whole {
            let within = Neighborhood { radius, ..*which };
            let nearest = self.sum_by_loop(&within).nearest;
            if nearest.is_some() {
                return nearest;
            }
            radius *= 2.0;
        }
        self.sum_by_loop(which).nearest
    }

    /// Returns the row of the neighbor with the lowest id.
    pub fn first(&self, which: &Neighborhood) -> Option<usize> {
        let mut first: Option<usize> = None;
        self.each_neighbor(which, |other| {
            first = Some(first.map_or(other.row, |row| row.min(other.row)));
        });
        first
    }

    /// Returns all sums over the neighbors.
    pub fn summary(&self, which: &Neighborhood) -> NeighborSummary {
        if let Some(ready) = self.perceived(which)
            && let (Some(means), Some(push), Some(nearest)) =
                (ready.means(), ready.push(), ready.nearest())
        {
            let slot = self.slot();
            let means = means.at(slot);
            return NeighborSummary {
                count: means.count,
                offsets: means.offsets,
                velocities: means.velocities,
                push: push.at(slot),
                nearest: nearest.at(slot),
            };
        }
        self.sum_by_loop(which)
    }

    #[inline(always)]
    fn perceived(&self, which: &Neighborhood) -> Option<Perceived<'w>> {
        self.world().perceived(self.group_id(), which)
    }

    /// Returns the sums from a loop over the neighbors. Inlined, so that sums that the caller ignores are not
    /// computed.
    #[inline]
    pub(super) fn sum_by_loop(&self, which: &Neighborhood) -> NeighborSummary {
        let mut summary = NeighborSummary::EMPTY;
        self.each_neighbor(which, |other| summary.add(other));
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::wide::{Real, Wide};
    use crate::world::neighbor_lanes::{NeighborFunction, NeighborLanes};
    use crate::world::{Edge, World};
    use proptest::prelude::*;

    struct GoesRight;

    impl NeighborFunction for GoesRight {
        type Results = Wide<f32>;

        fn compute(&self, of: &NeighborLanes) -> Wide<f32> {
            Wide::of(0.0).if_less(of.vel_x, Wide::of(1.0), Wide::of(0.0))
        }
    }

    fn world() -> World {
        World::example(&[
            (Vec2::ZERO, Vec2::X),
            (Vec2::new(2.0, 0.0), Vec2::Y),
            (Vec2::new(-1.0, 0.0), Vec2::new(0.0, 3.0)),
            (Vec2::new(0.0, 4.0), Vec2::ZERO),
            (Vec2::ZERO, Vec2::X),
        ])
    }

    #[test]
    fn sums_cover_the_other_agents_within_the_radius() {
        let world = world();
        let sum = world.me(0).summary(&Neighborhood::within(3.0));
        assert_eq!(sum.count, 3);
        assert_eq!(sum.offsets, Vec2::new(1.0, 0.0));
        assert_eq!(sum.velocities, Vec2::new(1.0, 4.0));
        let apart = sum.push - Vec2::new(-0.5 + 1.0, 0.0);
        let direction = |row| world.agents.random_direction(row);
        assert!((apart - (direction(0) - direction(4))).length() < 1e-6, "{apart}");
        assert_eq!(
            world.me(4).summary(&Neighborhood::within(0.0)).push,
            -(direction(0) - direction(4))
        );
        assert_eq!(sum.nearest, Some((4, 0.0)));
    }

    #[test]
    fn an_agent_exactly_at_the_radius_is_a_neighbor() {
        assert_eq!(world().me(0).summary(&Neighborhood::within(2.0)).count, 3);
        assert_eq!(
            world().me(0).summary(&Neighborhood::within(0.0)).count,
            1,
            "the one at the same place"
        );
    }

    #[test]
    fn a_neighborhood_around_a_point_is_as_if_the_agent_were_there() {
        let mut world = world();
        let near = Neighborhood::within(3.0).around(Vec2::new(0.0, 3.0));
        let sum = world.me(0).summary(&near);
        // The agent itself does not count, though it is 3 away; another agent at its place does.
        assert_eq!(sum.count, 2);
        assert_eq!(sum.offsets, Vec2::new(0.0, 1.0 - 3.0));
        assert_eq!(sum.nearest, Some((3, 1.0)));
        assert_eq!(world.me(0).means(&near), sum.means());
        world.space = crate::world::Space {
            edge: Edge::Wrap,
            min: Vec2::splat(-5.0),
            size: Vec2::splat(10.0),
        };
        world.index();
        for around in [Vec2::new(0.0, 3.0), Vec2::new(-20.0, 43.0)] {
            let near = Neighborhood::within(3.0).around(around);
            assert_eq!(world.me(0).summary(&near), sum, "{around}");
        }
        let across = Neighborhood::within(2.0).around(Vec2::new(0.0, -5.0));
        assert_eq!(world.me(0).summary(&across).offsets, Vec2::new(0.0, -1.0));
        let far = Neighborhood::within(f32::INFINITY).around(Vec2::splat(f32::MAX));
        assert!(world.me(0).summary(&far).offsets.is_finite());
    }

    #[test]
    fn views_exclude_agents_behind() {
        let world = world();
        let rows = |view| {
            let mut rows = Vec::new();
            world.me(0).each_neighbor(&Neighborhood::within(9.0).in_view(view), |other| {
                rows.push(other.row)
            });
            rows.sort_unstable();
            rows
        };
        assert_eq!(rows(View::Ahead), [1]);
        assert_eq!(rows(View::over(1.0)), [1, 4]);
        assert_eq!(rows(View::over(3.5)), [1, 3, 4]);
        assert_eq!(rows(View::over(6.3)), [1, 2, 3, 4]);
    }

    proptest! {
        /// Neighbors are found many at once and in batches, so there are more of them here than in one batch.
        #[test]
        fn a_search_finds_what_testing_all_agents_finds(
            others in prop::collection::vec((0u8..60, 0u8..60, 0u16..2), 1..300),
            wraps in any::<bool>(),
            radius in 0u8..50,
            of_group in any::<bool>(),
            ahead in any::<bool>(),
            most in prop::option::of(0u32..150),
        ) {
            let at = |&(x, y, _): &(u8, u8, u16)| {
                (Vec2::new(f32::from(x), f32::from(y)), Vec2::new(f32::from(y) - 30.0, 1.0))
            };
            let mut world = World::example(&others.iter().map(at).collect::<Vec<_>>());
            world.groups.push(world.groups[0].clone());
            for (row, other) in others.iter().enumerate() {
                world.agents.group[row] = GroupId(other.2);
            }
            world.space.min = Vec2::ZERO;
            world.space.size = Vec2::splat(60.0);
            world.space.edge = if wraps { Edge::Wrap } else { Edge::Open };
            world.index();
            let which = Neighborhood {
                group: of_group.then_some(GroupId(1)),
                view: if ahead { View::Ahead } else { View::Around },
                most,
                ..Neighborhood::within(f32::from(radius))
            };
            let me = world.me(0);
            let all: Vec<usize> = world.agents.motions.rows().iter().map(|&row| row as usize).collect();
            let mut expected: Vec<usize> = all.into_iter().filter(|&row| {
                let offset = world.space.offset_inside(me.pos(), world.agents.pos(row));
                row != 0
                    && offset.length_squared() <= which.radius * which.radius
                    && which.group.is_none_or(|group| world.agents.group[row] == group)
                    && (!ahead || me.heading().dot(offset) > 0.0)
            }).collect();
            let mut by_distance = expected.clone();
            by_distance.sort_by_key(|&row| {
                let offset = world.space.offset_inside(me.pos(), world.agents.pos(row));
                (offset.length_squared() as u32, row)
            });
            by_distance.truncate(most.unwrap_or(u32::MAX) as usize);
            expected.retain(|row| by_distance.contains(row));
            prop_assert_eq!(me.nearest(&which).map(|(row, _)| row), by_distance.first().copied());
            let mut found = Vec::new();
            me.each_neighbor(&which, |other| found.push(other.row));
            prop_assert_eq!(&found, &expected);
            let mut some = Vec::new();
            me.each_neighbor_that(&which, &GoesRight, |other| some.push(other.row));
            let expected: Vec<usize> =
                expected.into_iter().filter(|&row| world.agents.vel(row).x > 0.0).collect();
            prop_assert_eq!(some, expected);
        }
    }
}
