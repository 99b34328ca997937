//! Reads files again when they have changed.

use std::sync::Arc;
use std::time::Instant;

use flockwork_engine::live::{ReloadResult, Session};

use super::super::view_state::Task;
use super::{PATIENCE, Player, SETTLE};

impl Player {
    /// Reads changed files again if it is time to, and returns whether the view has to be published again.
    pub(super) fn reload(&mut self) -> bool {
        let now = Instant::now();
        if self.failed_at.is_some_and(|failed| now >= failed + PATIENCE) {
            self.failed_at = None;
            return true;
        }
        let is_due = self.changed_at.is_some_and(|changed| now >= changed + SETTLE);
        if !is_due || self.is_seeking() {
            return false;
        }
        // A text may have changed back before it ran.
        let shown = Arc::clone(&self.files);
        self.reload_and_say(Session::reload) != ReloadResult::Unchanged || self.files != shown
    }

    /// Reads the files again because the person asked for it.
    pub(super) fn force_reload(&mut self) {
        if self.reload_and_say(Session::retry) == ReloadResult::Unchanged {
            self.notice("the files have not changed", false);
        }
    }

    /// Reads the files again and says what has changed.
    pub(super) fn reload_and_say(
        &mut self,
        how: impl FnOnce(&mut Session) -> ReloadResult,
    ) -> ReloadResult {
        let was_waiting = self.session.is_waiting();
        let reloaded = self.reload_with("the edit", how);
        if let ReloadResult::Adopted(changes) = &reloaded {
            let text = if was_waiting {
                self.set_playing(true);
                "the files are right: the run begins".to_owned()
            } else if changes.is_empty() {
                "the files match the running version again".into()
            } else {
                format!("changed from here on: {}", list(changes))
            };
            self.notice(text, false);
        }
        reloaded
    }

    /// Reads the files again, because of an edit or an undo.
    pub(super) fn reload_with(
        &mut self,
        because_of: &str,
        how: impl FnOnce(&mut Session) -> ReloadResult,
    ) -> ReloadResult {
        self.changed_at = None;
        if let Some(watch) = &mut self.watch {
            // If the folders are gone, the reload reports them as missing.
            let _ = watch.renew();
        }
        self.shared.set_busy(Some(Task::Reload));
        let reloaded = how(&mut self.session);
        self.shared.set_busy(None);
        match &reloaded {
            ReloadResult::Unchanged => {}
            ReloadResult::Adopted(_) => {
                self.failed_at = None;
                if self.waits_for_fix {
                    self.set_playing(true);
                }
                self.comments = self.session.comments().into();
                self.note_dropped_future(because_of);
                self.choose_judging();
                self.deselect_removed();
            }
            // The error is shown only if it stays for a while.
            ReloadResult::Failed => self.failed_at = Some(Instant::now()),
        }
        self.read_files();
        reloaded
    }
}

/// Returns changes in one line; of a long list, the rest is only counted.
fn list(changes: &[String]) -> String {
    const MAX_SHOWN: usize = 4;
    let mut text = changes[..changes.len().min(MAX_SHOWN)].join(", ");
    if changes.len() > MAX_SHOWN {
        text += &format!(" and {} more", changes.len() - MAX_SHOWN);
    }
    text
}
