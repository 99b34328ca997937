//! Expectations while the run goes on: when they are judged, and pausing when one fails.

use flockwork_engine::Failure;

use super::Player;

impl Player {
    /// Judges the expectations from now on if somebody wants to know, otherwise no more.
    pub(super) fn choose_judging(&mut self) {
        let is_wanted = self.overlays.expectations
            || self.plots.shows_margin()
            || self.pause_on_failure.is_some();
        self.session.set_judging(is_wanted);
        self.plots.try_again();
    }

    /// Pauses from now on when an expectation fails, or no more.
    pub(super) fn set_pause_on_failure(&mut self, is_on: bool) {
        self.pause_on_failure = is_on.then(|| self.session.tick());
        self.choose_judging();
    }

    /// Returns whether an expectation has failed since the run was last at this tick or before, and says so.
    pub(super) fn has_failed(&mut self) -> bool {
        let (Some(known), Some(judged)) = (self.pause_on_failure, self.session.judged()) else {
            return false;
        };
        let tick = self.session.tick();
        self.pause_on_failure = Some(tick);
        let new: Vec<&Failure> = judged.failures().filter(|one| one.tick > known).collect();
        let Some(first) = new.iter().min_by_key(|one| one.tick) else {
            return false;
        };
        let text = &self.session.expectations()[first.expectation].text;
        let (at, message) = (first.tick, &first.message);
        let when = if at == tick { String::new() } else { format!(" at tick {at}") };
        let more = match new.len() - 1 {
            0 => String::new(),
            1 => "; and 1 more expectation".to_owned(),
            count => format!("; and {count} more expectations"),
        };
        let words = format!("paused at tick {tick}: `{text}` fails{when}: {message}{more}");
        let agent = first.agent;
        self.notice(words, true);
        if let (None, Some(agent)) = (self.selected, agent) {
            self.select(agent);
        }
        true
    }

    /// Pauses if a failure has become known that the run has already passed.
    pub(super) fn pause_after_failure(&mut self) {
        if self.has_failed() {
            self.set_playing(false);
        }
    }
}
