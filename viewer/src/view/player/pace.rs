//! Measures whether the run reaches the speed that it is set to.

use std::time::{Duration, Instant};

use super::super::view_state::Pacing;

/// How long ticks are counted. With shorter times the result would jitter.
const SPAN: Duration = Duration::from_secs(1);
/// From this share of the speed on, the difference is not noticed.
const UNNOTICED_SHARE: f64 = 0.9;

/// Counts ticks to measure the speed.
pub(super) struct Pace {
    since: Instant,
    ticks: u32,
    /// How long the ticks took that are counted.
    busy: Duration,
    /// The share of the speed that was reached in the last measurement.
    share: f64,
    /// The last measurement.
    latest: Option<Pacing>,
}

impl Pace {
    /// Starts to count.
    pub(super) fn new(now: Instant) -> Self {
        Self { since: now, ticks: 0, busy: Duration::ZERO, share: 1.0, latest: None }
    }

    /// Counts a tick, which took some time.
    pub(super) fn tick(&mut self, took: Duration) {
        self.ticks += 1;
        self.busy += took;
    }

    /// Compares the count with a rate in ticks per second, if enough time has passed. Without a rate, ticks are run as
    /// fast as possible.
    pub(super) fn measure(&mut self, now: Instant, rate: Option<f64>) {
        let span = now.saturating_duration_since(self.since);
        let ticks = f64::from(self.ticks);
        let wanted = rate.map(|rate| span.as_secs_f64() * rate);
        // With only a few expected ticks, one more or less would change the result a lot.
        if span >= SPAN && wanted.unwrap_or(ticks) >= 5.0 {
            let latest = Pacing {
                ticks_per_s: ticks / span.as_secs_f64(),
                tick_s: self.busy.as_secs_f64() / if self.ticks == 0 { 1.0 } else { ticks },
                wanted_per_s: rate,
            };
            let share = wanted.map_or(1.0, |wanted| ticks / wanted);
            *self = Self { share, latest: Some(latest), ..Self::new(now) };
        }
    }

    /// Returns the last measurement, if there is one.
    pub(super) fn latest(&self) -> Option<Pacing> {
        self.latest
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
            (0..ticks).for_each(|_| pace.tick(Duration::from_millis(30)));
            pace.measure(start + SPAN * number, Some(60.0));
            let latest = pace.latest().unwrap();
            assert_eq!((latest.ticks_per_s, latest.wanted_per_s), (f64::from(ticks), Some(60.0)));
            assert!(ticks == 0 || (latest.tick_s - 0.03).abs() < 1e-9);
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
            pace.measure(start + SPAN * second, Some(0.5));
            assert_eq!(pace.reached_share(), None);
        }
        pace.measure(start + SPAN * 10, Some(0.5));
        assert_eq!(pace.reached_share(), Some(0.0));
    }
}
