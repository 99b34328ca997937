//! The search for the nearest neighbors, a given number of them.

use std::cell::Cell;

use super::search::MAX_BATCH;
use super::{Me, Neighborhood};

/// Neighbors that may be among the nearest. The buffers are reused from agent to agent, so that nothing is allocated.
#[derive(Default)]
struct Candidates {
    /// Their slots, in the order of slots, and how near they are.
    all: Vec<(u64, u32)>,
    /// The same, in another order.
    ranked: Vec<u64>,
    /// The slots of the nearest.
    slots: Vec<u32>,
}

thread_local! {
    static CANDIDATES: Cell<Candidates> = Cell::default();
}

/// Returns a number whose order is that of the distance, then of the row: floats that are not negative have the order
/// of their bits.
pub(super) fn nearness(distance_squared: f32, row: usize) -> u64 {
    u64::from(distance_squared.to_bits()) << 32 | row as u64
}

impl Me<'_> {
    /// Calls `take` with the slots of the nearest neighbors in batches, in the order of slots.
    pub(super) fn each_batch_of_nearest(
        &self,
        which: &Neighborhood,
        most: usize,
        take: &mut dyn FnMut(&mut [u32]),
    ) {
        if most == 0 {
            return;
        }
        // What is done with a neighbor may search again, so the buffers are not borrowed but taken.
        let mut candidates = CANDIDATES.take();
        self.find_nearest(which, most, &mut candidates);
        for batch in candidates.slots.chunks_mut(MAX_BATCH) {
            take(batch);
        }
        CANDIDATES.set(candidates);
    }

    /// Finds the slots of the nearest neighbors by searches within larger and larger radii: the first radius with enough
    /// neighbors has the nearest ones, since it has all that are not farther.
    fn find_nearest(&self, which: &Neighborhood, most: usize, found: &mut Candidates) {
        let mut radius = self.world().grid.strip_height();
        let whole = self.world().grid.longest_side();
        found.all.clear();
        while radius < which.radius && radius < whole && found.all.len() < most {
            found.collect(self, &Neighborhood { radius, most: None, ..*which });
            radius *= 2.0;
        }
        if found.all.len() < most {
            found.collect(self, &Neighborhood { most: None, ..*which });
        }
        found.slots.clear();
        let farthest = found.rank(most);
        let nearest = found.all.iter().filter(|(nearness, _)| *nearness <= farthest);
        found.slots.extend(nearest.map(|(_, slot)| slot));
    }
}

impl Candidates {
    /// Takes all neighbors.
    fn collect(&mut self, me: &Me<'_>, which: &Neighborhood) {
        self.all.clear();
        let center = me.center_of(which);
        me.each_batch(which, &mut |slots| {
            let near = |&slot: &u32| {
                let other = me.neighbor(center, slot);
                (nearness(other.distance_squared, other.row), slot)
            };
            self.all.extend(slots.iter().map(near));
        });
    }

    /// Returns the nearness of the last one among the nearest.
    fn rank(&mut self, most: usize) -> u64 {
        if self.all.len() <= most {
            return u64::MAX;
        }
        self.ranked.clear();
        self.ranked.extend(self.all.iter().map(|(nearness, _)| *nearness));
        *self.ranked.select_nth_unstable(most - 1).1
    }
}
