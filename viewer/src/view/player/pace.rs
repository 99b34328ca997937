//! How fast time passes: whether it reaches the speed that it is to have.

use std::time::{Duration, Instant};

/// So long ticks are counted. Shorter times would tremble.
const SPAN: Duration = Duration::from_secs(1);
/// A share of the speed that nobody misses.
const UNNOTICED_SHARE: f64 = 0.9;

/// Counts ticks.
pub(super) struct Pace {
    since: Instant,
    ticks: u32,
    /// The share of the speed that was reached last.
    share: f64,
}

impl Pace {
    /// Begins to count.
    pub(super) fn new(now: Instant) -> Self {
        Self { since: now, ticks: 0, share: 1.0 }
    }

    /// A tick has passed.
    pub(super) fn tick(&mut self) {
        self.ticks += 1;
    }

    /// Compares with how many ticks there should be in a second.
    pub(super) fn measure(&mut self, now: Instant, rate: f64) {
        let span = now.saturating_duration_since(self.since);
        let wanted = span.as_secs_f64() * rate;
        // With less than a few ticks to expect, one more or less would be much.
        if span >= SPAN && wanted >= 5.0 {
            *self = Self { share: f64::from(self.ticks) / wanted, ..Self::new(now) };
        }
    }

    /// The share of the speed that is reached, if somebody would miss the rest.
    pub(super) fn reached_share(&self) -> Option<f64> {
        Some(self.share).filter(|share| *share < UNNOTICED_SHARE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "1x speed" was shown while 25 of 60 ticks passed in a second.
    #[test]
    fn a_speed_that_is_not_reached_is_known() {
        let start = Instant::now();
        let mut pace = Pace::new(start);
        let mut second = |ticks, number: u32| {
            (0..ticks).for_each(|_| pace.tick());
            pace.measure(start + SPAN * number, 60.0);
            pace.reached_share()
        };
        assert_eq!(second(60, 1), None);
        assert_eq!(second(24, 2), Some(0.4));
        assert_eq!(second(57, 3), None);
        assert_eq!(second(0, 4), Some(0.0));
    }

    #[test]
    fn slow_time_is_counted_for_longer() {
        let start = Instant::now();
        let mut pace = Pace::new(start);
        for second in 1..10 {
            pace.measure(start + SPAN * second, 0.5);
            assert_eq!(pace.reached_share(), None);
        }
        pace.measure(start + SPAN * 10, 0.5);
        assert_eq!(pace.reached_share(), Some(0.0));
    }
}
