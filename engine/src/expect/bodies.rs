//! Which bodies come too near to each other.

use super::rule::{Contact, TickView, Violation, Worse, join};
use crate::threads;
use crate::world::{Agents, Body, GroupId, World};

/// So many agents are looked at by one thread in one go.
const PART: usize = 2048;

/// What is found of so many agents, on several threads where they are many.
pub(super) fn collect_violations(
    count: usize,
    worse: Worse,
    look: impl Fn(usize) -> Option<Violation> + Send + Sync,
) -> Option<Violation> {
    let parts = threads::map_parts(count, PART, |part| {
        part.filter_map(&look).reduce(|a, b| a.join(b, worse))
    });
    parts.into_iter().flatten().reduce(|a, b| a.join(b, worse))
}

/// The radii that count of the agents of each group, as [`Group::all_bodies`] has them; `None` for groups that
/// are not meant.
#[derive(Clone, Debug)]
pub(super) struct Bodies {
    radii: Vec<Option<Vec<f32>>>,
    /// That of everyone, if all have the same.
    same: Option<f32>,
}

impl Bodies {
    /// Those of some groups, or of all.
    pub(super) fn new(
        world: &World,
        groups: Option<&[GroupId]>,
        radius: impl Fn(&Body) -> f32,
    ) -> Self {
        let all = world.groups.iter().zip((0..).map(GroupId));
        let radii: Vec<Option<Vec<f32>>> = all
            .map(|(of, group)| {
                let is_meant = groups.is_none_or(|groups| groups.contains(&group));
                is_meant.then(|| of.all_bodies().iter().map(&radius).collect())
            })
            .collect();
        let first = radii.first().and_then(|radii| radii.as_ref()?.first());
        let is_first = |radii: &Option<Vec<f32>>| {
            let mut radii = radii.iter().flatten();
            radii.all(|radius| Some(radius) == first)
        };
        let is_meant = radii.iter().all(Option::is_some);
        Self { same: first.copied().filter(|_| is_meant && radii.iter().all(is_first)), radii }
    }

    /// The radius of the agent of a row, if it is meant.
    #[inline]
    pub(super) fn radius(&self, agents: &Agents, row: usize) -> Option<f32> {
        let radii = self.radii[usize::from(agents.group[row].0)].as_deref()?;
        Some(match radii {
            [radius] => *radius,
            _ => radii[agents.index[row] as usize % radii.len()],
        })
    }

    /// Pairs of agents whose bodies overlap by more than a tolerance. The value is by how much, or, where
    /// the lower one is the worse, the distance between their centers.
    pub(super) fn overlapping_pairs(
        &self,
        now: &TickView<'_>,
        tolerance: f32,
        worse: Worse,
    ) -> Option<Violation> {
        let search = Search { now, tolerance, worse };
        let slots = now.grid.rows().len();
        match self.same {
            Some(radius) if search_radius(radius, tolerance) <= 0.0 => None,
            Some(radius) => {
                collect_violations(slots, worse, |slot| search.among_equals(radius, slot))
            }
            None => collect_violations(slots, worse, |slot| search.of_no_larger(self, slot)),
        }
    }
}

/// How far away others may be that an agent with a body no smaller overlaps. A little more, since
/// rounding may not count: who is inside is then asked exactly.
fn search_radius(radius: f32, tolerance: f32) -> f32 {
    (2.0 * radius - tolerance) * 1.000_01
}

/// A search for pairs.
struct Search<'a, 'm> {
    now: &'a TickView<'m>,
    tolerance: f32,
    worse: Worse,
}

impl Search<'_, '_> {
    /// The pairs of the agent of a slot and those behind it, where all have one radius.
    #[inline]
    fn among_equals(&self, radius: f32, slot: usize) -> Option<Violation> {
        let (grid, space) = (self.now.grid, &self.now.world.space);
        let seen = grid.sightings();
        let reach = search_radius(radius, self.tolerance);
        let (pos, squared) = (seen[slot].pos, reach * reach);
        let mut found = None;
        grid.each_later(slot, reach, |run, crosses| {
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

    /// The pairs of the agent of a slot and those with bodies no larger; of equal ones, those behind it.
    fn of_no_larger(&self, bodies: &Bodies, slot: usize) -> Option<Violation> {
        let (grid, world) = (self.now.grid, self.now.world);
        let (rows, seen) = (grid.rows(), grid.sightings());
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

    /// Adds a pair of slots to what is found, if their agents are too near to each other.
    #[cold]
    fn add_if_close(&self, found: &mut Option<Violation>, slots: [usize; 2], radii: f32) {
        let (grid, space) = (self.now.grid, &self.now.world.space);
        let [a, b] = slots.map(|slot| grid.rows()[slot] as usize);
        let [from, to] = slots.map(|slot| grid.sightings()[slot].pos);
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
