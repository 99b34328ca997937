//! Finds bodies that come too close to each other.

use super::rule::{Contact, TickView, Violation, Worse, join};
use crate::threads;
use crate::world::{Agents, Body, GroupId, World};

/// Number of agents that one thread checks at a time.
const CHUNK: usize = 2048;

/// Joins the violations that `find` returns for the indices below `count`, on several threads if there are many.
pub(super) fn collect_violations(
    count: usize,
    worse: Worse,
    find: impl Fn(usize) -> Option<Violation> + Send + Sync,
) -> Option<Violation> {
    let parts = threads::map_parts(count, CHUNK, |part| {
        part.filter_map(&find).reduce(|a, b| a.join(b, worse))
    });
    parts.into_iter().flatten().reduce(|a, b| a.join(b, worse))
}

/// The radii to check for each group, in the order of `Group::all_bodies`; `None` for groups that are not checked.
#[derive(Clone, Debug)]
pub(super) struct BodyRadii {
    radii: Vec<Option<Vec<f32>>>,
    /// The radius of all agents, if they all have the same one.
    same: Option<f32>,
}

impl BodyRadii {
    /// Takes the radii of some groups, or of all.
    pub(super) fn new(
        world: &World,
        groups: Option<&[GroupId]>,
        radius: impl Fn(&Body) -> f32,
    ) -> Self {
        let all = world.groups.iter().zip((0..).map(GroupId));
        let radii: Vec<Option<Vec<f32>>> = all
            .map(|(of, group)| {
                let is_selected = groups.is_none_or(|groups| groups.contains(&group));
                is_selected.then(|| of.all_bodies().iter().map(&radius).collect())
            })
            .collect();
        let first = radii.first().and_then(|radii| radii.as_ref()?.first());
        let is_first = |radii: &Option<Vec<f32>>| {
            let mut radii = radii.iter().flatten();
            radii.all(|radius| Some(radius) == first)
        };
        let is_selected = radii.iter().all(Option::is_some);
        Self { same: first.copied().filter(|_| is_selected && radii.iter().all(is_first)), radii }
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

    /// Finds the pairs of agents whose bodies overlap by more than a tolerance. The value of the violation is the
    /// depth of the overlap, or the distance between the centers if lower values are worse.
    pub(super) fn overlapping_pairs(
        &self,
        now: &TickView<'_>,
        tolerance: f32,
        worse: Worse,
    ) -> Option<Violation> {
        let search = PairSearch { now, tolerance, worse };
        let slots = now.motions.len();
        match self.same {
            Some(radius) if search_radius(radius, tolerance) <= 0.0 => None,
            Some(radius) => {
                collect_violations(slots, worse, |slot| search.pairs_of_equal_bodies(radius, slot))
            }
            None => collect_violations(slots, worse, |slot| {
                search.pairs_with_smaller_bodies(self, slot)
            }),
        }
    }
}

/// Returns the distance within which a body of this radius can overlap bodies that are not larger. It is a little
/// too large, so that rounding misses nothing; each pair found is then checked exactly.
fn search_radius(radius: f32, tolerance: f32) -> f32 {
    (2.0 * radius - tolerance) * 1.000_01
}

/// A search for pairs of bodies that are too close.
struct PairSearch<'a, 'm> {
    now: &'a TickView<'m>,
    tolerance: f32,
    worse: Worse,
}

impl PairSearch<'_, '_> {
    /// Finds the pairs of the agent in a slot and agents in later slots, if all have one radius.
    #[inline]
    fn pairs_of_equal_bodies(&self, radius: f32, slot: usize) -> Option<Violation> {
        let (grid, space) = (self.now.grid, &self.now.world.space);
        let seen = self.now.motions.sightings();
        let reach = search_radius(radius, self.tolerance);
        let (pos, squared) = (seen[slot].pos, reach * reach);
        let mut found = None;
        grid.each_later(slot, pos, reach, |run, crosses| {
            for (other, sighting) in run.clone().zip(&seen[run]) {
                let offset = if crosses {
                    space.offset_inside(pos, sighting.pos)
                } else {
                    sighting.pos - pos
                };
                if offset.length_squared() <= squared {
                    self.add_if_close(&mut found, [slot, other], 2.0 * radius);
                }
            }
        });
        found
    }

    /// Finds the pairs of the agent in a slot and agents with smaller bodies, and those with equal bodies in later
    /// slots.
    fn pairs_with_smaller_bodies(&self, bodies: &BodyRadii, slot: usize) -> Option<Violation> {
        let (grid, world) = (self.now.grid, self.now.world);
        let (rows, seen) = (self.now.motions.rows(), self.now.motions.sightings());
        let radius = |slot: usize| bodies.radius(&world.agents, rows[slot] as usize);
        let own = radius(slot)?;
        let reach = search_radius(own, self.tolerance);
        let (pos, squared) = (seen[slot].pos, reach * reach);
        let mut found = None;
        grid.each_run(pos, pos, reach, |run, _| {
            for other in run {
                let offset = world.space.offset_inside(pos, seen[other].pos);
                if offset.length_squared() > squared || other == slot {
                    continue;
                }
                if let Some(radius) = radius(other)
                    && (radius < own || (radius == own && other > slot))
                {
                    self.add_if_close(&mut found, [slot, other], own + radius);
                }
            }
        });
        found
    }

    /// Adds the pair of agents in two slots to the violation, if they are too close to each other.
    #[cold]
    fn add_if_close(&self, found: &mut Option<Violation>, slots: [usize; 2], radii: f32) {
        let (motions, space) = (self.now.motions, &self.now.world.space);
        let [a, b] = slots.map(|slot| motions.rows()[slot] as usize);
        let [from, to] = slots.map(|slot| motions.sightings()[slot].pos);
        let distance = space.offset_inside(from, to).length();
        let depth = radii - distance;
        if depth > self.tolerance {
            let value = match self.worse {
                Worse::Higher => depth,
                Worse::Lower => distance,
            };
            let one = Violation::of(a.min(b), Contact::Agent(a.max(b)), value);
            *found = join(*found, Some(one), self.worse);
        }
    }
}
