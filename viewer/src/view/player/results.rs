//! Steps through the results of a tune: the run begins again with other values.

use std::sync::Arc;

use flockwork_engine::Options;
use flockwork_engine::live::Session;

use super::super::tune_results::{ShownResult, TuneResults};
use super::super::view_state::Task;
use super::changes::Changes;
use super::judging::KnownFailures;
use super::{Player, ResultSteps};

impl Player {
    /// Shows the first of some results. The session must have its values already.
    pub(crate) fn with_results(mut self, results: Arc<TuneResults>, options: Options) -> Self {
        self.results = Some(ResultSteps { shown: ShownResult { results, index: 0 }, options });
        self.publish();
        self
    }

    /// Begins the run again with the values of a later result, or an earlier one if negative, and goes to the same tick.
    pub(super) fn step_result(&mut self, by: isize) {
        let Some(ResultSteps { shown: ShownResult { results, index }, options }) = &self.results
        else {
            return self.notice("there are no results: open the plan of a tune", false);
        };
        let next = index.saturating_add_signed(by).min(results.rows.len() - 1);
        if next == *index {
            let words = if by > 0 { "this is the last result" } else { "this is the first result" };
            return self.notice(words, false);
        }
        let values = results.values(next);
        self.shared.set_busy(Some(Task::Reload));
        let opened = Session::open_with_values(self.session.path(), options.clone(), values);
        self.shared.set_busy(None);
        let session = match opened {
            Ok(session) => session,
            Err(errors) => {
                return self.notice(errors.into_first().message, true);
            }
        };
        let tick = self.target.unwrap_or(self.session.tick());
        let goes_on = self.is_playing || self.goes_on;
        let old = std::mem::replace(&mut self.session, session);
        if let Some(ghost) = old.ghost().filter(|_| old.is_ghost_kept()) {
            self.session.keep_ghost(Arc::clone(ghost));
        }
        self.plots.drop_from(0, self.session.is_ghost_kept());
        self.failures = KnownFailures::default();
        self.choose_judging();
        self.changes = Changes::default();
        self.deselect_removed();
        if let Some(steps) = &mut self.results {
            steps.shown.index = next;
        }
        self.set_playing(goes_on && tick == 0);
        if tick > 0 {
            self.target = Some(tick);
            self.goes_on = goes_on;
        }
    }
}
