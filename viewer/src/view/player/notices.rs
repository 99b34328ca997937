//! Notices: short messages about what just happened, which also go to the log.

use std::path::PathBuf;
use std::time::Instant;

use flockwork_engine::world::AgentId;

use super::super::view_state::{LogLine, Notice};
use super::{MAX_NOTICED, Player};

/// Returns the letters and signs of a text without its numbers.
fn words(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_ascii_digit() && !matches!(c, '.' | '-'))
}

impl Player {
    /// Shows a notice.
    pub(crate) fn notice(&mut self, text: impl Into<String>, is_failure: bool) {
        self.notice_at(self.session.tick(), None, text.into(), is_failure);
    }

    /// Shows a notice no longer.
    pub(super) fn close_notice(&mut self, text: &str) {
        self.notices.retain(|one| one.text != text);
    }

    /// Shows the last notice longer than others: it takes time to read.
    pub(super) fn keep_notice(&mut self) {
        if let Some(notice) = self.notices.last_mut() {
            notice.stays = true;
        }
    }

    /// Shows a notice. A click on it selects an agent.
    pub(super) fn offer_agent(&mut self, text: String, agent: AgentId) {
        self.notice(text, false);
        if let Some(notice) = self.notices.last_mut() {
            notice.selects = Some(agent);
        }
    }

    /// Shows a notice about a scenario that was saved. A click opens it.
    pub(super) fn notice_saved(&mut self, words: String, path: PathBuf, is_failure: bool) {
        self.notice(words, is_failure);
        if let Some(notice) = self.notices.last_mut() {
            notice.opens = Some(path);
        }
    }

    /// Writes a line to the log.
    pub(super) fn log_line(
        &mut self,
        tick: u64,
        agent: Option<AgentId>,
        text: String,
        is_failure: bool,
    ) {
        self.noticed.push_back(LogLine { tick, agent, text, is_failure });
        if self.noticed.len() > MAX_NOTICED {
            self.noticed.pop_front();
        }
    }

    /// Shows a notice about a tick and an agent.
    pub(super) fn notice_at(
        &mut self,
        tick: u64,
        agent: Option<AgentId>,
        text: String,
        is_failure: bool,
    ) {
        self.log_line(tick, agent, text.clone(), is_failure);
        // The same words again, also with other numbers, are one notice: the last one counts. It keeps its place unless another one has
        // come in between.
        let is_same = |one: &Notice| words(&one.text).eq(words(&text));
        let (at, mut newest_first) = (Instant::now(), self.notices.iter().rev());
        let newest = newest_first.find(|one| one.at.elapsed() < one.duration());
        let since = newest.filter(|one| is_same(one)).map_or(at, |one| one.since);
        self.notices.retain(|one| !is_same(one));
        self.notices.push(Notice {
            text,
            at,
            since,
            is_failure,
            stays: false,
            opens: None,
            selects: None,
            goes_to: None,
            failed_at: None,
        });
    }
}
