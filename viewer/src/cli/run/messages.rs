//! Showing what scripts print with `debug` during a run.

use flockwork_engine::Run;

use super::super::progress::DelayedProgressBar;
use super::super::terminal;
use super::summary::DebugLines;

/// Shows the first lines and counts the others.
pub(super) struct Messages {
    most: u64,
    shown: u64,
    omitted: u64,
}

impl Messages {
    /// Shows at most `most` lines in all.
    pub(super) fn new(most: u64) -> Self {
        Self { most, shown: 0, omitted: 0 }
    }

    /// Shows the lines that scripts have printed since the last call.
    pub(super) fn show(&mut self, run: &mut Run, progress: &DelayedProgressBar) {
        let lines = run.take_messages();
        let room = usize::try_from(self.most - self.shown).unwrap_or(usize::MAX);
        let shown = &lines[..room.min(lines.len())];
        self.shown += shown.len() as u64;
        self.omitted += (lines.len() - shown.len()) as u64;
        if !shown.is_empty() {
            progress.suspend(|| {
                for message in shown {
                    terminal::say(&message.to_string());
                }
            });
        }
    }

    /// Shows how many lines were omitted, if any were.
    pub(super) fn finish(&self, progress: &DelayedProgressBar) {
        let Self { most, omitted, .. } = self;
        if *omitted > 0 {
            let lines = if *omitted == 1 { "line" } else { "lines" };
            progress.suspend(|| {
                terminal::say(&format!(
                    "note: {omitted} more {lines} of `debug` not shown; --debug-lines shows more than {most}"
                ));
            });
        }
    }

    /// Returns the numbers of lines for the summary.
    pub(super) fn line_counts(&self) -> DebugLines {
        DebugLines { shown: self.shown, omitted: self.omitted }
    }
}
