//! The speeds that colors show: the range becomes wider only, so that a color goes on to mean the same.

/// The range of the speeds that have had colors so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShownSpeeds(Option<KeptRange>);

#[derive(Clone, Copy, Debug)]
struct KeptRange {
    range: [f32; 2],
    /// The last tick that had been simulated.
    last_tick: u64,
}

impl ShownSpeeds {
    /// Returns the range, if colors show speeds.
    pub(super) fn range(&self) -> Option<[f32; 2]> {
        self.0.map(|kept| kept.range)
    }

    /// Forgets the range if ticks were dropped since.
    pub(super) fn begin(&mut self, last_tick: u64) {
        self.0 = self.0.filter(|kept| kept.last_tick <= last_tick);
    }

    /// Keeps a range. `None` if colors do not show speeds.
    pub(super) fn keep(&mut self, range: Option<[f32; 2]>, last_tick: u64) {
        self.0 = range.map(|range| KeptRange { range, last_tick });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_kept_until_ticks_are_dropped() {
        let mut speeds = ShownSpeeds::default();
        speeds.keep(Some([1.0, 2.0]), 50);
        speeds.begin(60);
        assert_eq!(speeds.range(), Some([1.0, 2.0]));
        speeds.begin(40);
        assert_eq!(speeds.range(), None);
    }
}
