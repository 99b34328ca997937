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
    /// To the point of a cell that is in sight.
    Cell(u32),
    /// Nowhere: the body does not fit into the cell.
    Blocked,
    /// Nowhere: the cell is not connected with the root.
    Apart,
}

const UNKNOWN: u32 = u32::MAX;
const BLOCKED: u32 = u32::MAX - 1;
const APART: u32 = u32::MAX - 2;

/// What is needed to continue a search.
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
    /// Returns the memory without that of a paused search, which takes about twice as much in addition.
    fn bytes(&self) -> usize {
        self.next.len() * 8
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

    /// Returns whether it was used since this was last called.
    pub(super) fn take_used(&self) -> bool {
        self.is_used.swap(false, Ordering::Relaxed)
    }

    /// Returns where the way from a cell leads.
    #[inline]
    pub(super) fn next(&self, layer: &Layer, cell: u32) -> Next {
        match self.next[cell as usize].load(Ordering::Acquire) {
            UNKNOWN => self.search(layer, cell),
            BLOCKED => Next::Blocked,
            APART => Next::Apart,
            next => Next::Cell(next),
        }
    }

    /// Returns the length of the way from a cell for which [`Field::next`] is known, or that it returned, in world units.
    #[inline]
    pub(super) fn length(&self, cell: u32) -> f32 {
        f32::from_bits(self.length[cell as usize].load(Ordering::Relaxed))
    }

    #[cold]
    fn search(&self, layer: &Layer, cell: u32) -> Next {
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_settled(cell) {
            let found = search.as_mut().and_then(|search| search.settle(self, layer));
            if found.is_none() {
                debug_assert!(false, "cell {cell} is connected with the root");
                return Next::Apart;
            }
        }
        if search.as_ref().is_some_and(|search| search.open.is_empty()) {
            *search = None;
        }
        drop(search);
        Next::Cell(self.next[cell as usize].load(Ordering::Acquire))
    }

    fn is_settled(&self, cell: u32) -> bool {
        self.next[cell as usize].load(Ordering::Relaxed) != UNKNOWN
    }
}

impl Search {
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
            if cell != via && !self.is_seen[cell as usize] && !layer.sees(cell, via) {
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
            field.next[cell as usize].store(via, Ordering::Release);
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
