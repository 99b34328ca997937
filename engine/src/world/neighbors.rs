//! Neighborhoods: which others an agent takes into account, and what they sum up to.

use super::{Agents, GroupId, Me, Perceived};
use crate::geom::FAR;
use crate::math::random::Mix;
use crate::math::{self, Vec2};

/// The part of its surroundings in which an agent sees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum View {
    /// All around.
    #[default]
    Around,
    /// What is in front: strictly less than a quarter turn from the heading.
    Ahead,
    /// Up to half an angle to either side of the heading, given by the cosine of that half.
    /// An agent at the very same place is in every such view.
    Cone {
        /// Cosine of the largest angle from the heading.
        cos_half: f32,
    },
}

impl View {
    /// The view over an angle in radians, half of it to either side of the heading.
    pub fn over(radians: f32) -> Self {
        if radians >= 2.0 * math::PI {
            return Self::Around;
        }
        Self::Cone { cos_half: math::cos(math::max(radians, 0.0) * 0.5) }
    }

    /// Whether something at an offset from the agent is in view.
    #[inline]
    fn shows(self, heading: Vec2, offset: Vec2, distance_squared: f32) -> bool {
        match self {
            Self::Around => true,
            Self::Ahead => heading.dot(offset) > 0.0,
            Self::Cone { cos_half } => heading.dot(offset) >= cos_half * distance_squared.sqrt(),
        }
    }
}

/// A question: which others are near? It costs nothing until it is asked of the world, with
/// [`Me::each_neighbor`], [`Me::means`] and their like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighborhood {
    /// Others whose center is at most this far count, in world units; may be infinite.
    pub radius: f32,
    /// Only others of this group, if given.
    pub group: Option<GroupId>,
    /// Only others in view.
    pub view: View,
    /// Another point to look from than where the agent is: all is then as if it stood there, with its
    /// heading. It is still not its own neighbor. In a world that wraps the point may lie outside of it;
    /// coordinates beyond [`FAR`] are taken as [`FAR`].
    pub around: Option<Vec2>,
}

impl Neighborhood {
    /// Everyone else within a radius, in world units.
    pub fn within(radius: f32) -> Self {
        Self { radius, group: None, view: View::Around, around: None }
    }

    /// The same, of one group only.
    #[must_use]
    pub fn of(self, group: GroupId) -> Self {
        Self { group: Some(group), ..self }
    }

    /// The same, in view only.
    #[must_use]
    pub fn seen(self, view: View) -> Self {
        Self { view, ..self }
    }

    /// The same, as it would be if the agent stood at a point.
    #[must_use]
    pub fn around(self, point: Vec2) -> Self {
        Self { around: Some(point), ..self }
    }
}

/// One neighbor, as met in a loop over them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor<'w> {
    /// Its row.
    pub row: usize,
    /// The way to it, in world units.
    pub offset: Vec2,
    /// Its velocity, in world units per second.
    pub vel: Vec2,
    /// The square of its distance.
    pub distance_squared: f32,
    me: usize,
    agents: &'w Agents,
}

impl Neighbor<'_> {
    /// The unit vector along which the agent that met this one at its very own place leaves it. It hangs
    /// on the two ids alone, and is the opposite for the other one.
    #[cold]
    pub fn apart(&self) -> Vec2 {
        let (me, other) = (self.agents.id[self.me], self.agents.id[self.row]);
        let pair = u64::from(me.min(other)) << 32 | u64::from(me.max(other));
        let way = Mix::new(pair).direction();
        if me < other { way } else { -way }
    }
}

/// The square of the distance up to which two agents count as standing at the same place; its inverse is
/// still a number.
pub(super) const SAME_PLACE: f32 = 1e-30;

/// What neighbors sum up to of which a mean is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanSums {
    /// How many there are.
    pub count: u32,
    /// Sum of the ways to them.
    pub offsets: Vec2,
    /// Sum of their velocities.
    pub velocities: Vec2,
}

impl MeanSums {
    /// The mean of the ways to them; zero where there are none.
    pub fn mean_offset(&self) -> Vec2 {
        if self.count == 0 { Vec2::ZERO } else { self.offsets / self.count as f32 }
    }

    /// The mean of their velocities; zero where there are none.
    pub fn mean_velocity(&self) -> Vec2 {
        if self.count == 0 { Vec2::ZERO } else { self.velocities / self.count as f32 }
    }
}

/// What all neighbors of one neighborhood sum up to, from one pass over them.
///
/// Sums run in one order, whatever the neighborhood: strip by strip of the grid, bin by bin, and
/// within a bin in the order of rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeighborSummary {
    /// How many there are.
    pub count: u32,
    /// Sum of the ways to them.
    pub offsets: Vec2,
    /// Sum of their velocities.
    pub velocities: Vec2,
    /// Sum of the ways *from* them, each divided by its squared length: the nearer, the stronger.
    /// An agent at the very same place counts as one unit away, see [`Neighbor::apart`].
    pub push: Vec2,
    /// Row and squared distance of the nearest; the lower row where two are equally near.
    pub nearest: Option<(usize, f32)>,
}

impl NeighborSummary {
    /// What no neighbors sum up to.
    pub const EMPTY: Self = Self {
        count: 0,
        offsets: Vec2::ZERO,
        velocities: Vec2::ZERO,
        push: Vec2::ZERO,
        nearest: None,
    };

    /// Takes one more neighbor in.
    #[inline]
    pub fn add(&mut self, other: &Neighbor<'_>) {
        self.count += 1;
        self.offsets += other.offset;
        self.velocities += other.vel;
        self.push += if other.distance_squared > SAME_PLACE {
            -other.offset * (1.0 / other.distance_squared)
        } else {
            other.apart()
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

    /// Those of the sums of which a mean is taken.
    #[inline]
    pub fn means(&self) -> MeanSums {
        MeanSums { count: self.count, offsets: self.offsets, velocities: self.velocities }
    }

    /// The mean of the ways to them; zero where there are none.
    pub fn mean_offset(&self) -> Vec2 {
        self.means().mean_offset()
    }

    /// The mean of their velocities; zero where there are none.
    pub fn mean_velocity(&self) -> Vec2 {
        self.means().mean_velocity()
    }
}

/// How many agents of a run are looked at in one go.
const CHUNK: usize = 64;

impl<'w> Me<'w> {
    /// Calls `visit` with each neighbor, in the order of the grid: strip by strip, bin by bin, and
    /// within a bin in the order of rows.
    #[inline]
    pub fn each_neighbor(&self, which: &Neighborhood, mut visit: impl FnMut(&Neighbor<'w>)) {
        let world = self.world();
        let (heading, me) = (self.heading(), self.row());
        let pos = which.around.map_or_else(
            || self.pos(),
            |point| {
                let far = Vec2::splat(FAR);
                world.space.inside(point.clamp(-far, far))
            },
        );
        let reach = which.radius * which.radius;
        world.grid.each_near(pos, which.radius, |rows, sightings| {
            for (rows, sightings) in rows.chunks(CHUNK).zip(sightings.chunks(CHUNK)) {
                // First who is near enough, without a branch that would be guessed wrong half of the
                // time; then only those.
                let mut near = [0u8; CHUNK];
                let mut count = 0;
                for (i, seen) in sightings.iter().enumerate() {
                    let offset = world.space.offset_inside(pos, seen.pos);
                    near[count] = i as u8;
                    count += usize::from(offset.length_squared() <= reach);
                }
                for &i in &near[..count] {
                    let (row, seen) = (rows[usize::from(i)] as usize, &sightings[usize::from(i)]);
                    let offset = world.space.offset_inside(pos, seen.pos);
                    let distance_squared = offset.length_squared();
                    let other_group =
                        which.group.is_some_and(|group| world.agents.group[row] != group);
                    if row == me
                        || other_group
                        || !which.view.shows(heading, offset, distance_squared)
                    {
                        continue;
                    }
                    visit(&Neighbor {
                        row,
                        offset,
                        vel: seen.vel,
                        distance_squared,
                        me,
                        agents: &world.agents,
                    });
                }
            }
        });
    }

    /// What the neighbors sum up to of which a mean is taken.
    #[inline(always)]
    pub fn means(&self, which: &Neighborhood) -> MeanSums {
        #[cold]
        fn walk(me: &Me<'_>, which: &Neighborhood) -> MeanSums {
            me.walk(which).means()
        }
        let ready = self.perceived(which).and_then(|ready| ready.means());
        ready.map_or_else(|| walk(self, which), |means| means.of(self.row()))
    }

    /// [`NeighborSummary::push`] of the neighbors.
    #[inline(always)]
    pub fn push(&self, which: &Neighborhood) -> Vec2 {
        #[cold]
        fn walk(me: &Me<'_>, which: &Neighborhood) -> Vec2 {
            me.walk(which).push
        }
        let ready = self.perceived(which).and_then(|ready| ready.push());
        ready.map_or_else(|| walk(self, which), |push| push.of(self.row()))
    }

    /// [`NeighborSummary::nearest`] of the neighbors.
    #[inline(always)]
    pub fn nearest(&self, which: &Neighborhood) -> Option<(usize, f32)> {
        #[cold]
        fn walk(me: &Me<'_>, which: &Neighborhood) -> Option<(usize, f32)> {
            me.walk(which).nearest
        }
        let ready = self.perceived(which).and_then(|ready| ready.nearest());
        ready.map_or_else(|| walk(self, which), |nearest| nearest.of(self.row()).found())
    }

    /// The row of the neighbor with the lowest id.
    pub(crate) fn first(&self, which: &Neighborhood) -> Option<usize> {
        let mut first: Option<usize> = None;
        self.each_neighbor(which, |other| {
            first = Some(first.map_or(other.row, |row| row.min(other.row)));
        });
        first
    }

    /// Everything the neighbors sum up to.
    pub fn summary(&self, which: &Neighborhood) -> NeighborSummary {
        if let Some(ready) = self.perceived(which)
            && let (Some(means), Some(push), Some(nearest)) =
                (ready.means(), ready.push(), ready.nearest())
        {
            let row = self.row();
            let means = means.of(row);
            return NeighborSummary {
                count: means.count,
                offsets: means.offsets,
                velocities: means.velocities,
                push: push.of(row),
                nearest: nearest.of(row).found(),
            };
        }
        self.walk(which)
    }

    #[inline(always)]
    fn perceived(&self, which: &Neighborhood) -> Option<Perceived<'w>> {
        self.world().perceived(self.group_id(), which)
    }

    /// The sums from a loop over the neighbors. Inlined, so that sums nobody looks at are not taken.
    #[inline]
    pub(super) fn walk(&self, which: &Neighborhood) -> NeighborSummary {
        let mut summary = NeighborSummary::EMPTY;
        self.each_neighbor(which, |other| summary.add(other));
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

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
    fn sums_are_those_of_the_others_in_reach() {
        let world = world();
        let sum = world.me(0).summary(&Neighborhood::within(3.0));
        assert_eq!(sum.count, 3);
        assert_eq!(sum.offsets, Vec2::new(1.0, 0.0));
        assert_eq!(sum.velocities, Vec2::new(1.0, 4.0));
        let apart = sum.push - Vec2::new(-0.5 + 1.0, 0.0);
        assert!(
            (apart.length() - 1.0).abs() < 1e-6,
            "the one at the same place counts as one unit away"
        );
        assert_eq!(sum.nearest, Some((4, 0.0)));
    }

    #[test]
    fn the_edge_of_the_radius_counts() {
        assert_eq!(world().me(0).summary(&Neighborhood::within(2.0)).count, 3);
        assert_eq!(
            world().me(0).summary(&Neighborhood::within(0.0)).count,
            1,
            "the one at the same place"
        );
    }

    #[test]
    fn around_a_point_all_is_as_if_the_agent_stood_there() {
        let mut world = world();
        let near = Neighborhood::within(3.0).around(Vec2::new(0.0, 3.0));
        let sum = world.me(0).summary(&near);
        // Not itself, though it is 3 away; but the one at its place is.
        assert_eq!(sum.count, 2);
        assert_eq!(sum.offsets, Vec2::new(0.0, 1.0 - 3.0));
        assert_eq!(sum.nearest, Some((3, 1.0)));
        assert_eq!(world.me(0).means(&near), sum.means());
        world.space = crate::world::Space {
            edge: crate::world::Edge::Wrap,
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
    fn views_leave_out_what_is_behind() {
        let world = world();
        let rows = |view| {
            let mut rows = Vec::new();
            world
                .me(0)
                .each_neighbor(&Neighborhood::within(9.0).seen(view), |other| rows.push(other.row));
            rows.sort_unstable();
            rows
        };
        assert_eq!(rows(View::Ahead), [1]);
        assert_eq!(rows(View::over(1.0)), [1, 4]);
        assert_eq!(rows(View::over(3.5)), [1, 3, 4]);
        assert_eq!(rows(View::over(6.3)), [1, 2, 3, 4]);
    }
}
