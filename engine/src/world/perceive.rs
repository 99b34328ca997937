//! What agents perceive, taken for all of them in one go before they decide.
//!
//! Owns the columns of sums over neighbours. They are derived: to the last bit what a loop over the
//! neighbours gives, only sooner. They hold for one tick's decisions and are empty at any other time.

mod kernel;
#[cfg(test)]
mod tests;

use std::ops::Range;

use kernel::Part;
use pulp::Arch;

use super::neighbors::Means;
use super::{Grid, GroupId, Neighborhood, World};
use crate::math::Vec2;

/// Which sums over neighbours are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// For [`Me::means`].
    pub means: bool,
    /// For [`Me::push`].
    pub push: bool,
    /// For [`Me::nearest`].
    pub nearest: bool,
}

impl Sums {
    /// The sums of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            means: self.means || other.means,
            push: self.push || other.push,
            nearest: self.nearest || other.nearest,
        }
    }
}

/// A neighbourhood that agents will ask for, and what they will want of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Need {
    /// Which others.
    pub which: Neighborhood,
    /// What of them.
    pub sums: Sums,
}

/// Who is nearest, in a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    row: u32,
    distance_squared: f32,
}

impl Nearest {
    /// Nobody. A row of this number would take more agents than there are ids.
    const NONE: Self = Self {
        row: u32::MAX,
        distance_squared: f32::INFINITY,
    };

    /// Row and squared distance, as in [`super::Summary::nearest`].
    #[inline]
    pub(crate) fn found(self) -> Option<(usize, f32)> {
        (self.row != u32::MAX).then_some((self.row as usize, self.distance_squared))
    }
}

impl From<Option<(usize, f32)>> for Nearest {
    fn from(found: Option<(usize, f32)>) -> Self {
        found.map_or(Self::NONE, |(row, distance_squared)| Self {
            row: row as u32,
            distance_squared,
        })
    }
}

/// The columns of one neighbourhood, for the agents that need it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Perceived<'w> {
    slots: &'w [u32],
    column: &'w Column,
    sums: Sums,
}

impl<'w> Perceived<'w> {
    /// For each row what a mean is taken of, if that was needed.
    #[inline]
    pub(crate) fn means(&self) -> Option<Rows<'w, Means>> {
        self.sums.means.then_some(self.rows(&self.column.means))
    }

    /// For each row the push, if that was needed.
    #[inline]
    pub(crate) fn push(&self) -> Option<Rows<'w, Vec2>> {
        self.sums.push.then_some(self.rows(&self.column.push))
    }

    /// For each row the nearest, if that was needed.
    #[inline]
    pub(crate) fn nearest(&self) -> Option<Rows<'w, Nearest>> {
        self.sums.nearest.then_some(self.rows(&self.column.nearest))
    }

    #[inline]
    fn rows<T: Copy>(&self, values: &'w [T]) -> Rows<'w, T> {
        Rows {
            slots: self.slots,
            values,
        }
    }
}

/// A column in the order of slots, to be read by row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'w, T> {
    slots: &'w [u32],
    values: &'w [T],
}

impl<T: Copy> Rows<'_, T> {
    /// The value of a row. Only those of the group that this was asked for are filled.
    #[inline]
    pub(crate) fn of(&self, row: usize) -> T {
        self.values[self.slots[row] as usize]
    }
}

/// All columns, and which of them answer what.
#[derive(Debug, Default)]
pub(super) struct Columns {
    columns: Vec<Column>,
    passes: Vec<Pass>,
}

/// What a copy of a world perceives is found anew.
impl Clone for Columns {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Room for the sums of one neighbourhood, in the order of slots. Groups that need different ones share
/// it: each agent has its own slot.
#[derive(Debug, Default)]
struct Column {
    means: Vec<Means>,
    push: Vec<Vec2>,
    nearest: Vec<Nearest>,
}

/// A neighbourhood, the groups that need it, and the column where its sums are.
#[derive(Debug)]
struct Pass {
    need: Need,
    groups: Vec<GroupId>,
    column: usize,
}

impl Column {
    /// The parts that are wanted, one value for each slot.
    fn room(&mut self, wanted: Sums, agents: usize) -> Out<'_> {
        fn part<T: Copy>(values: &mut Vec<T>, wanted: bool, agents: usize, fill: T) -> &mut [T] {
            if !wanted {
                return &mut [];
            }
            values.resize(agents, fill);
            values
        }
        Out {
            means: part(&mut self.means, wanted.means, agents, Means::default()),
            push: part(&mut self.push, wanted.push, agents, Vec2::ZERO),
            nearest: part(&mut self.nearest, wanted.nearest, agents, Nearest::NONE),
        }
    }
}

/// Where the sums of consecutive slots go; what is not wanted is empty.
#[derive(Debug)]
struct Out<'c> {
    means: &'c mut [Means],
    push: &'c mut [Vec2],
    nearest: &'c mut [Nearest],
}

impl Out<'_> {
    fn split(self, slots: usize) -> (Self, Self) {
        fn cut<T>(values: &mut [T], slots: usize) -> (&mut [T], &mut [T]) {
            values.split_at_mut(slots.min(values.len()))
        }
        let (means, other_means) = cut(self.means, slots);
        let (push, other_push) = cut(self.push, slots);
        let (nearest, other_nearest) = cut(self.nearest, slots);
        (
            Self {
                means,
                push,
                nearest,
            },
            Self {
                means: other_means,
                push: other_push,
                nearest: other_nearest,
            },
        )
    }
}

/// Deals slots out to threads, in parts of at most [`Part::MOST`].
fn spread(
    world: &World,
    need: &Need,
    groups: Option<&[GroupId]>,
    slots: Range<usize>,
    out: Out<'_>,
    take: &(impl Fn(Part<'_>) + Sync),
) {
    if slots.len() <= Part::MOST {
        take(Part {
            world,
            need,
            groups,
            slots,
            out,
        });
        return;
    }
    let half = (slots.len() / 2).next_multiple_of(Part::MOST);
    let middle = slots.start + half;
    let (left, right) = out.split(half);
    rayon::join(
        || spread(world, need, groups, slots.start..middle, left, take),
        || spread(world, need, groups, middle..slots.end, right, take),
    );
}

impl Columns {
    /// From now on nothing is known.
    pub(super) fn forget(&mut self) {
        self.passes.clear();
    }

    /// The columns of a neighbourhood.
    #[inline]
    pub(super) fn find<'w>(
        &'w self,
        grid: &'w Grid,
        group: GroupId,
        which: &Neighborhood,
    ) -> Option<Perceived<'w>> {
        let pass = self
            .passes
            .iter()
            .find(|pass| pass.need.which == *which && pass.groups.contains(&group))?;
        Some(Perceived {
            slots: grid.slots(),
            column: &self.columns[pass.column],
            sums: pass.need.sums,
        })
    }

    /// Takes the sums that each group needs, on all threads of the current pool.
    pub(super) fn fill(&mut self, world: &World, needs: &[Vec<Need>]) {
        let arch = Arch::new();
        self.fill_with(world, needs, &|part| arch.dispatch(part));
    }

    fn fill_with(&mut self, world: &World, needs: &[Vec<Need>], take: &(impl Fn(Part<'_>) + Sync)) {
        self.plan(needs);
        let agents = world.agents.len();
        for pass in &self.passes {
            let all = world.groups.len() == pass.groups.len();
            let groups = (!all).then_some(pass.groups.as_slice());
            let out = self.columns[pass.column].room(pass.need.sums, agents);
            spread(world, &pass.need, groups, 0..agents, out, take);
        }
    }

    /// Deals the needs out to passes, and the passes to columns: what several groups need is one pass,
    /// and no group has two passes in one column.
    fn plan(&mut self, needs: &[Vec<Need>]) {
        self.passes.clear();
        for (group, needs) in needs.iter().enumerate() {
            let group = GroupId(group as u16);
            let mut merged: Vec<Need> = Vec::new();
            // Nobody is nearer than a negative radius, which a loop finds out as soon.
            for need in needs.iter().filter(|need| need.which.radius >= 0.0) {
                match merged.iter_mut().find(|other| other.which == need.which) {
                    Some(other) => other.sums = other.sums.and(need.sums),
                    None => merged.push(*need),
                }
            }
            for need in merged {
                let taken = |column: usize| {
                    self.passes
                        .iter()
                        .any(|pass| pass.column == column && pass.groups.contains(&group))
                };
                let same = self
                    .passes
                    .iter()
                    .position(|pass| pass.need == need && !taken(pass.column));
                if let Some(same) = same {
                    self.passes[same].groups.push(group);
                    continue;
                }
                let column = (0..).find(|&column| !taken(column)).unwrap_or_default();
                if self.columns.len() <= column {
                    self.columns.resize_with(column + 1, Column::default);
                }
                self.passes.push(Pass {
                    need,
                    groups: vec![group],
                    column,
                });
            }
        }
    }
}
