//! The shortest ways from all cells to one cell.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::layer::Layer;
use super::table::Kept;

/// For each cell, the next corner on the shortest way to the root, the cell of a goal.
///
/// The search begins at the root and settles the cells in the order of their distances. It pauses when the cell that someone
/// asks for is settled, so that goals nearby cost little. When it pauses does not change what it finds.
///
/// It is "Lazy Theta*" without a goal (Nash, Koenig, Tovey 2010): ways do not go from cell to cell but from corner to corner. A
/// cell takes over the next corner of the cell that it is reached from if it sees that corner, else that cell is its
/// next corner.
#[derive(Debug)]
pub(super) struct Field {
    root: u32,
    next: Box<[AtomicU32]>,
    /// The bits of the length of the way from the cell, in world units.
    length: Box<[AtomicU32]>,
    search: Mutex<Option<Search>>,
    is_used: AtomicBool,
}

/// Where the way from a cell leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// To the point of a cell, which is in sight of all bodies in the cell.
    Sure(u32),
    /// To a point that is not the same for all bodies in the cell.
    Mixed,
    /// Nobody has examined yet what bodies in the cell see.
    Unexamined,
    /// Nowhere: the cell is not connected with the root.
    Apart,
}

/// The bits of an entry that are the next corner. It is in sight of the point of the cell.
const CORNER: u32 = (1 << CORNER_BITS) - 1;

const CORNER_BITS: u32 = 24;

// The other bits of an entry are the number of corners that all bodies in the cell skip, since they see the one after, or
// one of these.

/// Whether all bodies in the cell see the same corner is not known.
const IS_UNEXAMINED: u32 = 0x80 << CORNER_BITS;

/// Bodies in the cell see different corners.
const IS_MIXED: u32 = 0x81 << CORNER_BITS;

/// All bodies in the cell see the root, see [`Layer::is_in_sight`].
const SEES_ROOT: u32 = 0x82 << CORNER_BITS;

/// The number of corners that can be skipped.
const MAX_SKIPPED: u32 = 0x7f;

// Entries without a corner.

const UNKNOWN: u32 = u32::MAX;
const APART: u32 = u32::MAX - 1;
/// The body does not fit into the cell. It is not known what bodies see that touch an obstacle there.
const BLOCKED: u32 = u32::MAX - 2;
/// The same, and these bodies see different corners. If they all see the same one, it stands in the cell like one of a free
/// cell.
const BLOCKED_MIXED: u32 = u32::MAX - 3;

/// The data to continue a search from.
#[derive(Debug)]
struct Search {
    /// For each cell, the length of the shortest way so far, with the penalties of tight cells.
    cost: Vec<f32>,
    /// For each cell, the next cell of that way.
    via: Vec<u32>,
    /// For each cell, a corner that it does not see.
    unseen: Vec<u32>,
    /// For each cell, whether `via` surely is in sight.
    is_seen: Vec<bool>,
    /// The cells to settle: the bits of the cost, then the cell.
    open: BinaryHeap<Reverse<u64>>,
}

impl Kept for Field {
    /// Returns the memory of the field and of its search, if that is not finished.
    fn bytes(&self) -> usize {
        let search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        let per_cell =
            2 * size_of::<u32>() + if search.is_some() { Search::BYTES_PER_CELL } else { 0 };
        self.next.len() * per_cell
    }
}

impl Field {
    pub(super) fn new(layer: &Layer, root: u32) -> Self {
        let count = layer.cells().count() as u32;
        let part = layer.part(root);
        let next = (0..count).map(|cell| match layer.part(cell) {
            of if of == part => UNKNOWN,
            _ if layer.is_free(cell) => APART,
            _ => BLOCKED,
        });
        Self {
            root,
            next: next.map(AtomicU32::new).collect(),
            length: (0..count).map(|_| AtomicU32::new(0)).collect(),
            search: Mutex::new(Some(Search::new(count as usize, root))),
            is_used: AtomicBool::new(true),
        }
    }

    /// Returns the cell that all ways lead to.
    pub(super) fn root(&self) -> u32 {
        self.root
    }

    /// Marks the field as used.
    #[inline]
    pub(super) fn mark_used(&self) {
        // Threads that only read do not take the memory away from each other.
        if !self.is_used.load(Ordering::Relaxed) {
            self.is_used.store(true, Ordering::Relaxed);
        }
    }

    /// Marks the field as unused.
    pub(super) fn mark_unused(&self) {
        self.is_used.store(false, Ordering::Relaxed);
    }

    /// Returns whether it was used since it was marked as unused.
    pub(super) fn is_used(&self) -> bool {
        self.is_used.load(Ordering::Relaxed)
    }

    /// Returns where the way from a cell leads.
    #[inline]
    pub(super) fn next(&self, layer: &Layer, cell: u32) -> Next {
        let next = self.next[cell as usize].load(Ordering::Acquire);
        if next <= CORNER { Next::Sure(next) } else { self.other_next(layer, cell, next) }
    }

    fn other_next(&self, layer: &Layer, cell: u32, next: u32) -> Next {
        match next {
            UNKNOWN => {
                self.search(layer, cell);
                self.next(layer, cell)
            }
            APART => Next::Apart,
            BLOCKED => Next::Unexamined,
            BLOCKED_MIXED => Next::Mixed,
            _ if next & !CORNER == IS_UNEXAMINED => Next::Unexamined,
            _ if next & !CORNER == IS_MIXED => Next::Mixed,
            _ if next & !CORNER == SEES_ROOT => Next::Sure(self.root),
            _ => {
                let skipped = next >> CORNER_BITS;
                Next::Sure((0..skipped).fold(next & CORNER, |corner, _| self.after(corner)))
            }
        }
    }

    /// Returns the next corner of a cell, which the point of the cell sees. `None` if the cell is blocked or not connected with
    /// the root.
    pub(super) fn first(&self, layer: &Layer, cell: u32) -> Option<u32> {
        if !layer.is_free(cell) {
            return None;
        }
        let mut next = self.next[cell as usize].load(Ordering::Acquire);
        if next == UNKNOWN {
            self.search(layer, cell);
            next = self.next[cell as usize].load(Ordering::Acquire);
        }
        (next != APART).then_some(next & CORNER)
    }

    /// Returns the next corner of a cell that is settled, such as a corner.
    pub(super) fn after(&self, corner: u32) -> u32 {
        self.next[corner as usize].load(Ordering::Relaxed) & CORNER
    }

    /// Keeps that all bodies in a free cell see the root, which must be so.
    pub(super) fn note_in_sight(&self, cell: u32) {
        let next = &self.next[cell as usize];
        next.store(next.load(Ordering::Relaxed) & CORNER | SEES_ROOT, Ordering::Release);
    }

    /// Keeps the corner that all bodies in a cell see, with the number of corners of the way from the cell that they
    /// skip; `None` if it is not the same for all. Must be a pure function of the field and the cell, and must be called
    /// only if [`Field::next`] returned that the cell is not examined.
    pub(super) fn note(&self, layer: &Layer, cell: u32, seen: Option<(u32, u32)>) {
        let next = &self.next[cell as usize];
        let old = next.load(Ordering::Relaxed);
        let is_blocked = !layer.is_free(cell);
        let new = match seen {
            // A way never leads through a blocked cell, so no caller needs the cell after it.
            Some((corner, _)) if is_blocked => corner,
            Some((_, skipped)) if skipped <= MAX_SKIPPED => old & CORNER | skipped << CORNER_BITS,
            _ if is_blocked => BLOCKED_MIXED,
            _ => old & CORNER | IS_MIXED,
        };
        // Threads that see this entry also see the lengths that it leads to.
        next.store(new, Ordering::Release);
    }

    /// Returns the length of the way from a cell for which [`Field::next`] is known, or that it returned, in world units.
    #[inline]
    pub(super) fn length(&self, cell: u32) -> f32 {
        f32::from_bits(self.length[cell as usize].load(Ordering::Relaxed))
    }

    /// Settles a cell that is connected with the root.
    #[cold]
    fn search(&self, layer: &Layer, cell: u32) {
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_settled(cell) {
            let found = search.as_mut().and_then(|search| search.settle(self, layer));
            if found.is_none() {
                debug_assert!(false, "cell {cell} is connected with the root");
                self.next[cell as usize].store(APART, Ordering::Release);
            }
        }
        if search.as_ref().is_some_and(|search| search.open.is_empty()) {
            *search = None;
        }
    }

    /// Returns whether there is so much room that a body anywhere in a cell can go straight to its next corner and is not led
    /// back from there.
    pub(super) fn is_sure(&self, layer: &Layer, cell: u32, corner: u32) -> bool {
        let is_roomy = layer.is_roomy(cell) && layer.is_roomy(corner);
        is_roomy && (corner == self.root || !layer.is_beside_leg(cell, corner, self.after(corner)))
    }

    fn is_settled(&self, cell: u32) -> bool {
        self.next[cell as usize].load(Ordering::Relaxed) != UNKNOWN
    }
}

impl Search {
    /// The memory for each cell, with a few open ones.
    const BYTES_PER_CELL: usize = 16;

    fn new(count: usize, root: u32) -> Self {
        let mut cost = vec![f32::INFINITY; count];
        cost[root as usize] = 0.0;
        Self {
            cost,
            via: vec![root; count],
            unseen: vec![UNKNOWN; count],
            is_seen: vec![false; count],
            open: BinaryHeap::from([Reverse(u64::from(root))]),
        }
    }

    /// Settles the next cell and returns it; `None` if all cells are settled.
    fn settle(&mut self, field: &Field, layer: &Layer) -> Option<u32> {
        loop {
            let Reverse(entry) = self.open.pop()?;
            let cell = entry as u32;
            let is_old = (entry >> 32) as u32 != self.cost[cell as usize].to_bits();
            if is_old || field.is_settled(cell) {
                continue;
            }
            let via = self.via[cell as usize];
            if cell != via && !self.is_seen[cell as usize] && !Self::sees(field, layer, cell, via) {
                self.unseen[cell as usize] = via;
                self.cost[cell as usize] = f32::INFINITY;
                layer.cells().each_around(cell, |next| {
                    if layer.is_free(next) && field.is_settled(next) {
                        self.try_via(layer, cell, next, true);
                    }
                });
                continue;
            }
            let length = layer.distance(cell, via) + field.length(via);
            field.length[cell as usize].store(length.to_bits(), Ordering::Relaxed);
            // Whether the cell sees the root all the same must be examined.
            let is_sure = cell != via && via == field.root && field.is_sure(layer, cell, via);
            let next = if is_sure { via } else { via | IS_UNEXAMINED };
            field.next[cell as usize].store(next, Ordering::Release);
            layer.cells().each_around(cell, |next| {
                if layer.is_free(next) && !field.is_settled(next) {
                    if self.unseen[next as usize] == via {
                        self.try_via(layer, next, cell, true);
                    } else if layer.are_connected(next, cell) {
                        self.try_via(layer, next, via, false);
                    }
                }
            });
            return Some(cell);
        }
    }

    /// Returns whether a cell that is to be settled sees a corner. It does if the straight line leads between two cells that see it.
    fn sees(field: &Field, layer: &Layer, cell: u32, corner: u32) -> bool {
        let sees = |one: u32| field.is_settled(one) && field.after(one) == corner;
        layer.cells_between(cell, corner).is_some_and(|two| two.into_iter().all(sees))
            || layer.sees(cell, corner)
    }

    /// Lets the way from a cell lead to a settled one, if that is shorter. The other cell is adjacent, or it must be
    /// tested later whether it is in sight.
    fn try_via(&mut self, layer: &Layer, cell: u32, via: u32, is_adjacent: bool) {
        if is_adjacent && !layer.are_connected(cell, via) {
            return;
        }
        let is_root = self.cost[via as usize] == 0.0;
        let penalty = if is_root { 0.0 } else { layer.penalty(via) };
        let cost = self.cost[via as usize] + penalty + layer.distance(cell, via);
        if cost < self.cost[cell as usize] {
            self.cost[cell as usize] = cost;
            self.via[cell as usize] = via;
            self.is_seen[cell as usize] = is_adjacent;
            self.open.push(Reverse(u64::from(cost.to_bits()) << 32 | u64::from(cell)));
        }
    }
}
