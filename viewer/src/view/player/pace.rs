//! Measures whether the run reaches the speed that it is set to.

use std::time::{Duration, Instant};

/// How long ticks are counted. With shorter times the result would jitter.
const SPAN: Duration = Duration::from_secs(1);
/// From this share of the speed on, the difference is not noticed.
const UNNOTICED_SHARE: f64 = 0.9;

/// Counts ticks to measure the speed.
pub(super) struct Pace {
    since: Instant,
    ticks: u32,
    /// The share of the speed that was reached in the last measurement.
    share: f64,
}

impl Pace {
    /// Starts to count.
    pub(super) fn new(now: Instant) -> Self {
        Self { since: now, ticks: 0, share: 1.0 }
    }

    /// Counts a tick.
    pub(super) fn tick(&mut self) {
        self.ticks += 1;
    }

    /// Compares the count with a rate in ticks per second, if enough time has passed.
    pub(super) fn measure(&mut self, now: Instant, rate: f64) {
        let span = now.saturating_duration_since(self.since);
        let wanted = span.as_secs_f64() * rate;
        // With only a few expected ticks, one more or less would change the result a lot.
        if span >= SPAN && wanted >= 5.0 {
            *self = Self { share: f64::from(self.ticks) / wanted, ..Self::new(now) };
        }
    }

    /// Returns the share of the speed that is reached, if the difference is noticeable.
    pub(super) fn reached_share(&self) -> Option<f64> {
        Some(self.share).filter(|share| *share < UNNOTICED_SHARE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The strip showed "1x speed" while only 25 of 60 ticks passed per second.
    #[test]
    fn a_speed_that_is_not_reached_is_measured() {
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
    fn slow_speeds_are_measured_for_longer() {
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
