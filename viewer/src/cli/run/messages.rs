//! What scripts say with `debug` during a run.

use flockwork_engine::Run;

use super::super::progress::Progress;
use super::super::terminal;
use super::summary::Lines;

/// Shows the first lines, and counts the others.
pub(super) struct Messages {
    most: u64,
    shown: u64,
    omitted: u64,
}

impl Messages {
    /// Shows so many lines in all.
    pub(super) fn new(most: u64) -> Self {
        Self { most, shown: 0, omitted: 0 }
    }

    /// Shows what scripts have said since this was last called.
    pub(super) fn show(&mut self, run: &mut Run, progress: &Progress) {
        let said = run.take_messages();
        let room = usize::try_from(self.most - self.shown).unwrap_or(usize::MAX);
        let now = &said[..room.min(said.len())];
        self.shown += now.len() as u64;
        self.omitted += (said.len() - now.len()) as u64;
        if !now.is_empty() {
            progress.aside(|| {
                for message in now {
                    terminal::say(&message.to_string());
                }
            });
        }
    }

    /// Says how many lines were not shown, if there were any.
    pub(super) fn finish(&self, progress: &Progress) {
        let Self { most, omitted, .. } = self;
        if *omitted > 0 {
            let lines = if *omitted == 1 { "line" } else { "lines" };
            progress.aside(|| {
                terminal::say(&format!(
                    "note: {omitted} more {lines} of `debug` not shown; --debug-lines shows more than {most}"
                ));
            });
        }
    }

    pub(super) fn counted(&self) -> Lines {
        Lines { shown: self.shown, omitted: self.omitted }
    }
}
