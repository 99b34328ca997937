//! Moments: what does not change while agents decide.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of moments that a thread reserves at a time: threads that counted together would wait for each other.
const NUMBERS: u64 = 1 << 12;

/// Identifies turns between which nothing changes but what single agents own: their positions, velocities, headings and
/// minds. Whatever else a brain computes from the world is the same in all turns of a moment. No other simulation, and
/// no other tick, has the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment(u64);

impl Moment {
    /// Returns a moment that no other turns have.
    pub fn unique() -> Self {
        /// The first number that no thread has yet.
        static FREE: AtomicU64 = AtomicU64::new(0);
        thread_local! {
            /// The numbers that this thread has left.
            static OWN: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
        }
        let (mut next, mut end) = OWN.get();
        if next == end {
            next = FREE.fetch_add(NUMBERS, Ordering::Relaxed);
            end = next + NUMBERS;
        }
        OWN.set((next + 1, end));
        Self(next)
    }
}
