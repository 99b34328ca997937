//! Expectations while the run goes on: when they are judged, what is said when one fails, and pausing then.

use std::sync::Arc;
use std::time::Duration;

use flockwork_engine::Failure;
use flockwork_engine::live::JudgedFiles;
use flockwork_engine::sim::{Action, EventTime};
use flockwork_engine::world::AgentId;

use super::super::execute::is_selected;
use super::super::keys::key_of;
use super::super::panels;
use super::super::ui_command::UiCommand;
use super::Player;

/// With more agents than this, expectations are judged only if something shows them. Judging takes between a tenth of the
/// time of a tick and twice that time: about 1 ms for this many agents and all kinds of expectations on a
/// processor of 2024.
const MAX_JUDGED_AGENTS: usize = 10_000;

/// The failures that are known in the present history, also at ticks after the shown one.
#[derive(Default)]
pub(super) struct KnownFailures {
    /// The files whose expectations they are about.
    files: Option<JudgedFiles>,
    /// The first failure of each expectation that is known to fail, in the order of the expectations.
    pub(super) all: Arc<[Failure]>,
    /// The failures that have been reported: the expectation as it is written, and the tick.
    reported: Vec<(String, u64)>,
    /// The failures that still have to be reported.
    pub(super) new: Vec<Failure>,
}

impl KnownFailures {
    pub(super) fn all(&self) -> &Arc<[Failure]> {
        &self.all
    }
}

impl Player {
    /// Judges the expectations from now on if it is cheap or something shows them. Otherwise, stops judging.
    pub(super) fn choose_judging(&mut self) {
        let is_wanted = self.session.simulation().world().agents.len() <= MAX_JUDGED_AGENTS
            || self.overlays.expectations
            || self.plots.shows_margin()
            || self.pause_on_failure.is_some();
        self.session.set_judging(is_wanted);
        self.plots.try_again();
    }

    /// Begins or stops to pause when an expectation fails.
    pub(super) fn set_pause_on_failure(&mut self, is_on: bool) {
        self.pause_on_failure = is_on.then(|| self.session.tick());
        self.choose_judging();
    }

    /// Notes which failures are known. A failure that was known stays until its tick is dropped or judged again.
    pub(super) fn note_failures(&mut self) {
        self.forget_failed_pair();
        let (session, known) = (&self.session, &mut self.failures);
        let (tick, end) = (session.tick(), session.end());
        known.reported.retain(|(_, at)| *at <= end);
        let judged = session.judged();
        let now: Vec<&Failure> = judged.iter().flat_map(|judged| judged.failures()).collect();
        // At nearly all ticks, nothing has changed.
        if judged.is_some() && now.iter().copied().eq(known.all.iter()) {
            return;
        }
        let files = session.judged_files();
        let is_same = known.files.as_ref() == Some(&files);
        if !is_same {
            known.files = Some(files);
        }
        let stays = |one: &&Failure| {
            let is_judged = judged.is_some() && one.tick <= tick;
            let is_now = now.iter().any(|now| now.expectation == one.expectation);
            is_same && one.tick <= end && !is_judged && !is_now
        };
        let mut all: Vec<&Failure> = known.all.iter().filter(stays).chain(now.clone()).collect();
        all.sort_by_key(|one| one.expectation);
        for one in now {
            let text = &session.expectations()[one.expectation].text;
            if !known.reported.iter().any(|(reported, at)| reported == text && *at == one.tick) {
                known.reported.push((text.clone(), one.tick));
                known.new.push(one.clone());
            }
        }
        if !all.iter().copied().eq(known.all.iter()) {
            known.all = all.into_iter().cloned().collect();
        }
    }

    /// Says which expectations have failed since this was last asked.
    pub(super) fn announce_failures(&mut self) {
        let new = std::mem::take(&mut self.failures.new);
        if let Some(first) = new.iter().min_by_key(|one| one.tick) {
            let words = self.failure_words(first, new.len() - 1);
            let words = format!("an expectation fails at tick {}: {words}", first.tick);
            match self.has_audience {
                true => self.log_line(first.tick, first.agent, words, true),
                false => self.notice_failure(first.tick, first.agent, words),
            }
        }
    }

    /// Says that no agent is left, at the tick at which the last one goes. Returns whether the run pauses there, since nothing more
    /// happens.
    pub(super) fn say_if_all_are_gone(&mut self) -> bool {
        if !self.last_has_gone() {
            return false;
        }
        let pauses = self.target.is_none() && !self.has_audience && !self.can_spawn();
        let then = match pauses {
            true => format!(", so the run pauses ({}: go on)", key_of(UiCommand::TogglePause)),
            false => String::new(),
        };
        self.notice(format!("the last agent is gone at tick {}{then}", self.session.tick()), false);
        pauses
    }

    /// Returns whether the last agent has gone since this was asked before, or since the beginning.
    pub(in super::super) fn last_has_gone(&mut self) -> bool {
        let is_empty = self.session.simulation().world().agents.is_empty();
        let was_empty = std::mem::replace(&mut self.was_empty, is_empty);
        is_empty && !was_empty
    }

    /// Returns whether an event can make agents from this tick on.
    fn can_spawn(&self) -> bool {
        let tick = self.session.tick();
        self.session.simulation().events().iter().any(|event| {
            let is_later = match event.when {
                EventTime::At(at) => at >= tick,
                EventTime::Every { until, .. } => until > tick,
                EventTime::When { .. } => true,
            };
            is_later && matches!(event.action, Action::Spawn { .. })
        })
    }

    /// Shows a notice about an expectation that fails at a tick, as long as the history has that tick.
    fn notice_failure(&mut self, tick: u64, agent: Option<AgentId>, words: String) {
        self.notice_at(tick, agent, words, true);
        if let Some(notice) = self.notices.last_mut() {
            notice.failed_at = Some(tick);
        }
    }

    /// Says that the scenario ends here, and whether it does what is expected. Selects an agent that does not.
    pub(super) fn say_end(&mut self) {
        let play = key_of(UiCommand::TogglePause);
        let total = self.session.expectations().len();
        let failed = self.failures.all().len();
        let result = match (failed, total) {
            (0, 0) => String::new(),
            (0, _) if self.session.judged().is_none() => String::new(),
            (0, 1) => ": its expectation holds".to_owned(),
            (0, _) => format!(": all {total} expectations hold"),
            _ => {
                let key = key_of(panels::expectations::PANEL.toggle());
                match (failed, total) {
                    (_, 1) => format!(": its expectation does not hold ({key} shows it)"),
                    (1, _) => format!(": 1 of {total} expectations does not hold ({key} shows it)"),
                    _ => {
                        format!(": {failed} of {total} expectations do not hold ({key} shows all)")
                    }
                }
            }
        };
        let agents = &self.session.simulation().world().agents;
        let mut failing = self.failures.all().iter().filter_map(|one| one.first_and_other().0);
        let failing = failing.find(|agent| agents.row(*agent).is_some());
        self.select_failing(failing);
        let tick = self.session.tick();
        let words =
            format!("the scenario ends at tick {tick}{result}; the play button or {play} goes on");
        let first = self.failures.all().iter().map(|one| one.tick).min();
        self.notice(words, failed > 0);
        if let Some(notice) = self.notices.last_mut() {
            notice.failed_at = first;
        }
    }

    /// Describes a failure, and says that there are more.
    fn failure_words(&self, first: &Failure, more: usize) -> String {
        let more = match more {
            0 => String::new(),
            1 => "; and 1 more expectation".to_owned(),
            count => format!("; and {count} more expectations"),
        };
        let key = key_of(panels::expectations::PANEL.toggle());
        let is_open = self.overlays.expectations;
        let key = if is_open { String::new() } else { format!(" (press {key} for all)") };
        let text = &self.session.expectations()[first.expectation].text;
        let cause = first.cause().map(|cause| format!("; {cause}")).unwrap_or_default();
        format!("`{text}`: {}{cause}{more}{key}", first.message)
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
        let words = self.failure_words(first, new.len() - 1);
        let (at, (agent, other)) = (first.tick, first.first_and_other());
        let when = if at == tick { String::new() } else { format!(" at tick {at}") };
        let words = format!("paused at tick {tick}, an expectation fails{when}: {words}");
        self.failures.new.clear();
        let was_selected = self.selected;
        self.select_failing(agent);
        let chosen = agent.filter(|_| other.is_some() && self.selected != was_selected);
        let words = match chosen {
            Some(chosen) => format!("{words}; {}", is_selected(chosen)),
            None => words,
        };
        self.notice_failure(at, agent, words);
        if let Some(notice) = self.notices.last_mut().filter(|_| chosen.is_some()) {
            notice.selects = other;
        }
        true
    }

    /// Selects an agent that fails, unless the person has selected something or changed a param: the column must keep what they look at.
    fn select_failing(&mut self, failing: Option<AgentId>) {
        if let (None, Some(agent), false) = (self.selected, failing, self.has_chosen) {
            // The view stays where the person has moved it.
            self.selected = Some(agent);
            self.explain_time = Duration::ZERO;
        }
    }

    /// Pauses if a failure has become known that the run has already passed.
    pub(super) fn pause_after_failure(&mut self) {
        if self.has_failed() {
            self.set_playing(false);
        }
    }
}
