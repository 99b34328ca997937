//! Rules about how near agents may come to each other and to obstacles.

use rayon::prelude::*;

use super::obstacles;
use super::rule::{Moment, Offence, Rule, With, Worse, join};
use crate::world::{GroupId, World};

/// So many agents are looked at by one thread in one go.
const PART: usize = 2048;

/// [`super::Expected::NoOverlap`]
pub(super) struct NoOverlap {
    pub(super) bodies: Bodies,
    pub(super) tolerance: f32,
    pub(super) agents: bool,
    pub(super) obstacles: bool,
}

impl Rule for NoOverlap {
    fn judge(&mut self, now: &Moment<'_>) -> Option<Offence> {
        let pairs = self
            .agents
            .then(|| self.bodies.meeting(now, self.tolerance, Worse::Higher))
            .flatten();
        let inside = self
            .obstacles
            .then(|| obstacles::entered(now, &self.bodies, self.tolerance))
            .flatten();
        join(pairs, inside, Worse::Higher)
    }

    fn describe(&self, now: &Moment<'_>, offence: &Offence) -> String {
        let (who, value, tick) = (now.who(offence.first()), offence.value, now.tick());
        let what = match offence.with {
            With::Agent(other) => now.who(other),
            With::Obstacle(place) => format!("obstacle `{}`", now.world.obstacles[place].name),
            With::Nothing => String::new(),
        };
        let most = self.tolerance;
        format!("{who} overlaps {what} by {value} at tick {tick}; at most {most}")
    }

    fn wants_grid(&self) -> bool {
        self.agents
    }
}

/// [`super::Expected::MinSeparation`]
pub(super) struct MinSeparation {
    /// As if each had a body of half the distance.
    pub(super) bodies: Bodies,
    pub(super) distance: f32,
}

impl Rule for MinSeparation {
    fn judge(&mut self, now: &Moment<'_>) -> Option<Offence> {
        self.bodies.meeting(now, 0.0, Worse::Lower)
    }

    fn describe(&self, now: &Moment<'_>, offence: &Offence) -> String {
        let (who, value, tick) = (now.who(offence.first()), offence.value, now.tick());
        let other = match offence.with {
            With::Agent(other) => now.who(other),
            _ => String::new(),
        };
        let least = self.distance;
        format!("{who} is {value} from {other} at tick {tick}; at least {least}")
    }

    fn worse(&self) -> Option<Worse> {
        Some(Worse::Lower)
    }

    fn wants_grid(&self) -> bool {
        true
    }
}

/// What is found of so many agents, on several threads where they are many.
pub(super) fn all(
    count: usize,
    worse: Worse,
    look: impl Fn(usize) -> Option<Offence> + Send + Sync,
) -> Option<Offence> {
    if count <= PART {
        return (0..count).filter_map(look).reduce(|a, b| a.join(b, worse));
    }
    (0..count)
        .into_par_iter()
        .with_min_len(PART)
        .filter_map(look)
        .reduce_with(|a, b| a.join(b, worse))
}

/// The radius that counts of the agents of each group; `None` for groups that are not meant.
pub(super) struct Bodies {
    radii: Vec<Option<f32>>,
    /// Whether all that are meant have the same.
    uniform: bool,
}

impl Bodies {
    /// Those of some groups, or of all.
    pub(super) fn new(
        world: &World,
        groups: Option<&[GroupId]>,
        radius: impl Fn(GroupId) -> f32,
    ) -> Self {
        let all = (0..world.groups.len()).map(|group| GroupId(group as u16));
        let radii: Vec<_> = all
            .map(|group| {
                let is_meant = groups.is_none_or(|groups| groups.contains(&group));
                is_meant.then(|| radius(group))
            })
            .collect();
        let mut meant = radii.iter().flatten();
        let first = meant.next();
        Self {
            uniform: meant.all(|radius| Some(radius) == first),
            radii,
        }
    }

    /// The radius of the agents of a group, if they are meant.
    pub(super) fn radius(&self, group: GroupId) -> Option<f32> {
        self.radii[usize::from(group.0)]
    }

    /// Pairs of agents whose bodies overlap by more than a tolerance. The value is by how much, or, where
    /// the lower one is the worse, the distance between their centres.
    fn meeting(&self, now: &Moment<'_>, tolerance: f32, worse: Worse) -> Option<Offence> {
        all(now.grid.rows().len(), worse, |slot| {
            self.meeting_one(now, slot, tolerance, worse)
        })
    }

    /// The same for the agent of a slot and those with bodies no larger; of equal ones, those that come
    /// later in the grid.
    #[inline]
    fn meeting_one(
        &self,
        now: &Moment<'_>,
        slot: usize,
        tolerance: f32,
        worse: Worse,
    ) -> Option<Offence> {
        let (grid, space, groups) = (now.grid, &now.world.space, &now.world.agents.group);
        let (rows, seen) = (grid.rows(), grid.sightings());
        let row = rows[slot] as usize;
        let own = self.radius(groups[row])?;
        // A little more, since rounding may not count; who is inside is then asked exactly.
        let reach = (2.0 * own - tolerance) * 1.000_01;
        if reach <= 0.0 {
            return None;
        }
        let (pos, reach_squared) = (seen[slot].pos, reach * reach);
        let mut found: Option<Offence> = None;
        grid.each_run(pos, pos, reach, |run, _| {
            let start = if self.uniform {
                run.start.max(slot + 1)
            } else {
                run.start
            };
            for other_slot in start..run.end {
                let offset = space.offset_inside(pos, seen[other_slot].pos);
                let squared = offset.length_squared();
                if squared > reach_squared || other_slot == slot {
                    continue;
                }
                let other = rows[other_slot] as usize;
                let Some(radius) = self.radius(groups[other]) else {
                    continue;
                };
                if radius > own || (radius == own && other_slot < slot) {
                    continue;
                }
                let distance = squared.sqrt();
                let depth = own + radius - distance;
                if depth <= tolerance {
                    continue;
                }
                let value = match worse {
                    Worse::Higher => depth,
                    Worse::Lower => distance,
                };
                let with = With::Agent(row.max(other));
                let one = Offence::of(row.min(other), with, value);
                found = join(found, Some(one), worse);
            }
        });
        found
    }
}
