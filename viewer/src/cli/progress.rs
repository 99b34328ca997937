//! A progress bar on the terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar that appears only if the work takes longer than [`DELAY`].
pub(super) struct DelayedProgressBar {
    start: Instant,
    /// Name of one counted thing: "tick".
    what: &'static str,
    total: u64,
    bar: Option<ProgressBar>,
    is_terminal: bool,
}

/// Time before the bar appears: shorter work needs none.
const DELAY: Duration = Duration::from_secs(1);

impl DelayedProgressBar {
    /// Makes a bar for `total` things, each of which is called `what`.
    pub(super) fn new(what: &'static str, total: u64) -> Self {
        Self {
            start: Instant::now(),
            what,
            total,
            bar: None,
            is_terminal: std::io::stderr().is_terminal(),
        }
    }

    /// Shows that `done` things are done.
    pub(super) fn at(&mut self, done: u64) {
        if self.is_terminal && self.bar.is_none() && self.start.elapsed() >= DELAY {
            let bar = ProgressBar::with_draw_target(Some(self.total), ProgressDrawTarget::stderr())
                .with_elapsed(self.start.elapsed());
            let what = self.what;
            let template = format!("{{wide_bar}} {what} {{pos}} of {{len}}, {{eta}} left");
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        }
    }

    /// Hides the bar while something else is written to the terminal.
    pub(super) fn suspend(&self, write: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Removes the bar and returns the time since the start.
    pub(super) fn finish(&mut self) -> Duration {
        let wall = self.start.elapsed();
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        wall
    }
}

impl Drop for DelayedProgressBar {
    fn drop(&mut self) {
        self.finish();
    }
}
