//! Moments: what does not change while agents decide.

use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies turns between which nothing changes but what single agents own: their positions, velocities, headings and
/// minds. Whatever else a brain computes from the world is the same in all turns of a moment. No other simulation, and
/// no other tick, has the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment(u64);

impl Moment {
    /// Returns a moment that no other turns have.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
