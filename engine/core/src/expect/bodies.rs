//! Finds bodies that come too close to each other.

use std::ops::Range;

use super::pair_groups::PairGroups;
use super::rule::{Contact, Judgment, TickView, Violation, Worse, join};
use crate::math;
use crate::threads;
use crate::world::{Agents, Body, GroupId, World};

/// Number of agents that one thread checks at a time.
pub(super) const CHUNK: usize = 2048;

/// Joins the violations that `find` returns for the indices below `count`, on several threads if there are many.
pub(super) fn collect_violations(
    count: usize,
    worse: Worse,
    find: impl Fn(usize) -> Option<Violation> + Send + Sync,
) -> Option<Violation> {
    let in_part = |part: Range<usize>| part.filter_map(&find).reduce(|a, b| a.join(b, worse));
    threads::reduce_parts(count, CHUNK, in_part, |a, b| join(a, b, worse)).flatten()
}

/// The radii to check for each group, in the order of `Group::all_bodies`; `None` for groups that are not checked.
#[derive(Clone, Debug)]
pub(super) struct BodyRadii {
    radii: Vec<Option<Vec<f32>>>,
    /// The radius of all agents, if they all have the same one.
    same: Option<f32>,
    /// The groups whose pairs are searched.
    groups: PairGroups,
}

impl BodyRadii {
    /// Takes the radii of some groups, or of all.
    pub(super) fn new(world: &World, groups: PairGroups, radius: impl Fn(&Body) -> f32) -> Self {
        let all = world.groups.iter().zip((0..).map(GroupId));
        let radii: Vec<Option<Vec<f32>>> = all
            .map(|(of, group)| {
                groups.contains(group).then(|| of.all_bodies().iter().map(&radius).collect())
            })
            .collect();
        let first = radii.first().and_then(|radii| radii.as_ref()?.first());
        let is_first = |radii: &Option<Vec<f32>>| {
            let mut radii = radii.iter().flatten();
            radii.all(|radius| Some(radius) == first)
        };
        let is_selected = radii.iter().all(Option::is_some);
        let same = first.copied().filter(|_| is_selected && radii.iter().all(is_first));
        Self { radii, same, groups }
    }

    /// Returns whether it has the radii of all agents. Agents that are made later may have others, if these are drawn.
    pub(super) fn is_complete(&self, world: &World) -> bool {
        let groups = self.radii.iter().zip(&world.groups);
        let mut checked = groups.filter_map(|(radii, of)| Some((radii.as_ref()?, of)));
        checked.all(|(radii, of)| radii.len() == of.all_bodies().len())
    }

    /// Returns the radius of the agent in a row, if its group is checked.
    #[inline]
    pub(super) fn radius(&self, agents: &Agents, row: usize) -> Option<f32> {
        let radii = self.radii[usize::from(agents.group[row].0)].as_deref()?;
        Some(match radii {
            [radius] => *radius,
            _ => radii[agents.index[row] as usize % radii.len()],
        })
    }

    /// Returns the largest radius.
    pub(super) fn largest(&self) -> f32 {
        let all = self.radii.iter().flatten().flatten();
        all.copied().fold(0.0, math::max)
    }

    /// Finds the pairs of agents whose bodies overlap by more than a tolerance. The value of the violation is the
    /// depth of the overlap, or the distance between the centers if lower values are worse. The margin is that of the
    /// pair with the deepest overlap, or the smallest gap.
    pub(super) fn overlapping_pairs(
        &self,
        now: &TickView<'_>,
        tolerance: f32,
        worse: Worse,
    ) -> Judgment {
        let search = PairSearch::new(now, self);
        let is_possible =
            self.same.is_none_or(|radius| search_radius(2.0 * radius, tolerance) > 0.0);
        let slots = if is_possible { now.motions.len() } else { 0 };
        let violation = collect_violations(slots, worse, |slot| {
            let mut found = None;
            search.each_pair(slot, tolerance, |pair| {
                if pair.depth() > tolerance {
                    let value = match worse {
                        Worse::Higher => pair.depth(),
                        Worse::Lower => pair.distance,
                    };
                    let one = Violation::new(pair.rows.0, Contact::Agent(pair.rows.1), value);
                    found = join(found, Some(one), worse);
                }
            });
            found
        });
        let margin = now.with_margins.then(|| search.deepest().map(|depth| tolerance - depth));
        Judgment::of_searches(violation, margin.flatten())
    }
}

/// Returns the distance within which two bodies can overlap by more than a tolerance if the sum of their radii is not larger
/// than this. It is a little too large, so that rounding misses nothing; each pair found is then checked exactly.
fn search_radius(radii: f32, tolerance: f32) -> f32 {
    (radii - tolerance) * 1.000_01
}

/// Two agents that are near each other.
struct Pair {
    /// Their rows, the lower first.
    rows: (usize, usize),
    /// The sum of their radii.
    radii: f32,
    /// The distance between their centers.
    distance: f32,
}

impl Pair {
    /// Returns the depth of the overlap of their bodies; below 0, it is the gap between them.
    fn depth(&self) -> f32 {
        self.radii - self.distance
    }
}

/// A search for pairs of bodies that are close to each other.
struct PairSearch<'a, 'm> {
    now: &'a TickView<'m>,
    bodies: &'a BodyRadii,
    sides: Option<Sides>,
}

/// The two groups of a search between groups.
struct Sides {
    /// The smaller group: each of its agents searches for agents of the other one.
    from: GroupId,
    to: GroupId,
    /// The largest radius of the other group.
    largest: f32,
}

impl<'a, 'm> PairSearch<'a, 'm> {
    fn new(now: &'a TickView<'m>, bodies: &'a BodyRadii) -> Self {
        let sides = match bodies.groups {
            PairGroups::Between(a, b) => {
                let all = &now.world.agents.group;
                let count = |of: GroupId| all.iter().filter(|&&group| group == of).count();
                let (from, to) = if count(b) < count(a) { (b, a) } else { (a, b) };
                let radii = bodies.radii[usize::from(to.0)].iter().flatten().copied();
                Some(Sides { from, to, largest: radii.fold(0.0, math::max) })
            }
            PairGroups::All | PairGroups::Within(_) => None,
        };
        Self { now, bodies, sides }
    }

    /// Calls `visit` with the pairs of the agent in a slot that may overlap by more than a tolerance, each pair for one of
    /// its slots only.
    #[inline]
    fn each_pair(&self, slot: usize, tolerance: f32, visit: impl FnMut(Pair)) {
        match (&self.sides, self.bodies.same) {
            (Some(sides), _) => self.pairs_between(sides, slot, tolerance, visit),
            (None, Some(radius)) => self.pairs_of_equal_bodies(radius, slot, tolerance, visit),
            (None, None) => self.pairs_with_smaller_bodies(slot, tolerance, visit),
        }
    }

    /// Returns the depth of the deepest overlap of all pairs; below 0, it is the smallest gap. `None` if there is no
    /// pair.
    fn deepest(&self) -> Option<f32> {
        let mut deepest: Option<f32> = None;
        for slot in 0..self.now.motions.len() {
            // Only deeper overlaps matter, so all agents but the first few check hardly any others.
            let tolerance = deepest.map_or(f32::NEG_INFINITY, f32::next_down);
            self.each_pair(slot, tolerance, |pair| {
                if deepest.is_none_or(|deepest| pair.depth() > deepest) {
                    deepest = Some(pair.depth());
                }
            });
        }
        deepest
    }

    /// Visits the pairs of the agent in a slot and agents in later slots, if all have one radius.
    #[inline]
    fn pairs_of_equal_bodies(
        &self,
        radius: f32,
        slot: usize,
        tolerance: f32,
        mut visit: impl FnMut(Pair),
    ) {
        let (grid, space) = (self.now.grid, &self.now.world.space);
        let seen = self.now.motions.positions();
        let reach = search_radius(2.0 * radius, tolerance);
        if reach <= 0.0 {
            return;
        }
        let (pos, squared) = (seen[slot], reach * reach);
        grid.each_later(slot, pos, reach, |run, crosses| {
            for (other, &at) in run.clone().zip(&seen[run]) {
                let offset = if crosses { space.offset_inside(pos, at) } else { at - pos };
                if offset.length_squared() <= squared {
                    visit(self.pair([slot, other], 2.0 * radius));
                }
            }
        });
    }

    /// Visits the pairs of the agent in a slot and agents with smaller bodies, and those with equal bodies in later
    /// slots.
    fn pairs_with_smaller_bodies(&self, slot: usize, tolerance: f32, mut visit: impl FnMut(Pair)) {
        let (grid, world) = (self.now.grid, self.now.world);
        let (rows, seen) = (self.now.motions.rows(), self.now.motions.positions());
        let radius = |slot: usize| self.bodies.radius(&world.agents, rows[slot] as usize);
        let Some(own) = radius(slot) else {
            return;
        };
        let reach = search_radius(2.0 * own, tolerance);
        let (pos, squared) = (seen[slot], reach * reach);
        grid.each_run(pos, pos, reach, |run, _| {
            for other in run {
                let offset = world.space.offset_inside(pos, seen[other]);
                if offset.length_squared() > squared || other == slot {
                    continue;
                }
                if let Some(radius) = radius(other)
                    && (radius < own || (radius == own && other > slot))
                {
                    visit(self.pair([slot, other], own + radius));
                }
            }
        });
    }

    /// Visits the pairs of the agent in a slot, if it is in the group that searches, and agents of the other group.
    fn pairs_between(
        &self,
        sides: &Sides,
        slot: usize,
        tolerance: f32,
        mut visit: impl FnMut(Pair),
    ) {
        let (grid, world) = (self.now.grid, self.now.world);
        let (rows, seen) = (self.now.motions.rows(), self.now.motions.positions());
        let radius_in = |group: GroupId, slot: usize| {
            let row = rows[slot] as usize;
            let is_in = world.agents.group[row] == group;
            if is_in { self.bodies.radius(&world.agents, row) } else { None }
        };
        let Some(own) = radius_in(sides.from, slot) else {
            return;
        };
        let reach = search_radius(own + sides.largest, tolerance);
        if reach <= 0.0 {
            return;
        }
        let (pos, squared) = (seen[slot], reach * reach);
        grid.each_run(pos, pos, reach, |run, _| {
            for other in run {
                let offset = world.space.offset_inside(pos, seen[other]);
                if offset.length_squared() > squared {
                    continue;
                }
                if let Some(radius) = radius_in(sides.to, other) {
                    visit(self.pair([slot, other], own + radius));
                }
            }
        });
    }

    #[cold]
    fn pair(&self, slots: [usize; 2], radii: f32) -> Pair {
        let (motions, space) = (self.now.motions, &self.now.world.space);
        let [a, b] = slots.map(|slot| motions.rows()[slot] as usize);
        let [from, to] = slots.map(|slot| motions.positions()[slot]);
        Pair { rows: (a.min(b), a.max(b)), radii, distance: space.offset_inside(from, to).length() }
    }
}
